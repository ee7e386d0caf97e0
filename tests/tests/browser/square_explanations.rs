//! Explore's answers about closed squares, and jumps that take longer than a frame.

use anyhow::{Context, Result};
use queens_core::{
    Completions, Placement, Size, Square, Stepped, Timeline, View, notation, representative,
};
use queens_tests::browser::explore::queens;
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        a_pruned_branch_shows_a_solution_and_leads_to_its_representative,
        distant_steps_are_shown_or_the_jump_can_be_stopped,
    ]
}

fn view(method: Stepped, n: u32, step: u64) -> Result<View> {
    let mut timeline = Timeline::new(method, Size::new(n)?);
    timeline.seek(step, u64::MAX);
    Ok(timeline.view())
}

/// The closed squares that no queen above attacks.
fn closed(view: &View) -> Vec<Square> {
    Square::all(view.size)
        .filter(|&square| {
            view.rule(square).is_some() && view.branch(square).conflicts().next().is_none()
        })
        .filter(|square| view.rows()[square.row() as usize] != square.bit())
        .collect()
}

fn selector(square: Square) -> String {
    let (row, column) = square.to_left();
    format!("#board [data-row='{row}'][data-column='{column}']")
}

/// The only square with a ring on a board of N = 8.
async fn ringed_square(browser: &Browser, board: &str) -> Result<Square> {
    let ring = format!("{board} .ring-line");
    let (x, y) = (browser.attributes(&ring, "cx").await?, browser.attributes(&ring, "cy").await?);
    let ([x], [y]) = (&x[..], &y[..]) else { anyhow::bail!("one ring on {board}, not {x:?}") };
    Ok(Square::from_left(Size::new(8)?, y.parse::<u32>()? / 40, x.parse::<u32>()? / 40)?)
}

async fn a_pruned_branch_shows_a_solution_and_leads_to_its_representative(
    browser: Browser,
) -> Result<()> {
    browser.goto("?n=8&step=1650").await?;
    browser.wait_for("#board [data-rule='upper-side']").await?;
    let view = view(Stepped::Symmetry, 8, 1650)?;
    let mut seen = vec![];
    for square in closed(&view) {
        let Some(solution) = Completions::new(&view.branch(square)).next() else { continue };
        browser.click(&selector(square)).await?;
        let found = format!("#witness-solution[data-queens='{solution}']");
        browser.wait_for(&found).await.with_context(|| format!("{square:?}"))?;
        let smallest = representative(&solution);
        let shown = browser.attributes("#witness-representative", "data-queens").await?;
        assert_eq!(shown, [smallest.to_string()]);
        let text = browser.text("#witness-representative .mono:not(.value)").await?;
        assert_eq!(text, notation::write_columns(smallest.columns_from_left()));
        for (board, queens) in [("solution", &solution), ("representative", &smallest)] {
            let value = browser.text(&format!("#witness-{board} .value")).await?;
            assert_eq!(value, queens.judgement_value().to_string());
        }
        // A ring marks the square on the board, and the same queen on both small boards.
        for (board, queens) in [
            ("#board", solution),
            ("#witness-solution", solution),
            ("#witness-representative", smallest),
        ] {
            let at = ringed_square(&browser, board).await?;
            assert!(queens.squares().any(|queen| queen == at), "{board}: {at:?} of {queens}");
            assert!(board == "#witness-representative" || at == square, "{board}: {at:?}");
        }
        seen.push((square, smallest));
        if seen.len() == 2 {
            break;
        }
    }
    assert_eq!(seen.len(), 2);
    browser.screenshot("explore-asked").await?;
    // The answer disappears when the square is clicked again, and stays when the pointer moves away.
    let [_, (square, smallest)] = seen[..] else { unreachable!() };
    browser.click(&selector(square)).await?;
    browser.wait_for_count("#witness", 0).await?;
    browser.click(&selector(square)).await?;
    browser.click("#asked").await?;
    check_way_to(&browser, &smallest).await
}

/// Follows the links of an answer to the step of the representative and to its images.
async fn check_way_to(browser: &Browser, smallest: &Placement) -> Result<()> {
    browser.focus("#witness-step").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_count("#board [data-state=queen]", 8).await?;
    let columns = queens(browser).await?;
    assert_eq!(Placement::from_left(&columns)?, *smallest);
    // The solution is reached by the search, and a button leads back to the question.
    browser.wait_for("#board.solved").await?;
    browser.wait_for_text("#why", "A solution that represents a class").await?;
    browser.wait_for_count("#board .ring", 0).await?;
    browser.focus("#return").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#step[data-step='1650']").await?;
    browser.wait_for("#board .ring").await?;
    browser.wait_for_count("#return", 0).await?;
    browser.focus("#witness-images").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#class").await?;
    let solution = columns.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    assert!(browser.address().await?.contains(&format!("solution={solution}")));
    Ok(())
}

async fn distant_steps_are_shown_or_the_jump_can_be_stopped(browser: Browser) -> Result<()> {
    let (n, step) = (12, 3_000_000);
    browser.goto(&format!("?n={n}&method=bitmap&step={step}")).await?;
    browser.wait_for(&format!("#step[data-step='{step}']")).await?;
    let placed = view(Stepped::Bitmap, n, step)?.placed();
    let placed: Vec<_> = placed.squares().map(|queen| queen.to_left().1).collect();
    assert_eq!(queens(&browser).await?, placed);
    // The first solution of N = 24 by backtracking comes after millions of steps.
    browser.goto("?n=24&method=backtracking").await?;
    browser.wait_for("#step[data-step='0']").await?;
    browser.click("#next").await?;
    browser.wait_for("#stop").await?;
    browser.wait_for_text(".messages", "Searching, now at move").await?;
    browser.click("#stop").await?;
    browser.wait_for_count("#stop", 0).await?;
    let step: u64 = browser.attributes("#step", "data-step").await?.remove(0).parse()?;
    assert!(step > 0);
    let view = view(Stepped::Backtracking, 24, step)?;
    let queens = view.rows().iter().filter(|queen| !queen.is_empty()).count();
    browser.wait_for_count("#board [data-state='queen']", queens).await?;
    // No earlier solution exists, so the search returns to where it began.
    browser.focus("#board").await?;
    browser.type_keys("S").await?;
    browser.wait_for_text("#notice", "no solution before").await?;
    browser.wait_for(&format!("#step[data-step='{step}']")).await.map(drop)
}
