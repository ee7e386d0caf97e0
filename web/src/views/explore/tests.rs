//! Explore as rendered at steps of searches, compared with the core: the board, the registers, the
//! counters, the explanations of squares, the tables of branches and the links.

use std::collections::BTreeSet;

use queens_core::{
    Branching, Cell, Class, Completions, Event, Line, Masks, Placement, Register, Rule, Size,
    Square, SquareState, Stepped, Timeline, Transform, View, Work, images, notation,
    representative,
};
use yew::prelude::*;

use super::Explore;
use super::board::branches::Branches;
use crate::address::{Address, ExploreLayout};
use crate::parts::rendered::{Tag, elements, rendered_at, texts};
use crate::search::name::Name;
use crate::words::{Language, grouped, plain, transform_name};

/// Renders Explore after a step of a search.
fn page(language: Language, timeline: &Timeline) -> String {
    page_with(language, timeline, None)
}

/// Renders Explore after a step of a search, with the explanation of a square.
fn page_with(language: Language, timeline: &Timeline, selected_square: Option<Square>) -> String {
    page_of(language, timeline, ExploreLayout { selected_square, ..ExploreLayout::default() })
}

/// Renders Explore after a step of a search, with overlays or open panels.
fn page_of(language: Language, timeline: &Timeline, layout: ExploreLayout) -> String {
    page_at(language, Address { layout, ..address_of(timeline) })
}

/// Renders Explore at an address.
fn page_at(language: Language, address: Address) -> String {
    rendered_at(language, address, html! { <Explore /> })
}

/// The address of Explore after a step of a search.
fn address_of(timeline: &Timeline) -> Address {
    let View { method, size, .. } = timeline.view();
    let (method, step) = (method.id.parse().unwrap(), timeline.step());
    Address { method, size, step, ..Address::default() }
}

/// Returns the core's timeline of a search at a step.
fn at(method: Stepped, n: u32, step: u64) -> Timeline {
    let mut timeline = Timeline::new(method, Size::new(n).unwrap());
    assert!(timeline.seek(step, u64::MAX));
    timeline
}

/// Returns the only element whose tag contains `mark`.
fn only<'a>(html: &'a str, mark: &str) -> Tag<'a> {
    let [element] = elements(html, mark)[..] else {
        panic!("{} elements have {mark}", elements(html, mark).len())
    };
    element
}

/// Returns the core's timeline of a whole search, at its end.
fn whole(method: Stepped, n: u32) -> Timeline {
    let mut timeline = Timeline::new(method, Size::new(n).unwrap());
    assert!(timeline.seek(u64::MAX, u64::MAX));
    timeline
}

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

/// The names of the counters in a language.
struct CounterNames {
    put: &'static str,
    tested: &'static str,
    attacked: &'static str,
    comparisons: &'static str,
    kept: &'static str,
    total: &'static str,
    rule: fn(Rule) -> String,
}

const ENGLISH: CounterNames = CounterNames {
    put: "Queens put",
    tested: "Squares tested",
    attacked: "Squares attacked",
    comparisons: "Comparisons",
    kept: "Solutions kept",
    total: "Total so far",
    rule: |rule| match rule {
        Rule::Half => "Closed as the mirrored half".to_owned(),
        _ => format!("Closed by rule {}", rule.sign()),
    },
};

const JAPANESE: CounterNames = CounterNames {
    put: "置いたクイーン",
    tested: "調べたマス",
    attacked: "効き筋で除外",
    comparisons: "比較回数",
    kept: "残した解",
    total: "全解数（ここまで）",
    rule: |rule| match rule {
        Rule::Half => "鏡像側の半分として除外".to_owned(),
        _ => format!("規則 {} で除外", rule.sign()),
    },
};

/// Returns the counters of a method: ids, names and values. Rules and comparisons have a counter only
/// if the method uses them for N = 8.
fn counters(names: &CounterNames, method: Stepped, work: &Work) -> Vec<(String, String, u64)> {
    let mut whole = Work::default();
    method.search(Size::new(8).unwrap(), &mut whole);
    let mut all = vec![];
    let mut counter = |id: &str, name: &str, count: u64| {
        all.push((format!("counter-{id}"), name.to_owned(), count));
    };
    counter("put", names.put, work.placed);
    if whole.looked_at > 0 {
        counter("looked", names.tested, work.looked_at);
    }
    counter("attacked", names.attacked, work.attacked);
    for rule in Rule::ALL.into_iter().filter(|&rule| whole.cut_by(rule) > 0) {
        counter(rule.id(), &(names.rule)(rule), work.cut_by(rule));
    }
    if whole.comparisons > 0 {
        counter("comparisons", names.comparisons, work.comparisons);
    }
    counter("solutions", names.kept, work.tally.met());
    if method.facts().counts_classes() {
        for class in [Class::One, Class::Two, Class::Four, Class::Eight] {
            let count = work.tally.class(class);
            if class != Class::One || count > 0 {
                let members = class.members();
                counter(&format!("count{members}"), &format!("COUNT{members}"), count);
            }
        }
    }
    counter("total", names.total, work.tally.total().unwrap());
    all.sort();
    all
}

#[test]
fn counters_match_the_core() {
    for (method, n) in [
        (Stepped::Symmetry, 10),
        (Stepped::SideCuts, 9),
        (Stepped::Mirror, 8),
        (Stepped::FlagsSymmetry, 6),
        (Stepped::Bitmap, 8),
        (Stepped::Symmetry, 1),
    ] {
        let mut timeline = whole(method, n);
        let end = timeline.step();
        for step in [end * 3 / 4, end] {
            assert!(timeline.seek(step, u64::MAX));
            for (language, names) in Language::ALL.into_iter().zip([ENGLISH, JAPANESE]) {
                let html = page_of(
                    language,
                    &timeline,
                    ExploreLayout { work: true, ..ExploreLayout::default() },
                );
                let mut shown: Vec<_> = elements(&html, "class=\"counter\"")
                    .iter()
                    .map(|counter| {
                        let name = texts(counter.inner()).lines().next().unwrap().to_owned();
                        let value = elements(counter.inner(), " data-count=\"")[0];
                        let count: u64 = value.attribute("data-count").unwrap().parse().unwrap();
                        assert_eq!(value.content(), grouped(count));
                        (value.attribute("id").unwrap(), name, count)
                    })
                    .collect();
                shown.sort();
                assert_eq!(shown, counters(&names, method, timeline.work()), "{method} N = {n}");
            }
        }
        assert!(timeline.work().tally.met() > 0);
    }
}

/// The squares that a rule closes, except squares that have a queen or that a queen above attacks.
fn closed(view: &View) -> impl Iterator<Item = Square> {
    let is_closed = |square: &Square| {
        view.rule(*square).is_some()
            && view.branch(*square).conflicts().next().is_none()
            && view.rows()[square.row() as usize] != square.bit()
    };
    Square::all(view.size).filter(is_closed)
}

/// A square that a rule closes, with a step after which it is closed, and a solution with a queen
/// there, if one exists.
type Cut = (u64, Square, Option<Placement>);

/// Returns cuts of a rule with and without a solution: the first and the last of each.
fn cuts(timeline: &mut Timeline, rule: Rule) -> Vec<Cut> {
    let mut by_solution: [Vec<Cut>; 2] = [vec![], vec![]];
    timeline.seek(0, u64::MAX);
    while timeline.forward().is_some() {
        let view = timeline.view();
        for square in closed(&view) {
            if view.rule(square) != Some(rule) || view.smaller_image(square).is_none() {
                continue;
            }
            let solution = Completions::new(&view.branch(square)).next();
            let cuts = &mut by_solution[usize::from(solution.is_some())];
            // The first cut stays, and each new one replaces the last.
            cuts.truncate(1);
            cuts.push((timeline.step(), square, solution));
        }
    }
    by_solution.concat()
}

/// The words of a language about a pruned branch.
struct CutWords {
    rule: fn(Rule) -> String,
    without_solution: &'static str,
    with_solution: &'static str,
}

const CUT_WORDS: [CutWords; 2] = [
    CutWords {
        rule: |rule| match rule {
            Rule::Half => "half".to_owned(),
            _ => format!("rule {}", rule.sign()),
        },
        without_solution: "contains no solution",
        with_solution: "contains a solution",
    },
    CutWords {
        rule: |rule| match rule {
            Rule::Half => "半分".to_owned(),
            _ => format!("規則 {}", rule.sign()),
        },
        without_solution: "枝に解はないので",
        with_solution: "枝にも解はありますが",
    },
];

#[test]
fn every_rule_names_its_image() {
    const MASKS: [Rule; 4] = [Rule::UpperSide, Rule::LowerSide, Rule::LastRow, Rule::Corner];
    let mut seen = BTreeSet::new();
    for (method, n, rules) in [
        (Stepped::Symmetry, 6, &MASKS[..2]),
        (Stepped::Symmetry, 7, &MASKS[1..]),
        (Stepped::Mirror, 6, &[Rule::Half]),
    ] {
        let mut timeline = whole(method, n);
        for &rule in rules {
            for (step, square, solution) in cuts(&mut timeline, rule) {
                assert!(timeline.seek(step, u64::MAX));
                for (language, words) in Language::ALL.into_iter().zip(&CUT_WORDS) {
                    check_cut(language, words, &timeline, rule, square, solution);
                }
                seen.insert((rule, solution.is_some()));
            }
        }
    }
    assert_eq!(seen.len(), 2 * Rule::ALL.len(), "{seen:?}");
}

/// Fails unless the explanation of a closed square names the rule and the smaller image, and shows
/// the solution with a queen there and its representative.
fn check_cut(
    language: Language,
    words: &CutWords,
    timeline: &Timeline,
    rule: Rule,
    square: Square,
    solution: Option<Placement>,
) {
    let html = page_with(language, timeline, Some(square));
    let part = |mark: &str| elements(&html, mark)[0].content();
    let text = part("id=\"asked\"");
    assert!(text.contains(&(words.rule)(rule)), "{text}");
    let image = timeline.view().smaller_image(square).unwrap();
    let name = |transform| plain(&transform_name(language, transform));
    let text = part("id=\"asked-image\"");
    assert!(text.contains(&name(image)), "{text} does not name {image}");
    let text = part("id=\"witness\"");
    let Some(solution) = solution else {
        assert!(text.contains(words.without_solution), "{text}");
        assert!(!html.contains("id=\"witness-solution\""));
        return;
    };
    assert!(text.contains(words.with_solution), "{text}");
    let smallest = representative(&solution);
    let (transform, _) =
        images(&solution).into_iter().find(|(_, image)| *image == smallest).unwrap();
    assert_ne!(transform, Transform::Identity);
    assert!(text.contains(&name(transform)), "{text}");
    for (id, queens) in [("solution", solution), ("representative", smallest)] {
        let figure = elements(&html, &format!("id=\"witness-{id}\""))[0];
        assert_eq!(figure.attribute("data-queens").unwrap(), queens.to_string());
        let columns = elements(figure.inner(), "class=\"mono\"")[0].content();
        assert_eq!(columns, notation::write_columns(queens.columns_from_left()));
        let value = elements(figure.inner(), "class=\"mono value\"")[0].content();
        assert_eq!(value, queens.judgement_value().to_string());
    }
}

/// While the first queens are removed, no smaller image is known, because a solution with a queen on
/// the square may be a representative.
#[test]
fn explains_a_closed_square_without_an_image_while_the_first_queens_are_removed() {
    let mut timeline = whole(Stepped::Symmetry, 8);
    timeline.seek(0, u64::MAX);
    let mut seen = 0;
    while timeline.forward().is_some() {
        let view = timeline.view();
        let square = closed(&view).find(|&square| {
            let mut solutions = Completions::new(&view.branch(square));
            solutions.any(|solution| representative(&solution) == solution)
        });
        let Some(square) = square else { continue };
        let html = page_with(Language::English, &timeline, Some(square));
        let text = elements(&html, "id=\"asked\"")[0].content();
        assert!(text.contains("is closed by rule"), "{text}");
        assert!(!html.contains("id=\"asked-image\"") && !html.contains("id=\"witness\""));
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn an_attacked_square_names_its_queen() {
    let mut timeline = whole(Stepped::Bitmap, 8);
    assert!(timeline.seek(100, u64::MAX));
    let view = timeline.view();
    let placed = view.placed();
    let mut seen = BTreeSet::new();
    for square in Square::all(view.size) {
        let (row, column) = square.to_left();
        // The topmost queen above that attacks the square, found by checking one after another.
        let attacker = placed.squares().map(Square::to_left).find_map(|(above, queen)| {
            let aside = i64::from(column) - i64::from(queen);
            let below = i64::from(row) - i64::from(above);
            let line = match aside {
                0 => Line::Down,
                _ if aside == below => Line::Right,
                _ if aside == -below => Line::Left,
                _ => return None,
            };
            (below > 0).then_some((above, line))
        });
        let Some((by, line)) = attacker.filter(|_| view.rows()[row as usize].is_empty()) else {
            continue;
        };
        let [english, japanese] = match line {
            Line::Down => ["its column", "縦"],
            Line::Left => ["the diagonal that runs down to the left", "左下への斜め"],
            Line::Right => ["the diagonal that runs down to the right", "右下への斜め"],
        };
        // Several queens are named without their lines.
        let attackers: Vec<_> =
            view.attackers(square).map(|by| by.queen.row().to_string()).collect();
        let (queens, [english, japanese]) = match attackers.len() {
            1 => (
                [format!("queen in row {by} "), format!("行 {by} のクイーン")],
                [english, japanese],
            ),
            _ => (
                [
                    format!("queens in rows {}.", attackers.join(", ")),
                    format!("行 {} のクイーン", attackers.join("、")),
                ],
                ["", ""],
            ),
        };
        for ((language, line), queen) in
            Language::ALL.into_iter().zip([english, japanese]).zip(queens)
        {
            let html = page_with(language, &timeline, Some(square));
            let text = elements(&html, "id=\"asked\"")[0].content();
            assert!(text.contains(&queen) && text.contains(line), "{text}: {queen}, {line}");
            assert!(!html.contains("id=\"witness\""));
        }
        seen.insert(format!("{by} {line:?}"));
    }
    assert!(seen.len() >= 6, "{seen:?}");
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

#[test]
fn a_closed_square_a_cell_and_a_past_row_are_explained() {
    let timeline = at(Stepped::Symmetry, 8, 1650);
    for (language, messages) in Language::ALL.into_iter().zip([
        ["rule 1 (upper side)", "rule 2 (lower side)", "cell B", "already has a queen"],
        ["規則 1（上部サイド枝刈り）", "規則 2（下部サイド枝刈り）", "マス B", "クイーンがあ"],
    ]) {
        // Row 5 is BOUND2: the rule also closes a square between the side columns. Row 2 has a
        // queen.
        for ((row, column, state, label), message) in [
            (1, 0, "closed", "1"),
            (5, 4, "closed", "2"),
            (7, 2, "attacked", "B"),
            (2, 0, "past", messages[3]),
        ]
        .into_iter()
        .zip(messages)
        {
            let square = Square::from_left(timeline.view().size, row, column).unwrap();
            let html = page_with(language, &timeline, Some(square));
            let place = format!("data-row=\"{row}\" data-column=\"{column}\"");
            let cell = only(only(&html, "id=\"board\"").inner(), &place);
            assert_eq!(cell.attribute("data-state").unwrap(), state, "{place}");
            let name = cell.attribute("aria-label").unwrap();
            assert!(name.contains(label), "{name}");
            let text = only(&html, "id=\"asked\"").content();
            assert!(text.contains(message), "{text}");
        }
    }
}

#[test]
fn a_compared_solution_and_a_found_one_lead_to_their_images() {
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8).unwrap());
    let (mut compared, mut found) = (0, 0);
    while let Some(step) = timeline.forward() {
        let solution = match step {
            Event::Compare { .. } | Event::Solution { .. } => timeline.view().placement().unwrap(),
            _ => continue,
        };
        let html = page(Language::English, &timeline);
        let (to, _) =
            Address::parse(&only(&html, "id=\"to-symmetries\"").attribute("href").unwrap());
        assert_eq!(to.view, crate::address::View::Solutions);
        assert_eq!(to.solution.unwrap(), solution.columns_from_left().collect::<Vec<_>>());
        let Event::Compare { transform, .. } = step else {
            assert!(!html.contains("id=\"compared\""));
            found += 1;
            continue;
        };
        let image = only(&html, "id=\"compared\"");
        // Classes for the animation: the image turns out of the solution, and then the frame moves to the
        // deciding row.
        let view = timeline.view();
        let rows = queens_core::Comparison::new(&view.queens, view.size, transform);
        let last = rows.last().map_or(0, |row| row.row);
        let class = image.attribute("class").unwrap();
        assert_eq!(class, format!("from-{} n-{last}", transform.id()));
        let label = only(image.inner(), "aria-label=\"").attribute("aria-label").unwrap();
        assert!(label.ends_with(&transform.apply(&solution).to_string()), "{label}");
        compared += 1;
    }
    assert_eq!(found, 12);
    assert!(compared > 0);
}

/// The table of branches agrees with the core for each branch and marks the current one.
#[test]
fn masks_of_all_branches_match_the_core() {
    for (method, branching, n, step) in [
        (Stepped::Symmetry, Branching::Symmetry, 8, 1650),
        (Stepped::Bound1, Branching::Bound1, 6, 40),
        (Stepped::Bound2, Branching::Bound2, 6, 40),
        (Stepped::SideCuts, Branching::SideCuts, 6, 40),
    ] {
        let timeline = at(method, n, step);
        let view = timeline.view();
        let (language, closed) = (Language::English, Callback::noop());
        let table = html! {
            <Branches
                {branching} size={view.size} current={view.masks} {language} act={Callback::noop()} {closed}
            />
        };
        let html = rendered_at(language, Address::default(), table);
        let shown = elements(&html, "class=\"branch\"");
        let masks: Vec<_> = Masks::branches_of(branching, view.size).collect();
        assert_eq!(shown.len(), masks.len(), "{method}");
        let rows = view.size.rows();
        for (branch, masks) in shown.iter().zip(&masks) {
            let label = only(branch.inner(), "class=\"hidden-text\"").content();
            let bounds = format!("BOUND1 {}, BOUND2 {}", masks.bound1, masks.bound2);
            assert!(label.contains(&bounds), "{label}");
            for (name, word) in [
                ("TOPBIT", masks.topbit),
                ("ENDBIT", masks.endbit),
                ("SIDEMASK", masks.sidemask),
                ("LASTMASK", masks.lastmask),
            ] {
                let bits = format!("{name} {:0rows$b}", word.bits());
                assert_eq!(label.contains(&bits), !word.is_empty(), "{name}: {label}");
            }
            let is_current = branch.attribute("aria-current").as_deref() == Some("step");
            assert_eq!(is_current, view.masks.as_ref() == Some(masks), "{label}");
            for (sign, word) in [("endbit", masks.endbit), ("last-row", masks.lastmask)] {
                let bits = elements(only(branch.inner(), "class=\"bits\"").inner(), "class=\"bit");
                let bits = bits.iter().map(|bit| {
                    let class = bit.attribute("class").unwrap();
                    if class.split(' ').any(|class| class == sign) { '1' } else { '0' }
                });
                assert_eq!(bits.collect::<String>(), format!("{:0rows$b}", word.bits()), "{label}");
            }
        }
    }
}

/// Only a first visit, in either language, has the promise. Next to the method, a link leads to the race.
#[test]
fn a_first_visit_has_a_button_a_promise_and_a_link_to_the_race() {
    for (language, query) in Language::ALL.into_iter().zip(["", "?lang=ja"]) {
        let address = Address::parse(query).0;
        let html = page_at(language, address.clone());
        assert!(html.contains("id=\"watch\"") && html.contains("id=\"promise\""), "{html}");
        let link = only(&html, "id=\"compare\"").attribute("href").unwrap();
        let race = Address { compare: Some(Stepped::Symmetry), ..address };
        assert_eq!(Address::parse(&link).0, race);
    }
    for query in ["?method=backtracking&step=1", "?method=backtracking&n=7"] {
        assert!(
            !page_at(Language::English, Address::parse(query).0).contains("promise"),
            "{query}"
        );
    }
}

/// The race is in the place of the board, in a presentation, too. Its own button starts it. Tabs of earlier
/// versions are ignored.
#[test]
fn a_race_is_in_place_of_the_board() {
    for (query, has_race) in [
        ("?method=backtracking", false),
        ("?method=backtracking&compare=symmetry", true),
        ("?compare=bitmap&present=1&tab=code", true),
        ("?method=backtracking&tab=race", false),
    ] {
        let html = page_at(Language::English, Address::parse(query).0);
        assert_eq!(html.contains("id=\"board\""), !has_race, "{query}");
        assert_eq!(html.contains("id=\"watch\""), !has_race, "{query}");
        assert_eq!(html.contains("id=\"race-clock\""), has_race, "{query}");
        if has_race {
            let boards = elements(only(&html, "id=\"race\"").inner(), "class=\"marked-board");
            assert_eq!(boards.len(), 2);
        }
    }
}

/// The Tab key and screen readers go from the board to its explanation before the controls.
#[test]
fn the_bar_follows_the_explanation() {
    let html = page_at(Language::English, Address::parse("?n=8&step=300").0);
    let parts = ["board", "why", "registers", "code", "map", "play"];
    let places = parts.map(|id| html.find(&format!("id=\"{id}\"")).unwrap());
    assert!(places.is_sorted(), "{places:?}");
}

/// Links of earlier versions may name a form or a tab.
#[test]
fn the_program_marks_the_line_that_acts() {
    for query in ["?step=1480", "?form=recursive&step=1480&tab=code"] {
        let html = page_at(Language::English, Address::parse(query).0);
        let line = only(&html, "aria-current=\"step\" class=\"line").content();
        assert!(line.contains("if row < BOUND1: free &= ~SIDEMASK"), "{line}");
        let values = only(&html, "id=\"line-values\"").content();
        assert_eq!(values, "row=1 BOUND1=2 SIDEMASK=10000001 free=01110000");
        // The registers that the line names.
        let acting: Vec<_> = elements(&html, "class=\"register acts\"")
            .iter()
            .map(|register| register.attribute("id").unwrap())
            .collect();
        assert_eq!(acting, ["register-sidemask", "register-free"]);
    }
}

/// Names of registers, bounds and cells light squares, in the registers and in the program.
#[test]
fn names_of_the_method_can_be_pointed_at() {
    let names = |query| -> BTreeSet<_> {
        let html = page_at(Language::English, Address::parse(query).0);
        let in_program = only(&html, "id=\"code\"").inner().to_owned();
        let names = |html: &str| -> BTreeSet<_> {
            elements(html, "data-name=\"")
                .iter()
                .map(|name| name.attribute("data-name").unwrap())
                .collect()
        };
        assert!(names(&html).is_superset(&names(&in_program)) && !names(&in_program).is_empty());
        names(&html)
    };
    let all: BTreeSet<_> = Name::all().map(|name| name.word().to_owned()).collect();
    assert_eq!(names("?method=symmetry"), all);
    let words = ["MASK", "left", "down", "right", "free"].map(String::from);
    assert_eq!(names("?method=bitmap"), words.into());
}
