//! Explore's comparison of methods, and the table of their work.

use anyhow::Result;
use queens_core::{Size, Stepped, Work};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        a_race_continues_until_both_searches_end,
        links_lead_to_the_table_of_work,
        a_phone_shows_the_button_that_starts_the_race,
        a_presented_race_has_two_equal_boards,
        a_race_is_in_sight_in_place_of_the_board,
    ]
}

/// The queens placed by both searches of the race, and whether each is done.
async fn race(browser: &Browser) -> Result<(Vec<u64>, Vec<String>)> {
    let put = browser.attributes("#race [data-unit='put']", "data-count").await?;
    let done = browser.attributes("#race figure", "data-done").await?;
    Ok((put.iter().map(|count| count.parse()).collect::<Result<_, _>>()?, done))
}

async fn press_enter(browser: &Browser, button: &str) -> Result<()> {
    browser.focus(button).await?;
    browser.press(Key::Enter).await
}

async fn a_race_continues_until_both_searches_end(browser: Browser) -> Result<()> {
    browser.goto("?n=4&method=bitmap&compare=symmetry").await?;
    browser.wait_for("#race[data-state='still']").await?;
    assert_eq!(race(&browser).await?.1, ["false", "false"]);
    browser.choose("#race-speed", "watch").await?;
    press_enter(&browser, "#race-go").await?;
    browser.wait_for("#race[data-state='running']").await?;
    browser.wait_for("#race [data-method='symmetry'][data-done='true']").await?;
    browser.wait_for_text("#race [data-method='symmetry']", "1 board stands for 2").await?;
    browser.wait_for_text("#race-said", "7 Bitmap is still searching").await?;
    press_enter(&browser, "#race-go").await?;
    browser.wait_for("#race[data-state='still']").await?;
    let work = |method: Stepped| -> Result<Work> {
        let mut work = Work::default();
        method.search(Size::new(4)?, &mut work);
        Ok(work)
    };
    let [bitmap, symmetry] = [work(Stepped::Bitmap)?.placed, work(Stepped::Symmetry)?.placed];
    let (put, done) = race(&browser).await?;
    assert!(put[0] < bitmap && put[1] == symmetry && done == ["false", "true"], "{put:?}");
    browser.screenshot("explore-race").await?;
    // Both the button and the key of the board make one move.
    let clock = async || -> Result<u64> {
        Ok(browser.text("#race-clock").await?.trim_start_matches("Moves: ").parse()?)
    };
    let at = clock().await?;
    press_enter(&browser, "#race-move").await?;
    browser.wait_until("the next move", clock, |now| *now == at + 1).await?;
    browser.press(Key::Right).await?;
    browser.wait_until("the move after it", clock, |now| *now == at + 2).await?;
    // With reduced motion, a fast race is over at once.
    browser.set_preferences(false, true).await?;
    browser.choose("#race-speed", "fast").await?;
    press_enter(&browser, "#race-go").await?;
    browser.wait_for("#race[data-state='over']").await?;
    assert_eq!(race(&browser).await?.0, [bitmap, symmetry]);
    let said = browser.text("#race-said").await?;
    assert!(said.starts_with(&format!("14 Symmetry put {symmetry} queens")), "{said}");
    Ok(())
}

/// A link leads to the table of the work of all methods: its sentence and the first row are in sight.
async fn links_lead_to_the_table_of_work(browser: Browser) -> Result<()> {
    browser.set_size(1440, 900).await?;
    for n in [8, 7] {
        browser.goto(&format!("?n={n}&method=symmetry&tab=numbers&work=1")).await?;
        browser.wait_for("#efforts-table[data-complete='true']").await?;
        let in_sight = "return ['#least', '#efforts-table tbody tr']
                .map((part) => document.querySelector(part).getBoundingClientRect())
                .every(({ top, bottom }) => top > 0
                    && bottom < document.querySelector('.transport').getBoundingClientRect().top);";
        let in_sight = async || Ok(browser.script(in_sight, &[]).await? == true);
        browser.wait_until("the answer to be in sight", in_sight, |&is| is).await?;
    }
    browser.screenshot("compare-work").await?;
    browser.wait_until("the address", || browser.address(), |at| at.contains("work=1")).await?;
    // The ratio is in the first column after the names, where it is visible without scrolling.
    let hidden = browser
        .script(
            "const edge = document.querySelector('.efforts')
                 .getBoundingClientRect().right;
             return [...document.querySelectorAll('#efforts-table tbody td:first-of-type')]
                 .filter((cell) => cell.getBoundingClientRect().right > edge
                     || !cell.textContent.startsWith('×')).length;",
            &[],
        )
        .await?;
    assert_eq!(hidden, 0);
    for method in [Stepped::BruteForce, Stepped::Symmetry] {
        let mut work = Work::default();
        method.search(Size::new(7)?, &mut work);
        let row = format!("#efforts-table [data-method='{method}']");
        let shown = browser.attributes(&format!("{row} td[data-count]"), "data-count").await?;
        let cut: u64 = queens_core::Rule::ALL.into_iter().map(|rule| work.cut_by(rule)).sum();
        let Work { placed, looked_at, attacked, comparisons, .. } = work;
        let counts = [placed, looked_at, attacked, cut, comparisons, work.tally.met()];
        assert_eq!(shown, counts.map(|count| count.to_string()), "{method}");
    }
    // The work for another board is counted in place.
    browser.fill("#size", "5").await?;
    browser.wait_for_text("#efforts-summary", "N = 5").await?;
    browser.wait_for("#efforts-table[data-complete='true']").await.map(drop)
}

/// In a presentation, the race takes the place of the board. Its two boards have the same size and are as
/// large as the window allows. The Space key, which otherwise plays the search, starts and stops the race.
async fn a_presented_race_has_two_equal_boards(browser: Browser) -> Result<()> {
    for (width, height, least) in [(1366, 768, 0.5), (1920, 1080, 0.5), (375, 812, 0.18)] {
        browser.set_size(width, height).await?;
        browser.goto("?n=8&method=bitmap&compare=symmetry&present=1").await?;
        browser.wait_for("#race[data-state='still']").await?;
        let seen = browser
            .script(
                "const boards = [...document.querySelectorAll('#race .marked-board')]
                     .map((board) => board.getBoundingClientRect());
                 return [boards.map(({ width }) => width), boards.map(({ height }) => height),
                     boards[0].top === boards[1].top, document.querySelector('#board').checkVisibility(),
                     document.documentElement.scrollHeight <= innerHeight,
                     document.querySelector('#race-said').getBoundingClientRect().bottom
                         <= document.querySelector('.transport').getBoundingClientRect().top + 1];",
                &[],
            )
            .await?;
        let [sides, heights]: [[f64; 2]; 2] =
            serde_json::from_value(serde_json::json!([seen[0], seen[1]]))?;
        assert!((sides[0] - sides[1]).abs() < 1.0 && sides == heights, "{width}: {seen}");
        assert!(sides[0] >= least * f64::from(height), "{width}: {seen}");
        for (at, expected) in [(2, true), (3, false), (4, true), (5, true)] {
            assert_eq!(seen[at], expected, "{width}: {seen}");
        }
        browser.assert_fits_the_width().await?;
        browser.type_keys(" ").await?;
        browser.wait_for("#race[data-state='running']").await?;
        browser.type_keys(" ").await?;
        browser.wait_for("#race[data-state='still']").await?;
        browser.screenshot(&format!("race-presented-{width}")).await?;
    }
    browser.press(Key::Escape).await?;
    browser.wait_for_count(".presenting", 0).await?;
    browser.wait_for("#board").await.map(drop)
}

/// Without scrolling, both boards of the race with their numbers, its buttons and its sentence are in sight, and
/// nothing of the board's own search is. Another tab leads back to the board.
async fn a_race_is_in_sight_in_place_of_the_board(browser: Browser) -> Result<()> {
    browser.set_preferences(false, true).await?;
    for (width, height) in [(1280, 720), (1366, 768), (1440, 900), (1920, 1080)] {
        browser.set_size(width, height).await?;
        browser.goto("?method=backtracking&compare=symmetry").await?;
        browser.wait_for("#race[data-state='still']").await?;
        press_enter(&browser, "#race-go").await?;
        browser.wait_for("#race-why").await?;
        let seen = browser
            .script(
                "const parts = ['.marked-board', '.race-found', '.race-work svg', '#race-go', '#race-said']
                     .flatMap((part) => [...document.querySelectorAll(`#race ${part}`)])
                     .map((part) => part.getBoundingClientRect());
                 const idle = ['#board', '#why', '.shelf', '#map', '#play', '#step']
                     .filter((part) => document.querySelector(part)?.checkVisibility());
                 return [parts[0].width / innerHeight, parts.length, idle.length,
                     parts.filter(({ top, bottom, right }) =>
                         top < 0 || bottom > innerHeight || right > innerWidth).length,
                     document.documentElement.scrollHeight - innerHeight];",
                &[],
            )
            .await?;
        let [side, parts, idle, hidden, below]: [f64; 5] = serde_json::from_value(seen)?;
        assert!(side > 0.5, "{width}: {side}");
        assert_eq!((parts, idle, hidden), (8.0, 0.0, 0.0), "{width}");
        assert!(below <= 0.0, "{width}: {below}");
        browser.assert_fits_the_width().await?;
        browser.screenshot(&format!("race-{width}")).await?;
    }
    browser.assert_accessible().await?;
    browser.click("#tab-guide").await?;
    browser.wait_for_count("#race", 0).await?;
    anyhow::ensure!(
        browser.script("return document.querySelector('#board').checkVisibility();", &[]).await?
            == true
    );
    Ok(())
}

/// The race is in place of the board, so its boards are in sight.
async fn a_phone_shows_the_button_that_starts_the_race(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    browser.goto("?method=backtracking&compare=symmetry").await?;
    browser.wait_for("#race[data-state='still']").await?;
    browser.settle().await?;
    let edges = browser
        .script(
            "const of = (part) => document.querySelector(part).getBoundingClientRect();
             return [of('#race-go').top, of('#race .race-work').bottom, innerHeight];",
            &[],
        )
        .await?;
    let [button, numbers, height]: [f64; 3] = serde_json::from_value(edges)?;
    assert!(button >= 0.0 && numbers <= height, "{button} {numbers} {height}");
    browser.screenshot("race-phone").await.map(drop)
}
