//! The page in a real browser with the real server; one file per view or topic. The tests of `smoke` are
//! not repeated here.
//! `queens_tests::browser` explains how to write a test.

mod accessibility;
mod benchmarks;
mod charts;
mod classes;
mod compare;
mod count;
mod course;
mod embed;
mod explanation;
mod explore;
mod failures;
mod film;
mod high_contrast;
mod hover;
mod japanese;
mod keyboard;
mod layout;
mod learn;
mod link;
mod map;
mod play;
mod print;
mod recount;
mod results;
mod square_explanations;
mod symmetries;
mod view_states;
mod whole_page;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest};
use serde_json::Value;

fn main() -> ExitCode {
    let tests = [
        whole_page::tests(),
        accessibility::tests(),
        explore::tests(),
        film::tests(),
        high_contrast::tests(),
        map::tests(),
        symmetries::tests(),
        square_explanations::tests(),
        failures::tests(),
        japanese::tests(),
        keyboard::tests(),
        layout::tests(),
        compare::tests(),
        embed::tests(),
        explanation::tests(),
        classes::tests(),
        link::tests(),
        view_states::tests(),
        count::tests(),
        results::tests(),
        hover::tests(),
        learn::tests(),
        benchmarks::tests(),
        print::tests(),
    ];
    // These tests need no server, so they use the static site if it is built.
    let on_static_site = [play::tests(), charts::tests(), recount::tests(), course::tests()];
    let on_static_site = on_static_site.into_iter().flatten().map(BrowserTest::on_static_site);
    let tests = tests.into_iter().flatten().chain(on_static_site).collect();
    queens_tests::browser::main("browser tests", Duration::from_secs(600), tests)
}

/// Opens the dialog Share of Explore.
async fn open_share(browser: &Browser) -> Result<()> {
    browser.click("#more").await?;
    browser.click("#share-open").await?;
    browser.wait_for("#share[open] #copy-link").await.map(drop)
}

/// Intercepts the files that the page saves from now on, for [`saved`].
async fn catch_saved(browser: &Browser) -> Result<()> {
    browser
        .script(
            "const create = URL.createObjectURL;
             URL.createObjectURL = (blob) => { window.savedBlob = blob; return create(blob); };",
            &[],
        )
        .await
        .map(drop)
}

/// The text in a field.
async fn value(browser: &Browser, selector: &str) -> Result<String> {
    let source = "return document.querySelector(arguments[0]).value;";
    let value = browser.script(source, &[serde_json::json!(selector)]).await?;
    Ok(value.as_str().unwrap_or_default().to_owned())
}

/// The text of the last saved file.
async fn saved(browser: &Browser) -> Result<String> {
    let text = async || {
        let text = browser
            .script(
                "const blob = window.savedBlob;
                 window.savedBlob = undefined;
                 return blob?.text() ?? '';",
                &[],
            )
            .await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    };
    browser.wait_until("a saved file", text, |text| !text.is_empty()).await
}

/// The boards of the last saved file, if it is a PNG sheet of boards of this size with `across`
/// boards per line. A square has a queen if the pixels in its middle are dark.
async fn saved_boards(browser: &Browser, n: u32, boards: usize, across: usize) -> Result<Value> {
    // A board is 400 units wide. The gap between boards is 40, and the text below takes 50.
    browser
        .script(
            "const [n, boards, across] = arguments;
             if (window.savedBlob?.type !== 'image/png') return null;
             return createImageBitmap(window.savedBlob).then((bitmap) => {
                 const { width, height } = bitmap;
                 const canvas = new OffscreenCanvas(width, height);
                 const context = canvas.getContext('2d');
                 context.drawImage(bitmap, 0, 0);
                 const pixels = context.getImageData(0, 0, width, height).data;
                 const scale = width / (across * 440 + 40);
                 const isDark = (x, y) => {
                     const at = 4 * (Math.floor(y * scale) * width + Math.floor(x * scale));
                     return pixels[at] + pixels[at + 1] + pixels[at + 2] < 100;
                 };
                 const range = (count) => [...Array(count).keys()];
                 const read = (board) => range(n).map((row) => range(n).filter((column) => isDark(
                     40 + (board % across) * 440 + (column + 0.5) * 400 / n,
                     40 + Math.floor(board / across) * 490 + (row + 0.6) * 400 / n,
                 )).join('+')).join(' ');
                 return { width, height, boards: range(boards).map(read) };
             });",
            &[n.into(), boards.into(), across.into()],
        )
        .await
}

/// Returns the selector of the row of a loaded file in Results.
fn file_row(name: &str) -> String {
    format!("[data-id^=file-]:has(.file-name[title='{name}'])")
}
