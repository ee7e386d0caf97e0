//! Count: boards counted by the page's workers.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use queens_tests::facts::grouped;
use serde_json::Value;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![a_reload_resumes_a_count, counts_agree_with_the_published_numbers]
}

async fn counts_agree_with_the_published_numbers(browser: Browser) -> Result<()> {
    let known: Value = serde_json::from_str(include_str!("../../data/known-counts.json"))?;
    let known = known["counts"].as_array().context("no counts")?;
    browser.goto("?view=count&n=12&count=colours:8").await?;
    browser.click("#begin").await?;
    for n in 8..=12 {
        let row = format!("#count-lines [data-n='{n}']");
        browser.wait_for(&row).await?;
        let cells = browser.texts(&format!("{row} > *")).await?;
        let line = known.iter().find(|line| line["n"] == n).context("N is not in the table")?;
        for (cell, name) in [(1, "total"), (3, "unique")] {
            let number = line[name].as_str().context("no number")?.parse()?;
            ensure!(cells[cell] == grouped(number), "N = {n}: {cells:?} instead of {line}");
        }
    }
    Ok(())
}

/// The number of finished tasks in the current row.
async fn done(browser: &Browser) -> Result<u32> {
    let done = browser.attributes("#count-now", "data-done").await?;
    Ok(done.first().map_or(0, |done| done.parse().unwrap_or(0)))
}

async fn a_reload_resumes_a_count(browser: Browser) -> Result<()> {
    browser.goto("?view=count&n=21&count=colours:21").await?;
    browser.click("#begin").await?;
    browser.wait_until("finished tasks", || done(&browser), |&done| done >= 3).await?;
    // The count is saved every two seconds.
    tokio::time::sleep(Duration::from_millis(2500)).await;
    browser.client().refresh().await?;
    browser.wait_for("#count[data-phase=kept]").await?;
    let kept = done(&browser).await?;
    ensure!(kept >= 3, "{kept} tasks were saved");
    browser.click("#go-on").await?;
    browser.wait_until("more tasks", || done(&browser), |&done| done > kept).await?;
    browser.click("#pause").await?;
    browser.wait_for("#count[data-phase=kept]").await.map(drop)
}
