//! What the command `queens` is made of, apart from its command line.

pub mod post;
pub mod server;
pub mod store;
