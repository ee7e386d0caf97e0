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
        views_work_embedded_in_another_page_without_the_top_bar,
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

async fn views_work_embedded_in_another_page_without_the_top_bar(browser: Browser) -> Result<()> {
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
    for (query, sign) in [
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
            let [left, _, right, _] = browser.edges("#board").await?;
            let below = "return document.documentElement.scrollHeight - innerHeight;";
            let below = browser.script(below, &[]).await?;
            assert_eq!(below, json!(0), "{width} × {height}, {language}: a scroll bar");
            let half = f64::from(width.min(height)) / 2.0;
            assert!(right - left > half, "{width}: {left} {right}");
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
        browser.set_size(width, height).await?;
        // An address with only a language opens the page of a first visit.
        browser.goto(&format!("?lang={language}")).await?;
        browser.wait_for("#step[data-step='0']").await?;
        browser.wait_for_text("#why", aim).await?;
        let method = browser.attributes("#method option:checked", "value").await?;
        assert_eq!(method, [Stepped::Backtracking.id()]);
        for part in ["#board", "#why", "#watch"] {
            let context = || format!("{width} × {height}: {part}");
            assert_visible_above_transport(&browser, part).await.with_context(context)?;
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
    let script = browser.add_script(click).await?;
    browser.goto("?lang=en").await?;
    browser.wait_for("#play[aria-label='Pause']").await?;
    browser.remove_script(&script).await?;
    // An address with step 0 opens the symmetry method, not the page of a first visit.
    browser.goto("?step=0&lang=en").await?;
    browser.wait_for("#watch").await?;
    let method = browser.attributes("#method option:checked", "value").await?;
    assert_eq!((method, browser.count("#promise").await?), (vec!["symmetry".into()], 0));
    check_low_phones(&browser).await
}

/// Low phones show the button of a first visit with its sentence, and later the longer one of a dead end.
async fn check_low_phones(browser: &Browser) -> Result<()> {
    browser.set_touch(true).await?;
    for (width, height) in [(390, 664), (360, 640)] {
        browser.set_metrics(width, height, true).await?;
        for (query, parts) in [
            ("lang=en", &["#watch", "#why"][..]),
            ("lang=ja", &["#watch", "#why"]),
            ("method=backtracking&step=52&lang=en", &["#why"]),
            ("method=backtracking&step=52&lang=ja", &["#why"]),
        ] {
            let context = || format!("{width} × {height}, {query}");
            browser.goto(&format!("?{query}")).await?;
            for part in parts {
                assert_visible_above_transport(browser, part).await.with_context(context)?;
            }
            let [_, _, _, bottom] = browser.edges(".transport").await?;
            assert!(bottom <= f64::from(height) + 1.0, "{}: {bottom}", context());
        }
    }
    Ok(())
}

/// Fails if an element is not entirely in the window and above the transport bar.
async fn assert_visible_above_transport(browser: &Browser, selector: &str) -> Result<()> {
    let [left, top, right, bottom] = browser.edges(selector).await?;
    let [_, bar, _, _] = browser.edges(".transport").await?;
    let sides = "return [document.documentElement.clientWidth, innerHeight];";
    let [width, height] = browser.numbers(sides, &[]).await?;
    let distances = [left, top, width - right, bar.min(height) - bottom];
    let is_visible = distances.iter().all(|&pixels| pixels > -0.5);
    assert!(is_visible, "{selector} from the window's edges: {distances:?}");
    Ok(())
}
