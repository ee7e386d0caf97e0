//! Count: boards counted by the page's workers or its GPU, from the user's point of view.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::{browser_tests, command};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::failures::Site;

pub fn tests() -> Vec<BrowserTest> {
    let with_gpu = browser_tests![
        a_gpu_counts_n_11_and_12,
        cpu_workers_finish_tasks_of_a_failed_gpu,
        detects_a_faulty_gpu
    ];
    let mut tests = browser_tests![
        one_and_two_workers_count_n_12,
        the_page_stays_responsive_and_pauses_a_count_at_once,
        a_second_tab_only_shows_the_count_while_the_first_lives,
        without_locks_a_tab_says_that_another_one_counts,
        states_of_a_count_fit_and_are_accessible,
    ];
    tests.extend(with_gpu.into_iter().map(BrowserTest::with_gpu));
    tests.into_iter().map(BrowserTest::on_static_site).collect()
}

/// Opens the view for counting a board with the colour join.
async fn open(browser: &Browser, n: u32) -> Result<()> {
    browser.goto(&format!("?view=count&n={n}&count=colours:{n}")).await?;
    browser.wait_for("#begin").await.map(drop)
}

/// Waits for the finished row of a board and returns its cells without the growth, which depends on other rows.
async fn finished_row(browser: &Browser, n: u32) -> Result<Vec<String>> {
    let row = format!("#count-lines [data-n='{n}']");
    // N = 15 takes seconds, and longer on a busy machine.
    let end = Instant::now() + Duration::from_secs(300);
    while browser.count(&row).await? == 0 && Instant::now() < end {
        sleep(Duration::from_millis(50)).await;
    }
    browser.wait_for(&row).await?;
    let mut cells = browser.texts(&format!("{row} > *")).await?;
    cells.remove(2);
    Ok(cells)
}

/// Returns a number of tasks in the current row; `name` is `begun`, `done` or, for all tasks, `tasks`.
async fn task_count(browser: &Browser, name: &str) -> Result<u32> {
    let values = browser.attributes("#count-now", &format!("data-{name}")).await?;
    Ok(values.first().map_or(0, |value| value.parse().unwrap_or(0)))
}

/// Starts a count and waits until at least `least` tasks are done.
async fn begin(browser: &Browser, least: u32) -> Result<()> {
    browser.click("#begin").await?;
    let done = async || task_count(browser, "done").await;
    browser.wait_until("finished tasks", done, |&done| done >= least).await.map(drop)
}

/// Clicks a button that deletes the count, and confirms it.
async fn discard(browser: &Browser, button: &str) -> Result<()> {
    browser.click(button).await?;
    browser.click(&format!("{button}-yes")).await
}

/// Deletes the finished rows by the table's menu.
async fn delete_table(browser: &Browser) -> Result<()> {
    browser.click("#count-menu").await?;
    discard(browser, "#remove").await
}

/// Pauses the count and waits until its running tasks are finished.
async fn pause(browser: &Browser) -> Result<()> {
    browser.click("#pause").await?;
    wait_for_phase(browser, "kept").await
}

async fn wait_for_phase(browser: &Browser, phase: &str) -> Result<()> {
    browser.wait_for(&format!("#count[data-phase={phase}]")).await.map(drop)
}

/// The result document of the last row, as saved by the page.
async fn document(browser: &Browser) -> Result<Value> {
    crate::catch_saved(browser).await?;
    browser.click("#count-menu").await?;
    browser.wait_for("#count-commands:popover-open").await?;
    browser.click("#save-last").await?;
    Ok(serde_json::from_str(&crate::saved(browser).await?)?)
}

/// Fails unless `queens verify` accepts a document.
async fn verify(document: &Value) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("saved.json");
    fs::write(&path, document.to_string())?;
    let path = path.to_str().context("the path is not UTF-8")?.to_owned();
    let output = tokio::task::spawn_blocking(move || command::run(&["verify", &path])).await??;
    let printed = [&output.stdout[..], &output.stderr].concat();
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&printed));
    Ok(())
}

async fn one_and_two_workers_count_n_12(browser: Browser) -> Result<()> {
    open(&browser, 12).await?;
    // This browser has no GPU; the page says so only once the GPU is chosen.
    assert_eq!(browser.count("#webgpu").await?, 0);
    browser.click("#count-more summary").await?;
    browser.choose("#count-place", "webgpu").await?;
    browser.wait_for_text("#webgpu", "so counting runs on CPU workers").await?;
    browser.choose("#count-place", "workers").await?;
    browser.wait_for_count("#webgpu", 0).await?;
    for workers in ["1", "2"] {
        open(&browser, 12).await?;
        browser.click("#count-more summary").await?;
        browser.choose("#count-workers", workers).await?;
        browser.click("#begin").await?;
        let cells = finished_row(&browser, 12).await?;
        assert_eq!(cells[..3], ["12", "14,200", "1,787"]);
        assert!(cells[3].ends_with('s'), "{}", cells[3]);
        assert!(cells[4].contains("Colour join"), "{cells:?}");
        browser.wait_for_text("#count-total .large-number", "14,200").await?;
        browser.wait_for_text("#count-total .passed", "equals the published number").await?;
        let document = document(&browser).await?;
        assert_eq!(document["total"], "14200");
        assert_eq!(document["backend"]["kind"], "wasm");
        assert_eq!(document["host"]["threads"].to_string(), workers);
        assert_eq!(document["checks"], json!(["sums", "divisibility", "known"]));
        verify(&document).await?;
        delete_table(&browser).await?;
        browser.wait_for_count("#count-lines", 0).await?;
    }
    Ok(())
}

/// Selects the GPU once the browser has found it.
async fn choose_gpu(browser: &Browser) -> Result<()> {
    browser.click("#count-more summary").await?;
    browser.choose("#count-place", "webgpu").await?;
    browser.wait_for_count("#count-workers", 0).await
}

async fn a_gpu_counts_n_11_and_12(browser: Browser) -> Result<()> {
    open(&browser, 12).await?;
    let fetched = "return performance.getEntriesByType('resource').map(({ name }) => name).join()";
    choose_gpu(&browser).await?;
    browser.wait_for_text("#webgpu", "GPU available").await?;
    // GPUs support two methods, and no very small boards.
    assert_eq!(browser.texts("#count-method option").await?.len(), 2);
    assert_eq!(browser.texts("#count-from option").await?[0], "4");
    browser.choose("#count-from", "11").await?;
    browser.screenshot("count-webgpu-choice").await?;
    browser.click("#begin").await?;
    let cells = finished_row(&browser, 12).await?;
    assert_eq!(cells[..3], ["12", "14,200", "1,787"]);
    assert_eq!(finished_row(&browser, 11).await?[1..3], ["2,680", "341"]);
    let counted = document(&browser).await?;
    assert_eq!((&counted["n"], &counted["total"]), (&json!(12), &json!("14200")));
    assert_eq!(counted["method"], "colours");
    assert_eq!(counted["backend"]["kind"], "webgpu");
    assert!(counted["backend"]["device"].as_str().is_some_and(|name| name.contains("wift")));
    verify(&counted).await?;
    // The page itself has not loaded any code for GPUs.
    let fetched = browser.script(fetched, &[]).await?;
    assert!(!fetched.as_str().context("no names")?.contains("gpu"), "{fetched}");
    open(&browser, 10).await?;
    choose_gpu(&browser).await?;
    browser.choose("#count-method", "symmetry").await?;
    browser.choose("#count-from", "10").await?;
    browser.click("#begin").await?;
    assert_eq!(finished_row(&browser, 10).await?[1..3], ["724", "92"]);
    Ok(())
}

async fn cpu_workers_finish_tasks_of_a_failed_gpu(browser: Browser) -> Result<()> {
    open(&browser, 15).await?;
    choose_gpu(&browser).await?;
    browser.choose("#count-method", "symmetry").await?;
    begin(&browser, 1).await?;
    browser.devtools("Browser.crashGpuProcess", json!({})).await?;
    browser.wait_for_text("#count-trouble", "The GPU failed").await?;
    wait_for_phase(&browser, "kept").await?;
    let done = task_count(&browser, "done").await?;
    assert!(done > 0 && done < task_count(&browser, "tasks").await?, "{done}");
    browser.wait_for_text("#webgpu", "cannot be used").await?;
    browser.assert_accessible().await?;
    browser.screenshot("count-webgpu-broken").await?;
    browser.click("#go-on").await?;
    let cells = finished_row(&browser, 15).await?;
    assert_eq!(cells[..3], ["15", "2,279,184", "285,053"]);
    let document = document(&browser).await?;
    assert_eq!(document["backend"]["kind"], "wasm");
    assert!(document["backend"]["detail"].as_str().is_some_and(|detail| detail.contains("GPU")));
    verify(&document).await?;
    // The browser reports the crash.
    browser.console().await.map(drop)
}

/// Code that runs before the script of the GPU worker. It changes one of the eight words of each
/// tally that is read.
const WRONG: &str = "\
const read = GPUBuffer.prototype.getMappedRange;
GPUBuffer.prototype.getMappedRange = function (...range) {
    const bytes = read.apply(this, range);
    const words = new Uint32Array(bytes);
    for (let word = 6; word < words.length; word += 8) words[word] += 1;
    return bytes;
};
";

async fn detects_a_faulty_gpu(browser: Browser) -> Result<()> {
    let site = Site::with_code("gpu.js", WRONG)?;
    site.open(&browser, "?view=count&n=11&count=colours:11").await?;
    browser.wait_for("#begin").await?;
    choose_gpu(&browser).await?;
    browser.choose("#count-method", "symmetry").await?;
    browser.click("#begin").await?;
    browser.wait_for_text("#count-trouble", "The GPU gave a wrong result: ").await?;
    let message = browser.text("#count-trouble").await?;
    let found = message.split_once("result: ").and_then(|(_, rest)| {
        let (counted, rest) = rest.split_once(" solutions for task ")?;
        let (_, rest) = rest.split_once(", where the CPU finds ")?;
        Some((counted.to_owned(), rest.split_once(". ")?.0.to_owned()))
    });
    let (counted, expected) = found.with_context(|| message.clone())?;
    // One class of eight too many.
    let number = |text: &str| text.replace(',', "").parse::<u64>();
    assert_eq!(number(&counted)?, number(&expected)? + 8, "{message}");
    wait_for_phase(&browser, "kept").await?;
    assert_eq!(task_count(&browser, "done").await?, 0);
    browser.wait_for_text("#webgpu", "The GPU gave wrong results").await?;
    browser.assert_accessible().await?;
    browser.screenshot("count-webgpu-wrong").await?;
    browser.click("#go-on").await?;
    assert_eq!(finished_row(&browser, 11).await?[..3], ["11", "2,680", "341"]);
    assert_eq!(document(&browser).await?["backend"]["kind"], "wasm");
    Ok(())
}

async fn the_page_stays_responsive_and_pauses_a_count_at_once(browser: Browser) -> Result<()> {
    let asks = async || {
        let leave = "return !dispatchEvent(new Event('beforeunload', { cancelable: true }));";
        browser.script(leave, &[]).await
    };
    open(&browser, 21).await?;
    assert_eq!(browser.count("#begin:focus").await?, 0);
    assert_eq!(asks().await?, false);
    begin(&browser, 1).await?;
    assert_eq!(asks().await?, true);
    let seen = browser
        .script(
            "let long = 0, changes = 0;
             const tasks = new PerformanceObserver((list) => {
                 for (const task of list.getEntries()) long = Math.max(long, task.duration);
             });
             tasks.observe({ type: 'longtask' });
             const now = document.querySelector('#count-now');
             new MutationObserver(() => changes++)
                 .observe(now, { subtree: true, childList: true, characterData: true });
             return new Promise((resolve) => setTimeout(() => resolve([long, changes]), 2000));",
            &[],
        )
        .await?;
    let [longest, changes]: [f64; 2] = serde_json::from_value(seen)?;
    println!("longest task of the main thread: {longest} ms; painted {} times/s", changes / 2.0);
    // On an idle machine, tens of milliseconds and dozens of changes are usual.
    assert!(longest < 2000.0, "{longest} ms");
    assert!(changes >= 2.0, "{changes} changes in 2 s");

    // The count continues while other views are open.
    browser.click("#view-learn").await?;
    browser.wait_for(".explanation").await?;
    assert_eq!(asks().await?, true);
    browser.click("#view-count").await?;
    let done = task_count(&browser, "done").await?;
    let more = async || task_count(&browser, "done").await;
    browser.wait_until("more tasks", more, |&more| more > done).await?;

    // Measure the time from the click to the page's reaction, on the page's clock.
    browser.focus("#pause").await?;
    let milliseconds = browser
        .script(
            "const view = document.querySelector('#count');
             const from = performance.now();
             const place = document.querySelector('#pause').getBoundingClientRect();
             const stopped = new Promise((resolve, reject) => new MutationObserver(() => {
                 const now = document.elementFromPoint(place.x + 9, place.y + 9);
                 if (now?.id !== 'go-on') reject(`a second click would hit ${now?.id}`);
                 if (view.dataset.phase === 'kept') resolve(performance.now() - from);
                 document.querySelector('#stop')?.click();
             }).observe(view, { attributes: true }));
             document.querySelector('#pause').click();
             return stopped;",
            &[],
        )
        .await?;
    println!("paused after {milliseconds} ms");
    // Some tens of milliseconds are usual.
    assert!(milliseconds.as_f64().context("no time")? < 10_000.0, "{milliseconds} ms");
    let done = task_count(&browser, "done").await?;
    assert!(done >= 1, "{done}");
    // A pause stops the clock.
    let facts = browser.text("#count-now").await?;
    sleep(Duration::from_millis(1200)).await;
    assert_eq!(browser.text("#count-now").await?, facts);
    assert_eq!(
        (task_count(&browser, "begun").await?, task_count(&browser, "done").await?),
        (done, done)
    );
    assert_eq!(asks().await?, false);
    browser.wait_for_text("#count-status", "Paused.").await?;
    // The focus is on the button for resuming.
    browser.wait_for("#go-on:focus").await?;
    browser.tab_to("#forget").await?;
    browser.press(Key::Enter).await?;
    // The question appears with the focus on the answer that deletes nothing.
    browser.wait_for("#forget-no:focus").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#forget:focus").await?;
    wait_for_phase(&browser, "kept").await?;
    discard(&browser, "#forget").await?;
    wait_for_phase(&browser, "idle").await?;
    assert_eq!(browser.count("#count-now").await?, 0);
    Ok(())
}

async fn a_second_tab_only_shows_the_count_while_the_first_lives(browser: Browser) -> Result<()> {
    open(&browser, 21).await?;
    let notice = "document.addEventListener('visibilitychange', () => {
        if (document.hidden) window.wasHidden = document.querySelector('#count-now').dataset.done;
    });";
    browser.script(notice, &[]).await?;
    begin(&browser, 1).await?;
    let client = browser.client();
    let first = client.window().await?;
    let second = client.new_window(true).await?.handle;
    client.switch_to_window(second.clone()).await?;
    browser.goto("?view=count&n=8").await?;
    wait_for_phase(&browser, "elsewhere").await?;
    browser.wait_for_text("#count-status", "another tab").await?;
    assert_eq!(browser.count("#begin, #go-on, #forget, #remove").await?, 0);
    client.switch_to_window(first).await?;
    wait_for_phase(&browser, "running").await?;
    // The count continued in the background.
    let before = browser.script("return Number(window.wasHidden)", &[]).await?;
    let before = before.as_u64().context("the tab was in the background")?;
    let done = task_count(&browser, "done").await?;
    assert!(u64::from(done) > before, "{done} tasks, {before} when it went to the background");
    pause(&browser).await?;
    // The other tab shows the saved progress once the first one is closed.
    client.close_window().await?;
    client.switch_to_window(second).await?;
    wait_for_phase(&browser, "kept").await?;
    assert!(task_count(&browser, "done").await? >= done);
    discard(&browser, "#forget").await?;
    wait_for_phase(&browser, "idle").await
}

async fn without_locks_a_tab_says_that_another_one_counts(browser: Browser) -> Result<()> {
    let no_locks = "Object.defineProperty(navigator, 'locks', { value: undefined });";
    let site = Site::with_code("worker.js", no_locks)?;
    let client = browser.client();
    let first = client.window().await?;
    let second = client.new_window(true).await?.handle;
    for tab in [&first, &second] {
        client.switch_to_window(tab.clone()).await?;
        site.open(&browser, "?view=count&n=21&count=colours:21").await?;
        browser.wait_for("#begin").await?;
    }
    begin(&browser, 1).await?;
    client.switch_to_window(first).await?;
    browser.wait_for_text("#count-trouble", "Another tab of this browser is counting").await
}

/// Visits the states of a count in windows of three widths, and at last its result. Each must fit the width, and
/// axe-core must find no fault. Also takes screenshots. The page is in Japanese; the tests above visit the states in
/// English.
async fn states_of_a_count_fit_and_are_accessible(browser: Browser) -> Result<()> {
    browser.set_preferences(true, true).await?;
    browser.goto("?view=count&lang=ja").await?;
    browser.wait_for("#begin").await?;
    check_at_all_widths(&browser, "choice").await?;
    browser.goto("?view=count&n=21&count=colours:21&lang=ja").await?;
    browser.wait_for("#begin").await?;
    begin(&browser, 3).await?;
    pause(&browser).await?;
    check_at_all_widths(&browser, "kept").await?;
    discard(&browser, "#forget").await?;
    browser.wait_for("#begin").await?;
    // Two boards that take long enough to be in the chart.
    browser.goto("?view=count&count=symmetry:14:15&lang=ja").await?;
    browser.wait_for("#begin").await?;
    browser.click("#begin").await?;
    finished_row(&browser, 15).await?;
    // A finished table is stored.
    browser.client().refresh().await?;
    finished_row(&browser, 15).await?;
    check_at_all_widths(&browser, "lines").await?;
    // The chart follows the window.
    let width = async || {
        let width = "return document.querySelector('#count-chart').viewBox.baseVal.width;";
        browser.script(width, &[]).await
    };
    let is_narrow = |width: &Value| width.as_f64().is_some_and(|width| width < 375.0);
    browser.wait_until("a narrow chart", width, is_narrow).await?;
    browser.set_size(1440, 900).await?;
    browser.wait_until("a wide chart", width, |width| *width == 1280).await?;
    browser.click("#to-results").await?;
    browser.click("[data-testid=result][data-n='15'] a").await?;
    browser.wait_for_text("[data-testid=detail] h2", "2,279,184").await
}

async fn check_at_all_widths(browser: &Browser, state: &str) -> Result<()> {
    for (width, height) in [(1440, 900), (768, 1024), (375, 812)] {
        browser.set_size(width, height).await?;
        browser.assert_fits_the_width().await?;
        browser.assert_accessible().await.with_context(|| format!("{state} at {width}"))?;
        browser.screenshot(&format!("count-{state}-{width}")).await?;
    }
    Ok(())
}
