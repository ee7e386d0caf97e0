//! Command queue for the colour join.

use std::{ops::Range, sync::Arc};

use wgpu::{BindGroup, Buffer, BufferUsages};

use super::{
    buffers::{ANSWER, READABLE, STORAGE, make},
    commands::{bytes, launch, to_bytes},
    connection::Connection,
};
use crate::{DeviceError, SUMS, Triples};

/// The kernel's source.
pub(super) const SOURCE: &str = include_str!("../../colours.wgsl");

/// The number of words in the parameters of a launch.
const LAUNCH_WORDS: usize = 5;

/// The number of words before the sums: the number of unfinished invocations.
const HEAD: usize = 1;

/// The number of words for the sums of a task, two for each.
const SLOT_WORDS: usize = 2 * SUMS;

/// One caller's commands to a device, with a sum for each task of a batch.
#[derive(Debug)]
pub struct WgpuJoinQueue {
    connection: Arc<Connection>,
    batch: Option<Batch>,
}

/// The buffers of a batch.
#[derive(Debug)]
struct Batch {
    launch: Buffer,
    pairs: Buffer,
    tables: Buffer,
    sums: Buffer,
    /// The buffer that the host can map.
    answer: Buffer,
    /// The buffers, bound to the kernel.
    group: BindGroup,
    /// The parameters of a launch, of which the last one is the first triple.
    parameters: [u32; LAUNCH_WORDS],
    tasks: usize,
}

impl WgpuJoinQueue {
    /// Creates a queue. Several queues may share a connection.
    pub fn new(connection: impl Into<Arc<Connection>>) -> WgpuJoinQueue {
        WgpuJoinQueue { connection: connection.into(), batch: None }
    }

    /// Returns the bytes of device memory that the queue uses.
    pub fn memory(&self) -> usize {
        let buffers = |Batch { launch, pairs, tables, sums, .. }: &Batch| {
            [launch, pairs, tables, sums].map(|buffer| buffer.size() as usize).iter().sum()
        };
        self.batch.as_ref().map_or(0, buffers)
    }

    /// Returns the largest number of triples per launch.
    pub fn largest_launch(&self) -> usize {
        self.connection.sizes.workgroups as usize
    }

    /// Begins a batch: writes its triples to the device and clears the sums of its tasks.
    ///
    /// # Errors
    /// [`DeviceError`] if there is not enough memory, or the device failed.
    pub async fn begin(&mut self, triples: &Triples) -> Result<(), DeviceError> {
        // The old buffers are freed first.
        self.batch = None;
        let connection = &*self.connection;
        let kernel = connection.colours().await?;
        let tasks = triples.tasks();
        let sums = HEAD + SLOT_WORDS * tasks;
        let uniform = BufferUsages::UNIFORM.union(BufferUsages::COPY_DST);
        let launch = make(connection, "launch", LAUNCH_WORDS, uniform).await?;
        let pairs = make(connection, "pairs", triples.pairs.len(), STORAGE).await?;
        let tables = make(connection, "tables", triples.tables.len(), STORAGE).await?;
        // A new buffer is zero.
        let sums = make(connection, "sums", sums, READABLE).await?;
        let answer = make(connection, "answer", HEAD + SLOT_WORDS * tasks, ANSWER).await?;
        connection.queue.write_buffer(&pairs, 0, &to_bytes(&triples.pairs));
        connection.queue.write_buffer(&tables, 0, &to_bytes(&triples.tables));
        let bindings = [(0, &launch), (1, &pairs), (2, &tables), (3, &sums)];
        let group = connection.bind(kernel, &bindings);
        let Triples { sets, even, odd, cells, .. } = *triples;
        let parameters = [sets, even, odd, cells, 0];
        self.batch = Some(Batch { launch, pairs, tables, sums, answer, group, parameters, tasks });
        Ok(())
    }

    /// Counts a range of the batch's triples, at most [`largest_launch`](WgpuJoinQueue::largest_launch).
    ///
    /// # Errors
    /// [`DeviceError`] if the device failed, or did not finish the launch.
    pub async fn count(&mut self, range: Range<u32>) -> Result<(), DeviceError> {
        let connection = &*self.connection;
        let Some(batch) = &self.batch else { return Err(DeviceError::new("no batch has begun")) };
        let [sets, even, odd, cells, _] = batch.parameters;
        let parameters = to_bytes(&[sets, even, odd, cells, range.start]);
        connection.queue.write_buffer(&batch.launch, 0, &parameters);
        let mut commands = connection.commands();
        launch(&mut commands, connection.colours().await?, &batch.group, range.len() as u32);
        let Batch { sums, answer, .. } = batch;
        match connection.read(commands, (sums, 0), HEAD, answer).await?.first() {
            Some(0) => Ok(()),
            _ => Err(DeviceError::new("the driver ended a launch before it was finished")),
        }
    }

    /// Returns the sums of each task.
    ///
    /// # Errors
    /// [`DeviceError`] if the device failed.
    pub async fn sums(&mut self) -> Result<Vec<[u64; SUMS]>, DeviceError> {
        let Some(Batch { sums, answer, tasks, .. }) = &self.batch else { return Ok(Vec::new()) };
        let commands = self.connection.commands();
        let words = SLOT_WORDS * tasks;
        let words = self.connection.read(commands, (sums, bytes(HEAD)), words, answer).await?;
        let sum = |&[low, high]: &[u32; 2]| u64::from(high) << 32 | u64::from(low);
        let sums: Vec<u64> = words.as_chunks().0.iter().map(sum).collect();
        Ok(sums.as_chunks().0.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        NUMBERS, PAIR_WORDS,
        wgpu::source::{buffers, constant, module, record},
    };

    #[test]
    fn constants_and_records_match_the_source() {
        let module = module(SOURCE);
        assert_eq!(record(&module, "Pair").0 as usize, 4 * PAIR_WORDS);
        assert_eq!(record(&module, "Launch").0 as usize, 4 * LAUNCH_WORDS);
        let (_, sums) = record(&module, "Sums");
        assert_eq!(sums.last().map(|(_, offset)| *offset as usize), Some(4 * HEAD));
        assert_eq!(constant(&module, "NUMBERS") as usize, NUMBERS);
        assert_eq!(constant(&module, "SUMS") as usize, SUMS);
        let names = ["launch", "pairs", "tables", "sums"].map(str::to_owned);
        assert_eq!(buffers(&module), (0..).zip(names).collect::<Vec<_>>());
    }
}
