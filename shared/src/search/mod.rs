//! Searches that place queen after queen. They report events, can be stepped forwards and backwards, and
//! show the state of the board at each step. The stepped methods are in `methods`; the naive solver and
//! the completion of given queens are separate searches.

mod beat;
mod completion;
#[cfg(feature = "alloc")]
mod difference;
mod event;
mod facts;
pub mod methods;
mod node;
pub mod oracle;
#[cfg(feature = "alloc")]
mod played;
mod program;
mod register;
mod seek;
mod square_view;
#[cfg(feature = "alloc")]
mod timeline;
mod tracer;
mod tree;
mod view;
mod work;

pub use beat::Beat;
pub use completion::{Completions, Consequence, Consequences, Unit};
#[cfg(feature = "alloc")]
pub use difference::first_difference;
pub use event::{Event, Found, Observer};
pub use facts::{Facts, Meets};
pub use methods::{Form, GpuSearch, Method, Prefix, Stepped, Trace};
pub use node::Node;
#[cfg(feature = "alloc")]
pub use played::{Moment, Played};
pub use program::{Act, At, ProgramLine};
pub use register::Register;
pub use seek::Seek;
pub use square_view::{Attacker, SquareState, SquareView};
#[cfg(feature = "alloc")]
pub use timeline::{BackwardSearch, Timeline};
pub use tracer::Tracer;
pub use tree::{Branch, Branches, branches};
pub use view::View;
pub use work::{Coverage, Tally, Work};
