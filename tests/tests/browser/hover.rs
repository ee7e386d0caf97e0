//! What is under the mouse can be read, everywhere and in both themes.

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![what_is_under_the_mouse_can_be_read, and_in_the_dark]
}

/// Every view, and what shows that it is there.
const VIEWS: [(&str, &str); 8] = [
    ("?n=8&step=304", "#to-symmetries"),
    ("?n=8&step=1480&compare=bitmap", "#compare-with"),
    ("?view=play&n=8&queens=0:0,1:4", "#completions[data-state=done]"),
    ("?view=symmetries&solution=1,3,5,0,2,4", "#class"),
    ("?view=classes&n=6", "#main h1"),
    ("?view=results", "#main h1"),
    ("?view=explanation", "#main h1"),
    ("?view=numbers", "#main h1"),
];

/// Marks one of each kind of control, and returns how many there are.
const MARK: &str = "
    const kinds = new Set();
    const controls = [...document.querySelectorAll('button, a[href], summary, select, .button')];
    return controls.filter((each) => {
        const { width, height } = each.getBoundingClientRect();
        const kind = [each.tagName, each.className, each.disabled, each.ariaPressed, each.ariaCurrent,
            each.closest('section, nav, header, details, table, li')?.className].join();
        if (each.disabled || width < 4 || height < 4 || !each.checkVisibility() || kinds.has(kind))
            return false;
        kinds.add(kind);
        each.dataset.control = kinds.size - 1;
        return true;
    }).length;";

/// Where a marked control can be hit; nothing where something lies over it.
const PLACE: &str = "
    const control = document.querySelector(`[data-control='${arguments[0]}']`);
    if (!control) return null;
    control.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = control.getClientRects()[0];
    const [x, y] = [left + width / 2, top + height / 2];
    return control.contains(document.elementFromPoint(x, y)) ? [x, y] : null;";

/// The texts and icons of the control under the mouse whose contrast with their ground is too low.
const FAINT: &str = "
    const control = document.querySelector(`[data-control='${arguments[0]}']`);
    if (!control.matches(':hover')) return null;
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const channels = (colour) => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (upper, lower) =>
        [0, 1, 2].map((at) => upper[at] * upper[3] + lower[at] * (1 - upper[3])).concat(1);
    const ground = (element) => element
        ? over(channels(getComputedStyle(element).backgroundColor), ground(element.parentElement))
        : [255, 255, 255, 1];
    const light = (colour) => [0.2126, 0.7152, 0.0722].reduce((sum, share, at) => {
        const value = colour[at] / 255;
        return sum + share * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    }, 0);
    const contrast = (one, other) => {
        const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const faint = [];
    const judge = (colour, element, least, what) => {
        const below = ground(element);
        const found = contrast(over(channels(colour), below), below);
        if (found < least) faint.push([control.id || control.className, what, found]);
    };
    for (const part of [control, ...control.querySelectorAll('*')]) {
        const style = getComputedStyle(part);
        const isText = [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        const isShape = part.matches('svg path, svg circle') && !part.closest('.mini-board');
        if (isText && !part.closest('svg, option')) judge(style.color, part, 4.5, part.textContent);
        if (isShape && style.fill !== 'none')
            judge(style.fill, part.closest('svg').parentElement, 3, 'icon');
    }
    return faint;";

async fn hover_all(browser: &Browser) -> Result<()> {
    let mut hovered = 0;
    for (query, sign) in VIEWS {
        browser.goto(query).await?;
        browser.wait_for(sign).await?;
        browser.settle().await?;
        let controls = browser.script(MARK, &[]).await?.as_u64().context("a number")?;
        for control in 0..controls {
            let place = browser.script(PLACE, &[json!(control)]).await?;
            let (Some(x), Some(y)) = (place[0].as_f64(), place[1].as_f64()) else { continue };
            let to = json!({ "type": "mouseMoved", "x": x, "y": y });
            browser.devtools("Input.dispatchMouseEvent", to).await?;
            let faint = browser.script(FAINT, &[json!(control)]).await?;
            if let Some(faint) = faint.as_array() {
                assert!(faint.is_empty(), "{query}: {faint:?}");
                hovered += 1;
            }
        }
    }
    println!("{hovered} kinds of controls were under the mouse");
    assert!(hovered > 60, "{hovered} controls");
    Ok(())
}

async fn what_is_under_the_mouse_can_be_read(browser: Browser) -> Result<()> {
    browser.set_preferences(false, true).await?;
    hover_all(&browser).await
}

async fn and_in_the_dark(browser: Browser) -> Result<()> {
    browser.set_preferences(true, true).await?;
    hover_all(&browser).await
}
