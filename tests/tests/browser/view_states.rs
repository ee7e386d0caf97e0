//! Symmetries and Classes in every state: checks that they fit and are accessible, and takes screenshots for people.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![solutions_fit_every_window]
}

/// A name, an address, and an element that shows that the state is ready.
type State = (&'static str, &'static str, &'static str);

const SYMMETRIES: [State; 8] = [
    ("one", "n=1&solution=0", "#class[data-class='1']"),
    ("two", "n=5&solution=3,0,2,4,1", "[data-shows=turn-90]"),
    ("four-turned", "solution=5,3,6,0,7,1,4,2&image=turn-90", "#stage[data-shown=turn-90]"),
    (
        "eight-folded",
        "solution=6,1,5,2,0,3,7,4&image=main-diagonal",
        "#stage[data-shown=main-diagonal]",
    ),
    ("given-up", "solution=0,4,7,5,2,6,1,3", "#class"),
    ("dropped", "solution=6,0,2,7,5,3,1,4", "#class"),
    ("twelve", "n=12&solution=7,9,1,6,0,3,8,11,5,10,2,4", "#class[data-class='2']"),
    ("refused", "solution=1,1", "#solution-error"),
];

const CLASSES_COUNTED: &str = "#classes-status[data-state=done]";

const CLASSES: [State; 7] = [
    ("none", "n=2", "[data-testid=no-classes]"),
    ("eight", "n=8", "#fold-sum"),
    ("nine", "n=9", CLASSES_COUNTED),
    ("twelve", "n=12", CLASSES_COUNTED),
    ("chosen", "n=12&class=turned&first=inner&order=largest", CLASSES_COUNTED),
    ("nothing-chosen", "n=9&class=2", "[data-testid=nothing-chosen]"),
    ("too-many", "n=16", "[data-testid=too-many]"),
];

/// Visits states in English with the light theme in wide and medium windows, and in Japanese with
/// the dark theme on a phone.
async fn check_states(browser: &Browser, view: &str, states: &[State]) -> Result<()> {
    for (dark, language) in [(false, "en"), (true, "ja")] {
        browser.set_preferences(dark, true).await?;
        if language == "ja" {
            browser.set_phone().await?;
        } else {
            browser.set_touch(false).await?;
        }
        let mut pictures = HashMap::new();
        for (name, query, sign) in states {
            if language == "en" {
                browser.set_size(1440, 900).await?;
            }
            // `Browser::goto` would check the accessibility of the page that the test leaves, which
            // `whole_screenshot` has already done.
            let path = format!("{}/?view={view}&lang={language}&{query}", browser.base());
            browser.client().goto(&path).await?;
            browser.wait_for(sign).await?;
            browser.assert_fits_the_width().await?;
            let picture = format!("{view}-{name}-{language}");
            let picture = std::fs::read(browser.whole_screenshot(&picture).await?)?;
            // The state must be visible in the screenshot.
            let same = pictures.insert(picture, name);
            ensure!(same.is_none(), "{name} looks like {same:?}");
            if language == "en" {
                browser.set_size(768, 1024).await?;
                browser.assert_fits_the_width().await?;
            }
        }
    }
    Ok(())
}

async fn solutions_fit_every_window(browser: Browser) -> Result<()> {
    check_states(&browser, "symmetries", &SYMMETRIES).await?;
    check_states(&browser, "classes", &CLASSES).await
}
