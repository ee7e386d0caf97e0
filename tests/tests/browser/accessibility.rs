//! Accessibility: axe-core's results for Explore and five other views. All browser tests check the
//! pages that they visit; these tests visit states that the other tests might miss.

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    let tests = browser_tests![
        the_checker_detects_injected_faults,
        five_views_are_accessible,
        explore_is_accessible_in_every_state,
        explore_is_accessible_dark_in_japanese_on_a_phone,
    ];
    tests.into_iter().map(BrowserTest::with_axe).collect()
}

async fn the_checker_detects_injected_faults(browser: Browser) -> Result<()> {
    browser.goto("?view=results").await?;
    browser.wait_for("main h1").await?;
    browser.assert_accessible().await?;
    for (rule, start, fault) in [
        ("image-alt", "<img", "<img src='icon.svg'>"),
        ("button-name", "<button></button>", "<button></button>"),
        ("color-contrast", "<font", "<font color='#aaa'>Faint</font>"),
    ] {
        let plant = "document.querySelector('main').insertAdjacentHTML('beforeend', arguments[0]);";
        browser.script(plant, &[fault.into()]).await?;
        let found = browser.assert_accessible().await.err();
        let text = found.with_context(|| format!("{fault} was not reported"))?.to_string();
        assert!(text.contains(rule) && text.contains(start), "{text}");
        browser.script("document.querySelector('main').lastElementChild.remove();", &[]).await?;
    }
    // Two buttons too small and too close to be hit separately.
    browser
        .script(
            "const small = document.createElement('p');
             for (const name of ['a', 'b']) {
                 const button = document.createElement('button');
                 button.textContent = name;
                 button.style.cssText = 'width: 12px; height: 12px; min-width: 0; min-height: 0; padding: 0';
                 small.append(button);
             }
             small.id = 'small';
             document.querySelector('main').append(small);",
            &[],
        )
        .await?;
    let fault =
        browser.assert_targets_apart().await.err().context("small buttons were not reported")?;
    assert!(fault.to_string().contains("target-size"), "{fault}");
    browser.script("document.querySelector('#small').remove();", &[]).await.map(drop)
}

/// States of Play, Symmetries, Classes, Count and Results, and elements that show that they are
/// ready.
const STATES: [(&str, &str); 16] = [
    ("view=play&n=8&queens=0:0,0:5,3:3", "#board .conflict"),
    ("view=play&n=4&queens=0:1", "#completions[data-state=done]"),
    ("view=play&n=8&queens=0:0,1:4,2:7,3:5,4:2,5:6,6:1,7:3", "#to-symmetries"),
    ("view=play&n=20&queens=0:0", "#stop"),
    ("view=play&n=29", "#completions"),
    ("view=play&n=6&queens=0:1,6:5", "#address-problems"),
    ("view=play&n=6&queens=0:1&embed", "#queens[data-count='1']"),
    ("view=solutions&n=5&solution=1,4,2,0,3", "[data-testid=image]"),
    ("view=solutions&n=5&solution=3,0,2,4,1", "#class"),
    ("view=solutions&solution=1,1", "#solution-error"),
    ("view=solutions&n=8", "#classes-status[data-state=done]"),
    ("view=solutions&n=8&together=1", "#fold-sum"),
    ("view=solutions&n=9", "#classes-status[data-state=done]"),
    ("view=solutions&n=20", "[data-testid=too-many]"),
    ("view=count", "#begin"),
    ("view=results", "main h1"),
];

async fn five_views_are_accessible(browser: Browser) -> Result<()> {
    for (query, sign) in STATES {
        browser.goto(&format!("?{query}&lang=en")).await?;
        browser.wait_for(sign).await?;
        browser.assert_targets_apart().await.context(query)?;
    }
    // A displayed solution is not part of the address, so the test requests it.
    browser.goto("?view=play&n=8&queens=0:0&lang=en").await?;
    press(&browser, "#show-one").await?;
    browser.wait_for_count("#board [data-state=shown]", 7).await?;
    // All other pages were checked before the test left them.
    browser.assert_accessible().await
}

/// Visits everything that Explore can show next to its board. Each page is also checked when the
/// test leaves the page.
async fn explore_states(browser: &Browser, language: &str, is_phone: bool) -> Result<()> {
    browser.goto(&format!("?lang={language}")).await?;
    browser.wait_for("#watch").await?;
    browser.assert_accessible().await.context("the first visit")?;
    browser.goto(&format!("?method=backtracking&step=52&lang={language}")).await?;
    browser.wait_for("#board .attack").await?;
    browser.assert_accessible().await.context("a dead end")?;
    for (query, part) in [
        ("&work=1", "#efforts-table[data-complete='true']"),
        ("&compare=bitmap", "#race-clock"),
        ("", "#code .line"),
    ] {
        browser.goto(&format!("?n=6&step=30{query}&lang={language}")).await?;
        browser.wait_for(part).await?;
        browser.assert_accessible().await.with_context(|| part.to_owned())?;
    }
    for (command, dialog) in [("#signs-open", "signs"), ("#masks-open", "masks")] {
        browser.click("#more").await?;
        browser.click(command).await?;
        browser.wait_for(&format!("#{dialog}[open]")).await?;
        browser.assert_accessible().await.with_context(|| dialog.to_owned())?;
        browser.press(Key::Escape).await?;
    }
    browser.click("#more").await?;
    browser.assert_accessible().await.context("the menu")?;
    browser.press(Key::Escape).await?;
    crate::open_share(browser).await?;
    browser.assert_accessible().await.context("the dialog Share")?;
    browser.assert_fits_the_width().await.context("the dialog Share")?;
    browser.press(Key::Escape).await?;
    browser.focus("#board").await?;
    browser.type_keys("?").await?;
    browser.wait_for("#keys[open]").await?;
    browser.assert_accessible().await.context("the list of keys")?;
    browser.press(Key::Escape).await?;
    // A closed square is selected while a name lights squares.
    browser.goto(&format!("?n=8&step=1650&lang={language}")).await?;
    browser.wait_for("#board [data-rule='upper-side']").await?;
    browser.focus("#board").await?;
    browser.press(Key::Enter).await?;
    for _ in 0..7 {
        browser.press(Key::Up).await?;
    }
    browser.press(Key::Down).await?;
    browser.wait_for("#witness-solution").await?;
    let open = "for (const id of ['#whole', '#hex']) document.querySelector(id).click();";
    browser.script(open, &[]).await?;
    browser.focus("#register-down a").await?;
    browser.wait_for("#board .overlay[d^='M']").await?;
    browser.assert_accessible().await.context("a selected square with its explanation")?;
    // A jump that takes a while, a step that does not exist, and a solution.
    browser.goto(&format!("?n=24&method=backtracking&lang={language}")).await?;
    press(browser, "#next").await?;
    browser.wait_for("#stop").await?;
    browser.assert_accessible().await.context("a search in progress")?;
    if !is_phone {
        // In a window this high, the bar of solutions at the bottom covers no target.
        browser.set_size(1280, 1600).await?;
    }
    for (query, sign) in [
        ("n=5&step=99999", "#notice:not(:empty)"),
        ("n=33&method=magic&step=-4", "#address-problems"),
        ("n=8&step=304", "#to-symmetries"),
        ("n=8&step=304&embed", "#open-full"),
        ("n=1", "#board"),
        ("n=32&method=bitmap&step=500", "#step[data-step='500']"),
    ] {
        browser.goto(&format!("?{query}&lang={language}")).await?;
        browser.wait_for(sign).await?;
        browser.assert_targets_apart().await.context(query)?;
    }
    browser.assert_accessible().await
}

async fn press(browser: &Browser, selector: &str) -> Result<()> {
    browser.focus(selector).await?;
    browser.press(Key::Enter).await
}

async fn explore_is_accessible_in_every_state(browser: Browser) -> Result<()> {
    explore_states(&browser, "en", false).await
}

async fn explore_is_accessible_dark_in_japanese_on_a_phone(browser: Browser) -> Result<()> {
    browser.set_phone().await?;
    browser.set_preferences(true, true).await?;
    explore_states(&browser, "ja", true).await
}
