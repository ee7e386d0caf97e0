//! What the page is put through to see how smoothly it moves: `cargo xtask bench --page` measures it on
//! large boards, and a browser test does the same on small ones, so that the bench keeps up with the
//! page.

pub mod classes;
pub mod count;
pub mod explore;
pub mod results;
