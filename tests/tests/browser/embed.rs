//! Explore embedded in another page, and the tour on the first visit.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use anyhow::{Context, Result};
use queens_core::{Event, Placement, Rule, Size, Stepped, Tracer};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        embedded_in_another_page,
        embedded_all_is_in_sight,
        the_tour_is_shown_once,
        the_tour_shows_a_closed_square_and_a_solution,
        the_tour_ends_where_somebody_goes,
        the_tour_is_in_sight_in_every_window,
        the_tour_in_japanese_can_be_skipped,
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
                "<!DOCTYPE html><link rel=icon href=data:,>\
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

async fn embedded_in_another_page(browser: Browser) -> Result<()> {
    let base = browser.base();
    let framed = framing(format!("{base}/?n=6&amp;step=12&amp;embed"))?;
    browser.client().goto(&framed).await?;
    browser.client().clone().enter_frame(0).await?;
    browser.wait_for("#board").await?;
    browser.wait_for("#step[data-step='12']").await?;
    browser.wait_for("#why").await?;
    for hidden in [".top-bar", "#registers", "#code", ".counters", "#tree-summary", "#tour"] {
        assert_eq!(browser.count(hidden).await?, 0, "{hidden}");
    }
    browser.click("#forward").await?;
    browser.wait_for("#step[data-step='13']").await?;
    let full = browser.attributes("#open-full", "href").await?;
    assert!(full[0].contains("step=13") && !full[0].contains("embed"), "{full:?}");
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

/// The step of the first lower-side cut that closes the rest of a row, whose sentence is the
/// longest.
fn longest() -> Result<u64> {
    let mut search = Tracer::new(Stepped::Symmetry, Size::new(8)?);
    loop {
        let event = search.forward().context("a lower-side cut")?.event;
        if matches!(event, Event::Cut { rule: Rule::LowerSide, .. })
            && search.view().free.is_empty()
        {
            return Ok(search.steps());
        }
    }
}

async fn embedded_all_is_in_sight(browser: Browser) -> Result<()> {
    let step = longest()?;
    for (width, height) in [(800, 600), (480, 640), (1200, 700), (360, 600)] {
        browser.set_size(width, height).await?;
        for language in ["en", "ja"] {
            browser.goto(&format!("?n=8&step={step}&embed&lang={language}")).await?;
            browser.wait_for(&format!("#step[data-step='{step}']")).await?;
            for selector in ["#board", "#why", ".column-labels"] {
                let context = || format!("{width} × {height}, {language}");
                assert_in_sight(&browser, selector).await.with_context(context)?;
            }
            let board = browser
                .script(
                    "return document.querySelector('#board').getBoundingClientRect().width;",
                    &[],
                )
                .await?;
            let half = f64::from(width.min(height)) / 2.0;
            assert!(board.as_f64().is_some_and(|board| board > half), "{width}: {board}");
        }
        browser.screenshot(&format!("explore-embed-{width}")).await?;
    }
    Ok(())
}

async fn the_tour_is_shown_once(browser: Browser) -> Result<()> {
    // A user who follows a link to a state sees no tour.
    browser.goto("?n=8").await?;
    browser.wait_for("#step[data-step='0']").await?;
    assert_eq!(browser.count("#tour").await?, 0);
    // A language alone opens the initial state. The link of a page at its first step does not.
    for (query, tour) in [("?lang=en", 1), ("?step=0&lang=en", 0)] {
        browser.goto(query).await?;
        browser.wait_for(if tour == 1 { "#tour" } else { "#step[data-step='0']" }).await?;
        assert_eq!(browser.count("#tour").await?, tour, "{query}");
    }
    browser.goto("/").await?;
    for step in 1..=4 {
        browser.wait_for_text("#tour", &format!("{step}/4")).await?;
        assert_eq!(browser.attributes(".explore", "data-tour").await?, [step.to_string()]);
        browser.click("#tour-next").await?;
    }
    browser.wait_for_count("#tour", 0).await?;
    browser.goto("/").await?;
    browser.wait_for("#board").await?;
    assert_eq!(browser.count("#tour").await?, 0);
    Ok(())
}

async fn the_tour_shows_a_closed_square_and_a_solution(browser: Browser) -> Result<()> {
    browser.goto("/").await?;
    browser.wait_for_text("#tour", "1/4").await?;
    let begin = browser.attributes("#step", "data-step").await?.remove(0);
    assert_eq!(browser.count("#board [data-state='queen']").await?, 1);
    assert!(browser.count("#board [data-state='attacked']").await? > 10);
    browser.click("#tour-next").await?;
    browser.wait_for("#board .ring").await?;
    browser.wait_for_text("#asked", "closed by rule 1").await?;
    browser.wait_for("#witness[data-found='solution']").await?;
    browser.screenshot("explore-tour-closed").await?;
    browser.click("#tour-next").await?;
    browser.wait_for("#board.solved").await?;
    browser.wait_for_count("#board .ring", 0).await?;
    let queens = browser.attributes("#board [data-state='queen']", "data-column").await?;
    let queens: Vec<u32> = queens.iter().map(|column| column.parse()).collect::<Result<_, _>>()?;
    assert!(Placement::from_left(&queens).is_ok(), "{queens:?}");
    browser.click("#tour-next").await?;
    browser.wait_for_text("#tour", "Each step comes with an explanation").await?;
    let step = browser.attributes("#step", "data-step").await?[0].parse::<u64>()?;
    browser.press(Key::Right).await?;
    browser.wait_for(&format!("#step[data-step='{}']", step + 1)).await?;
    browser.click("#tour-next").await?;
    browser.wait_for_count("#tour", 0).await?;
    // The tour always begins at the initial state, even from another search.
    browser.goto("?n=5&method=bitmap&step=9").await?;
    browser.focus("#tour-again").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_text("#tour", "1/4").await?;
    browser.wait_for(&format!("#step[data-step='{begin}']")).await?;
    assert_eq!(browser.count("#board [data-row='0']").await?, 8);
    // Navigating elsewhere ends the tour.
    browser.choose("#method", "flags").await?;
    browser.wait_for_count("#tour", 0).await
}

async fn the_tour_ends_where_somebody_goes(browser: Browser) -> Result<()> {
    // A user who steps alone sees how to continue, and no text about a state that is no longer
    // shown.
    browser.goto("/").await?;
    browser.wait_for_text("#tour", "1/4").await?;
    let begin = browser.attributes("#step", "data-step").await?[0].parse::<u64>()?;
    browser.press(Key::Right).await?;
    browser.wait_for_text("#tour", "4/4").await?;
    browser.wait_for(&format!("#step[data-step='{}']", begin + 1)).await?;
    browser.click("#tour-first").await?;
    browser.wait_for_count("#tour", 0).await?;
    browser.wait_for("#step[data-step='0']").await?;
    let method = browser.attributes("#method option:checked", "value").await?;
    assert_eq!(method, [Stepped::ALL[0].id()]);
    Ok(())
}

/// Fails if an element is not entirely in the window and above the transport bar.
async fn assert_in_sight(browser: &Browser, selector: &str) -> Result<()> {
    let boxes = browser
        .script(
            "const box = (selector) => document.querySelector(selector).getBoundingClientRect();
             const [seen, bar] = [box(arguments[0]), box('.transport')];
             return [seen.left, seen.top, document.documentElement.clientWidth - seen.right,
                 Math.min(bar.top, innerHeight) - seen.bottom];",
            &[json!(selector)],
        )
        .await?;
    let sides = boxes.as_array().context("four distances")?;
    let inside = |side: &serde_json::Value| side.as_f64().is_some_and(|pixels| pixels > -0.5);
    assert!(sides.iter().all(inside), "{selector} from the window's edges: {boxes}");
    Ok(())
}

async fn the_tour_is_in_sight_in_every_window(browser: Browser) -> Result<()> {
    for (width, height, language) in [
        (375, 812, "en"),
        (768, 1024, "ja"),
        (1280, 800, "en"),
        (1440, 900, "ja"),
        (320, 568, "ja"),
        (1920, 1080, "en"),
    ] {
        let at = format!("{width} × {height}");
        browser.set_size(width, height).await?;
        browser.goto(&format!("?step=1480&lang={language}")).await?;
        let mut stood = None;
        for step in 1..=4 {
            browser.wait_for_text("#tour", &format!("{step}/4")).await?;
            assert_in_sight(&browser, "#tour").await.context(at.clone())?;
            // On a phone the tour is at the bottom and does not cover its subject.
            if step == 2 && height > 600 {
                let apart = browser.script(
                    "const [answer, tour] = ['#asked', '#tour']
                         .map((part) => document.querySelector(part).getBoundingClientRect());
                     return answer.bottom <= tour.top || tour.bottom <= answer.top
                         || tour.right <= answer.left || answer.right <= tour.left;",
                    &[],
                );
                browser.wait_for_text("#asked", "1").await?;
                assert_eq!(apart.await?, true, "{at}");
                assert_in_sight(&browser, "#asked").await.context(at.clone())?;
            }
            // The button stays under the pointer.
            if width >= 1024 {
                let place = browser
                    .script(
                        "const { x, y } = document.querySelector('#tour-next').getBoundingClientRect();
                         return [Math.round(x), Math.round(y)];",
                        &[],
                    )
                    .await?;
                assert_eq!(*stood.get_or_insert(place.clone()), place, "{at}");
            }
            // The subject is framed, and the frame does not touch the column numbers.
            let board = browser
                .script(
                    "const [board, label] = ['#board', '.column-labels .label'].map((selector) => {
                         const element = document.querySelector(selector);
                         return [element.getBoundingClientRect(), getComputedStyle(element)];
                     });
                     const frame = parseFloat(board[1].outlineWidth) + parseFloat(board[1].outlineOffset);
                     const below = (label[0].height - parseFloat(label[1].fontSize)) / 2;
                     return [board[1].outlineStyle, board[0].top - label[0].bottom + below - frame];",
                    &[],
                )
                .await?;
            if step == 1 {
                assert_eq!(board[0], "solid", "{at}");
                assert!(board[1].as_f64().is_some_and(|apart| apart >= 0.0), "{at}: {board}");
            }
            if step == 1 {
                browser.screenshot(&format!("explore-tour-{width}")).await?;
            }
            browser.focus("#tour-next").await?;
            browser.press(Key::Enter).await?;
        }
        browser.wait_for_count("#tour", 0).await?;
        browser.script("localStorage.removeItem('queens-tour');", &[]).await?;
    }
    Ok(())
}

async fn the_tour_in_japanese_can_be_skipped(browser: Browser) -> Result<()> {
    browser.set_language("ja").await?;
    browser.goto("/").await?;
    browser.wait_for_text("#tour", "行ずつ置いていきます").await?;
    browser.screenshot("explore-tour").await?;
    browser.focus("#tour-skip").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_count("#tour", 0).await?;
    browser.goto("/").await?;
    browser.wait_for("#board").await?;
    assert_eq!(browser.count("#tour").await?, 0);
    Ok(())
}
