//! Accessibility: what axe-core says of every view. The other tests ask it about whatever they
//! come by; these go where they might not.

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    let tests = browser_tests![
        faults_are_found,
        every_view_in_both_languages,
        every_view_dark,
        every_view_on_a_phone,
    ];
    tests.into_iter().map(BrowserTest::with_axe).collect()
}

async fn faults_are_found(browser: Browser) -> Result<()> {
    browser.goto("?view=results").await?;
    browser.wait_for("main h1").await?;
    browser.assert_accessible().await?;
    browser
        .script(
            "const image = document.createElement('img');
             image.src = 'icon.svg';
             document.querySelector('main').append(image);",
            &[],
        )
        .await?;
    let found = browser.assert_accessible().await;
    let fault = found.err().context("an image without a text is a fault")?;
    assert!(fault.to_string().contains("image-alt"), "{fault}");
    browser.script("document.querySelector('main > img').remove();", &[]).await.map(drop)
}

/// Each view in a state with much to see, and what shows that it has come.
const STATES: [(&str, &str); 8] = [
    ("view=explore&n=8&step=354", "#step[data-step='354']"),
    ("view=play&n=8&queens=0:0,1:4,5:5", "#conflicts li"),
    ("view=play&n=4&queens=0:1", "#completions[data-state=done]"),
    ("view=symmetries&n=5&solution=1,4,2,0,3", "[data-testid=image]"),
    ("view=symmetries&solution=1,1", "#solution-error"),
    ("view=classes&n=8", "#classes-status[data-state=done]"),
    ("view=classes&n=20", "[data-testid=too-many]"),
    ("view=results", "main h1"),
];

async fn visit(browser: &Browser, language: &str) -> Result<()> {
    for (query, sign) in STATES {
        browser.goto(&format!("?{query}&lang={language}")).await?;
        browser.wait_for(sign).await?;
        browser.assert_accessible().await?;
    }
    Ok(())
}

async fn every_view_in_both_languages(browser: Browser) -> Result<()> {
    visit(&browser, "en").await?;
    visit(&browser, "ja").await
}

async fn every_view_dark(browser: Browser) -> Result<()> {
    browser.set_preferences(true, true).await?;
    visit(&browser, "en").await
}

async fn every_view_on_a_phone(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    visit(&browser, "ja").await
}
