//! The view of solutions while classes arrive, and when it is complete.

use anyhow::{Context, Result, ensure};
use queens_core::{ClassCounts, Numbers, known::known};
use serde_json::json;

use crate::browser::{Browser, Motion};

/// Opens the view and scrolls to random positions until the list is complete. Returns the
/// milliseconds from the click to the first frame with a board.
const OPEN_AND_SCROLL: &str = "
    const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const begin = performance.now();
    document.querySelector('.top-bar a[href*=\"view=solutions\"]').click();
    while (!document.querySelector('.tile')) await frame();
    await frame();
    const first = performance.now() - begin;
    while (!document.querySelector('#classes-status[data-state=done]')) {
        window.scrollTo(0, Math.random() * document.body.scrollHeight);
        await sleep(30);
    }
    return first;";

/// Filters and sorts the boards, and scrolls to random positions after each change.
const FILTER_AND_SORT: &str = "
    const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
    for (const [field, value] of [
        ['order', 'largest'], ['class', '8'], ['first', 'corner'], ['first', 'inner'],
        ['class', 'all'], ['order', 'smallest'], ['first', 'any'],
    ]) {
        const select = document.querySelector(`#${field}-choice`);
        select.value = value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
        for (let jump = 0; jump < 5; jump++) {
            await sleep(60);
            window.scrollTo(0, Math.random() * document.body.scrollHeight);
        }
    }";

/// Scrolls to random positions while the classes of N = `n` arrive. Returns the motion, and the
/// milliseconds from the click to the first class.
///
/// # Errors
/// Fails if the page shows numbers other than the published ones, or draws all boards at once.
pub async fn scroll_while_loading(browser: Browser, n: u32) -> Result<(Motion, f64)> {
    browser.goto(&format!("?view=play&n={n}")).await?;
    browser.wait_for("#board").await?;
    let mut first = None;
    let motion = browser
        .motion("main", async {
            first = browser
                .script(&format!("return (async () => {{ {OPEN_AND_SCROLL} }})();"), &[])
                .await?
                .as_f64();
            Ok(())
        })
        .await?;
    assert_complete(&browser, n).await?;
    Ok((motion, first.context("the script returned no time")?))
}

/// Filters and sorts the classes of N = `n`.
pub async fn filter_and_sort(browser: Browser, n: u32) -> Result<Motion> {
    browser.goto(&format!("?view=solutions&n={n}")).await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    let motion = browser
        .motion("main", async {
            browser
                .script(&format!("return (async () => {{ {FILTER_AND_SORT} }})();"), &[])
                .await
                .map(drop)
        })
        .await?;
    assert_complete(&browser, n).await?;
    Ok(motion)
}

/// Checks the view after all classes of N = `n` are found.
async fn assert_complete(browser: &Browser, n: u32) -> Result<()> {
    let known = known(n).and_then(Numbers::classes).context("no published numbers")?;
    let counts = browser.texts("#ledger .number").await?;
    let counts: Vec<String> = counts.iter().map(|count| count.replace(',', "")).collect();
    let ClassCounts { count2: two, count4: four, count8: eight } = known;
    ensure!(counts == [two, four, eight].map(|count| count.to_string()), "classes: {counts:?}");
    let drawn = browser.script("return document.querySelectorAll('.tile').length;", &[]).await?;
    ensure!(drawn != json!(0) && drawn.as_u64() < Some(600), "{drawn} boards are drawn");
    Ok(())
}

/// Folds and unfolds all solutions of N = 8. Returns the motion, and the longest time between two frames in
/// milliseconds.
pub async fn fold(browser: Browser) -> Result<(Motion, f64)> {
    const FOLD: &str = "
        const frame = () => new Promise(requestAnimationFrame);
        let longest = 0;
        for (let time = 0; time < 2; time++) {
            document.querySelector('#fold').click();
            // The first frame contains the click.
            let before = await frame();
            const begin = before;
            while (before - begin < 3000) {
                const now = await frame();
                longest = Math.max(longest, now - before);
                before = now;
            }
        }
        return longest;";
    browser.goto("?view=solutions&n=8").await?;
    browser.wait_for("#fold").await?;
    browser.settle().await?;
    let mut longest = None;
    let motion = browser
        .motion("main", async {
            let script = format!("return (async () => {{ {FOLD} }})();");
            longest = browser.script(&script, &[]).await?.as_f64();
            Ok(())
        })
        .await?;
    Ok((motion, longest.context("the script returned no time")?))
}
