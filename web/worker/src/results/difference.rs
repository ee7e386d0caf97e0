//! The tasks of two results, compared one by one.

use std::collections::HashMap;

use super::documents::StoredDocument;
use crate::protocol::{
    ComparedTask, Task, TaskDifference, TaskPair, TimeDifference, TimePair, TimePicture,
    median_ratio,
};

/// The largest number of tasks that are listed.
const MAX_LISTED: usize = 12;
/// The largest number of tasks that are listed for their times.
const MAX_TIMES: usize = 3;

/// Compares the tasks of two results; returns `None` if their plans differ, because the same id then
/// names different tasks.
pub fn difference(first: &StoredDocument, second: &StoredDocument) -> Option<TaskDifference> {
    let tasks = common(first, second)?;
    let only = |document: &StoredDocument| {
        (document.tasks.len() as u32).saturating_sub(tasks.len() as u32)
    };
    let mut difference = TaskDifference {
        common: tasks.len() as u32,
        only_first: only(first),
        only_second: only(second),
        times: time_difference(&tasks),
        ..TaskDifference::default()
    };
    for ComparedTask { id, totals, .. } in tasks {
        if totals[0] != totals[1] {
            difference.mismatch_count += 1;
            if difference.mismatches.len() < MAX_LISTED {
                difference.mismatches.push(TaskPair { id, totals });
            }
        }
    }
    Some(difference)
}

/// Returns the tasks that both results have, in the order of the first one; `None` if their plans differ.
fn common(first: &StoredDocument, second: &StoredDocument) -> Option<Vec<ComparedTask>> {
    if first.plan() != second.plan() {
        return None;
    }
    let others: HashMap<u32, &Task> = second.tasks.iter().map(|task| (task.id, task)).collect();
    let compared = |task: &Task| {
        let other = others.get(&task.id)?;
        let (totals, seconds) = ([task.total, other.total], [task.seconds, other.seconds]);
        Some(ComparedTask { id: task.id, totals, seconds })
    };
    Some(first.tasks.iter().filter_map(compared).collect())
}

/// Compares the times of tasks. Tasks without a time in one of the results are left out.
fn time_difference(tasks: &[ComparedTask]) -> TimeDifference {
    let mut times: Vec<ComparedTask> =
        tasks.iter().filter(|task| task.ratio().is_some()).copied().collect();
    let sums = [0, 1].map(|side: usize| times.iter().map(|task| task.seconds[side]).sum());
    let timed = times.len() as u32;
    let mut difference = TimeDifference {
        timed,
        sums,
        median_ratio: median_ratio(&times).unwrap_or_default(),
        picture: TimePicture::new(&times),
        ..TimeDifference::default()
    };
    times.retain(|task| task.gap() != 0.0);
    let second = times.iter().filter(|task| task.gap() > 0.0).count();
    difference.longer = [times.len() - second, second].map(|count| count as u32);
    times.sort_by(|a, b| b.gap().abs().total_cmp(&a.gap().abs()));
    times.truncate(MAX_TIMES);
    let pair = |task: &ComparedTask| TimePair { id: task.id, seconds: task.seconds };
    difference.largest = times.iter().map(pair).collect();
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
        let picture = same.times.picture.clone();
        assert_eq!(picture.as_ref().map(|picture| picture.cells.len()), Some(1));
        let median_ratio = 1.0;
        let times =
            TimeDifference { timed: all, sums, median_ratio, picture, ..TimeDifference::default() };
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
        assert_eq!(times.median_ratio, 1.0);
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
