//! Properties of boards, solutions, branches and searches, tested on random inputs or on all inputs
//! of small boards.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use queens_core::{
    Attacks, Branching, Cell, Class, ComparedRow, Comparison, Event, FirstQueen, Form, Found,
    FullComparison, Line, Masks, Moment, Outcome, Placement, Plan, Played, RowBits, Rule, Size,
    Square, Stabiliser, Stepped, Tally, Timeline, Tracer, Transform, Verdict, images, oracle,
    representative,
};

use crate::size;

/// Returns the first solution that backtracking finds. Row r tries the columns in the order of `order`,
/// beginning at index r and continuing from the front after the last one.
fn some_solution(order: &[u32]) -> Placement {
    fn fill(order: &[u32], queens: &mut Vec<u32>) -> bool {
        let row = queens.len() as u32;
        if queens.len() == order.len() {
            return true;
        }
        order.iter().cycle().skip(queens.len()).take(order.len()).any(|&column| {
            let attacked = |(above, &queen): (u32, &u32)| {
                let columns = queen.abs_diff(column);
                columns == 0 || columns == row - above
            };
            if (0..).zip(queens.iter()).any(attacked) {
                return false;
            }
            queens.push(column);
            let full = fill(order, queens);
            if !full {
                queens.pop();
            }
            full
        })
    }
    let mut queens = vec![];
    assert!(fill(order, &mut queens), "a board of {} rows has solutions", order.len());
    Placement::from_right(&queens).unwrap()
}

/// Images of solutions of boards up to N = 13: one half of random solutions, the other half of listed
/// solutions. Random solutions are hardly ever fixed by a turn; all listed solutions except the last
/// are.
fn solutions() -> impl Strategy<Value = Placement> {
    let random = prop_oneof![Just(1), 4u32..=13]
        .prop_flat_map(|n| Just((0..n).collect::<Vec<_>>()).prop_shuffle())
        .prop_map(|order| some_solution(&order));
    let listed = prop::sample::select(vec![
        vec![1, 3, 0, 2],
        vec![1, 4, 2, 0, 3],
        vec![1, 3, 5, 0, 2, 4],
        vec![2, 4, 1, 7, 0, 6, 3, 5],
        vec![0, 2, 4, 1, 3],
    ])
    .prop_map(|columns| Placement::from_left(&columns).unwrap());
    let image = (prop_oneof![random, listed], prop::sample::select(&Transform::ALL));
    image.prop_map(|(placement, transform)| transform.apply(&placement))
}

/// Arbitrary masks, most of which belong to no branch.
fn any_masks() -> impl Strategy<Value = Masks> {
    let number = || prop_oneof![0..40u32, any::<u32>(), Just(u32::MAX)];
    let branching = prop::sample::select(&Branching::ALL);
    let first = prop::sample::select(&FirstQueen::ALL);
    let words = any::<[u32; 5]>().prop_map(|words| words.map(RowBits::from_bits));
    (branching, first, 1..=32u32, words, number(), number()).prop_map(
        |(branching, first, n, words, bound1, bound2)| {
            let [mask, topbit, endbit, sidemask, lastmask] = words;
            let size = size(n);
            Masks {
                branching,
                first,
                size,
                mask,
                topbit,
                endbit,
                sidemask,
                lastmask,
                bound1,
                bound2,
            }
        },
    )
}

proptest! {
    #[test]
    fn arbitrary_masks_do_not_overflow(
        masks in any_masks(),
        row in any::<u32>(),
        down in any::<u32>(),
    ) {
        let later = std::iter::successors(Some(masks), |masks| masks.next()).take(100);
        for (masks, next) in later.clone().zip(later.skip(1)) {
            prop_assert!(masks.is_corner() || next.bound2 < masks.bound2 && !next.is_corner());
        }
        for row in [0, row, masks.bound1, masks.bound2] {
            prop_assert!(masks.closing(row, RowBits::from_bits(down)).count() <= 2);
        }
        let squares = Square::all(masks.size);
        let cells: Vec<_> = squares.filter_map(|square| masks.cell_at(square)).collect();
        prop_assert!(cells.len() <= Cell::ALL.len());
        prop_assert_eq!(masks.first_queen().is_empty(), !masks.is_corner() && masks.bound1 > 31);
    }

    #[test]
    fn class_size_times_stabiliser_size_is_eight(placement in solutions()) {
        let stabiliser = Stabiliser::of(&placement);
        let mut different: Vec<_> = images(&placement).map(|(_, image)| image).into();
        different.sort();
        different.dedup();
        prop_assert_eq!(different.len() as u64, Class::of(&placement).members());
        prop_assert_eq!(different.len() * stabiliser.transforms().len(), 8);
        for transform in Transform::ALL {
            let fixed = transform.apply(&placement) == placement;
            prop_assert_eq!(fixed, stabiliser.transforms().contains(&transform));
        }
    }

    #[test]
    fn all_images_have_one_representative(placement in solutions()) {
        let smallest = representative(&placement);
        for (transform, image) in images(&placement) {
            prop_assert_eq!(representative(&image), smallest);
            prop_assert!(smallest.judgement_value() <= image.judgement_value());
            prop_assert_eq!(transform.inverse().apply(&image), placement);
            for next in Transform::ALL {
                prop_assert_eq!(next.apply(&image), transform.then(next).apply(&placement));
            }
        }
    }

    #[test]
    fn full_comparison_keeps_only_the_representative(placement in solutions()) {
        let queens: Vec<_> = placement.rows().collect();
        let mut comparisons = FullComparison::new(placement.size());
        let mut comparison_count = 0;
        while let Some(transform) = comparisons.next() {
            let comparison = Comparison::new(&queens, placement.size(), transform);
            let outcome = comparison.outcome();
            let expected = match transform.apply(&placement).cmp(&placement) {
                Ordering::Less => Outcome::ImageSmaller,
                Ordering::Equal => Outcome::Same,
                Ordering::Greater => Outcome::ImageLarger,
            };
            prop_assert_eq!(outcome, expected);
            comparisons.learn(transform, outcome);
            comparison_count += 1;
        }
        let expected = if representative(&placement) == placement {
            Verdict::Keep(Class::of(&placement))
        } else {
            Verdict::Drop
        };
        prop_assert_eq!(comparisons.verdict(), expected);
        prop_assert!(comparison_count <= 7);
    }

    /// The attacks that are shifted from row to row equal those computed from the squares of all queens
    /// above.
    #[test]
    fn attacks_match_the_queens_above(
        (n, queens) in (1u32..=32).prop_flat_map(|n| (Just(n), prop::collection::vec(0..n, 0..n as usize))),
    ) {
        let at = |row, column| Square::from_right(size(n), row, column).unwrap();
        let attacks = queens
            .iter()
            .fold(Attacks::NONE, |attacks, &column| attacks.below(RowBits::of(column)));
        let row = queens.len() as u32;
        for column in 0..n {
            let on = |line: Line| {
                (0..).zip(&queens).any(|(above, &queen)| {
                    Line::between(at(above, queen), at(row, column)) == Some(line)
                })
            };
            prop_assert_eq!(attacks.left.contains(column), on(Line::Left), "column {}", column);
            prop_assert_eq!(attacks.down.contains(column), on(Line::Down), "column {}", column);
            prop_assert_eq!(attacks.right.contains(column), on(Line::Right), "column {}", column);
        }
    }

    #[test]
    fn squares_are_listed_from_the_right(bits: u32) {
        let mut row = RowBits::from_bits(bits);
        let columns: Vec<u32> = row.columns().collect();
        prop_assert!(columns.is_sorted_by(|a, b| a < b));
        prop_assert_eq!(columns.len() as u32, row.len());
        let mut taken = RowBits::EMPTY;
        while let Some(square) = row.take_lowest() {
            prop_assert_eq!(square.len(), 1);
            taken |= square;
        }
        prop_assert_eq!(taken.bits(), bits);
    }

    /// The masks that are updated from branch to branch match their definition.
    #[test]
    fn masks_match_their_definition(n in 4u32..=32, which: prop::sample::Index) {
        let branches: Vec<_> = Masks::branches(size(n)).collect();
        let masks = branches[which.index(branches.len())];
        let (last, bound1, bound2) = (n - 1, masks.bound1, masks.bound2);
        prop_assert_eq!(masks.mask, size(n).mask());
        prop_assert_eq!(masks.topbit, RowBits::of(last));
        if masks.first == FirstQueen::Corner {
            prop_assert!((2..last).contains(&bound1));
            prop_assert_eq!(masks.first_queen(), RowBits::of(0));
            prop_assert!(Cell::ALL.iter().all(|&cell| masks.cell(cell).is_none()));
            return Ok(());
        }
        prop_assert_eq!(bound1 + bound2, last);
        prop_assert!(bound1 < bound2);
        prop_assert_eq!(masks.first_queen(), RowBits::of(bound1));
        prop_assert_eq!(masks.endbit, RowBits::of(bound2));
        for column in 0..32 {
            let side = column == 0 || column == last;
            prop_assert_eq!(masks.sidemask.contains(column), side);
            let beside = column < bound1 || (column > bound2 && column < n);
            prop_assert_eq!(masks.lastmask.contains(column), beside, "column {}", column);
        }
        // A square is closed if a queen there would be the first queen of a smaller image.
        for row in 1..n {
            for column in 0..n {
                let square = Square::from_right(size(n), row, column).unwrap();
                let moved = |t: Transform| t.square(square).to_right();
                let to_first_row = Transform::ALL.into_iter().map(moved).filter(|to| to.0 == 0);
                let smallest = to_first_row.map(|to| to.1).min();
                let closed = masks.closed(row).is_some_and(|(_, squares)| squares.contains(column));
                prop_assert_eq!(closed, smallest.is_some_and(|s| s < bound1), "{} {}", row, column);
            }
        }
    }

    #[test]
    fn seeking_equals_stepping(
        method in prop::sample::select(Stepped::ALL),
        n in 1u32..=7,
        targets in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        budget in 1u64..5000,
    ) {
        let size = size(if method == Stepped::BruteForce { n.min(5) } else { n });
        let mut whole = Tracer::new(method, size);
        while whole.forward().is_some() {}
        let mut timeline = Timeline::new(method, size);
        for target in targets {
            let target = target.index(whole.steps() as usize + 1) as u64;
            while !timeline.seek(target, budget) {}
            let mut stepped = Tracer::new(method, size);
            while stepped.steps() < target {
                stepped.forward();
            }
            prop_assert_eq!(timeline.step(), target);
            prop_assert_eq!(timeline.last(), stepped.last());
            prop_assert_eq!(timeline.work(), stepped.work());
            prop_assert_eq!(timeline.view(), stepped.view());
        }
    }

    /// The tally of a task equals the part of the whole search's tally that is found below the task's
    /// queens.
    #[test]
    fn a_task_counts_the_subtree_below_its_queens(
        method in prop::sample::select(Stepped::ALL),
        n in 1u32..=8,
        which: prop::sample::Index,
    ) {
        let size = size(if method == Stepped::BruteForce { n.min(6) } else { n });
        let plan = Plan::new(size, method.into());
        let task = which.index(plan.len());
        let queens: Vec<RowBits> = plan.queens(task).unwrap().collect();
        let mut expected = Tally::default();
        let mut tracer = Tracer::new(method, size);
        while let Some(step) = tracer.forward() {
            if let Event::Solution { found } = step
                && tracer.view().queens.starts_with(&queens)
            {
                expected.add(found);
            }
        }
        for form in Form::ALL {
            prop_assert_eq!(plan.count(task, form), Ok(expected), "{:?}", plan.describe(task));
        }
    }
}

/// The group table of the square: `TABLE[a][b]` is the index of transform a followed by transform b.
/// Transforms 0 to 3 are the turns; transform 4 + i is turn i followed by the left-right mirror.
const TABLE: [[usize; 8]; 8] = [
    [0, 1, 2, 3, 4, 5, 6, 7],
    [1, 2, 3, 0, 5, 6, 7, 4],
    [2, 3, 0, 1, 6, 7, 4, 5],
    [3, 0, 1, 2, 7, 4, 5, 6],
    [4, 7, 6, 5, 0, 3, 2, 1],
    [5, 4, 7, 6, 1, 0, 3, 2],
    [6, 5, 4, 7, 2, 1, 0, 3],
    [7, 6, 5, 4, 3, 2, 1, 0],
];

#[test]
fn transforms_match_the_group_table_of_the_square() {
    for (first, line) in Transform::ALL.into_iter().zip(TABLE) {
        for (second, product) in Transform::ALL.into_iter().zip(line) {
            assert_eq!(first.then(second), Transform::ALL[product], "{first:?}, {second:?}");
        }
        let mut sorted = line;
        sorted.sort();
        assert_eq!(sorted, [0, 1, 2, 3, 4, 5, 6, 7], "{first:?} permutes the transforms");
        for second in Transform::ALL {
            for third in Transform::ALL {
                assert_eq!(first.then(second).then(third), first.then(second.then(third)));
            }
        }
    }
}

/// The comparisons of a completed board with their outcomes, and its class if it is counted.
type BoardOutcome = (Vec<(Transform, Outcome)>, Option<Class>);

/// The results of a search for each board, collected from its events.
#[derive(Default)]
struct SearchRecord {
    /// The outcome of each completed board.
    completed: BTreeMap<Placement, BoardOutcome>,
    /// For each cut: the queens above it, its row, its rule and the closed squares.
    cuts: Vec<(Vec<RowBits>, u32, Rule, RowBits)>,
    /// Each pair of queens that the search places in the first two rows.
    first_rows: BTreeSet<(RowBits, RowBits)>,
}

impl SearchRecord {
    fn of_search(method: Stepped, size: Size) -> SearchRecord {
        let mut record = SearchRecord::default();
        let mut tracer = Tracer::new(method, size);
        while let Some(step) = tracer.forward() {
            let view = tracer.view();
            if let [first, second, ..] = *view.rows() {
                record.first_rows.insert((first, second));
            }
            if let Event::Cut { row, rule, squares } = step {
                record.cuts.push((view.rows()[..row as usize].to_vec(), row, rule, squares));
            }
            let Some(board) = view.placement() else { continue };
            let (compared, counted) = record.completed.entry(board).or_default();
            match step {
                Event::Compare { transform, outcome } => compared.push((transform, outcome)),
                Event::Solution { found: Found::Class(class) } => {
                    *counted = Some(class);
                }
                _ => {}
            }
        }
        record
    }
}

/// The replay of every solution matches the search: it has the same comparisons, outcomes and
/// verdict, or prunes the solution in the same row by the same rule.
#[test]
fn replays_match_the_symmetry_search() {
    for n in 2..=9 {
        let record = SearchRecord::of_search(Stepped::Symmetry, size(n));
        let mut completed = 0;
        oracle::solutions(size(n), &mut |board| {
            let queens: Vec<RowBits> = board.rows().collect();
            let kept = match Played::of(board) {
                Played::Completed(masks, moments) => {
                    completed += 1;
                    let (compared, counted) = &record.completed[board];
                    let outcomes = moments.iter().filter_map(|moment| match *moment {
                        Moment::Outcome(cell, outcome, _) => Some((cell.transform(), outcome)),
                        _ => None,
                    });
                    assert!(outcomes.eq(compared.iter().copied()), "{board}: {moments:?}");
                    let verdict = counted.map_or(Verdict::Drop, Verdict::Keep);
                    let Moment::Cells(held) = moments[0] else { panic!("{moments:?}") };
                    for cell in Cell::ALL {
                        let first = |of: &Placement| of.rows().next();
                        let same = first(&cell.transform().apply(board)) == first(board);
                        assert_eq!(held.contains(cell), same && !masks.is_corner(), "{board}");
                    }
                    assert_eq!(moments.last(), Some(&Moment::Verdict(verdict)), "{board}");
                    assert_eq!(masks.first_closed_queen(board), None);
                    check_compared_rows(board, &moments);
                    verdict != Verdict::Drop
                }
                Played::GivenUp(row, rule) => {
                    let (above, queen) = (&queens[..row as usize], queens[row as usize]);
                    let cut = record.cuts.iter().find(|(queens, at, by, squares)| {
                        queens == above
                            && (*at, *by) == (row, rule)
                            && !(*squares & queen).is_empty()
                    });
                    assert!(cut.is_some(), "{board}: {rule} in row {row}");
                    false
                }
                Played::NoBranch => {
                    assert!(!record.first_rows.contains(&(queens[0], queens[1])), "{board}");
                    false
                }
                Played::OnlyQueen => panic!("{board}"),
            };
            assert_eq!(kept, representative(board) == *board, "{board}");
        });
        assert_eq!(completed, record.completed.len(), "N = {n}");
    }
}

/// Checks that the compared rows are those of the solution and its image, from the top to the first
/// difference.
fn check_compared_rows(board: &Placement, moments: &[Moment]) {
    for moment in moments {
        let Moment::Outcome(cell, outcome, last) = *moment else { continue };
        let image = cell.transform().apply(board);
        let own = board.columns_from_right().iter().zip(image.columns_from_right());
        let expected: Vec<ComparedRow> = (0..)
            .zip(own)
            .map(|(row, (&own, &image))| ComparedRow { row, own: own.into(), image: image.into() })
            .collect();
        let differs = expected.iter().position(|row| row.own != row.image);
        let expected = &expected[..differs.map_or(expected.len(), |row| row + 1)];
        let rows = moments.iter().filter_map(|moment| match *moment {
            Moment::Row(of, row) if of == cell => Some(row),
            _ => None,
        });
        assert!(rows.eq(expected.iter().copied()), "{board}, cell {cell:?}");
        assert_eq!(last.as_ref(), expected.last());
        let compared = match image.cmp(board) {
            Ordering::Less => Outcome::ImageSmaller,
            Ordering::Equal => Outcome::Same,
            Ordering::Greater => Outcome::ImageLarger,
        };
        assert_eq!(outcome, compared, "{board}, cell {cell:?}");
    }
}
