//! The result document: the result of a count, exchanged between the command, the server and the
//! page.
//!
//! A document is JSON with `"format": "queens-result"` and `"version": 1`. The schema file
//! `shared/schema/queens-result-1.json` defines the same format as this code. Counts are decimal
//! strings, because a JavaScript number holds only 53 bits.
//!
//! Two kinds of errors are distinguished:
//! - a text that is not a result document: [`Document::parse`] rejects it with a [`DocumentError`]
//!   that names the field;
//! - a readable document with inconsistent numbers: [`Document::contradictions`] lists the
//!   contradictions. The page shows such a document in red; the server and `verify` reject it.
//!
//! ```
//! use queens_core::document::{Document, DocumentError};
//!
//! let error = Document::parse(r#"{"format": "queens-result", "version": 2}"#).unwrap_err();
//! assert_eq!(error.path(), "version");
//! assert_eq!(
//!     error.to_string(),
//!     "version: unsupported version 2; this program reads version 1",
//! );
//! ```

mod check;
mod error;
mod fields;
mod format;
mod json;
mod limits;
mod of;
mod progress;
mod quote;
mod read;
mod shards;
mod summary;
mod timestamp;
mod types;
mod write;

pub use crate::{Check, Checks, ranges};
pub use check::Contradiction;
pub use error::{DocumentError, Problem};
pub use format::{FORMAT, Format, JOURNAL, SCHEMA, SUMMARY_SCHEMA, VERSION, is_journal};
pub use limits::LARGEST_DOCUMENT;
pub use of::Circumstances;
pub use progress::{Progress, RunState, ShardOf};
pub use quote::{escape_json_control_characters, harmless};
pub use shards::{ShardError, Shards};
pub use summary::Summary;
pub use timestamp::seconds_since_1970;
pub use types::{
    Backend, BackendKind, Document, Extra, Header, Host, PlanRef, Program, Seconds, Shard,
    TaskTotal,
};
