//! Compares Explore's board and registers with the core while the page steps through a search.

use anyhow::{Context, Result};
use queens_core::{Cell, Register, Size, Square, SquareState, Stepped, Timeline, View};
use queens_tests::browser::{Browser, BrowserTest, Key};
use queens_tests::browser_tests;
use serde_json::json;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        boards_and_registers_of_symmetry_match_the_core,
        hovering_a_square_highlights_its_bit_in_every_register,
        overlays_show_the_bits_of_registers_in_their_rows,
    ]
}

/// Opens a method's search and waits until the page's timeline covers all of it. Returns the core's
/// timeline of the same search, at its end.
pub(crate) async fn open(
    browser: &Browser,
    method: Stepped,
    n: u32,
    language: &str,
) -> Result<Timeline> {
    browser.goto(&format!("?n={n}&method={method}&lang={language}")).await?;
    browser.wait_for(&format!("html[lang={language}] #step[data-end]")).await?;
    let mut timeline = Timeline::new(method, Size::new(n)?);
    assert!(timeline.seek(u64::MAX, u64::MAX));
    let end = browser.attributes("#step", "data-end").await?;
    assert_eq!(end, [timeline.step().to_string()], "{method} N = {n}");
    Ok(timeline)
}

/// Jumps to a step in the page and in the core's timeline.
pub(crate) async fn go(browser: &Browser, timeline: &mut Timeline, step: u64) -> Result<()> {
    browser.slide("#timeline", step).await?;
    browser.wait_for(&format!("#step[data-step='{step}']")).await?;
    assert!(timeline.seek(step, u64::MAX));
    Ok(())
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
pub(crate) async fn assert_same(browser: &Browser, timeline: &Timeline) -> Result<usize> {
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
    let bits = Register::ALL.into_iter().filter_map(|register| {
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

/// Compares `parts` + 1 evenly spaced steps of a search, from its start to its end, and the given
/// `steps`.
async fn compare(
    browser: &Browser,
    (method, n): (Stepped, u32),
    parts: u64,
    steps: &[u64],
) -> Result<()> {
    let mut timeline = open(browser, method, n, "en").await?;
    let end = timeline.step();
    let mut free = 0;
    for step in (0..=parts).map(|part| end * part / parts).chain(steps.iter().copied()) {
        go(browser, &mut timeline, step).await?;
        free += assert_same(browser, &timeline).await?;
    }
    assert!(free > 0, "{method} N = {n}");
    Ok(())
}

async fn boards_and_registers_of_symmetry_match_the_core(browser: Browser) -> Result<()> {
    // The extra steps are within the corner case (first queen in a corner), after it, and between two
    // branches.
    compare(&browser, (Stepped::Symmetry, 8), 24, &[157, 400, 1476, 1650, 1960]).await?;
    compare(&browser, (Stepped::Symmetry, 5), 21, &[]).await
}

async fn hovering_a_square_highlights_its_bit_in_every_register(browser: Browser) -> Result<()> {
    // The lines are one of bit numbers, one per register and, for symmetry, two of bounds.
    for (method, step, lines) in
        [(Stepped::Symmetry, 1650, 1 + 9 + 2), (Stepped::Bitmap, 77, 1 + 5)]
    {
        browser.goto(&format!("?n=8&method={method}&step={step}")).await?;
        browser.wait_for(&format!("#step[data-step='{step}']")).await?;
        for (row, column) in [(0, 0), (3, 2), (1, 7)] {
            browser.click(&format!("#board [data-row='{row}'][data-column='{column}']")).await?;
            browser.wait_for_count("#registers .bit.lit", lines).await?;
            let lit = browser
                .script(
                    "return [...document.querySelectorAll('#registers .register')].map((line) =>
                         [...line.querySelectorAll('.bit.lit')].map(({ dataset }) => dataset.bit));",
                    &[],
                )
                .await?;
            assert_eq!(lit, json!(vec![[(7 - column).to_string()]; lines]), "{method}");
        }
    }
    Ok(())
}

/// The layers over the board by name, with their squares as row:column.
const LAID: &str = "
    const square = ([, x, y]) => `${y / 40}:${x / 40}`;
    return Object.fromEntries([...document.querySelectorAll('#board path[data-layer]')].map(
        (path) => [path.dataset.layer,
                   [...path.getAttribute('d').matchAll(/M(\\d+) (\\d+)/g)].map(square)]));";

async fn overlays_show_the_bits_of_registers_in_their_rows(browser: Browser) -> Result<()> {
    for (method, n, step) in
        [(Stepped::Symmetry, 8, 1650), (Stepped::Symmetry, 8, 400), (Stepped::Bitmap, 8, 77)]
    {
        browser.goto(&format!("?n={n}&method={method}&step={step}")).await?;
        browser.wait_for(&format!("#step[data-step='{step}']")).await?;
        let mut timeline = Timeline::new(method, Size::new(n)?);
        assert!(timeline.seek(step, u64::MAX));
        let view = timeline.view();
        let last = view.size.last();
        // A register is drawn in the current row, but ENDBIT, LASTMASK, TOPBIT and SIDEMASK are drawn
        // in the rows that they apply to. A bound is drawn as a whole row.
        let registers = Register::ALL.into_iter().map(|register| {
            let governs = move |row: u32| match (register, view.masks) {
                (Register::EndBit | Register::LastMask, _) => row == last,
                (Register::TopBit, Some(masks)) => row == masks.bound1,
                (Register::SideMask, Some(masks)) => {
                    let above = 0 < row && row < masks.bound1;
                    above || masks.bound2 < row && row < last
                }
                _ => row == view.row,
            };
            let rows: Vec<_> = (0..n).filter(|&row| governs(row)).collect();
            (register.name(), rows, view.register(register))
        });
        let bounds = view.masks.map(|masks| [("BOUND1", masks.bound1), ("BOUND2", masks.bound2)]);
        let bounds = bounds.into_iter().flatten();
        let bounds = bounds.map(|(name, row)| (name, vec![row], Some(view.size.mask())));
        let mut seen = 0;
        for (name, rows, bits) in registers.chain(bounds) {
            let switch = format!("#register-{} .switch", name.to_lowercase());
            if browser.count(&switch).await? == 0 {
                assert_eq!(bits, None, "{method}: {name}");
                continue;
            }
            let bits = bits.unwrap_or_default();
            let squares = rows.iter().flat_map(|row| {
                let squares = Square::of_row(view.size, *row);
                let set = squares.filter(|square| square.bit().intersects(bits));
                set.map(|square| square.to_string())
            });
            let squares: Vec<_> = squares.collect();
            let expected = if squares.is_empty() { json!({}) } else { json!({ name: squares }) };
            seen += usize::from(!squares.is_empty());
            // Focusing scrolls the element out from under the transport bar.
            browser.focus(&switch).await?;
            for (is_on, expected) in [(true, expected), (false, json!({}))] {
                browser.press(Key::Enter).await?;
                browser.wait_for(&format!("{switch}[aria-checked='{is_on}']")).await?;
                let laid = || browser.script(LAID, &[]);
                browser
                    .wait_until(&expected.to_string(), laid, |laid| *laid == expected)
                    .await
                    .with_context(|| format!("{method} step {step}: {name}"))?;
            }
        }
        assert!(seen >= 4, "{method} step {step}: {seen}");
    }
    Ok(())
}
