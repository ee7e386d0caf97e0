//! A device for half-board matching that records its launches and may use wrong tables.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use anyhow::{Result, ensure};
use queens_gpu::DeviceError;
use queens_gpu::halves::{
    Device, HalfRecord, Halves, HalvesKernel, Launch, Limits, Pending, Shape, Tile,
};

/// How lists are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splitting {
    /// There is space for all leaves at once.
    Whole,
    /// Sometimes there is space for a single leaf only.
    LeafByLeaf,
    /// Some lists leave no space for their leaves and are compared without a split.
    Unsplit,
}

/// A board whose lists are split.
pub const SPLIT_BOARD: u32 = 8;

/// The number of placements per tile in these splits.
pub const SPLIT_TILE: u32 = 4;

/// Buffer sizes in elements, each with the expected way of splitting in all tasks.
pub const SPLIT_ROOMS: [(u32, Splitting); 3] =
    [(60, Splitting::Whole), (28, Splitting::LeafByLeaf), (8, Splitting::Unsplit)];

/// The recorded launches.
#[derive(Clone, Debug, Default)]
pub struct LaunchRecord {
    /// The range of leaves of each launch that filled leaves.
    leaves: Vec<Range<u32>>,
    /// The number of lists whose leaves were counted but not filled.
    unsplit: usize,
}

impl LaunchRecord {
    /// Checks that the lists were split as expected, with `all` leaves in total.
    pub fn check_splitting(&self, expected: Splitting, all: u32) -> Result<()> {
        let is_expected = match expected {
            Splitting::Whole => {
                self.unsplit == 0 && self.leaves.iter().all(|leaves| *leaves == (0..all))
            }
            Splitting::LeafByLeaf => self.leaves.iter().any(|leaves| leaves.len() == 1),
            Splitting::Unsplit => self.unsplit > 0,
        };
        ensure!(
            is_expected && !self.leaves.is_empty(),
            "expected {expected:?} with {all} leaves: {self:?}"
        );
        Ok(())
    }
}

/// A device with a record of its launches.
pub struct RecordingDevice {
    device: Box<dyn Device>,
    /// The tables that the device uses instead of the requested ones, if any.
    tables: Option<Halves>,
    record: Rc<RefCell<LaunchRecord>>,
    /// The halves of the tiles that were written last.
    tiles: BTreeSet<u32>,
    /// The halves of the current round whose leaves are counted but not yet filled.
    unfilled: BTreeSet<u32>,
}

impl RecordingDevice {
    /// Starts to record the launches of a device.
    pub fn new(device: Box<dyn Device>) -> RecordingDevice {
        let (tiles, unfilled) = (BTreeSet::new(), BTreeSet::new());
        RecordingDevice { device, tables: None, record: Rc::default(), tiles, unfilled }
    }

    /// Makes the device always use these tables.
    #[must_use]
    pub fn with_tables(self, tables: Halves) -> RecordingDevice {
        RecordingDevice { tables: Some(tables), ..self }
    }

    /// The shared record.
    pub fn record(&self) -> Rc<RefCell<LaunchRecord>> {
        Rc::clone(&self.record)
    }
}

impl Device for RecordingDevice {
    fn prepare<'a>(&'a mut self, halves: &'a Halves, shape: Shape) -> Pending<'a, ()> {
        self.device.prepare(self.tables.as_ref().unwrap_or(halves), shape)
    }

    fn limits(&self) -> Limits {
        self.device.limits()
    }

    fn clear(&mut self) -> Result<(), DeviceError> {
        self.device.clear()
    }

    fn write_halves(&mut self, halves: &[[HalfRecord; 2]]) -> Result<(), DeviceError> {
        self.device.write_halves(halves)
    }

    fn write_tiles(&mut self, tiles: &[Tile]) -> Result<(), DeviceError> {
        self.tiles = tiles.iter().map(|tile| tile.sum).collect();
        self.device.write_tiles(tiles)
    }

    fn run(&mut self, kernel: HalvesKernel, launch: Launch) -> Pending<'_, ()> {
        Box::pin(async move {
            if kernel == HalvesKernel::Split && launch.is_placing() {
                self.record.borrow_mut().leaves.push(launch.leaves());
                self.unfilled.retain(|half| !self.tiles.contains(half));
            } else if kernel == HalvesKernel::Split {
                self.unfilled.extend(&self.tiles);
            }
            self.device.run(kernel, launch).await
        })
    }

    fn bins(&mut self, words: Range<usize>) -> Pending<'_, Vec<u32>> {
        self.device.bins(words)
    }

    fn sums(&mut self, count: usize) -> Pending<'_, Vec<u64>> {
        Box::pin(async move {
            self.record.borrow_mut().unsplit += self.unfilled.len();
            self.unfilled.clear();
            self.device.sums(count).await
        })
    }

    fn room(&self) -> u64 {
        self.device.room()
    }

    fn memory(&self) -> [usize; 2] {
        self.device.memory()
    }

    fn make_room(&mut self, elements: u64) -> Pending<'_, Result<(), DeviceError>> {
        self.device.make_room(elements)
    }
}
