//! Explore's answers about closed squares, and ways that take longer than a frame.

use anyhow::{Context, Result};
use queens_core::{Completions, Method, Size, Timeline, View, representative};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        a_cut_branch_shows_its_solution_and_the_representative,
        a_cut_branch_without_a_solution_says_so,
        asked_by_keyboard_in_japanese,
        a_far_step_comes_at_once_when_it_has_been_visited,
        a_long_way_back_can_be_stopped,
    ]
}

fn view(method: Method, n: u32, step: u64) -> Result<View> {
    let mut timeline = Timeline::new(method, Size::new(n)?);
    timeline.seek(step, u64::MAX);
    Ok(timeline.view())
}

/// The closed squares of the board that no queen above attacks, as (row, column from the right).
fn closed(view: &View) -> Vec<(u32, u32)> {
    let n = view.size.get();
    let squares = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
    squares
        .filter(|&square| {
            view.rule(square).is_some() && view.branch(square).conflicts().next().is_none()
        })
        .filter(|&(row, column)| !view.rows()[row as usize].contains(column))
        .collect()
}

fn selector(n: u32, (row, column): (u32, u32)) -> String {
    format!("#board [data-row='{row}'][data-column='{}']", n - 1 - column)
}

/// The one square, as (row, column from the right), of a board of N = 8 that has a ring.
async fn rung(browser: &Browser, board: &str) -> Result<(u32, u32)> {
    let ring = format!("{board} .ring-line");
    let (x, y) = (browser.attributes(&ring, "cx").await?, browser.attributes(&ring, "cy").await?);
    let ([x], [y]) = (&x[..], &y[..]) else { anyhow::bail!("one ring on {board}, not {x:?}") };
    Ok((y.parse::<u32>()? / 40, 7 - x.parse::<u32>()? / 40))
}

async fn a_cut_branch_shows_its_solution_and_the_representative(browser: Browser) -> Result<()> {
    browser.goto("?n=8&step=1650").await?;
    browser.wait_for("#board [data-rule='upper-side']").await?;
    let view = view(Method::Symmetry, 8, 1650)?;
    let (mut seen, mut last) = (0, None);
    for square in closed(&view) {
        let Some(solution) = Completions::new(&view.branch(square)).next() else { continue };
        browser.click(&selector(8, square)).await?;
        let found = format!("#witness-solution[data-queens='{solution}']");
        browser.wait_for(&found).await.with_context(|| format!("{square:?}"))?;
        let smallest = representative(&solution);
        let shown = browser.attributes("#witness-representative", "data-queens").await?;
        assert_eq!(shown, [smallest.to_string()]);
        let text = browser.text("#witness-representative .mono").await?;
        assert_eq!(text, smallest.judgement_value().to_string());
        // A ring marks the square on the board, and the same queen on both small ones.
        for (board, queens) in [
            ("#board", solution),
            ("#witness-solution", solution),
            ("#witness-representative", smallest),
        ] {
            let at = rung(&browser, board).await?;
            assert!(queens.squares().any(|queen| queen == at), "{board}: {at:?} of {queens}");
            assert!(board == "#witness-representative" || at == square, "{board}: {at:?}");
        }
        let image = view.smaller_image(square).context("an image that is smaller")?;
        let named = browser.text("#asked-image").await?;
        let degrees = image.to_string().split('°').next().unwrap_or_default().to_owned();
        if let Ok(degrees) = degrees.parse::<u32>() {
            assert!(named.contains(&format!("{degrees}°")), "{named}");
        } else {
            assert!(named.contains("mirrored"), "{named}");
        }
        seen += 1;
        last = Some(square);
    }
    assert!(seen >= 2, "{seen} squares");
    browser.screenshot("explore-asked").await?;
    // The answer stays while the pointer goes elsewhere, and goes when the square is clicked again.
    let last = last.context("a closed square")?;
    browser.click(&selector(8, last)).await?;
    browser.wait_for_count("#witness", 0).await.map(drop)
}

async fn a_cut_branch_without_a_solution_says_so(browser: Browser) -> Result<()> {
    let mut found = None;
    'search: for step in 1..2000 {
        let view = view(Method::Symmetry, 6, step)?;
        for square in closed(&view) {
            if Completions::new(&view.branch(square)).next().is_none() {
                found = Some((step, square));
                break 'search;
            }
        }
    }
    let (step, square) = found.context("a branch without a solution")?;
    browser.goto(&format!("?n=6&step={step}")).await?;
    browser.click(&selector(6, square)).await?;
    browser.wait_for("#witness[data-found='none']").await?;
    assert!(browser.text("#witness").await?.contains("holds no solution"));
    Ok(())
}

async fn asked_by_keyboard_in_japanese(browser: Browser) -> Result<()> {
    browser.goto("?n=8&step=1650&lang=ja").await?;
    browser.focus("#board").await?;
    browser.press(Key::Enter).await?;
    let view = view(Method::Symmetry, 8, 1650)?;
    // To the upper-side square of row 1 at the left edge.
    for _ in 0..8 {
        browser.press(Key::Up).await?;
    }
    browser.press(Key::Down).await?;
    browser.wait_for("#board [data-row='1'][data-column='0']:focus").await?;
    let solution = Completions::new(&view.branch((1, 7))).next().context("a solution")?;
    browser.wait_for(&format!("#witness-solution[data-queens='{solution}']")).await?;
    assert!(browser.text("#asked").await?.contains("規則 1（上部サイド枝刈り）"));
    assert!(browser.text("#asked-image").await?.contains("90° 回転した像のほうが判定値が小さく"));
    assert_eq!(rung(&browser, "#board").await?, (1, 7));
    assert!(browser.text("#witness-representative figcaption").await?.starts_with("その代表"));
    browser.press(Key::Escape).await?;
    browser.wait_for_count("#witness", 0).await
}

async fn a_far_step_comes_at_once_when_it_has_been_visited(browser: Browser) -> Result<()> {
    // Ten million steps into N = 13, and the last step of N = 12.
    for (n, step) in [(13, 10_000_000), (12, 3_410_554)] {
        browser.goto(&format!("?n={n}&method=bitmap&step={step}")).await?;
        browser.wait_for(&format!("#step[data-step='{step}']")).await?;
        let mut timeline = Timeline::new(Method::Bitmap, Size::new(n)?);
        assert!(timeline.seek(step, u64::MAX));
        let queens: Vec<String> = (0..n)
            .zip(timeline.view().rows())
            .filter(|(_, queen)| !queen.is_empty())
            .map(|(row, queen): (u32, _)| format!("{row}/{}", n - 1 - queen.column()))
            .collect();
        // The quickest of five: other programs on the machine only add to it. It is below 100 ms
        // on a machine that does nothing else.
        let mut took = f64::INFINITY;
        for _ in 0..5 {
            browser.click("#first").await?;
            browser.wait_for("#step[data-step='0']").await?;
            let milliseconds = browser
                .script(
                    "const there = () => document.querySelector(`#step[data-step='${arguments[0]}']`);
                     const begin = performance.now();
                     document.querySelector('#last').click();
                     return new Promise((done) => {
                         const look = () =>
                             there() ? done(performance.now() - begin) : requestAnimationFrame(look);
                         look();
                     });",
                    &[json!(step)],
                )
                .await?;
            took = took.min(milliseconds.as_f64().context("a time")?);
        }
        println!("N = {n}: step {step} after {took:.1} ms");
        assert!(took < 1000.0, "N = {n}: {took} ms");
        let seen = browser
            .script(
                "return [...document.querySelectorAll(\"#board [data-state='queen']\")]
                     .map(({ dataset }) => `${dataset.row}/${dataset.column}`);",
                &[],
            )
            .await?;
        assert_eq!(seen, json!(queens));
    }
    Ok(())
}

async fn a_long_way_back_can_be_stopped(browser: Browser) -> Result<()> {
    // The first solution of N = 24 by backtracking comes after millions of steps.
    browser.goto("?n=24&method=backtracking").await?;
    browser.wait_for("#step[data-step='0']").await?;
    browser.click("#next-solution").await?;
    browser.wait_for("#stop").await?;
    browser.wait_for_text(".transport-status", "Looking for the next solution").await?;
    browser.click("#stop").await?;
    browser.wait_for_count("#stop", 0).await?;
    let step: u64 = browser.attributes("#step", "data-step").await?.remove(0).parse()?;
    assert!(step > 0);
    let view = view(Method::Backtracking, 24, step)?;
    let queens = view.rows().iter().filter(|queen| !queen.is_empty()).count();
    browser.wait_for_count("#board [data-state='queen']", queens).await?;
    // No solution lies before: the way there and back ends where it began.
    browser.click("#previous-solution").await?;
    browser.wait_for_text("#notice", "no solution before").await?;
    browser.wait_for(&format!("#step[data-step='{step}']")).await.map(drop)
}
