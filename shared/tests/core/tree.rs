//! Compares the branches of every node with the branches that a whole search visits or closes.

use std::collections::BTreeMap;

use queens_core::{
    Branch, Branches, Column, Event, Node, RowBits, Size, Stepped, Tracer, branches,
};

/// The branches below each node, recorded during a whole search.
fn seen(method: Stepped, size: Size) -> BTreeMap<Node, Branches> {
    let mut seen: BTreeMap<Node, Branches> = BTreeMap::new();
    let mut tracer = Tracer::new(method, size);
    let mut queens: Vec<u32> = vec![];
    while let Some(step) = tracer.forward() {
        let above = |queens: &[u32], row: u32| {
            queens[..row as usize].iter().fold(Node::root(size), |node, &column| node.below(column))
        };
        let mut mark = |node: Node, squares: RowBits, branch: Branch| {
            let row = seen.entry(node).or_default();
            for column in squares.columns().filter(|&column| column < size.get()) {
                if row[column as usize] == Branch::LeftOut {
                    row[column as usize] = branch;
                }
            }
        };
        match step {
            Event::Descend { row } => mark(above(&queens, row), RowBits::EMPTY, Branch::Open),
            Event::Place { row, square } => {
                mark(above(&queens, row), square, Branch::Open);
                queens.truncate(row as usize);
                queens.push(square.column());
            }
            Event::Reject { row, squares } => mark(above(&queens, row), squares, Branch::Attacked),
            Event::Cut { row, rule, squares } => {
                mark(above(&queens, row), squares, Branch::Cut(rule));
            }
            Event::Back { row } => queens.truncate(row as usize),
            _ => {}
        }
    }
    seen
}

#[test]
fn branches_match_the_whole_search() {
    for &method in Stepped::ALL {
        let largest = if method.facts().largest < 12 { 5 } else { 7 };
        for size in Size::all().take(largest) {
            let seen = seen(method, size);
            assert!(!seen.is_empty());
            for (node, expected) in &seen {
                let rows: Vec<Branches> = branches(method, node).collect();
                assert_eq!(rows.len() as u32, node.depth() + 1, "{method} {node:?}");
                assert_eq!(rows.last(), Some(expected), "{method} {node:?}");
                let mut above = *node;
                for row in rows.iter().rev().skip(1) {
                    above = above.parent().unwrap();
                    assert_eq!(Some(row), seen.get(&above), "{method} {above:?}");
                }
            }
        }
    }
}

#[test]
fn branches_end_where_the_search_does_not_enter_a_node() {
    let size = Size::new(8).unwrap();
    let attacked = Node::root(size).below(0).below(1);
    assert_eq!(branches(Stepped::Symmetry, &attacked).count(), 2);
    let left_half = Node::root(size).below(7);
    assert_eq!(branches(Stepped::Symmetry, &left_half).count(), 1);
    assert_eq!(branches(Stepped::Bitmap, &left_half).count(), 2);
    let full = [3, 1, 6, 2, 5, 7, 4, 0].iter().fold(Node::root(size), |node, &c| node.below(c));
    assert_eq!((full.depth(), full.below(0)), (8, full));
    assert_eq!(branches(Stepped::Bitmap, &full).count(), 8);
}

#[test]
fn nodes_have_a_column_and_ancestors() {
    let size = Size::new(8).unwrap();
    let node = Node::root(size).below(3).below(7);
    assert_eq!(node.columns_from_right(), [3, 7]);
    let column = |node: Node| node.column().map(Column::to_right);
    assert_eq!((column(node), column(node.parent().unwrap())), (Some(7), Some(3)));
    assert_eq!(Node::root(size).parent(), None);
    assert!(Node::root(size).below(3).leads_to(&node) && node.leads_to(&node));
    assert!(!node.leads_to(&Node::root(size).below(3)));
    assert_eq!(Node::root(size).below(8), Node::root(size));
}
