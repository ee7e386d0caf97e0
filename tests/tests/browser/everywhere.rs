//! What holds for the page as a whole.

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![the_page_opens]
}

async fn the_page_opens(browser: Browser) -> Result<()> {
    browser.goto("/").await?;
    let main = browser.wait_for("#app main").await?;
    assert!(!main.text().await?.is_empty());
    let title = browser.client().title().await?;
    assert!(title.contains("queens"), "{title}");
    browser.screenshot("everywhere-start").await?;
    Ok(())
}
