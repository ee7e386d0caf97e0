//! What the command `queens` is made of, apart from its command line.

pub mod count;
pub mod host;
pub mod isa;
pub mod journal;
mod lock;
pub mod paths;
pub mod post;
pub mod server;
mod sqlite;
pub mod store;
