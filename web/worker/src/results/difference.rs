//! The tasks of two results, compared one by one.

use std::collections::HashMap;

use super::documents::StoredDocument;
use crate::protocol::{TaskDifference, TaskPair};

/// The largest number of tasks that are listed.
const MAX_LISTED: usize = 12;

/// Compares the tasks of two results; returns `None` if their plans differ, because the same id then
/// names different tasks.
pub fn difference(first: &StoredDocument, second: &StoredDocument) -> Option<TaskDifference> {
    if first.plan() != second.plan() {
        return None;
    }
    let others: HashMap<u32, u64> = second.tasks.iter().map(|task| (task.id, task.total)).collect();
    let mut difference = TaskDifference::default();
    for task in &first.tasks {
        let Some(&other) = others.get(&task.id) else {
            difference.only_first += 1;
            continue;
        };
        difference.common += 1;
        if task.total != other {
            difference.mismatch_count += 1;
            if difference.mismatches.len() < MAX_LISTED {
                difference.mismatches.push(TaskPair { id: task.id, totals: [task.total, other] });
            }
        }
    }
    difference.only_second = (others.len() as u32).saturating_sub(difference.common);
    Some(difference)
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
        assert_eq!(same, TaskDifference { common: all, ..TaskDifference::default() });
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
}
