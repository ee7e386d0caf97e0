//! The page's worker, which does everything that takes longer than a frame of the screen.
//!
//! | file | what |
//! |---|---|
//! | protocol.rs | requests and answers |
//! | solver.rs | receives requests and sends answers |
//! | jobs.rs | time slices of the requests in progress |
//! | clock.rs | clock and random numbers |
//! | icicle.rs | the map of a whole search |
//! | measured.rs, scale.rs | times from documents, and a logarithmic scale for them |
//! | store.rs | the browser's database |
//! | post.rs | posts results to the page's own server |
//! | count/ | a count in several workers |
//! | results/ | result documents: their headers, their tasks, and recounts |
//! | searches.rs, completions.rs, timeline_index.rs, effort.rs | the jobs, which use no browser APIs |
//!
//! The page links this crate, too, but uses only the messages and what their values compute; the linker
//! leaves the rest out of the page's module.

#![warn(clippy::too_many_lines)]

mod clock;
mod completions;
mod count;
mod effort;
mod icicle;
mod jobs;
mod measured;
mod post;
mod protocol;
mod results;
mod scale;
mod searches;
mod solver;
mod store;
mod timeline_index;

pub use clock::{milliseconds, now, random_index};
pub use count::{
    Event, GPU_FAILED, ISA, POOL_WORKER, WorkerReply, WorkerRequest, serve, serve_with,
};
pub use icicle::{Block, BlockKind, Icicle, IcicleBuilder};
pub use measured::measured;
pub use protocol::{
    Answer, Call, ClassLedger, CountCommand, CountEvent, CountJob, CountStatus, CurrentRow,
    DocumentId, DocumentInfo, Effort, Executor, FileAccessError, FileError, FileRequest,
    FinishedRow, ListedTask, LoadedFile, Location, Mismatch, PICTURE_CELLS, Phase, PictureCell,
    PublishOutcome, RecountProgress, RecountRequest, Reply, Representative, Request, RequestId,
    SearchProgress, Task, TaskDifference, TaskPair, TaskStart, TaskSummary, TimeDifference,
    TimePair, TimePicture, Trouble, WebGpu, WorkerStatus, WrongTask, decode, encode, is_ready,
};
pub use results::Documents;
pub use scale::LogScale;
#[cfg(not(target_family = "wasm"))]
pub use searches::answers;
pub use solver::serve_page;
