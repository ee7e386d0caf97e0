//! Explore's board, registers, counters and explanations of squares at steps of searches, compared
//! with the core.

use std::collections::BTreeSet;

use queens_core::{
    Cell, Class, Completions, Line, Placement, Register, Rule, Size, Square, SquareState, Stepped,
    Timeline, Transform, View, Work, images, notation, representative,
};
use yew::prelude::*;

use super::Explore;
use crate::parts::rendered::{elements, rendered_at, texts};
use crate::place::{Address, ExploreLayout};
use crate::words::{Language, grouped, plain, transform_name};

/// Renders Explore after a step of a search.
fn page(language: Language, timeline: &Timeline) -> String {
    page_with(language, timeline, None)
}

/// Renders Explore after a step of a search, with the explanation of a square.
fn page_with(language: Language, timeline: &Timeline, selected_square: Option<Square>) -> String {
    let View { method, size, .. } = timeline.view();
    let layout = ExploreLayout { selected_square, ..ExploreLayout::default() };
    let (method, step) = (method.id.parse().unwrap(), timeline.step());
    let address = Address { method, size, step, layout, ..Address::default() };
    rendered_at(language, address, html! { <Explore /> })
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

/// Fails unless the registers and the bounds have the core's values.
fn check_registers(html: &str, view: &View) {
    let rows = view.size.rows();
    let shown: Vec<_> = elements(html, " data-bits=\"")
        .iter()
        .map(|register| {
            let bits = elements(register.inner(), "class=\"bits\"")[0].content();
            [register.attribute("id").unwrap(), register.attribute("data-bits").unwrap(), bits]
        })
        .collect();
    let expected = Register::ALL.into_iter().filter_map(|register| {
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
            check_registers(&html, &timeline.view());
            free += check_squares(&html, &timeline.view());
        }
        assert!(free > 0, "{method} N = {n}");
    }
}

/// The names of the counters in a language.
struct CounterNames {
    tried: &'static str,
    attacked: &'static str,
    comparisons: &'static str,
    met: &'static str,
    total: &'static str,
    rule: fn(Rule) -> String,
}

const ENGLISH: CounterNames = CounterNames {
    tried: "Placements tried",
    attacked: "Squares attacked",
    comparisons: "Comparisons",
    met: "Solutions kept",
    total: "Total so far",
    rule: |rule| match rule {
        Rule::Half => "Closed as the mirrored half".to_owned(),
        _ => format!("Closed by rule {}", rule.sign()),
    },
};

const JAPANESE: CounterNames = CounterNames {
    tried: "試した回数",
    attacked: "効き筋で除外",
    comparisons: "比較回数",
    met: "残した解",
    total: "全解数（ここまで）",
    rule: |rule| match rule {
        Rule::Half => "鏡像側の半分として除外".to_owned(),
        _ => format!("規則 {} で除外", rule.sign()),
    },
};

/// Returns the counters that a method has: ids, names and values. Work that the method never does
/// has no counter.
fn counters(names: &CounterNames, method: Stepped, work: &Work) -> Vec<(String, String, u64)> {
    let mut whole = Work::default();
    method.search(Size::new(8).unwrap(), &mut whole);
    let mut all = vec![];
    let mut counter = |id: &str, name: &str, count: u64| {
        all.push((format!("counter-{id}"), name.to_owned(), count));
    };
    counter("tried", names.tried, work.tried());
    counter("attacked", names.attacked, work.attacked);
    for rule in Rule::ALL.into_iter().filter(|&rule| whole.cut_by(rule) > 0) {
        counter(rule.id(), &(names.rule)(rule), work.cut_by(rule));
    }
    if whole.comparisons > 0 {
        counter("comparisons", names.comparisons, work.comparisons);
    }
    counter("solutions", names.met, work.tally.met());
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
                let html = page(language, &timeline);
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

/// The squares that a rule closes and no queen above attacks.
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
    let mut found: [Vec<Cut>; 2] = [vec![], vec![]];
    timeline.seek(0, u64::MAX);
    while timeline.forward().is_some() {
        let view = timeline.view();
        for square in closed(&view) {
            if view.rule(square) != Some(rule) || view.smaller_image(square).is_none() {
                continue;
            }
            let solution = Completions::new(&view.branch(square)).next();
            let found = &mut found[usize::from(solution.is_some())];
            found.truncate(if found.len() > 1 { 1 } else { 2 });
            found.push((timeline.step(), square, solution));
        }
    }
    found.concat()
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

/// While the first queens are removed, no smaller image is known: a solution with a queen on the
/// square may be a representative.
#[test]
fn explains_a_closed_square_without_an_image_while_the_first_queens_are_removed() {
    let mut timeline = whole(Stepped::Symmetry, 8);
    timeline.seek(0, u64::MAX);
    let mut seen = 0;
    while timeline.forward().is_some() {
        let view = timeline.view();
        let lifted = closed(&view).find(|&square| {
            let mut solutions = Completions::new(&view.branch(square));
            solutions.any(|solution| representative(&solution) == solution)
        });
        let Some(square) = lifted else { continue };
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
        let queens = [format!("queen in row {by} "), format!("行 {by} のクイーン")];
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
