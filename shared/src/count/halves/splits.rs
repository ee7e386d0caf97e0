//! A fixed binary tree of splits for all column sets of a board. GPUs divide lists by it, instead of
//! choosing diagonals for each list from a sample.

use alloc::{collections::BinaryHeap, vec, vec::Vec};
use core::{cmp::Ordering, mem};

use super::{
    columns::{Choices, Symmetries, golden_stride},
    joining::{List, PlacementFilter},
    line::{Seam, exchanged},
    lists::{BothHalves, EnumerationLimit, PlacementEnumerator},
    portable::Portable,
    strip::LARGEST_TABLE,
    vector::SimdIsa,
};
use crate::{RowBits, Size};

/// A tree that divides the lists of both halves into the lists of its leaves, for any column set of
/// a board.
///
/// An inner node has a diagonal and divides the list of one half by it: placements that do not
/// cross the diagonal enter the first child, placements that cross it enter the second. All
/// placements of the other half enter the first child; if they do not cross the diagonal, they also
/// enter the second. So each pair of placements without a common diagonal is in exactly one leaf, and
/// most other pairs are in none.
///
/// An example with one inner node that divides the upper half's list by diagonal 3:
///
/// ```text
/// leaf 0: upper placements without 3, all lower placements
/// leaf 1: upper placements with 3, lower placements without 3
/// ```
///
/// The tree is built from samples of a few column sets, spread evenly over the board's, so that it is not
/// adapted to a single one. It affects only the speed: the pairs found are correct for any tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splits {
    nodes: Vec<Node>,
    leaves: u32,
    copies: u32,
}

/// A node of the tree, except the root.
///
/// Nodes are in depth-first order: the first child of a node directly follows it, and all nodes
/// below the first child come before the second child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The index of the first node after this one and all its descendants. A traversal that does not
    /// enter this node continues there.
    pub after: u32,
    /// The number of the leaf, if the node is one.
    pub leaf: Option<u32>,
    /// The conditions for placements of the upper and of the lower half to enter the node.
    pub enter: [Enter; 2],
}

/// The condition for entering a node: to cross a diagonal, or not to cross it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enter {
    /// The diagonal.
    pub diagonal: u32,
    /// Whether the placements cross it.
    pub crosses: bool,
}

impl Enter {
    /// The condition that all placements fulfil: not to cross diagonal 59, which does not exist,
    /// because there are at most 54.
    const ALL: Enter = Enter { diagonal: 59, crosses: false };

    fn admits(self, placement: u64) -> bool {
        (placement >> self.diagonal & 1 == 1) == self.crosses
    }
}

/// The costs of counting pairs on a GPU, which compares lists tile by tile: a *tile* is up to
/// `tile` placements of the longer list, and each placement of the shorter list is compared with
/// all of them at once. Such a comparison costs `tile` units, even if the tile is not full.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// The number of placements in a full tile.
    tile: u64,
    /// The cost of starting a tile, not in units but in comparisons of one placement with a full
    /// tile.
    begin: u64,
    /// The cost of testing whether a placement enters each of a node's two children.
    test: u64,
    /// The cost of writing a placement to a leaf.
    copy: u64,
}

impl Cost {
    // The costs for tiles of 1024 placements, the only size that devices use. For smaller tiles all
    // costs are smaller in proportion, so that tests divide the short lists of small boards, too.
    const BEGIN: u64 = 60;
    const TEST: u64 = 64;
    /// About 0.3 of the cost of comparing one placement with a full tile: two atomic additions in
    /// the level 2 cache and a scattered write. docs/performance-gpu.md estimates a third for CUDA
    /// and a sixth for WGSL; its predictions hardly differ between 150 and 450.
    const COPY: u64 = 300;

    fn new(tile: u32) -> Cost {
        let tile = u64::from(tile.min(LARGEST_TILE));
        let scaled = |cost: u64| cost * tile / 1024;
        let [begin, test, copy] = [Cost::BEGIN, Cost::TEST, Cost::COPY].map(scaled);
        Cost { tile, begin, test, copy }
    }

    /// Returns the cost of a leaf whose lists have about these lengths: writing and comparing them.
    fn of_leaf(self, lists: [u64; 2]) -> u64 {
        self.of_comparing(lists) + self.copy * lists.iter().sum::<u64>()
    }

    /// Returns the cost of comparing two lists of about these lengths. Tiles of the longer list are
    /// always at least as cheap as tiles of the shorter one, so the cost is the minimum of both. On
    /// average the last tile is half full, so half a tile is added.
    fn of_comparing(self, [one, other]: [u64; 2]) -> u64 {
        if one == 0 || other == 0 {
            return 0;
        }
        let tiles = |tiled: u64| self.tile.max(tiled + self.tile / 2);
        (tiles(one) * (self.begin + other)).min(tiles(other) * (self.begin + one))
    }
}

/// Upper limit for the size of a tile, more than any GPU uses. The costs of larger tiles would
/// overflow.
const LARGEST_TILE: u32 = 1 << 16;

/// Number of sampled column sets.
const SAMPLED_SETS: usize = 16;

/// Approximate number of placements in the sample of a half, if it has that many.
const SAMPLE: usize = 1 << 13;

/// Minimum number of partitions of a half's columns that the sample comes from.
const MIN_PARTITIONS: usize = 16;

/// Maximum number of leaves. A GPU stores a *bin* for each leaf and half: the number of placements
/// that enter the leaf.
const MAX_LEAVES: usize = 1 << 12;

/// A diagonal, and the half whose list is divided by it (0 for the upper, 1 for the lower half).
#[derive(Clone, Copy, Debug)]
struct Split {
    diagonal: u32,
    side: usize,
}

/// A node while the tree is built.
#[derive(Clone, Copy, Debug)]
enum BuildNode {
    Leaf,
    /// An inner node with the indices of its children: for placements that do not cross the
    /// diagonal, and for those that do.
    Inner(Split, [usize; 2]),
}

/// The sampled placements of a column set that enter a node.
#[derive(Clone, Debug, Default)]
struct NodeSample {
    placements: [Vec<u64>; 2],
    /// For each half, the number of placements that a sampled one represents.
    scale: [u64; 2],
}

impl NodeSample {
    /// Returns the estimated lengths of lists from their numbers of sampled placements.
    fn lengths(&self, [one, other]: [usize; 2]) -> [u64; 2] {
        [one as u64 * self.scale[0], other as u64 * self.scale[1]]
    }

    /// Returns the estimated lengths of the node's lists.
    fn list_lengths(&self) -> [u64; 2] {
        self.lengths([0, 1].map(|side: usize| self.placements[side].len()))
    }

    /// Returns the samples of the two child nodes.
    fn split(mut self, Split { diagonal, side }: Split) -> [NodeSample; 2] {
        let crosses = |&placement: &u64| placement >> diagonal & 1 == 1;
        let many = mem::take(&mut self.placements[side]);
        let few = mem::take(&mut self.placements[1 - side]);
        let (with, without) = many.into_iter().partition(crosses);
        let few_without = few.iter().copied().filter(|placement| !crosses(placement)).collect();
        let child = |many, few| {
            let placements = if side == 0 { [many, few] } else { [few, many] };
            NodeSample { placements, scale: self.scale }
        };
        [child(without, few), child(with, few_without)]
    }
}

/// A leaf whose best split reduces the costs. Candidates are ordered by gain. If two have the same
/// gain, the leaf with the lower index is the greater candidate, so that the tree does not depend on
/// the order of the heap.
struct SplitCandidate {
    /// The reduction of the costs.
    gain: u64,
    /// The index of the leaf.
    leaf_index: usize,
    split: Split,
    samples: Vec<NodeSample>,
}

impl Ord for SplitCandidate {
    fn cmp(&self, other: &SplitCandidate) -> Ordering {
        (self.gain, other.leaf_index).cmp(&(other.gain, self.leaf_index))
    }
}

impl PartialOrd for SplitCandidate {
    fn partial_cmp(&self, other: &SplitCandidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SplitCandidate {
    fn eq(&self, other: &SplitCandidate) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SplitCandidate {}

impl Splits {
    /// Builds the tree of a board for devices that compare 1024 placements at once. This takes about
    /// 0.1 s at N = 20 and more than a second at N = 28. Returns `None` if the board has more than
    /// [`Size::MAX_COUNTED`] rows.
    pub fn new(size: Size) -> Option<Splits> {
        Splits::with_tiles(size, 1024)
    }

    /// Builds the tree of a board for devices that compare `tile` placements at once, at most
    /// 65,536; tests of small boards use small tiles. Returns `None` if the board has more than
    /// [`Size::MAX_COUNTED`] rows.
    pub fn with_tiles(size: Size, tile: u32) -> Option<Splits> {
        (size.get() <= Size::MAX_COUNTED).then(|| Splits::with_cost(size, Cost::new(tile)))
    }

    /// Builds the tree greedily (*best-first*): always splits the leaf with the greatest gain.
    fn with_cost(size: Size, cost: Cost) -> Splits {
        let samples = samples(size);
        let undivided: u64 = samples.iter().flat_map(NodeSample::list_lengths).sum();
        let (mut nodes, mut leaves, mut copies) = (vec![BuildNode::Leaf], 1, undivided);
        let mut total_gain = 0;
        let mut open: BinaryHeap<SplitCandidate> =
            best_split(cost, 0, samples).into_iter().collect();
        while leaves < MAX_LEAVES
            && let Some(SplitCandidate { gain, leaf_index, split, samples }) = open.pop()
        {
            total_gain += gain;
            let children = [nodes.len(), nodes.len() + 1];
            nodes.extend([BuildNode::Leaf; 2]);
            if let Some(node) = nodes.get_mut(leaf_index) {
                *node = BuildNode::Inner(split, children);
            }
            leaves += 1;
            copies -= samples.iter().flat_map(NodeSample::list_lengths).sum::<u64>();
            let (without, with): (Vec<_>, Vec<_>) =
                samples.into_iter().map(|sample| <(_, _)>::from(sample.split(split))).unzip();
            for (leaf_index, samples) in children.into_iter().zip([without, with]) {
                copies += samples.iter().flat_map(NodeSample::list_lengths).sum::<u64>();
                open.extend(best_split(cost, leaf_index, samples));
            }
        }
        // The costs of a leaf include copying its lists, but without a split the lists need not be
        // copied at all. So the splits must gain more than the root's copies would cost.
        if total_gain <= cost.copy * undivided {
            (nodes, copies) = (vec![BuildNode::Leaf], undivided);
        }
        let mut splits = Splits {
            nodes: Vec::with_capacity(nodes.len()),
            leaves: 0,
            copies: copies.div_ceil(undivided.max(1)) as u32,
        };
        splits.store_depth_first(&nodes);
        splits
    }

    /// Stores the nodes in depth-first order.
    fn store_depth_first(&mut self, built: &[BuildNode]) {
        let mut open: Vec<SplitStep> = vec![SplitStep::Enter(0, [Enter::ALL; 2])];
        while let Some(step) = open.pop() {
            match step {
                SplitStep::Leave(position) => {
                    let after = self.nodes.len() as u32;
                    if let Some(node) = self.nodes.get_mut(position) {
                        node.after = after;
                    }
                }
                SplitStep::Enter(index, enter) => {
                    let inner = match built.get(index) {
                        Some(BuildNode::Inner(split, below)) => Some((split, below)),
                        _ => None,
                    };
                    // The root is not stored, because all placements enter it.
                    if index > 0 {
                        let leaf = inner.is_none().then_some(self.leaves);
                        self.leaves += u32::from(inner.is_none());
                        open.push(SplitStep::Leave(self.nodes.len()));
                        self.nodes.push(Node { after: 0, leaf, enter });
                    }
                    if let Some((&Split { diagonal, side }, &[without, with])) = inner {
                        let lacks = Enter { diagonal, crosses: false };
                        let (mut first, mut second) = ([Enter::ALL; 2], [lacks; 2]);
                        first[side] = lacks;
                        second[side] = Enter { diagonal, crosses: true };
                        open.extend([
                            SplitStep::Enter(with, second),
                            SplitStep::Enter(without, first),
                        ]);
                    }
                }
            }
        }
    }

    /// Returns the nodes without the root. Empty if the lists should not be divided.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the number of leaves; 0 if the lists should not be divided.
    pub fn leaves(&self) -> u32 {
        self.leaves
    }

    /// Returns the average number of leaves that a placement enters, rounded up.
    pub fn copies(&self) -> u32 {
        self.copies
    }

    /// Iterates over the leaves that a placement enters. `side` is 0 for the upper and 1 for the
    /// lower half; both halves' placements are given as diagonals of the upper half.
    pub fn leaves_of(&self, placement: u64, side: usize) -> impl Iterator<Item = u32> {
        let mut next = 0;
        core::iter::from_fn(move || {
            while let Some(&Node { after, leaf, enter }) = self.nodes.get(next) {
                let enters = enter.get(side).is_some_and(|enter| enter.admits(placement));
                next = if enters { next + 1 } else { after as usize };
                if leaf.is_some() && enters {
                    return leaf;
                }
            }
            None
        })
    }
}

/// A remaining step of the depth-first traversal: enters a built node under these conditions, or
/// leaves the stored node at this index.
enum SplitStep {
    Enter(usize, [Enter; 2]),
    Leave(usize),
}

/// Number of diagonals for which [`best_split`] computes the costs. It selects the diagonals whose splits
/// exclude the most pairs.
const CANDIDATES: usize = 4;

/// Finds the best split of a leaf; `None` if no split reduces the costs.
fn best_split(cost: Cost, leaf_index: usize, samples: Vec<NodeSample>) -> Option<SplitCandidate> {
    let counts: Vec<_> = samples
        .iter()
        .map(|sample| sample.placements.each_ref().map(|list| count_diagonals(list)))
        .collect();
    // The number of pairs that a split by each diagonal excludes.
    let mut excluded_pairs = [0u64; 64];
    for (sample, [one, other]) in samples.iter().zip(&counts) {
        for (sum, (&one, &other)) in excluded_pairs.iter_mut().zip(one.iter().zip(other)) {
            let [one, other] = sample.lengths([one, other].map(|count| count as usize));
            *sum = sum.saturating_add(one.saturating_mul(other));
        }
    }
    // The candidates, by descending number of excluded pairs.
    let mut best = [(0, 0); CANDIDATES];
    for (diagonal, &pairs) in (0..).zip(&excluded_pairs) {
        let [.., last] = &mut best;
        if (pairs, diagonal) > *last {
            *last = (pairs, diagonal);
            best.sort_unstable_by(|one, other| other.cmp(one));
        }
    }
    let cost_before: u64 = samples.iter().map(|sample| cost.of_leaf(sample.list_lengths())).sum();
    let test_cost: u64 =
        samples.iter().flat_map(NodeSample::list_lengths).map(|length| cost.test * length).sum();
    let splits = best
        .into_iter()
        .filter(|(pairs, _)| *pairs > 0)
        .flat_map(|(_, diagonal)| [0, 1].map(|side| Split { diagonal, side }));
    let cost_after = |Split { diagonal, side }: Split| -> u64 {
        let costs = samples.iter().zip(&counts).map(|(sample, counts)| {
            let crossing = [0, 1].map(|side: usize| counts[side][diagonal as usize] as usize);
            let all = [0, 1].map(|side: usize| sample.placements[side].len());
            let (mut without, mut with) = (all, crossing);
            without[side] -= crossing[side];
            with[1 - side] = all[1 - side] - crossing[1 - side];
            cost.of_leaf(sample.lengths(without)) + cost.of_leaf(sample.lengths(with))
        });
        costs.sum()
    };
    let (split, cost_after) =
        splits.map(|split| (split, cost_after(split))).min_by_key(|(_, cost_after)| *cost_after)?;
    let gain =
        cost_before.checked_sub(cost_after.saturating_add(test_cost)).filter(|&gain| gain > 0)?;
    Some(SplitCandidate { gain, leaf_index, split, samples })
}

/// Counts, for each diagonal, the placements that cross it.
fn count_diagonals(placements: &[u64]) -> [u32; 64] {
    let mut totals = [0; 64];
    // `positional_popcount` counts up to 255.
    for chunk in placements.chunks(255) {
        let counts = Portable.positional_popcount(chunk.iter().copied());
        for (totals, &count) in totals.iter_mut().zip(counts.as_flattened()) {
            *totals += u32::from(count);
        }
    }
    totals
}

/// A numbering of a board's column sets as a GPU counts them. On an odd board, a GPU fixes the
/// middle row's queen first, so a column set becomes several choices, one for each column of `top`:
/// the middle row's queen is in this column, and the rows above it have the other columns of `top`.
#[derive(Clone, Copy, Debug)]
struct DeviceChoices {
    size: Size,
    sets: Choices,
    middle_queens: u64,
}

/// A column set as a GPU counts it.
#[derive(Clone, Copy, Debug)]
struct DeviceChoice {
    columns: [RowBits; 2],
    /// The middle diagonals that the middle row's queen attacks; none on even boards.
    forbidden: u64,
    /// The [key of the columns](super::columns::ColumnSets::key). Samples contain only placements above
    /// it. This is approximate on odd boards: there, GPUs use a key that is derived from the middle row's
    /// queen instead. The key of the columns drops somewhat more placements, so the sampled lists are
    /// shorter than those of the GPU, and the tree splits a little too rarely.
    key: u32,
}

impl DeviceChoices {
    fn new(size: Size) -> DeviceChoices {
        let middle_queens = match Symmetries::of(size) {
            Symmetries::Eight => 1,
            Symmetries::Centred => u64::from(size.get() / 2 + 1),
        };
        DeviceChoices { size, sets: Choices::new(size), middle_queens }
    }

    fn len(self) -> u64 {
        self.sets.len() * self.middle_queens
    }

    fn get(self, number: u64) -> Option<DeviceChoice> {
        let DeviceChoices { size, sets, middle_queens } = self;
        let sets = sets.get(number / middle_queens)?;
        let (mut top, key, mut forbidden) = (sets.top, sets.key(size), 0);
        if Symmetries::of(size) == Symmetries::Centred {
            let column = top.columns().nth((number % middle_queens) as usize)?;
            top = top.without(column);
            forbidden = Seam::middle(size).crossed_by(0, column);
        }
        Some(DeviceChoice { columns: [top, sets.bottom], forbidden, key })
    }
}

/// Samples the placements of [`SAMPLED_SETS`] column sets that are spread evenly among all.
fn samples(size: Size) -> Vec<NodeSample> {
    let choices = DeviceChoices::new(size);
    let strips = BothHalves::alike(size, LARGEST_TABLE);
    let all = usize::try_from(choices.len()).unwrap_or(usize::MAX);
    let stride = golden_stride(all) as u64;
    let some = (0..choices.len()).filter_map(|number| choices.get(number * stride % choices.len()));
    let mut enumerator = PlacementEnumerator::new();
    some.take(SAMPLED_SETS).map(|choice| sample(choice, &strips, &mut enumerator, SAMPLE)).collect()
}

/// Samples about `limit` of the placements of each half that are above the key, or all if it has
/// fewer.
fn sample(
    DeviceChoice { columns, forbidden, key }: DeviceChoice,
    strips: &BothHalves,
    enumerator: &mut PlacementEnumerator,
    limit: usize,
) -> NodeSample {
    let mut sample = NodeSample::default();
    for (side, columns) in columns.into_iter().enumerate() {
        let is_upper = side == 0;
        let filter = PlacementFilter {
            columns,
            is_upper,
            forbidden,
            required: 0,
            min_key: key,
            masks: [u32::MAX; 2],
        };
        let [mut above, mut same, mut centre] = [(); 3].map(|()| List::default());
        let mut enumerate = |from, limit, above: &mut List| {
            let amount = EnumerationLimit::Placements(limit);
            enumerator.enumerate_into(
                Portable,
                strips,
                filter,
                from,
                amount,
                [above, &mut same, &mut centre],
            )
        };
        let progress = enumerate(0, limit, &mut above);
        let (mut done, all) = (progress.done, progress.all);
        if done < all {
            // The first partitions are not a random sample. So start again, with partitions that are
            // spread evenly.
            let stride = golden_stride(all);
            (done, above) = (0, List::default());
            for number in 0..all {
                if number >= MIN_PARTITIONS && above.len() >= limit || done >= all {
                    break;
                }
                let from = number * stride % all;
                done += enumerate(from, 1, &mut above).done - from;
            }
        }
        let step = (above.len() / limit).max(1);
        let placements = above.elements().iter().step_by(step);
        let upper_diagonals =
            |&placement: &u64| if side == 1 { exchanged(placement) } else { placement };
        sample.placements[side] = placements.map(upper_diagonals).collect();
        sample.scale[side] = (step * all / done.max(1)) as u64;
    }
    sample
}

// This file has no unsafe code, and a tree takes minutes under Miri.
#[cfg(not(miri))]
#[cfg(test)]
mod tests {
    use super::*;

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    /// Returns all placements above the key of a column set, as diagonals of the upper half.
    fn lists(size: Size, choice: DeviceChoice) -> [Vec<u64>; 2] {
        let strips = BothHalves::alike(size, LARGEST_TABLE);
        sample(choice, &strips, &mut PlacementEnumerator::new(), usize::MAX).placements
    }

    #[test]
    fn each_disjoint_pair_is_in_exactly_one_leaf() {
        for (n, tile) in [(9, 2), (11, 4), (14, 32)] {
            let splits = Splits::with_tiles(size(n), tile).unwrap();
            assert!(splits.leaves() > 3, "N = {n}: {} leaves", splits.leaves());
            let all = DeviceChoices::new(size(n));
            let choices = (0..all.len()).rev().filter_map(|number| all.get(number));
            for choice in choices.step_by(if n > 11 { 1 << 9 } else { 1 << 5 }) {
                let [top, bottom] = lists(size(n), choice);
                let leaves = |list: &[u64], side| -> Vec<Vec<u32>> {
                    list.iter().map(|&placement| leaves_of(&splits, placement, side)).collect()
                };
                let (tops, bottoms) = (leaves(&top, 0), leaves(&bottom, 1));
                for (top, tops) in top.iter().zip(&tops) {
                    for (bottom, bottoms) in bottom.iter().zip(&bottoms) {
                        let common = tops.iter().filter(|leaf| bottoms.contains(leaf)).count();
                        let is_pair = top & bottom == 0;
                        assert!(common == 1 || common == 0 && !is_pair, "{top:#b} {bottom:#b}");
                    }
                }
            }
        }
    }

    fn leaves_of(splits: &Splits, placement: u64, side: usize) -> Vec<u32> {
        let leaves: Vec<u32> = splits.leaves_of(placement, side).collect();
        assert!(leaves.is_sorted() && leaves.iter().all(|&leaf| leaf < splits.leaves()));
        leaves
    }

    #[test]
    fn the_split_tree_excludes_most_pairs() {
        let size = size(16);
        let splits = Splits::with_tiles(size, 32).unwrap();
        let all = DeviceChoices::new(size);
        let (mut pairs, mut compared, mut copies, mut placements) = (0, 0, 0, 0);
        for choice in (1..all.len()).filter_map(|number| all.get(number)).step_by(200) {
            let lists = lists(size, choice);
            let mut bins = vec![[0; 2]; splits.leaves() as usize];
            for (side, list) in lists.iter().enumerate() {
                for &placement in list {
                    for leaf in splits.leaves_of(placement, side) {
                        bins[leaf as usize][side] += 1;
                        copies += 1;
                    }
                }
            }
            pairs += lists[0].len() * lists[1].len();
            placements += lists[0].len() + lists[1].len();
            compared += bins.iter().map(|[top, bottom]| top * bottom).sum::<usize>();
        }
        assert!(compared < pairs / 3, "{compared} of {pairs}");
        assert!(copies < placements * 2 * splits.copies() as usize, "{copies} of {placements}");
    }

    #[test]
    fn short_lists_are_not_divided() {
        let splits = Splits::new(size(10)).unwrap();
        assert_eq!((splits.nodes(), splits.leaves()), (&[][..], 0));
    }

    #[test]
    fn nodes_are_in_depth_first_order() {
        let splits = Splits::with_tiles(size(10), 4).unwrap();
        let mut leaves = 0;
        for (place, node) in (0..).zip(splits.nodes()) {
            assert!(node.after > place && node.after as usize <= splits.nodes().len());
            match node.leaf {
                Some(leaf) => assert_eq!((leaf, node.after), (leaves, place + 1)),
                None => assert!(node.after > place + 2, "an inner node has two children"),
            }
            leaves += u32::from(node.leaf.is_some());
        }
        assert_eq!(leaves, splits.leaves());
        assert_eq!(splits.nodes().len() + 2, 2 * leaves as usize);
    }
}
