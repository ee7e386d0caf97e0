//! What tests that cross crates share: the built command, its server, and a
//! real browser to look at its page.
//!
//! The browser tests are in `tests/browser/`, one file for each view; how to
//! write one is told in [`browser`].

pub mod browser;
pub mod command;
pub mod process;
pub mod server;
