//! What holds for the page as a whole.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![the_page_opens, the_page_is_small]
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

/// The largest that all files which the first view needs may be together, compressed: bytes.
const LARGEST_PAGE: u64 = 350_000;

async fn the_page_is_small(browser: Browser) -> Result<()> {
    browser.goto("/").await?;
    browser.wait_for("#board").await?;
    let files = browser
        .script(
            "return [...performance.getEntriesByType('navigation'),
                     ...performance.getEntriesByType('resource')]
                 .map((file) => [file.name, file.encodedBodySize]);",
            &[],
        )
        .await?;
    // What page and worker both load travels once, and has its size here twice.
    let mut sizes = BTreeMap::new();
    for file in files.as_array().context("a list of files")? {
        let name = file[0].as_str().context("a file has a name")?;
        let size = file[1].as_u64().context("a file has a size")?;
        let largest: &mut u64 = sizes.entry(name.rsplit('/').next().unwrap_or(name)).or_default();
        *largest = size.max(*largest);
    }
    for name in ["", "start.js", "queens-web.js", "queens-web_bg.wasm", "style.css"] {
        assert!(sizes.get(name).is_some_and(|size| *size > 0), "{name:?} among {sizes:?}");
    }
    let whole: u64 = sizes.values().sum();
    println!("The page is {whole} bytes in all: {sizes:?}");
    assert!(whole <= LARGEST_PAGE, "{whole} bytes: {sizes:?}");
    Ok(())
}
