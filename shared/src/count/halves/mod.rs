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
pub use columns::{ColumnSets, Columns, Symmetries};
pub use isa::{InstructionSet, Isa};

use crate::Size;
use lists::{Lister, Lists};
use matching::Matcher;
use strips::{Line, Strips};
use vector::Machine;

/// Counts the solutions of one choice of columns after another, on one thread.
pub struct Counter {
    isa: Isa,
    size: Size,
    symmetries: Symmetries,
    strips: Arc<Strips>,
    board: Box<dyn Count + Send + Sync>,
}

impl Counter {
    /// A counter for this board. Its tables take some milliseconds to fill; clones share them.
    pub fn new(size: Size, symmetries: Symmetries, isa: Isa) -> Counter {
        let strips = Arc::new(Strips::new(size));
        Counter { isa, size, symmetries, strips, board: board(isa) }
    }

    /// The solutions with these columns, each as often as the [`Symmetries`] say, not multiplied
    /// by the sets' weight.
    pub fn count(&mut self, sets: &ColumnSets) -> u64 {
        let Counter { size, symmetries, ref strips, .. } = *self;
        self.board.count(Half { size, symmetries, strips }, sets)
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

/// What the placements of a half are made of, and which of them count.
struct Half<'a> {
    size: Size,
    symmetries: Symmetries,
    strips: &'a Strips,
}

trait Count {
    fn count(&mut self, half: Half<'_>, sets: &ColumnSets) -> u64;

    /// The memory taken so far.
    fn bytes(&self) -> usize;
}

struct Board<M: Machine> {
    machine: M,
    lister: Lister,
    top: Lists,
    bottom: Lists,
    /// A copy of a list, for the matcher to use up.
    copy: Vec<u64>,
    matcher: Matcher<M>,
}

impl<M: Machine> Board<M> {
    fn new(machine: M) -> Board<M> {
        Board {
            machine,
            lister: Lister::new(),
            top: Lists::default(),
            bottom: Lists::default(),
            copy: Vec::new(),
            matcher: Matcher::new(machine),
        }
    }
}

impl<M: Machine> Count for Board<M> {
    fn count(&mut self, half: Half<'_>, sets: &ColumnSets) -> u64 {
        let Board { machine, lister, top, bottom, copy, matcher } = self;
        let Half { size, symmetries, strips } = half;
        let closed = sets.middle.map_or(0, |column| Line::middle(size).attacked_from(column));
        let key = (symmetries == Symmetries::Eight).then(|| sets.key(size));
        lister.fill(*machine, strips, sets.top, closed, key, top);
        lister.fill(*machine, strips, sets.bottom, closed, key, bottom);
        let ([top, top_same], [bottom, bottom_same]) = (top.parts(), bottom.parts());
        lists::exchange(bottom);
        lists::exchange(bottom_same);
        if key.is_none() {
            return matcher.pairs(top, bottom);
        }
        // The rows' key is the smaller one of the two halves' own. So it is above the columns'
        // key if both are, and the same if one half has the same and the other no smaller one.
        let mut copied = |list: &[u64], more: &[u64], few: &mut [u64]| {
            if few.is_empty() {
                return 0;
            }
            copy.clear();
            copy.reserve_exact(list.len() + more.len());
            copy.extend_from_slice(list);
            copy.extend_from_slice(more);
            matcher.pairs(copy, few)
        };
        let same = copied(bottom, bottom_same, top_same) + copied(top, &[], bottom_same);
        2 * matcher.pairs(top, bottom) + same
    }

    fn bytes(&self) -> usize {
        size_of_val(self)
            + self.top.bytes()
            + self.bottom.bytes()
            + 8 * self.copy.capacity()
            + self.lister.bytes()
            + self.matcher.bytes()
    }
}
