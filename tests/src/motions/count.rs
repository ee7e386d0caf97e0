//! A count in workers of the page, and how quickly it stops.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use queens_core::known::known;

use crate::browser::{Browser, Motion};

/// Pauses the count without waiting for its tasks, and returns the milliseconds from the click to the page's
/// reaction.
const STOP: &str = "
    const view = document.querySelector('#count');
    const from = performance.now();
    const stopped = new Promise((resolve) => new MutationObserver(() => {
        if (view.dataset.phase === 'kept') resolve(performance.now() - from);
        document.querySelector('#stop')?.click();
    }).observe(view, { attributes: true }));
    document.querySelector('#pause').click();
    return stopped;";

/// Counts N = `n` with two workers. Returns the motion, and the seconds that the page reports.
///
/// # Errors
/// Fails if the result is not the published number.
pub async fn count(browser: Browser, n: u32) -> Result<(Motion, f64)> {
    browser.goto(&format!("?view=count&n={n}&count=colours:{n}")).await?;
    browser.wait_for("#begin").await?;
    browser.click("#count-more summary").await?;
    browser.choose("#count-workers", "2").await?;
    let row = format!("#count-lines [data-n='{n}']");
    let motion = browser
        .motion("#count", async {
            browser.click("#begin").await?;
            while browser.count(&row).await? == 0 {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            Ok(())
        })
        .await?;
    let cells = browser.texts(&format!("{row} > *")).await?;
    let total = known(n).context("no published numbers")?.total().to_string();
    ensure!(cells[1].replace(',', "") == total, "the page counted {cells:?}");
    let seconds = browser.attributes(&row, "data-seconds").await?;
    Ok((motion, seconds.first().context("no time")?.parse()?))
}

/// Starts and stops a long count `times` times, and returns the longest time that a stop takes, in
/// milliseconds.
pub async fn stop(browser: Browser, n: u32, times: usize) -> Result<f64> {
    browser.goto(&format!("?view=count&n={n}&count=colours:{n}")).await?;
    let mut slowest: f64 = 0.0;
    for _ in 0..times {
        browser.wait_for("#begin").await?;
        browser.click("#begin").await?;
        let done = async || browser.attributes("#count-now", "data-done").await;
        let is_positive = |done: &Vec<String>| done.first().is_some_and(|done| done != "0");
        browser.wait_until("finished tasks", done, is_positive).await?;
        let milliseconds = browser.script(STOP, &[]).await?;
        slowest = slowest.max(milliseconds.as_f64().context("the script returned no time")?);
        browser.wait_for("#forget").await?;
        browser.click("#forget").await?;
        browser.click("#forget-yes").await?;
    }
    Ok(slowest)
}
