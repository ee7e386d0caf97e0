//! What holds for the page as a whole.

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![the_page_opens_and_its_worker_answers]
}

async fn the_page_opens_and_its_worker_answers(browser: Browser) -> Result<()> {
    browser.goto("/").await?;
    assert_eq!(browser.client().title().await?, "queens: an N-Queens workbench");
    browser.wait_for_text("#solver", "ready").await?;
    browser.screenshot("everywhere-start").await?;
    Ok(())
}
