//! The page's worker: everything that takes longer than a frame runs here.
//!
//! | file | what |
//! |---|---|
//! | protocol.rs | requests and answers |
//! | solver.rs | the worker's end of the conversation |
//! | jobs.rs | the worker's timetable |
//! | searches.rs, completions.rs, survey.rs, effort.rs, numbers.rs | what the worker does, without a browser |
//!
//! The page links this crate too, but for the messages alone; what works on them is left out of
//! its module.

mod completions;
mod effort;
mod jobs;
mod numbers;
mod protocol;
mod searches;
mod solver;
mod survey;

pub use protocol::{
    Answer, Call, ClassLedger, Common, Counted, Effort, Mark, Outcome, Progress, Reply,
    Representative, Request, RequestId,
};
pub use solver::{Continue, Solver};
