//! The layout, mainly of Explore, in windows of many sizes: nothing is cut off.

use anyhow::{Context, Result};
use queens_core::{Event, Size, Stepped, Timeline};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        the_board_fills_most_of_the_window,
        board_and_controls_are_visible_together,
        programs_fit_beside_the_registers,
        controls_that_are_always_visible_do_not_scroll_the_page,
        nothing_moves_from_step_to_step,
        the_bar_has_no_overlap_and_leaves_room_for_the_board_and_messages,
        boards_of_play_and_lessons_fit_into_low_windows,
        explore_and_solutions_on_a_phone_fit_and_have_targets_for_fingers,
        the_table_of_work_is_not_cut_off_and_its_words_do_not_break,
        the_navigation_bar_stays_visible,
        tooltips_of_terms_stay_in_the_window,
        explanations_of_squares_are_not_cut_off_and_move_nothing,
    ]
}

async fn edges(browser: &Browser, selector: &str) -> Result<[f64; 4]> {
    browser.edges(selector).await
}

/// Opens a step with one of the longest sentences.
async fn open(browser: &Browser, (width, height): (u32, u32)) -> Result<()> {
    browser.set_size(width, height).await?;
    browser.goto("?n=8&step=1480").await?;
    browser.wait_for("#step[data-step='1480']").await?;
    browser.script("scrollTo(0, 0);", &[]).await.map(drop)
}

/// The windows in which the board is measured: the size, whether they have touch, and the smallest
/// allowed ratios of the board's side to the window's height, to the window's width, and to the
/// height that the top bar and the transport leave.
const WINDOWS: [((u32, u32), bool, [f64; 3]); 8] = [
    ((1280, 720), false, [0.7, 0.0, 0.0]),
    ((1366, 768), false, [0.7, 0.0, 0.0]),
    ((1440, 900), false, [0.7, 0.0, 0.0]),
    ((1920, 1080), false, [0.7, 0.0, 0.0]),
    ((2560, 1440), false, [0.7, 0.0, 0.0]),
    ((390, 844), true, [0.0, 0.9, 0.0]),
    ((844, 390), true, [0.0, 0.0, 0.7]),
    ((683, 384), false, [0.0, 0.0, 0.7]),
];

async fn the_board_fills_most_of_the_window(browser: Browser) -> Result<()> {
    for (window, touch, least) in WINDOWS {
        browser.set_touch(touch).await?;
        browser.set_size(window.0, window.1).await?;
        let mut first = None;
        // The methods with the fewest and with the most registers; the second step has one of the
        // longest sentences.
        for (method, step) in [("brute-force", 140), ("symmetry", 1480)] {
            browser.goto(&format!("?n=8&method={method}&step={step}")).await?;
            browser.wait_for(&format!("#step[data-step='{step}']")).await?;
            browser.script("scrollTo(0, 0);", &[]).await?;
            let [left, top, right, bottom] = edges(&browser, "#board").await?;
            let bar = edges(&browser, ".top-bar").await?;
            let transport = edges(&browser, ".transport").await?;
            // Scroll bars take some of a window's width unless they lie over the page, as on phones.
            let width = browser.script("return document.documentElement.clientWidth;", &[]).await?;
            let width = width.as_f64().context("the width")?;
            let height = f64::from(window.1);
            let free_height = height - (bar[3] - bar[1]) - (transport[3] - transport[1]);
            let side = bottom - top;
            let ratios = [side / height, side / width, side / free_height];
            println!("{window:?} {method}: {side:.0}, {ratios:.2?}");
            assert!(
                (right - left - side).abs() < 1.0,
                "{window:?} {method}: {left} {right} {side}"
            );
            assert!(
                ratios.iter().zip(least).all(|(&is, least)| is >= least),
                "{window:?} {ratios:?}"
            );
            assert!(top > 0.0 && bottom <= transport[1], "{window:?}: {bottom} {transport:?}");
            assert_eq!(*first.get_or_insert(side), side, "{window:?} {method}");
            if method == "symmetry" {
                if window.0 >= 1280 {
                    for part in ["#registers", "#code"] {
                        let [left, _, end, below] = edges(&browser, part).await?;
                        let is_beside = left >= right && end <= width && below <= transport[1];
                        assert!(is_beside, "{window:?} {part}: {left} {end} {below}");
                    }
                }
                check_keys(&browser, height).await?;
            }
            browser.assert_fits_the_width().await?;
        }
        browser.screenshot(&format!("layout-{}x{}", window.0, window.1)).await?;
    }
    Ok(())
}

/// Checks that the list of keys is centred in a window of this height.
async fn check_keys(browser: &Browser, height: f64) -> Result<()> {
    browser.focus("#board").await?;
    browser.type_keys("?").await?;
    let [_, top, _, bottom] = edges(browser, "#keys[open]").await?;
    let below = height - bottom;
    assert!(top > 0.0 && (top - below).abs() < 2.0, "{height}: {top} {below}");
    browser.press(Key::Escape).await?;
    browser.wait_for_count("#keys[open]", 0).await?;
    browser.script("scrollTo(0, 0);", &[]).await.map(drop)
}

/// All windows show the board and the bar, low ones with all its controls, others with the explanation.
async fn board_and_controls_are_visible_together(browser: Browser) -> Result<()> {
    for (window, touch) in [
        ((768, 1024), false),
        ((768, 1024), true),
        ((375, 812), true),
        ((390, 844), true),
        // A window of 1440 by 900 with a zoom of 200%.
        ((720, 450), false),
        ((640, 360), false),
        ((568, 320), false),
        ((500, 400), false),
    ] {
        let at = format!("{window:?} {touch}");
        browser.set_touch(touch).await?;
        open(&browser, window).await?;
        let [_, top, _, bottom] = edges(&browser, "#board").await?;
        let [_, map, _, _] = edges(&browser, "#map").await?;
        assert!(0.0 < top && bottom <= map, "{at}: {top} {bottom} {map}");
        assert!(bottom - top > 0.35 * f64::from(window.1), "{at}: {top} {bottom}");
        let transport = edges(&browser, ".transport").await?;
        assert!(transport[3] <= f64::from(window.1) + 0.5, "{at}: {transport:?}");
        if window.1 >= 450 {
            let [_, top, _, bottom] = edges(&browser, "#why").await?;
            assert!(top >= 0.0 && bottom <= map, "{at}: {bottom} {map}");
        } else {
            for control in ["#play", "#previous", "#target", "#next", "#speed", "#more", "#step"] {
                let [left, top, right, bottom] = edges(&browser, control).await?;
                let is_inside = left >= 0.0
                    && right <= f64::from(window.0)
                    && top >= map
                    && bottom <= f64::from(window.1) + 0.5;
                assert!(is_inside, "{at} {control}: {left} {top} {right} {bottom}");
            }
        }
        if window == (390, 844) {
            // The line that acts and its registers, but nothing else of the program until the user wants it.
            for part in ["#code .current", "#register-sidemask .bits", "#register-free .bits"] {
                let [_, _, _, bottom] = edges(&browser, part).await?;
                assert!(bottom <= transport[1] + 1.0, "{part}: {bottom} {transport:?}");
            }
            let lines = "return [...document.querySelectorAll('#code .line')]
                .filter((line) => line.checkVisibility()).length;";
            assert_eq!(browser.script(lines, &[]).await?, json!(1));
            browser.click("#whole").await?;
            assert!(browser.script(lines, &[]).await?.as_u64() > Some(10));
        }
        browser.assert_fits_the_width().await?;
        let touch = if touch { "-touch" } else { "" };
        browser.screenshot(&format!("layout-{}x{}{touch}", window.0, window.1)).await?;
    }
    Ok(())
}

/// Steps through a part of the search, and returns the largest distance in pixels by which the upper edge or the
/// size of something has changed, and the number of pixels by which the longest sentence is too long.
const MOVES: &str = "
    const parts = ['#board', '.method-line', '#registers', '#code', '.program-notes', '#map', '#play', '#step'];
    const measured = () => parts.flatMap((part) => {
        const { left, top, width, height } = document.querySelector(part).getBoundingClientRect();
        return part === '#step' ? [left, top] : [left, top, width, height];
    });
    const frames = (count) => new Promise((resolve) => {
        const next = () => count-- > 0 ? requestAnimationFrame(next) : resolve();
        next();
    });
    const go = async () => {
        const first = measured();
        let [moved, over] = [0, 0];
        for (let step = 0; step < 40; step++) {
            dispatchEvent.call(document.body, new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
            await frames(3);
            const now = measured();
            moved = Math.max(moved, ...now.map((each, at) => Math.abs(each - first[at])));
            const edge = (part, side) => document.querySelector(part).getBoundingClientRect()[side];
            over = Math.max(over, edge('#why', 'bottom') - edge('.desk', 'top'));
        }
        return [moved, over];
    };
    return go();";

/// The parts of the search have the longest sentences, solutions, comparisons, and first queens.
async fn nothing_moves_from_step_to_step(browser: Browser) -> Result<()> {
    let windows = [(1280, 720), (1440, 900), (1920, 1080)];
    for (window, language) in
        windows.into_iter().flat_map(|window| [(window, "en"), (window, "ja")])
    {
        browser.set_size(window.0, window.1).await?;
        for step in [2, 290, 1160, 1470, 1610] {
            browser.goto(&format!("?n=8&step={step}&lang={language}")).await?;
            browser.wait_for("#step[data-end]").await?;
            let seen = browser.script(MOVES, &[]).await?;
            let [moved, over]: [f64; 2] = serde_json::from_value(seen)?;
            assert!(moved <= 2.0 && over <= 0.0, "{window:?} {language} {step}: {moved} {over}");
        }
        browser.screenshot(&format!("steps-{}-{language}", window.0)).await?;
    }
    Ok(())
}

/// In the smallest window of a projector, no program up to that of the cuts has to be scrolled, in its search and
/// in its main part.
async fn programs_fit_beside_the_registers(browser: Browser) -> Result<()> {
    browser.set_size(1280, 720).await?;
    for method in Stepped::ALL.iter().filter(|&&method| method != Stepped::Symmetry) {
        for step in [1, 40] {
            browser.goto(&format!("?n=8&method={}&step={step}", method.id())).await?;
            browser.wait_for("#code .current").await?;
            let hidden = "const code = document.querySelector('#code');
                          return code.scrollHeight - code.clientHeight;";
            assert_eq!(browser.script(hidden, &[]).await?, json!(0), "{method} {step}");
        }
    }
    Ok(())
}

/// Returns the pairs of controls of the bar that overlap.
const OVERLAPS: &str = "
    const targets = [...document.querySelectorAll('#map, #step, .controls :is(button, select, input)')]
        .filter((target) => target.checkVisibility())
        .map((target) => [target.id, target.getBoundingClientRect()]);
    return targets.flatMap(([id, a], index) => targets.slice(index + 1)
        .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1
            && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map(([other]) => `${id} ${other}`));";

/// The bar has the map and one line of controls, in narrow windows two.
async fn the_bar_has_no_overlap_and_leaves_room_for_the_board_and_messages(
    browser: Browser,
) -> Result<()> {
    for language in ["en", "ja"] {
        browser.goto(&format!("?n=12&step=1650&lang={language}")).await?;
        browser.wait_for("#step[data-end]").await?;
        for width in [320, 375, 500, 700, 768, 960, 1100, 1280, 1440] {
            let context = || format!("{width} px, {language}");
            browser.set_size(width, 800).await?;
            assert_eq!(browser.script(OVERLAPS, &[]).await?, json!([]), "{}", context());
            browser.assert_fits_the_width().await.with_context(context)?;
            let [_, top, _, bottom] = browser.edges(".transport").await?;
            let highest = if width < 768 { 170.0 } else { 125.0 };
            assert!(bottom - top < highest, "{}: {}", context(), bottom - top);
        }
        // A message covers no square.
        for (width, height) in [(1024, 768), (1920, 1080)] {
            browser.set_size(width, height).await?;
            browser.goto(&format!("?n=8&step=9000&lang={language}")).await?;
            browser.wait_for("#notice:not(:empty)").await?;
            let (board, transport) =
                (browser.edges("#board").await?, browser.edges(".transport").await?);
            assert!(board[3] <= transport[1], "{width} {language}: {board:?} {transport:?}");
        }
        // The targets for fingers are larger.
        browser.set_phone().await?;
        browser.goto(&format!("?n=8&step=1700&lang={language}")).await?;
        browser.wait_for("#step[data-end]").await?;
        let [_, top, _, bottom] = browser.edges(".transport").await?;
        assert!(bottom - top < 170.0, "{language}: {}", bottom - top);
        browser.assert_fits_the_width().await?;
        browser.screenshot(&format!("layout-phone-bar-{language}")).await?;
        browser.set_touch(false).await?;
    }
    Ok(())
}

/// Returns the words of the table's headings that are broken across lines; then the width of the list of methods, and
/// of a copy of it without a width limit, which is wider if the list has too little space for the method's name.
const WORDS: &str = "
    const broken = [];
    for (const name of document.querySelectorAll('#efforts-table thead th')) {
        const text = name.firstChild;
        for (const { 0: word, index } of text.data.matchAll(/[A-Za-z]+/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            if (range.getClientRects().length > 1) broken.push(word);
        }
    }
    const list = document.querySelector('#method');
    const limited = list.offsetWidth;
    const free = list.cloneNode(true);
    free.style.cssText = 'max-width: none; flex: none; position: absolute';
    list.parentNode.append(free);
    const wanted = free.offsetWidth;
    free.remove();
    return [broken, limited, wanted];";

async fn the_table_of_work_is_not_cut_off_and_its_words_do_not_break(
    browser: Browser,
) -> Result<()> {
    const CUT_OFF: &str = "
        return [...document.querySelectorAll('#code, .efforts-table :is(th, td)')]
            .filter((each) => each.scrollWidth > each.clientWidth + 1)
            .map((each) => [each.id, each.className, each.textContent.slice(0, 40)]);";
    for language in ["ja", "en"] {
        browser.set_size(1366, 768).await?;
        browser.goto(&format!("?n=8&method=bound2&work=1&lang={language}")).await?;
        browser.wait_for("#efforts-table[data-complete='true']").await?;
        for (width, height) in [(1366, 768), (1440, 768), (1920, 768), (1024, 768), (768, 768)] {
            browser.set_size(width, height).await?;
            let words = browser.script(WORDS, &[]).await?;
            let (broken, limited, wanted): (Vec<String>, f64, f64) = serde_json::from_value(words)?;
            assert_eq!(broken, [""; 0], "{language} {width}");
            assert!(limited >= wanted, "{language} {width}: {limited} of {wanted}");
        }
        for (width, height) in [(2560, 1440), (1024, 768), (375, 812)] {
            browser.set_size(width, height).await?;
            assert_eq!(browser.script(CUT_OFF, &[]).await?, json!([]), "{language} {width}");
            browser.screenshot(&format!("layout-table-{width}-{language}")).await?;
        }
    }
    crate::catch_saved(&browser).await?;
    browser.focus("#efforts-csv").await?;
    browser.press(Key::Enter).await?;
    let table = crate::saved(&browser).await?;
    // The last line is that of the symmetry method, whose search has 2,071 steps.
    assert_eq!(table.lines().count(), 15, "{table}");
    assert!(table.ends_with(",12,true\n") && table.contains("\nsymmetry,2071,505,"), "{table}");
    // The address has the table while it is open.
    browser.wait_until("the address", || browser.address(), |at| at.contains("work=1")).await?;
    browser.press(Key::Escape).await?;
    browser.wait_for_count("#work", 0).await?;
    browser.wait_until("the address", || browser.address(), |at| !at.contains("work=1")).await?;
    Ok(())
}

/// In low windows, the whole board of Play is visible with its message next to it. The board of an exercise and the
/// figure of a lesson are lower than the window, with their texts beside them.
async fn boards_of_play_and_lessons_fit_into_low_windows(browser: Browser) -> Result<()> {
    for (width, height) in [(844, 390), (683, 384)] {
        browser.set_size(width, height).await?;
        let window = f64::from(height);
        browser.goto("?view=play&n=8&lang=en").await?;
        browser.wait_for("#completions[data-state='done']").await?;
        let [board, message] =
            [edges(&browser, "#board").await?, edges(&browser, "#completions").await?];
        assert!(board[3] <= window && message[3] <= window, "{board:?} {message:?}");
        assert!(board[3] - board[1] > 0.7 * window && board[2] <= message[0], "{board:?}");
        browser.goto("?view=lesson&lesson=backtracking&seed=0&lang=en").await?;
        browser.wait_for(".lesson-text p").await?;
        for [board, text] in [["#board", "#question"], [".lesson-figure .marked-board", "#caption"]]
        {
            let (board, text) = (edges(&browser, board).await?, edges(&browser, text).await?);
            assert!(board[3] - board[1] < window && board[2] <= text[0], "{board:?} {text:?}");
        }
    }
    Ok(())
}

/// Returns the targets that are too small for a finger, with their sizes.
const SMALL_TARGETS: &str = "
    return [...document.querySelectorAll('a[href]:not(.skip), button, input, select, summary')]
        .filter((target) => target.checkVisibility())
        .map((target) => [target, target.getBoundingClientRect()])
        .filter(([, { width, height }]) => Math.min(width, height) < 43.9)
        .map(([target, { width, height }]) =>
            `${target.id || target.outerHTML.slice(0, 80)} ${width} × ${height}`);";

async fn explore_and_solutions_on_a_phone_fit_and_have_targets_for_fingers(
    browser: Browser,
) -> Result<()> {
    let check = async |at: &str| -> Result<()> {
        assert_eq!(browser.script(SMALL_TARGETS, &[]).await?, json!([]), "{at}");
        browser.assert_fits_the_width().await.with_context(|| at.to_owned())
    };
    browser.set_phone().await?;
    for (query, sign) in [
        ("view=solutions&n=12&lang=ja", "#classes-status[data-state=done]"),
        ("view=solutions&n=16", "[data-testid=too-many]"),
        ("view=solutions", "#fold"),
        ("view=solutions&solution=6,1,5,2,0,3,7,4", "#open-in-explore"),
        ("n=8&step=354&lang=ja", "#code .line"),
    ] {
        browser.goto(&format!("?{query}")).await?;
        browser.wait_for(sign).await?;
        check(query).await?;
    }
    for width in [320, 375] {
        browser.set_metrics(width, 700, true).await?;
        check(&format!("Explore, {width} px")).await?;
        let [left, _, right, _] = browser.edges("#board").await?;
        assert!(right - left > f64::from(width) * 0.7, "{left} {right}");
        browser.screenshot(&format!("explore-{width}")).await?;
        browser.click("#more").await?;
        check("the menu").await?;
        browser.click("#help").await?;
        browser.wait_for("#keys[open]").await?;
        // The list begins at its top, even if it must be scrolled.
        let top = browser.script("return document.querySelector('#keys').scrollTop;", &[]).await?;
        assert_eq!(top, 0, "{width} px");
        browser.press(Key::Escape).await?;
        browser.wait_for_count("#keys[open]", 0).await?;
    }
    Ok(())
}

async fn the_navigation_bar_stays_visible(browser: Browser) -> Result<()> {
    let windows = [(1440, 900), (1024, 768), (768, 1024)];
    for (query, part) in [
        ("step=1480", "#code .line"),
        ("view=solutions&solution=6,1,5,2,0,3,7,4", "#class"),
        ("view=explanation", "#total"),
        ("view=learn", "#about"),
    ] {
        browser.goto(&format!("?{query}")).await?;
        browser.wait_for(part).await?;
        for window in windows {
            browser.set_size(window.0, window.1).await?;
            browser.script("scrollTo(0, document.body.scrollHeight);", &[]).await?;
            let views = edges(&browser, ".top-bar nav").await?;
            assert!(views[1] >= 0.0 && views[3] < 100.0, "{window:?} {query}: {views:?}");
            let is_uncovered = browser
                .script(
                    "return document.elementFromPoint(...arguments).closest('.top-bar') !== null;",
                    &[json!(f64::midpoint(views[0], views[2])), json!(views[3] - 2.0)],
                )
                .await?;
            assert_eq!(is_uncovered, true, "{window:?} {query}: an element covers the views");
        }
    }
    // The targets of links are below the bar and the back link.
    for window in [windows[0], windows[2]] {
        browser.set_size(window.0, window.1).await?;
        browser.goto("?view=explanation#cuts").await?;
        browser
            .wait_until(
                "the section below the bar and the back link",
                async || Ok((edges(&browser, "#cuts").await?[1], edges(&browser, ".back").await?)),
                |&(section, back)| section >= back[3] - 1.0 && section < back[3] + 60.0,
            )
            .await?;
        browser.screenshot(&format!("layout-bar-{}", window.0)).await?;
    }
    Ok(())
}

async fn controls_that_are_always_visible_do_not_scroll_the_page(browser: Browser) -> Result<()> {
    let scrolled = async || browser.script("return scrollY;", &[]).await;
    for (width, height) in [(1366, 768), (1920, 1080)] {
        browser.set_size(width, height).await?;
        browser.goto("?method=backtracking&step=1979").await?;
        browser.wait_for("#step[data-step='1979']").await?;
        browser.tab_to("#board").await?;
        browser.press(Key::Enter).await?;
        for key in [Key::Down, Key::Up, Key::Left, Key::Down] {
            browser.press(key).await?;
            browser.settle().await?;
            assert_eq!(scrolled().await?, json!(0), "a square, {width}");
        }
        browser.press(Key::Escape).await?;
        browser.tab_to("#map").await?;
        for key in [Key::Up, Key::Right, Key::PageUp] {
            browser.press(key).await?;
            browser.settle().await?;
            assert_eq!(scrolled().await?, json!(0), "the map, {width}");
        }
    }
    Ok(())
}

/// Focuses each visible term. Returns the number of terms, and the terms without exactly one
/// visible tooltip or with a tooltip that leaves the window or overlaps the top bar: the term's
/// number, then the number of tooltips or the edges of tooltip, window and bar. Uses the focus,
/// because hovering shows a tooltip only in browsers with `(hover: hover)`.
const TOOLTIPS: &str = "
    // The explanation of a register's name is not beside it, but below the sentence.
    const terms = [...document.querySelectorAll('.term > a')].filter((term) =>
        term.checkVisibility() && !term.closest('.registers'));
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const frames = (left, then) =>
        left > 0 ? requestAnimationFrame(() => frames(left - 1, then)) : then();
    const outside = async (number) => {
        document.activeElement?.blur();
        terms[number].focus({ focusVisible: true });
        await new Promise((resolve) => frames(4, resolve));
        const shown = [...document.querySelectorAll('.term-tip')]
            .filter((tip) => getComputedStyle(tip).visibility === 'visible');
        if (shown.length !== 1) return [number, shown.length];
        const { left, top, right, bottom } = shown[0].getBoundingClientRect();
        const bar = Math.max(0, document.querySelector('.top-bar').getBoundingClientRect().bottom);
        return left >= 0 && top >= bar && right <= width && bottom <= height
            ? null : [number, left, top, right, bottom, width, height, bar].map(Math.round);
    };
    const check = async () => {
        const wrong = [];
        for (let number = 0; number < terms.length; number++) wrong.push(await outside(number));
        return [terms.length, wrong.filter((each) => each !== null)];
    };
    return check();";

async fn tooltips_of_terms_stay_in_the_window(browser: Browser) -> Result<()> {
    for (width, height) in [(1366, 768), (390, 844)] {
        browser.set_size(width, height).await?;
        for (page, begun) in [
            ("?n=8&step=1480&ask=1:7", ".asked .term"),
            ("?view=solutions&n=9", "#formula-burnside .verdict"),
            ("?view=lesson&lesson=symmetry", ".words .term"),
            ("?view=solutions&n=8&solution=6,1,5,2,0,3,7,4", ".term"),
        ] {
            browser.goto(page).await?;
            browser.wait_for(begun).await?;
            browser
                .script(
                    "for (const closed of document.querySelectorAll(
                              'details:not([open]) > summary')) closed.click();",
                    &[],
                )
                .await?;
            browser.settle().await?;
            let found = browser.script(TOOLTIPS, &[]).await?;
            let (terms, wrong): (u64, Vec<Vec<i64>>) = serde_json::from_value(found)?;
            assert!(terms > 0, "{page}");
            assert!(wrong.is_empty(), "{page} at {width}: {wrong:?}");
        }
    }
    Ok(())
}

/// The first step of the symmetry method for N = 8 that compares a solution with an image.
fn first_comparison() -> Result<u64> {
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    while let Some(step) = timeline.forward() {
        if let Event::Compare { .. } = step {
            return Ok(timeline.step());
        }
    }
    anyhow::bail!("no comparison")
}

/// The symmetry method has the most registers and the longest explanations.
async fn explanations_of_squares_are_not_cut_off_and_move_nothing(browser: Browser) -> Result<()> {
    let comparison = first_comparison()?;
    for (window, language) in [((1366, 768), "en"), ((1366, 768), "ja"), ((1280, 720), "ja")] {
        let at = format!("{window:?} {language}");
        browser.set_size(window.0, window.1).await?;
        browser.goto(&format!("?n=8&step=1650&lang={language}")).await?;
        browser.wait_for("#board [data-rule='upper-side']").await?;
        let [_, bar, _, _] = edges(&browser, ".transport").await?;
        let others = async || {
            let [why, code] = [edges(&browser, "#why").await?, edges(&browser, "#code").await?];
            Ok::<_, anyhow::Error>([why, edges(&browser, "#registers").await?, code])
        };
        let before = others().await?;
        let square = "#board [data-row='1'][data-column='0']";
        browser.hover(square).await?;
        for part in ["#asked", ".asked .words"] {
            let [_, top, _, bottom] = edges(&browser, part).await?;
            assert!(top >= before[0][3] && bottom <= bar, "{at} {part}: {top} {bottom} {bar}");
        }
        assert_eq!(others().await?, before, "{at}");
        browser.screenshot(&format!("explained-{}-{language}", window.0)).await?;
        // An example of a pruned solution has boards and buttons, too.
        browser.click(square).await?;
        let [_, _, _, bottom] = edges(&browser, "#witness-images").await?;
        let [_, top, _, _] = edges(&browser, "#asked").await?;
        let [_, _, _, head] = edges(&browser, ".top-bar").await?;
        assert!(top >= head && bottom <= bar, "{at}: {head} {top} {bottom} {bar}");
        assert_eq!(others().await?, before, "{at}");
        // The compared boards cover neither the sentence nor the line that compares them.
        browser.goto(&format!("?n=8&step={comparison}&lang={language}")).await?;
        let [_, top, _, end] = edges(&browser, "#compared").await?;
        for part in ["#why", "#code .current"] {
            let [_, _, _, below] = edges(&browser, part).await?;
            assert!(below <= top && end <= bar, "{at} {part}: {below} {top} {end} {bar}");
        }
    }
    // On a phone, the answer is above the bar, with the selected square above it.
    browser.set_phone().await?;
    browser.goto("?n=8&step=1480").await?;
    browser.wait_for("#step[data-step='1480']").await?;
    let square = "#board [data-row='6'][data-column='0']";
    browser.click(square).await?;
    browser.wait_for("#witness[data-found='solution']").await?;
    browser.settle().await?;
    let [_, top, _, _] = browser.edges(square).await?;
    let [_, _, _, answer] = browser.edges("#asked").await?;
    let [_, bar, _, _] = browser.edges(".transport").await?;
    assert!(top >= 0.0 && answer <= bar, "{top} {answer} {bar}");
    browser.screenshot("asked-phone").await.map(drop)
}
