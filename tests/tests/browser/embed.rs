//! Explore embedded in another page, and the first visit.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use anyhow::{Context, Result};
use queens_core::{Event, Rule, Size, Stepped, Tracer};
use queens_tests::browser::explore::beats;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        works_embedded_in_another_page,
        embedded_board_and_controls_are_visible,
        a_first_visit_offers_to_play_the_search,
    ]
}

/// Returns the address of a page on another origin that shows `address` in a frame. Its server is a
/// thread that ends with the tests.
fn framing(address: String) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let own = format!("http://{}/", listener.local_addr()?);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let page = format!(
                "<!DOCTYPE html><link rel=icon href=data:,><div id=above></div>\
                 <iframe width=800 height=600 src=\"{address}\"></iframe>"
            );
            let mut request = [0; 4096];
            // A browser that has closed the connection needs no response.
            let _ = stream.read(&mut request);
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n{page}",
                page.len()
            );
        }
    });
    Ok(own)
}

async fn works_embedded_in_another_page(browser: Browser) -> Result<()> {
    let base = browser.base();
    let framed = framing(format!("{base}/?n=6&amp;step=12&amp;embed"))?;
    browser.client().goto(&framed).await?;
    browser.client().clone().enter_frame(0).await?;
    browser.wait_for("#board").await?;
    browser.wait_for("#step[data-step='12']").await?;
    browser.wait_for("#why").await?;
    for hidden in [".top-bar", "#registers", "#code", "#compare", "#watch"] {
        assert_eq!(browser.count(hidden).await?, 0, "{hidden}");
    }
    let steps = beats(Stepped::Symmetry, 6, 20)?;
    let next = steps[steps.partition_point(|&step| step <= 12)];
    browser.click("#forward").await?;
    browser.wait_for(&format!("#step[data-step='{next}']")).await?;
    let full = browser.attributes("#open-full", "href").await?;
    assert!(full[0].contains(&format!("step={next}")) && !full[0].contains("embed"), "{full:?}");
    browser.screenshot("explore-embed").await?;
    browser.client().clone().enter_parent_frame().await?;
    // Without `embed`, the page cannot be framed.
    let refused = framing(format!("{base}/?n=6"))?;
    browser.client().goto(&refused).await?;
    browser.client().clone().enter_frame(0).await?;
    assert_eq!(browser.count("#board").await?, 0);
    let refused = browser.console().await?;
    assert!(refused.iter().any(|message| message.contains("frame-ancestors")), "{refused:?}");
    Ok(())
}

/// Returns the step of the first lower-side cut that closes the rest of a row. Its explanation is the
/// longest of all sentences.
fn step_with_the_longest_sentence() -> Result<u64> {
    let mut search = Tracer::new(Stepped::Symmetry, Size::new(8)?);
    loop {
        let event = search.forward().context("no lower-side cut")?;
        if matches!(event, Event::Cut { rule: Rule::LowerSide, .. })
            && search.view().free.is_empty()
        {
            return Ok(search.steps());
        }
    }
}

async fn embedded_board_and_controls_are_visible(browser: Browser) -> Result<()> {
    let step = step_with_the_longest_sentence()?;
    for language in ["en", "ja"] {
        browser.goto(&format!("?n=8&step={step}&embed&lang={language}")).await?;
        browser.wait_for(&format!("#step[data-step='{step}']")).await?;
        for (width, height) in [(800, 600), (640, 480), (480, 640), (1200, 700), (360, 600)] {
            browser.set_size(width, height).await?;
            for selector in ["#board", "#why", ".column-labels"] {
                let context = || format!("{width} × {height}, {language}");
                assert_visible_above_transport(&browser, selector).await.with_context(context)?;
            }
            let board = browser
                .script(
                    "return document.querySelector('#board').getBoundingClientRect().width;",
                    &[],
                )
                .await?;
            let below = "return document.documentElement.scrollHeight - innerHeight;";
            let below = browser.script(below, &[]).await?;
            assert_eq!(below, json!(0), "{width} × {height}, {language}: a scroll bar");
            let half = f64::from(width.min(height)) / 2.0;
            assert!(board.as_f64().is_some_and(|board| board > half), "{width}: {board}");
        }
        browser.screenshot(&format!("explore-embed-{language}")).await?;
    }
    Ok(())
}

/// A first visit shows the aim of the search, an empty board and a button that plays the search.
async fn a_first_visit_offers_to_play_the_search(browser: Browser) -> Result<()> {
    for (width, height, language, aim) in [
        (1366, 768, "en", "one queen in every row so that no two share a column"),
        (390, 844, "ja", "クイーンを各行に 1 個ずつ"),
    ] {
        let at = format!("{width} × {height}");
        browser.set_size(width, height).await?;
        // An address with only a language opens the page of a first visit.
        browser.goto(&format!("?lang={language}")).await?;
        browser.wait_for("#step[data-step='0']").await?;
        browser.wait_for_text("#why", aim).await?;
        let method = browser.attributes("#method option:checked", "value").await?;
        assert_eq!(method, [Stepped::Backtracking.id()]);
        for part in ["#board", "#why", "#watch"] {
            assert_visible_above_transport(&browser, part)
                .await
                .with_context(|| format!("{at}: {part}"))?;
        }
        browser.screenshot(&format!("explore-first-{width}")).await?;
        browser.click("#watch").await?;
        browser.wait_for_count("#watch", 0).await?;
        browser.wait_for("#board:focus").await?;
        if language == "en" {
            // At two moves a second, the search reaches the first dead end after three seconds, and
            // playing pauses there for a moment.
            browser.wait_for_text("#why", "Dead end").await?;
            browser.wait_for_count("#board .attack", 8).await?;
        }
        browser.type_keys(" ").await?;
    }
    // A click in the moment in which the button appears is not lost.
    let click = "new MutationObserver((_, observer) => {
                     const button = document.querySelector('#watch');
                     if (button) { observer.disconnect(); button.click(); }
                 }).observe(document, { childList: true, subtree: true });";
    let script = json!({ "source": click });
    let script = browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await?;
    browser.goto("?lang=en").await?;
    browser.wait_for("#play[aria-label='Pause']").await?;
    browser.devtools("Page.removeScriptToEvaluateOnNewDocument", script).await?;
    // The race that shows what symmetry saves is one link away.
    browser.goto("?lang=en").await?;
    browser.click("#compare").await?;
    browser.wait_for("#race-clock").await?;
    let with = browser.attributes("#compare-with option:checked", "value").await?;
    assert_eq!(with, [Stepped::Symmetry.id()]);
    // An address with step 0 opens the symmetry method, not the page of a first visit.
    browser.goto("?step=0&lang=en").await?;
    browser.wait_for("#watch").await?;
    let method = browser.attributes("#method option:checked", "value").await?;
    assert_eq!((method, browser.count("#promise").await?), (vec!["symmetry".into()], 0));
    Ok(())
}

/// Fails if an element is not entirely in the window and above the transport bar.
async fn assert_visible_above_transport(browser: &Browser, selector: &str) -> Result<()> {
    let boxes = browser
        .script(
            "const box = (selector) => document.querySelector(selector).getBoundingClientRect();
             const [seen, bar] = [box(arguments[0]), box('.transport')];
             return [seen.left, seen.top, document.documentElement.clientWidth - seen.right,
                 Math.min(bar.top, innerHeight) - seen.bottom];",
            &[json!(selector)],
        )
        .await?;
    let sides = boxes.as_array().context("not four distances")?;
    let inside = |side: &serde_json::Value| side.as_f64().is_some_and(|pixels| pixels > -0.5);
    assert!(sides.iter().all(inside), "{selector} from the window's edges: {boxes}");
    Ok(())
}
