//! Many results while they are loaded, and while they are sorted.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::browser::{Browser, Motion};

const EIGHT: &str = include_str!("../../data/results/eight.json");

/// Drops files on the page, and waits until all have a row. The server may have others.
const LOAD: &str = "
    const [text, count] = given;
    const files = new DataTransfer();
    for (let number = 0; number < count; number++) {
        const changed = text.replace('\"seconds\": 0.25', `\"seconds\": 0.${250 + number}`);
        files.items.add(new File([changed], `${number}.json`, { type: 'application/json' }));
    }
    document.querySelector('[data-testid=drop-area]').dispatchEvent(
        new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    const told = () => document.querySelector('#all-rows')?.textContent ?? '';
    while (Number(told().replace(/[^0-9]/g, '')) < count) await frame();";

/// Sorts by one column after the other, each as soon as the first hundred rows are there again.
const SORT: &str = "
    const count = given[1];
    const rows = () => document.querySelectorAll('[data-id^=file-]').length;
    for (const head of document.querySelectorAll('#results thead button')) {
        head.click();
        await frame();
        while (rows() < Math.min(count, 100)) await frame();
    }";

/// So many results are loaded.
///
/// # Errors
/// If there are no rows then.
pub async fn load(browser: Browser, documents: usize) -> Result<Motion> {
    open(&browser).await?;
    let motion = browser.motion("main", run(&browser, LOAD, documents)).await?;
    ensure!(browser.count("[data-id^=file-]").await? > 0, "there are no rows");
    Ok(motion)
}

/// So many results are sorted.
///
/// # Errors
/// If the browser cannot be driven, or loses its trace.
pub async fn sort(browser: Browser, documents: usize) -> Result<Motion> {
    open(&browser).await?;
    run(&browser, LOAD, documents).await?;
    browser.motion("main", run(&browser, SORT, documents)).await
}

async fn open(browser: &Browser) -> Result<()> {
    browser.goto("?view=results").await?;
    browser.wait_for("#server[data-state=live]").await.map(drop)
}

async fn run(browser: &Browser, script: &str, documents: usize) -> Result<()> {
    let frame = "const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));";
    let script = format!("return (async (...given) => {{ {frame} {script} }})(...arguments);");
    browser.script(&script, &[json!(EIGHT), json!(documents)]).await.map(drop)
}
