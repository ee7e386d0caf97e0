//! Runs the meet-in-the-middle kernels on the CPU, as a `Device`.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use queens_gpu::DeviceError;
use queens_gpu::cuda::{self, TABLE_BYTES};
use queens_gpu::halves::{
    Device, HalfRecord, Halves, HalvesKernel, Launch, Limits, Pending, ROUND, Shape, Tile,
};

use super::{Kernels, device_error, pointer_to};

/// Which lengths the device reports incorrectly, to test the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongLengths {
    /// The length of each list is one too small, but not below the number of the placements with the
    /// columns' key, which come first in the list.
    Lists,
    /// The length of each list's last non-empty leaf is one too small.
    Leaves,
}

/// A `Device` that runs the kernels on the CPU, with the given limits.
pub struct PairsOnCpu {
    kernels: Arc<Kernels>,
    limits: Limits,
    shape: Option<Shape>,
    /// The lengths that the device reports incorrectly, if any.
    pub wrong_lengths: Option<WrongLengths>,
    /// The simulated device memory, in list elements. Larger requests fail, whatever `limits` says.
    pub memory: u64,
    /// The requested buffer sizes in elements, in order.
    pub requested: Rc<RefCell<Vec<u64>>>,
    /// The number of leaves of the split tree.
    leaves: usize,
    /// Whether the last kernel other than `AddUp` was `Split`. If so, the words in `bins` belong to
    /// leaves instead of lists.
    is_split: bool,
    index: Vec<u32>,
    /// The placements as 128-bit words, because the kernels require that alignment.
    placements: Vec<u128>,
    halves: Vec<u32>,
    bins: Vec<u32>,
    elements: Vec<u64>,
    tiles: Vec<u32>,
    sums: Vec<u64>,
}

impl PairsOnCpu {
    /// Creates a device with these limits.
    pub fn new(kernels: &Arc<Kernels>, limits: Limits) -> PairsOnCpu {
        PairsOnCpu {
            kernels: Arc::clone(kernels),
            limits,
            shape: None,
            wrong_lengths: None,
            memory: u64::MAX,
            requested: Rc::default(),
            leaves: 0,
            is_split: false,
            index: vec![],
            placements: vec![],
            halves: vec![],
            bins: vec![],
            elements: vec![],
            tiles: vec![],
            sums: vec![],
        }
    }
}

/// Fills new buffers, because memory of a real device is not cleared.
const UNINITIALIZED: u64 = 0xa5a5_a5a5_a5a5_a5a5;

impl Device for PairsOnCpu {
    fn prepare<'a>(&'a mut self, halves: &'a Halves, shape: Shape) -> Pending<'a, ()> {
        Box::pin(async move {
            self.shape = Some(shape);
            self.leaves = halves.splits.leaves() as usize;
            self.index = Shape::index(&halves.tables, &halves.splits);
            let joined = |words: &[u32; 4]| {
                words.iter().rev().fold(0, |all, &word| all << 32 | u128::from(word))
            };
            self.placements = halves.tables.placements.iter().map(joined).collect();
            self.bins = vec![UNINITIALIZED as u32; shape.bins(2 * ROUND)];
            self.sums = vec![UNINITIALIZED; Halves::SUMS * ROUND];
            Ok(())
        })
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn clear(&mut self) -> Result<(), DeviceError> {
        self.bins.fill(0);
        self.sums.fill(0);
        Ok(())
    }

    fn write_halves(&mut self, halves: &[[HalfRecord; 2]]) -> Result<(), DeviceError> {
        self.halves = halves.as_flattened().iter().flat_map(HalfRecord::words).copied().collect();
        Ok(())
    }

    fn write_tiles(&mut self, tiles: &[Tile]) -> Result<(), DeviceError> {
        self.tiles = tiles.iter().flat_map(Tile::words).collect();
        Ok(())
    }

    fn run(&mut self, kernel: HalvesKernel, launch: Launch) -> Pending<'_, ()> {
        Box::pin(async move {
            if kernel != HalvesKernel::AddUp {
                self.is_split = kernel == HalvesKernel::Split;
            }
            let diagonals = self.shape.map_or(0, |shape| shape.diagonals);
            let pairs = cuda::pairs(diagonals);
            let (name, groups) = pairs.ok_or_else(|| DeviceError::new("too many diagonals"))?;
            let mut words = launch.words();
            let (mut halves, mut index) = (self.halves.as_ptr(), self.index.as_ptr());
            let (mut placements, mut bins) = (self.placements.as_ptr(), self.bins.as_mut_ptr());
            let (mut elements, mut tiles) = (self.elements.as_mut_ptr(), self.tiles.as_ptr());
            let mut sums = self.sums.as_mut_ptr();
            let launch_at = pointer_to(&mut words);
            let mut arguments = match kernel {
                HalvesKernel::Join => vec![
                    launch_at,
                    pointer_to(&mut halves),
                    pointer_to(&mut index),
                    pointer_to(&mut placements),
                    pointer_to(&mut bins),
                    pointer_to(&mut elements),
                ],
                HalvesKernel::AddUp => vec![launch_at, pointer_to(&mut bins)],
                HalvesKernel::Split => {
                    vec![
                        launch_at,
                        pointer_to(&mut index),
                        pointer_to(&mut tiles),
                        pointer_to(&mut bins),
                        pointer_to(&mut elements),
                    ]
                }
                HalvesKernel::Pairs => {
                    vec![
                        launch_at,
                        pointer_to(&mut elements),
                        pointer_to(&mut tiles),
                        pointer_to(&mut sums),
                    ]
                }
            };
            let (name, shared) = match kernel {
                HalvesKernel::Join => ("join", 0),
                HalvesKernel::AddUp => ("add_up", 0),
                HalvesKernel::Split => ("split", 0),
                HalvesKernel::Pairs => (name.to_str().unwrap_or_default(), groups * TABLE_BYTES),
            };
            let shape = (launch.workgroups(), self.limits.lanes, shared);
            self.kernels
                .launch(name, &mut arguments, shape, false)
                .map_err(|error| device_error(&error))
        })
    }

    fn bins(&mut self, words: Range<usize>) -> Pending<'_, Vec<u32>> {
        Box::pin(async move {
            let bins = self.bins.get(words).map(<[u32]>::to_vec);
            let mut bins = bins.ok_or_else(|| DeviceError::new("bins out of range"))?;
            match self.wrong_lengths {
                Some(WrongLengths::Lists) if !self.is_split => {
                    // The words are pairs like `Lengths { same, all }`; `all` must not become less
                    // than `same`.
                    for [same, all] in bins.as_chunks_mut().0 {
                        *all = (*all).max(*same + 1) - 1;
                    }
                }
                Some(WrongLengths::Leaves) if self.is_split => {
                    for leaves in bins.chunks_exact_mut(self.leaves + 1) {
                        let end = leaves.last().copied().unwrap_or_default();
                        let ends = leaves.iter_mut().filter(|start| end > 0 && **start == end);
                        ends.for_each(|start| *start -= 1);
                    }
                }
                _ => {}
            }
            Ok(bins)
        })
    }

    fn sums(&mut self, count: usize) -> Pending<'_, Vec<u64>> {
        Box::pin(async move { Ok(self.sums.iter().take(count).copied().collect()) })
    }

    fn room(&self) -> u64 {
        self.elements.len() as u64
    }

    fn memory(&self) -> [usize; 2] {
        [0, 8 * self.elements.len()]
    }

    fn make_room(&mut self, elements: u64) -> Pending<'_, Result<(), DeviceError>> {
        Box::pin(async move {
            self.requested.borrow_mut().push(elements);
            // The old buffer is dropped first, as on a GPU without memory for both buffers.
            self.elements = vec![UNINITIALIZED; 1];
            if elements > self.memory {
                return Ok(Err(DeviceError::new(format!("no memory for {elements} elements"))));
            }
            self.elements = vec![UNINITIALIZED; elements as usize];
            Ok(Ok(()))
        })
    }
}
