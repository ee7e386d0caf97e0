//! The kernel: counts the pairs of placements of one colour that share no line.
//!
//! A leaf of the walk is a placement o of the walked board. A vector has one lane for each set of
//! columns of the listed board, and the bits of a lane are placements e with these columns. For each
//! leaf, the kernel looks up which placements none of the first queens of o attacks, and which none
//! of its last two queens attacks. The number of bits that both words have in common is the number
//! of pairs (e, o), for 16, 32 or 64 sets of columns at once.

use alloc::{vec, vec::Vec};
use core::ops::Range;

use super::{
    lanes::{MAX_WORD, Sets},
    vector::{ByteIsa, Bytes, HotLoop},
    walk::{MAX_LAST, MAX_PREFIXES, MAX_ROWS, Program, Segment, Selection},
};

/// Receives the pairs of each leaf.
pub(super) trait Sink<V: Bytes> {
    /// Announces `leaves` calls of [`add`](Sink::add), at most [`MAX_LEAVES`].
    fn prepare(&mut self, leaves: usize);

    /// Adds the pairs of a leaf with these columns: `counts` has their number for each lane. `PARITY` is 0
    /// and 1 in turn.
    fn add<const PARITY: usize>(&mut self, row: usize, counts: V);
}

/// The number of leaves after which sums are emptied: each adds at most 4 · 255 · 48 to a sum.
const MAX_LEAVES: usize = 1 << 15;

/// Counts the pairs for each set of columns of the walk and each lane. Counts end at 255.
pub(super) struct Counters<'a, V>(pub(super) &'a mut [V; MAX_ROWS]);

impl<V: Bytes> Sink<V> for Counters<'_, V> {
    #[inline(always)]
    fn prepare(&mut self, _: usize) {}

    #[inline(always)]
    fn add<const PARITY: usize>(&mut self, row: usize, counts: V) {
        let place = &mut self.0[row & (MAX_ROWS - 1)];
        *place = place.add_saturating(counts);
    }
}

/// Multiplies each count with a number of the other colour, and adds up the products.
pub(super) struct Products<'a, V: Bytes, const HAS_HIGH: bool> {
    isa: V::Isa,
    /// The low and the high bytes of the other colour's numbers.
    low: &'a [V],
    high: &'a [V],
    /// The sums for even and for odd leaves, so that an addition need not wait for the one before, each
    /// for the low and for the high bytes.
    sums: [[V::Sums; 2]; 2],
    leaves: usize,
    total: [u64; 16],
}

impl<'a, V: Bytes, const HAS_HIGH: bool> Products<'a, V, HAS_HIGH> {
    pub(super) fn new(isa: V::Isa, low: &'a [V], high: &'a [V]) -> Self {
        let sums = [[V::no_sums(isa); 2]; 2];
        Products { isa, low, high, sums, leaves: 0, total: [0; 16] }
    }

    #[inline(always)]
    fn empty(&mut self) {
        for [low, high] in self.sums.map(|sums| sums.map(V::groups)) {
            for ((total, low), high) in self.total.iter_mut().zip(low).zip(high) {
                *total += u64::from(low) + if HAS_HIGH { u64::from(high) << 8 } else { 0 };
            }
        }
        (self.sums, self.leaves) = ([[V::no_sums(self.isa); 2]; 2], 0);
    }
}

impl<V: Bytes, const HAS_HIGH: bool> Sink<V> for Products<'_, V, HAS_HIGH> {
    #[inline(always)]
    fn prepare(&mut self, leaves: usize) {
        if self.leaves + leaves > MAX_LEAVES {
            self.empty();
        }
        self.leaves += leaves;
    }

    #[inline(always)]
    fn add<const PARITY: usize>(&mut self, row: usize, counts: V) {
        let row = row & (MAX_ROWS - 1);
        if let Some(&low) = self.low.get(row) {
            self.sums[PARITY][0] = V::add_products(self.sums[PARITY][0], low, counts);
        }
        if HAS_HIGH && let Some(&high) = self.high.get(row) {
            self.sums[PARITY][1] = V::add_products(self.sums[PARITY][1], high, counts);
        }
    }
}

/// Scratch space for words.
#[derive(Debug)]
pub(super) struct Scratch<V> {
    /// For each prefix of a segment, the placements that its queens do not attack.
    prefixes: Vec<V>,
    /// For each pair of last queens, the placements that they do not attack.
    last: Vec<V>,
}

impl<V: Bytes> Scratch<V> {
    pub(super) fn new(isa: V::Isa) -> Scratch<V> {
        let zero = V::splat(isa, 0);
        Scratch {
            prefixes: vec![zero; MAX_PREFIXES * MAX_WORD],
            last: vec![zero; MAX_LAST * MAX_WORD],
        }
    }
}

/// The number of parts of a root. A part has some leaves of each segment.
pub(super) const PARTS: usize = 64;

/// Runs the roots of a walk, or parts of them, over the sets of a block.
pub(super) struct Walk<'a, V, S> {
    pub(super) sets: &'a Sets<V>,
    pub(super) selection: &'a Selection,
    /// The numbers of the parts: those of root number i are [`PARTS`] · i to [`PARTS`] · (i + 1) − 1.
    pub(super) parts: Range<usize>,
    pub(super) scratch: &'a mut Scratch<V>,
    pub(super) sink: S,
}

impl<M: ByteIsa, S: Sink<M::Bytes>> HotLoop<M> for Walk<'_, M::Bytes, S> {
    type Output = S;

    #[inline(always)]
    fn run(self, _: M) -> S {
        let Walk { sets, selection, parts, scratch, mut sink } = self;
        let (segments, leaves) = selection.lists();
        for root in selection.roots(parts.start / PARTS..parts.end.div_ceil(PARTS)) {
            let [start, end] = [parts.start, parts.end]
                .map(|part| part.saturating_sub(root.number * PARTS).min(PARTS));
            let segments = segments.get(root.segments.clone()).unwrap_or_default();
            let part = RootPart { program: &selection.program, segments, leaves, part: start..end };
            for &words in sets.words(root.number) {
                let vectors = sets.vectors(words);
                match words.length {
                    1 => walk::<_, _, 1>(vectors, &part, scratch, &mut sink),
                    2 => walk::<_, _, 2>(vectors, &part, scratch, &mut sink),
                    3 => walk::<_, _, 3>(vectors, &part, scratch, &mut sink),
                    4 => walk::<_, _, 4>(vectors, &part, scratch, &mut sink),
                    5 => walk::<_, _, 5>(vectors, &part, scratch, &mut sink),
                    _ => walk::<_, _, MAX_WORD>(vectors, &part, scratch, &mut sink),
                }
            }
        }
        sink
    }
}

/// Returns the bits that two words have in common.
#[inline(always)]
fn common<V: Bytes, const T: usize>(a: &[V; T], b: &[V; T]) -> [V; T] {
    let mut common = *a;
    for (a, &b) in common.iter_mut().zip(b) {
        *a = a.and(b);
    }
    common
}

/// Counts the pairs of a leaf.
#[inline(always)]
fn count<V: Bytes, const T: usize>(
    prefixes: &[[V; T]; MAX_PREFIXES],
    last: &[[V; T]; MAX_LAST],
    leaf: u32,
) -> V {
    let prefix = &prefixes[(leaf >> 20) as usize];
    let last = &last[(leaf >> 12) as usize & (MAX_LAST - 1)];
    let mut counts = prefix[0].and(last[0]).count();
    for at in 1..T {
        counts = counts.add(prefix[at].and(last[at]).count());
    }
    counts
}

/// Some placements of a walk with the same first queens.
struct RootPart<'a> {
    program: &'a Program,
    segments: &'a [Segment],
    leaves: &'a [u32],
    /// The parts of the leaves of each segment.
    part: Range<usize>,
}

/// Visits the leaves of a part of a root with words of `T` vectors.
#[inline(always)]
fn walk<V: Bytes, S: Sink<V>, const T: usize>(
    vectors: &[V],
    RootPart { program, segments, leaves, part }: &RootPart<'_>,
    scratch: &mut Scratch<V>,
    sink: &mut S,
) {
    let words = vectors.as_chunks::<T>().0;
    let (Some(all), Some(prefixes), Some(last)) = (
        words.first(),
        scratch.prefixes.as_chunks_mut::<T>().0.first_chunk_mut::<MAX_PREFIXES>(),
        scratch.last.as_chunks_mut::<T>().0.first_chunk_mut::<MAX_LAST>(),
    ) else {
        return;
    };
    let word = |square: u8| words.get(usize::from(square)).unwrap_or(all);
    for (place, &[above, below]) in last.iter_mut().zip(&program.last) {
        *place = common(word(above), word(below));
    }
    for segment in *segments {
        let mut first = *all;
        if segment.tested[0] != 0 {
            for &square in segment.tested.iter().take_while(|&&square| square != 0) {
                first = common(&first, word(square));
            }
            if first.iter().skip(1).fold(first[0], |sum, &vector| sum.or(vector)).is_zero() {
                continue;
            }
        }
        prefixes[0] = first;
        let list = program.prefixes.get(segment.prefixes()).unwrap_or_default();
        for (number, prefix) in (1..).zip(list) {
            let parent = usize::from(prefix.parent) & (MAX_PREFIXES - 1);
            prefixes[number & (MAX_PREFIXES - 1)] = common(&prefixes[parent], word(prefix.square));
        }
        let Range { start, end } = segment.leaves();
        let [from, to] = [part.start, part.end].map(|part| start + (end - start) * part / PARTS);
        let leaves = leaves.get(from..to).unwrap_or_default();
        for leaves in leaves.chunks(MAX_LEAVES) {
            sink.prepare(leaves.len());
            let (pairs, rest) = leaves.as_chunks::<2>();
            for &[even, odd] in pairs {
                sink.add::<0>(even as usize, count(prefixes, last, even));
                sink.add::<1>(odd as usize, count(prefixes, last, odd));
            }
            for &leaf in rest {
                sink.add::<0>(leaf as usize, count(prefixes, last, leaf));
            }
        }
    }
}

impl<V: Bytes, const HAS_HIGH: bool> Products<'_, V, HAS_HIGH> {
    /// Empties the sums, and returns the totals of the groups of four lanes.
    #[inline(always)]
    pub(super) fn totals(mut self) -> [u64; 16] {
        self.empty();
        self.total
    }
}
