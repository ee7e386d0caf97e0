//! Explore's map of the search, compared with the core.

use std::time::Duration;

use anyhow::{Context, Result};
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use queens_core::{Size, Stepped, Timeline};
use queens_tests::browser::explore::{queens, step, wait_for_step};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        the_map_seeks_by_click_and_drag,
        a_place_of_the_map_has_a_sentence_and_leads_to_it,
    ]
}

/// Opens the search of the symmetry method on N = 8 and waits until the page's map covers all of
/// it. Returns the core's timeline of the same search, at its end.
async fn open(browser: &Browser) -> Result<Timeline> {
    browser.goto("?n=8&method=symmetry").await?;
    browser.wait_for("#step[data-end]").await?;
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    assert!(timeline.seek(u64::MAX, u64::MAX));
    let end = browser.attributes("#step", "data-end").await?;
    assert_eq!(end, [timeline.step().to_string()]);
    Ok(timeline)
}

/// Waits until the page shows a step near the fraction `part` of the `end` steps of the search and no jump is
/// in progress. Then compares the queens with the core's.
async fn assert_near(
    browser: &Browser,
    timeline: &mut Timeline,
    part: f64,
    end: u64,
) -> Result<()> {
    // One movement of the mouse may be several events, so the step may still change by a little.
    let steps = async || {
        let first = step(browser).await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
        Ok([first, step(browser).await?])
    };
    // The handle has a width, and a pixel represents several steps.
    let is_near = |&[first, second]: &[u64; 2]| {
        first == second && (second as f64 / end as f64 - part).abs() < 0.02
    };
    let [step, _] = browser.wait_until(&format!("{part} of {end} steps"), steps, is_near).await?;
    assert!(timeline.seek(step, u64::MAX));
    let placed: Vec<_> =
        timeline.view().placed().squares().map(|queen| queen.to_left().1).collect();
    assert_eq!(queens(browser).await?, placed, "step {step}");
    Ok(())
}

async fn the_map_seeks_by_click_and_drag(browser: Browser) -> Result<()> {
    let mut timeline = open(&browser).await?;
    let end = timeline.step();
    let bar = browser.wait_for("#map").await?;
    let (_, _, width, height) = bar.rectangle().await?;
    let mouse = || MouseActions::new("mouse".to_owned());
    let to = |part: f64| PointerAction::MoveToElement {
        element: bar.clone(),
        duration: Some(Duration::from_millis(50)),
        // Relative to the centre.
        x: (part - 0.5) * width,
        // The queens of the first row have wide blocks.
        y: -0.45 * height,
    };
    let down = || PointerAction::Down { button: MOUSE_BUTTON_LEFT };
    let up = || PointerAction::Up { button: MOUSE_BUTTON_LEFT };
    for part in [0.25, 0.8, 0.5] {
        let click = mouse().then(to(part)).then(down()).then(up());
        browser.client().perform_actions(click).await?;
        assert_near(&browser, &mut timeline, part, end).await?;
    }
    // Drags from the current position to another one. The board follows while the button is held.
    browser
        .script(
            "window.steps = [];
             const step = document.querySelector('#step');
             new MutationObserver(() => window.steps.push(+step.dataset.step))
                 .observe(step, { attributes: true });",
            &[],
        )
        .await?;
    for (from, halfway, part) in [(0.5, 0.6, 0.75), (0.75, 0.4, 0.1)] {
        let drag = mouse().then(to(from)).then(down()).then(to(halfway));
        browser.client().perform_actions(drag.then(to(part)).then(up())).await?;
        assert_near(&browser, &mut timeline, part, end).await?;
        let steps = browser.script("return window.steps.splice(0);", &[]).await?;
        let steps = steps.as_array().context("no list of steps")?;
        let is_there = |step: &Value| {
            step.as_f64().is_some_and(|step| (step / end as f64 - halfway).abs() < 0.02)
        };
        assert!(steps.iter().any(is_there), "{steps:?}");
    }
    Ok(())
}

/// The number of rows of the boards below.
const N: i64 = 6;

/// Moves the mouse to a row of the map, at a fraction of its width, and presses and releases the button if
/// `clicks` is set.
async fn point(browser: &Browser, row: i64, part: f64, clicks: bool) -> Result<()> {
    let element = browser.wait_for("#map").await?;
    let (_, _, width, height) = element.rectangle().await?;
    let [x, y] = [(part - 0.5) * width, ((row as f64 + 0.5) / N as f64 - 0.5) * height];
    let mut mouse = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveToElement {
        element,
        duration: None,
        x,
        y,
    });
    if clicks {
        mouse = mouse
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    }
    browser.client().perform_actions(mouse).await.map_err(Into::into)
}

async fn a_place_of_the_map_has_a_sentence_and_leads_to_it(browser: Browser) -> Result<()> {
    browser.goto(&format!("?n={N}&method=backtracking")).await?;
    browser.wait_for("#step[data-end]").await?;
    let mut timeline = Timeline::new(Stepped::Backtracking, Size::new(N as u32)?);
    timeline.seek_next(|search| search.work().tally.met(), u64::MAX);
    let solution = timeline.step();
    timeline.seek(u64::MAX, u64::MAX);
    let part = (solution as f64 - 1.0) / timeline.step() as f64;
    point(&browser, N - 1, part, false).await?;
    browser.wait_for_text(".map-tip", "Solution. Its last queen is on row 5").await?;
    let inside =
        "const { left, right, top } = document.querySelector('.map-tip').getBoundingClientRect();
                  const board = document.querySelector('#board').getBoundingClientRect();
                  return (left >= board.right || top >= board.bottom) && right <= innerWidth;";
    for part in [0.01, 0.99] {
        point(&browser, 0, part, false).await?;
        assert_eq!(browser.script(inside, &[]).await?, json!(true), "{part}");
    }
    browser.screenshot("map-pointed").await?;
    point(&browser, N - 1, part, true).await?;
    wait_for_step(&browser, solution).await?;
    browser.wait_for_count("#board [data-state='queen']", N as usize).await?;
    browser.wait_for_count("#map .cursor .here", N as usize).await?;
    // As a slider, it has keys of its own, and those of the search.
    browser.focus("#board").await?;
    browser.tab_to("#map").await?;
    for (key, beats) in [(Key::Up, 1_i64), (Key::Down, 0), (Key::Left, -1), (Key::Right, 0)] {
        browser.press(key).await?;
        timeline.seek(solution, u64::MAX);
        let wanted = match beats {
            1 => {
                timeline.seek_next(queens_core::Tracer::beats, u64::MAX);
                timeline.step()
            }
            0 => solution,
            _ => {
                let mut back = queens_core::BackwardSearch::from(solution);
                timeline.seek_previous(&mut back, queens_core::Tracer::beats, u64::MAX);
                timeline.step()
            }
        };
        wait_for_step(&browser, wanted).await?;
        browser.wait_for(&format!("#map[aria-valuenow='{wanted}']")).await?;
    }
    // On a phone, the sentence is as wide as the map.
    browser.set_phone().await?;
    point(&browser, 0, 0.9, false).await?;
    browser.wait_for_text(".map-tip", "Queen on row 0").await?;
    assert_eq!(browser.script(inside, &[]).await?, json!(true));
    browser.screenshot("map-phone").await.map(drop)
}
