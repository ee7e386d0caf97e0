//! Measures how smoothly the page loads, sorts and compares many results, and opens a result with
//! the largest number of tasks.

use anyhow::{Context, Result, ensure};
use queens_core::{Method, Plan, Size, known::known};
use serde_json::{Value, json};

use crate::browser::{Browser, Motion};
use crate::command;

const EIGHT: &str = include_str!("../../data/results/eight.json");

/// Creates the files that [`DROP`] drops. Passing them to the browser is a long task of its own.
const CREATE: &str = "
    const [texts] = given;
    window.created = new DataTransfer();
    for (const [number, text] of texts.entries()) {
        created.items.add(new File([text], `${number}.json`, { type: 'application/json' }));
    }";

/// Drops the created files on the page and waits until each has a row. The server may hold further results.
const DROP: &str = "
    const count = created.files.length;
    document.querySelector('[data-testid=drop-area]').dispatchEvent(
        new DragEvent('drop', { dataTransfer: created, bubbles: true, cancelable: true }));
    const rows = () => {
        // The last number of '1 to 100 of 120'; a single page has no such text.
        const shown = document.querySelector('.pager [role=status]')?.textContent.match(/[0-9,]+/g);
        return shown ? Number(shown.pop().replaceAll(',', ''))
            : document.querySelectorAll('[data-testid=result]').length;
    };
    while (rows() < count) await frame();";

/// Sorts by one column after another, and waits each time until the first hundred rows are shown.
/// Some of the rows may come from the server.
const SORT: &str = "
    const count = created.files.length;
    const rows = () => document.querySelectorAll('[data-testid=result]').length;
    for (const head of document.querySelectorAll('#results thead button')) {
        head.click();
        await frame();
        while (rows() < Math.min(count, 100)) await frame();
    }";

/// Scrolls through the page, chooses and removes each filter, shows and hides the published
/// figures in the chart, and then shows the other pages. Each change is on the screen before the next one.
const COMPARE: &str = "
    const root = document.scrollingElement;
    for (let top = 0; top < root.scrollHeight; top += 300) {
        scrollTo(0, top);
        await frame();
    }
    const choose = async (id, value) => {
        const select = document.getElementById(id);
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
        for (let frames = 0; frames < 10; frames++) await frame();
    };
    for (const filter of ['only-n', 'only-method', 'only-machine']) {
        const options = [...document.querySelectorAll(`#${filter} option`)];
        for (const { value } of options.slice(1, 4)) await choose(filter, value);
        await choose(filter, '');
    }
    for (let times = 0; times < 2; times++) {
        document.getElementById('published').click();
        for (let frames = 0; frames < 10; frames++) await frame();
    }
    const rows = () => document.querySelectorAll('[data-testid=result]').length;
    for (let rest = created.files.length - 100; rest > 0; rest -= 100) {
        document.getElementById('results-next').click();
        await frame();
        while (rows() < Math.min(rest, 100)) await frame();
    }";

/// The number of the chart's marks over which the pointer is moved.
const MARKS_TO_POINT_AT: usize = 20;

/// Drops a file on the page and opens it as soon as it has a row.
const OPEN: &str = "
    const files = new DataTransfer();
    files.items.add(new File([given[0]], 'largest.json', { type: 'application/json' }));
    const main = document.querySelector('main');
    // Changing this attribute marks the first and the last frame of the measurement.
    main.dataset.measured = '';
    await frame();
    await frame();
    document.querySelector('[data-testid=drop-area]').dispatchEvent(
        new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    while (!document.querySelector('[data-id^=file-] a')) await frame();
    document.querySelector('[data-id^=file-] a').click();
    while (!document.querySelector('#task-table')) await frame();
    delete main.dataset.measured;
    await frame();
    await frame();";

/// Returns the document of a count with almost the largest number of tasks. Each task has all optional
/// fields that it can have.
pub fn largest() -> Result<String> {
    const N: u32 = 27;
    let plan = Plan::new(Size::new(N)?, Method::Colours);
    let tasks = plan.len() as u64;
    let numbers = known(N).context("no published numbers")?;
    let classes = numbers.classes().context("no published classes")?;
    // Totals are even, because each solution has a mirror image.
    let each = numbers.total() / tasks / 2 * 2;
    let task = |id: usize| {
        let total = each + if id == 0 { numbers.total() - each * tasks } else { 0 };
        let mut task = json!({ "id": id, "total": total.to_string(), "seconds": 1234.567 });
        if let Some(covered) = plan.expected_coverage(id) {
            task["sets"] = covered.sets.into();
            task["weight"] = covered.weight.into();
            if covered.sets > 1 {
                task["chosen"] = "1234567".into();
            }
        }
        task
    };
    let mut document: Value = serde_json::from_str(EIGHT)?;
    for (name, value) in [
        ("n", json!(N)),
        ("total", json!(numbers.total().to_string())),
        ("unique", json!(numbers.unique().to_string())),
        ("count2", json!(classes.count2.to_string())),
        ("count4", json!(classes.count4.to_string())),
        ("count8", json!(classes.count8.to_string())),
        ("method", json!("colours")),
        ("form", json!("recursive")),
        ("plan", json!({ "version": Plan::VERSION, "tasks": tasks })),
        ("seconds", json!(1e6)),
        ("tasks", (0..plan.len()).map(task).collect()),
    ] {
        document[name] = value;
    }
    Ok(document.to_string())
}

/// Loads and opens the [largest] document.
pub async fn open_largest(browser: Browser) -> Result<Motion> {
    open(&browser).await?;
    let text = largest()?;
    let motion = browser.motion("main", run(&browser, OPEN, &[json!(text)])).await?;
    ensure!(
        browser.count("[data-testid=contradictions]").await? == 0,
        "the page reports contradictions in a consistent document"
    );
    Ok(motion)
}

/// Returns documents of different boards, methods and machines. Their chart has a line for each
/// method and machine.
pub fn documents(count: usize) -> Result<Value> {
    const METHODS: [&str; 4] = ["bitmap", "mirror", "symmetry", "colours"];
    const SIZES: [&str; 5] = ["6", "7", "8", "9", "10"];
    let mut counted = Vec::new();
    for method in METHODS {
        for n in SIZES {
            let arguments = ["count", n, "--method", method, "--json", "--quiet", "--no-journal"];
            let document: Value = serde_json::from_slice(&command::run(&arguments)?.stdout)?;
            counted.push(document);
        }
    }
    let all = counted.iter().cycle().take(count).enumerate().map(|(number, document)| {
        let mut document = document.clone();
        let machine = format!("Processor {}", number / counted.len());
        document["backend"]["device"] = json!(machine);
        document["host"]["cpu"] = json!(machine);
        // The time grows with N, and no two documents are equal.
        let n = document["n"].as_i64().unwrap_or_default() as i32;
        document["seconds"] = json!(7_f64.powi(n - 9) + number as f64 / 1e3);
        document.to_string()
    });
    Ok(all.collect())
}

/// Loads `count` results.
pub async fn load(browser: Browser, count: usize) -> Result<Motion> {
    open(&browser).await?;
    run(&browser, CREATE, &[documents(count)?]).await?;
    let motion = browser.motion("main", run(&browser, DROP, &[])).await?;
    ensure!(browser.count("[data-id^=file-]").await? > 0, "no file has a row");
    Ok(motion)
}

/// Loads `count` results and then sorts them; only sorting is measured.
pub async fn sort(browser: Browser, count: usize) -> Result<Motion> {
    open(&browser).await?;
    run(&browser, CREATE, &[documents(count)?]).await?;
    run(&browser, DROP, &[]).await?;
    browser.motion("main", run(&browser, SORT, &[])).await
}

/// Loads `count` results, then scrolls, filters and compares them, and points at marks of the chart. Loading
/// is not measured.
pub async fn compare(browser: Browser, count: usize) -> Result<Motion> {
    open(&browser).await?;
    run(&browser, CREATE, &[documents(count)?]).await?;
    run(&browser, DROP, &[]).await?;
    browser.motion("main", use_chart(&browser)).await
}

/// Returns the longest tasks of the main thread in milliseconds: while `count` results are loaded, and
/// while they are compared. The files are passed to the browser before. A task of less than 50 ms counts as 0. The browser itself
/// measures them, because a trace of so many changes would be incomplete.
pub async fn longest_tasks(browser: &Browser, count: usize) -> Result<[f64; 2]> {
    open(browser).await?;
    run(browser, CREATE, &[documents(count)?]).await?;
    browser.settle().await?;
    let observe = "window.longest = 0;
        new PerformanceObserver((list) => {
            for (const { duration } of list.getEntries()) {
                window.longest = Math.max(window.longest, duration);
            }
        }).observe({ type: 'longtask' });";
    browser.script(observe, &[]).await?;
    let take = "const { longest } = window; window.longest = 0; return longest;";
    run(browser, DROP, &[]).await?;
    browser.settle().await?;
    let loading = browser.script(take, &[]).await?;
    use_chart(browser).await?;
    browser.settle().await?;
    let comparing = browser.script(take, &[]).await?;
    let milliseconds = |longest: Value| longest.as_f64().context("no duration");
    Ok([milliseconds(loading)?, milliseconds(comparing)?])
}

async fn use_chart(browser: &Browser) -> Result<()> {
    run(browser, COMPARE, &[]).await?;
    for mark in 0..MARKS_TO_POINT_AT {
        let place = browser
            .script(
                "const marks = document.querySelectorAll('.chart-picture .line path');
                 const mark = marks[arguments[0] % marks.length];
                 mark.scrollIntoView({ block: 'center' });
                 const { x, y, width, height } = mark.getBoundingClientRect();
                 return { x: x + width / 2, y: y + height / 2 };",
                &[json!(mark * 7)],
            )
            .await?;
        let moved = json!({ "type": "mouseMoved", "x": place["x"], "y": place["y"] });
        browser.devtools("Input.dispatchMouseEvent", moved).await?;
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::document::Document;

    #[test]
    fn the_largest_document_is_consistent() {
        let document = Document::parse(&largest().unwrap()).unwrap();
        assert_eq!(document.contradictions(), []);
    }
}
