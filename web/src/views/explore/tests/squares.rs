//! The explanations of squares.

use std::collections::BTreeSet;

use queens_core::{
    Completions, Line, Placement, Rule, Square, Stepped, Timeline, Transform, View, images,
    notation, representative,
};

use super::{at, only, page_with, whole};
use crate::parts::rendered::elements;
use crate::words::{Language, plain, transform_name};

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
        assert!(text.contains("stays empty (rule"), "{text}");
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

#[test]
fn a_closed_square_a_cell_and_a_past_row_are_explained() {
    let timeline = at(Stepped::Symmetry, 8, 1650);
    for (language, messages) in Language::ALL.into_iter().zip([
        ["(rule 1)", "(rule 2)", "cell B", "already has a queen"],
        ["（規則 1）", "（規則 2）", "マス B", "クイーンがあ"],
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
