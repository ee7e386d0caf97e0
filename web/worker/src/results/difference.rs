//! The tasks of two results, compared one by one.

use std::collections::HashMap;

use super::documents::StoredDocument;
use crate::protocol::{Task, TaskDifference, TaskPair, TimeDifference, TimePair};

/// The largest number of tasks that are listed.
const MAX_LISTED: usize = 12;
/// The largest number of tasks that are listed for their times.
const MAX_TIMES: usize = 3;

/// Compares the tasks of two results; returns `None` if their plans differ, because the same id then
/// names different tasks.
pub fn difference(first: &StoredDocument, second: &StoredDocument) -> Option<TaskDifference> {
    if first.plan() != second.plan() {
        return None;
    }
    let others: HashMap<u32, &Task> = second.tasks.iter().map(|task| (task.id, task)).collect();
    let mut difference = TaskDifference::default();
    let mut times = vec![];
    for task in &first.tasks {
        let Some(other) = others.get(&task.id) else {
            difference.only_first += 1;
            continue;
        };
        difference.common += 1;
        times.push(TimePair { id: task.id, seconds: [task.seconds, other.seconds] });
        if task.total != other.total {
            difference.mismatch_count += 1;
            if difference.mismatches.len() < MAX_LISTED {
                difference
                    .mismatches
                    .push(TaskPair { id: task.id, totals: [task.total, other.total] });
            }
        }
    }
    difference.only_second = (others.len() as u32).saturating_sub(difference.common);
    difference.times = time_difference(times);
    Some(difference)
}

/// Compares the times of tasks. Tasks without a time in one of the results are left out.
fn time_difference(mut times: Vec<TimePair>) -> TimeDifference {
    times.retain(|pair| pair.seconds.iter().all(|&seconds| seconds > 0.0));
    let sums = [0, 1].map(|side: usize| times.iter().map(|pair| pair.seconds[side]).sum());
    let timed = times.len() as u32;
    let mut difference = TimeDifference { timed, sums, ..TimeDifference::default() };
    times.retain(|pair| pair.seconds[0] != pair.seconds[1]);
    let second = times.iter().filter(|pair| pair.seconds[0] < pair.seconds[1]).count();
    difference.longer = [times.len() - second, second].map(|count| count as u32);
    let gap = |pair: &TimePair| (pair.seconds[0] - pair.seconds[1]).abs();
    times.sort_by(|a, b| gap(b).total_cmp(&gap(a)));
    times.truncate(MAX_TIMES);
    difference.largest = times;
    difference
}

#[cfg(test)]
mod tests {
    use queens_core::document::Document;

    use super::*;

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");
    const ONE: &str = include_str!("../../../../tests/data/results/one.json");

    fn stored(text: &str) -> StoredDocument {
        Document::parse(text).unwrap().into()
    }

    #[test]
    fn finds_the_tasks_that_differ() {
        let eight = stored(EIGHT);
        let all = eight.tasks.len() as u32;
        let same = difference(&eight, &eight).unwrap();
        let sums = [0.0625 * f64::from(all); 2];
        let times = TimeDifference { timed: all, sums, ..TimeDifference::default() };
        assert_eq!(same, TaskDifference { common: all, times, ..TaskDifference::default() });
        let mut other = stored(EIGHT);
        other.tasks[6].total += 2;
        other.tasks.remove(1);
        let found = difference(&eight, &other).unwrap();
        let pair = TaskPair { id: 6, totals: [16, 18] };
        assert_eq!(found.mismatches, [pair]);
        assert_eq!((found.common, found.mismatch_count), (all - 1, 1));
        assert_eq!((found.only_first, found.only_second), (1, 0));
        let reversed = difference(&other, &eight).unwrap();
        assert_eq!((reversed.only_first, reversed.only_second), (0, 1));
        for task in &mut other.tasks {
            task.total += 1;
        }
        let many = difference(&eight, &other).unwrap();
        assert_eq!((many.mismatch_count, many.mismatches.len()), (all - 1, MAX_LISTED));
        assert_eq!(difference(&eight, &stored(ONE)), None);
    }

    #[test]
    fn finds_the_tasks_whose_times_differ_most() {
        let eight = stored(EIGHT);
        let mut other = stored(EIGHT);
        for (id, seconds) in [(3, 0.125), (5, 1.0), (9, 0.03125), (12, 0.25), (14, 0.0)] {
            other.tasks[id].seconds = seconds;
        }
        other.tasks.remove(1);
        let times = difference(&eight, &other).unwrap().times;
        // Task 14 has no time, and task 1 is absent.
        assert_eq!((times.timed, times.longer), (14, [1, 3]));
        // The first result has 16 tasks of 0.0625 s each.
        assert_eq!(times.sums, [0.875, 2.03125]);
        let pair = |id, second| TimePair { id, seconds: [0.0625, second] };
        assert_eq!(times.largest, [pair(5, 1.0), pair(12, 0.25), pair(3, 0.125)]);
        let reversed = difference(&other, &eight).unwrap().times;
        assert_eq!(reversed.longer, [3, 1]);
        let ids: Vec<_> = reversed.largest.iter().map(|pair| pair.id).collect();
        assert_eq!(ids, [5, 12, 3]);
    }

    #[test]
    fn tasks_without_times_are_not_compared() {
        let (eight, mut other) = (stored(EIGHT), stored(EIGHT));
        other.tasks.iter_mut().for_each(|task| task.seconds = 0.0);
        let times = difference(&eight, &other).unwrap().times;
        assert_eq!((times.timed, times.longer, times.largest), (0, [0, 0], vec![]));
    }
}
