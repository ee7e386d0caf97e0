//! Half-board matching: counting without visiting every solution.
#![doc = include_str!("README.md")]

// Before the files that use its macro.
#[cfg(test)]
#[macro_use]
mod primitives;

mod board;
mod centred;
mod columns;
mod divisions;
// Boards that are small enough for Miri do not show a wrong lane.
#[cfg(all(test, not(miri)))]
mod faulty;
mod isa;
mod joining;
mod line;
mod lists;
mod matching;
mod placements;
mod portable;
mod several;
mod sliced;
mod splits;
mod strip;
mod strips;
mod table;
mod tables;
mod vector;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(target_arch = "wasm32")]
mod simd128;

use alloc::{boxed::Box, sync::Arc};
use core::fmt;

pub use columns::{ColumnSets, Columns, Symmetries};
pub(crate) use columns::{choices, golden_stride};
pub use isa::{InstructionSet, Isa};
pub use splits::{Enter, Node, Splits};
pub use tables::Tables;

use crate::{Attacks, Size};
use board::{Board, Count, Half};
use line::attacked;
use lists::BothHalves;

/// Counts the solutions of one choice of columns after another, on one thread.
pub struct Counter {
    isa: Isa,
    size: Size,
    strips: Arc<BothHalves>,
    board: Box<dyn Count + Send + Sync>,
}

impl Counter {
    /// A counter for this board. Its tables take some milliseconds to fill; clones share them. `None`
    /// if the board has more than [`Size::MAX_COUNTED`] rows.
    pub fn new(size: Size, isa: Isa) -> Option<Counter> {
        if size.get() > Size::MAX_COUNTED {
            return None;
        }
        let strips = Arc::new(BothHalves::new(size));
        Some(Counter { isa, size, strips, board: board(isa) })
    }

    /// The solutions with these columns, each as often as the [`Symmetries`] say, not multiplied
    /// by the sets' weight: 0 if they are not columns of the two halves of this board.
    pub fn count(&mut self, sets: &ColumnSets) -> u64 {
        self.count_part(sets, Attacks::NONE)
    }

    /// Those of them whose upper half attacks none of the squares `spared` in the row below it, along
    /// its diagonals; the columns of `spared` do not matter.
    pub fn count_part(&mut self, sets: &ColumnSets, spared: Attacks) -> u64 {
        let Counter { size, ref strips, .. } = *self;
        if !sets.share_out(size) {
            return 0;
        }
        self.board.count(Half { size, strips }, sets, attacked(size, spared))
    }

    /// A part of what [`count`](Counter::count) would say, and how many such parts there are: they
    /// take about as long and have about as many solutions each. Any number chooses one of them.
    /// `begin` is called when it is known what the parts are, which all of them have in common; not if
    /// there is only one.
    pub fn glimpse(
        &mut self,
        sets: &ColumnSets,
        part: usize,
        mut begin: impl FnMut(),
    ) -> (u64, usize) {
        let Counter { size, ref strips, .. } = *self;
        if !sets.share_out(size) {
            return (0, 1);
        }
        self.board.glimpse(Half { size, strips }, sets, part, &mut begin)
    }

    /// About what [`count`](Counter::count) would say, from a part of each half's placements. On
    /// boards of 22 rows and more that is off by a tenth or two, for a tenth of the time at N = 22 and
    /// less than a hundredth from 26 on; up to N = 12 it is exact, and no part.
    pub fn survey(&mut self, sets: &ColumnSets) -> f64 {
        let Counter { size, ref strips, .. } = *self;
        if !sets.share_out(size) {
            return 0.0;
        }
        self.board.survey(Half { size, strips }, sets)
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
            #[allow(unsafe_code, reason = "only the caller can know the machine")]
            // SAFETY: whoever made the `Isa` has vouched for the machine.
            let machine = unsafe { avx512::Avx512::assume() };
            Box::new(Board::new(machine))
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx2 if isa.extracts() => {
            #[allow(unsafe_code, reason = "only the caller can know the machine")]
            // SAFETY: whoever made the `Isa` has vouched for the machine.
            let machine = unsafe { avx2::Avx2::<true>::assume() };
            Box::new(Board::new(machine))
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx2 => {
            #[allow(unsafe_code, reason = "only the caller can know the machine")]
            // SAFETY: whoever made the `Isa` has vouched for the machine.
            let machine = unsafe { avx2::Avx2::<false>::assume() };
            Box::new(Board::new(machine))
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        InstructionSet::Neon => Box::new(Board::new(neon::Neon)),
        #[cfg(target_arch = "wasm32")]
        InstructionSet::Simd128 => Box::new(Board::new(simd128::Simd128)),
        _ => Box::new(Board::new(portable::Portable)),
    }
}
