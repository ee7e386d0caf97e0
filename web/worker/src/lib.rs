//! The page's worker: everything that takes longer than a frame runs here.
//!
//! | file | what |
//! |---|---|
//! | protocol.rs | requests and answers |
//! | solver.rs | the worker's end of the conversation |
//! | jobs.rs | the worker's timetable |
//! | clock.rs | the worker's clock |
//! | store.rs | what the browser keeps |
//! | count/ | a count in several workers |
//! | results/ | result documents: what the page shows of them, their pictures, their tasks counted again |
//! | searches.rs, completions.rs, survey.rs, effort.rs, numbers.rs | what the worker does, without a browser |
//!
//! The page links this crate too, but for the messages alone; what works on them is left out of
//! its module.

mod clock;
mod completions;
mod count;
mod effort;
mod jobs;
mod numbers;
mod protocol;
mod results;
mod searches;
mod solver;
mod store;
mod survey;

pub use clock::{any, now};
pub use count::{Event, HAND, SAMPLE, Work, Yield, serve, serve_by, shuffled};
pub use numbers::ISA;
pub use protocol::{
    Again, Answer, Call, Chart, ClassLedger, Command, Common, Counted, DocumentId, Drawing, Effort,
    Forecast, Gist, Keeping, Line, Made, News, NoFile, Now, Order, Other, Outcome, Phase, Place,
    Point, Posted, Progress, Quantity, Recounted, Reply, Representative, Request, RequestId,
    Standing, Tasks, Trouble, WebGpu, Why, Wrong, decode, encode, is_ready,
};
pub use queens_state::count::milliseconds;
pub use results::Documents;
pub use solver::serve_page;
