//! Learn: terms link to their explanations and back, and sections have addresses.

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![terms_have_tooltips_and_link_to_their_explanation, sections_have_addresses,]
}

/// The distance of an element from the top of the window, in pixels.
async fn top(browser: &Browser, id: &str) -> Result<f64> {
    let top = browser
        .script(
            "return document.getElementById(arguments[0]).getBoundingClientRect().top;",
            &[json!(id)],
        )
        .await?;
    top.as_f64().context("no position")
}

/// Waits until an element is at the top of the window, below the back link, or as close to it as
/// the end of the page allows.
async fn wait_at_top(browser: &Browser, id: &str) -> Result<()> {
    browser.wait_for(&format!("[id='{id}']")).await?;
    browser
        .wait_until(
            &format!("{id} to be in sight"),
            async || {
                let end = "const { scrollHeight } = document.documentElement;
                           return scrollY + innerHeight >= scrollHeight - 1;";
                let at_end = browser.script(end, &[]).await? == true;
                Ok((top(browser, id).await?, at_end))
            },
            |&(top, at_end)| (0.0..120.0).contains(&top) || at_end && (0.0..800.0).contains(&top),
        )
        .await
        .map(drop)
}

/// Follows the links of some terms. `terms_lead_to_their_glossary_entries` in web/src/app checks the
/// addresses of all of them.
async fn terms_have_tooltips_and_link_to_their_explanation(browser: Browser) -> Result<()> {
    browser.goto("?n=8&step=1480&ask=1:7").await?;
    browser.wait_for(".asked .term a").await?;
    let shown = "return getComputedStyle(document.querySelector('.asked .term-tip')).visibility;";
    assert_eq!(browser.script(shown, &[]).await?, "hidden");
    browser.tab_to(".asked .term a").await?;
    assert_eq!(browser.script(shown, &[]).await?, "visible");
    browser.wait_for_text(".asked .term-tip", "no queen may stand in a side column").await?;
    browser.screenshot("learn-tip").await?;
    for (state, sign, words) in [
        ("step=1480", "#step[data-step='1480']", ["sidemask", "bound1"]),
        ("view=solutions&solution=5,3,6,0,7,1,4,2&lang=ja", "#class", ["class", "image"]),
        ("view=solutions&n=9&lang=ja", "#formula-burnside", ["total", "burnside"]),
    ] {
        browser.goto(&format!("?{state}")).await?;
        browser.wait_for(sign).await?;
        let here = browser.address().await?;
        for word in words {
            // Legends and panels are collapsed at first.
            browser
                .script(
                    "for (const closed of document.querySelectorAll('details:not([open])'))
                         closed.open = true;",
                    &[],
                )
                .await?;
            browser.click(&format!(".term a[href$='#{word}']")).await?;
            wait_at_top(&browser, word).await.with_context(|| format!("{word} of {state}"))?;
            browser.wait_for(&format!(".word.wanted[id='{word}']")).await?;
            browser.click("#back").await?;
            browser.wait_for(sign).await.with_context(|| format!("back from {word}"))?;
            assert_eq!(browser.address().await?, here);
        }
    }
    browser.goto("?step=490").await?;
    browser.wait_for("#register-sidemask .term a").await?;
    let down = "scrollTo(0, 10_000); return scrollY > 0;";
    // Scroll down before following the term, and again before going back: neither view opens at the
    // scroll position of the other.
    for to in ["#register-lastmask .term a", "#back"] {
        browser.script(down, &[]).await?;
        browser.script("document.querySelector(arguments[0]).click();", &[json!(to)]).await?;
        if to == "#back" {
            browser.wait_for("#step[data-step='490']").await?;
            assert_eq!(browser.script("return scrollY;", &[]).await?, 0);
        } else {
            wait_at_top(&browser, "lastmask").await?;
        }
    }
    // Another solution of the same size does not change the search.
    browser.click("#view-solutions").await?;
    browser.click(".all-tiles li:nth-child(2) a").await?;
    browser.wait_for("#class").await?;
    browser.click("#view-explore").await?;
    browser.wait_for("#step[data-step='490']").await.map(drop)
}

async fn sections_have_addresses(browser: Browser) -> Result<()> {
    for address in
        ["?view=explanation#cuts", "?view=numbers#bound2", "?view=explanation&lang=ja#cells"]
    {
        browser.goto(address).await?;
        let (_, id) = address.split_once('#').context("no section")?;
        wait_at_top(&browser, id).await?;
        // After a reload the section is still at the top.
        browser.client().refresh().await?;
        wait_at_top(&browser, id).await.with_context(|| format!("{address}, reloaded"))?;
        assert_eq!(browser.address().await?, format!("/{address}"));
        browser.wait_for("#view-learn[aria-current=page]").await?;
    }
    // The glossary was in the overview of Learn.
    browser.goto("?view=learn#bound2").await?;
    browser.wait_for("#bound2.wanted").await?;
    // Follow a link of the table of contents, and go back with the browser's button.
    browser.goto("?view=explanation").await?;
    browser.click("#contents summary").await?;
    browser.click("nav a[href='#total']").await?;
    wait_at_top(&browser, "total").await?;
    browser.client().back().await?;
    browser.wait_for(".explanation").await.map(drop)
}
