//! Any text: it is rejected with a reason, or it is a result document that can be written and read
//! again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use queens_fuzz::hold_to_its_word;

fuzz_target!(|text: &str| hold_to_its_word(text));
