//! A real browser for tests: headless Chromium, driven through chromedriver,
//! looking at the page that `queens serve` delivers.
//!
//! A test is an async function in the file of its view:
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
//!     browser.click("#next-solution").await?;
//!     browser.wait_for_text("#why", "solution").await?;
//!     assert_eq!(browser.count("#board [data-state='queen']").await?, 8);
//!     Ok(())
//! }
//! ```
//!
//! `cargo xtask browser [NAME]` builds what is needed and runs these tests alone.
//!
//! Each test gets a browser like a new one (see [`Browser::forget`]), 1280 by 800 pixels, with
//! English as its language, all in one server (or, see [`BrowserTest::of_files`], with a host of
//! static files) and one chromedriver. Selectors are CSS. What
//! waits gives up after a minute, and says what it found instead. A test
//! whose console is not clean at its end fails, unless it took the messages
//! itself with [`Browser::console`]; so does one that comes by a page with
//! which axe-core finds fault (see [`Browser::assert_accessible`]). A failed
//! test leaves `target/screenshots/failed-….png` behind.

mod axe;
mod driver;
mod emulation;
mod page;
mod runner;
mod trace;

pub use driver::{Driver, missing_part};
pub use fantoccini::elements::Element;
pub use fantoccini::key::Key;
pub use page::Browser;
pub use runner::{BrowserTest, main, traced};
pub use trace::Motion;
