//! The static site below any path of any host, online and offline.

use std::fs;

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use queens_tests::host::{self, Host};
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        a_visited_page_opens_offline,
        a_new_version_waits_for_confirmation,
        unknown_addresses_link_to_the_page,
    ]
}

/// Opens the page in a state, and returns its board and its explanation.
async fn board_and_explanation(browser: &Browser, page: &str, state: &str) -> Result<[String; 2]> {
    browser.client().goto(&format!("{page}/{state}")).await?;
    browser.wait_for("#code").await?;
    // The page adds the rows of pointer targets in the frames after the drawing.
    browser.wait_for("#board .tools > :nth-child(6)").await?;
    let board = browser.script("return document.querySelector('#board').innerHTML", &[]).await?;
    Ok([board.to_string(), browser.text("#why").await?])
}

/// Waits until the service worker has cached the page.
async fn wait_until_cached(browser: &Browser) -> Result<()> {
    let worker_state = "return navigator.serviceWorker.ready.then(({ active }) => active.state)";
    browser
        .wait_until(
            "the page to be cached",
            || browser.script(worker_state, &[]),
            |state| state == "activated",
        )
        .await
        .map(drop)
}

async fn a_visited_page_opens_offline(browser: Browser) -> Result<()> {
    let site = host::copy_of_site()?;
    let host = Host::start(site.path())?;
    let page = host.page();
    let state = "?n=6&method=symmetry&step=70";
    let before = board_and_explanation(&browser, &page, state).await?;
    wait_until_cached(&browser).await?;
    drop(host);
    // The page shows the same state offline, and can count, show texts and change the language.
    assert_eq!(board_and_explanation(&browser, &page, state).await?, before);
    browser.client().goto(&format!("{page}/?view=solutions&n=6")).await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    browser.client().goto(&format!("{page}/?view=count&n=9")).await?;
    browser.click("#begin").await?;
    browser.wait_for_text("#count-lines [data-n='9']", "352").await?;
    browser.client().goto(&format!("{page}/?view=results")).await?;
    browser.wait_for("#server[data-state=absent]").await?;
    // The console reports that nothing answers.
    browser.console().await?;
    browser.client().goto(&format!("{page}/?view=explanation&lang=ja")).await?;
    browser.wait_for("html[lang=ja] main figure").await?;
    Ok(())
}

async fn a_new_version_waits_for_confirmation(browser: Browser) -> Result<()> {
    let site = host::copy_of_site()?;
    let host = Host::start(site.path())?;
    let page = host.page();
    board_and_explanation(&browser, &page, "").await?;
    wait_until_cached(&browser).await?;
    let caches = "return caches.keys()";
    let old = browser.script(caches, &[]).await?;
    assert_eq!(old.as_array().map(Vec::len), Some(1), "{old}");
    // The first version is not an update.
    assert_eq!(browser.count("#update").await?, 0);

    let service = site.path().join("service.js");
    let text = fs::read_to_string(&service)?;
    fs::write(&service, text.replacen("const VERSION = \"", "const VERSION = \"newer-", 1))?;
    let index = site.path().join("index.html");
    let text = fs::read_to_string(&index)?;
    fs::write(&index, text.replace("<body>", "<body data-version=\"newer\">"))?;
    let version = "return document.body.dataset.version ?? 'older'";
    board_and_explanation(&browser, &page, "").await?;
    browser.wait_for_text("#update", "A new version of this page is available").await?;
    browser.screenshot("offline-update").await?;
    browser.assert_accessible().await?;
    assert_eq!(browser.script(version, &[]).await?, "older");
    browser.click("#update button:last-of-type").await?;
    assert_eq!(browser.count("#update").await?, 0);
    board_and_explanation(&browser, &page, "?lang=ja").await?;
    browser.wait_for_text("#update", "新しいバージョンがあります").await?;
    browser.click("#update button").await?;
    browser
        .wait_until(
            "the new version",
            || browser.script(version, &[]),
            |version| version == "newer",
        )
        .await?;
    browser.wait_for("#code").await?;
    let only_new = |caches: &Value| {
        let caches = caches.as_array();
        caches.is_some_and(|all| all.len() == 1 && all[0] != old[0])
    };
    browser
        .wait_until("the old cache to be deleted", || browser.script(caches, &[]), only_new)
        .await?;
    assert_eq!(browser.script("return location.search", &[]).await?, json!("?lang=ja"));
    Ok(())
}

async fn unknown_addresses_link_to_the_page(browser: Browser) -> Result<()> {
    let site = host::copy_of_site()?;
    let host = Host::start(site.path())?;
    let page = host.page();
    for unknown in ["nothing", "no/such/folder/"] {
        browser.client().goto(&format!("{page}/{unknown}")).await?;
        browser.wait_for("body[data-page]").await?;
        assert_eq!(browser.text("h1").await?, "There is no such page");
        assert_eq!(browser.count(&format!("a.page[href='{page}/']")).await?, 2, "{unknown}");
        // The console reports the missing page, and the missing manifest in the folders below.
        browser.console().await?;
    }
    browser.assert_accessible().await?;
    browser.click("a.page").await?;
    browser.wait_for("#code").await?;
    Ok(())
}
