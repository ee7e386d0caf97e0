//! Parses any text as a result document. It is rejected with a reason, or it can be written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use queens_fuzz::check_text;

fuzz_target!(|text: &str| check_text(text));
