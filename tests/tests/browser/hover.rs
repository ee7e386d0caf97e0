//! Hovering: controls stay readable with the mouse over them.

use anyhow::{Context, Result, ensure};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        hovered_controls_are_readable_in_both_themes,
        icon_buttons_and_cell_letters_have_tooltips,
    ]
}

/// Addresses of views in states with most of their controls, each with an element that shows that the view is
/// ready.
const STATES: [(&str, &str); 8] = [
    ("n=8&step=354&compare=bitmap", "#race-clock"),
    ("view=play&n=8&queens=0:0,1:4,5:5", "#board .conflict"),
    ("view=solutions&solution=6,0,2,7,5,3,1,4", "#class"),
    ("view=solutions&n=9", "#classes-status[data-state=done]"),
    ("view=solutions&n=20", "[data-testid=too-many]"),
    ("view=results", "main h1"),
    ("view=explanation", "#cuts"),
    ("view=numbers", ".numbers table"),
];

/// A headless browser reports that it has no mouse, so styles for hovering do not apply. This
/// script makes them apply.
const MOUSE: &str = "
    for (const sheet of document.styleSheets) {
        for (const rule of sheet.cssRules) {
            if (rule.media?.mediaText === '(hover: hover)') rule.media.mediaText = 'all';
        }
    }";

/// Numbers one control of each kind that can be hovered, except for the given kinds. Returns all
/// kinds.
const NUMBER: &str = "
    const CONTROLS = `a[href], button, select, summary, input:not([type='range'])`;
    const kinds = new Set(arguments[0]);
    let count = 0;
    for (const control of document.querySelectorAll(CONTROLS)) {
        const kind = [control.tagName, control.className, control.disabled,
            control.hasAttribute('aria-current'), control.closest('[class]')?.className].join();
        if (kinds.has(kind) || !control.checkVisibility()) continue;
        control.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { x, y, width, height } = control.getBoundingClientRect();
        const [middle, centre] = [x + width / 2, y + height / 2];
        if (document.elementFromPoint(middle, centre)?.closest(CONTROLS) !== control)
            continue;
        kinds.add(kind);
        control.dataset.pointed = count++;
    }
    return [...kinds];";

/// Returns the contrast between a control's colour and its background, in the theme where it is smaller;
/// whether the control has text; and the beginning of its HTML. Returns `null` if the pointer is
/// not over the control.
const CONTRAST: &str = "
    const control = document.querySelector(`[data-pointed='${arguments[0]}']`);
    if (!control.matches(':hover')) return null;
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const paint = (...colours) => {
        context.clearRect(0, 0, 1, 1);
        for (const colour of colours) {
            context.fillStyle = colour;
            context.fillRect(0, 0, 1, 1);
        }
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (colour) => {
        const [r, g, b] = colour.map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const root = document.documentElement;
    const contrasts = ['light', 'dark'].map((theme) => {
        // The colours depend on the theme only through light-dark().
        root.style.colorScheme = theme;
        const behind = [];
        for (let part = control; part; part = part.parentElement) {
            behind.unshift(getComputedStyle(part).backgroundColor);
        }
        const ground = paint('white', ...behind);
        const front = paint('white', ...behind, getComputedStyle(control).color);
        const [low, high] = [luminance(front), luminance(ground)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    });
    root.style.colorScheme = '';
    return [Math.min(...contrasts), control.textContent.trim() !== '',
        control.outerHTML.slice(0, 160)];";

async fn hovered_controls_are_readable_in_both_themes(browser: Browser) -> Result<()> {
    browser.set_preferences(false, true).await?;
    let mut kinds = json!([]);
    let (mut all, mut read) = (0, 0);
    for (query, sign) in STATES {
        browser.goto(&format!("?{query}&lang=en")).await?;
        browser.wait_for(sign).await?;
        browser.script(MOUSE, &[]).await?;
        kinds = browser.script(NUMBER, &[kinds]).await?;
        let controls = browser.count("[data-pointed]").await?;
        all += controls;
        for control in 0..controls {
            let found = format!("[data-pointed='{control}']");
            let centre = "document.querySelector(arguments[0])
                .scrollIntoView({ block: 'center', behavior: 'instant' });";
            browser.script(centre, &[json!(found)]).await?;
            browser.hover(&found).await.context(query)?;
            let seen = browser.script(CONTRAST, &[json!(control)]).await?;
            // The control is covered or has disappeared, so a user cannot point at it either.
            let Some(contrast) = seen[0].as_f64() else { continue };
            read += 1;
            let least = if seen[1] == true { 4.5 } else { 3.0 };
            ensure!(contrast >= least, "{query}: {contrast:.2} under the mouse: {}", seen[2]);
        }
    }
    ensure!(all > 40, "{all} controls");
    ensure!(2 * read > all, "only {read} of {all} controls were pointed at");
    Ok(())
}

/// Returns the visibility and the text of a button's tooltip.
const HINT: &str = "
    const button = document.querySelector(arguments[0]);
    const { visibility, content } = getComputedStyle(button, '::after');
    return [visibility, content];";

async fn icon_buttons_and_cell_letters_have_tooltips(browser: Browser) -> Result<()> {
    browser.goto("?step=1480").await?;
    browser.wait_for("#step[data-step='1480']").await?;
    browser.script(MOUSE, &[]).await?;
    for (button, says, key) in [
        ("#forward", "One move forward", "→"),
        ("#previous", "Previous: solution", "Shift + S"),
        ("#settings-open", "Settings", ""),
    ] {
        let hint = async || {
            let seen = browser.script(HINT, &[json!(button)]).await?;
            Ok::<(String, String), anyhow::Error>(serde_json::from_value(seen)?)
        };
        let (visibility, content) = hint().await?;
        ensure!(visibility == "hidden", "{button} before: {visibility}");
        ensure!(content.contains(says) && content.contains(key), "{button}: {content}");
        browser.hover(button).await?;
        ensure!(hint().await?.0 == "visible", "{button} under the mouse");
        browser.screenshot(&format!("hint-{}", &button[1..5])).await?;
        browser.click("#why").await?;
        browser.tab_to(button).await?;
        ensure!(hint().await?.0 == "visible", "{button} with the focus");
        browser.click("#why").await?;
    }
    // A button that was clicked keeps the focus, but its tooltip would cover the page during all further keys.
    browser.click("#forward").await?;
    browser.hover("#why").await?;
    browser.press(Key::Right).await?;
    let hint = browser.script(HINT, &[json!("#forward")]).await?;
    ensure!(hint[0] == "hidden", "{hint} after a click and a key");
    browser.assert_fits_the_width().await?;
    browser.hover("#board .badge-letter").await?;
    browser.wait_for("#board .ring").await?;
    // The ring does not disappear right after it has appeared.
    let gone = browser
        .script(
            "return new Promise((resolve) => {
                 const [begin, seen] = [performance.now(), []];
                 const look = () => {
                     seen.push(document.querySelector('#board .ring') !== null);
                     if (performance.now() - begin < 500) requestAnimationFrame(look);
                     else resolve(seen.filter((here) => !here).length);
                 };
                 look();
             });",
            &[],
        )
        .await?;
    ensure!(gone == 0, "the ring was missing in {gone} frames");
    Ok(())
}
