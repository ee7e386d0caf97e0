//! Explore while it plays at its highest speed.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use queens_core::{Size, Stepped, Timeline};
use queens_tests::browser::{Browser, Motion, traced};

const N: u32 = 12;
const TIME: Duration = Duration::from_secs(5);

/// Measures the method with everything on the board, and the simplest one with masks.
pub fn measure() -> Result<()> {
    for method in [Stepped::Symmetry, Stepped::Bitmap] {
        let measure = || traced(|browser| play(browser, method));
        // A browser that has too much to do loses parts of its trace.
        let motion = measure().or_else(|_| measure())?;
        crate::print(&format!("Explore plays {method}, N = {N}"), &motion);
    }
    Ok(())
}

async fn play(browser: Browser, method: Stepped) -> Result<Motion> {
    browser.goto(&format!("?n={N}&method={method}")).await?;
    // The worker has gone through the whole search and leaves the processor to the page.
    browser.wait_for("#step[data-end]").await?;
    browser.slide("#speed", u64::MAX).await?;
    let motion = browser
        .motion("#board", async {
            browser.click("#play").await?;
            tokio::time::sleep(TIME).await;
            browser.click("#play").await
        })
        .await?;
    browser.wait_for("#play[aria-label='Play']").await?;
    assert_core(&browser, method).await?;
    Ok(motion)
}

/// Fails if the page, where it has stopped, shows anything else than the core.
async fn assert_core(browser: &Browser, method: Stepped) -> Result<()> {
    let step = browser.attributes("#step", "data-step").await?;
    let step: u64 = step.first().context("the page shows its step")?.parse()?;
    let mut timeline = Timeline::new(method, Size::new(N)?);
    ensure!(step > 1000 && timeline.seek(step, u64::MAX), "it played to step {step}");
    let view = timeline.view();
    let queens = (0..).zip(view.rows()).filter(|(_, queen)| !queen.is_empty());
    let queens: Vec<String> =
        queens.map(|(row, queen): (u32, _)| format!("{row}:{}", N - 1 - queen.column())).collect();
    let rows = browser.attributes("#board [data-state='queen']", "data-row").await?;
    let columns = browser.attributes("#board [data-state='queen']", "data-column").await?;
    let shown: Vec<String> =
        rows.iter().zip(columns).map(|(row, column)| format!("{row}:{column}")).collect();
    ensure!(shown == queens, "step {step} has {queens:?}, and the page shows {shown:?}");
    let work = timeline.work();
    for (counter, expected) in [("tried", work.tried()), ("solutions", work.tally.met())] {
        let shown = browser.attributes(&format!("#counter-{counter}"), "data-count").await?;
        ensure!(shown == [expected.to_string()], "{counter}: {shown:?}, not {expected}");
    }
    Ok(())
}
