//! The summary of a document's tasks, and one task in detail.

use queens_core::{Event, PlanId, Queens, Square, Tracer};

use super::documents::StoredDocument;
use crate::{
    jobs::Job,
    protocol::{Answer, Cell, Task, TaskDetail, TaskStart, TaskSummary},
};

/// The largest number of cells. With more, the cells would be too small to point at.
const MAX_CELLS: usize = 400;
/// The largest number of outliers that are listed.
const MAX_LISTED: usize = 5;
/// The search for the start of a task gives up after this many steps, which take some seconds.
const MAX_STEPS: u64 = 1 << 27;

/// Summarizes the tasks; returns `None` for a document without tasks.
pub fn summary(tasks: &[Task]) -> Option<TaskSummary> {
    let mut times: Vec<f64> = tasks.iter().map(|task| task.seconds).collect();
    times.sort_by(f64::total_cmp);
    let median = *times.get(times.len() / 2)?;
    let outliers = outliers(tasks, &times);
    let listed = outliers.iter().take(MAX_LISTED).filter_map(|&index| tasks.get(index).copied());
    let per_cell = tasks.len().div_ceil(MAX_CELLS);
    Some(TaskSummary {
        count: tasks.len() as u32,
        last: tasks.iter().map(|task| task.id).max()?,
        seconds: times.iter().sum(),
        median,
        slowest: *tasks.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds))?,
        largest: *tasks.iter().max_by_key(|task| task.total)?,
        outliers: outliers.len() as u32,
        slowest_outliers: listed.collect(),
        cells: cells(tasks, per_cell, &outliers),
        per_cell: per_cell as u32,
    })
}

/// Returns the indices of the tasks that took far longer than most, the slowest first. The logarithms of their
/// times exceed the third quartile by more than three interquartile ranges (Tukey's outer fence). The times
/// themselves have a long tail: by them, up to a fifth of the tasks would be outliers. `times` are the times of the
/// tasks in ascending order.
fn outliers(tasks: &[Task], times: &[f64]) -> Vec<usize> {
    let [first, third] = [1, 3].map(|quartile| times[(times.len() - 1) * quartile / 4]);
    let fence = if first > 0.0 {
        third * (third / first).powi(3)
    } else {
        // A quarter of the times was too short to measure and has no logarithm.
        4.0 * third
    };
    let mut found: Vec<usize> =
        (0..tasks.len()).filter(|&index| tasks[index].seconds > fence).collect();
    found.sort_by(|&a, &b| tasks[b].seconds.total_cmp(&tasks[a].seconds));
    found
}

/// Groups the tasks, in their order, into cells of `per_cell` tasks each.
fn cells(tasks: &[Task], per_cell: usize, outliers: &[usize]) -> Vec<Cell> {
    let cells = tasks.chunks(per_cell).filter_map(|tasks| {
        Some(Cell {
            ids: [tasks.first()?.id, tasks.last()?.id],
            total: tasks.iter().fold(0, |sum, task| task.total.saturating_add(sum)),
            seconds: tasks.iter().map(|task| task.seconds).sum(),
            has_outlier: false,
            slowest: tasks.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds))?.id,
        })
    });
    let mut cells: Vec<Cell> = cells.collect();
    for outlier in outliers {
        if let Some(cell) = cells.get_mut(outlier / per_cell) {
            cell.has_outlier = true;
        }
    }
    cells
}

/// Describes a task, then looks for the step at which it starts.
pub struct Detail {
    detail: TaskDetail,
    search: Option<Search>,
}

/// A search for the start of a task.
struct Search {
    tracer: Tracer,
    /// The row at which tasks start.
    row: u32,
    /// The number of tasks that the search has yet to enter, including the requested one.
    remaining: u32,
}

impl Detail {
    pub fn new(document: &StoredDocument, id: u32) -> Detail {
        let task = document.tasks.iter().find(|task| task.id == id).copied();
        let start = start(document.plan(), id);
        let search = task.and_then(|_| Search::new(document.plan(), id));
        Detail { detail: TaskDetail { id, task, start, step: None }, search }
    }
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
    let pairs = plan.pairs(task as usize).unwrap_or_default();
    let Some(first) = pairs.first() else { return TaskStart::Unknown };
    let [even, odd] = [first.even_rows.rows(), first.odd_rows.first().copied().unwrap_or_default()];
    let has_white_queen = |row: &u32| [even, odd][*row as usize % 2] >> (row / 2) & 1 == 1;
    TaskStart::RowSets {
        count: pairs.iter().map(|pairs| pairs.odd_rows.len() as u32).sum(),
        first: (0..size.get()).filter(has_white_queen).collect(),
    }
}

impl Search {
    fn new(plan: PlanId, task: u32) -> Option<Search> {
        let method = plan.method.stepped()?;
        let queens = plan.plan().describe(task as usize)?.len();
        let tracer = Tracer::new(method, plan.size);
        Some(Search { tracer, row: queens as u32, remaining: task + 1 })
    }

    /// Does one step. Returns whether the task starts after the step, and whether the search has to stop
    /// because it has ended or done [`MAX_STEPS`] steps.
    fn forward(&mut self) -> (bool, bool) {
        let event = self.tracer.forward().map(|step| step.event);
        if event == Some(Event::Descend { row: self.row }) {
            self.remaining -= 1;
        }
        (self.remaining == 0, event.is_none() || self.tracer.steps() >= MAX_STEPS)
    }
}

impl Job for Detail {
    fn work(&mut self, steps: u32) -> bool {
        for _ in 0..steps {
            let Some(search) = &mut self.search else { break };
            let (is_start, is_last) = search.forward();
            if is_start {
                self.detail.step = Some(search.tracer.steps());
            }
            if is_start || is_last {
                self.search = None;
            }
        }
        self.search.is_some()
    }

    fn report(&mut self) -> Answer {
        Answer::TaskDetail(self.detail.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{
        Form, Method, Plan, RowBits, Size,
        document::{Document, PlanRef},
    };

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");

    /// Returns a document with all tasks of a plan, their true totals, and one millisecond each.
    fn document(n: u32, method: Method) -> StoredDocument {
        let size = Size::new(n).unwrap();
        let plan = Plan::new(size, method);
        let tasks = (0..plan.len()).map(|task| {
            let tally = plan.count(task, Form::Recursive).unwrap();
            Task { id: task as u32, total: tally.total().unwrap(), seconds: 0.001 }
        });
        let (tasks, mut header) = (tasks.collect(), Document::parse(EIGHT).unwrap().header);
        (header.n, header.method) = (size, method);
        header.plan = PlanRef::new(plan.len() as u32);
        StoredDocument { header, tasks }
    }

    fn detail(document: &StoredDocument, id: u32) -> TaskDetail {
        let mut job = Detail::new(document, id);
        while job.work(1000) {}
        let Answer::TaskDetail(detail) = job.report() else { panic!() };
        detail
    }

    /// Returns a task with ten solutions for each of these times, in seconds.
    fn tasks(times: impl IntoIterator<Item = f64>) -> Vec<Task> {
        let tasks = (0..).zip(times);
        tasks.map(|(id, seconds)| Task { id, total: 10, seconds }).collect()
    }

    #[test]
    fn a_summary_has_sums_and_extremes() {
        let mut tasks = tasks([1.0, 4.0, 2.0]);
        tasks[2].total = 11;
        let summary = summary(&tasks).unwrap();
        assert_eq!((summary.count, summary.last, summary.per_cell), (3, 2, 1));
        assert_eq!((summary.seconds, summary.median), (7.0, 2.0));
        assert_eq!((summary.slowest.id, summary.largest.id), (1, 2));
        assert_eq!(summary.cells.len(), 3);
        let cell = Cell { ids: [1, 1], total: 10, seconds: 4.0, has_outlier: false, slowest: 1 };
        assert_eq!(summary.cells[1], cell);
    }

    #[test]
    fn without_tasks_there_is_no_summary() {
        assert_eq!(summary(&[]), None);
    }

    #[test]
    fn many_tasks_share_cells_and_outliers_stay_visible() {
        let time = |id| if id == 2003 { 1.0 } else { 0.001 };
        let tasks = tasks((0..3000).map(time));
        let summary = summary(&tasks).unwrap();
        assert_eq!((summary.per_cell, summary.cells.len()), (8, 375));
        assert_eq!(summary.cells[374].ids, [2992, 2999]);
        assert_eq!((summary.outliers, &summary.slowest_outliers[..]), (1, &tasks[2003..2004]));
        let places = (0..375).filter(|&place| summary.cells[place].has_outlier);
        assert_eq!(places.collect::<Vec<_>>(), [250]);
        let cell = summary.cells[250];
        assert_eq!((cell.ids, cell.slowest), ([2000, 2007], 2003));
    }

    #[test]
    fn the_slowest_outliers_come_first() {
        let time = |id| if id % 100 == 0 { f64::from(id) } else { 0.001 };
        let summary = summary(&tasks((0..1000).map(time))).unwrap();
        let ids: Vec<_> = summary.slowest_outliers.iter().map(|task| task.id).collect();
        assert_eq!((summary.outliers, &ids[..]), (9, &[900, 800, 700, 600, 500][..]));
    }

    #[test]
    fn times_with_a_long_tail_are_not_outliers() {
        // A fifth of the tasks is beyond Tukey's outer fence of the times themselves.
        let time = |id| match id % 10 {
            0..4 => 0.001,
            4..8 => 0.003,
            _ => 0.02,
        };
        let with_outlier = |id| if id == 500 { 1.0 } else { time(id) };
        assert_eq!(summary(&tasks((0..1000).map(time))).unwrap().outliers, 0);
        assert_eq!(summary(&tasks((0..1000).map(with_outlier))).unwrap().outliers, 1);
    }

    #[test]
    fn a_task_links_to_the_start_of_its_search() {
        let (method, n) = (Method::Symmetry, 8);
        let document = document(n, method);
        let detail = detail(&document, 7);
        assert_eq!(detail.task, Some(document.tasks[7]));
        let mut tracer = Tracer::new(method.stepped().unwrap(), document.header.n);
        while tracer.steps() < detail.step.unwrap() {
            tracer.forward().unwrap();
        }
        let plan = document.plan().plan();
        let queens: Vec<RowBits> = plan.queens(7).unwrap().collect();
        assert_eq!(tracer.view().rows()[..queens.len()], queens[..]);
        let TaskStart::Queens(start) = detail.start else { panic!("{detail:?}") };
        assert_eq!(start.rows()[..queens.len()], queens[..]);
    }

    #[test]
    fn a_task_of_the_colour_join_has_row_sets() {
        let document = document(9, Method::Colours);
        let plan = document.plan().plan();
        for id in 0..plan.len() {
            let detail = detail(&document, id as u32);
            let TaskStart::RowSets { count, first } = &detail.start else { panic!("{detail:?}") };
            let sets = plan.expected_coverage(id).unwrap().sets;
            assert_eq!((*count, detail.step), (sets, None));
            // Even rows have one more white queen.
            let odd = first.iter().filter(|row| **row % 2 == 1).count();
            assert_eq!(first.len(), 2 * odd + 1, "{first:?}");
            assert!(first.iter().all(|row| *row < 9));
        }
    }

    #[test]
    fn a_task_that_does_not_exist_is_not_described() {
        let none = TaskDetail { id: 9999, task: None, start: TaskStart::Unknown, step: None };
        assert_eq!(detail(&document(9, Method::Colours), 9999), none);
        assert_eq!(detail(&document(8, Method::Symmetry), 9999), none);
    }
}
