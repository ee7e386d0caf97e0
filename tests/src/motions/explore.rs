//! Explore while it plays at its highest speed.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use queens_core::{Seek, Size, Square, Stepped, Timeline, Tracer};

use crate::browser::explore::{set_pace, squares};
use crate::browser::{Browser, Motion};

/// Plays a method on a board of side `n` for the duration `time`.
///
/// # Errors
/// Fails if the page, once stopped, differs from the core.
pub async fn play(browser: Browser, method: Stepped, n: u32, time: Duration) -> Result<Motion> {
    // The board is full of queens from the first solution on.
    let mut search = Timeline::new(method, Size::new(n)?);
    let solutions = |search: &Tracer| search.work().tally.met();
    ensure!(search.seek_next(solutions, u64::MAX) == Seek::Found, "{method} finds no solution");
    let first = search.step();
    browser.goto(&format!("?n={n}&method={method}&step={first}")).await?;
    // Once the worker has indexed the whole search, it leaves the CPU to the page.
    browser.wait_for("#step[data-end]").await?;
    set_pace(&browser, 4).await?;
    browser.choose("#target", "end").await?;
    let motion = browser
        .motion("#board", async {
            browser.click("#play").await?;
            tokio::time::sleep(time).await;
            // A busy machine may need longer to show the first of the new steps.
            browser.wait_for(&format!("#step:not([data-step='{first}'])")).await?;
            browser.click("#play").await
        })
        .await?;
    browser.wait_for("#play[aria-label='Play']").await?;
    assert_matches_core(&browser, method, n, first).await?;
    Ok(motion)
}

async fn assert_matches_core(browser: &Browser, method: Stepped, n: u32, first: u64) -> Result<()> {
    let step = browser.attributes("#step", "data-step").await?;
    let step: u64 = step.first().context("the page shows no step")?.parse()?;
    let mut timeline = Timeline::new(method, Size::new(n)?);
    ensure!(
        step > first && timeline.seek(step, u64::MAX),
        "playing from step {first} ended at step {step}"
    );
    let queens: Vec<_> = timeline.view().placed().squares().map(Square::to_left).collect();
    let shown = squares(browser, "#board [data-state='queen']").await?;
    ensure!(shown == queens, "step {step} has {queens:?}, and the page shows {shown:?}");
    let (found, expected) =
        (browser.attributes("#found", "data-count").await?, timeline.work().tally.met());
    ensure!(found == [expected.to_string()], "{found:?} solutions, not {expected}");
    Ok(())
}
