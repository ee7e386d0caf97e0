//! Five hundred results while they are loaded, and while they are sorted.

use anyhow::{Result, ensure};
use queens_tests::browser::{Browser, Motion, traced};
use serde_json::json;

/// So many documents.
const DOCUMENTS: usize = 500;

const EIGHT: &str = include_str!("../../data/results/eight.json");

/// Drops files on the page, and waits until all have a row.
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
    while (!told().includes(count)) await frame();";

/// Sorts by one column after the other, each as soon as the first hundred rows are there again.
const SORT: &str = "
    const rows = () => document.querySelectorAll('[data-id^=file-]').length;
    for (const head of document.querySelectorAll('#results thead button')) {
        head.click();
        await frame();
        while (rows() < 100) await frame();
    }";

/// Measures both.
pub fn measure() -> Result<()> {
    crate::print(&format!("{DOCUMENTS} results are loaded"), &traced(load)?);
    crate::print(&format!("{DOCUMENTS} results are sorted"), &traced(sort)?);
    Ok(())
}

async fn load(browser: Browser) -> Result<Motion> {
    open(&browser).await?;
    let motion = browser.motion("main", run(&browser, LOAD)).await?;
    ensure!(browser.count("[data-id^=file-]").await? > 0, "there are no rows");
    Ok(motion)
}

async fn sort(browser: Browser) -> Result<Motion> {
    open(&browser).await?;
    run(&browser, LOAD).await?;
    browser.motion("main", run(&browser, SORT)).await
}

async fn open(browser: &Browser) -> Result<()> {
    browser.goto("?view=results").await?;
    browser.wait_for("#server[data-state=live]").await.map(drop)
}

async fn run(browser: &Browser, script: &str) -> Result<()> {
    let frame = "const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));";
    let script = format!("return (async (...given) => {{ {frame} {script} }})(...arguments);");
    browser.script(&script, &[json!(EIGHT), json!(DOCUMENTS)]).await.map(drop)
}
