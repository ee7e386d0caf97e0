//! Results: documents from the server and from files.
//!
//! All tests of a run share one server, so each looks only for what it has posted itself.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::{browser_tests, command};
use serde_json::json;
use tempfile::TempDir;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        a_posted_result_appears_without_reload,
        a_running_count_shows_its_progress,
        a_file_loads_and_stays_while_other_views_are_open,
        damaged_files_are_refused_with_their_reason,
        a_contradictory_file_is_shown_with_its_contradiction,
        a_file_can_be_dropped,
        in_japanese_on_a_phone,
    ]
}

const EIGHT: &str = include_str!("../../data/results/eight.json");

async fn open(browser: &Browser) -> Result<()> {
    browser.goto("?view=results").await?;
    browser.wait_for("#server[data-state=live]").await?;
    Ok(())
}

/// Files to load, which go when the folder does.
struct Files(TempDir);

impl Files {
    fn new() -> Result<Self> {
        Ok(Self(tempfile::tempdir()?))
    }

    fn file(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.0.path().join(name);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        Ok(path)
    }
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
    assert!(row.contains("352") && row.contains("46") && row.contains("known"), "{row}");
    browser.wait_for_text("#news", "N = 9").await?;
    browser.screenshot("results-live").await?;

    browser.click("[data-testid=result][data-n='9'] a").await?;
    browser.wait_for_text("[data-testid=detail] h2", "352 solutions in 46 classes").await?;
    browser.wait_for(".task-map").await?;
    browser.screenshot("results-open").await?;
    let address = browser.address().await?;
    browser.goto(address.trim_start_matches('/')).await?;
    browser.wait_for(".task-map").await?;
    browser.click("#back").await?;
    browser.wait_for("[data-testid=result][data-n='9']").await?;
    Ok(())
}

/// Tells the server how far a count is, as the command does.
async fn report(browser: &Browser, done: u32, state: &str) -> Result<()> {
    let report = json!({
        "n": 20, "method": "symmetry", "done": done, "tasks": 400, "seconds": 100.0,
        "state": state,
    });
    let status = browser
        .script(
            "return fetch('api/v1/runs/browser-test', {
                 method: 'PUT', body: arguments[0],
                 headers: { 'Content-Type': 'application/json' },
             }).then((response) => response.status);",
            &[json!(report.to_string())],
        )
        .await?;
    assert_eq!(status, 204);
    Ok(())
}

async fn a_running_count_shows_its_progress(browser: Browser) -> Result<()> {
    open(&browser).await?;
    report(&browser, 100, "running").await?;
    browser.wait_for_text("[data-testid=run]", "100 of 400 tasks").await?;
    browser.wait_for_text("[data-testid=run]", "about 5 min 0 s left").await?;
    assert_eq!(browser.attributes("[data-testid=run] progress", "value").await?, ["0.2500"]);
    report(&browser, 300, "running").await?;
    browser.wait_for_text("[data-testid=run]", "300 of 400 tasks").await?;
    report(&browser, 400, "done").await?;
    browser.wait_for_count("[data-testid=run]", 0).await?;
    Ok(())
}

async fn a_file_loads_and_stays_while_other_views_are_open(browser: Browser) -> Result<()> {
    let files = Files::new()?;
    open(&browser).await?;
    browser.upload("#files", &files.file("mine.json", EIGHT)?).await?;
    browser.wait_for("[data-id=file-1]").await?;
    let row = browser.text("[data-id=file-1] tr").await?;
    assert!(row.contains("92") && row.contains("12") && row.contains("mine.json"), "{row}");
    assert_eq!(browser.count("[data-testid=refusal]").await?, 0);
    browser.click("#view-classes").await?;
    browser.wait_for("#classes-status").await?;
    browser.click("#view-results").await?;
    browser.click("[data-id=file-1] a").await?;
    browser.wait_for_text("[data-testid=detail]", "Some Processor").await?;
    assert_eq!(browser.count("[data-testid=contradictions]").await?, 0);
    browser.click("#close").await?;
    browser.wait_for_count("[data-id=file-1]", 0).await?;
    Ok(())
}

async fn damaged_files_are_refused_with_their_reason(browser: Browser) -> Result<()> {
    let files = Files::new()?;
    open(&browser).await?;
    for (name, text, reason) in [
        ("truncated.json", EIGHT[..200].to_owned(), "truncated"),
        ("empty.json", String::new(), "empty"),
        ("picture.json", "\u{fffd}PNG".to_owned(), "not valid JSON"),
        ("later.json", EIGHT.replacen("\"version\": 1", "\"version\": 7", 1), "version: version 7"),
        ("large.json", EIGHT.replace("\"n\": 8", "\"n\": 99"), "n: 99 is out of range"),
        ("task.json", EIGHT.replacen("\"total\": \"16\"", "\"total\": 16", 1), "tasks[6].total"),
    ] {
        browser.upload("#files", &files.file(name, &text)?).await?;
        browser.wait_for_text(".refused li:last-child", name).await?;
        browser.wait_for_text(".refused li:last-child", reason).await?;
    }
    assert_eq!(browser.count("[data-testid=refusal]").await?, 6);
    assert_eq!(browser.count("[data-id^=file-]").await?, 0);
    browser.screenshot("results-refused").await?;
    browser.click("#forget").await?;
    browser.wait_for_count("[data-testid=refusal]", 0).await?;
    Ok(())
}

async fn a_contradictory_file_is_shown_with_its_contradiction(browser: Browser) -> Result<()> {
    let files = Files::new()?;
    open(&browser).await?;
    let wrong = EIGHT.replace("\"total\": \"92\"", "\"total\": \"93\"");
    browser.upload("#files", &files.file("wrong.json", &wrong)?).await?;
    browser.wait_for("[data-id=file-1].contradictory").await?;
    browser.wait_for_text(".why-contradictory", "the tasks add up to 92, not to 93").await?;
    browser.click("[data-id=file-1] a").await?;
    browser.wait_for_text("[data-testid=contradictions]", "contradicts the known value").await?;
    Ok(())
}

async fn a_file_can_be_dropped(browser: Browser) -> Result<()> {
    open(&browser).await?;
    browser.drop_file("[data-testid=drop-area]", "dropped.json", EIGHT).await?;
    browser.wait_for("[data-id=file-1]").await?;
    assert!(browser.text("[data-id=file-1] tr").await?.contains("dropped.json"));
    assert_eq!(browser.count(".drop-now").await?, 0);
    Ok(())
}

async fn in_japanese_on_a_phone(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    browser.goto("?view=results&lang=ja").await?;
    browser.wait_for("#server[data-state=live]").await?;
    let wrong = EIGHT.replace("\"n\": 8", "\"n\": 99");
    browser.drop_file("[data-testid=drop-area]", "a.json", EIGHT).await?;
    browser.drop_file("[data-testid=drop-area]", "b.json", &wrong).await?;
    browser.wait_for_text("[data-testid=refusal]", "99 は範囲外です").await?;
    browser.wait_for("[data-id=file-1]").await?;
    assert_eq!(browser.text("h1").await?, "結果");
    crate::fits_the_width(&browser).await?;
    browser.click("[data-id=file-1] a").await?;
    browser.wait_for_text("[data-testid=detail] h2", "解 92 個、ユニーク解 12 個").await?;
    crate::fits_the_width(&browser).await?;
    browser.screenshot("results-phone").await?;
    Ok(())
}
