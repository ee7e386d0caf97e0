//! What the command `queens` is made of, apart from its command line.

pub mod count;
pub mod host;
pub mod isa;
mod lock;
pub mod post;
pub mod server;
pub mod store;
