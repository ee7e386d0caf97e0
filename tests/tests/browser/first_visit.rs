//! Explore's first visit: the doors (links with pictures) next to the board, and the high contrast.

use std::time::Duration;

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::{Value, json};

/// A little more than the time in which the search shown in a door makes two moves.
const TWO_MOVES: Duration = Duration::from_millis(1600);

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        doors_leave_room_for_the_board_and_lead_on,
        a_phone_has_the_doors_below_the_board,
        high_contrast_has_thick_lines_and_no_chequer,
    ]
}

/// The upper and lower edges of the first elements that match these selectors.
async fn edges(browser: &Browser, selectors: &[&str]) -> Result<Vec<[f64; 2]>> {
    let edges = browser
        .script(
            "return arguments[0].map((selector) => {
                 const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
                 return [top, bottom];
             });",
            &[json!(selectors)],
        )
        .await?;
    Ok(serde_json::from_value(edges)?)
}

async fn doors_leave_room_for_the_board_and_lead_on(browser: Browser) -> Result<()> {
    for (language, dark) in [("en", false), ("ja", true)] {
        browser.set_preferences(dark, false).await?;
        browser.set_size(1366, 768).await?;
        browser.goto(&format!("?lang={language}")).await?;
        browser.wait_for("#door-own").await?;
        let parts = ["#board", ".doors", ".deck > .shelf"];
        let [board, doors, shelf] = edges(&browser, &parts).await?[..] else { unreachable!() };
        assert!(board[1] - board[0] >= 0.7 * 768.0, "{board:?}");
        assert!(doors[0] > 0.0 && doors[1] <= shelf[1], "{doors:?} {shelf:?}");
        browser.assert_fits_the_width().await?;
        browser.screenshot(&format!("first-visit-{language}")).await?;
        browser.set_size(683, 384).await?;
        browser.goto(&format!("?lang={language}")).await?;
        browser.wait_for("#door-own").await?;
        browser.assert_fits_the_width().await?;
        browser.screenshot(&format!("first-visit-low-{language}")).await?;
    }
    // The search makes some moves by itself, unless the user prefers reduced motion.
    let board = async || {
        let board = "return document.querySelector('#door-symmetry svg').innerHTML;";
        browser.script(board, &[]).await
    };
    let before = board().await?;
    browser.wait_until("the next move", board, |now| *now != before).await?;
    // Then it rests until the user points at it.
    let rests = async || {
        let before = board().await?;
        tokio::time::sleep(TWO_MOVES).await;
        Ok(board().await? == before)
    };
    browser.wait_until("a rest", rests, |rests| *rests).await?;
    let before = board().await?;
    browser.tab_to("#door-symmetry").await?;
    browser.wait_until("another move", board, |now| *now != before).await?;
    browser.set_preferences(false, true).await?;
    browser.goto("/").await?;
    browser.wait_for("#door-symmetry svg").await?;
    let before = board().await?;
    tokio::time::sleep(TWO_MOVES).await;
    assert_eq!(board().await?, before);
    for (door, sign) in
        [("symmetry", "#race-go"), ("turn", ".all-tiles"), ("own", "#board [data-state='queen']")]
    {
        browser.goto("/").await?;
        browser.click(&format!("#door-{door}")).await?;
        browser.wait_for_count(".doors", 0).await?;
        browser.wait_for(sign).await?;
    }
    // The race starts by itself, but not for users who prefer less motion.
    for (is_still, state) in [(true, "still"), (false, "running")] {
        browser.set_preferences(false, is_still).await?;
        browser.goto("/").await?;
        browser.click("#door-symmetry").await?;
        browser.wait_for(&format!("#race[data-state='{state}']")).await?;
    }
    Ok(())
}

async fn a_phone_has_the_doors_below_the_board(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    browser.goto("/").await?;
    browser.wait_for("#door-own").await?;
    browser.screenshot("first-visit-phone").await?;
    // They are in sight without scrolling.
    let parts = ["#board", ".doors", ".transport"];
    let [board, doors, transport] = edges(&browser, &parts).await?[..] else { unreachable!() };
    assert!(doors[0] >= board[1] && doors[1] <= transport[0], "{board:?} {doors:?} {transport:?}");
    browser.assert_fits_the_width().await?;
    let in_order = "const all = ['#watch', '#door-symmetry', '#door-own', '#tab-guide'].map(
            (each) => document.querySelector(each));
        return all.every((each, at) => at === 0 || (all[at - 1].compareDocumentPosition(each) & 4)
            && all[at - 1].getBoundingClientRect().top <= each.getBoundingClientRect().top);";
    assert_eq!(browser.script(in_order, &[]).await?, json!(true));
    // All tabs fit in one line, and open with a tap.
    for (tab, sign) in [("numbers", ".counters"), ("code", "#code .line"), ("race", "#race")] {
        browser.focus(&format!("#tab-{tab}")).await?;
        browser.click(&format!("#tab-{tab}")).await?;
        browser.wait_for(sign).await?;
        browser.screenshot(&format!("tabs-phone-{tab}")).await?;
    }
    Ok(())
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
