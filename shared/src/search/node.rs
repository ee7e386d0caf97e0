//! A node of a search tree: the first queens.

use core::fmt;

use crate::{Column, Size, View};

/// A node of a search tree: the queens of the first rows, as columns from the right.
///
/// Nodes are ordered as the search visits them. A node comes before its descendants. Of two branches,
/// the one further to the right comes first, because every method tries the rightmost square first.
///
/// ```
/// use queens_core::{Node, Size};
/// let root = Node::root(Size::new(8)?);
/// assert!(root < root.below(0));
/// assert!(root.below(0).below(4) < root.below(1));
/// # Ok::<(), queens_core::SizeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node {
    size: Size,
    columns: [u8; 32],
    depth: u8,
}

impl Node {
    /// The empty board.
    pub const fn root(size: Size) -> Node {
        Node { size, columns: [0; 32], depth: 0 }
    }

    /// The current node of a search: the queens above the first row without one.
    pub fn of(view: &View) -> Node {
        let queens = view.rows().iter().take_while(|queen| !queen.is_empty());
        queens.fold(Node::root(view.size), |node, queen| node.below(queen.column()))
    }

    /// The node with one more queen, in `column`. If the board is full or does not have the column,
    /// the node is unchanged.
    #[must_use]
    pub fn below(mut self, column: u32) -> Node {
        if self.size.mask().contains(column)
            && self.depth() < self.size.get()
            && let Some(next) = self.columns.get_mut(usize::from(self.depth))
        {
            *next = column as u8;
            self.depth += 1;
        }
        self
    }

    /// The node without its last queen; `None` for the root.
    #[must_use = "returns another node; this one does not change"]
    pub fn parent(mut self) -> Option<Node> {
        self.depth = self.depth.checked_sub(1)?;
        if let Some(last) = self.columns.get_mut(usize::from(self.depth)) {
            *last = 0;
        }
        Some(self)
    }

    /// The board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The number of queens.
    pub fn depth(&self) -> u32 {
        self.depth.into()
    }

    /// The queens' columns from the right, top row first.
    pub fn columns_from_right(&self) -> &[u8] {
        self.columns.get(..usize::from(self.depth)).unwrap_or(&self.columns)
    }

    /// The column of the last queen; `None` for the root.
    pub fn column(&self) -> Option<Column> {
        Column::from_right(self.size, (*self.columns_from_right().last()?).into())
    }

    /// Whether `other` is this node or a descendant of it.
    pub fn leads_to(&self, other: &Node) -> bool {
        self.size == other.size && other.columns_from_right().starts_with(self.columns_from_right())
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    fn cmp(&self, other: &Node) -> core::cmp::Ordering {
        (self.size, self.columns_from_right()).cmp(&(other.size, other.columns_from_right()))
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node(N = {}, {:?})", self.size, self.columns_from_right())
    }
}
