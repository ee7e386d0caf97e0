//! Explore's sentence for each step describes what the core did there.
#![expect(clippy::panic, clippy::unwrap_used, reason = "the helpers belong to tests, too")]

use std::collections::BTreeSet;

use queens_core::{
    Beat, Cell, Class, Column, Comparison, Event, Found, Line, Masks, Outcome, RowBits, Rule, Size,
    Square, Stepped, Timeline, Transform, View,
};
use queens_state::search::state::{Action, ExploreState};
use queens_state::search::why::why;
use queens_state::text::{Language, plain};
use queens_tests::facts::{Words, attacker_above, grouped};
use queens_tests::japanese::fault;

/// Returns the part of a sentence that lists the columns of some squares, counted from the left.
fn columns(words: Words, view: &View, squares: RowBits) -> String {
    let columns = Column::all(view.size).filter(|column| squares.contains(column.to_right()));
    let columns: Vec<_> = columns.map(|column| column.to_left().to_string()).collect();
    let noun = if columns.len() == 1 { "column" } else { "columns" };
    words.say(
        format!(": {noun} {}.", columns.join(", ")),
        format!("左から数えて列 {} ", columns.join("、")),
    )
}

/// The square of a single bit in a row.
fn single_square(view: &View, row: u32, bits: RowBits) -> Square {
    match Square::of_bits(view.size, row, bits) {
        Some(square) if bits.len() == 1 => square,
        _ => panic!("{bits:?} is no square of row {row}"),
    }
}

/// The kind of the last step, and the facts that its sentence must contain.
fn facts(words: Words, before: &View, timeline: &Timeline) -> (String, Vec<String>) {
    let view = timeline.view();
    let Some(event) = timeline.last() else {
        return ("start".into(), vec![words.say("board is empty".into(), "空です".into())]);
    };
    let n = view.size.get();
    let row_is = |row: u32| words.say(format!("row {row}"), format!("行 {row}"));
    let square = |row: u32, bits: RowBits| square_in(words, &view, row, bits);
    match event {
        Event::Descend { row } => {
            let kind = if row == 0 { "descend-first" } else { "descend" };
            (kind.into(), vec![row_is(row)])
        }
        Event::Try { row, square: bits } => {
            match attacker_above(&view, single_square(&view, row, bits)) {
                Some((by, line)) => (
                    "try-attacked".into(),
                    vec![square(row, bits), words.queen_of(by), words.line(line)],
                ),
                None => {
                    let none = words.say("no queen above attacks".into(), "どの".into());
                    ("try-free".into(), vec![square(row, bits), none])
                }
            }
        }
        Event::Reject { row, .. } if timeline.tracer().beat() == Some(Beat::DeadEnd) => {
            let all = words
                .say(format!("every square of row {row} "), format!("行 {row} のマスはすべて"));
            let above = row - 1;
            let queen =
                words.say(format!("queen of row {above} "), format!("行 {above} のクイーン"));
            ("dead-end".into(), vec![all, queen])
        }
        Event::Reject { row, squares } => rejected(words, &view, row, squares),
        Event::Cut { row, rule, squares } => cut(words, &view, row, rule, squares),
        Event::Place { row, square: bits } => {
            let (kind, more) = placed(words, before, &view, row, bits);
            let where_to = match kind {
                "place-corner" => words.say("upper right corner".into(), "右上の角".into()),
                _ => square(row, bits),
            };
            (kind.into(), [vec![where_to], more].concat())
        }
        Event::Compare { transform, outcome } => compared(words, &view, transform, outcome),
        Event::Solution { found } => solution(words, &view, found),
        Event::Back { row } => {
            let (_, column) = single_square(&view, row, before.rows()[row as usize]).to_left();
            let column = words.say(format!("column {column}"), format!("列 {column} "));
            let (kind, more) = if before.chosen_by_a_loop(row) {
                ("back-first", words.say("branch is complete".into(), "枝の探索は終わり".into()))
            } else {
                ("back", squares_left(words, &view, row, view.free))
            };
            (kind.into(), vec![row_is(row), column, more])
        }
        Event::Done => {
            let tally = timeline.work().tally;
            let (met, total) = (tally.met(), tally.total().unwrap_or_default());
            let (kept, all) = (grouped(met), grouped(total));
            let stands = |boards: &str, stand: &str| {
                vec![words.say(
                    format!("{kept} {boards} {stand} for {all} solutions: "),
                    format!("{kept} 個の解が、全部で {all} 個の解を代表します："),
                )]
            };
            match met {
                0 => ("done-none".into(), vec![format!("N = {n}")]),
                _ if met == total => {
                    let said = words.say(format!("found: {all}."), format!("解は {all} 個"));
                    ("done".into(), vec![said])
                }
                1 => ("done-one".into(), stands("board", "stands")),
                _ => ("done-many".into(), stands("boards", "stand")),
            }
        }
    }
}

fn rejected(words: Words, view: &View, row: u32, squares: RowBits) -> (String, Vec<String>) {
    let n = view.size.get();
    let count = squares.len();
    let attacker = Some(squares).filter(|squares| squares.len() == 1);
    match attacker.and_then(|square| attacker_above(view, single_square(view, row, square))) {
        Some((by, line)) if view.rows()[row as usize] == squares => {
            let both = words
                .say(format!("queens in rows {by} and {row} "), format!("行 {by} と行 {row} の"));
            ("reject-queen".into(), {
                let column = words.say("their column".into(), "縦".into());
                vec![both, if line == Line::Down { column } else { words.line(line) }]
            })
        }
        Some((by, line)) => {
            let square = square_in(words, view, row, squares);
            ("reject-one".into(), vec![square, words.queen_of(by), words.line(line)])
        }
        None => {
            let many = words.say(
                format!("{count} of the {n} squares in row {row}."),
                format!("行 {row} の {n} マスのうち {count} マス"),
            );
            let open = columns(words, view, view.size.mask() - squares);
            ("reject-many".into(), vec![many, open])
        }
    }
}

fn cut(words: Words, view: &View, row: u32, rule: Rule, squares: RowBits) -> (String, Vec<String>) {
    let mut phrases = vec![words.rule(rule)];
    let kind = format!("cut-{}", rule.id());
    if rule == Rule::LastRow {
        assert_eq!(row, view.size.last());
        phrases.push(words.say("last row".into(), "最下段".into()));
    } else {
        phrases.push(words.say(format!("row {row} "), format!("行 {row} ")));
    }
    match (rule, view.masks) {
        (Rule::LowerSide, Some(masks)) => {
            assert_eq!(row, masks.bound2);
            phrases.push("BOUND2".into());
            let above = &view.rows()[..row as usize];
            let lacks = |bit: u32| !above.contains(&RowBits::of(bit));
            let whole = words.say("whole row".into(), "行全体".into());
            let side = match (lacks(view.size.last()), lacks(0)) {
                (true, false) => view.size.last(),
                (false, true) => 0,
                _ => {
                    phrases.push(whole);
                    return (kind + "-both", phrases);
                }
            };
            let (english, japanese) =
                if side == 0 { ("right-hand", "右端") } else { ("left-hand", "左端") };
            phrases.push(words.say(english.into(), japanese.into()));
            if attacker_above(view, single_square(view, row, RowBits::of(side))).is_some() {
                phrases.push(whole);
                return (kind + "-attacked", phrases);
            }
        }
        (Rule::Half, _) | (_, None) => {}
        (Rule::UpperSide | Rule::LastRow | Rule::Corner, Some(masks)) => {
            let bound1 = masks.bound1;
            phrases.push(words.say(format!("BOUND1 = {bound1}"), format!("BOUND1（= {bound1}）")));
        }
    }
    phrases.push(columns(words, view, squares));
    (kind, phrases)
}

/// Whether the search names bits and takes only free squares: methods 1 to 6 do neither.
fn uses_words(view: &View) -> bool {
    Stepped::ALL.iter().any(|method| method.id() == view.method.id && method.method().number() > 6)
}

/// A square as the sentences about the search name it.
fn square_in(words: Words, view: &View, row: u32, bits: RowBits) -> String {
    words.square(single_square(view, row, bits), uses_words(view))
}

/// Whether the squares left to try in a row may be attacked. If some are, they must be.
fn goes_through_all(view: &View, row: u32) -> bool {
    let mut left = (0..view.size.get()).map(RowBits::of).filter(|&bit| view.free.intersects(bit));
    let has_attacked =
        left.any(|bit| attacker_above(view, single_square(view, row, bit)).is_some());
    assert!(!has_attacked || !uses_words(view), "{} leaves out attacked squares", view.method.id);
    !uses_words(view)
}

/// The number of squares left to try, and of those that the method will skip: no square in brute force, squares
/// in the column of a queen in the permutation method, and attacked squares in the methods after it.
fn squares_left(words: Words, view: &View, row: u32, squares: RowBits) -> String {
    let all = (0..view.size.get()).map(RowBits::of).filter(|&bit| squares.intersects(bit));
    let above = &view.rows()[..row as usize];
    let id = view.method.id;
    let skipped = all.filter(|&bit| match id {
        _ if id == Stepped::BruteForce.id() => false,
        _ if id == Stepped::Permutations.id() => above.contains(&bit),
        _ => attacker_above(view, single_square(view, row, bit)).is_some(),
    });
    let (left, skipped) = (squares.len(), skipped.count() as u32);
    let in_columns = id == Stepped::Permutations.id();
    let (english, japanese) = match (left, skipped, in_columns) {
        (0, ..) => {
            let japanese = "この行に試すマスは、もう残っていません。";
            return words
                .say("No other square of this row is left to try.".into(), japanese.into());
        }
        (_, 0, _) => (".".to_owned(), "です。".to_owned()),
        (1, _, false) => (
            ". It is attacked, as its test will show.".to_owned(),
            "です。調べると、効き筋に当たることがわかります。".to_owned(),
        ),
        (1, _, true) => (
            ". It is in the column of a queen, as its test will show.".to_owned(),
            "です。調べると、その列にはもうクイーンがあることがわかります。".to_owned(),
        ),
        (_, _, false) if left == skipped => (
            ". All of them are attacked, as their tests will show.".to_owned(),
            "です。1 マスずつ調べると、すべて効き筋に当たることがわかります。".to_owned(),
        ),
        (_, _, true) if left == skipped => (
            ". All of them are in columns of queens, as their tests will show.".to_owned(),
            "です。1 マスずつ調べると、どの列にももうクイーンがあることがわかります。".to_owned(),
        ),
        (_, _, false) => (
            format!(", {skipped} of them attacked."),
            format!("です。そのうち {skipped} 個は効き筋に当たります。"),
        ),
        (_, _, true) => (
            format!(", {skipped} of them in the column of a queen."),
            format!("です。そのうち {skipped} 個は、もうクイーンのある列のマスです。"),
        ),
    };
    let squares_are = if left == 1 { "1 square of this row is" } else { "squares of this row are" };
    words.say(
        format!("{squares_are} still to be tried{english}"),
        format!("この行で試すマスは、あと {left} 個{japanese}"),
    )
}

/// The kind of a step that places a queen, and the facts about its square.
fn placed(
    words: Words,
    before: &View,
    view: &View,
    row: u32,
    bits: RowBits,
) -> (&'static str, Vec<String>) {
    match view.masks {
        Some(masks) if row == 0 && masks.is_corner() => {
            ("place-corner", vec![words.say("has 8 members".into(), "要素数 8".into())])
        }
        Some(Masks { bound1, bound2, .. }) if row == 0 => {
            ("place-first", vec![format!("BOUND1 = {bound1}"), format!("BOUND2 = {bound2}")])
        }
        Some(masks) if row == 1 && masks.is_corner() => {
            let bound1 = masks.bound1;
            let fact = words.say(format!("BOUND1 = {bound1}"), format!("BOUND1（= {bound1}）"));
            ("place-second", vec![fact])
        }
        _ if before.row == row && before.free.lowest() == bits => {
            let left = before.free - bits;
            let kind = if goes_through_all(before, row) { "place-any" } else { "place-lowest" };
            let rightmost = match kind {
                "place-any" => words.say("the rightmost square".into(), "いちばん右".into()),
                _ => words.say("the rightmost free square".into(), "試せるマスのうち".into()),
            };
            (kind, vec![squares_left(words, view, row, left), rightmost])
        }
        _ => ("place", vec![]),
    }
}

fn compared(
    words: Words,
    view: &View,
    transform: Transform,
    outcome: Outcome,
) -> (String, Vec<String>) {
    let mut phrases = vec![words.image(transform)];
    let mut kind = "compare".to_owned();
    let cell = Cell::ALL.into_iter().find(|cell| cell.transform() == transform);
    let cell = cell.and_then(|cell| Some((cell, view.masks?.cell(cell)?)));
    if let Some((cell, (row, square))) = cell {
        assert_eq!(view.rows()[row as usize], square, "a queen calls for the comparison");
        kind.push_str("-cell");
        let letter = cell.letter();
        phrases.push(words.say(format!("on cell {letter},"), format!("マス {letter} に")));
        phrases.push(square_in(words, view, row, square));
    }
    let decided = Comparison::new(&view.queens, view.size, transform).last();
    let rows = decided.map(|at| {
        let [image, own] = [at.image, at.own].map(RowBits::of);
        let column = |bits| {
            words
                .square(single_square(view, at.row, bits), true)
                .split_once([',', '・'])
                .map(|(_, column)| column.trim().to_owned())
        };
        let (image, own) = (column(image).unwrap_or_default(), column(own).unwrap_or_default());
        words.say(
            format!(
                "row {}, the queen of the image is in {image}, and that of the solution in {own}.",
                at.row
            ),
            format!("行 {} のクイーンは、像では{image}、この解では{own}にあります。", at.row),
        )
    });
    let (end, rows, outcome) = match outcome {
        Outcome::ImageSmaller => {
            ("-smaller", rows, words.say("not the representative".into(), "代表ではない".into()))
        }
        Outcome::ImageLarger => {
            ("-larger", rows, words.say("has the larger bit".into(), "大きいのは像のほう".into()))
        }
        Outcome::Same => {
            ("-same", None, words.say("solution itself".into(), "この解そのもの".into()))
        }
    };
    phrases.extend(rows);
    phrases.push(outcome);
    (kind + end, phrases)
}

fn solution(words: Words, view: &View, found: Found) -> (String, Vec<String>) {
    let n = view.size.get();
    match found {
        Found::Single => {
            let queens = words.say(format!("{n} queens"), format!("{n} 個のクイーン"));
            ("single".into(), vec![queens])
        }
        Found::MirrorPair => {
            ("pair".into(), vec![words.say("left-right mirror".into(), "左右反転".into())])
        }
        Found::Class(class) => {
            let members = class.members();
            let corner = class == Class::Eight && view.rows()[0] == RowBits::of(0);
            let kind = format!("class-{members}{}", if corner { "-corner" } else { "" });
            let phrases =
                words.say(format!("class of {members}"), format!("要素数 {members} のグループ"));
            let more = corner.then(|| words.say("in the corner".into(), "角に".into()));
            (kind, [Some(phrases), more].into_iter().flatten().collect())
        }
    }
}

/// All kinds of steps.
const KINDS: [&str; 41] = [
    "back",
    "back-first",
    "class-1",
    "class-2",
    "class-4",
    "class-8",
    "class-8-corner",
    "compare-cell-larger",
    "compare-cell-same",
    "compare-cell-smaller",
    "compare-larger",
    "compare-same",
    "compare-smaller",
    "cut-corner",
    "cut-half",
    "cut-last-row",
    "cut-lower-side",
    "cut-lower-side-attacked",
    "cut-lower-side-both",
    "cut-upper-side",
    "dead-end",
    "descend",
    "descend-first",
    "done",
    "done-many",
    "done-none",
    "done-one",
    "pair",
    "place",
    "place-any",
    "place-corner",
    "place-first",
    "place-lowest",
    "place-second",
    "reject-many",
    "reject-one",
    "reject-queen",
    "single",
    "start",
    "try-attacked",
    "try-free",
];

#[test]
fn every_kind_of_step_is_explained() {
    check_explanations(Words::English, Language::English);
}

#[test]
fn every_kind_of_step_is_explained_in_japanese() {
    check_explanations(Words::Japanese, Language::Japanese);
}

/// Checks the sentence of every step of some searches.
fn check_explanations(words: Words, language: Language) {
    let mut seen = BTreeSet::new();
    for (method, n) in [
        (Stepped::Symmetry, 8),
        (Stepped::Symmetry, 1),
        (Stepped::BitmapSymmetry, 4),
        (Stepped::Symmetry, 5),
        (Stepped::Mirror, 6),
        (Stepped::Backtracking, 4),
        (Stepped::Permutations, 4),
        (Stepped::BruteForce, 3),
        (Stepped::FlagsSymmetryHalf, 4),
        (Stepped::Bitmap, 3),
    ] {
        let size = Size::new(n).unwrap();
        let mut timeline = Timeline::new(method, size);
        let mut state = ExploreState::new(method, size);
        let mut before = timeline.view();
        loop {
            let step = timeline.step();
            let (kind, phrases) = facts(words, &before, &timeline);
            state.apply(Action::MoveTo(step));
            state.work(&mut || true);
            assert_eq!(state.snapshot().step, step);
            let sentence = why(language, state.snapshot());
            let sentence = plain(&sentence);
            assert_eq!(fault(&sentence), None, "{method} N = {n} step {step}");
            // A sentence may begin with a fact, capitalized.
            let folded = sentence.to_lowercase();
            for fact in phrases {
                assert!(
                    folded.contains(&fact.to_lowercase()),
                    "{method} N = {n} step {step}, {kind}: {sentence} does not say {fact}"
                );
            }
            seen.insert(kind);
            before = timeline.view();
            if timeline.forward().is_none() {
                break;
            }
        }
    }
    assert_eq!(seen, BTreeSet::from(KINDS.map(str::to_owned)));
}
