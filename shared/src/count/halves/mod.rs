//! Half-board matching: counting without visiting every solution.
#![doc = include_str!("README.md")]

mod columns;
mod isa;
mod lists;
mod matching;
mod portable;
mod sliced;
mod strips;
mod vector;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(target_arch = "wasm32")]
mod simd128;

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::fmt;

pub(crate) use columns::golden_stride;
pub use columns::{ColumnSets, Columns};
pub use isa::{InstructionSet, Isa};

use crate::Size;
use lists::Lister;
use matching::Matcher;
use strips::{Line, Strips};
use vector::{Machine, first};

/// Counts the solutions of one choice of columns after another, on one thread.
pub struct Counter {
    isa: Isa,
    size: Size,
    strips: Arc<Strips>,
    board: Box<dyn Count + Send + Sync>,
}

impl Counter {
    /// A counter for this board. Its tables take some milliseconds to fill; clones share them.
    pub fn new(size: Size, isa: Isa) -> Counter {
        Counter { isa, size, strips: Arc::new(Strips::new(size)), board: board(isa) }
    }

    /// The number of solutions with these columns, not multiplied by the weight.
    pub fn count(&mut self, sets: &ColumnSets) -> u64 {
        self.board.count(self.size, &self.strips, sets)
    }

    /// The memory of the tables that all clones share, and of the lists so far, in bytes.
    pub fn memory(&self) -> (usize, usize) {
        (self.strips.bytes(), self.board.bytes())
    }
}

impl Clone for Counter {
    fn clone(&self) -> Counter {
        Counter { strips: Arc::clone(&self.strips), board: board(self.isa), ..*self }
    }
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counter").field("isa", &self.isa).field("size", &self.size).finish()
    }
}

fn board(isa: Isa) -> Box<dyn Count + Send + Sync> {
    match isa.set() {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx512 => {
            // SAFETY: whoever made the `Isa` has vouched for the machine.
            #[allow(unsafe_code, reason = "see above")]
            Box::new(Board::new(unsafe { avx512::Avx512::assume() }))
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx2 => {
            // SAFETY: as above.
            #[allow(unsafe_code, reason = "see above")]
            Box::new(Board::new(unsafe { avx2::Avx2::assume() }))
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        InstructionSet::Neon => Box::new(Board::new(neon::Neon)),
        #[cfg(target_arch = "wasm32")]
        InstructionSet::Simd128 => Box::new(Board::new(simd128::Simd128)),
        _ => Box::new(Board::new(portable::Portable)),
    }
}

trait Count {
    fn count(&mut self, size: Size, strips: &Strips, sets: &ColumnSets) -> u64;

    /// The memory taken so far.
    fn bytes(&self) -> usize;
}

struct Board<M: Machine> {
    machine: M,
    lister: Lister,
    top: Vec<u64>,
    bottom: Vec<u64>,
    matcher: Matcher<M>,
}

impl<M: Machine> Board<M> {
    fn new(machine: M) -> Board<M> {
        Board {
            machine,
            lister: Lister::new(),
            top: Vec::new(),
            bottom: Vec::new(),
            matcher: Matcher::new(machine),
        }
    }
}

impl<M: Machine> Count for Board<M> {
    fn count(&mut self, size: Size, strips: &Strips, sets: &ColumnSets) -> u64 {
        let Board { machine, lister, top, bottom, matcher } = self;
        let closed = sets.middle.map_or(0, |column| Line::middle(size).attacked_from(column));
        let tops = lister.fill(*machine, strips, sets.top, closed, top);
        let bottoms = lister.fill(*machine, strips, sets.bottom, closed, bottom);
        let (top, bottom) = (first(top, tops), first(bottom, bottoms));
        lists::exchange(bottom);
        matcher.pairs(top, bottom)
    }

    fn bytes(&self) -> usize {
        size_of_val(self)
            + 8 * (self.top.capacity() + self.bottom.capacity())
            + self.lister.bytes()
            + self.matcher.bytes()
    }
}
