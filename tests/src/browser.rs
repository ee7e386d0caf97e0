//! A real browser for tests: headless Chromium, driven through chromedriver, with the page that
//! `queens serve` delivers.
//!
//! A test is an async function in the file of its view or topic:
//!
//! ```no_run
//! use queens_tests::browser::{Browser, BrowserTest};
//!
//! pub fn tests() -> Vec<BrowserTest> {
//!     queens_tests::browser_tests![steps_to_the_first_solution]
//! }
//!
//! async fn steps_to_the_first_solution(browser: Browser) -> anyhow::Result<()> {
//!     browser.goto("?view=explore&n=8").await?;
//!     browser.click("#next").await?;
//!     browser.wait_for_text("#why", "solution").await?;
//!     assert_eq!(browser.count("#board [data-state='queen']").await?, 8);
//!     Ok(())
//! }
//! ```
//!
//! `cargo xtask browser [NAME]` builds the command with the page and runs only these tests.
//!
//! Each test gets a browser in its initial state (see [`Browser::reset`]), 1280 by 800 pixels, in
//! English. All tests share one server (or a static host, see [`BrowserTest::on_static_site`]) and
//! one chromedriver. Selectors are CSS. A function that waits fails after a minute and reports the last
//! state that it found.
//!
//! A test fails if the console contains messages at the end of the test, unless the test read them
//! itself with [`Browser::console`]. A test also fails if axe-core finds a fault in a page that the
//! test visits (see [`Browser::assert_accessible`]). A failed test saves a screenshot
//! `target/screenshots/failed-….png`.

mod axe;
mod driver;
mod emulation;
pub mod explore;
mod page;
mod runner;
mod trace;

pub use driver::{Driver, missing_part};
pub use fantoccini::elements::Element;
pub use fantoccini::key::Key;
pub use page::Browser;
pub use runner::{BrowserTest, main, traced};
pub use trace::Motion;
