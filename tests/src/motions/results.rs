//! Many results while they are loaded, and while they are sorted; one with as many tasks as there can be.

use anyhow::{Context, Result, ensure};
use queens_core::{Plan, known::known};
use serde_json::{Value, json};

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

/// Sorts by one column after the other, each as soon as the first hundred rows are there again; some may
/// be of the server.
const SORT: &str = "
    const count = given[1];
    const rows = () => document.querySelectorAll('[data-testid=result]').length;
    for (const head of document.querySelectorAll('#results thead button')) {
        head.click();
        await frame();
        while (rows() < Math.min(count, 100)) await frame();
    }";

/// Drops a file on the page, and opens it as soon as it has a row.
const OPEN: &str = "
    const files = new DataTransfer();
    files.items.add(new File([given[0]], 'largest.json', { type: 'application/json' }));
    const main = document.querySelector('main');
    // The picture from which on is measured, and the last one.
    main.dataset.measured = '';
    await frame();
    await frame();
    document.querySelector('[data-testid=drop-area]').dispatchEvent(
        new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    while (!document.querySelector('[data-id^=file-] a')) await frame();
    document.querySelector('[data-id^=file-] a').click();
    while (!document.querySelector('.task-map')) await frame();
    delete main.dataset.measured;
    await frame();
    await frame();";

/// The document of a count with as many tasks as there can be, and with all that can be known of each.
///
/// # Errors
/// If the numbers of the board are not known.
pub fn largest() -> Result<String> {
    const TASKS: u64 = Plan::MAX_TASKS as u64;
    let numbers = known(20).context("known")?;
    let classes = numbers.classes().context("classes")?;
    let task = |id: u64| {
        let total = numbers.total() / TASKS + if id == 0 { numbers.total() % TASKS } else { 0 };
        json!({ "id": id, "total": total.to_string(), "seconds": 1234.567, "sets": 1000,
            "weight": 4000, "chosen": "1234567890" })
    };
    let mut document: Value = serde_json::from_str(EIGHT)?;
    for (name, value) in [
        ("n", json!(20)),
        ("total", json!(numbers.total().to_string())),
        ("unique", json!(numbers.unique().to_string())),
        ("count2", json!(classes.count2.to_string())),
        ("count4", json!(classes.count4.to_string())),
        ("count8", json!(classes.count8.to_string())),
        ("method", json!("bitmap")),
        // No program knows this one.
        ("plan", json!({ "version": 1_000_000, "tasks": TASKS })),
        ("seconds", json!(1e6)),
        ("tasks", (0..TASKS).map(task).collect()),
    ] {
        document[name] = value;
    }
    Ok(document.to_string())
}

/// The [largest] document is loaded and opened.
///
/// # Errors
/// If the browser cannot be driven, or loses its trace.
pub async fn open_largest(browser: Browser) -> Result<Motion> {
    open(&browser).await?;
    let text = largest()?;
    let motion = browser.motion("main", run(&browser, OPEN, &[json!(text)])).await?;
    ensure!(browser.count("[data-testid=contradictions]").await? == 0, "it is a good document");
    Ok(motion)
}

/// So many results are loaded.
///
/// # Errors
/// If there are no rows then.
pub async fn load(browser: Browser, documents: usize) -> Result<Motion> {
    open(&browser).await?;
    let given = [json!(EIGHT), json!(documents)];
    let motion = browser.motion("main", run(&browser, LOAD, &given)).await?;
    ensure!(browser.count("[data-id^=file-]").await? > 0, "there are no rows");
    Ok(motion)
}

/// So many results are sorted.
///
/// # Errors
/// If the browser cannot be driven, or loses its trace.
pub async fn sort(browser: Browser, documents: usize) -> Result<Motion> {
    open(&browser).await?;
    let given = [json!(EIGHT), json!(documents)];
    run(&browser, LOAD, &given).await?;
    browser.motion("main", run(&browser, SORT, &given)).await
}

async fn open(browser: &Browser) -> Result<()> {
    browser.goto("?view=results").await?;
    browser.wait_for("#server[data-state=live]").await.map(drop)
}

async fn run(browser: &Browser, script: &str, given: &[Value]) -> Result<()> {
    let frame = "const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));";
    let script = format!("return (async (...given) => {{ {frame} {script} }})(...arguments);");
    browser.script(&script, given).await.map(drop)
}
