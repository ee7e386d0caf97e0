//! Where a task's search begins, as the kernels read it.

use queens_core::Prefix;

/// The record of one start: a row of 32-bit words, the same for all kernels. `shaders/README.md`
/// lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Root([u32; Root::WORDS]);

impl Root {
    /// The number of words in a record.
    pub const WORDS: usize = 16;

    /// The record of a prefix whose solutions go to the tally `slot`; `None` for a prefix without
    /// masks, which has no branch.
    pub fn new(start: &Prefix, slot: u32) -> Option<Root> {
        let masks = start.masks()?;
        let attacks = start.attacks();
        let mut columns = [0; 8];
        for (place, &column) in columns.iter_mut().zip(start.columns_from_right()) {
            *place = column;
        }
        let [a, b, c, d, e, f, g, h] = columns;
        Some(Root([
            attacks.left.bits(),
            attacks.down.bits(),
            attacks.right.bits(),
            start.columns_from_right().len() as u32,
            masks.bound1,
            masks.bound2,
            masks.sidemask.bits(),
            masks.lastmask.bits(),
            masks.topbit.bits(),
            masks.endbit.bits(),
            u32::from(masks.is_corner()),
            u32::from_le_bytes([a, b, c, d]),
            u32::from_le_bytes([e, f, g, h]),
            slot,
            masks.mask.bits(),
            start.size().get(),
        ]))
    }

    /// The board's side.
    pub fn size(&self) -> u32 {
        self.0[15]
    }

    /// The number of queens placed.
    pub fn rows(&self) -> u32 {
        self.0[3]
    }

    /// The words.
    pub fn words(&self) -> &[u32; Root::WORDS] {
        &self.0
    }
}
