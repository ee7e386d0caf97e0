//! Positions of the nodes of the search tree. No browser APIs.
//!
//! The root is at the left, and each row of the board is one column further right. From top to
//! bottom, the branches are in the order of the search.

use std::fmt::Write;

use queens_core::{Branch, Branches, Node, Rule, Stepped, branches};

/// The distance between two columns of nodes, and between two nodes in a column.
pub const STEP: (f64, f64) = (52.0, 26.0);

/// The state of a node in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// The queens of the node are on the board.
    OnPath,
    /// The node has been searched.
    Past,
    /// The search has not reached the node yet.
    Ahead,
    /// A rule prunes the node.
    Cut(Rule),
}

impl NodeState {
    /// A name for style sheets, tests and texts.
    pub const fn id(self) -> &'static str {
        match self {
            NodeState::OnPath => "on-path",
            NodeState::Past => "past",
            NodeState::Ahead => "ahead",
            NodeState::Cut(_) => "cut",
        }
    }
}

/// A node with its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    pub node: Node,
    /// The state of the node.
    pub kind: NodeState,
    /// The distance from the left.
    pub x: f64,
    /// The distance from the top.
    pub y: f64,
    /// The place of the node among its siblings, from 1, and their number.
    pub place: (usize, usize),
    /// Whether the branches of the node are shown.
    pub open: bool,
}

/// The open part of a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The nodes in the order of the search.
    pub items: Vec<Item>,
}

/// The nodes that the user has opened, with their branches, in the order of the search. They stay
/// valid while the method and the size do.
#[derive(Clone, Debug, Default)]
pub struct Opened(Vec<(Node, Branches)>);

impl Opened {
    /// Opens a closed node or closes an open one.
    pub fn toggle(&mut self, method: Stepped, node: Node) {
        match self.find(&node) {
            Ok(index) => drop(self.0.remove(index)),
            Err(index) => {
                let rows = branches(method, &node);
                // `branches` returns the rows above first; the last one is the row below the node.
                if let Some(row) = rows.skip(node.depth() as usize).last() {
                    self.0.insert(index, (node, row));
                }
            }
        }
    }

    /// Whether the user has opened the node.
    pub fn contains(&self, node: &Node) -> bool {
        self.find(node).is_ok()
    }

    fn branches(&self, node: &Node) -> Option<&Branches> {
        self.0.get(self.find(node).ok()?).map(|(_, branches)| branches)
    }

    fn find(&self, node: &Node) -> Result<usize, usize> {
        self.0.binary_search_by(|(open, _)| open.cmp(node))
    }
}

/// The state of a layout in progress.
struct Pen<'a> {
    current: Node,
    next: Option<Node>,
    opened: &'a Opened,
    /// The branches of the nodes on the path to the current one.
    path: Vec<Branches>,
    items: Vec<Item>,
    /// The next free vertical position.
    y: f64,
}

/// Lays out the open part of the tree: the branches of the nodes on the path to the current node, and
/// of the nodes that the user has opened. `next` is the node whose queen is placed next.
pub fn layout(method: Stepped, current: Node, next: Option<Node>, opened: &Opened) -> Layout {
    let path = branches(method, &current).collect();
    let mut pen = Pen { current, next, opened, path, items: vec![], y: 0.0 };
    let mut root = current;
    while let Some(parent) = root.parent() {
        root = parent;
    }
    pen.draw(root, NodeState::OnPath, (1, 1));
    Layout { items: pen.items }
}

impl Pen<'_> {
    /// Places a node and its open descendants. Returns its vertical position.
    fn draw(&mut self, node: Node, kind: NodeState, place: (usize, usize)) -> f64 {
        let index = self.items.len();
        let x = f64::from(node.depth()) * STEP.0;
        let children = self.children(&node);
        let open = !children.is_empty();
        self.items.push(Item { node, kind, x, y: self.y, place, open });
        let (mut first, mut last) = (None, self.y);
        let count = children.len();
        for (number, (child, kind)) in (1..).zip(children) {
            last = self.draw(child, kind, (number, count));
            first.get_or_insert(last);
        }
        let y = match first {
            Some(first) => f64::midpoint(first, last),
            None => {
                self.y += STEP.1;
                last
            }
        };
        if let Some(item) = self.items.get_mut(index) {
            item.y = y;
        }
        y
    }

    /// The branches of a node that are shown; none if the node is closed.
    fn children(&self, node: &Node) -> Vec<(Node, NodeState)> {
        let Some(row) = self.branches(node) else { return vec![] };
        let branch = |(column, branch): (u32, &Branch)| {
            let child = node.below(column);
            let kind = match branch {
                Branch::Open => self.kind(&child),
                Branch::Cut(rule) => NodeState::Cut(*rule),
                Branch::Attacked | Branch::LeftOut => return None,
            };
            Some((child, kind))
        };
        (0..).zip(&row).filter_map(branch).collect()
    }

    fn branches(&self, node: &Node) -> Option<Branches> {
        if node.leads_to(&self.current) {
            return self.path.get(node.depth() as usize).copied();
        }
        self.opened.branches(node).copied()
    }

    /// The state of a node that the search reaches.
    fn kind(&self, node: &Node) -> NodeState {
        match self.next {
            _ if node.leads_to(&self.current) => NodeState::OnPath,
            Some(next) if *node >= next => NodeState::Ahead,
            _ => NodeState::Past,
        }
    }
}

/// A rectangle of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The upper left corner.
    pub corner: (f64, f64),
    /// The width and height.
    pub extent: (f64, f64),
}

impl Window {
    /// The window around a node's position, which is somewhat right of the window's centre. So the
    /// window shows more of the path to the node than of the branches below it.
    pub fn around((x, y): (f64, f64), extent: (f64, f64)) -> Window {
        Window { corner: (x - extent.0 * 0.6, y - extent.1 * 0.5), extent }
    }

    /// Whether a box overlaps the window.
    fn meets(&self, left: f64, top: f64, right: f64, bottom: f64) -> bool {
        let ((x, y), (width, height)) = (self.corner, self.extent);
        right >= x && left <= x + width && bottom >= y && top <= y + height
    }

    /// The window, extended by its own size on each side.
    pub fn wider(&self) -> Window {
        let ((x, y), (width, height)) = (self.corner, self.extent);
        Window { corner: (x - width, y - height), extent: (3.0 * width, 3.0 * height) }
    }

    /// Whether a node is in the window.
    pub fn shows(&self, item: &Item) -> bool {
        self.meets(item.x, item.y, item.x, item.y)
    }
}

impl Layout {
    /// The lines from nodes to their branches that are visible in a window, as one path.
    pub fn lines(&self, window: &Window) -> String {
        let mut path = String::new();
        for (index, parent) in self.items.iter().enumerate().filter(|(_, item)| item.open) {
            let elbow = parent.x + STEP.0 / 2.0;
            let mut ends = None::<(f64, f64)>;
            for child in self.children(index) {
                ends = Some((ends.map_or(child.y, |(top, _)| top), child.y));
                if window.meets(elbow, child.y, child.x, child.y) {
                    // Writing to a string cannot fail.
                    let _ = write!(path, "M{elbow} {}H{}", child.y, child.x);
                }
            }
            let Some((top, bottom)) = ends else { continue };
            if window.meets(parent.x, top, elbow, bottom) {
                let _ = write!(path, "M{} {}H{elbow}M{elbow} {top}V{bottom}", parent.x, parent.y);
            }
        }
        path
    }

    /// The branches of the node at `index`.
    fn children(&self, index: usize) -> impl Iterator<Item = &Item> {
        let depth = self.items.get(index).map_or(0, |item| item.node.depth());
        let below = self.items.iter().skip(index + 1);
        below
            .take_while(move |item| item.node.depth() > depth)
            .filter(move |item| item.node.depth() == depth + 1)
    }

    /// The index of a node in [`items`](Layout::items).
    pub fn find(&self, node: &Node) -> Option<usize> {
        self.items.binary_search_by(|item| item.node.cmp(node)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Column, Size};

    fn root(n: u32) -> Node {
        Node::root(Size::new(n).unwrap())
    }

    /// Each node as its columns from the right, its state, and its distance from the top in nodes.
    fn drawn(layout: &Layout) -> Vec<(Vec<u8>, &'static str, f64)> {
        let item = |item: &Item| {
            (item.node.columns_from_right().to_vec(), item.kind.id(), item.y / STEP.1)
        };
        layout.items.iter().map(item).collect()
    }

    #[test]
    fn shows_the_branches_of_the_nodes_on_the_path() {
        let current = root(5).below(1).below(4);
        let next = Some(current.below(2));
        let layout = layout(Stepped::Symmetry, current, next, &Opened::default());
        assert_eq!(
            drawn(&layout),
            [
                (vec![], "on-path", 0.875),
                (vec![0], "past", 0.0),
                (vec![1], "on-path", 1.75),
                (vec![1, 3], "past", 1.0),
                (vec![1, 4], "on-path", 2.5),
                (vec![1, 4, 0], "past", 2.0),
                (vec![1, 4, 2], "ahead", 3.0),
            ]
        );
        assert!(layout.items.is_sorted_by_key(|item| item.node));
        assert_eq!(layout.find(&current), Some(4));
        assert_eq!(layout.items[3].place, (1, 2));
    }

    #[test]
    fn opens_and_closes_a_branch() {
        let mut opened = Opened::default();
        let corner = root(8).below(0);
        let shown = |opened: &Opened| {
            drawn(&layout(Stepped::Symmetry, root(8), Some(corner), opened)).len()
        };
        let closed = shown(&opened);
        opened.toggle(Stepped::Symmetry, corner);
        // The second queen of the corner branch goes through the bits 2 to 6.
        assert_eq!(shown(&opened), closed + 5);
        opened.toggle(Stepped::Symmetry, corner.below(4));
        let more = shown(&opened);
        assert!(more > closed + 5);
        opened.toggle(Stepped::Symmetry, corner);
        assert_eq!(shown(&opened), closed, "nodes below a closed branch are hidden");
        opened.toggle(Stepped::Symmetry, corner);
        assert_eq!(shown(&opened), more);
    }

    #[test]
    fn pruned_branches_have_their_rule() {
        let current = root(8).below(2);
        let layout = layout(Stepped::Symmetry, current, None, &Opened::default());
        let cut: Vec<_> = layout
            .items
            .iter()
            .filter_map(|item| match item.kind {
                NodeState::Cut(rule) => Some((item.node.column().map(Column::to_right), rule)),
                _ => None,
            })
            .collect();
        assert_eq!(cut, [(Some(0), Rule::UpperSide), (Some(7), Rule::UpperSide)]);
    }

    #[test]
    fn omits_lines_outside_the_window() {
        let all = Window { corner: (-1e6, -1e6), extent: (2e6, 2e6) };
        let tree = layout(Stepped::Symmetry, root(4), None, &Opened::default());
        assert_eq!(tree.lines(&all), "M26 0H52M26 26H52M0 13H26M26 0V26");
        let nothing = Window { corner: (500.0, 500.0), extent: (10.0, 10.0) };
        assert_eq!(tree.lines(&nothing), "");
        let small = Window::around((52.0, 0.0), (20.0, 20.0));
        let shown: Vec<_> = tree.items.iter().map(|item| small.shows(item)).collect();
        assert_eq!(shown, [false, true, false]);
        assert!(tree.items.iter().all(|item| all.wider().shows(item)));
    }
}
