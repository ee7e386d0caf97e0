//! Explore's address, which stores the view's state; and the presentation layout.

use anyhow::Result;
use queens_tests::browser::explore::wait_for_step;
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        actions_update_the_address_and_a_button_copies_it,
        presentation_fits_board_and_explanation,
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
    browser.press(Key::Escape).await?;
    browser.wait_for_count(".presenting", 0).await?;
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

async fn presentation_fits_board_and_explanation(browser: Browser) -> Result<()> {
    let mut opened = "";
    for (width, height, least, language) in [
        (1366, 768, 0.7, "en"),
        (1440, 900, 0.7, "en"),
        (1024, 768, 0.5, "en"),
        (812, 375, 0.5, "en"),
        (1920, 1080, 0.7, "ja"),
        (2560, 1440, 0.7, "ja"),
        (3840, 2160, 0.7, "ja"),
        (375, 812, 0.3, "en"),
    ] {
        browser.set_size(width, height).await?;
        // The last window is narrow and needs a new page, because a page remembers whether it was
        // opened in a narrow window.
        if language != opened {
            browser.goto(&format!("?n=8&step=1480&present=1&lang={language}")).await?;
            wait_for_step(&browser, 1480).await?;
            opened = language;
        }
        let seen = browser
            .script(
                "const of = (selector) => document.querySelector(selector).getBoundingClientRect();
                 return [of('#board').height, of('#board').bottom, of('#why').bottom,
                     of('.transport').top, parseFloat(getComputedStyle(document.querySelector('#why')).fontSize),
                     [...document.querySelectorAll('.top-bar')]
                         .filter((each) => each.checkVisibility()).length,
                     document.documentElement.scrollHeight - innerHeight];",
                &[],
            )
            .await?;
        let [board, foot, why, bar, font, panels, below]: [f64; 7] = serde_json::from_value(seen)?;
        println!("{width} × {height}: board {board}, letters {font}");
        assert!(board >= least * f64::from(height), "{width} × {height}: {board}");
        assert!(foot <= bar && why <= bar, "{width} × {height}: {foot} {why} {bar}");
        assert!(font >= 0.02 * f64::from(width.min(height)), "{width} × {height}: {font}");
        assert_eq!(panels, 0.0);
        assert!(width < 1000 || below == 0.0, "{width} × {height}: {below}");
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
    let seen = browser
        .script(
            "const edges = (id) => document.querySelector(id).getBoundingClientRect();
             const line = edges('#code .current');
             return [scrollY, line.top, line.bottom, edges('.transport').top];",
            &[],
        )
        .await?;
    let [scrolled, top, bottom, transport]: [f64; 4] = serde_json::from_value(seen)?;
    assert_eq!(scrolled, 0.0);
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
