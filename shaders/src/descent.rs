//! How tasks are cut up for a GPU: node by node, level by level.

use std::{mem, ops::Range};

/// The largest number of nodes that any node expands to.
pub const MAX_CHILDREN: u32 = 32;

/// The largest number of nodes that a node expands to which lacks `open` queens: one for each
/// square of a line that nothing closes, and one more on a square apart.
pub fn children(open: u32) -> u32 {
    (open + 1).min(MAX_CHILDREN)
}

/// Which range of which level is next: depth first, so that no buffer overflows.
///
/// A level is a buffer of nodes, unfinished placements in the kernels' own form. Level 0 holds the
/// roots of a batch, one more decision is made from each level to the next, and what comes out of
/// the last one is searched to the end. A descent knows nothing of devices: whoever has one, and
/// waits for it in whatever way, asks for the next [`Step`] and takes it.
#[derive(Clone, Debug)]
pub struct Descent {
    /// The queens that the roots lack.
    open: u32,
    /// The number of the last level.
    last: usize,
    /// The number of nodes that every level below the roots has room for.
    capacity: u32,
    /// The levels that are being gone through, from the roots on.
    levels: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    /// How many nodes it holds.
    nodes: u32,
    /// How many of them have been expanded or searched.
    done: u32,
    /// How many nodes the next level holds that came from them.
    made: u32,
}

/// What a device has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Expand a range of a level's nodes into the next level, and tell the descent
    /// [how many](Descent::expanded) that holds then.
    Expand {
        /// The level.
        level: usize,
        /// Its nodes.
        nodes: Range<u32>,
        /// The number of nodes that the next level holds already, which stay.
        behind: u32,
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
    /// From `roots` roots, each of which lacks `open` queens, through `levels` expansions;
    /// `capacity` is the number of nodes that the buffer of a level holds, at least
    /// [`MAX_CHILDREN`].
    pub fn new(roots: u32, open: u32, levels: usize, capacity: u32) -> Descent {
        let root = Level { nodes: roots, done: 0, made: 0 };
        Descent { open, last: levels, capacity, levels: vec![root] }
    }

    /// The next step, of at most `launch` nodes if it is a search; `None` once everything below
    /// the roots was searched.
    pub fn step(&mut self, launch: u32) -> Option<Step> {
        loop {
            let number = self.levels.len().checked_sub(1)?;
            let children = self.children(number);
            let level = self.levels.last_mut()?;
            if number < self.last && level.made > 0 {
                // The next level is filled well before it is gone through, since the end of a
                // launch, when lanes run out of nodes, weighs less the more nodes there are.
                let full = self.capacity - self.capacity / 4;
                let room = self.capacity.saturating_sub(level.made);
                if level.done == level.nodes || level.made > full || room < children {
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
            let room = self.capacity.saturating_sub(level.made) / children;
            let most = if is_last { launch } else { room };
            let nodes = level.done..level.nodes.min(level.done.saturating_add(most.max(1)));
            level.done = nodes.end;
            return Some(if is_last {
                Step::Search { level: number, nodes }
            } else {
                Step::Expand { level: number, nodes, behind: level.made }
            });
        }
    }

    /// The last step was an expansion, and the next level holds so many nodes now.
    pub fn expanded(&mut self, nodes: u32) {
        if let Some(level) = self.levels.last_mut() {
            level.made = nodes;
        }
    }

    /// The most nodes that a node of a level expands to.
    fn children(&self, level: usize) -> u32 {
        let placed = u32::try_from(level).unwrap_or(u32::MAX);
        children(self.open.saturating_sub(placed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree whose nodes are the paths to them; a node of level k has as many children as its
    /// path's sum says, modulo one more than a node there may have.
    fn children_of(path: &[u32], open: u32) -> Vec<Vec<u32>> {
        let most = children(open - path.len() as u32 + 1);
        let count = (path.iter().sum::<u32>() * 7 + 3) % (most + 1);
        (0..count).map(|child| path.iter().copied().chain([child]).collect()).collect()
    }

    /// The leaves below some nodes, in order.
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
                    Step::Expand { level, nodes, behind } => {
                        let from = &buffers[level][nodes.start as usize..nodes.end as usize];
                        let made: Vec<_> =
                            from.iter().flat_map(|node| children_of(node, open)).collect();
                        buffers.resize(buffers.len().max(level + 2), vec![]);
                        let next = &mut buffers[level + 1];
                        next.truncate(behind as usize);
                        next.extend(made);
                        assert!(next.len() <= capacity as usize, "{levels}, {capacity}");
                        descent.expanded(next.len() as u32);
                    }
                    Step::Search { level, nodes } => {
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
    fn without_roots_there_is_nothing_to_do() {
        assert_eq!(Descent::new(0, 8, 3, 100).step(1), None);
    }
}
