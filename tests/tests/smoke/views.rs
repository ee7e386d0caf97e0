//! Every view, and the way from one to another.

use anyhow::{Context, Result, ensure};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        every_view_opens_without_console_messages_and_is_accessible,
        every_view_fits_a_phone_and_speaks_japanese,
        links_and_history_lead_through_the_views_without_a_reload,
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

async fn links_and_history_lead_through_the_views_without_a_reload(browser: Browser) -> Result<()> {
    let go = async |way: &str| browser.script(&format!("history.{way}();"), &[]).await;
    browser.goto("?n=6&method=symmetry&step=41").await?;
    browser.wait_for("#code").await?;
    browser.press(Key::Right).await?;
    browser.wait_for("#step[data-step='42']").await?;
    let picture =
        "return [...document.querySelectorAll('#board [data-state]')].map((s) => s.dataset.state);";
    let board = browser.script(picture, &[]).await?;
    browser.script("window.same = true;", &[]).await?;
    browser.click("#view-learn").await?;
    browser.wait_for(".explanation #to-numbers").await?;
    browser.click("#to-numbers").await?;
    // The worker counts the work, of which the last column is the growth.
    browser.wait_for_text("#work-table [data-method=symmetry]", "×").await?;
    browser.click("#numbers [data-n='6'] a").await?;
    browser.wait_for("#fold-sum").await?;
    assert_eq!(browser.address().await?, "/?view=solutions&n=6&together=1");
    // The history contains views, not steps.
    let explore = "#step[data-step='42']";
    let learn = ".explanation";
    for (way, sign) in
        [("back", "#numbers"), ("back", learn), ("back", explore), ("forward", learn)]
    {
        go(way).await?;
        browser.wait_for(sign).await?;
    }
    browser.click("#back").await?;
    browser.wait_for(explore).await?;
    assert_eq!(browser.script(picture, &[]).await?, board);
    let is_same = browser.script("return window.same === true;", &[]).await?;
    ensure!(is_same == true, "a link has reloaded the page");
    Ok(())
}
