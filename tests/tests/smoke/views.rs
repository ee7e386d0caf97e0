//! Every view, and the way from one to another.

use anyhow::{Context, Result, ensure};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        every_view_opens_without_console_messages_and_is_accessible,
        every_view_fits_a_phone_and_speaks_japanese,
        history_restores_the_previous_state,
        views_can_be_embedded_without_the_top_bar,
    ]
}

/// The address of each view, and an element that shows that the view is ready.
const VIEWS: [(&str, &str); 10] = [
    ("view=explore&n=8&step=1480", "#code"),
    ("view=play&n=8&queens=0:0,0:5,3:3", "#board .conflict"),
    ("view=solutions&n=5&solution=1,4,2,0,3", "[data-testid=image]"),
    ("view=solutions&n=8", "#classes-status[data-state=done]"),
    ("view=count", "#begin"),
    ("view=results", "#server[data-state=live]"),
    ("view=learn", ".learn #to-explanation"),
    ("view=lesson&lesson=flags", ".lesson h1"),
    ("view=explanation", "[data-testid=figure]"),
    ("view=numbers", "#numbers [data-n='27']"),
];

/// Opens a view, without a check of the page that it leaves.
async fn open(browser: &Browser, query: &str, sign: &str) -> Result<()> {
    browser.client().goto(&format!("{}/?{query}", browser.base())).await?;
    browser.wait_for(sign).await.map(drop)
}

async fn every_view_opens_without_console_messages_and_is_accessible(
    browser: Browser,
) -> Result<()> {
    for (query, sign) in VIEWS {
        let check = async || -> Result<()> {
            open(&browser, query, sign).await?;
            browser.assert_accessible().await?;
            browser.assert_clean_console().await
        };
        check().await.context(query)?;
    }
    Ok(())
}

async fn every_view_fits_a_phone_and_speaks_japanese(browser: Browser) -> Result<()> {
    const IS_JAPANESE: &str =
        "return /[\\u3041-\\u3096]/.test(document.querySelector('main').textContent);";
    browser.set_phone().await?;
    for (query, sign) in VIEWS {
        let check = async || -> Result<()> {
            open(&browser, &format!("{query}&lang=ja"), &format!("html[lang=ja] {sign}")).await?;
            ensure!(browser.script(IS_JAPANESE, &[]).await? == true, "no Japanese text");
            browser.assert_fits_the_width().await?;
            browser.assert_clean_console().await
        };
        check().await.context(query)?;
    }
    Ok(())
}

async fn history_restores_the_previous_state(browser: Browser) -> Result<()> {
    let go = async |way: &str| browser.script(&format!("history.{way}();"), &[]).await;
    browser.goto("?n=6&method=symmetry&step=41").await?;
    browser.wait_for("#code").await?;
    browser.press(Key::Right).await?;
    browser.wait_for("#step[data-step='42']").await?;
    let picture =
        "return [...document.querySelectorAll('#board [data-state]')].map((s) => s.dataset.state);";
    let board = browser.script(picture, &[]).await?;
    browser.click("#view-learn").await?;
    browser.wait_for(".explanation #to-numbers").await?;
    browser.click("#to-numbers").await?;
    browser.wait_for("#numbers").await?;
    for (way, sign) in [("back", ".explanation"), ("back", "#board"), ("forward", ".explanation")] {
        go(way).await?;
        browser.wait_for(sign).await?;
    }
    browser.click("#back").await?;
    browser.wait_for("#step[data-step='42']").await?;
    assert_eq!(browser.script(picture, &[]).await?, board);
    Ok(())
}

async fn views_can_be_embedded_without_the_top_bar(browser: Browser) -> Result<()> {
    for (query, sign) in [
        ("?embed&n=6&step=20", "#step[data-step='20']"),
        ("?view=solutions&solution=1,3,0,2&embed", "#class"),
        ("?view=lesson&lesson=bitmap&seed=3&embed", ".lesson #board"),
        ("?view=play&n=6&embed=1", "#queens[data-count='0']"),
    ] {
        browser.goto(query).await?;
        browser.wait_for(sign).await?;
        assert_eq!(browser.count(".top-bar, .back").await?, 0);
        browser.assert_fits_the_width().await?;
    }
    // The page stays embedded while it is used.
    browser.click("#board [data-row='0'][data-column='1']").await?;
    browser.wait_for("#queens[data-count='1']").await?;
    assert_eq!(browser.address().await?, "/?view=play&n=6&queens=0:1&embed=1");
    browser.screenshot("everywhere-embed").await.map(drop)
}
