//! The page's worker, which does everything that takes longer than a frame.
//!
//! | file | what |
//! |---|---|
//! | protocol.rs | requests and answers |
//! | solver.rs | receives requests and sends answers |
//! | jobs.rs | time slices of the requests in progress |
//! | clock.rs | clock and random numbers |
//! | store.rs | the browser's database |
//! | count/ | a count in several workers |
//! | results/ | result documents: their headers, their tasks, and recounts |
//! | searches.rs, completions.rs, timeline_index.rs, effort.rs, numbers.rs | what the worker does, without a browser |
//!
//! The page links this crate too, but uses only the messages; the rest is left out of its module.

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
mod timeline_index;

pub use clock::{any, now};
pub use count::{Event, HAND, SAMPLE, Work, Yield, serve, serve_by, shuffled};
pub use numbers::ISA;
pub use protocol::{
    Again, Answer, Call, Cell, ClassLedger, Command, Common, Counted, DocumentId, Effort, Forecast,
    Gist, Keeping, Line, Made, News, NoFile, Now, Order, Other, Outcome, Phase, Place, Posted,
    Progress, Recounted, Reply, Representative, Request, RequestId, Standing, Start, Task,
    TaskDetail, TaskSummary, Trouble, WebGpu, Why, Wrong, decode, encode, is_ready,
};
pub use queens_state::count::milliseconds;
pub use results::Documents;
pub use solver::serve_page;
