//! Explore's timeline: its marks, and dragging with the mouse.

use std::time::Duration;

use anyhow::{Context, Result};
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use queens_core::{Event, Stepped, Timeline};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::Value;

use crate::against_core::{assert_same, open};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![timeline_marks_match_the_core, the_timeline_seeks_by_click_and_drag,]
}

/// The positions of marks along a timeline of 1000 units, and their heights, for one kind of mark.
async fn marks(browser: &Browser, kind: &str) -> Result<Vec<(f64, f64)>> {
    let path = browser.attributes(&format!(".timeline path.{kind}"), "d").await?;
    let path = path.first().with_context(|| format!("no path of {kind}"))?;
    path.split('M')
        .skip(1)
        .map(|mark| {
            let (x, rest) = mark.split_once(' ').context("no start of a mark")?;
            let height = rest.split(['v', 'h']).nth(2).context("no height of a mark")?;
            Ok((x.parse()?, height.parse::<f64>()?.abs()))
        })
        .collect()
}

async fn timeline_marks_match_the_core(browser: Browser) -> Result<()> {
    for (method, n) in [(Stepped::Symmetry, 5), (Stepped::Symmetry, 8), (Stepped::Bitmap, 7)] {
        let mut timeline = open(&browser, method, n, "en").await?;
        let end = timeline.step();
        // The length of a stretch in steps: the smallest power of two with at most 1024 stretches.
        let mut stretch = 1;
        while (end - 1) / stretch >= 1024 {
            stretch *= 2;
        }
        let unit = 1000.0 * stretch as f64 / end as f64;
        let stretches = (end / stretch + 1) as usize;
        let mut counts = [(); 3].map(|()| vec![0.0; stretches]);
        timeline.seek(0, u64::MAX);
        while let Some(step) = timeline.forward() {
            let (kind, count) = match step.event {
                Event::Solution { .. } => (0, 1),
                Event::Cut { squares, .. } => (1, squares.len()),
                Event::Compare { .. } => (2, 1),
                _ => continue,
            };
            counts[kind][((timeline.step() - 1) / stretch) as usize] += f64::from(count);
        }
        for ((kind, lowest, highest), counts) in
            [("solutions", 7.0, 17.0), ("cuts", 2.0, 8.0), ("comparisons", 1.0, 4.0)]
                .into_iter()
                .zip(counts)
        {
            let drawn = marks(&browser, kind).await?;
            let most = counts.iter().copied().fold(0.0, f64::max);
            for &(x, height) in &drawn {
                let count = counts[(x / unit).round() as usize];
                assert!(count > 0.0, "{method} N = {n}: no {kind} at {x}");
                let expected = lowest + (highest - lowest) * count / most;
                assert!((height - expected).abs() < 0.1, "{kind} at {x}: {height}, {expected}");
            }
            for (index, _) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                let at = index as f64 * unit;
                // A mark may hide the next one if stretches are narrower than it, but never a
                // solution's mark.
                let hides = if kind == "solutions" { 0.0 } else { 1.0 };
                let is_drawn = drawn.iter().any(|(x, _)| x - 0.1 < at && at < x + hides + 0.1);
                assert!(is_drawn, "{method} N = {n}: {kind} at {at}");
            }
            let has_some = kind == "solutions" || method == Stepped::Symmetry;
            assert_eq!(!drawn.is_empty(), has_some, "{method} N = {n}: {kind}");
        }
    }
    Ok(())
}

async fn shown_step(browser: &Browser) -> Result<u64> {
    Ok(browser.attributes("#step", "data-step").await?.remove(0).parse()?)
}

/// Waits until the page shows a step near this part of the search and no jump is in progress, and
/// compares the picture with the core's.
async fn assert_near(
    browser: &Browser,
    timeline: &mut Timeline,
    part: f64,
    end: u64,
) -> Result<()> {
    // One movement of the mouse may be several events, so the step may still change by a little.
    let steps = async || {
        let first = shown_step(browser).await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
        Ok([first, shown_step(browser).await?])
    };
    // The handle has a width, and a pixel represents several steps.
    let is_near = |&[first, second]: &[u64; 2]| {
        first == second && (second as f64 / end as f64 - part).abs() < 0.02
    };
    let [step, _] = browser.wait_until(&format!("{part} of {end} steps"), steps, is_near).await?;
    assert!(timeline.seek(step, u64::MAX));
    assert_same(browser, timeline).await.map(drop)
}

async fn the_timeline_seeks_by_click_and_drag(browser: Browser) -> Result<()> {
    let mut timeline = open(&browser, Stepped::Symmetry, 8, "en").await?;
    let end = timeline.step();
    let bar = browser.wait_for("#timeline").await?;
    let (_, _, width, _) = bar.rectangle().await?;
    let mouse = || MouseActions::new("mouse".to_owned());
    let to = |part: f64| PointerAction::MoveToElement {
        element: bar.clone(),
        duration: Some(Duration::from_millis(50)),
        // Relative to the centre.
        x: (part - 0.5) * width,
        y: 0.0,
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
