//! Explore: steps, solutions, languages and keys.

use anyhow::Result;
use queens_core::Stepped;
use queens_tests::browser::explore::{beats, first_solution, picture, queens, wait_for_step};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        jumps_to_the_first_solution_and_its_line_in_both_languages,
        steps_back_to_the_same_states,
        keys_work_before_the_first_click,
    ]
}

async fn jumps_to_the_first_solution_and_its_line_in_both_languages(
    browser: Browser,
) -> Result<()> {
    let (at, columns) = first_solution(Stepped::Symmetry, 8)?;
    browser.goto("?method=symmetry&n=8").await?;
    browser.click("#next").await?;
    wait_for_step(&browser, at).await?;
    assert_eq!(queens(&browser).await?, columns);
    assert_eq!(browser.attributes("#found", "data-count").await?, ["1"]);
    assert!(browser.text("#why").await?.contains("class of 8"));
    // The link below the listing leads to the source of the method.
    browser.wait_for_text("#code .current", "total += ").await?;
    let source = "const link = document.querySelector('.program-notes a');
                  return fetch(link.href).then((answer) => answer.text());";
    let source = browser.script(source, &[]).await?;
    assert!(source.as_str().is_some_and(|text| text.contains("pub fn search<")), "{source}");
    browser.screenshot("explore-solution").await?;
    browser.choose_setting("#language-ja").await?;
    browser.wait_for("html[lang='ja']").await?;
    browser.wait_for_text("#view-explore", "探索").await?;
    browser.wait_for_text("#why", "要素数 8 のグループ").await?;
    browser.screenshot("explore-japanese").await?;
    browser.focus("#board").await?;
    // The listing scrolls to the last line of the program.
    browser.press(Key::End).await?;
    let in_listing = async || {
        let scrolled = "return document.querySelector('#code').scrollTop > 0;";
        let has_scrolled = browser.script(scrolled, &[]).await? == true;
        let [_, _, _, bottom] = browser.edges("#code").await?;
        Ok(has_scrolled && browser.edges("#code .current").await?[3] <= bottom + 1.0)
    };
    browser.wait_until("the line in the listing", in_listing, |&is_inside| is_inside).await?;
    browser.press(Key::Home).await?;
    let address = async || browser.address().await;
    browser.wait_until("the first step", address, |now| now == "/?method=symmetry&lang=ja").await?;
    // The choice is stored independently of the address.
    browser.goto("?n=6").await?;
    browser.wait_for("html[lang='ja']").await.map(drop)
}

async fn steps_back_to_the_same_states(browser: Browser) -> Result<()> {
    browser.goto("?n=7&method=side-cuts&step=123&lang=ja").await?;
    wait_for_step(&browser, 123).await?;
    // The program is part of each picture.
    browser.wait_for("#code .current").await?;
    let mut pictures = vec![picture(&browser).await?];
    let steps = beats(Stepped::SideCuts, 7, 200)?;
    let next = steps.partition_point(|&step| step <= 123);
    let steps = &steps[next..next + 8];
    for &step in steps {
        browser.click("#forward").await?;
        wait_for_step(&browser, step).await?;
        pictures.push(picture(&browser).await?);
    }
    let wanted = format!("/?n=7&method=side-cuts&step={}&lang=ja", steps[7]);
    let address = |found: &String| *found == wanted;
    browser.wait_until(&wanted, async || browser.address().await, address).await?;
    for (&before, expected) in steps.iter().zip(&pictures[1..]).rev().skip(1) {
        browser.click("#back").await?;
        wait_for_step(&browser, before).await?;
        assert_eq!(picture(&browser).await?, *expected, "step {before}");
    }
    Ok(())
}

/// Keys work before the first click, after a click on the button that starts the search, and while the focus
/// is on an element without keys of its own, but not inside an input field.
async fn keys_work_before_the_first_click(browser: Browser) -> Result<()> {
    browser.goto("/").await?;
    browser.wait_for("#watch").await?;
    let top = async || browser.script("return [scrollY, document.activeElement.id];", &[]).await;
    assert_eq!(top().await?, json!([0, ""]));
    browser.press_with_shift(Key::Right).await?;
    wait_for_step(&browser, 1).await?;
    browser.type_keys("?").await?;
    browser.wait_for("#keys[open]").await?;
    browser.press(Key::Right).await?;
    browser.press(Key::Escape).await?;
    browser.wait_for_count("#keys[open]", 0).await?;
    wait_for_step(&browser, 1).await?;
    // A mouse click focuses the button, and then the button disappears.
    browser.press(Key::Home).await?;
    browser.click("#watch").await?;
    browser.wait_for_count("#watch", 0).await?;
    browser.wait_for("#play[aria-label=Pause]").await?;
    browser.type_keys(" ").await?;
    browser.wait_for("#play[aria-label=Play]").await?;
    browser.press(Key::Home).await?;
    browser.press_with_shift(Key::Right).await?;
    wait_for_step(&browser, 1).await?;
    browser.type_keys(" ").await?;
    browser.wait_for("#play[aria-label=Pause]").await?;
    browser.type_keys(" ").await?;
    browser.wait_for("#play[aria-label=Play]").await?;
    assert_eq!(top().await?, json!([0, "board"]));
    browser.focus("#view-play").await?;
    browser.press(Key::Home).await?;
    wait_for_step(&browser, 0).await?;
    browser.focus("#size").await?;
    browser.press(Key::Right).await?;
    browser.settle().await?;
    wait_for_step(&browser, 0).await
}
