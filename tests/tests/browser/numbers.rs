//! The page of words and numbers: the known numbers of all boards, and the work of the methods.

use anyhow::Result;
use queens_core::{Size, Stepped, Work};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![the_work_is_counted_and_the_numbers_lead_to_the_solutions]
}

/// A link opens the view without reloading the page, and the tables fit a phone or can be scrolled.
async fn the_work_is_counted_and_the_numbers_lead_to_the_solutions(browser: Browser) -> Result<()> {
    browser.goto("?view=numbers").await?;
    browser.wait_for_text("#work-table [data-method=brute-force]", "×").await?;
    browser.wait_for_text("#work-table [data-method=symmetry]", "×").await?;
    let cells = browser.texts("#work-table [data-method=symmetry] td").await?;
    let placed = |n: u32| -> Result<String> {
        let mut work = Work::default();
        Stepped::Symmetry.search(Size::new(n)?, &mut work);
        Ok(work.placed.to_string())
    };
    assert_eq!(cells[..2], [placed(7)?, placed(8)?]);
    browser.whole_screenshot("numbers").await?;
    browser.script("window.same = true;", &[]).await?;
    browser.click("#numbers [data-n='6'] a").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    assert_eq!(browser.address().await?, "/?view=solutions&n=6&together=1");
    assert_eq!(browser.script("return window.same;", &[]).await?, true);
    browser.set_phone().await?;
    browser.set_preferences(true, false).await?;
    browser.goto("?view=numbers&lang=ja").await?;
    browser.wait_for("#numbers [data-n='27']").await?;
    browser.assert_fits_the_width().await?;
    browser.screenshot("numbers-phone").await.map(drop)
}
