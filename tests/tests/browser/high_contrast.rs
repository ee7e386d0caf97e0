//! Explore in high contrast.

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![high_contrast_has_thick_lines_and_no_chequer,]
}

/// The colours of both kinds of squares, and the width of the lines between them.
async fn board_style(browser: &Browser) -> Result<Value> {
    browser
        .script(
            "const style = (part) => getComputedStyle(document.querySelector(`#board ${part}`));
             return [style('.square').fill, style('.square.dark').fill,
                 parseFloat(style('.grid').strokeWidth)];",
            &[],
        )
        .await
}

async fn high_contrast_has_thick_lines_and_no_chequer(browser: Browser) -> Result<()> {
    let open = async |value: &str| -> Result<(bool, f64)> {
        let features = json!({ "features": [{ "name": "prefers-contrast", "value": value }] });
        browser.devtools("Emulation.setEmulatedMedia", features).await?;
        browser.goto("?step=1480").await?;
        browser.wait_for("#board .queen[d^=M]").await?;
        let style = board_style(&browser).await?;
        Ok((style[0] != style[1], style[2].as_f64().context("a width")?))
    };
    let (has_chequer, thin) = open("no-preference").await?;
    assert!(has_chequer && thin < 1.0, "{thin}");
    let (has_chequer, thick) = open("more").await?;
    assert!(!has_chequer && thick > 2.0, "{thick}");
    browser.screenshot("contrast-more").await?;
    let dark = json!({ "features": [
        { "name": "prefers-contrast", "value": "more" },
        { "name": "prefers-color-scheme", "value": "dark" },
    ] });
    browser.devtools("Emulation.setEmulatedMedia", dark).await?;
    browser.screenshot("contrast-more-dark").await.map(drop)
}
