//! Explore's race of two methods.

use anyhow::Result;
use queens_core::{Size, Stepped, Work};
use queens_tests::browser::explore::set_pace;
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![a_race_continues_until_both_searches_end, a_race_is_one_click_away_and_in_sight,]
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
    set_pace(&browser, 1).await?;
    press_enter(&browser, "#play").await?;
    browser.wait_for("#race[data-state='running']").await?;
    browser.wait_for("#race [data-method='symmetry'][data-done='true']").await?;
    browser.wait_for_text("#race [data-method='symmetry']", "1 board stands for 2").await?;
    browser.wait_for_text("#race-said", "7 Bitmap is still searching").await?;
    press_enter(&browser, "#play").await?;
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
    press_enter(&browser, "#forward").await?;
    browser.wait_until("the next move", clock, |now| *now == at + 1).await?;
    browser.press(Key::Right).await?;
    browser.wait_until("the move after it", clock, |now| *now == at + 2).await?;
    // With reduced motion, a fast race is over at once.
    browser.set_preferences(false, true).await?;
    set_pace(&browser, 2).await?;
    press_enter(&browser, "#play").await?;
    browser.wait_for("#race[data-state='over']").await?;
    assert_eq!(race(&browser).await?.0, [bitmap, symmetry]);
    let said = browser.text("#race-said").await?;
    assert!(said.starts_with(&format!("14 Symmetry put {symmetry} queens")), "{said}");
    Ok(())
}

/// Boards, maps, numbers, buttons and sentence are in sight without scrolling.
async fn a_race_is_one_click_away_and_in_sight(browser: Browser) -> Result<()> {
    browser.set_preferences(false, true).await?;
    for (width, height, least) in
        [(1280, 720, 0.5), (1440, 900, 0.5), (1920, 1080, 0.5), (390, 844, 0.15)]
    {
        browser.set_size(width, height).await?;
        browser.goto("?lang=en").await?;
        browser.click("#compare").await?;
        browser.wait_for("#play:focus").await?;
        browser.press(Key::Enter).await?;
        browser.wait_for("#race-why").await?;
        browser.settle().await?;
        let seen = browser
            .script(
                "const parts = ['.marked-board', '.map', '.race-found', '.race-work svg', '#play', '#race-said']
                     .flatMap((part) => [...document.querySelectorAll(`#race ${part}`)])
                     .map((part) => part.getBoundingClientRect());
                 return [Math.min(parts[0].width, parts[1].width) / innerHeight, parts.length,
                     parts.filter(({ top, bottom, right }) =>
                         top < 0 || bottom > innerHeight + 1 || right > innerWidth).length];",
                &[],
            )
            .await?;
        let [side, parts, hidden]: [f64; 3] = serde_json::from_value(seen)?;
        assert!(side > least, "{width}: {side}");
        assert_eq!((parts, hidden), (10.0, 0.0), "{width}");
        browser.assert_fits_the_width().await?;
        browser.screenshot(&format!("race-{width}")).await?;
    }
    browser.assert_accessible().await?;
    browser.focus("#race-end").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#board:focus").await?;
    // The race of larger boards has a sentence.
    browser.goto("?n=12&compare=symmetry&lang=en").await?;
    browser.wait_for_text("#race-said", "up to N = 10").await
}
