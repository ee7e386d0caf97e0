//! Positions of the leaves' placements, and batches of leaves that fit into memory.

use std::ops::Range;

use super::lists::Pairing;

/// The start positions of the leaves' placements, for each half of some parts.
///
/// The device computes them as prefix sums modulo 2³², starting at 0 for each half: leaves of 3, 0
/// and 2 placements have the starts 0, 3, 3 and the end 5.
#[derive(Debug)]
pub(super) struct Leaves {
    /// For each part and half, a word for the start of each leaf and one for the end of the last leaf.
    starts: Vec<u32>,
    /// The number of leaves.
    leaves: u32,
}

/// A range of parts, and a range of their leaves that fit into memory at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeafBatch {
    pub(super) parts: Range<usize>,
    /// All leaves, or a range of a single part's leaves. Empty if one of the part's leaves does not
    /// fit alone; then its lists are compared without splitting.
    pub(super) leaves: Range<u32>,
}

/// The position of a half's leaves in the device's list elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BinLocation {
    /// The offset that is added to the start of a leaf.
    pub(super) shift: u32,
    /// The end of the last leaf, after adding the offset.
    pub(super) end: u32,
}

impl Leaves {
    /// Wraps the words that the device computed for all halves, each with `leaves` leaves.
    pub(super) fn new(starts: Vec<u32>, leaves: u32) -> Leaves {
        Leaves { starts, leaves }
    }

    /// Returns the number of parts.
    fn parts(&self) -> usize {
        self.starts.len() / (2 * (self.leaves as usize + 1))
    }

    /// Returns the starts of a half's leaves, and the end of the last one.
    fn starts(&self, part: usize, side: usize) -> &[u32] {
        let words = self.leaves as usize + 1;
        self.starts.chunks_exact(words).nth(2 * part + side).unwrap_or_default()
    }

    fn start(&self, part: usize, side: usize, leaf: u32) -> u32 {
        self.starts(part, side).get(leaf as usize).copied().unwrap_or_default()
    }

    /// Returns the number of placements of both halves in each leaf.
    fn lengths(&self, part: usize) -> impl Iterator<Item = u64> + Clone {
        let of_half =
            |side| spans(self.starts(part, side)).map(|(start, end)| end.wrapping_sub(start));
        of_half(0).zip(of_half(1)).map(|(top, bottom)| u64::from(top) + u64::from(bottom))
    }

    /// Divides all leaves of all parts into batches that fit into `room`.
    pub(super) fn batches(&self, room: u32) -> Vec<LeafBatch> {
        let room = u64::from(room);
        let mut batches: Vec<LeafBatch> = Vec::new();
        // The room that the last batch still has, if it may take further parts.
        let mut left = None;
        for part in 0..self.parts() {
            let lengths = self.lengths(part);
            let all: u64 = lengths.clone().sum();
            let batch = |leaves| LeafBatch { parts: part..part + 1, leaves };
            left = match (batches.last_mut(), left) {
                (Some(last), Some(left)) if all <= left => {
                    last.parts.end = part + 1;
                    Some(left - all)
                }
                _ if all <= room => {
                    batches.push(batch(0..self.leaves));
                    Some(room - all)
                }
                _ if lengths.clone().any(|length| length > room) => {
                    batches.push(batch(0..0));
                    None
                }
                _ => {
                    let (mut first, mut used) = (0, 0);
                    for (leaf, length) in (0..).zip(lengths) {
                        if used + length > room {
                            batches.push(batch(first..leaf));
                            (first, used) = (leaf, 0);
                        }
                        used += length;
                    }
                    batches.push(batch(first..self.leaves));
                    None
                }
            };
        }
        batches
    }

    /// Assigns positions to the leaves of a batch, for both halves of each part, starting at
    /// element `from`.
    pub(super) fn places(
        &self,
        LeafBatch { parts, leaves }: &LeafBatch,
        from: u32,
    ) -> Vec<[BinLocation; 2]> {
        let mut next = from;
        let mut locate = |part, side| {
            let (first, last) =
                (self.start(part, side, leaves.start), self.start(part, side, leaves.end));
            let shift = next.wrapping_sub(first);
            next = shift.wrapping_add(last);
            BinLocation { shift, end: next }
        };
        parts.clone().map(|part| [0, 1].map(|side| locate(part, side))).collect()
    }

    /// Returns the pairings of a batch's leaves at these positions. `sum` returns the index of a
    /// part's sum.
    pub(super) fn pairings(
        &self,
        LeafBatch { parts, leaves }: &LeafBatch,
        places: &[[BinLocation; 2]],
        sum: impl Fn(usize) -> u32,
    ) -> impl Iterator<Item = Pairing> {
        parts.clone().zip(places).flat_map(move |(part, places)| {
            let sum = sum(part);
            let ranges = |side: usize| {
                let starts = self.starts(part, side);
                let starts = starts.get(leaves.start as usize..).unwrap_or_default();
                let at = move |start| places[side].shift.wrapping_add(start);
                spans(starts).map(move |(start, end)| at(start)..at(end))
            };
            ranges(0).zip(ranges(1)).take(leaves.len()).filter_map(move |(top, bottom)| {
                let is_empty = top.is_empty() || bottom.is_empty();
                (!is_empty).then_some(([top, bottom], sum))
            })
        })
    }
}

/// Returns the start and the end of each leaf, the end being the start of the next one.
fn spans(starts: &[u32]) -> impl Iterator<Item = (u32, u32)> + Clone {
    starts.iter().copied().zip(starts.iter().copied().skip(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaves with these numbers of placements, for each half of each part. The starts of each half
    /// begin at `first`, because only their differences matter.
    fn leaves(lengths: &[[[u32; 3]; 2]], first: u32) -> Leaves {
        let starts = lengths
            .as_flattened()
            .iter()
            .flat_map(|&[a, b, c]| [0, a, a + b, a + b + c].map(|start| first.wrapping_add(start)));
        Leaves::new(starts.collect(), 3)
    }

    #[test]
    fn batches_contain_each_leaf_once_and_fit() {
        let lengths =
            [[[1, 2, 3], [4, 0, 1]], [[2, 2, 0], [1, 1, 1]], [[9, 8, 0], [1, 5, 7]], [[0; 3]; 2]];
        for first in [0, u32::MAX - 3] {
            let leaves = leaves(&lengths, first);
            for room in 13..60 {
                let mut seen = Vec::new();
                for batch in leaves.batches(room) {
                    let places = leaves.places(&batch, 100);
                    let ends: Vec<_> =
                        places.as_flattened().iter().map(|place| place.end).collect();
                    assert!(ends.is_sorted() && ends.iter().all(|&end| end <= 100 + room));
                    let mut next = 100;
                    for (part, places) in batch.parts.clone().zip(&places) {
                        for side in [0, 1] {
                            for leaf in batch.leaves.clone() {
                                assert_eq!(
                                    places[side].shift.wrapping_add(leaves.start(part, side, leaf)),
                                    next
                                );
                                next += lengths[part][side][leaf as usize];
                            }
                        }
                        seen.extend(batch.leaves.clone().map(|leaf| (part, leaf)));
                    }
                    let sum: usize = leaves
                        .pairings(&batch, &places, |part| part as u32)
                        .map(|([top, bottom], _)| top.len() * bottom.len())
                        .sum();
                    let expected: u32 = batch
                        .parts
                        .clone()
                        .flat_map(|part| batch.leaves.clone().map(move |leaf| (part, leaf)))
                        .map(|(part, leaf)| {
                            [0, 1].map(|side: usize| lengths[part][side][leaf as usize])
                        })
                        .map(|[top, bottom]| top * bottom)
                        .sum();
                    assert_eq!(sum, expected as usize);
                }
                let all = (0..4).flat_map(|part| (0..3).map(move |leaf| (part, leaf)));
                assert!(all.eq(seen), "room for {room}");
            }
            // The second leaf of the third part takes 13.
            let batches = leaves.batches(12).into_iter();
            let unsplit = batches.filter(|batch| batch.leaves.is_empty()).map(|batch| batch.parts);
            assert!(unsplit.flatten().eq([2]));
        }
    }
}
