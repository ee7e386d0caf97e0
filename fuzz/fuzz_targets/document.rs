//! Any text: it is no result document, for a reason, or it is one and stays one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use queens_fuzz::hold_to_its_word;

fuzz_target!(|text: &str| hold_to_its_word(text));
