//! Every view on paper.

use anyhow::{Context, Result, ensure};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![views_print_without_bar_and_buttons]
}

/// The name and the address of each view, and an element that shows that the view is complete.
const VIEWS: [(&str, &str, &str); 10] = [
    ("explore", "?n=8&method=symmetry&step=1480", "#step"),
    ("play", "?view=play&n=8&queens=0:0", "#completions[data-state=done]"),
    ("symmetries", "?view=solutions&n=8&solution=5,3,6,0,7,1,4,2", "#class"),
    ("classes", "?view=solutions&n=9", "#formula-burnside"),
    ("count", "?view=count", "main h1"),
    ("results", "?view=results", "main h1"),
    ("learn", "?view=learn", "#about"),
    ("lesson", "?view=lesson&lesson=backtracking&seed=70", ".lesson-text p"),
    ("explanation", "?view=explanation", "#total"),
    ("numbers", "?view=numbers", ".numbers table"),
];

async fn views_print_without_bar_and_buttons(browser: Browser) -> Result<()> {
    // Paper is light even if the page is dark.
    browser.set_preferences(true, true).await?;
    for (name, query, sign) in VIEWS {
        browser.goto(query).await?;
        browser.wait_for(sign).await.with_context(|| name.to_owned())?;
        ensure!(browser.print(&format!("print-{name}")).await? > 0, "{name}");
        browser.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await?;
        let seen = browser
            .script(
                "const shown = [...document.querySelectorAll(
                     '.top-bar, .transport, .skip, .back, main button, main .button, main select')];
                 // A label without its field, or a word without its buttons, means nothing on paper.
                 shown.push(...document.querySelectorAll('main label:not(.lesson-choice), main .saving'));
                 // Nor does a link that is no part of a text.
                 shown.push(...document.querySelectorAll(
                     '#compare, .program-notes > a, .figure-link, #to-numbers, #to-section, .word dd p > a'));
                 const visible = shown.filter((each) =>
                     each.checkVisibility() && !each.closest('th, .image'));
                 const paper = getComputedStyle(document.body).backgroundColor;
                 const address = getComputedStyle(document.body, '::after').content;
                 return [visible.map((each) => each.outerHTML.slice(0, 80)), paper, address];",
                &[],
            )
            .await?;
        ensure!(seen[0] == json!([]), "{name}: {seen}");
        ensure!(seen[1] != "rgb(0, 0, 0)" && !seen[1].is_null(), "{name}: {seen}");
        let address = seen[2].as_str().unwrap_or_default();
        ensure!(address.contains("http://") && address.contains(query), "{name}: {address}");
        browser.devtools("Emulation.setEmulatedMedia", json!({ "media": "" })).await?;
        browser.set_preferences(true, true).await?;
    }
    Ok(())
}
