//! Classes: boards, filters, saved files, and searches that are stopped.

use anyhow::{Context, Result};
use queens_core::{Class, Event, Found, Placement, Size, Stepped, Timeline, Tracer};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        boards_open_in_other_views,
        boards_of_a_large_board_are_on_pages,
        filters_are_stored_in_the_address,
        classes_are_saved_as_csv_and_images,
        a_stopped_search_is_incomplete_until_it_is_started_again,
        classes_on_a_phone_fit_and_can_be_touched,
    ]
}

async fn open(browser: &Browser, n: u32) -> Result<()> {
    browser.goto(&format!("?view=classes&n={n}")).await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    Ok(())
}

/// The representatives found by the core, with their classes.
fn classes(n: u32) -> Result<Vec<(Class, Placement)>> {
    let mut tracer = Tracer::new(Stepped::Symmetry, Size::new(n)?);
    let mut classes = vec![];
    while let Some(step) = tracer.forward() {
        if let Event::Solution { found: Found::Class(class) } = step {
            classes.push((class, tracer.view().placement().context("no solution")?));
        }
    }
    Ok(classes)
}

async fn shown_rows(browser: &Browser) -> Result<Vec<String>> {
    browser.attributes(".tiles > li", "data-columns").await
}

async fn boards_open_in_other_views(browser: Browser) -> Result<()> {
    open(&browser, 8).await?;
    browser.screenshot("classes-eight").await?;
    browser.click("[data-testid=shelf-4] .tile").await?;
    browser.wait_for_count("[data-testid=image]", 8).await?;
    assert_eq!(browser.attributes("#class", "data-class").await?, ["4"]);
    browser.client().back().await?;
    browser.wait_for("#classes-status[data-state=done]").await?;

    browser.click("[data-testid=shelf-8] li:nth-child(3) .tile-step").await?;
    browser.wait_for(".explore").await?;
    let address = browser.address().await?;
    let step = address.split(['?', '&']).find_map(|part| part.strip_prefix("step="));
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    assert!(timeline.seek(step.context("no step")?.parse()?, u64::MAX));
    let eights: Vec<_> =
        classes(8)?.into_iter().filter(|(class, _)| *class == Class::Eight).collect();
    assert_eq!(timeline.view().placement(), Some(eights[2].1));
    browser.client().back().await?;
    browser.wait_for("#classes-status[data-state=done]").await?;

    browser.click("[data-testid=shelf-4] .tile-play").await?;
    browser.wait_for("#queens[data-count='8']").await?;
    let board = classes(8)?.into_iter().find(|(class, _)| *class == Class::Four);
    let (_, board) = board.context("no class of 4")?;
    let queens = (0..).zip(board.columns_from_left());
    let queens: Vec<String> =
        queens.map(|(row, column): (u32, u32)| format!("{row}:{column}")).collect();
    assert!(browser.address().await?.ends_with(&format!("?view=play&queens={}", queens.join(","))));
    browser.wait_for_text("#completions", "This is a solution").await?;
