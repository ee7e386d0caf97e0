//! Classes: all classes of a board, and how they add up.

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        the_twelve_classes_of_eight_queens,
        a_board_leads_to_its_images,
        boards_without_solutions_and_with_one,
        only_the_boards_near_the_window_are_drawn,
        a_search_can_be_stopped_and_started_again,
        a_board_with_too_many_classes_names_the_command,
        in_japanese_on_a_phone,
    ]
}

async fn open(browser: &Browser, n: u32) -> Result<()> {
    browser.goto(&format!("?view=classes&n={n}")).await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    Ok(())
}

async fn the_twelve_classes_of_eight_queens(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    assert_eq!(browser.texts("#ledger .count").await?, ["0", "1", "11"]);
    assert_eq!(browser.text("#unique").await?, "12");
    assert_eq!(browser.text("#total").await?, "92");
    assert_eq!(browser.count("[data-testid=shelf-4] .tile").await?, 1);
    assert_eq!(browser.count("[data-testid=shelf-8] .tile").await?, 11);
    assert_eq!(browser.count("[data-testid=shelf-2]").await?, 0);
    browser.wait_for_text("#formula-total", "2·0 + 4·1 + 8·11 = 92").await?;
    browser.wait_for_text("#formula-burnside", "(92 + 4 + 2·0) / 8 = 12").await?;
    assert_eq!(browser.count("#formula-burnside .verdict.good").await?, 1);
    browser.screenshot("classes-eight").await?;
    Ok(())
}

async fn a_board_leads_to_its_images(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    browser.click("[data-testid=shelf-4] .tile").await?;
    browser.wait_for_count("[data-testid=image]", 8).await?;
    assert_eq!(browser.attributes("#class", "data-class").await?, ["4"]);
    browser.client().back().await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    Ok(())
}

async fn boards_without_solutions_and_with_one(browser: Browser) -> Result<()> {
    for n in [2, 3] {
        open(&browser, n).await?;
        browser.wait_for("[data-testid=no-classes]").await?;
        assert_eq!(browser.text("#unique").await?, "0");
        assert_eq!(browser.count(".tile").await?, 0);
    }
    open(&browser, 1).await?;
    assert_eq!(browser.text("#unique").await?, "1");
    assert_eq!(browser.count("[data-testid=shelf-1] .tile").await?, 1);
    Ok(())
}

async fn only_the_boards_near_the_window_are_drawn(browser: Browser) -> Result<()> {
    open(&browser, 12).await?;
    assert_eq!(browser.text("#unique").await?, "1,787");
    assert_eq!(browser.texts("#ledger .count").await?, ["4", "18", "1,765"]);
    let near = browser.count(".tile").await?;
    assert!((22..600).contains(&near), "{near} boards are drawn");
    browser.script("window.scrollTo(0, document.body.scrollHeight);", &[]).await?;
    let numbers = || browser.texts("[data-testid=shelf-8] .tile span");
    let numbers = browser
        .wait_until("the last board", numbers, |numbers| {
            numbers.last().is_some_and(|last| last == "1,765")
        })
        .await?;
    assert!(numbers.len() < 600, "{} boards are drawn", numbers.len());
    assert_ne!(numbers.first().map(String::as_str), Some("1"));
    Ok(())
}

async fn a_search_can_be_stopped_and_started_again(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    // The moment the button is there, because the search may take less than a second: before
    // the page can hear the worker again.
    browser
        .script(
            "return new Promise((resolve) => {
                 const observer = new MutationObserver(() => {
                     const stop = document.querySelector('#stop:enabled');
                     if (stop) { observer.disconnect(); stop.click(); resolve(); }
                 });
                 observer.observe(document.body, {
                     attributes: true, childList: true, subtree: true,
                 });
                 const size = document.querySelector('#size');
                 size.value = '14';
                 size.dispatchEvent(new InputEvent('input', { bubbles: true }));
             });",
            &[],
        )
        .await?;
    browser.wait_for("#classes-status[data-state=stopped]").await?;
    let found = browser.text("#unique").await?;
    assert_ne!(found, "45,752");
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(browser.text("#unique").await?, found, "a stopped search finds no more");
    browser.click("#again").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    assert_eq!(browser.text("#unique").await?, "45,752");
    Ok(())
}

async fn a_board_with_too_many_classes_names_the_command(browser: Browser) -> Result<()> {
    browser.goto("?view=classes&n=16").await?;
    browser.wait_for_text("[data-testid=too-many]", "1,846,955").await?;
    assert_eq!(browser.texts(".commands code").await?[0], "queens classes 16");
    assert_eq!(browser.text("#total").await?, "14,772,512");
    Ok(())
}

async fn in_japanese_on_a_phone(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    browser.goto("?view=classes&n=8&lang=ja").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    assert_eq!(browser.text("h1").await?, "N = 8 の類");
    crate::fits_the_width(&browser).await?;
    browser.screenshot("classes-phone").await?;
    Ok(())
}
