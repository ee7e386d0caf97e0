//! Calls every public function of the core with any values that its types allow. Checks that
//! no call panics and that the documented properties hold.

#![no_main]

mod board;
mod count;
/// The command's detection of this processor's instruction sets.
#[allow(dead_code, reason = "only the fastest are used")]
#[path = "../../../native/src/isa.rs"]
mod isa;
mod search;
mod texts;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Input {
    Board(board::Call),
    Search(search::Call),
    Count(count::Call),
    Text(texts::Call),
}

fuzz_target!(|input: Input| match input {
    Input::Board(call) => call.check(),
    Input::Search(call) => call.check(),
    Input::Count(call) => call.check(),
    Input::Text(call) => call.check(),
});
