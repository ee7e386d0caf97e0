//! Explore in high contrast and in the colours of the user.

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::Value;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![the_board_has_more_contrast_and_the_map_the_colours_of_the_user]
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

/// The colours of the kinds of blocks, and of the page's background, text and selection.
const COLOURS: &str = "
    const fill = (part) => getComputedStyle(document.querySelector(`#map ${part}`)).fill;
    const probe = document.createElement('p');
    document.body.append(probe);
    const named = ['Canvas', 'CanvasText', 'Highlight'].map((name) => {
        probe.style.color = name;
        return getComputedStyle(probe).color;
    });
    probe.remove();
    return [['.block', '.block-leads', '.block-solution', '.block-dead-end'].map(fill), named];";

async fn the_board_has_more_contrast_and_the_map_the_colours_of_the_user(
    browser: Browser,
) -> Result<()> {
    browser.goto("?step=1480").await?;
    browser.wait_for("#step[data-end]").await?;
    let board = async |contrast: &str| -> Result<(bool, f64)> {
        browser.set_media(&[("prefers-contrast", contrast)]).await?;
        let style = board_style(&browser).await?;
        Ok((style[0] != style[1], style[2].as_f64().context("a width")?))
    };
    let (has_chequer, thin) = board("no-preference").await?;
    assert!(has_chequer && thin < 1.0, "{thin}");
    let (has_chequer, thick) = board("more").await?;
    assert!(!has_chequer && thick > 2.0, "{thick}");
    browser.screenshot("contrast-more").await?;
    let dark = ("prefers-color-scheme", "dark");
    browser.set_media(&[("prefers-contrast", "more"), dark]).await?;
    browser.screenshot("contrast-more-dark").await?;

    browser.set_media(&[]).await?;
    let colours = async || -> Result<(Vec<String>, Vec<String>)> {
        Ok(serde_json::from_value(browser.script(COLOURS, &[]).await?)?)
    };
    let (usual, _) = colours().await?;
    for scheme in ["light", "dark"] {
        let features = [("forced-colors", "active"), ("prefers-color-scheme", scheme)];
        browser.set_media(&features).await?;
        let (forced, named) = colours().await?;
        assert!(forced.iter().zip(&usual).all(|(forced, usual)| forced != usual), "{forced:?}");
        assert_eq!([&forced[2], &forced[3]], [&named[2], &named[1]], "{scheme}");
        // The four kinds and the background still differ.
        let mut all: Vec<_> = forced.iter().chain(&named[..1]).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 5, "{forced:?} {named:?}");
        browser.screenshot(&format!("map-forced-{scheme}")).await?;
    }
    Ok(())
}
