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
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use alloc::{boxed::Box, vec::Vec};

pub use columns::ColumnSets;
pub use isa::{InstructionSet, Isa, UnknownInstructionSet};

use crate::Size;
use columns::Choices;
use lists::Lister;
use matching::Matcher;
use strips::{Line, Strips};
use vector::Machine;

/// A board, prepared for half-board matching, and its division into tasks.
#[derive(Clone, Debug)]
pub struct Halves {
    size: Size,
    choices: Choices,
    tasks: u64,
    strips: Strips,
}

impl Halves {
    /// The board of this size.
    pub fn new(size: Size) -> Halves {
        let choices = Choices::new(size);
        // Beyond N = 20 a task may be long, and many small ones can be shared out and resumed.
        let most = if size.get() <= 20 { 1 << 12 } else { 1 << 16 };
        Halves { size, choices, tasks: choices.len().min(most), strips: Strips::new(size) }
    }

    /// The number of tasks, 1 to 65,536.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one task")]
    pub fn len(&self) -> usize {
        self.tasks as usize
    }

    /// The sets of columns that make up a task: every so-manieth, so that all tasks are alike.
    pub fn sets(&self, task: usize) -> impl Iterator<Item = ColumnSets> + '_ {
        let bound = |task| self.choices.len() * task / self.tasks;
        let numbers = bound(task as u64)..bound(task as u64 + 1);
        numbers.filter_map(|number| self.choices.get(number))
    }

    /// The memory of the tables that all threads share, in bytes.
    pub fn shared_bytes(&self) -> usize {
        self.strips.bytes()
    }

    /// A counter for one thread.
    pub fn counter(&self, isa: Isa) -> Counter {
        let board: Box<dyn Count + Send> = match isa.set() {
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
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            InstructionSet::Simd128 => Box::new(Board::new(simd128::Simd128)),
            _ => Box::new(Board::new(portable::Portable)),
        };
        Counter { board }
    }
}

/// Counts the pairs of half placements of one column set after another, on one thread.
pub struct Counter {
    board: Box<dyn Count + Send>,
}

impl Counter {
    /// The number of solutions with these columns, not multiplied by the weight.
    pub fn count(&mut self, halves: &Halves, sets: &ColumnSets) -> u64 {
        self.board.count(halves, sets)
    }
}

trait Count {
    fn count(&mut self, halves: &Halves, sets: &ColumnSets) -> u64;
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
    fn count(&mut self, halves: &Halves, sets: &ColumnSets) -> u64 {
        let Board { machine, lister, top, bottom, matcher } = self;
        let closed =
            sets.middle.map_or(0, |column| Line::middle(halves.size).attacked_from(column));
        let tops = lister.fill(*machine, &halves.strips, sets.top, closed, top);
        let bottoms = lister.fill(*machine, &halves.strips, sets.bottom, closed, bottom);
        let top = top.get_mut(..tops).unwrap_or_default();
        let bottom = bottom.get_mut(..bottoms).unwrap_or_default();
        lists::exchange(bottom);
        matcher.pairs(top, bottom)
    }
}
