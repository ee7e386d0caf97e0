//! Learn: every term links to its explanation and back, and sections have addresses.

use anyhow::{Context, Result, ensure};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        cards_are_links_and_the_licence_is_shown,
        every_term_is_explained,
        every_term_is_explained_in_japanese,
        terms_link_to_their_explanation_and_back,
        terms_have_tooltips_with_their_meaning,
        terms_of_symmetries_and_classes_link_there_and_back,
        views_open_at_the_top_and_explore_keeps_its_position,
        sections_have_addresses,
        explanation_and_numbers_belong_to_learn,
    ]
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

/// Waits until an element is at the top of the window, below the link back, or as close as the end
/// of the page allows.
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

async fn cards_are_links_and_the_licence_is_shown(browser: Browser) -> Result<()> {
    browser.goto("?view=learn").await?;
    let about = browser.wait_for("#about").await?.text().await?;
    ensure!(about.contains(env!("CARGO_PKG_VERSION")) && about.contains("MIT"), "{about}");
    ensure!(about.contains("Apache License 2.0"), "{about}");
    // The corner of a card, far from its text.
    let corner = browser
        .script(
            "const { right, bottom } = document.querySelector('.texts li').getBoundingClientRect();
             const found = document.elementFromPoint(right - 4, bottom - 4);
             found.click();
             return found.id;",
            &[],
        )
        .await?;
    ensure!(corner == "to-explanation", "{corner}");
    browser.wait_for("#contents").await.map(drop)
}

async fn check_terms(browser: &Browser, language: &str) -> Result<()> {
    browser.goto(&format!("?view=learn&lang={language}")).await?;
    browser.wait_for(".word").await?;
    let words = browser.texts(".word dt").await?;
    let meanings = browser.texts(".word dd").await?;
    ensure!(words.len() >= 27 && words.len() == meanings.len(), "{words:?}");
    for (word, meaning) in words.iter().zip(&meanings) {
        // A missing text is shown as its key.
        ensure!(!word.contains("word.") && !meaning.contains("word."), "{word}: {meaning}");
        ensure!(meaning.chars().count() > 40, "{word}: {meaning}");
    }
    // Links lead to existing sections.
    let mut sections = browser.attributes(".word dd a", "href").await?;
    ensure!(sections.len() == words.len());
    sections.sort_unstable();
    sections.dedup();
    for section in sections {
        browser.goto(&section).await?;
        let (_, id) = section.split_once('#').context("no section")?;
        wait_at_top(browser, id).await.with_context(|| section.clone())?;
    }
    browser.goto(&format!("?view=learn&lang={language}")).await?;
    browser.wait_for(".word").await?;
    browser.whole_screenshot(&format!("learn-{language}")).await?;
    browser.set_phone().await?;
    crate::assert_fits_the_width(browser).await?;
    browser.whole_screenshot(&format!("learn-{language}-narrow")).await.map(drop)
}

async fn every_term_is_explained(browser: Browser) -> Result<()> {
    check_terms(&browser, "en").await
}

async fn every_term_is_explained_in_japanese(browser: Browser) -> Result<()> {
    check_terms(&browser, "ja").await
}

/// States of Explore in which every register, rule and kind of step has its term.
const STATES: [&str; 7] = [
    "step=354",
    "step=490",
    "step=1424",
    "step=1480",
    "step=304",
    "step=1522",
    "n=5&method=mirror&step=2",
];

async fn terms_link_to_their_explanation_and_back(browser: Browser) -> Result<()> {
    let mut words = Vec::new();
    for state in STATES {
        browser.goto(&format!("?{state}")).await?;
        browser.wait_for("#board [data-state=queen], #board").await?;
        browser.wait_for("#registers .term a, #why-word a").await?;
        let step = browser.wait_for("#step").await?.attr("data-step").await?;
        let here = browser.address().await?;
        for link in browser.attributes(".term a", "href").await? {
            if words.contains(&link) {
                continue;
            }
            let (_, word) = link.split_once('#').context("no word")?;
            // Legends and panels are collapsed at first.
            browser
                .script(
                    "for (const closed of document.querySelectorAll('details:not([open])'))
                         closed.open = true;
                     document.querySelector(`.term a[href='${arguments[0]}']`).click();",
                    &[json!(link)],
                )
                .await?;
            wait_at_top(&browser, word).await.with_context(|| format!("{word} of {state}"))?;
            browser.wait_for(&format!(".word.wanted[id='{word}']")).await?;
            browser.click("#back").await?;
            let same = format!("#step[data-step='{}']", step.clone().unwrap_or_default());
            browser.wait_for(&same).await.with_context(|| format!("back from {word}"))?;
            assert_eq!(browser.address().await?, here);
            words.push(link);
        }
    }
    let linked: Vec<_> = words.iter().filter_map(|word| word.split_once('#')).collect();
    for word in [
        "mask",
        "topbit",
        "endbit",
        "sidemask",
        "lastmask",
        "left",
        "down",
        "right",
        "free",
        "bound1",
        "bound2",
        "upper-side",
        "lower-side",
        "last-row",
        "corner",
        "half",
        "cells",
        "comparison",
        "class",
        "attack",
    ] {
        ensure!(
            linked.iter().any(|(_, linked)| *linked == word),
            "{word} leads nowhere: {linked:?}"
        );
    }
    Ok(())
}

async fn terms_have_tooltips_with_their_meaning(browser: Browser) -> Result<()> {
    browser.goto("?n=8&step=1480").await?;
    browser.wait_for("#register-sidemask .term a").await?;
    let shown = "return getComputedStyle(document.querySelector(
        '#register-sidemask .term-tip')).visibility;";
    assert_eq!(browser.script(shown, &[]).await?, "hidden");
    browser.tab_to("#register-sidemask .term a").await?;
    assert_eq!(browser.script(shown, &[]).await?, "visible");
    browser
        .wait_for_text("#register-sidemask .term-tip", "the left-hand and the right-hand")
        .await?;
    browser.screenshot("learn-tip").await.map(drop)
}

async fn terms_of_symmetries_and_classes_link_there_and_back(browser: Browser) -> Result<()> {
    let mut linked = Vec::new();
    for (state, there) in [
        ("view=symmetries&solution=5,3,6,0,7,1,4,2&lang=en", "#class"),
        ("view=symmetries&solution=5,3,6,0,7,1,4,2&lang=ja", "#class"),
        ("view=classes&lang=en", "#formula-burnside"),
        ("view=classes&lang=ja", "#formula-burnside"),
    ] {
        browser.goto(&format!("?{state}")).await?;
        browser.wait_for(there).await?;
        let here = browser.address().await?;
        for link in browser.attributes(".term a", "href").await? {
            let (_, word) = link.split_once('#').context("no word")?;
            browser.click(&format!(".term a[href='{link}']")).await?;
            wait_at_top(&browser, word).await.with_context(|| format!("{word} of {state}"))?;
            browser.click("#back").await?;
            browser.wait_for(there).await.with_context(|| format!("back from {word}"))?;
            assert_eq!(browser.address().await?, here);
            linked.push(format!("{} {word}", &state[state.len() - 2..]));
        }
    }
    for word in [
        "class",
        "stabiliser",
        "image",
        "representative",
        "judgement-value",
        "comparison",
        "total",
        "burnside",
    ] {
        for language in ["en", "ja"] {
            ensure!(
                linked.contains(&format!("{language} {word}")),
                "{word} leads nowhere: {linked:?}"
            );
        }
    }
    Ok(())
}

async fn views_open_at_the_top_and_explore_keeps_its_position(browser: Browser) -> Result<()> {
    browser.goto("?step=490").await?;
    browser.wait_for("#register-sidemask .term a").await?;
    let down = "scrollTo(0, 10_000); return scrollY > 0;";
    // From far down to an explanation, and back from far down there.
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
    browser.click("#view-symmetries").await?;
    browser.wait_for(".example[aria-current]").await?;
    browser.click(".examples li:nth-child(3) a").await?;
    browser.wait_for("#class[data-class='8']").await?;
    browser.click("#view-explore").await?;
    browser.wait_for("#step[data-step='490']").await.map(drop)
}

async fn sections_have_addresses(browser: Browser) -> Result<()> {
    for address in
        ["?view=explanation#cuts", "?view=learn#bound2", "?view=explanation&lang=ja#cells"]
    {
        browser.goto(address).await?;
        let (_, id) = address.split_once('#').context("no section")?;
        wait_at_top(&browser, id).await?;
        // After a reload the section is still at the top.
        browser.client().refresh().await?;
        wait_at_top(&browser, id).await.with_context(|| format!("{address}, reloaded"))?;
        assert_eq!(browser.address().await?, format!("/{address}"));
    }
    // From the table of contents, and back with the browser's button.
    browser.goto("?view=explanation").await?;
    browser.wait_for("nav a[href='#total']").await?.click().await?;
    wait_at_top(&browser, "total").await?;
    // The table of contents stays within reach.
    browser.click("#to-contents").await?;
    wait_at_top(&browser, "contents").await?;
    browser.client().back().await?;
    wait_at_top(&browser, "total").await?;
    browser.client().back().await?;
    browser.wait_for(".explanation").await.map(drop)
}

async fn explanation_and_numbers_belong_to_learn(browser: Browser) -> Result<()> {
    for (id, there) in [("explanation", "#lines"), ("numbers", ".numbers table")] {
        browser.goto("?view=classes&n=5").await?;
        browser.click("#view-learn").await?;
        browser.click(&format!("#to-{id}")).await?;
        browser.wait_for(there).await?;
        browser.wait_for("#view-learn[aria-current=page]").await?;
        browser.click("#to-learn").await?;
        browser.click("#back").await?;
        browser.wait_for("#classes-status").await?;
        assert_eq!(browser.address().await?, "/?view=classes&n=5");
    }
    Ok(())
}
