//! The common tasks of two results, one by one: their order, the median of the ratios of their times, a picture
//! of one time against the other, and all of them as CSV.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use queens_core::words;
use serde::{Deserialize, Serialize};

use super::measured::median;
use super::scale::LogScale;

/// A task with its solutions and its times in two results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparedTask {
    pub id: u32,
    /// The number of solutions in each result.
    pub totals: [u64; 2],
    /// The times in seconds; 0 for less than the clock can measure.
    pub seconds: [f64; 2],
}

impl ComparedTask {
    /// Returns the second time divided by the first; `None` unless both were measured.
    pub fn ratio(&self) -> Option<f64> {
        let [first, second] = self.seconds;
        (first > 0.0 && second > 0.0).then(|| second / first)
    }

    /// Returns the second time minus the first, in seconds.
    pub fn gap(&self) -> f64 {
        self.seconds[1] - self.seconds[0]
    }
}

/// Returns whether the second of two results is the slower one. `sums` are the sums of the times of their tasks.
pub fn is_second_slower(sums: [f64; 2]) -> bool {
    sums[0] <= sums[1]
}

/// Returns the median of the ratios of all tasks that have one.
pub fn median_ratio(tasks: &[ComparedTask]) -> Option<f64> {
    median(tasks.iter().filter_map(ComparedTask::ratio).collect())
}

words! {
    /// A column of the table of tasks.
    #[derive(Serialize, Deserialize)]
    pub enum TaskColumn {
        /// The id of the task.
        Task = "task",
        /// The time in the first result.
        First = "first",
        /// The time in the second result.
        Second = "second",
        /// The second time minus the first.
        Gap = "gap",
        /// The second time divided by the first.
        Ratio = "ratio",
    }
}

/// The order of the table of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskOrder {
    pub by: TaskColumn,
    pub descending: bool,
}

impl TaskOrder {
    /// Returns the order that begins with the tasks that made the slower result slow. `sums` are the sums of
    /// the times in both results.
    pub fn by_extra_time(sums: [f64; 2]) -> TaskOrder {
        TaskOrder { by: TaskColumn::Gap, descending: is_second_slower(sums) }
    }

    /// Parses the order in an address. `None` without a valid column.
    pub fn parse(text: &str) -> Option<TaskOrder> {
        let (column, descending) = match text.strip_prefix('-') {
            Some(column) => (column, true),
            None => (text, false),
        };
        column.parse().ok().map(|by| TaskOrder { by, descending })
    }

    /// Returns the order as in addresses.
    pub fn text(self) -> String {
        [if self.descending { "-" } else { "" }, self.by.id()].concat()
    }

    /// Returns the order after a click on a column's head. The largest values come first, but the ids begin with
    /// the smallest; a second click on the same head reverses the order.
    pub fn after(self, by: TaskColumn) -> TaskOrder {
        let descending = if self.by == by { !self.descending } else { by != TaskColumn::Task };
        TaskOrder { by, descending }
    }

    /// Sorts tasks. Those without a ratio have the smallest one, and equal ones are in the order of their ids.
    pub fn sort(self, tasks: &mut [ComparedTask]) {
        let value = |task: &ComparedTask| match self.by {
            TaskColumn::Task => f64::from(task.id),
            TaskColumn::First => task.seconds[0],
            TaskColumn::Second => task.seconds[1],
            TaskColumn::Gap => task.gap(),
            TaskColumn::Ratio => task.ratio().unwrap_or_default(),
        };
        tasks.sort_unstable_by(|a, b| {
            let ascending = value(a).total_cmp(&value(b));
            let order: Ordering = if self.descending { ascending.reverse() } else { ascending };
            order.then(a.id.cmp(&b.id))
        });
    }
}

/// The number of cells on each side of the picture.
pub const PICTURE_CELLS: u32 = 60;

/// The times of tasks in the second result against those in the first. Near tasks share a cell, so that the
/// picture of any number of tasks is small.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimePicture {
    /// The scale of both axes.
    pub scale: LogScale,
    /// The cells with tasks.
    pub cells: Vec<PictureCell>,
}

/// A cell of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PictureCell {
    /// The number of the column from the left, and of the row from below.
    pub at: [u32; 2],
    /// The number of tasks.
    pub tasks: u32,
    /// The task whose times differ most.
    pub largest_gap: ComparedTask,
}

impl TimePicture {
    /// Returns the picture of all tasks with a time in both results; `None` without such tasks.
    pub fn new(tasks: &[ComparedTask]) -> Option<TimePicture> {
        let timed = || tasks.iter().filter(|task| task.ratio().is_some());
        timed().next()?;
        let scale = LogScale::around(timed().flat_map(|task| task.seconds));
        let cell = |seconds: f64| {
            let place = (scale.share(seconds) * f64::from(PICTURE_CELLS)).floor() as u32;
            place.min(PICTURE_CELLS - 1)
        };
        let mut cells = BTreeMap::new();
        for task in timed() {
            let at = task.seconds.map(cell);
            let cell = cells.entry(at).or_insert(PictureCell { at, tasks: 0, largest_gap: *task });
            cell.tasks += 1;
            if task.gap().abs() > cell.largest_gap.gap().abs() {
                cell.largest_gap = *task;
            }
        }
        Some(TimePicture { scale, cells: cells.into_values().collect() })
    }
}

/// The part of the extra time that [`main_tasks`] make up. The texts of the page state it as 90 %.
const MAIN_PART: f64 = 0.9;

/// Returns the smallest number of tasks that make up 90 % of the extra time: the time by which tasks took
/// longer in the slower result. Tasks that took longer in the other result do not count.
pub fn main_tasks(tasks: &[ComparedTask], is_second_slower: bool) -> u32 {
    let sign = if is_second_slower { 1.0 } else { -1.0 };
    let gaps = tasks.iter().map(|task| task.gap() * sign);
    let mut extra: Vec<f64> = gaps.filter(|&gap| gap > 0.0).collect();
    extra.sort_unstable_by(|a, b| b.total_cmp(a));
    let enough = extra.iter().sum::<f64>() * MAIN_PART;
    let mut sum = 0.0;
    let main = extra.iter().take_while(|&&gap| {
        let is_main = sum < enough;
        sum += gap;
        is_main
    });
    main.count() as u32
}

/// Writes a CSV line for each task, without the line of the headings.
pub fn task_lines(tasks: &[ComparedTask]) -> String {
    let mut csv = String::new();
    for task in tasks {
        let ComparedTask { id, totals: [a, b], seconds: [first, second] } = task;
        let ratio = task.ratio().map(|ratio| ratio.to_string()).unwrap_or_default();
        csv += &format!("{id},{a},{b},{first},{second},{ratio}\r\n");
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(id: u32, seconds: [f64; 2]) -> ComparedTask {
        ComparedTask { id, totals: [2, 2], seconds }
    }

    #[test]
    fn the_median_is_that_of_tasks_with_both_times() {
        let ratio = |seconds: &[[f64; 2]]| {
            let tasks: Vec<_> = (0..).zip(seconds).map(|(id, &both)| task(id, both)).collect();
            median_ratio(&tasks)
        };
        assert_eq!(ratio(&[]), None);
        assert_eq!(ratio(&[[0.0, 1.0], [1.0, 0.0]]), None);
        assert_eq!(ratio(&[[1.0, 3.0]]), Some(3.0));
        assert_eq!(ratio(&[[1.0, 3.0], [2.0, 1.0]]), Some(1.75));
        // One outlier does not change it.
        assert_eq!(ratio(&[[1.0, 500.0], [1.0, 2.0], [2.0, 2.0], [0.0, 9.0]]), Some(2.0));
    }

    #[test]
    fn tasks_are_sorted_by_every_column_and_then_by_id() {
        let tasks =
            [task(3, [1.0, 2.0]), task(1, [4.0, 2.0]), task(2, [0.0, 5.0]), task(0, [2.0, 4.0])];
        let ids = |text: &str| {
            let mut tasks = tasks;
            TaskOrder::parse(text).unwrap().sort(&mut tasks);
            tasks.map(|task| task.id)
        };
        assert_eq!(ids("-first"), [1, 0, 3, 2]);
        assert_eq!(ids("task"), [0, 1, 2, 3]);
        assert_eq!(ids("-task"), [3, 2, 1, 0]);
        assert_eq!(ids("first"), [2, 3, 0, 1]);
        assert_eq!(ids("-second"), [2, 0, 1, 3]);
        assert_eq!(ids("gap"), [1, 3, 0, 2]);
        // Tasks 0 and 3 have the same ratio.
        assert_eq!(ids("-ratio"), [0, 3, 1, 2]);
    }

    #[test]
    fn the_order_round_trips_through_the_address() {
        for by in TaskColumn::ALL {
            for descending in [false, true] {
                let order = TaskOrder { by, descending };
                assert_eq!(TaskOrder::parse(&order.text()), Some(order));
            }
        }
        for unknown in ["", "-", "no-such"] {
            assert_eq!(TaskOrder::parse(unknown), None);
        }
        let by_ratio = TaskOrder::by_extra_time([1.0, 2.0]).after(TaskColumn::Ratio);
        assert_eq!(by_ratio.text(), "-ratio");
        assert_eq!(by_ratio.after(TaskColumn::Ratio).text(), "ratio");
        assert_eq!(by_ratio.after(TaskColumn::Task).text(), "task");
        assert_eq!(by_ratio.after(TaskColumn::First).text(), "-first");
    }

    #[test]
    fn the_order_by_extra_time_begins_with_the_tasks_that_made_a_result_slow() {
        for (sums, first) in [([4.0, 9.0], 2), ([9.0, 4.0], 1)] {
            let mut tasks = [task(1, [4.0, 2.0]), task(2, [0.0, 7.0]), task(3, [1.0, 1.0])];
            TaskOrder::by_extra_time(sums).sort(&mut tasks);
            assert_eq!(tasks[0].id, first);
        }
    }

    #[test]
    fn tasks_of_equal_times_are_on_the_diagonal() {
        let tasks: Vec<_> = (1..=500).map(|id| task(id, [f64::from(id) * 0.001; 2])).collect();
        let picture = TimePicture::new(&tasks).unwrap();
        assert!(picture.cells.iter().all(|cell| cell.at[0] == cell.at[1]), "{picture:?}");
        assert_eq!(picture.cells.iter().map(|cell| cell.tasks).sum::<u32>(), 500);
        assert!(picture.cells.iter().all(|cell| cell.at[1] < PICTURE_CELLS), "{picture:?}");
        let slower = TimePicture::new(&[task(1, [0.001, 0.1])]).unwrap();
        assert!(slower.cells[0].at[1] > slower.cells[0].at[0], "{slower:?}");
        assert_eq!(TimePicture::new(&[task(1, [0.0, 0.1])]), None);
    }

    #[test]
    fn a_cell_names_the_task_whose_times_differ_most() {
        let tasks = [task(4, [1.0, 2.0]), task(7, [1.0, 2.01]), task(9, [1.0, 1.99])];
        let picture = TimePicture::new(&[&tasks[..], &[task(1, [1e-3, 1e-3])]].concat()).unwrap();
        let cell = picture.cells.iter().find(|cell| cell.tasks == 3).unwrap();
        assert_eq!(cell.largest_gap, tasks[1]);
    }

    #[test]
    fn few_tasks_make_up_most_of_the_extra_time() {
        let main = |is_second_slower, seconds: &[[f64; 2]]| {
            let tasks: Vec<_> = (0..).zip(seconds).map(|(id, &both)| task(id, both)).collect();
            main_tasks(&tasks, is_second_slower)
        };
        assert_eq!(main(false, &[]), 0);
        assert_eq!(main(true, &[[1.0, 1.0]]), 0);
        assert_eq!(main(true, &[[1.0, 3.0], [3.0, 1.0], [1.0, 12.0]]), 2);
        assert_eq!(main(false, &[[1.0, 2.0], [20.0, 1.0], [1.0, 1.5], [2.0, 1.5]]), 1);
        let even: Vec<_> = (0..100).map(|_| [2.0, 1.0]).collect();
        assert_eq!(main(false, &even), 90);
    }

    #[test]
    fn a_picture_of_many_tasks_has_few_cells() {
        let time = |id: u32, salt: u32| f64::from((id * salt) % 9_973 + 1) * 1e-5;
        let tasks: Vec<_> =
            (0..20_000).map(|id| task(id, [time(id, 7_919), time(id, 104_729)])).collect();
        let picture = TimePicture::new(&tasks).unwrap();
        assert!(picture.cells.len() <= (PICTURE_CELLS * PICTURE_CELLS) as usize);
        assert_eq!(picture.cells.iter().map(|cell| cell.tasks).sum::<u32>(), 20_000);
    }

    #[test]
    fn lines_have_both_results_and_the_ratio() {
        let tasks = [task(0, [0.5, 1.0]), task(1, [0.0, 2.0])];
        assert_eq!(task_lines(&tasks), "0,2,2,0.5,1,2\r\n1,2,2,0,2,\r\n");
    }
}
