//! The first queens of a search.

use crate::{Attacks, Masks, Node, RowBits, Size, View};

/// The first queens of a search and their branch: the starting point of one task of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    node: Node,
    masks: Option<Masks>,
}

impl Prefix {
    /// The queens of `view` down to its first empty row.
    pub(crate) fn of(view: &View) -> Prefix {
        let node = Node::of(view);
        // Without queens there is no branch yet.
        Prefix { node, masks: view.masks.filter(|_| node.depth() > 0) }
    }

    /// The queens' columns from the right, top row first.
    pub fn columns_from_right(&self) -> &[u8] {
        self.node.columns_from_right()
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.node.size()
    }

    /// The number of rows that hold a queen.
    pub fn rows(&self) -> u32 {
        self.node.depth()
    }

    /// The masks of the queens' branch; `None` for methods without masks and for an empty prefix.
    pub fn masks(&self) -> Option<Masks> {
        self.masks
    }

    /// The queens as bits; rows without a queen are empty.
    pub fn queens(&self) -> [RowBits; 32] {
        let mut queens = [RowBits::EMPTY; 32];
        for (queen, &column) in queens.iter_mut().zip(self.columns_from_right()) {
            *queen = RowBits::of(column.into());
        }
        queens
    }

    /// The attacks on the row below the prefix.
    pub fn attacks(&self) -> Attacks {
        let queens = self.columns_from_right().iter().map(|&column| RowBits::of(column.into()));
        queens.fold(Attacks::NONE, Attacks::below)
    }
}
