//! The ledger of Classes: its terms link to the boards that they count, and explain how the number
//! follows from the boards.

use anyhow::{Context, Result};
use queens_core::{Class, Placement, Size, Transform, oracle, representative};
use queens_core::{Numbers, known::known};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        terms_of_the_total_filter_their_boards,
        terms_of_burnsides_lemma_filter_their_boards,
        filters_state_how_many_solutions_they_represent,
    ]
}

/// Boards with classes of two sizes and of three: without size 4, and without size 2.
const SIZES: [u32; 3] = [5, 8, 12];

async fn open(browser: &Browser, n: u32, language: &str) -> Result<()> {
    browser.goto(&format!("?view=classes&n={n}&lang={language}")).await?;
    browser.wait_for("#classes-status[data-state=done]").await.map(drop)
}

fn numbers(n: u32) -> Result<(&'static Numbers, [(Class, u64); 3])> {
    let known = known(n).context("no known N")?;
    Ok((known, [Class::Two, Class::Four, Class::Eight].map(|class| (class, known.class(class)))))
}

/// A number as the page formats it: 14,200.
fn grouped(number: u64) -> String {
    if number < 1000 {
        number.to_string()
    } else {
        format!("{},{:03}", number / 1000, number % 1000)
    }
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

/// The sentence about the number of solutions that the boards represent.
fn sum(counts: &[(Class, u64)]) -> (String, u64) {
    let counts: Vec<_> = counts.iter().filter(|(_, count)| *count > 0).collect();
    let terms: Vec<_> =
        counts.iter().map(|(class, count)| format!("{class}·{}", grouped(*count))).collect();
    let total = counts.iter().map(|(class, count)| class.members() * count).sum();
    (format!("{} = {}", terms.join(" + "), grouped(total)), total)
}

async fn terms_of_the_total_filter_their_boards(browser: Browser) -> Result<()> {
    for n in SIZES {
        let (known, counts) = numbers(n)?;
        open(&browser, n, "en").await?;
        let terms = counts.map(|(class, count)| format!("{class}·{}", grouped(count)));
        let line = format!("{} = {}", terms.join(" + "), grouped(known.total()));
        assert_eq!(browser.text("#formula-total dd.mono").await?, line);
        for (place, counted) in (1..).zip(counts) {
            let term = format!("#formula-total .summand:nth-of-type({place})");
            assert_eq!(browser.text(&term).await?, grouped(counted.1), "N = {n}");
            click_term(&browser, &term, &[counted]).await?;
            if counted.1 > 0 {
                browser.wait_for_text("#stands-for", &sum(&[counted]).0).await?;
            } else {
                browser.wait_for("[data-testid=nothing-chosen]").await?;
                assert_eq!(browser.count("#stands-for").await?, 0);
            }
        }
        let total = "#formula-total .summand:nth-of-type(4)";
        assert_eq!(browser.text(total).await?, grouped(known.total()));
        click_term(&browser, total, &counts).await?;
        assert_eq!(browser.count("#stands-for").await?, 0);
    }
    Ok(())
}

/// The number of solutions that a transform maps to themselves, by the naive solver.
fn fixed_by(transform: Transform, n: u32) -> Result<u64> {
    let mut left = 0;
    oracle::solutions(Size::new(n)?, &mut |placement: &Placement| {
        left += u64::from(transform.apply(placement) == *placement);
    });
    Ok(left)
}

async fn terms_of_burnsides_lemma_filter_their_boards(browser: Browser) -> Result<()> {
    for n in SIZES {
        let (known, counts) = numbers(n)?;
        let (half, quarter) = (known.turns().half, known.turns().quarter);
        if n < 9 {
            assert_eq!(fixed_by(Transform::Turn180, n)?, half);
            assert_eq!(fixed_by(Transform::Turn90, n)?, quarter);
        }
        assert_eq!((known.total() + half + 2 * quarter) / 8, known.unique());
        open(&browser, n, "en").await?;
        let numbers = [known.total(), half, quarter, known.unique()].map(grouped);
        let [total, h, r, unique] = &numbers;
        let line = format!("({total} + {h} + 2·{r}) / 8 = {unique}");
        assert_eq!(browser.text("#formula-burnside dd.mono").await?, line);
        let turned = &counts[..2];
        let boards: [&[(Class, u64)]; 4] = [&counts, turned, &counts[..1], &counts];
        for (place, (number, boards)) in (1..).zip(numbers.iter().zip(boards)) {
            let term = format!("#formula-burnside .summand:nth-of-type({place})");
            assert_eq!(browser.text(&term).await?, *number, "N = {n}");
            click_term(&browser, &term, boards).await?;
        }
        // The boards of H and R represent as many solutions as the term that links to them.
        assert_eq!(sum(turned).1, half);
        assert_eq!(sum(&counts[..1]).1, quarter);
        click_term(&browser, "#formula-burnside .summand:nth-of-type(2)", turned).await?;
        browser.wait_for_text("#stands-for", &sum(turned).0).await?;
    }
    Ok(())
}

async fn filters_state_how_many_solutions_they_represent(browser: Browser) -> Result<()> {
    let size = Size::new(8)?;
    let mut corner = 0;
    oracle::solutions(size, &mut |placement| {
        let first = placement.columns_from_right().first();
        corner += u64::from(representative(placement) == *placement && first == Some(&0));
    });
    for (language, turned, all_corners) in [
        ("en", "Representatives shown: 22.", format!("Representatives shown: {corner}.")),
        ("ja", "代表は 22 個", format!("代表は {corner} 個")),
    ] {
        open(&browser, 12, language).await?;
        browser.choose("#class-choice", "turned").await?;
        browser.wait_for_text("#stands-for", turned).await?;
        browser.wait_for_text("#stands-for", "2·4 + 4·18 = 80").await?;
        open(&browser, 8, language).await?;
        browser.choose("#first-choice", "corner").await?;
        browser.wait_for_text("#stands-for", &all_corners).await?;
        let sum = format!("8·{corner} = {}", 8 * corner);
        browser.wait_for_text("#stands-for", &sum).await?;
        browser.choose("#first-choice", "any").await?;
        browser.wait_for_count("#stands-for", 0).await?;
    }
    Ok(())
}
