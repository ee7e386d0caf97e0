//! The chores of this project that need few dependencies. `cargo xtask` runs them (main.rs); the package
//! `xtask-release` builds on them.

pub mod fuzz;
pub mod page;
pub mod project;
pub mod serve;
pub mod test;
pub mod tools;
