//! The tree of a search: each node is a board with queens in its first rows.
//!
//! The tree is never built. A node is the columns of its queens; its row of branches is found by
//! running the method's own iterative form from the root and giving up every row beside the way,
//! which takes a few steps for each square of each row.

use crate::{Event, Node, RowBits, Rule, Stepped, Tracer};

/// What a search makes of a square of the row below a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Branch {
    /// A queen is put there, and the search goes on below it.
    Open,
    /// A queen above attacks it.
    Attacked,
    /// A rule closes it, though no queen attacks it.
    Cut(Rule),
    /// The method's loop over first queens does not come there.
    #[default]
    LeftOut,
}

/// What a search makes of each square of a row, by columns from the right.
pub type Branches = [Branch; 32];

/// The rows of branches on the way from the root to `node`, from the top: row k lies below the
/// node's first k queens. The row below `node` itself is the last one, unless the board is full.
/// They end where the search does not come to.
///
/// ```
/// use queens_core::{Branch, Node, Rule, Size, Stepped, branches};
/// let corner = Node::root(Size::new(8)?).below(0).below(4);
/// let rows: Vec<_> = branches(Stepped::Symmetry, &corner).collect();
/// assert_eq!(rows.len(), 3);
/// // The queens stand on bits 0 and 4: bit 1 of row 2 is free, but rule X closes it.
/// assert_eq!(rows[2][1], Branch::Cut(Rule::Corner));
/// assert_eq!(rows[2][6], Branch::Open);
/// # Ok::<(), queens_core::SizeError>(())
/// ```
pub fn branches(method: Stepped, node: &Node) -> impl Iterator<Item = Branches> {
    Walk { tracer: Tracer::new(method, node.size()), node: *node, row: 0 }
}

/// A search that goes straight to a node.
struct Walk {
    tracer: Tracer,
    node: Node,
    row: u32,
}

impl Iterator for Walk {
    type Item = Branches;

    /// Runs the search over one row: up to the node's own branch, which the next call enters,
    /// and, on a copy, over what is left of the row.
    fn next(&mut self) -> Option<Branches> {
        let row = self.row;
        if row >= self.node.size().get() || row > self.node.depth() {
            return None;
        }
        let wanted = self.node.columns_from_right().get(row as usize).copied().map(u32::from);
        let mut branches = Branches::default();
        let mut below = None;
        let mut entered = row > 0;
        while let Some(step) = self.tracer.forward() {
            let mut mark = |squares: RowBits, branch: Branch| {
                for (column, mark) in (0..).zip(&mut branches) {
                    // The square of a queen that is tried and lifted stays open.
                    if squares.contains(column) && *mark == Branch::LeftOut {
                        *mark = branch;
                    }
                }
            };
            match step.event {
                Event::Descend { row: at } if at == row => entered = true,
                Event::Descend { row: at } if at == row + 1 => self.tracer.skip_row(),
                Event::Reject { row: at, squares } if at == row => mark(squares, Branch::Attacked),
                Event::Cut { row: at, rule, squares } if at == row => {
                    mark(squares, Branch::Cut(rule));
                }
                Event::Place { row: at, square } if at == row => {
                    mark(square, Branch::Open);
                    if wanted == Some(square.column()) && below.is_none() {
                        below = Some(self.tracer.clone());
                    }
                }
                Event::Back { row: at } if at < row => break,
                _ => {}
            }
        }
        self.row = if below.is_some() { row + 1 } else { u32::MAX };
        if let Some(below) = below {
            self.tracer = below;
        }
        entered.then_some(branches)
    }
}
