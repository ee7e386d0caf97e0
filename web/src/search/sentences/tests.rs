use std::collections::BTreeSet;

use queens_core::{Beat, Placement, Stepped, Timeline, representative};

use super::*;
use crate::board::SquareStyle;
use crate::search::squares::rows;
use crate::search::state::{Action, ExploreState};
use crate::words::plain;

/// The snapshots of a whole search.
fn snapshots(method: Stepped, n: u32) -> Vec<Snapshot> {
    let mut timeline = Timeline::new(method, Size::new(n).unwrap());
    let mut found = vec![];
    let mut before = timeline.view();
    while let Some(step) = timeline.forward() {
        let view = timeline.view();
        found.push(Snapshot {
            step: timeline.step(),
            moves: timeline.tracer().beats(),
            view,
            before,
            event: Some(step),
            beat: timeline.tracer().beat(),
            work: *timeline.work(),
        });
        before = view;
    }
    found
}

/// A text in which a key or a placeholder is missing.
fn is_broken(text: &str) -> bool {
    text.trim().is_empty()
        || text.contains("%{")
        || text.contains("why.")
        || text.contains("transform.")
}

fn kind(event: Event) -> String {
    match event {
        Event::Cut { rule, .. } => format!("cut {rule:?}"),
        Event::Compare { outcome, .. } => format!("compare {outcome:?}"),
        Event::Solution { found } => format!("solution {found:?}"),
        other => format!("{other:?}").split(' ').next().unwrap().to_owned(),
    }
}

#[test]
fn every_step_has_a_sentence_in_both_languages() {
    for &method in Stepped::ALL {
        for n in 1..=(if method == Stepped::Symmetry { 9 } else { 6 }) {
            for now in snapshots(method, n) {
                for language in Language::ALL {
                    let text = why(language, &now);
                    assert!(!is_broken(&text), "{method} N = {n} {:?}: {text}", now.event);
                }
            }
        }
    }
}

#[test]
fn calls_a_dead_end_a_dead_end() {
    let said = |method, step: u64| {
        let all = snapshots(method, 8);
        let now = all.iter().filter(|now| now.beat == Some(Beat::DeadEnd));
        let now = now.clone().find(|now| now.step >= step).unwrap();
        Language::ALL.map(|language| plain(&why(language, now)))
    };
    // The snapshots of views have the whole sentence.
    for [english, japanese] in [said(Stepped::Backtracking, 52), said(Stepped::Bitmap, 0)] {
        for row in ["row 5", "row 4"] {
            assert!(english.starts_with("Dead end: ") && english.contains(row), "{english}");
        }
        assert!(japanese.starts_with("行き止まりです。行 5 "), "{japanese}");
    }
    // Where a rule closes the last squares, its own sentence comes first.
    let all = snapshots(Stepped::Symmetry, 8);
    let cuts: Vec<String> = all
        .iter()
        .filter(|now| {
            now.beat == Some(Beat::DeadEnd) && matches!(now.event, Some(Event::Cut { .. }))
        })
        .map(|now| why(Language::English, now))
        .collect();
    assert!(!cuts.is_empty());
    for cut in cuts {
        let (rule, end) = cut.split_once(" Dead end: ").unwrap();
        assert!(rule.starts_with("Rule ") && end.contains("attacked or closed by a rule"), "{cut}");
    }
}

/// A move that leaves only squares that the method will skip is followed by the way back.
#[test]
fn says_how_many_of_the_squares_left_are_attacked() {
    const ATTACKED: [&str; 4] = [
        "Left to try in this row: 1 square. It is attacked.",
        " squares. All of them are attacked.",
        "この行で試すマスは、あと 1 個です。そのマスは効き筋に当たります。",
        " マスは、どれも効き筋に当たります。",
    ];
    const IN_COLUMN: [&str; 4] = [
        "Left to try in this row: 1 square. It is in the column of a queen.",
        " squares. All of them are in columns of queens.",
        "この行で試すマスは、あと 1 個です。その列には、もうクイーンがあります。",
        " マスの列には、どれももうクイーンがあります。",
    ];
    for (method, ends) in [(Stepped::Backtracking, ATTACKED), (Stepped::Permutations, IN_COLUMN)] {
        let all = snapshots(method, 6);
        let is_move =
            |now: &&Snapshot| matches!(now.event, Some(Event::Place { .. } | Event::Back { .. }));
        let moves: Vec<&Snapshot> = all.iter().filter(is_move).collect();
        let mut found = [0; 4];
        for pair in moves.windows(2) {
            // A queen that is placed leads to the next row first.
            let [Some(Event::Back { row }), Some(next)] = [pair[0].event, pair[1].event] else {
                continue;
            };
            for language in Language::ALL {
                let said = plain(&why(language, pair[0]));
                if let Some(end) = ends.iter().position(|end| said.ends_with(end)) {
                    assert_eq!(next, Event::Back { row: row - 1 }, "{method}: {said}");
                    found[end] += 1;
                }
            }
        }
        assert!(found.iter().all(|&times| times > 0), "{method}: {found:?}");
    }
    let said = |method, end: &str| {
        let all = snapshots(method, 8);
        all.iter().map(|now| why(Language::English, now)).any(|said| said.ends_with(end))
    };
    assert!(said(Stepped::Backtracking, "Left to try in this row: 4 squares, 3 of them attacked."));
    // Brute force skips no square, and the bitmap method has no attacked square to try.
    assert!(!said(Stepped::Bitmap, "of them attacked."));
    let brute = snapshots(Stepped::BruteForce, 3);
    assert!(brute.iter().all(|now| !why(Language::English, now).contains("of them")));
}

#[test]
fn every_kind_of_event_is_explained() {
    let all = snapshots(Stepped::Symmetry, 5);
    let view = all.iter().find(|now| now.view.placement().is_some()).unwrap().view;
    let square = RowBits::of(2);
    let mut events = vec![
        Event::Descend { row: 0 },
        Event::Descend { row: 2 },
        Event::Try { row: 2, square },
        Event::Reject { row: 2, squares: square },
        Event::Reject { row: 2, squares: view.size.mask() },
        Event::Place { row: 2, square },
        Event::Back { row: 2 },
        Event::Done,
        Event::Solution { found: Found::Single },
        Event::Solution { found: Found::MirrorPair },
    ];
    events.extend(Class::ALL.map(|class| Event::Solution { found: Found::Class(class) }));
    events.extend(Rule::ALL.map(|rule| Event::Cut { row: 2, rule, squares: square }));
    for transform in Transform::ALL {
        for outcome in [Outcome::ImageSmaller, Outcome::Same, Outcome::ImageLarger] {
            events.push(Event::Compare { transform, outcome });
        }
    }
    let mut kinds = BTreeSet::new();
    for event in events {
        kinds.insert(kind(event));
        let now = Snapshot {
            step: 1,
            moves: 0,
            view,
            before: view,
            event: Some(event),
            beat: None,
            work: Default::default(),
        };
        for language in Language::ALL {
            let text = why(language, &now);
            assert!(!is_broken(&text), "{event:?}: {text}");
        }
    }
    assert_eq!(kinds.len(), 6 + 6 + 5 + 3, "{kinds:?}");
}

#[test]
fn explains_the_steps_of_the_symmetry_method() {
    let said = snapshots(Stepped::Symmetry, 8);
    let said: Vec<String> = said.iter().map(|now| plain(&why(Language::English, now))).collect();
    let first = |start: &str| said.iter().find(|text| text.starts_with(start)).unwrap().as_str();
    assert_eq!(said[0], "The search starts in row 0, the first row.");
    assert!(said[1].starts_with("Place the first queen in the upper right corner."));
    assert_eq!(
        said[3],
        "The queens above attack 2 of the 8 squares in row 1. Not attacked: columns 0, 1, 2, 3, 4, 5."
    );
    assert_eq!(
        said[4],
        "Place the second queen on row 1, column 5 (bit 2). In the corner case its bit is BOUND1 = 2."
    );
    assert_eq!(
        first("Place the first queen on"),
        "Place the first queen on row 0, column 6 (bit 1). This sets BOUND1 = 1, BOUND2 = 6 and the \
         masks."
    );
    assert_eq!(
        first("Rule 3"),
        "Rule 3 (last row): LASTMASK closes column 6. With a queen there, a turned or mirrored board has its top \
         queen further right than now. Such boards came earlier. Dead end: every square of row 7 is attacked or \
         closed by a rule, so the queen of row 6 cannot stay."
    );
    assert_eq!(
        said.last().unwrap(),
        "The search is complete. 12 boards stand for 92 solutions: 11 × 8 + 1 × 4."
    );
    assert!(
        said.iter().any(|text| text.contains("is on cell B, row ")
            && text.contains("its image turned by 180°."))
    );
}

/// The sentences about rules 1, 3 and X say so.
#[test]
fn a_queen_on_a_closed_square_would_come_first_on_an_image() {
    for method in [Stepped::SideCuts, Stepped::Symmetry] {
        let mut closed = BTreeSet::new();
        for now in snapshots(method, 8) {
            let Some(Event::Cut { row, rule, squares }) = now.event else { continue };
            let first = match rule {
                Rule::UpperSide | Rule::LastRow => 0,
                Rule::Corner => 1,
                Rule::LowerSide | Rule::Half => continue,
            };
            closed.insert(rule.id());
            let own = queen(&now.view, first).column();
            let squares = Square::of_row(now.view.size, row)
                .filter(|square| squares.intersects(square.bit()));
            for square in squares {
                let images = Transform::ALL.map(|transform| transform.square(square));
                let is_further_right =
                    |image: &Square| image.row() == first && image.bit().column() < own;
                assert!(images.iter().any(is_further_right), "{method} {}", now.step);
            }
        }
        assert_eq!(closed.len(), method.facts().rules.len() - 1, "{method}: {closed:?}");
    }
}

/// By judgement values, the solution 4 2 0 5 3 1 of N = 6 has the smaller images 3 0 4 1 5 2 and
/// 2 5 1 4 0 3, but the representative is 1 3 5 0 2 4.
#[test]
fn a_smaller_image_is_not_called_the_representative() {
    let mut compared = BTreeSet::new();
    for now in snapshots(Stepped::FlagsSymmetry, 6) {
        let Some(Event::Compare { transform, outcome: Outcome::ImageSmaller }) = now.event else {
            continue;
        };
        let solution = now.view.placement().unwrap();
        let image = transform.apply(&solution);
        let smallest = representative(&solution);
        assert_ne!(solution, smallest);
        let [english, japanese] =
            [Language::English, Language::Japanese].map(|language| why(language, &now));
        assert!(english.contains("this solution is not the representative"), "{english}");
        assert!(japanese.contains("この解は代表ではない"), "{japanese}");
        if image != smallest {
            for claim in ["image stands for", "image represents", "image is the representative"] {
                assert!(!english.contains(claim), "{english}");
            }
            assert!(!japanese.contains("代表は"), "{japanese}");
            let value = |board: Placement| board.judgement_value().to_string();
            compared.insert([solution, image, smallest].map(value));
        }
    }
    let values = ["4 2 0 5 3 1", "3 0 4 1 5 2", "2 5 1 4 0 3"].map(str::to_owned);
    let of = |at: usize| [values[at].clone(), values[at + 1].clone(), "1 3 5 0 2 4".to_owned()];
    assert_eq!(compared, BTreeSet::from([of(0), of(1)]));
}

/// Permutations places queens on squares that are attacked along a diagonal.
#[test]
fn explains_allowed_attacked_squares() {
    let allowed = "This method checks diagonals only on full boards.";
    let mut count = 0;
    let all = snapshots(Stepped::Permutations, 4);
    for (now, next) in all.iter().zip(&all[1..]) {
        if let Some(Event::Try { .. }) = now.event {
            let text = why(Language::English, now);
            let is_placed = matches!(next.event, Some(Event::Place { .. }));
            let is_full = now.view.row == now.view.size.last();
            let is_explained = text.contains(allowed) || text.contains("no queen");
            assert!(!is_placed || is_explained, "{text}");
            assert!(is_placed || is_full || !text.contains(allowed), "{text}");
            count += u32::from(text.contains(allowed));
        }
    }
    assert!(count > 0);
}

/// Permutations skips a square only because of its column, even if other queens attack it, too.
#[test]
fn explains_a_skip_by_the_test_of_the_method() {
    for (method, n) in [(Stepped::Permutations, 5), (Stepped::Backtracking, 5)] {
        let mut seen = 0;
        let all = snapshots(method, n);
        for (tried, now) in all.iter().zip(&all[1..]) {
            let Some(Event::Reject { row, squares }) = now.event else { continue };
            let Some(square) = Square::of_bits(now.view.size, row, squares) else { continue };
            if queen(&now.view, row) == squares {
                continue;
            }
            let by = now.view.obstacle(square).unwrap();
            // The lines on the board say which queen attacks a square of a dead end.
            if now.beat == Some(Beat::DeadEnd) {
                continue;
            }
            assert!(method != Stepped::Permutations || by.line == Line::Down);
            seen += u32::from(now.view.attacker(square) != Some(by));
            for language in Language::ALL {
                let by_row = tr!(language, "why.square", row = by.queen.row(), column = 0, bit = 0);
                let (by_row, _) = by_row.split_at(by_row.find([',', '・']).unwrap());
                let line = line_name(language, by.line);
                for text in [why(language, tried), why(language, now)] {
                    assert!(text.contains(by_row) && text.contains(&line), "{by_row}: {text}");
                }
            }
        }
        assert_eq!(seen > 0, method == Stepped::Permutations, "{method}");
    }
    let all = snapshots(Stepped::Permutations, 5);
    let text = why(Language::English, &all[52]);
    assert!(text.ends_with("the queen in row 3 attacks it along its column."), "{text}");
}

/// In the corner case, rule X saves the comparison: a method without it compares there, too.
#[test]
fn a_corner_without_rule_x_is_still_compared() {
    for (method, compares) in
        [(Stepped::Bound2, true), (Stepped::SideCuts, false), (Stepped::Symmetry, false)]
    {
        // N = 6 has no solution in the corner.
        for n in [5, 7, 8] {
            let all = snapshots(method, n);
            let in_corner = |now: &&Snapshot| queen(&now.view, 0) == RowBits::of(0);
            let corner: Vec<_> = all.iter().filter(in_corner).collect();
            let is_compared = |now: &&Snapshot| matches!(now.event, Some(Event::Compare { .. }));
            assert_eq!(corner.iter().any(is_compared), compares, "{method} N = {n}");
            let [english, japanese] = Language::ALL.map(|language| why(language, corner[0]));
            assert!(english.starts_with("Place the first queen in the upper right corner."));
            assert!(english.contains("Every class found in this branch has 8 members"));
            assert_eq!(english.contains("no solution needs a comparison"), !compares, "{english}");
            assert_eq!(english.contains("still compares each solution"), compares, "{english}");
            assert_eq!(japanese.contains("比較は要りません"), !compares, "{japanese}");
            for now in corner {
                if let Some(Event::Solution { found }) = now.event {
                    assert_eq!(found, Found::Class(Class::Eight), "{method} N = {n}");
                }
            }
        }
    }
}

/// Methods that compare solutions find more of them than they keep: 4 and 1 for N = 6.
#[test]
fn the_last_step_states_how_the_solutions_add_up() {
    for (method, n, found, kept, english, japanese) in [
        (Stepped::BruteForce, 6, 4, 4, "Solutions found: 4.", "見つかった解は 4 個です。"),
        (
            Stepped::FlagsSymmetry,
            6,
            4,
            1,
            "1 board stands for 4 solutions: 1 × 4.",
            "1 個の解が、全部で 4 個の解を代表します：1 × 4。",
        ),
        (
            Stepped::BitmapSymmetry,
            8,
            92,
            12,
            "12 boards stand for 92 solutions: 11 × 8 + 1 × 4.",
            "残した 12 個の解が、全部で 92 個の解を代表します：11 × 8 + 1 × 4。",
        ),
        (
            Stepped::Mirror,
            6,
            2,
            2,
            "2 boards stand for 4 solutions: 2 × 2.",
            "残した 2 個の解が、全部で 4 個の解を代表します：2 × 2。",
        ),
    ] {
        let all = snapshots(method, n);
        let solutions: BTreeSet<_> =
            all.iter().filter_map(|now| Some(now.view.placement()?.to_string())).collect();
        assert_eq!(solutions.len(), found, "{method}");
        let events = all.iter().filter(|now| matches!(now.event, Some(Event::Solution { .. })));
        assert_eq!(events.count(), kept, "{method}");
        let end = all.last().unwrap();
        assert_eq!(why(Language::English, end), format!("The search is complete. {english}"));
        assert_eq!(plain(&why(Language::Japanese, end)), format!("探索は終わりました。{japanese}"));
    }
    assert_eq!(tr!(Language::English, "work.solutions"), "Solutions kept");
    assert_eq!(tr!(Language::Japanese, "work.solutions"), "残した解");
}

/// Returns the search after this many steps, or at its end if it is shorter.
fn at(method: Stepped, n: u32, step: u64) -> ExploreState {
    let mut state = ExploreState::new(method, Size::new(n).unwrap());
    state.apply(Action::MoveTo(step));
    state.work(&mut || true);
    state
}

/// Returns the style of each square together with its explanation.
fn answers(language: Language, state: &ExploreState) -> Vec<(SquareStyle, String)> {
    let now = state.snapshot();
    let rows = rows(state);
    let drawn = rows.iter().flat_map(|row| &row.squares);
    let squares = Square::all(now.view.size);
    squares
        .zip(drawn)
        .map(|(square, drawn)| (*drawn, explain_square(language, now, square)))
        .collect()
}

#[test]
fn notes_on_squares_say_whether_they_were_tried() {
    let mut notes = [0; 2];
    for step in (0..1900).step_by(7) {
        let state = at(Stepped::Backtracking, 8, step);
        for (drawn, text) in answers(Language::English, &state) {
            if drawn.tried {
                assert!(!text.contains("will try it later"), "step {step}: {text}");
            }
            notes[0] += usize::from(text.ends_with("has tried it already."));
            notes[1] += usize::from(text.ends_with("the search will try it later."));
        }
    }
    assert!(notes.iter().all(|&times| times > 0), "{notes:?}");
}

#[test]
fn explanations_of_squares_match_their_drawing() {
    let mut kinds = BTreeSet::new();
    for &method in Stepped::ALL {
        let n = if method.facts().counts_classes() { 8 } else { 5 };
        for step in (0..3000).step_by(if method.facts().counts_classes() { 29 } else { 61 }) {
            let state = at(method, n, step);
            let view = state.snapshot().view;
            let squares = || Square::all(view.size);
            for (square, (drawn, text)) in squares().zip(answers(Language::English, &state)) {
                assert!(!is_broken(&text), "{text}");
                let says = |words: &str| text.contains(words);
                let place = format!("{method} step {step}: {drawn:?}: {text}");
                let rule = format!("(rule {})", drawn.rule.map_or("", Rule::sign));
                let by_rule = says(&rule) || says("half that is not searched");
                assert_eq!(drawn.closed().is_some(), by_rule, "{place}");
                let state = drawn.state;
                assert_eq!(state == SquareState::Queen, says("There is a queen on"), "{place}");
                assert_eq!(state == SquareState::Free, says("has not been tried yet"), "{place}");
                assert_eq!(state == SquareState::Past, says("its row already has"), "{place}");
                assert!(state != SquareState::Attacked || says("is attacked by"), "{place}");
                assert!(state != SquareState::Open || !says("is attacked"), "{place}");
                // Methods 3 to 6 try attacked squares, too: none of these is called open.
                let is_attacked = view.attacker(square).is_some() && state != SquareState::Queen;
                assert!(!is_attacked || !says("is open") && !says("No queen"), "{place}");
                kinds.insert(state);
            }
            for (square, (drawn, text)) in squares().zip(answers(Language::Japanese, &state)) {
                assert!(!is_broken(&text), "{text}");
                let is_attacked =
                    view.attacker(square).is_some() && drawn.state != SquareState::Queen;
                let is_free = text.contains("空いて") || text.contains("当たりません");
                assert!(!is_attacked || !is_free, "{method} step {step}: {text}");
            }
        }
    }
    assert_eq!(kinds.len(), 6, "{kinds:?}");
}

#[test]
fn explanations_of_squares_name_rule_and_cell() {
    let masked = |now: &Snapshot| {
        now.view.masks.is_some_and(|masks| masks.bound1 == 2 && !masks.is_corner())
            && now.view.row == 1
    };
    let all = snapshots(Stepped::Symmetry, 8);
    let state = at(Stepped::Symmetry, 8, all.iter().find(|now| masked(now)).unwrap().step);
    let said = |language, row: usize, column: usize| {
        answers(language, &state).swap_remove(8 * row + column).1
    };
    assert!(said(Language::English, 7, 2).contains("cell B"));
    assert!(said(Language::English, 1, 0).contains("(rule 1)"));
    assert!(said(Language::English, 7, 7).contains("(rule 3)"));
    assert_eq!(said(Language::English, 0, 5), "There is a queen on row 0, column 5 (bit 2).");
    assert!(said(Language::Japanese, 4, 5).contains("効き筋（縦）"));
}

/// Cells are compared in their order, so an earlier one may decide.
#[test]
fn a_queen_on_a_cell_is_not_called_possible() {
    let mut cells = BTreeSet::new();
    for now in snapshots(Stepped::Symmetry, 8) {
        for square in Square::all(now.view.size) {
            let seen = now.view.square(square);
            let Some(cell) = seen.cell else { continue };
            let is_there = seen.state == SquareState::Queen;
            let text = explain_square(Language::English, &now, square);
            assert_eq!(text.contains("a queen here requires"), !is_there, "{text}");
            assert_eq!(
                text.contains("with this queen, a solution is compared"),
                is_there,
                "{text}"
            );
            let text = explain_square(Language::Japanese, &now, square);
            assert_eq!(text.contains("このクイーンがあるので"), is_there, "{text}");
            if is_there {
                cells.insert(cell.letter());
            }
        }
    }
    assert_eq!(cells.len(), 3);
}

/// At the first solution, queens on a diagonal and in the column attack row 5, column 2.
#[test]
fn the_explanation_of_a_square_names_all_attackers() {
    let now = at(Stepped::Backtracking, 8, 1971).snapshot().to_owned();
    let (mut one, mut several) = (0, 0);
    for square in Square::all(now.view.size) {
        let rows: Vec<_> = now.view.attackers(square).map(|by| by.queen.row()).collect();
        if now.view.square(square).state != SquareState::Past || rows.is_empty() {
            continue;
        }
        let list = rows.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let text = explain_square(Language::English, &now, square);
        if rows.len() == 1 {
            assert!(
                text.contains(&format!("the queen in row {list} attacks this square")),
                "{text}"
            );
            one += 1;
            continue;
        }
        assert!(
            text.contains(&format!("the queens above it in rows {list} attack this square")),
            "{text}"
        );
        let text = explain_square(Language::Japanese, &now, square);
        assert!(plain(&text).contains(&format!("上の行 {}", rows[0])), "{text}");
        several += 1;
    }
    assert!(one > 10 && several > 10, "{one}, {several}");
    let square = Square::from_left(now.view.size, 5, 2).unwrap();
    let text = explain_square(Language::English, &now, square);
    assert!(text.contains("rows 0, 3 attack"), "{text}");
}
