//! Classes of solutions: filters, pages of boards, saved files, and searches that are stopped.

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        filters_are_stored_in_the_address_and_boards_are_on_pages,
        classes_are_saved_as_csv_and_images,
        a_stopped_search_is_incomplete_until_it_is_started_again,
    ]
}

async fn open(browser: &Browser, n: u32) -> Result<()> {
    browser.goto(&format!("?view=solutions&n={n}")).await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    Ok(())
}

async fn shown_rows(browser: &Browser) -> Result<Vec<String>> {
    browser.attributes(".tiles > li", "data-columns").await
}

async fn filters_are_stored_in_the_address_and_boards_are_on_pages(browser: Browser) -> Result<()> {
    open(&browser, 9).await?;
    for (field, value, address) in [
        ("class-choice", "8", "?view=solutions&n=9&class=8"),
        ("first-choice", "5", "?view=solutions&n=9&class=8&first=5"),
        ("order-choice", "largest", "?view=solutions&n=9&class=8&first=5&order=largest"),
    ] {
        browser.choose(&format!("#{field}"), value).await?;
        let now = async || browser.address().await;
        browser.wait_until(address, now, |now| now.ends_with(address)).await?;
    }
    // The only class of 8 whose representative begins with column 5.
    let boards = ["5 7 2 0 8 1 4 6 3"];
    // The address alone gives the same picture.
    for reloaded in [false, true] {
        let shown = async || shown_rows(&browser).await;
        browser.wait_until("the boards", shown, |shown| *shown == boards).await?;
        if !reloaded {
            browser.client().refresh().await?;
        }
    }
    open(&browser, 12).await?;
    let of_eight = "[data-testid=shelf-8] li";
    browser.wait_for_count(of_eight, 100).await?;
    browser.click("#shelf-8-next").await?;
    browser.wait_for_text(of_eight, "101").await?;
    browser.wait_for_text(".pager", "101 to 200 of 1,765").await?;
    browser.screenshot("classes-page").await?;
    // Another order begins with its first page.
    browser.choose("#order-choice", "largest").await?;
    browser.wait_for_text(".pager", "1 to 100 of 1,765").await?;
    // Terms of the formula are links to filters: (14,200 + 80 + 2·8) / 8. The second term is H.
    browser.click("#formula-burnside .summand:nth-of-type(2)").await?;
    let boards = || browser.attributes("[data-testid^=shelf]", "data-boards");
    browser.wait_until("H", boards, |boards| *boards == ["4", "18"]).await?;
    // Their boards come into sight.
    browser.set_phone().await?;
    browser.click("#ledger [data-class='4'] .summand").await?;
    browser.wait_for_count("[data-testid^=shelf]", 1).await?;
    assert!(browser.address().await?.contains("n=12&class=4"));
    let top = async || Ok(browser.edges(".tile").await?[1]);
    let is_in_sight = |top: &f64| (0.0..700.0).contains(top);
    browser.wait_until("a board within the window", top, is_in_sight).await.map(drop)
}

async fn classes_are_saved_as_csv_and_images(browser: Browser) -> Result<()> {
    browser.goto("?view=solutions&n=8&together=1").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    crate::catch_saved(&browser).await?;
    browser.click("#save-csv").await?;
    let csv = crate::saved(&browser).await?;
    assert_eq!(csv.lines().next(), Some("class,columns,judgement_value,step"));
    assert_eq!(csv.lines().count(), 13);
    browser.click("#save-svg").await?;
    let saved = crate::saved(&browser).await?;
    assert_eq!(saved.matches("<use href=\"#q\"").count(), 12 * 8);
    // As a PNG: the boards are read from the saved file.
    let boards = shown_rows(&browser).await?;
    browser.click("#save-png").await?;
    let expected = json!({ "width": 3600, "height": 3020, "boards": boards });
    let read = || crate::saved_boards(&browser, 8, 12, 4);
    browser.wait_until("the sheet", read, |read| *read == expected).await?;

    // The images of a solution.
    browser.goto("?view=solutions&n=5&solution=1,4,2,0,3").await?;
    browser.wait_for("#class").await?;
    crate::catch_saved(&browser).await?;
    browser.click("#save-images-svg").await?;
    let saved = crate::saved(&browser).await?;
    assert_eq!(saved.matches("<use href=\"#q\"").count(), 8 * 5);
    browser.click("#save-images-png").await?;
    let is_png = "return window.savedBlob?.type === 'image/png';";
    browser
        .wait_until("the images", || browser.script(is_png, &[]), |is_png| *is_png == true)
        .await
        .map(drop)
}

/// Selects another size and clicks the first element that the selector `stop` matches, as soon as the page has one.
/// The search may take less than a second, so this happens before the page receives another message from the worker.
async fn stop_when(browser: &Browser, n: u32, stop: &str) -> Result<()> {
    browser
        .script(
            "const [n, selector] = arguments;
             return new Promise((resolve) => {
                 const observer = new MutationObserver(() => {
                     const stop = document.querySelector(selector);
                     if (stop) { observer.disconnect(); stop.click(); resolve(); }
                 });
                 observer.observe(document.body, {
                     attributes: true, childList: true, subtree: true,
                 });
                 const size = document.querySelector('#size');
                 size.value = n;
                 size.dispatchEvent(new InputEvent('input', { bubbles: true }));
             });",
            &[n.to_string().into(), stop.into()],
        )
        .await
        .map(drop)
}

async fn a_stopped_search_is_incomplete_until_it_is_started_again(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    crate::catch_saved(&browser).await?;
    stop_when(&browser, 14, ":root:has(.tile) #stop:enabled").await?;
    browser.wait_for("#classes-status[data-state=stopped]").await?;
    let found = browser.text("#unique").await?;
    assert_ne!(found, "45,752");
    browser.settle().await?;
    assert_eq!(browser.text("#unique").await?, found, "the stopped search found more");
    browser.click("#save-csv").await?;
    let rows = crate::saved(&browser).await?.lines().count() - 1;
    assert_eq!(rows.to_string(), found.replace(',', ""));

    browser.click("#again").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    assert_eq!(browser.text("#unique").await?, "45,752");
    // Classes of N = 14 link to their step.
    browser.click("[data-testid=shelf-4] li:last-child .tile").await?;
    browser.wait_for("#open-in-explore").await.map(drop)
}
