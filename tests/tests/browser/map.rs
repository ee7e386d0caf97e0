//! Explore's map of the search, compared with the core.

use std::time::Duration;

use anyhow::{Context, Result};
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use queens_core::{Cell, Event, Register, Size, Square, SquareState, Stepped, Timeline, View};
use queens_tests::browser::explore::wait_for_step;
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::{Value, json};

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        the_map_seeks_by_click_and_drag,
        a_place_of_the_map_has_a_sentence_and_leads_to_it,
        the_map_takes_the_colours_of_the_user,
    ]
}

/// Opens the search of the symmetry method on N = 8 and waits until the page's map covers all of
/// it. Returns the core's timeline of the same search, at its end.
async fn open(browser: &Browser) -> Result<Timeline> {
    browser.goto("?n=8&method=symmetry").await?;
    browser.wait_for("#step[data-end]").await?;
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8)?);
    assert!(timeline.seek(u64::MAX, u64::MAX));
    let end = browser.attributes("#step", "data-end").await?;
    assert_eq!(end, [timeline.step().to_string()]);
    Ok(timeline)
}

/// The expected board, row by row, with the characters of `SHOWN`.
fn board(view: &View) -> Vec<String> {
    let sign = |square: Square| match view.square(square).state {
        SquareState::Queen => 'Q',
        SquareState::Attacked => '*',
        SquareState::Closed => '#',
        SquareState::Free => '+',
        SquareState::Past => '-',
        SquareState::Open => '.',
    };
    let rows = 0..view.size.get();
    rows.map(|row| Square::of_row(view.size, row).map(sign).collect()).collect()
}

/// Returns what the page shows: the board, one character per square; the squares closed by rules and
/// the cells; the bits of all registers, from the attribute and from the text; and the bounds.
const SHOWN: &str = "
    const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
    const sign = { queen: 'Q', attacked: '*', closed: '#', free: '+', past: '-', open: '.' };
    const board = [];
    all('#board [data-row]', ({ dataset: { row, column, state } }) => {
        (board[row] ??= [])[column] = sign[state];
    });
    const rules = all('#board [data-rule]', ({ dataset }) =>
        `${dataset.rule} ${dataset.row}:${dataset.column}`);
    const cells = all('#board [data-cell]', ({ dataset }) =>
        `${dataset.cell} ${dataset.row}:${dataset.column}`).sort();
    const bits = all('#registers [data-bits]', (register) =>
        [register.id, register.dataset.bits, register.querySelector('.bits').textContent]);
    const bounds = all('#registers [data-value]', (bound) => [
        bound.id, bound.dataset.value, bound.querySelector('.register-hex').textContent,
        bound.querySelector('.one')?.dataset.bit,
    ]);
    return { board: board.map((row) => row.join('')), rules, cells, bits, bounds };";

/// Fails unless the board and the registers agree with the core at this step. Returns the number of
/// free squares.
async fn assert_same(browser: &Browser, timeline: &Timeline) -> Result<usize> {
    let view = timeline.view();
    let n = view.size.rows();
    let at = format!("{} N = {n} step {}", view.method, timeline.step());
    let shown = browser.script(SHOWN, &[]).await?;
    let mut free = 0;
    let rows = shown["board"].as_array().context("no rows")?;
    assert_eq!(rows.len(), n);
    for (row, (shown, expected)) in rows.iter().zip(board(&view)).enumerate() {
        let shown = shown.as_str().context("no row")?;
        assert_eq!(shown, expected, "{at}, row {row}");
        free += shown.matches('+').count();
    }
    let rules = Square::all(view.size)
        .filter_map(|square| Some(format!("{} {square}", view.square(square).rule?.id())));
    assert_eq!(shown["rules"], json!(rules.collect::<Vec<_>>()), "{at}");
    let cells = Cell::ALL.into_iter().filter_map(|cell| {
        let (row, square) = view.masks?.cell(cell)?;
        Some(format!("{} {}", cell.letter(), Square::of_bits(view.size, row, square)?))
    });
    assert_eq!(shown["cells"], json!(cells.collect::<Vec<_>>()), "{at}");
    // `free` is shown from the step that removes the attacked and closed squares.
    let enters = matches!(timeline.last(), Some(Event::Descend { row })
        if Square::of_row(view.size, row)
            .any(|square| view.square(square).state != SquareState::Free));
    let is_shown = |register: &Register| *register != Register::Free || !enters;
    let bits = Register::ALL.into_iter().filter(is_shown).filter_map(|register| {
        let bits = format!("{:0n$b}", (view.register(register)? & view.size.mask()).bits());
        let id = format!("register-{}", register.name().to_lowercase());
        Some([id, bits.clone(), bits])
    });
    assert_eq!(shown["bits"], json!(bits.collect::<Vec<_>>()), "{at}");
    let bounds = view.masks.map(|masks| [("1", masks.bound1), ("2", masks.bound2)]);
    let bounds = bounds.into_iter().flatten().map(|(name, bound)| {
        let bound = bound.to_string();
        [format!("register-bound{name}"), bound.clone(), bound.clone(), bound]
    });
    assert_eq!(shown["bounds"], json!(bounds.collect::<Vec<_>>()), "{at}");
    Ok(free)
}

async fn shown_step(browser: &Browser) -> Result<u64> {
    Ok(browser.attributes("#step", "data-step").await?.remove(0).parse()?)
}

/// Waits until the page shows a step near the fraction `part` of the `end` steps of the search and no jump is
/// in progress. Then compares the board and the registers with the core's.
async fn assert_near(
    browser: &Browser,
    timeline: &mut Timeline,
    part: f64,
    end: u64,
) -> Result<()> {
    // One movement of the mouse may be several events, so the step may still change by a little.
    let steps = async || {
        let first = shown_step(browser).await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
        Ok([first, shown_step(browser).await?])
    };
    // The handle has a width, and a pixel represents several steps.
    let is_near = |&[first, second]: &[u64; 2]| {
        first == second && (second as f64 / end as f64 - part).abs() < 0.02
    };
    let [step, _] = browser.wait_until(&format!("{part} of {end} steps"), steps, is_near).await?;
    assert!(timeline.seek(step, u64::MAX));
    assert_same(browser, timeline).await.map(drop)
}

async fn the_map_seeks_by_click_and_drag(browser: Browser) -> Result<()> {
    let mut timeline = open(&browser).await?;
    let end = timeline.step();
    let bar = browser.wait_for("#map").await?;
    let (_, _, width, height) = bar.rectangle().await?;
    let mouse = || MouseActions::new("mouse".to_owned());
    let to = |part: f64| PointerAction::MoveToElement {
        element: bar.clone(),
        duration: Some(Duration::from_millis(50)),
        // Relative to the centre.
        x: (part - 0.5) * width,
        // The queens of the first row have wide blocks.
        y: -0.45 * height,
    };
    let down = || PointerAction::Down { button: MOUSE_BUTTON_LEFT };
    let up = || PointerAction::Up { button: MOUSE_BUTTON_LEFT };
    for part in [0.25, 0.8, 0.5] {
        let click = mouse().then(to(part)).then(down()).then(up());
        browser.client().perform_actions(click).await?;
        assert_near(&browser, &mut timeline, part, end).await?;
    }
    // Drags from the current position to another one. The board follows while the button is held.
    browser
        .script(
            "window.steps = [];
             const step = document.querySelector('#step');
             new MutationObserver(() => window.steps.push(+step.dataset.step))
                 .observe(step, { attributes: true });",
            &[],
        )
        .await?;
    for (from, halfway, part) in [(0.5, 0.6, 0.75), (0.75, 0.4, 0.1)] {
        let drag = mouse().then(to(from)).then(down()).then(to(halfway));
        browser.client().perform_actions(drag.then(to(part)).then(up())).await?;
        assert_near(&browser, &mut timeline, part, end).await?;
        let steps = browser.script("return window.steps.splice(0);", &[]).await?;
        let steps = steps.as_array().context("no list of steps")?;
        let is_there = |step: &Value| {
            step.as_f64().is_some_and(|step| (step / end as f64 - halfway).abs() < 0.02)
        };
        assert!(steps.iter().any(is_there), "{steps:?}");
    }
    Ok(())
}

/// The number of rows of the boards below.
const N: i64 = 6;

/// Moves the mouse to a row of the map, at a fraction of its width, and presses and releases the button if
/// `clicks` is set.
async fn point(browser: &Browser, row: i64, part: f64, clicks: bool) -> Result<()> {
    let element = browser.wait_for("#map").await?;
    let (_, _, width, height) = element.rectangle().await?;
    let [x, y] = [(part - 0.5) * width, ((row as f64 + 0.5) / N as f64 - 0.5) * height];
    let mut mouse = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveToElement {
        element,
        duration: None,
        x,
        y,
    });
    if clicks {
        mouse = mouse
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    }
    browser.client().perform_actions(mouse).await.map_err(Into::into)
}

async fn a_place_of_the_map_has_a_sentence_and_leads_to_it(browser: Browser) -> Result<()> {
    browser.goto(&format!("?n={N}&method=backtracking")).await?;
    browser.wait_for("#step[data-end]").await?;
    let mut timeline = Timeline::new(Stepped::Backtracking, Size::new(N as u32)?);
    timeline.seek_next(|search| search.work().tally.met(), u64::MAX);
    let solution = timeline.step();
    timeline.seek(u64::MAX, u64::MAX);
    let part = (solution as f64 - 1.0) / timeline.step() as f64;
    point(&browser, N - 1, part, false).await?;
    browser.wait_for_text(".map-tip", "Solution. Its last queen is on row 5").await?;
    let inside =
        "const { left, right, top } = document.querySelector('.map-tip').getBoundingClientRect();
                  const board = document.querySelector('#board').getBoundingClientRect();
                  return (left >= board.right || top >= board.bottom) && right <= innerWidth;";
    for part in [0.01, 0.99] {
        point(&browser, 0, part, false).await?;
        assert_eq!(browser.script(inside, &[]).await?, json!(true), "{part}");
    }
    browser.screenshot("map-pointed").await?;
    point(&browser, N - 1, part, true).await?;
    wait_for_step(&browser, solution).await?;
    browser.wait_for_count("#board [data-state='queen']", N as usize).await?;
    browser.wait_for_count("#map .cursor .here", N as usize).await?;
    // As a slider, it has keys of its own, and those of the search.
    browser.focus("#board").await?;
    browser.tab_to("#map").await?;
    for (key, beats) in [(Key::Up, 1_i64), (Key::Down, 0), (Key::Left, -1), (Key::Right, 0)] {
        browser.press(key).await?;
        timeline.seek(solution, u64::MAX);
        let wanted = match beats {
            1 => {
                timeline.seek_next(queens_core::Tracer::beats, u64::MAX);
                timeline.step()
            }
            0 => solution,
            _ => {
                let mut back = queens_core::BackwardSearch::from(solution);
                timeline.seek_previous(&mut back, queens_core::Tracer::beats, u64::MAX);
                timeline.step()
            }
        };
        wait_for_step(&browser, wanted).await?;
        browser.wait_for(&format!("#map[aria-valuenow='{wanted}']")).await?;
    }
    // On a phone, the sentence is as wide as the map.
    browser.set_phone().await?;
    point(&browser, 0, 0.9, false).await?;
    browser.wait_for_text(".map-tip", "Queen on row 0").await?;
    assert_eq!(browser.script(inside, &[]).await?, json!(true));
    browser.screenshot("map-phone").await.map(drop)
}

/// The colours of the kinds of blocks, and of the page's background, text and selection.
const COLOURS: &str = "
    const fill = (part) => getComputedStyle(document.querySelector(`#map ${part}`)).fill;
    const probe = document.createElement('p');
    document.body.append(probe);
    const named = ['Canvas', 'CanvasText', 'Highlight'].map((name) => {
        probe.style.color = name;
        return getComputedStyle(probe).color;
    });
    probe.remove();
    return [['.block', '.block-leads', '.block-solution', '.block-dead-end'].map(fill), named];";

async fn the_map_takes_the_colours_of_the_user(browser: Browser) -> Result<()> {
    browser.goto(&format!("?n={N}&step=100")).await?;
    browser.wait_for("#step[data-end]").await?;
    let colours = async || -> Result<(Vec<String>, Vec<String>)> {
        Ok(serde_json::from_value(browser.script(COLOURS, &[]).await?)?)
    };
    let (usual, _) = colours().await?;
    for scheme in ["light", "dark"] {
        let features: Value = json!({ "features": [
            { "name": "forced-colors", "value": "active" },
            { "name": "prefers-color-scheme", "value": scheme },
        ] });
        browser.devtools("Emulation.setEmulatedMedia", features).await?;
        let (forced, named) = colours().await?;
        assert!(forced.iter().zip(&usual).all(|(forced, usual)| forced != usual), "{forced:?}");
        assert_eq!([&forced[2], &forced[3]], [&named[2], &named[1]], "{scheme}");
        // The four kinds and the background still differ.
        let mut all: Vec<_> = forced.iter().chain(&named[..1]).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 5, "{forced:?} {named:?}");
        browser.screenshot(&format!("map-forced-{scheme}")).await?;
    }
    Ok(())
}
