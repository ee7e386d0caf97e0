//! Colour join on a GPU.
//!
//! A GPU counts the triples (A, C, A') of a batch of tasks. Launches are ranges of triples, so that no launch
//! takes long, and the sums of a task are added up on the GPU.

use queens_core::{Plan, Tally};

use crate::{
    DeviceError, Launches, SUMS, Triples,
    device::{Device, numbers},
    recount::check_coverage,
};

/// A command queue, whose memory is allocated for each batch.
pub struct JoinQueue<D: Device> {
    device: D,
    /// The GPU memory of the last batch in words.
    words: usize,
}

impl<D: Device> JoinQueue<D> {
    /// Creates a queue.
    pub fn new(device: D) -> JoinQueue<D> {
        JoinQueue { device, words: 0 }
    }

    /// Returns the GPU memory of the last batch in bytes.
    pub fn memory(&self) -> usize {
        self.words * size_of::<u32>()
    }

    /// Counts tasks, those with equally many queens at a time. Returns their tallies in the same order, or `None`
    /// if the count was stopped.
    ///
    /// # Errors
    /// [`DeviceError`] if there is not enough memory, or the device failed or has not counted everything.
    pub async fn count(
        &mut self,
        plan: &Plan,
        tasks: &[usize],
        mut launches: Launches<'_>,
    ) -> Result<Option<Vec<Tally>>, DeviceError> {
        let mut tallies = Vec::with_capacity(tasks.len());
        for triples in Triples::of_tasks(plan, tasks)? {
            let no_sums = vec![0; triples.tasks() * 2 * SUMS];
            self.words = triples.pairs.len() + triples.tables.len() + no_sums.len();
            let pairs = self.with_words(&triples.pairs).await?;
            let tables = self.with_words(&triples.tables).await?;
            let sums = self.with_words(&no_sums).await?;
            let mut begin = 0;
            while begin < triples.len() {
                if launches.is_stopped() {
                    return Ok(None);
                }
                let end = begin.saturating_add(launches.size()).min(triples.len());
                let start = launches.now();
                self.device.join(&triples, [&pairs, &tables, &sums], begin..end).await?;
                launches.learn((end - begin) as usize, start);
                begin = end;
            }
            let sums = self.device.read(&sums, no_sums.len()).await?;
            tallies.extend(triples.tallies(numbers(&sums).as_chunks().0));
        }
        for (&task, tally) in tasks.iter().zip(&tallies) {
            check_coverage(plan, task, tally)?;
        }
        Ok(Some(tallies))
    }

    /// Allocates a buffer and writes words to it.
    async fn with_words(&mut self, words: &[u32]) -> Result<D::Buffer, DeviceError> {
        let buffer = self.device.allocate(words.len()).await?;
        self.device.write(&buffer, words)?;
        Ok(buffer)
    }
}
