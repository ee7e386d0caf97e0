//! Charts that compare results, and files that the user loads.

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::{browser_tests, command};
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        charts_match_the_filtered_documents,
        examples_and_links_load_files_of_the_same_host,
        a_loaded_file_stays_until_it_is_removed,
    ]
}

const EIGHT: &str = include_str!("../../data/results/eight.json");

pub(crate) async fn open(browser: &Browser, query: &str) -> Result<()> {
    browser.goto(&format!("?view=results{query}")).await?;
    browser.wait_for("#server:not([data-state=unknown])").await.map(drop)
}

/// Counts a board and returns the result document, with its time replaced by `seconds`.
pub(crate) async fn counted(n: &str, method: &str, seconds: f64) -> Result<Value> {
    let arguments = ["count", n, "--method", method, "--json", "--quiet", "--no-journal"];
    let arguments = arguments.map(str::to_owned);
    let output = tokio::task::spawn_blocking(move || {
        command::run(&arguments.each_ref().map(String::as_str))
    })
    .await??;
    let mut document: Value = serde_json::from_slice(&output.stdout)?;
    document["seconds"] = json!(seconds);
    for task in document["tasks"].as_array_mut().context("no tasks")? {
        task["seconds"] = json!(seconds / 1000.0);
    }
    Ok(document)
}

/// Drops all files on the page at once.
pub(crate) async fn load(browser: &Browser, files: &[(String, String)]) -> Result<()> {
    browser
        .script(
            "const dataTransfer = new DataTransfer();
             for (const [name, text] of arguments[0]) {
                 dataTransfer.items.add(new File([text], name, { type: 'application/json' }));
             }
             document.querySelector('[data-testid=drop-area]').dispatchEvent(
                 new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));",
            &[json!(files)],
        )
        .await
        .map(drop)
}

async fn load_counted(browser: &Browser, all: &[(&str, &str, f64)]) -> Result<()> {
    let mut files = Vec::new();
    for (n, method, seconds) in all {
        let document = counted(n, method, *seconds).await?;
        files.push((format!("{method}-{n}.json"), document.to_string()));
    }
    load(browser, &files).await?;
    browser.wait_for_count("[data-id^=file-]", all.len()).await
}

/// The rows of a table that was saved as CSV, without the header.
async fn rows(browser: &Browser, button: &str) -> Result<Vec<Vec<String>>> {
    crate::catch_saved(browser).await?;
    browser.click(button).await?;
    let csv = crate::saved(browser).await?;
    let fields = |line: &str| line.split(',').map(str::to_owned).collect();
    Ok(csv.lines().skip(1).map(fields).collect())
}

/// The number of files that the browser stores.
async fn stored_files(browser: &Browser) -> Result<Value> {
    browser
        .script(
            "return new Promise((resolve) => {
                 const open = indexedDB.open('queens-results', 1);
                 open.onupgradeneeded = () => open.result.createObjectStore('kept');
                 open.onsuccess = () => {
                     const count = open.result.transaction('kept').objectStore('kept').count();
                     count.onsuccess = () => { open.result.close(); resolve(count.result); };
                 };
             });",
            &[],
        )
        .await
}

async fn charts_match_the_filtered_documents(browser: Browser) -> Result<()> {
    open(&browser, "").await?;
    let all =
        [("7", "mirror", 0.5), ("8", "mirror", 2.0), ("9", "mirror", 9.0), ("7", "bound1", 3.0)];
    load_counted(&browser, &all).await?;
    browser.wait_until("kept", || stored_files(&browser), |files| files == &json!(4)).await?;
    // Filters and order are stored in the address.
    browser.choose("#only-method", "mirror").await?;
    browser.wait_for_count("[data-id^=file-]", 3).await?;
    browser.choose("#only-n", "7").await?;
    browser.wait_for_count("[data-id^=file-]", 1).await?;
    let address = browser.address().await?;
    assert!(address.contains("only-n=7&only-method=mirror"), "{address}");
    browser.goto("?view=results&only-method=mirror&sort=-n").await?;
    browser.wait_for_count("[data-id^=file-]", 3).await?;
    let order =
        "return [...document.querySelectorAll('[data-id^=file-]')].map((row) => row.dataset.n)";
    assert_eq!(browser.script(order, &[]).await?, json!(["9", "8", "7"]));
    browser.click("#results th button").await?;
    let upwards = json!(["7", "8", "9"]);
    browser.wait_until("turned", || browser.script(order, &[]), |order| *order == upwards).await?;
    assert!(browser.address().await?.contains("sort=n"));

    browser.wait_for_count(".chart-picture .line title", 3).await?;
    let rows = rows(&browser, "#chart-csv").await?;
    let seen: Vec<_> = rows.iter().map(|row| [&*row[1], &*row[2], &*row[3]]).collect();
    assert_eq!(seen, [["7", "40", "0.5"], ["8", "92", "2"], ["9", "352", "9"]]);
    browser.whole_screenshot("charts-time").await?;

    browser.click("#published").await?;
    browser.wait_for_text(".drawn", "arxiv.org/abs/2511.12009").await?;
    browser.set_preferences(true, false).await?;
    browser.whole_screenshot("charts-published-dark").await?;

    // The picture can be saved as a stand-alone file in both formats.
    crate::catch_saved(&browser).await?;
    browser.click("#chart-svg").await?;
    let svg = crate::saved(&browser).await?;
    assert!(svg.starts_with("<svg xmlns=") && svg.contains("NQueensFAF"), "{svg}");
    crate::catch_saved(&browser).await?;
    browser.click("#chart-png").await?;
    let png = "return window.savedBlob?.type === 'image/png' && window.savedBlob.size > 5000;";
    browser.wait_until("a picture", || browser.script(png, &[]), |there| there == true).await?;

    browser.set_phone().await?;
    open(&browser, "&only-method=mirror&lang=ja").await?;
    browser.wait_for_text(".drawn", "所要時間").await?;
    browser.assert_fits_the_width().await?;
    browser.whole_screenshot("charts-phone-japanese").await.map(drop)
}

async fn examples_and_links_load_files_of_the_same_host(browser: Browser) -> Result<()> {
    // The page receives an empty list, because other tests may have posted results.
    let source = "const ask = window.fetch.bind(window);
        window.fetch = (address, how) => /results(\\?|$)/.test(address)
            ? Promise.resolve(new Response('{\"results\": [], \"next\": null}')) : ask(address, how);";
    browser.add_script(source).await?;
    open(&browser, "").await?;
    browser.wait_for("[data-testid=no-results]").await?;
    browser.screenshot("results-empty").await?;
    browser.click("#examples").await?;
    browser.wait_for_count("[data-id^=file-]", 6).await?;
    browser.whole_screenshot("results-examples").await?;
    // Opening the address loads the same files again.
    let address = browser.address().await?;
    browser.goto(address.trim_start_matches('/')).await?;
    browser.wait_for_count("[data-id^=file-]", 6).await?;
    // The chart, above the rows, follows them after a moment.
    browser.settle().await?;
    browser.click("[data-id^=file-] a").await?;
    browser.wait_for("#task-table").await?;

    open(&browser, "&load=examples/colours-12.json,//a.example/b.json,no-such.json").await?;
    browser.wait_for_count("[data-testid=refusal]", 2).await?;
    let shown = browser.texts("[data-testid=refusal]").await?.join("\n");
    assert!(
        shown.contains("same host as this page") && shown.contains("File not found."),
        "{shown}"
    );
    // The browser reported the server's answer 404 on the console. Every message left there fails the
    // test, so the test reads this one.
    browser.console().await.map(drop)
}

async fn a_loaded_file_stays_until_it_is_removed(browser: Browser) -> Result<()> {
    open(&browser, "").await?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("mine.json");
    std::fs::write(&file, EIGHT)?;
    browser.upload("#files", &file).await?;
    browser.wait_for("[data-id^=file-]").await?;
    let row = browser.text("[data-id^=file-] tr").await?;
    assert!(row.contains("92") && row.contains("mine.json"), "{row}");
    assert_eq!(browser.count("[data-testid=refusal]").await?, 0);
    browser.click("#view-solutions").await?;
    browser.wait_for("#classes-status").await?;
    browser.click("#view-results").await?;
    browser.wait_for("[data-id^=file-]").await?;
    browser.wait_until("kept", || stored_files(&browser), |files| files == &json!(1)).await?;
    open(&browser, "").await?;
    browser.wait_for("[data-id^=file-]").await?;
    // The same file again adds no entry.
    browser.drop_file("[data-testid=drop-area]", "mine.json", EIGHT).await?;
    browser.drop_file("[data-testid=drop-area]", "other.json", EIGHT).await?;
    browser.wait_for_count("[data-id^=file-]", 2).await?;
    assert_eq!(browser.count(".drop-now").await?, 0);
    browser.wait_until("kept", || stored_files(&browser), |files| files == &json!(2)).await?;
    browser.click(&format!("{} a", crate::file_row("mine.json"))).await?;
    browser.wait_for_text("[data-testid=detail]", "Some Processor").await?;
    browser.click("#close").await?;
    browser.wait_until("removed", || stored_files(&browser), |files| files == &json!(1)).await?;
    open(&browser, "").await?;
    browser.wait_for_count("[data-id^=file-]", 1).await?;
    assert!(browser.texts("[data-id^=file-]").await?.concat().contains("other.json"));
    Ok(())
}
