//! The common tasks of two results, one by one: the median of the ratios of their times, and a picture of one time
//! against the other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::measured::median;
use crate::scale::LogScale;

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

/// Returns the median of the ratios of all tasks that have one.
pub fn median_ratio(tasks: &[ComparedTask]) -> Option<f64> {
    median(tasks.iter().filter_map(ComparedTask::ratio).collect())
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
            cells.entry(at).or_insert(PictureCell { at, tasks: 0 }).tasks += 1;
        }
        Some(TimePicture { scale, cells: cells.into_values().collect() })
    }
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
    fn a_picture_of_many_tasks_has_few_cells() {
        let time = |id: u32, salt: u32| f64::from((id * salt) % 9_973 + 1) * 1e-5;
        let tasks: Vec<_> =
            (0..20_000).map(|id| task(id, [time(id, 7_919), time(id, 104_729)])).collect();
        let picture = TimePicture::new(&tasks).unwrap();
        assert!(picture.cells.len() <= (PICTURE_CELLS * PICTURE_CELLS) as usize);
        assert_eq!(picture.cells.iter().map(|cell| cell.tasks).sum::<u32>(), 20_000);
    }
}
