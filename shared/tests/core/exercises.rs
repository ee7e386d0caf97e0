//! Checks the answers of a thousand exercises per method with independent code, which uses lists of
//! columns instead of bit sets, and geometry instead of masks. Also tests the first difference of two
//! searches.

use std::collections::BTreeSet;

use queens_core::{
    Answer, Class, Event, Exercise, Method, Outcome, Placement, Queens, Question, Register, Rule,
    Seek, Size, Square, Stepped, Timeline, Transform, first_difference,
};

/// A square as (row, column), counted from the top and from the left.
type At = (u32, u32);

/// Returns the squares of the queens, row by row.
fn list(queens: &Queens) -> Vec<At> {
    let mut all: Vec<At> = queens.squares().map(Square::to_left).collect();
    all.sort_unstable();
    all
}

fn squares(exercise: &Exercise) -> BTreeSet<At> {
    match &exercise.answer {
        Answer::Squares(squares) => squares.squares().map(Square::to_left).collect(),
        Answer::Choice(_) => panic!("squares are asked for: {exercise:?}"),
    }
}

fn choice(exercise: &Exercise) -> usize {
    match exercise.answer {
        Answer::Choice(number) => number,
        Answer::Squares(_) => panic!("a choice is asked for: {exercise:?}"),
    }
}

/// Checks a thousand exercises of a method with `check`, which also receives N. Also checks that at
/// least ten of them differ, and that boards grow with the level.
fn check_thousand(method: Method, check: impl Fn(&Exercise, u32)) {
    let mut distinct = Vec::new();
    let mut sizes = [0; 2];
    for seed in 0..1000 {
        let exercise = Exercise::new(method, seed).unwrap();
        assert_eq!(Exercise::new(method, seed).as_ref(), Some(&exercise), "the same seed");
        let n = exercise.size().get();
        check(&exercise, n);
        match seed % 10 {
            0 => sizes[0] += n,
            9 => sizes[1] += n,
            _ => {}
        }
        if let Some((method, step)) = exercise.search
            && seed < 100
        {
            let mut timeline = Timeline::new(method, exercise.size());
            assert!(timeline.seek(step, u64::MAX) && timeline.step() == step, "{exercise:?}");
            let there = list(&timeline.view().placed());
            assert!(list(&exercise.board).iter().all(|queen| there.contains(queen)));
        }
        if !distinct.contains(&exercise) {
            distinct.push(exercise);
        }
    }
    assert!(distinct.len() > 9, "{method}: {}", distinct.len());
    assert!(sizes[0] < sizes[1], "{method}: {sizes:?}");
}

fn on_one_line(a: At, b: At) -> bool {
    a.1 == b.1 || a.0.abs_diff(b.0) == a.1.abs_diff(b.1)
}

/// Returns the next queen that a search places, if it tries the columns of each row from the right.
/// `allowed` returns whether the search may place a queen on a square, given the queens above it.
fn next_queen(n: u32, board: &[At], allowed: impl Fn(&[At], At) -> bool) -> At {
    let mut queens = board.to_vec();
    // The number of columns already tried in the current row.
    let mut tried = 0;
    // On a full board, the search continues in the last row.
    if queens.len() as u32 == n {
        tried = n - queens.pop().unwrap().1;
    }
    loop {
        let row = queens.len() as u32;
        let mut squares = (tried..n).map(|from_right| (row, n - 1 - from_right));
        if let Some(square) = squares.find(|&square| allowed(&queens, square)) {
            return square;
        }
        tried = n - queens.pop().unwrap().1;
    }
}

fn check_next_queens(method: Method, allowed: impl Fn(&[At], At) -> bool + Copy) {
    check_thousand(method, |exercise, n| {
        assert_eq!(exercise.question, Question::NextQueen);
        let expected = next_queen(n, &list(&exercise.board), allowed);
        assert_eq!(squares(exercise), BTreeSet::from([expected]), "{exercise:?}");
    });
}

#[test]
fn brute_force_advances_like_an_odometer() {
    check_next_queens(Method::BruteForce, |_, _| true);
}

#[test]
fn permutations_skip_taken_columns() {
    check_next_queens(Method::Permutations, |above, at| above.iter().all(|queen| queen.1 != at.1));
}

#[test]
fn backtracking_skips_attacked_squares() {
    check_next_queens(Method::Backtracking, |above, at| {
        above.iter().all(|&queen| !on_one_line(queen, at))
    });
}

/// The next queen always replaces one on the board: even the easiest level practises stepping back.
#[test]
fn every_level_of_the_first_lessons_needs_a_step_back() {
    for method in [Method::BruteForce, Method::Backtracking] {
        let mut rows_back = BTreeSet::new();
        for seed in 0..1000 {
            let exercise = Exercise::new(method, seed).unwrap();
            let (last, next) = (exercise.board.len() - 1, squares(&exercise).first().unwrap().0);
            assert!(next <= last, "{exercise:?}");
            rows_back.insert((Exercise::level(seed), last - next));
        }
        assert!(rows_back.len() > 6, "{rows_back:?}");
    }
}

#[test]
fn flags_mark_the_attacked_squares() {
    check_thousand(Method::Flags, |exercise, n| {
        let Question::Attacked { row } = exercise.question else { panic!("{exercise:?}") };
        let queens = list(&exercise.board);
        let attacked = (0..n).map(|column| (row, column));
        let attacked = attacked.filter(|&at| queens.iter().any(|&queen| on_one_line(queen, at)));
        assert_eq!(squares(exercise), attacked.collect(), "{exercise:?}");
        assert_eq!(queens.len() as u32, row, "every row above has its queen");
    });
}

#[test]
fn register_words_hold_the_lines_crossing_a_row() {
    check_thousand(Method::Bitmap, |exercise, n| {
        let Question::Word { row, register } = exercise.question else { panic!("{exercise:?}") };
        let queens = list(&exercise.board);
        let crossed = queens.into_iter().filter_map(|(above, column)| {
            let down = row - above;
            let column = match register {
                Register::Left => column.checked_sub(down)?,
                Register::Right => column + down,
                Register::Down => column,
                other => panic!("{other:?}"),
            };
            (column < n).then_some((row, column))
        });
        assert_eq!(squares(exercise), crossed.collect(), "{exercise:?}");
    });
}

/// Checks an exercise about the rule that halves a row: queens may stand only in the middle of the row
/// and to the right of it. The rule applies to the first row. With the method `mirror` it also applies to the
/// second row, if the first queen is in the middle.
fn check_half(method: Method, exercise: &Exercise, n: u32) {
    let is_left = |column: u32| 2 * column + 1 < n;
    let is_middle = |queen: &At| 2 * queen.1 + 1 == n;
    let Question::Closed { rule: Rule::Half, row: Some(row) } = exercise.question else {
        assert_eq!(exercise.question, Question::NextQueen);
        let halved = |above: &[At]| match above {
            [] => true,
            [first] => method == Method::Mirror && is_middle(first),
            _ => false,
        };
        let expected = next_queen(n, &list(&exercise.board), |above, at| {
            let attacked = above.iter().any(|&queen| on_one_line(queen, at));
            !(attacked || halved(above) && is_left(at.1))
        });
        assert_eq!(squares(exercise), BTreeSet::from([expected]), "{exercise:?}");
        return;
    };
    let left = (0..n).filter(|&column| is_left(column)).map(|column| (row, column));
    assert_eq!(squares(exercise), left.collect(), "{exercise:?}");
    let above = list(&exercise.board);
    assert_eq!(above.len() as u32, row);
    assert!(above.iter().all(is_middle), "a queen in the middle");
}

#[test]
fn half_row_rules_close_the_left_half() {
    for method in [Method::FlagsSymmetryHalf, Method::Mirror] {
        check_thousand(method, |exercise, n| check_half(method, exercise, n));
    }
}

/// All turns and mirrors of a board, as columns from the left.
fn eight(columns: &[u32]) -> Vec<Vec<u32>> {
    let n = columns.len();
    let turned = |columns: &Vec<u32>| {
        let mut image = vec![0; n];
        // A quarter turn moves the queen of row r and column c to row c and column n − 1 − r.
        for (row, &column) in columns.iter().enumerate() {
            image[column as usize] = (n - 1 - row) as u32;
        }
        image
    };
    let mut all = vec![columns.to_vec()];
    for _ in 0..3 {
        all.push(turned(all.last().unwrap()));
    }
    for turn in all.clone() {
        all.push(turn.iter().map(|column| n as u32 - 1 - column).collect());
    }
    all
}

fn columns(queens: &Queens) -> Vec<u32> {
    list(queens).into_iter().map(|(_, column)| column).collect()
}

#[test]
fn class_size_is_the_number_of_distinct_images() {
    let mut choices = BTreeSet::new();
    check_thousand(Method::FlagsSymmetry, |exercise, _| {
        assert_eq!(exercise.question, Question::Class);
        let images: BTreeSet<_> = eight(&columns(&exercise.board)).into_iter().collect();
        let class: Class = Question::CLASSES[choice(exercise)];
        assert_eq!(class.members(), images.len() as u64, "{exercise:?}");
    });
    for seed in 0..1000 {
        choices.insert(choice(&Exercise::new(Method::FlagsSymmetry, seed).unwrap()));
    }
    assert_eq!(choices.len(), 3, "all classes are asked for");
}

#[test]
fn finds_the_smallest_image() {
    check_thousand(Method::BitmapSymmetry, |exercise, _| {
        let Question::Smallest(shown) = &exercise.question else { panic!("{exercise:?}") };
        let images = eight(&columns(&exercise.board));
        let shown: Vec<Vec<u32>> =
            shown.iter().map(|image: &Placement| image.columns_from_left().collect()).collect();
        assert!(shown.iter().all(|image| images.contains(image)), "{exercise:?}");
        assert!(shown.len() > 1 && shown.iter().collect::<BTreeSet<_>>().len() == shown.len());
        // Columns count from the left here, so the largest list has the smallest judgement value.
        assert_eq!(Some(&shown[choice(exercise)]), images.iter().max(), "{exercise:?}");
    });
}

#[test]
fn the_first_differing_row_decides_a_comparison() {
    let mut choices = BTreeSet::new();
    for seed in 0..1000 {
        choices.insert(choice(&Exercise::new(Method::BitmapSymmetryHalf, seed).unwrap()));
    }
    assert_eq!(choices.len(), 3, "all outcomes are asked for");
    check_thousand(Method::BitmapSymmetryHalf, |exercise, n| {
        let Question::Compare(transform) = exercise.question else { panic!("{exercise:?}") };
        let own = columns(&exercise.board);
        assert!(2 * own[0] + 1 >= n, "its first queen stands in the right-hand half: {own:?}");
        let index = Transform::ALL.iter().position(|&each| each == transform).unwrap();
        let image = &eight(&own)[index];
        // Columns count from the left here, so larger columns are smaller bits.
        let expected = match image.cmp(&own) {
            std::cmp::Ordering::Greater => Outcome::ImageSmaller,
            std::cmp::Ordering::Equal => Outcome::Same,
            std::cmp::Ordering::Less => Outcome::ImageLarger,
        };
        assert_eq!(Question::OUTCOMES[choice(exercise)], expected, "{exercise:?}");
    });
}

#[test]
fn branches_begin_with_the_queen_of_bound1() {
    check_thousand(Method::Bound1, |exercise, n| {
        let Question::Branch { bound1, corner: false } = exercise.question else {
            panic!("{exercise:?}")
        };
        assert_eq!(squares(exercise), BTreeSet::from([(0, n - 1 - bound1)]));
        assert!(exercise.board.is_empty() && bound1 < n - 1);
    });
    check_thousand(Method::Bound2, |exercise, n| match exercise.question {
        Question::Branch { bound1, corner: true } => {
            assert_eq!(squares(exercise), BTreeSet::from([(0, n - 1), (1, n - 1 - bound1)]));
        }
        Question::Bound2 { bound1 } => {
            let row = n - 1 - bound1;
            assert_eq!(squares(exercise), BTreeSet::from([(row, 0), (row, n - 1)]));
            assert_eq!(list(&exercise.board), [(0, n - 1 - bound1)]);
        }
        ref other => panic!("{other:?}"),
    });
}

/// Returns the squares that a rule closes, determined by their distances from the corners.
/// `from_corner` and `second` are the distances of the first two rows' queens from the right-hand side.
fn closed(rule: Rule, n: u32, from_corner: u32, second: u32) -> BTreeSet<At> {
    let all = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
    let side = |column| column == 0 || column == n - 1;
    let closes = |(row, column): At| match rule {
        Rule::UpperSide => row > 0 && row < from_corner && side(column),
        Rule::LowerSide => n - 1 - row < from_corner && side(column),
        Rule::LastRow => row == n - 1 && column.min(n - 1 - column) < from_corner,
        Rule::Corner => row > 1 && row < second && column == n - 2,
        Rule::Half => false,
    };
    all.filter(|&at| closes(at)).collect()
}

/// Checks exercises about closed squares and cells, and that they ask for exactly the `expected` rules.
fn check_rules(method: Method, expected: &[Rule]) {
    let mut rules = BTreeSet::new();
    check_thousand(method, |exercise, n| {
        let queens = list(&exercise.board);
        let from_right = |queen: Option<&At>| queen.map_or(0, |queen| n - 1 - queen.1);
        let (first, second) = (from_right(queens.first()), from_right(queens.get(1)));
        match exercise.question {
            Question::Closed { rule, row: None } => {
                assert_eq!(squares(exercise), closed(rule, n, first, second), "{exercise:?}");
                assert!(!squares(exercise).is_empty());
            }
            Question::Cells => {
                // The squares that a turn maps to the first queen's square.
                let turns = [(n - 1 - first, n - 1), (n - 1, first), (first, 0)];
                assert_eq!(squares(exercise), BTreeSet::from(turns), "{exercise:?}");
            }
            ref other => panic!("{other:?}"),
        }
    });
    for seed in 0..1000 {
        if let Question::Closed { rule, .. } = Exercise::new(method, seed).unwrap().question {
            rules.insert(rule);
        }
    }
    assert!(rules.iter().eq(expected), "{rules:?}");
}

#[test]
fn rules_close_squares_by_their_distance_from_the_corners() {
    check_rules(Method::SideCuts, &[Rule::UpperSide, Rule::LowerSide, Rule::Corner]);
    check_rules(Method::Symmetry, &[Rule::LastRow]);
}

#[test]
fn black_queens_get_the_black_squares_of_the_other_rows_and_columns() {
    check_thousand(Method::Colours, |exercise, n| {
        assert_eq!(exercise.question, Question::OtherColour);
        let is_white = |(row, column): At| (row + column).is_multiple_of(2);
        let white = list(&exercise.board);
        assert!(white.iter().all(|&at| is_white(at)), "{exercise:?}");
        let is_left = |(row, column): At| white.iter().all(|at| at.0 != row && at.1 != column);
        let all = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
        let left: BTreeSet<At> = all.filter(|&at| !is_white(at) && is_left(at)).collect();
        assert_eq!(squares(exercise), left, "{exercise:?}");
        assert!(!white.is_empty() && !left.is_empty(), "{exercise:?}");
    });
}

/// The queens that a search places, as (step, row, column from the right).
fn placed(method: Stepped, size: Size) -> Vec<(u64, u32, u32)> {
    let mut timeline = Timeline::new(method, size);
    let mut queens = Vec::new();
    while let Some(step) = timeline.forward() {
        if let Event::Place { row, square } = step {
            queens.push((timeline.step(), row, square.column()));
        }
    }
    queens
}

#[test]
fn finds_the_first_visible_difference_of_two_searches() {
    let size = Size::new(5).unwrap();
    for methods in [
        [Stepped::BruteForce, Stepped::Permutations],
        [Stepped::Permutations, Stepped::Backtracking],
    ] {
        let [first, second] = methods.map(|method| placed(method, size));
        let mut pairs = first.iter().zip(&second);
        let (a, b) = pairs.find(|(a, b)| (a.1, a.2) != (b.1, b.2)).unwrap();
        assert_eq!(first_difference(methods, size), Some([a.0, b.0]), "{methods:?}");
    }
    // Both methods place the same queens, but `flags-symmetry` makes a comparison where `flags` reports
    // its first solution.
    let methods = [Stepped::Flags, Stepped::FlagsSymmetry];
    let steps = first_difference(methods, size).unwrap();
    let mut timeline = Timeline::new(Stepped::Flags, size);
    assert_eq!(timeline.seek_next(|search| search.work().tally.met(), u64::MAX), Seek::Found);
    assert_eq!(steps, [timeline.step(); 2]);
    for n in 1..=8 {
        let size = Size::new(n).unwrap();
        assert_eq!(first_difference([Stepped::Backtracking, Stepped::Flags], size), None);
    }
}
