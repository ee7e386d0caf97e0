//! Searching square by square: the ladder of methods, their events, and how one steps through
//! them, forwards and back.

mod completion;
mod event;
#[cfg(feature = "alloc")]
mod lock_step;
pub mod methods;
pub mod oracle;
#[cfg(feature = "alloc")]
mod played;
#[cfg(feature = "alloc")]
mod timeline;
mod tracer;
mod tree;
mod view;
mod work;

pub use completion::{Completions, Consequence, Consequences, Search, Unit};
pub use event::{Event, Found, Observer, Step};
#[cfg(feature = "alloc")]
pub use lock_step::LockStep;
pub use methods::{Form, Method, Prefix, Trace};
#[cfg(feature = "alloc")]
pub use played::{Moment, Played};
#[cfg(feature = "alloc")]
pub use timeline::{Previous, Seek, Timeline};
pub use tracer::Tracer;
pub use tree::{Branch, Branches, Node, branches};
pub use view::{Register, View};
pub use work::{Tally, Work};
