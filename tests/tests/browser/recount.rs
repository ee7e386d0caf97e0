//! Results: recounts tasks of a document, reports mismatches, and stops.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;
use tokio::time::sleep;

use crate::charts::{counted, load, open};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![a_recount_detects_a_manipulated_document, stopping_a_recount_stops_all_tasks,]
}

async fn a_recount_detects_a_manipulated_document(browser: Browser) -> Result<()> {
    open(&browser, "&only-n=10").await?;
    let mut document = counted("10", "bitmap", 1.0).await?;
    // One task has one solution too many and another one too few, so no sum shows it.
    let tasks = document["tasks"].as_array_mut().context("no tasks")?;
    for (task, change) in [(3_usize, 1_i64), (9, -1)] {
        let total: i64 = tasks[task]["total"].as_str().context("no total")?.parse()?;
        ensure!(total + change >= 0, "task {task} has no solution");
        tasks[task]["total"] = json!((total + change).to_string());
    }
    load(&browser, &[("wrong.json".to_owned(), document.to_string())]).await?;
    browser.wait_for_count("[data-id^=file-]", 1).await?;
    assert_eq!(browser.count(".contradictory").await?, 0);
    browser.click(&format!("{} a", crate::file_row("wrong.json"))).await?;
    browser.click("#again-all").await?;
    browser.wait_for_text("#again-said[data-state=done]", "2 do not agree").await?;
    let shown = browser.texts("#again-said li").await?;
    assert!(shown[0].starts_with("task 3:") && shown[1].starts_with("task 9:"), "{shown:?}");
    browser.whole_screenshot("tasks-doctored").await.map(drop)
}

/// Counts all messages of the page's workers in `window.received`, including those that the page
/// ignores.
async fn count_worker_messages(browser: &Browser) -> Result<()> {
    let source = "window.received = 0;
        window.Worker = class extends Worker {
            constructor(...all) {
                super(...all);
                this.addEventListener('message', () => window.received++);
            }
        };";
    browser.add_script(source).await.map(drop)
}

async fn received(browser: &Browser) -> Result<u64> {
    browser.script("return window.received", &[]).await?.as_u64().context("no number")
}

/// The number of tasks that the page reports as recounted.
async fn recounted(browser: &Browser) -> Result<u64> {
    let text = browser.texts("#again-said p").await?;
    let number =
        |line: &str| line.split_once(": ")?.1.split('.').next()?.replace(',', "").parse().ok();
    Ok(text.first().and_then(|line| number(line)).unwrap_or(0))
}

/// Waits for some more reports, and then until the page shows them.
async fn more_reports(browser: &Browser) -> Result<()> {
    let (before, shown) = (received(browser).await?, recounted(browser).await?);
    let now = async || Ok((received(browser).await?, recounted(browser).await?));
    let enough = |&(received, recounted): &(u64, u64)| received >= before + 4 && recounted > shown;
    browser.wait_until("more reports", now, enough).await.map(drop)
}

async fn stopping_a_recount_stops_all_tasks(browser: Browser) -> Result<()> {
    const RUNNING: &str = "#again-said[data-state=running]";
    count_worker_messages(&browser).await?;
    open(&browser, "&only-n=16").await?;
    // Recounts use plain backtracking, which takes many seconds for these tasks.
    let document = counted("16", "symmetry", 1.0).await?;
    let tasks = document["tasks"].as_array().context("no tasks")?.len() as u64;
    load(&browser, &[("sixteen.json".to_owned(), document.to_string())]).await?;
    browser.click("[data-id^=file-] a").await?;
    browser.wait_for("#task-table").await?;
    stop_before_the_first_report(&browser).await?;
    browser.click("#again-all").await?;
    more_reports(&browser).await?;

    // Hold the mouse button down while reports arrive: they must not replace the Stop button.
    browser.hover("#again-stop:enabled").await?;
    browser.script("window.stop = document.querySelector('#again-stop')", &[]).await?;
    let mouse = || MouseActions::new("mouse".to_owned());
    let down = PointerAction::Down { button: MOUSE_BUTTON_LEFT };
    browser.client().perform_actions(mouse().then(down)).await?;
    more_reports(&browser).await?;
    let held = "return window.stop.isConnected && document.activeElement === window.stop";
    assert_eq!(browser.script(held, &[]).await?, true, "the button lost the focus");
    let up = PointerAction::Up { button: MOUSE_BUTTON_LEFT };
    browser.client().perform_actions(mouse().then(up)).await?;
    assert_stopped(&browser, tasks).await?;

    // The same with the keyboard, from the current focus.
    browser.press(Key::Enter).await?;
    browser.wait_for(RUNNING).await?;
    more_reports(&browser).await?;
    browser.tab_to("#again-stop").await?;
    more_reports(&browser).await?;
    browser.wait_for("#again-stop:focus").await?;
    browser.press(Key::Enter).await?;
    assert_stopped(&browser, tasks).await
}

/// Recounts one task and stops before the page has received a message from the worker: the page
/// must not report that this task agrees.
async fn stop_before_the_first_report(browser: &Browser) -> Result<()> {
    browser
        .script(
            "new MutationObserver((_, observer) => {
                 const stop = document.querySelector('#again-stop:enabled');
                 if (stop) { observer.disconnect(); stop.click(); }
             }).observe(document.querySelector('.again'), {
                 attributes: true, childList: true, subtree: true,
             });
             document.querySelector('#again-5').click();",
            &[],
        )
        .await?;
    browser.wait_for("#again-said[data-state=stopped]").await?;
    browser.wait_for("#again-5:focus").await?;
    let shown =
        [browser.text("#again-said").await?, browser.text("#again-said + [role=status]").await?];
    assert_eq!(shown, ["No task was recounted."; 2]);
    // The task can be recounted again.
    browser.press(Key::Enter).await?;
    browser.wait_for_text("#again-said[data-state=done]", "All agree").await
}

/// Fails unless the page shows the tasks recounted so far and the worker has stopped.
async fn assert_stopped(browser: &Browser, tasks: u64) -> Result<()> {
    browser.wait_for("#again-said[data-state=stopped]").await?;
    browser.wait_for("#again-all:focus").await?;
    let counted = recounted(browser).await?;
    let left = tasks.checked_sub(counted).context("more tasks recounted than the document has")?;
    assert!(counted > 0 && left > 0, "{counted} of {tasks} tasks");
    let shown = browser.text("#again-said").await?;
    assert!(shown.contains("All agree"), "{shown}");
    let digits: String =
        shown.split("Remaining:").nth(1).unwrap_or_default().replace(',', "").trim().to_owned();
    assert_eq!(digits, left.to_string(), "{shown}");
    let spoken = browser.texts("#again-said + [role=status]").await?;
    assert!(spoken[0].contains("All agree") && shown.contains(&spoken[0]), "{spoken:?}");
    // The displayed numbers stay.
    browser.settle().await?;
    assert_eq!(recounted(browser).await?, counted);
    // Saving the tasks sends another request. The worker answers requests in order, so after this answer all
    // messages that it sent before the stop have arrived.
    crate::catch_saved(browser).await?;
    browser.click("#tasks-csv").await?;
    crate::saved(browser).await?;
    let before = received(browser).await?;
    // Over seven times the interval between two reports, 80 ms.
    sleep(Duration::from_millis(600)).await;
    assert_eq!(received(browser).await?, before, "the worker still counts after the stop");
    browser.focus("#again-all").await
}
