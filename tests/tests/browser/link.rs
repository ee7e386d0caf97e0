//! Explore's address, which stores the view's state; and the presentation layout.

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        actions_update_the_address_and_a_button_copies_it,
        a_presentation_fits_and_its_board_is_not_smaller,
        a_presentation_opens_at_the_top,
    ]
}

async fn actions_update_the_address_and_a_button_copies_it(browser: Browser) -> Result<()> {
    browser.set_size(1280, 900).await?;
    browser.goto("?n=8&step=1480").await?;
    browser.wait_for("#step[data-step='1480']").await?;
    browser.click("#hex").await?;
    browser.click("#board [data-row='1'][data-column='0']").await?;
    browser.wait_for("#asked").await?;
    browser.focus("#board").await?;
    browser.type_keys("f").await?;
    browser.wait_for(".presenting").await?;
    let address = async || browser.address().await;
    let wanted = "/?step=1480&hex=1&ask=1:0&present=1";
    browser.wait_until(wanted, address, |now| now == wanted).await?;
    // The address restores what it names.
    browser.client().refresh().await?;
    browser.wait_for("#step[data-step='1480']").await?;
    browser.wait_for(".presenting").await?;
    browser.wait_for("#board .ring").await?;
    browser.wait_for_text("#asked", "Row 1, column 0").await?;
    for innermost in ["#asked", ".presenting"] {
        browser.press(Key::Escape).await?;
        browser.wait_for_count(innermost, 0).await?;
    }
    browser.wait_for_text("#register-mask .register-hex", "FF").await?;
    // The selected square belongs to one search, so another size clears it.
    browser.fill("#size", "33").await?;
    browser.wait_for_text("#size-error", "N = 33 is too large").await?;
    browser.fill("#size", "７").await?;
    let wanted = "/?n=7&method=symmetry&hex=1";
    browser.wait_until(wanted, address, |now| now == wanted).await?;
    browser
        .script("navigator.clipboard.writeText = async (text) => { window.copied = text; };", &[])
        .await?;
    crate::open_share(&browser).await?;
    browser.focus("#copy-link").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_text("#copy-link", "Copied").await?;
    let copied = browser.script("return window.copied;", &[]).await?;
    assert_eq!(copied, json!(format!("{}{wanted}", browser.base())));
    Ok(())
}

async fn a_presentation_fits_and_its_board_is_not_smaller(browser: Browser) -> Result<()> {
    for (width, height, least, language) in [
        (1280, 720, 0.7, "en"),
        (1366, 768, 0.7, "en"),
        (1440, 900, 0.7, "en"),
        (1024, 768, 0.5, "en"),
        (812, 375, 0.5, "en"),
        (1920, 1080, 0.7, "ja"),
        (2560, 1440, 0.7, "ja"),
        (3840, 2160, 0.7, "ja"),
        (375, 812, 0.3, "en"),
    ] {
        let window = format!("{width} × {height}");
        browser.set_size(width, height).await?;
        browser.goto(&format!("?n=8&step=1480&lang={language}")).await?;
        browser.wait_for("#code .current").await?;
        let [_, top, _, bottom] = browser.edges("#board").await?;
        let side = bottom - top;
        browser.focus("#board").await?;
        browser.type_keys("f").await?;
        browser.wait_for(".presenting").await?;
        browser.settle().await?;
        let [_, top, right, bottom] = browser.edges("#board").await?;
        let [_, _, _, sentence] = browser.edges("#why").await?;
        let [_, transport, _, _] = browser.edges(".transport").await?;
        let rest = "return [parseFloat(getComputedStyle(document.querySelector('#why')).fontSize),
             [...document.querySelectorAll('.top-bar')].filter((bar) => bar.checkVisibility()).length,
             document.documentElement.scrollHeight - innerHeight];";
        let [font, bars, below] = browser.numbers(rest, &[]).await?;
        println!("{window}: board {side}, then {}, letters {font}", bottom - top);
        assert!(bottom - top >= least * f64::from(height), "{window}: {}", bottom - top);
        assert!(bottom <= transport && sentence <= transport, "{window}: {bottom} {sentence}");
        assert!(font >= 0.02 * f64::from(width.min(height)), "{window}: {font}");
        assert_eq!(bars, 0.0, "{window}");
        if width > 1000 {
            assert!(bottom - top >= side && below == 0.0, "{window}: {} {below}", bottom - top);
            let [left, above, _, end] = browser.edges("#code .current").await?;
            assert!(left > right && above >= sentence && end <= transport, "{window}: {above}");
        }
        browser.assert_fits_the_width().await?;
        browser.screenshot(&format!("presenting-{width}")).await?;
    }
    browser.set_size(1366, 768).await?;
    browser.click("#more").await?;
    browser.click("#present").await?;
    browser.wait_for_count(".presenting", 0).await?;
    browser.wait_for(".top-bar #size").await.map(drop)
}

/// The panels next to the board are long, so the page may be scrolled when the presentation begins.
async fn a_presentation_opens_at_the_top(browser: Browser) -> Result<()> {
    browser.set_size(1440, 900).await?;
    browser.goto("?n=8&step=1480").await?;
    browser.wait_for("#code .current").await?;
    browser.set_size(1000, 600).await?;
    browser.focus("#board").await?;
    browser.script("scrollTo(0, 900);", &[]).await?;
    browser.type_keys("f").await?;
    browser.wait_for(".presenting").await?;
    browser.settle().await?;
    assert_eq!(browser.script("return scrollY;", &[]).await?, json!(0));
    let [_, top, _, bottom] = browser.edges("#code .current").await?;
    let [_, transport, _, _] = browser.edges(".transport").await?;
    assert!(0.0 < top && top < bottom && bottom <= transport, "{top} {bottom} {transport}");
    browser.screenshot("presenting-from-below").await?;
    // The key that plays must not press the button that began the presentation.
    for query in ["?n=8&method=backtracking&step=52", "?compare=bitmap"] {
        browser.goto(query).await?;
        browser.click("#more").await?;
        browser.click("#present").await?;
        browser.wait_for(".presenting").await?;
        browser.type_keys(" ").await?;
        browser.wait_for("#play[aria-label='Pause'], #race[data-state='running']").await?;
        assert_eq!(browser.count(".presenting").await?, 1, "{query}");
    }
    // Escape ends first the presentation, then the race.
    browser.press(Key::Escape).await?;
    browser.wait_for_count(".presenting", 0).await?;
    browser.wait_for("#race").await?;
    browser.press(Key::Escape).await?;
    browser.wait_for("#board:focus").await.map(drop)
}
