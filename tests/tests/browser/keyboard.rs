//! The keyboard alone: every control of every view is reachable, and those of Explore work.

use anyhow::{Context, Result, ensure};
use queens_core::{Masks, Node, Register, Size, Stepped, Timeline};
use queens_tests::browser::explore::{self, wait_for_step as at_step};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        tab_reaches_and_shows_every_control_of_every_view,
        explore_controls_and_panels_work_by_keyboard,
    ]
}

async fn press_on(browser: &Browser, selector: &str, key: Key) -> Result<()> {
    browser.tab_to(selector).await?;
    browser.press(key).await
}

/// Opens all panels.
async fn open_all(browser: &Browser) -> Result<()> {
    let closed = "details:not([open]):not([hidden] *) > summary";
    while browser.count(closed).await? > 0 {
        let open = browser.count("details[open]").await?;
        press_on(browser, closed, Key::Enter).await?;
        browser.wait_for_count("details[open]", open + 1).await?;
    }
    Ok(())
}

/// Presses Tab through the whole page, and fails if a focusable element was skipped or did not show its focus.
async fn tab_through_page(browser: &Browser) -> Result<()> {
    let all = browser
        .script(
            "const all = [...document.querySelectorAll(
                 'a[href], button, input, select, textarea, summary, [tabindex=\"0\"]')]
                 .filter((each) => !each.disabled && each.tabIndex >= 0
                     && each.checkVisibility({ visibilityProperty: true }));
             all.forEach((each, index) => { each.dataset.stop = index; });
             window.stops = new Set();
             document.addEventListener('focusin', ({ target }) => {
                 const ring = target.querySelector(':scope > .focus');
                 const style = getComputedStyle(ring ?? target);
                 const [line, width] = ring ? [style.stroke, style.strokeWidth]
                     : [style.outlineStyle, style.outlineWidth];
                 if (line !== 'none' && parseFloat(width) >= 2) window.stops.add(target.dataset.stop);
             });
             document.activeElement.blur();
             return all.length;",
            &[],
        )
        .await?;
    let all = all.as_u64().context("no number of stops")?;
    ensure!(all > 10, "{all} stops");
    let tabs = usize::try_from(all)? + 5;
    browser.type_keys(&char::from(Key::Tab).to_string().repeat(tabs)).await?;
    let missed = browser
        .script(
            "return [...document.querySelectorAll('[data-stop]')]
                 .filter((each) => !window.stops.has(each.dataset.stop))
                 .map((each) => each.outerHTML.slice(0, 120));",
            &[],
        )
        .await?;
    ensure!(missed.as_array().is_some_and(Vec::is_empty), "Tab skips or does not show {missed:#}");
    Ok(())
}

async fn tab_reaches_and_shows_every_control_of_every_view(browser: Browser) -> Result<()> {
    for (query, sign) in [
        ("n=6&step=30", "#code .line"),
        ("n=6&step=30&compare=bitmap", "#compare-with"),
        ("view=play&n=6&queens=0:1,1:3&lang=ja", "#completions[data-state=done]"),
        ("view=solutions&solution=6,1,5,2,0,3,7,4", "#open-in-explore"),
        ("view=solutions&n=9", "#classes-status[data-state=done]"),
        ("view=numbers", "#numbers [data-n='27']"),
        ("view=explanation", "[data-testid=figure]"),
    ] {
        browser.goto(&format!("?{query}")).await?;
        browser.wait_for(sign).await?;
        if query.contains("view=play") {
            open_all(&browser).await?;
        }
        tab_through_page(&browser).await.context(query)?;
    }
    // Tab leads to one of the 92 solutions, and the arrow keys lead to the others.
    browser.goto("?view=solutions").await?;
    browser.focus(".tile[tabindex='0']").await?;
    for (key, place) in [(Key::End, 92), (Key::Left, 91), (Key::Home, 1), (Key::Right, 2)] {
        browser.press(key).await?;
        let label = format!(".tile[tabindex='0'][aria-label$=', {place} of 92']:focus");
        browser.wait_for(&label).await?;
    }
    browser.wait_for_count(".tile[tabindex='0']", 1).await
}

/// Opens and closes the menu and its dialogs, which take the focus and return it.
async fn open_menu_and_dialogs(browser: &Browser) -> Result<()> {
    press_on(browser, "#more", Key::Enter).await?;
    browser.wait_for("#more-commands:popover-open #share-open:focus").await?;
    browser.press(Key::Escape).await?;
    browser.wait_for_count("#more-commands:popover-open", 0).await?;
    browser.wait_for("#more:focus").await?;
    for (command, dialog) in [("#share-open", "share"), ("#help", "keys"), ("#signs-open", "signs")]
    {
        press_on(browser, "#more", Key::Enter).await?;
        press_on(browser, command, Key::Enter).await?;
        browser.wait_for(&format!("#{dialog}[open] :focus")).await?;
        press_on(browser, &format!("#{dialog}-close"), Key::Enter).await?;
        browser.wait_for_count(&format!("#{dialog}[open]"), 0).await?;
        browser.wait_for("#more:focus").await?;
    }
    Ok(())
}

/// Uses the bar, its menu, the board, registers, the fields of the top bar, the code, the comparison, the
/// branches and links.
async fn explore_controls_and_panels_work_by_keyboard(browser: Browser) -> Result<()> {
    let (solution, _) = explore::first_solution(Stepped::Symmetry, 6)?;
    browser.goto("?n=6&method=symmetry").await?;
    let mut whole = Timeline::new(Stepped::Symmetry, Size::new(6)?);
    whole.seek(u64::MAX, u64::MAX);
    let end = whole.step();
    let first = explore::beats(Stepped::Symmetry, 6, 2)?[1];
    for (button, step) in
        [("#forward", first), ("#back", 0), ("#next", solution), ("#previous", solution)]
    {
        press_on(&browser, button, Key::Enter).await?;
        at_step(&browser, step).await.with_context(|| button.to_owned())?;
    }
    press_on(&browser, "#board", Key::Home).await?;
    at_step(&browser, 0).await?;
    press_on(&browser, "#map", Key::PageUp).await?;
    at_step(&browser, end / 10).await?;
    press_on(&browser, "#speed", Key::End).await?;
    browser.wait_for("#speed[aria-valuetext=Instant]").await?;
    press_on(&browser, "#target", Key::End).await?;
    browser.wait_for("#target option[value=end]:checked").await?;
    press_on(&browser, "#play", Key::Enter).await?;
    at_step(&browser, end).await?;
    browser.wait_for("#forward[aria-disabled='true']").await?;
    open_menu_and_dialogs(&browser).await?;
    // Selecting a square highlights its column in the registers.
    press_on(&browser, "#board", Key::Home).await?;
    at_step(&browser, 0).await?;
    browser.press(Key::Enter).await?;
    browser.press(Key::Right).await?;
    browser.wait_for("#board [data-row='0'][data-column='1']:focus").await?;
    browser.wait_for_text("#asked", "Row 0, column 1").await?;
    browser.wait_for(".bit.lit[data-bit='4']").await?;
    browser.press(Key::Escape).await?;
    browser.wait_for("#board:focus").await?;
    press_on(&browser, "#hex", Key::Enter).await?;
    let name = Register::Mask.name();
    browser.wait_for_text("#register-mask .register-hex", "3F").await.context(name)?;
    press_on(&browser, "#method", Key::Up).await?;
    browser.wait_for_text(".method-line", "13").await?;
    // After a choice in the open list, the keys act on the search.
    press_on(&browser, "#method", Key::Enter).await?;
    browser.press(Key::Down).await?;
    browser.press(Key::Enter).await?;
    browser.wait_for("#board:focus").await?;
    browser.wait_for_text(".method-line", "14").await?;
    browser.tab_to("#size").await?;
    browser.fill("#size", "5").await?;
    browser.wait_for_count("#board [data-row='0']", 5).await?;
    let size = Size::new(5)?;
    let last = Masks::branches(size).last().context("no branch")?;
    let mut timeline = Timeline::new(Stepped::Symmetry, size);
    timeline.seek_node(&Node::root(size).below(last.bound1), u64::MAX);
    press_on(&browser, "#more", Key::Enter).await?;
    press_on(&browser, "#masks-open", Key::Enter).await?;
    press_on(&browser, ".branch:last-child", Key::Enter).await?;
    at_step(&browser, timeline.step()).await?;
    browser.wait_for("#board:focus").await?;
    press_on(&browser, "#compare", Key::Enter).await?;
    browser.wait_for("#play:focus").await?;
    press_on(&browser, "#compare-with", Key::Down).await?;
    press_on(&browser, "#race-end", Key::Enter).await?;
    browser.wait_for("#board:focus").await?;
    press_on(&browser, "#compare", Key::Enter).await?;
    browser.wait_for("#play:focus").await?;
    browser.press(Key::Escape).await?;
    browser.wait_for("#board:focus").await?;
    // The language changes under the focus, and Escape returns it to the button.
    press_on(&browser, "#settings-open", Key::Enter).await?;
    browser.wait_for("#settings:popover-open #language-en:focus").await?;
    browser.press(Key::Down).await?;
    browser.wait_for("html[lang='ja'] #language-ja:focus").await?;
    browser.press(Key::Tab).await?;
    browser.wait_for("#theme-light:focus").await?;
    browser.press(Key::Escape).await?;
    browser.wait_for_count("#settings:popover-open", 0).await?;
    browser.wait_for("#settings-open:focus").await?;
    // A menu closes when Tab leaves it.
    press_on(&browser, "#settings-open", Key::Enter).await?;
    browser.wait_for("#settings:popover-open #language-ja:focus").await?;
    browser.press(Key::Tab).await?;
    browser.press(Key::Tab).await?;
    browser.wait_for_count("#settings:popover-open", 0).await?;
    press_on(&browser, "#more", Key::Enter).await?;
    press_on(&browser, "#to-play", Key::Enter).await?;
    browser.wait_for("#queens").await.map(drop)
}
