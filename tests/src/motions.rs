//! Scenarios for measuring how smoothly the page moves. `cargo xtask bench --page` measures them on
//! large boards. Browser tests run most of them on small ones, so that the benchmark stays up to
//! date with the page.

pub mod classes;
pub mod count;
pub mod explore;
pub mod results;
