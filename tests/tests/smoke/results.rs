//! Results: documents from the server and from files.

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::{browser_tests, command};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        a_posted_result_appears_without_reload,
        a_file_loads_and_a_damaged_one_is_refused_with_its_reason,
    ]
}

const EIGHT: &str = include_str!("../../data/results/eight.json");

async fn open(browser: &Browser) -> Result<()> {
    browser.goto("?view=results").await?;
    browser.wait_for("#server[data-state=live]").await.map(drop)
}

async fn a_posted_result_appears_without_reload(browser: Browser) -> Result<()> {
    open(&browser).await?;
    assert_eq!(browser.count("[data-testid=result][data-n='9']").await?, 0);
    let base = browser.base().to_owned();
    let output = tokio::task::spawn_blocking(move || {
        command::run(&["count", "9", "--quiet", "--post", &base])
    })
    .await??;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    browser.wait_for("[data-testid=result][data-n='9']").await?;
    let row = browser.text("[data-testid=result][data-n='9'] tr").await?;
    assert!(row.contains("352") && row.contains("3 checks"), "{row}");
    browser.wait_for_text("#news", "N = 9").await?;
    browser.screenshot("results-live").await?;

    browser.click("[data-testid=result][data-n='9'] a").await?;
    browser.wait_for_text("[data-testid=detail] h2", "352 solutions in 46 classes").await?;
    browser.screenshot("results-open").await?;
    let address = browser.address().await?;
    browser.goto(address.trim_start_matches('/')).await?;
    browser.wait_for_text("[data-testid=detail] h2", "352 solutions in 46 classes").await?;
    browser.click("#back").await?;
    browser.wait_for("[data-testid=result][data-n='9']").await?;
    Ok(())
}

async fn a_file_loads_and_a_damaged_one_is_refused_with_its_reason(browser: Browser) -> Result<()> {
    open(&browser).await?;
    browser.drop_file("[data-testid=drop-area]", "eight.json", EIGHT).await?;
    browser.wait_for("[data-id^=file-]:has(.file-name[title='eight.json'])").await?;
    let row = browser.text("[data-id^=file-] tr").await?;
    assert!(row.contains("92"), "{row}");
    let half = &EIGHT[..EIGHT.len() / 2];
    browser.drop_file("[data-testid=drop-area]", "half.json", half).await?;
    browser.wait_for_text("[data-testid=refusal]", "half.json").await?;
    browser.wait_for_text("[data-testid=refusal]", "truncated").await?;
    browser.drop_file("[data-testid=drop-area]", "list.txt", "2 4 1 3\n3 1 4 2").await?;
    browser.wait_for_text("[data-testid=checked]", "Columns: counted from 1").await?;
    browser.wait_for_count("[data-id^=file-]", 1).await
}
