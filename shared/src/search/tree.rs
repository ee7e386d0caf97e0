//! The tree of a search: each node is a board with queens in its first rows.
//!
//! The tree is never built. A node is stored as the columns of its queens. Its branches are found
//! by running the method's iterative form from the root and skipping every row off the path to the
//! node. This takes a few steps for each square of each row on the path.

use crate::{Event, Node, RowBits, Rule, Stepped, Tracer};

/// How a search treats a square of the row below a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Branch {
    /// A queen is placed there, and the search continues below it.
    Open,
    /// A queen above attacks it.
    Attacked,
    /// A rule closes it, though no queen attacks it.
    Cut(Rule),
    /// The method's loop over first queens does not reach the square.
    #[default]
    LeftOut,
}

/// The branch of each square of a row, by columns from the right.
pub type Branches = [Branch; 32];

/// Returns the rows of branches on the path from the root to `node`, from the top. Row k is below
/// the node's first k queens. The last row is the one below `node` itself, unless the board is
/// full. The iterator ends early if the search does not reach `node`.
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

/// A search that follows the path to a node.
struct Walk {
    tracer: Tracer,
    node: Node,
    row: u32,
}

impl Iterator for Walk {
    type Item = Branches;

    /// Runs the search over one row and collects the row's branches. At the branch that leads to the
    /// node, it keeps a copy of the search, from which the next call continues.
    fn next(&mut self) -> Option<Branches> {
        let row = self.row;
        if row >= self.node.size().get() || row > self.node.depth() {
            return None;
        }
        let own = self.node.columns_from_right().get(row as usize).copied().map(u32::from);
        let mut branches = Branches::default();
        let mut below = None;
        let mut entered = row > 0;
        while let Some(step) = self.tracer.forward() {
            let mut mark = |squares: RowBits, branch: Branch| {
                for (column, mark) in (0..).zip(&mut branches) {
                    // A square stays open after its queen has been lifted.
                    if squares.contains(column) && *mark == Branch::LeftOut {
                        *mark = branch;
                    }
                }
            };
            match step {
                Event::Descend { row: at } if at == row => entered = true,
                Event::Descend { row: at } if at == row + 1 => self.tracer.skip_row(),
                Event::Reject { row: at, squares } if at == row => mark(squares, Branch::Attacked),
                Event::Cut { row: at, rule, squares } if at == row => {
                    mark(squares, Branch::Cut(rule));
                }
                Event::Place { row: at, square } if at == row => {
                    mark(square, Branch::Open);
                    if own == Some(square.column()) && below.is_none() {
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
