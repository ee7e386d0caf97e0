//! The start of a task's search, as the kernels read it.

use queens_core::{Plan, Prefix};

use crate::DeviceError;

/// The record of one start: an array of 32-bit words with the same layout for all kernels. `README.md`
/// lists the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Root([u32; Root::WORDS]);

impl Root {
    /// The number of words in a record.
    pub const WORDS: usize = 16;

    /// Indices of the words that the methods below return.
    const ROWS: usize = 3;
    const SLOT: usize = 13;
    const SIZE: usize = 15;

    /// Creates the record of a prefix (the first queens of a task). Its solutions are added to the
    /// tally with the index `slot`. Returns `None` for a prefix without masks.
    pub fn new(start: &Prefix, slot: u32) -> Option<Root> {
        let masks = start.masks()?;
        let attacks = start.attacks();
        let mut columns = [0; 8];
        for (entry, &column) in columns.iter_mut().zip(start.columns_from_right()) {
            *entry = column;
        }
        let [a, b, c, d, e, f, g, h] = columns;
        let mut words = [
            attacks.left.bits(),
            attacks.down.bits(),
            attacks.right.bits(),
            0,
            masks.bound1,
            masks.bound2,
            masks.sidemask.bits(),
            masks.lastmask.bits(),
            masks.topbit.bits(),
            masks.endbit.bits(),
            u32::from(masks.is_corner()),
            u32::from_le_bytes([a, b, c, d]),
            u32::from_le_bytes([e, f, g, h]),
            0,
            masks.mask.bits(),
            0,
        ];
        words[Root::ROWS] = start.columns_from_right().len() as u32;
        words[Root::SLOT] = slot;
        words[Root::SIZE] = start.size().get();
        Some(Root(words))
    }

    /// Creates the records of some tasks. The slot of a task is its index in `tasks`.
    ///
    /// # Errors
    /// [`DeviceError`] if a task does not exist or has no starts, or if a start has no masks.
    pub fn of_tasks(plan: &Plan, tasks: &[usize]) -> Result<Vec<Root>, DeviceError> {
        let mut roots = Vec::with_capacity(tasks.len());
        for (slot, &task) in (0..).zip(tasks) {
            let starts = plan.starts(task);
            if starts.is_empty() {
                return Err(DeviceError::new(format!("task {task} has no start")));
            }
            for start in &starts {
                let missing = || DeviceError::new(format!("task {task} has a start without masks"));
                roots.push(Root::new(start, slot).ok_or_else(missing)?);
            }
        }
        Ok(roots)
    }

    /// Returns the size of the board.
    pub fn size(&self) -> u32 {
        self.0[Root::SIZE]
    }

    /// Returns the number of placed queens.
    pub fn rows(&self) -> u32 {
        self.0[Root::ROWS]
    }

    /// Returns the number of queens that are still to be placed.
    pub fn open(&self) -> u32 {
        self.size().saturating_sub(self.rows())
    }

    /// Returns the words of the record.
    pub fn words(&self) -> &[u32; Root::WORDS] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Method, Size};

    #[test]
    fn roots_hold_the_start_and_the_slot_of_their_task() {
        let plan = Plan::new(Size::new(9).unwrap(), Method::Symmetry);
        let tasks: Vec<usize> = (0..plan.len()).rev().collect();
        let roots = Root::of_tasks(&plan, &tasks).unwrap();
        assert!(roots.len() >= tasks.len());
        for root in roots {
            let slot = root.words()[Root::SLOT];
            let starts = plan.starts(tasks[slot as usize]);
            assert!(starts.iter().any(|start| Root::new(start, slot) == Some(root)));
            assert_eq!((root.size(), root.rows() + root.open()), (9, 9));
        }
    }

    #[test]
    fn rejects_tasks_without_starts_or_masks() {
        let size = Size::new(9).unwrap();
        let error = |method, tasks: &[usize]| {
            Root::of_tasks(&Plan::new(size, method), tasks).unwrap_err().to_string()
        };
        assert_eq!(error(Method::Bitmap, &[0]), "task 0 has a start without masks");
        assert_eq!(error(Method::Colours, &[3]), "task 3 has no start");
        assert_eq!(error(Method::Symmetry, &[9999]), "task 9999 has no start");
    }
}
