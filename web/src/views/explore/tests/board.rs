//! The board and its registers.

use std::collections::BTreeSet;

use queens_core::{Cell, Event, Register, Rule, Square, SquareState, Stepped, Timeline, View};

use super::{at, only, page, page_with, whole};
use crate::parts::rendered::{Tag, elements};
use crate::words::Language;

/// The name of a square's state on the page.
fn state(state: SquareState) -> &'static str {
    match state {
        SquareState::Queen => "queen",
        SquareState::Attacked => "attacked",
        SquareState::Closed => "closed",
        SquareState::Free => "free",
        SquareState::Past => "past",
        SquareState::Open => "open",
    }
}

/// Fails unless all squares have the core's states, rules and cells. Returns the number of free
/// squares.
fn check_squares(html: &str, view: &View) -> usize {
    let cell_at = |square: Square| {
        let is_here = |cell: &Cell| {
            let place = view.masks.and_then(|masks| masks.cell(*cell));
            place == Some((square.row(), square.bit()))
        };
        Cell::ALL.into_iter().find(is_here).map(|cell| cell.letter().to_string())
    };
    let shown = elements(html, " data-row=\"");
    let shown: Vec<_> = shown
        .iter()
        .map(|square| {
            let place = ["data-row", "data-column"].map(|name| square.attribute(name).unwrap());
            let rest = ["data-rule", "data-cell"].map(|name| square.attribute(name));
            (place, square.attribute("data-state").unwrap(), rest)
        })
        .collect();
    let expected: Vec<_> = Square::all(view.size)
        .map(|square| {
            let (row, column) = square.to_left();
            let drawn = view.square(square);
            let rule = drawn.rule.map(|rule| rule.id().to_owned());
            let place = [row.to_string(), column.to_string()];
            (place, state(drawn.state).to_owned(), [rule, cell_at(square)])
        })
        .collect();
    assert_eq!(shown, expected);
    shown.iter().filter(|(_, state, _)| state == "free").count()
}

/// Whether the last step entered a row with attacked or closed squares, so that `free` is not shown yet.
fn enters_a_row(timeline: &Timeline) -> bool {
    let view = timeline.view();
    let is_closed = |square| view.square(square).state != SquareState::Free;
    matches!(timeline.last(), Some(Event::Descend { row })
        if Square::of_row(view.size, row).any(is_closed))
}

/// Fails unless the registers and the bounds have the core's values.
fn check_registers(html: &str, timeline: &Timeline) {
    let view = timeline.view();
    let rows = view.size.rows();
    let shown: Vec<_> = elements(html, " data-bits=\"")
        .iter()
        .map(|register| {
            let bits = register.attribute("data-bits").unwrap();
            let shown = elements(register.inner(), "class=\"bits\"")[0].content();
            [register.attribute("id").unwrap(), bits, shown]
        })
        .collect();
    let is_shown = |register: &Register| *register != Register::Free || !enters_a_row(timeline);
    let expected = Register::ALL.into_iter().filter(is_shown).filter_map(|register| {
        let bits = (view.register(register)? & view.size.mask()).bits();
        let bits = format!("{bits:0rows$b}");
        Some([format!("register-{}", register.name().to_lowercase()), bits.clone(), bits])
    });
    assert_eq!(shown, expected.collect::<Vec<_>>());
    let shown: Vec<_> = elements(html, " data-value=\"")
        .iter()
        .map(|bound| {
            let number = elements(bound.inner(), "class=\"register-hex\"")[0].content();
            [bound.attribute("id").unwrap(), bound.attribute("data-value").unwrap(), number]
        })
        .collect();
    let bounds = view.masks.map(|masks| [("1", masks.bound1), ("2", masks.bound2)]);
    let expected = bounds.into_iter().flatten().map(|(name, bound)| {
        [format!("register-bound{name}"), bound.to_string(), bound.to_string()]
    });
    assert_eq!(shown, expected.collect::<Vec<_>>());
}

#[test]
fn boards_and_registers_match_the_core() {
    const PARTS: u64 = 24;
    for &method in Stepped::ALL {
        let n = match method {
            Stepped::BruteForce => 4,
            Stepped::Permutations | Stepped::Backtracking => 5,
            Stepped::Bitmap | Stepped::SideCuts | Stepped::Symmetry => 8,
            Stepped::Mirror => 7,
            _ => 6,
        };
        let mut timeline = whole(method, n);
        let end = timeline.step();
        // The extra steps of the symmetry method are within the corner case, after it, and between
        // two branches.
        let extra: &[u64] =
            if method == Stepped::Symmetry { &[157, 400, 1476, 1650, 1960] } else { &[] };
        let steps = (0..=PARTS).map(|part| end * part / PARTS).chain(extra.iter().copied());
        let mut free = 0;
        for step in steps {
            assert!(timeline.seek(step, u64::MAX));
            let html = page(Language::English, &timeline);
            check_registers(&html, &timeline);
            free += check_squares(&html, &timeline.view());
        }
        assert!(free > 0, "{method} N = {n}");
    }
}

/// The squares, as row:column, at which the glyphs of a path begin.
fn places(path: &str) -> Vec<String> {
    let side = |units: &str| units.parse::<u32>().unwrap() / 40;
    let place = |glyph: &str| {
        let mut numbers = glyph.split(|digit: char| !digit.is_ascii_digit());
        let [x, y] = [(); 2].map(|()| side(numbers.next().unwrap()));
        format!("{y}:{x}")
    };
    path.split('M').skip(1).map(place).collect()
}

/// The squares, as row:column, with a kind of glyph in the drawing.
fn drawn(board: &str, kind: &str) -> Vec<String> {
    places(&only(board, &format!("data-squares=\"{kind}\"")).attribute("d").unwrap())
}

#[test]
fn the_drawing_matches_the_labels_of_the_squares() {
    let mut seen = BTreeSet::new();
    for (method, n, step) in [
        (Stepped::Symmetry, 8, 400),
        (Stepped::Symmetry, 8, 1650),
        (Stepped::Symmetry, 12, 40),
        (Stepped::Symmetry, 12, 1040),
        (Stepped::Bitmap, 12, 4000),
        (Stepped::Mirror, 9, 10),
    ] {
        let html = page(Language::English, &at(method, n, step));
        let board = only(&html, "id=\"board\"").inner();
        let squares = elements(board, " data-row=\"");
        let name = |square: &Tag| {
            let place = ["data-row", "data-column"].map(|name| square.attribute(name).unwrap());
            place.join(":")
        };
        let has =
            |square: &Tag, name, value: &str| square.attribute(name).as_deref() == Some(value);
        let labelled = |wanted: &dyn Fn(&Tag) -> bool| -> Vec<String> {
            squares.iter().filter(|square| wanted(square)).map(name).collect()
        };
        let attacked = labelled(&|square| has(square, "data-state", "attacked"));
        for kind in ["queen", "attacked", "free", "fresh"] {
            let mut drawn = drawn(board, kind);
            // A free square may be attacked, and its description says so.
            drawn.retain(|square| kind != "free" || !attacked.contains(square));
            let labelled = labelled(&|square| {
                has(
                    square,
                    if kind == "fresh" { "data-fresh" } else { "data-state" },
                    match kind {
                        "fresh" => "true",
                        _ => kind,
                    },
                )
            });
            assert_eq!(drawn, labelled, "{method} N = {n}, step {step}: {kind}");
            seen.extend((!drawn.is_empty()).then_some(kind));
        }
        let mut signs = vec![];
        for rule in Rule::ALL {
            let closed = labelled(&|square| {
                has(square, "data-rule", rule.id()) && !has(square, "data-state", "queen")
            });
            assert_eq!(drawn(board, rule.id()), closed, "{method} N = {n}, step {step}: {rule:?}");
            seen.extend((!closed.is_empty()).then_some(rule.id()));
            signs.extend(closed.iter().map(|square| format!("{square} {}", rule.sign())));
        }
        let cells = squares.iter().filter_map(|square| {
            Some(format!("{} {}", name(square), square.attribute("data-cell")?))
        });
        // Signs and letters are texts on their squares.
        let texts = |mark: &str| -> BTreeSet<String> {
            let texts = elements(board, mark).into_iter().map(|text| {
                let [x, y] =
                    ["x", "y"].map(|name| text.attribute(name).unwrap().parse::<u32>().unwrap());
                format!("{}:{} {}", y / 40, x / 40, text.content())
            });
            texts.collect()
        };
        assert_eq!(texts("class=\"sign"), signs.into_iter().collect(), "{method} step {step}");
        assert_eq!(texts("class=\"badge-letter"), cells.collect(), "{method} step {step}");
    }
    assert_eq!(seen.len(), 4 + Rule::ALL.len(), "{seen:?}");
}

/// The ring around a selected square does not cover the letters of cells: these are drawn after it.
#[test]
fn the_letter_of_a_selected_cell_is_above_its_ring() {
    let timeline = at(Stepped::Symmetry, 8, 1480);
    let selected = Square::from_left(timeline.view().size, 2, 0).unwrap();
    let html = page_with(Language::English, &timeline, Some(selected));
    let (_, above) = only(&html, "id=\"board\"").inner().split_once("class=\"ring\"").unwrap();
    let letters: Vec<_> = elements(above, "badge-letter").iter().map(Tag::content).collect();
    assert!(letters.contains(&"C".to_owned()), "{letters:?}");
}

#[test]
fn the_class_of_the_board_marks_dead_ends_and_solutions() {
    let class = |step| {
        let html = page(Language::English, &at(Stepped::Backtracking, 6, step));
        only(&html, "id=\"board\"").attribute("class").unwrap()
    };
    let mut timeline = at(Stepped::Backtracking, 6, 0);
    let mut dead_ends = 0;
    let mut solved = 0;
    while timeline.step() < 700 && timeline.forward().is_some() {
        let is_dead_end = timeline.tracer().beat() == Some(queens_core::Beat::DeadEnd);
        let is_solution = matches!(timeline.last(), Some(Event::Solution { .. }));
        if dead_ends < 3 && is_dead_end {
            assert_eq!(class(timeline.step()), "board stuck");
            dead_ends += 1;
        } else if is_solution {
            assert_eq!(class(timeline.step()), "board solved");
            solved += 1;
        }
    }
    assert!(dead_ends == 3 && solved > 0, "{dead_ends} {solved}");
    assert_eq!(class(1), "board");
}
