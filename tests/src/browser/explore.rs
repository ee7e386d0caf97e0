//! Explore as tests read it from the page.

use anyhow::{Context, Result, ensure};
use queens_core::{Seek, Size, Stepped, Timeline, Tracer};

use super::Browser;

/// What the board and its panels show: the squares with their states, the step, the sentence, the
/// registers, the counters and the current line of code.
pub async fn picture(browser: &Browser) -> Result<String> {
    let seen = browser
        .script(
            "const text = (selector, read) =>
                 [...document.querySelectorAll(selector)].map(read).join(' ');
             return [
                 text('#board [data-row]', (square) => [square.dataset.row, square.dataset.column,
                     square.dataset.state, square.dataset.rule, square.dataset.fresh,
                     square.dataset.cell].join('/')),
                 document.querySelector('#step').dataset.step,
                 document.querySelector('#why').textContent,
                 text('[data-bits]', (register) => register.id + register.dataset.bits),
                 text('[data-count]', (counter) => counter.id + counter.dataset.count),
                 text('#code .current', (line) => line.dataset.line),
             ].join('\\n');",
            &[],
        )
        .await?;
    Ok(seen.as_str().context("the picture is not a text")?.to_owned())
}

/// The step that the board shows.
pub async fn step(browser: &Browser) -> Result<u64> {
    let step = browser.attributes("#step", "data-step").await?;
    Ok(step.first().context("the page shows no step")?.parse()?)
}

/// Waits until the board shows a step.
pub async fn wait_for_step(browser: &Browser, wanted: u64) -> Result<()> {
    browser.wait_for(&format!("#step[data-step='{wanted}']")).await.map(drop)
}

/// The squares of a board that `selector` matches, as rows and columns from the left.
pub async fn squares(browser: &Browser, selector: &str) -> Result<Vec<(u32, u32)>> {
    let squares = "return [...document.querySelectorAll(arguments[0])]
        .map(({ dataset }) => [Number(dataset.row), Number(dataset.column)]);";
    Ok(serde_json::from_value(browser.script(squares, &[selector.into()]).await?)?)
}

/// The columns, from the left, of the queens on the board, top row first.
pub async fn queens(browser: &Browser) -> Result<Vec<u32>> {
    let queens = squares(browser, "#board [data-state='queen']").await?;
    Ok(queens.into_iter().map(|(_, column)| column).collect())
}

/// The step of a method's first solution, and its columns from the left.
pub fn first_solution(method: Stepped, n: u32) -> Result<(u64, Vec<u32>)> {
    let mut timeline = Timeline::new(method, Size::new(n)?);
    let found = timeline.seek_next(|search| search.work().tally.met(), u64::MAX);
    ensure!(found == Seek::Found, "{found:?}");
    let placement = timeline.view().placement().context("no solution is on the board")?;
    Ok((timeline.step(), placement.columns_from_left().collect()))
}

/// The first steps of a search at which the keys for moves stop, from step 0 on: the board changes, or images are
/// compared.
pub fn beats(method: Stepped, n: u32, count: usize) -> Result<Vec<u64>> {
    let mut timeline = Timeline::new(method, Size::new(n)?);
    let mut steps = vec![0];
    let stops = |search: &Tracer| search.beats() + search.work().comparisons;
    while steps.len() < count && timeline.seek_next(stops, u64::MAX) == Seek::Found {
        steps.push(timeline.step());
    }
    Ok(steps)
}

/// Chooses a pace by its number on the slider, from slow to fast.
pub async fn set_pace(browser: &Browser, pace: u64) -> Result<()> {
    browser.slide("#speed", pace).await
}
