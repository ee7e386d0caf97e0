//! Explore as a part of another page, and the first visit.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        embedded_in_another_page,
        the_tour_is_shown_once,
        the_tour_in_japanese_can_be_skipped,
    ]
}

/// The address of a page from elsewhere that has the page at `address` in a frame. Its server is a
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
            // A browser that goes away before its answer needs none.
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
    // Without the word the page refuses to be a part of another one.
    let refused = framing(format!("{base}/?n=6"))?;
    browser.client().goto(&refused).await?;
    browser.client().clone().enter_frame(0).await?;
    assert_eq!(browser.count("#board").await?, 0);
    let refused = browser.console().await?;
    assert!(refused.iter().any(|message| message.contains("frame-ancestors")), "{refused:?}");
    Ok(())
}

async fn the_tour_is_shown_once(browser: Browser) -> Result<()> {
    browser.goto("?n=8").await?;
    for step in 1..=5 {
        browser.wait_for_text("#tour", &format!("{step}/5")).await?;
        assert_eq!(browser.attributes(".explore", "data-tour").await?, [step.to_string()]);
        browser.click("#tour-next").await?;
    }
    browser.wait_for_count("#tour", 0).await?;
    browser.goto("?n=6").await?;
    browser.wait_for("#board").await?;
    assert_eq!(browser.count("#tour").await?, 0);
    Ok(())
}

async fn the_tour_in_japanese_can_be_skipped(browser: Browser) -> Result<()> {
    browser.goto("?n=8&lang=ja").await?;
    browser.wait_for_text("#tour", "盤です").await?;
    browser.screenshot("explore-tour").await?;
    browser.focus("#tour-skip").await?;
    browser.press(Key::Enter).await?;
    browser.wait_for_count("#tour", 0).await?;
    browser.goto("?n=6&lang=ja").await?;
    browser.wait_for("#board").await?;
    assert_eq!(browser.count("#tour").await?, 0);
    Ok(())
}
