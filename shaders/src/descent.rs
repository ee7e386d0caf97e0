//! Schedules the levels of a tree search on a device.

use std::{mem, ops::Range};

/// Maximum number of children of any node.
pub const MAX_CHILDREN: u32 = 32;

/// Returns the maximum number of children of a node that lacks `open` queens: one for each free
/// square of the next line, and one for cell B (see `README.md`).
fn children(open: u32) -> u32 {
    (open + 1).min(MAX_CHILDREN)
}

/// A depth-first schedule of the nodes to expand or search, so that no buffer overflows.
///
/// A level is a buffer of nodes, which are unfinished placements in the kernels' own format. Level
/// 0 holds the roots of a batch. Each expansion to the next level makes one more decision, and the
/// nodes of the last level are searched to the end. A descent does not use a device itself: its
/// caller asks for the next [`DeviceStep`] and runs it.
#[derive(Clone, Debug)]
pub(crate) struct Descent {
    /// The number of queens that the roots lack.
    open: u32,
    /// The index of the last level.
    last: usize,
    /// The number of nodes that fit into each level below the roots.
    capacity: u32,
    /// The levels from the roots to the one that is currently expanded or searched.
    levels: Vec<Level>,
}

/// The state of a level's buffer.
#[derive(Clone, Debug)]
struct Level {
    /// The number of nodes in the buffer.
    nodes: u32,
    /// The number of nodes that have been expanded or searched.
    done: u32,
    /// The number of their children in the next level.
    made: u32,
}

/// A step for the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DeviceStep {
    /// Expand a range of a level's nodes into the next level, and report with
    /// [`expanded`](Descent::expanded) how many nodes that level holds then.
    Expand {
        /// The level.
        level: usize,
        /// Its nodes.
        nodes: Range<u32>,
        /// The number of nodes that the next level already holds. The children are appended to
        /// them.
        existing: u32,
    },
    /// Search a range of the last level's nodes to the end.
    Search {
        /// The level.
        level: usize,
        /// Its nodes.
        nodes: Range<u32>,
    },
}

impl Descent {
    /// Starts from `roots` roots that lack `open` queens each, with `levels` expansions. The buffer
    /// of a level holds `capacity` nodes, at least [`MAX_CHILDREN`].
    pub(crate) fn new(roots: u32, open: u32, levels: usize, capacity: u32) -> Descent {
        let root = Level { nodes: roots, done: 0, made: 0 };
        Descent { open, last: levels, capacity, levels: vec![root] }
    }

    /// Returns the next step, or `None` after everything below the roots was searched. A search
    /// step has at most `launch` nodes.
    pub(crate) fn step(&mut self, launch: u32) -> Option<DeviceStep> {
        loop {
            let number = self.levels.len().checked_sub(1)?;
            let children = self.children(number);
            let level = self.levels.last_mut()?;
            if number < self.last && level.made > 0 {
                // The next level is filled to three quarters before it is entered, for large
                // launches: at the end of a launch, more and more GPU threads are idle.
                let full = self.capacity - self.capacity / 4;
                let free = self.capacity.saturating_sub(level.made);
                if level.done == level.nodes || level.made > full || free < children {
                    let next = Level { nodes: mem::take(&mut level.made), done: 0, made: 0 };
                    self.levels.push(next);
                    continue;
                }
            }
            if level.done == level.nodes {
                self.levels.pop();
                continue;
            }
            let is_last = number == self.last;
            let fitting = self.capacity.saturating_sub(level.made) / children;
            let most = if is_last { launch } else { fitting };
            let nodes = level.done..level.nodes.min(level.done.saturating_add(most.max(1)));
            level.done = nodes.end;
            return Some(if is_last {
                DeviceStep::Search { level: number, nodes }
            } else {
                DeviceStep::Expand { level: number, nodes, existing: level.made }
            });
        }
    }

    /// Reports that the last step, an expansion, has left this many nodes in the next level.
    pub(crate) fn expanded(&mut self, nodes: u32) {
        if let Some(level) = self.levels.last_mut() {
            level.made = nodes;
        }
    }

    /// Returns the maximum number of children of a node of this level.
    fn children(&self, level: usize) -> u32 {
        let placed = u32::try_from(level).unwrap_or(u32::MAX);
        children(self.open.saturating_sub(placed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the children of a node in a test tree. A node is the path from its root. The number of
    /// children follows from the sum of the path, and can be anything from 0 to the maximum.
    fn children_of(path: &[u32], open: u32) -> Vec<Vec<u32>> {
        let most = children(open - path.len() as u32 + 1);
        let count = (path.iter().sum::<u32>() * 7 + 3) % (most + 1);
        (0..count).map(|child| path.iter().copied().chain([child]).collect()).collect()
    }

    /// Returns the leaves below some nodes, in order.
    fn leaves(nodes: &[Vec<u32>], open: u32, levels: usize) -> Vec<Vec<u32>> {
        match levels {
            0 => nodes.to_vec(),
            _ => nodes
                .iter()
                .flat_map(|node| leaves(&children_of(node, open), open, levels - 1))
                .collect(),
        }
    }

    #[test]
    fn every_leaf_is_searched_once_and_no_buffer_overflows() {
        let open = 6;
        for (levels, capacity, launch) in
            [(3, MAX_CHILDREN, 1), (3, 100, 7), (2, 1000, 1000), (0, MAX_CHILDREN, 5), (4, 45, 9)]
        {
            let roots: Vec<Vec<u32>> = (0..50).map(|root| vec![root]).collect();
            let mut descent = Descent::new(50, open, levels, capacity);
            let mut buffers = vec![roots.clone()];
            let mut searched = vec![];
            while let Some(step) = descent.step(launch) {
                match step {
                    DeviceStep::Expand { level, nodes, existing } => {
                        let from = &buffers[level][nodes.start as usize..nodes.end as usize];
                        let made: Vec<_> =
                            from.iter().flat_map(|node| children_of(node, open)).collect();
                        buffers.resize(buffers.len().max(level + 2), vec![]);
                        let next = &mut buffers[level + 1];
                        next.truncate(existing as usize);
                        next.extend(made);
                        assert!(next.len() <= capacity as usize, "{levels}, {capacity}");
                        descent.expanded(next.len() as u32);
                    }
                    DeviceStep::Search { level, nodes } => {
                        assert!(level == levels && nodes.len() <= launch as usize);
                        searched.extend_from_slice(
                            &buffers[level][nodes.start as usize..nodes.end as usize],
                        );
                    }
                }
            }
            let expected = leaves(&roots, open, levels);
            assert!(expected.len() >= 50, "{} leaves prove little", expected.len());
            assert!(searched == expected, "{levels}, {capacity}, {launch}");
        }
    }

    #[test]
    fn ends_at_once_without_roots() {
        assert_eq!(Descent::new(0, 8, 3, 100).step(1), None);
    }
}
