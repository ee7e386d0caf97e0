//! The summary of a document's tasks.

use queens_core::{PlanId, Queens, Square};

use super::documents::StoredDocument;
use crate::protocol::{ListedTask, Task, TaskStart, TaskSummary};

/// The largest number of slow tasks that are listed.
const MAX_LISTED: usize = 20;

/// Summarizes the tasks, and lists the slowest ones and the task `chosen`; returns `None` for a document without tasks.
pub fn summary(document: &StoredDocument, chosen: Option<u32>) -> Option<TaskSummary> {
    let tasks = &document.tasks;
    let mut slowest: Vec<Task> = tasks.clone();
    slowest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds).then(a.id.cmp(&b.id)));
    let median = slowest.get(slowest.len().saturating_sub(1) / 2)?.seconds;
    let (listed, rest) = slowest.split_at(slowest.len().min(MAX_LISTED));
    let chosen = rest.iter().find(|task| Some(task.id) == chosen);
    let listed = listed.iter().chain(chosen);
    Some(TaskSummary {
        count: tasks.len() as u32,
        seconds: tasks.iter().map(|task| task.seconds).sum(),
        median,
        largest: *tasks.iter().max_by_key(|task| task.total)?,
        listed: listed
            .map(|task| ListedTask { task: *task, start: start(document.plan(), task.id) })
            .collect(),
    })
}

/// Returns the start of a task of a plan.
fn start(id: PlanId, task: u32) -> TaskStart {
    let (plan, size) = (id.plan(), id.size);
    if let Some(columns) = plan.describe(task as usize) {
        let squares = (0..).zip(columns);
        let squares =
            squares.map(|(row, &column)| Square::from_right(size, row, u32::from(column)));
        let squares: Result<Vec<Square>, _> = squares.collect();
        let queens = squares.ok().and_then(|squares| Queens::new(size, squares).ok());
        return queens.map_or(TaskStart::Unknown, TaskStart::Queens);
    }
    let sets = plan
        .pairs(task as usize)
        .map(|pairs| pairs.iter().map(|pairs| pairs.odd_rows.len() as u32).sum());
    sets.filter(|sets| *sets > 0).map_or(TaskStart::Unknown, TaskStart::RowSets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{
        Method, RowBits, Size,
        document::{Document, PlanRef},
    };

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");

    /// Returns a document with all tasks of a plan, the last of which took longest, and ten solutions in each.
    fn document(n: u32, method: Method) -> StoredDocument {
        let mut header = Document::parse(EIGHT).unwrap().header;
        (header.n, header.method) = (Size::new(n).unwrap(), method);
        let tasks = PlanId { size: header.n, method }.plan().len() as u32;
        header.plan = PlanRef::new(tasks);
        let task = |id| Task { id, total: 10, seconds: f64::from(id + 1) };
        StoredDocument { header, tasks: (0..tasks).map(task).collect() }
    }

    fn ids(summary: &TaskSummary) -> Vec<u32> {
        summary.listed.iter().map(|listed| listed.task.id).collect()
    }

    #[test]
    fn a_summary_has_sums_and_the_slowest_tasks() {
        let mut document = document(10, Method::Symmetry);
        let count = document.tasks.len() as u32;
        document.tasks[2].total = 11;
        let found = summary(&document, None).unwrap();
        assert_eq!((found.count, found.largest.id), (count, 2));
        assert_eq!(found.seconds, f64::from(count * (count + 1) / 2));
        assert_eq!(found.median, f64::from(count / 2 + 1));
        let slowest: Vec<_> = (count - MAX_LISTED as u32..count).rev().collect();
        assert_eq!(ids(&found), slowest);
        // A task of the list is not listed twice, and an unknown one is left out.
        for chosen in [count - 1, count] {
            assert_eq!(ids(&summary(&document, Some(chosen)).unwrap()), slowest);
        }
        let chosen = summary(&document, Some(0)).unwrap();
        assert_eq!(ids(&chosen), [&slowest[..], &[0]].concat());
        document.tasks.clear();
        assert_eq!(summary(&document, None), None);
    }

    #[test]
    fn a_task_starts_with_the_queens_of_its_plan() {
        let document = document(8, Method::Symmetry);
        let plan = document.plan().plan();
        for ListedTask { task, start } in summary(&document, Some(7)).unwrap().listed {
            let queens: Vec<RowBits> = plan.queens(task.id as usize).unwrap().collect();
            let TaskStart::Queens(start) = start else { panic!("{start:?}") };
            assert_eq!(start.rows()[..queens.len()], queens[..]);
        }
    }

    #[test]
    fn a_task_of_the_colour_join_has_row_sets() {
        let document = document(9, Method::Colours);
        let plan = document.plan().plan();
        for ListedTask { task, start } in summary(&document, None).unwrap().listed {
            let sets = plan.expected_coverage(task.id as usize).unwrap().sets;
            assert_eq!(start, TaskStart::RowSets(sets));
        }
    }

    #[test]
    fn a_task_outside_of_the_plan_has_no_start() {
        for method in [Method::Colours, Method::Symmetry] {
            assert_eq!(start(document(9, method).plan(), 9999), TaskStart::Unknown);
        }
    }
}
