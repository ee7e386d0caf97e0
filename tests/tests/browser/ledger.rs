//! The ledger of Classes: each term of its formulas links to the boards that it counts. A sentence
//! below says how many solutions these boards represent.

use anyhow::{Context, Result};
use queens_core::{Class, known::known};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use queens_tests::facts::grouped;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![terms_and_filters_select_boards]
}

/// Clicks a term of a formula and waits for the boards of these classes only.
async fn click_term(browser: &Browser, term: &str, counts: &[(Class, u64)]) -> Result<()> {
    browser.click(term).await?;
    let shelves = || async {
        let ids = browser.attributes("[data-testid^=shelf]", "data-testid").await?;
        let boards = browser.attributes("[data-testid^=shelf]", "data-boards").await?;
        Ok(ids.into_iter().zip(boards).collect::<Vec<_>>())
    };
    let expected: Vec<_> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(class, count)| (format!("shelf-{class}"), count.to_string()))
        .collect();
    browser.wait_until(term, shelves, |shown| *shown == expected).await?;
    Ok(())
}

async fn terms_and_filters_select_boards(browser: Browser) -> Result<()> {
    let known = known(12).context("no known N")?;
    let counts = [Class::Two, Class::Four, Class::Eight].map(|class| (class, known.class(class)));
    browser.goto("?view=solutions&n=12").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    let fixed_by_half_turn = &counts[..2];
    for (term, counts) in [
        ("#formula-total .summand:nth-of-type(2)", &counts[1..2]),
        ("#formula-total .summand:nth-of-type(4)", &counts[..]),
        ("#formula-burnside .summand:nth-of-type(2)", fixed_by_half_turn),
    ] {
        click_term(&browser, term, counts).await?;
        let is_all = counts.len() == 3;
        browser.wait_for_count("#stands-for", usize::from(!is_all)).await?;
    }
    // The last clicked term is the H of Burnside's formula. Its boards represent H solutions.
    let half: u64 = fixed_by_half_turn.iter().map(|(class, count)| class.members() * count).sum();
    assert_eq!(half, known.turns().half);
    browser.wait_for_text("#stands-for", &format!("= {}", grouped(half))).await?;
    browser.choose("#class-choice", "all").await?;
    browser.wait_for_count("#stands-for", 0).await?;
    browser.choose("#first-choice", "corner").await?;
    browser.wait_for_text("#stands-for", "Representatives shown: ").await
}
