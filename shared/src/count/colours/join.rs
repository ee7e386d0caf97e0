//! What the pairs with the same A share: their lanes, and the numbering of their columns.

use alloc::{vec, vec::Vec};
use core::ops::Range;

use super::{
    boards::{Board, all, even_lines, odd_lines},
    lanes::Lanes,
    pairs::EvenRows,
    table::Factors,
    walk::{NO_NUMBER, Segment, Shape},
};

/// What all pairs with the same A share.
pub(super) struct Join {
    pub(super) even_rows: EvenRows,
    /// For each set of odd columns, whether it is a tie.
    pub(super) is_tie: Vec<bool>,
    pub(super) white: Side,
    pub(super) black: Side,
    /// The factors of the blocks of white lanes: if the odd rows are no tie, and if they are.
    pub(super) factors: [Vec<Factors>; 2],
}

/// One colour of a join.
pub(super) struct Side {
    /// The placements of the board in even rows.
    pub(super) lanes: Lanes,
    /// The board in odd rows, which is walked.
    pub(super) walked: Board,
    pub(super) shape: Shape,
    /// The numbers of all sets of columns of the walked board.
    pub(super) number_of: Vec<u16>,
    /// The number of all sets of columns, and the range of those that are counted.
    pub(super) all: u16,
    pub(super) counted: Range<u16>,
}

/// A pair of a group.
pub(super) struct Pair {
    /// The rows of the white and of the black queens in odd rows, from the middle outwards.
    pub(super) rows: [Vec<u32>; 2],
    pub(super) is_tie: bool,
    /// Whether all numbers were small enough for the tables.
    pub(super) is_exact: bool,
    pub(super) solutions: u64,
    pub(super) audited: u64,
}

/// The memory for the tables and walks of a group. A worker of a page has little memory.
const GROUP_BYTES: usize = if cfg!(target_arch = "wasm32") { 16 << 20 } else { 64 << 20 };

/// The maximum number of pairs in a group.
const MAX_GROUP: usize = 64;

impl Side {
    /// Divides the counted numbers so that each part of a walk has at most about `most` placements.
    pub(super) fn parts(&self, most: usize) -> impl Iterator<Item = Range<u16>> {
        let parts = self.lanes.all.div_ceil(most).clamp(1, self.counted.len().max(1)) as u32;
        let (start, length) = (self.counted.start, self.counted.len() as u32);
        let end = move |part: u32| start + (length * part / parts) as u16;
        (0..parts).map(move |part| end(part)..end(part + 1))
    }

    /// The expected memory for a walk. It has about as many placements as the listed board, with a
    /// selection of them. With many tested queens, most segments have a single placement.
    fn bytes_of_walk(&self) -> usize {
        let segment = if self.shape.tested > 3 { size_of::<Segment>() } else { 0 };
        self.lanes.all * (2 * size_of::<u32>() + segment)
    }

    /// The rows of the first queens, which decide on the roots.
    pub(super) fn first_rows<'a>(&self, rows: &'a [u32]) -> &'a [u32] {
        rows.get(..self.shape.root).unwrap_or_default()
    }
}

/// Numbers sets of columns of a board with `length` columns, after a map of their bits. Only those in
/// the range get a number.
fn numbers(length: u32, sets: &[u32], range: &Range<u16>, map: impl Fn(u32) -> u32) -> Vec<u16> {
    let mut numbers = vec![NO_NUMBER; 1 << length];
    for (number, &set) in range.clone().zip(of_range(sets, range)) {
        if let Some(place) = numbers.get_mut(map(set) as usize) {
            *place = number;
        }
    }
    numbers
}

/// The range of the sets that are permitted; they follow each other.
fn range(sets: &[u32], is_permitted: impl Fn(u32) -> bool) -> Range<u16> {
    let start = sets.iter().position(|&set| is_permitted(set)).unwrap_or(0);
    let rest = sets.get(start..).unwrap_or_default();
    let length = rest.iter().take_while(|&&set| is_permitted(set)).count();
    start as u16..(start + length) as u16
}

fn of_range<'a>(sets: &'a [u32], range: &Range<u16>) -> &'a [u32] {
    sets.get(range.start.into()..range.end.into()).unwrap_or_default()
}

impl Join {
    pub(super) fn new(even_rows: EvenRows, block: usize) -> Join {
        let size = even_rows.size();
        let (even, odd) = (even_lines(size), odd_lines(size));
        let (black_even, black_odd) = (|set| all(even) ^ set, |set| all(odd) ^ set);
        let (all_even, all_odd) = (even_rows.all_even_columns(), even_rows.all_odd_columns());
        let even_range = range(&all_even, |set| even_rows.permits_even_columns(set));
        let odd_range = range(&all_odd, |set| even_rows.permits_odd(set));
        let [number_of_even, number_of_odd] = [&all_even, &all_odd].map(|all| all.len() as u16);

        // The lanes of white are numbered by C, its walk by C'; those of black the other way round.
        let audited = all_even.iter().position(|&set| set == even_rows.rows());
        let audited = audited.map(|number| number as u16);
        let listed = Board::even_even(size);
        let rows: Vec<u32> = listed.outwards(even_rows.rows()).collect();
        let number_of = numbers(even, &all_even, &even_range, |set| set);
        let white = Side {
            lanes: Lanes::new(listed, &rows, (&number_of, all_even.len()), audited, block),
            walked: Board::odd_odd(size),
            shape: Shape::of(size, even_rows.odd_queens()),
            number_of: numbers(odd, &all_odd, &(0..number_of_odd), |set| set),
            all: number_of_odd,
            counted: odd_range.clone(),
        };
        let listed = Board::even_odd(size);
        let rows: Vec<u32> = listed.outwards(black_even(even_rows.rows())).collect();
        let number_of = numbers(odd, &all_odd, &odd_range, black_odd);
        let black = Side {
            lanes: Lanes::new(listed, &rows, (&number_of, all_odd.len()), None, block),
            walked: Board::odd_even(size),
            shape: Shape::of(size, even - even_rows.queens()),
            number_of: numbers(even, &all_even, &(0..number_of_even), black_even),
            all: number_of_even,
            counted: even_range.clone(),
        };
        let factors = [false, true].map(|odd_rows| {
            let unit = even_rows.unit(odd_rows);
            let of_block = |lanes: &[u16]| {
                [false, true].map(|odd_columns| {
                    let mut factors = [0; 64];
                    for (factor, &set) in factors.iter_mut().zip(lanes) {
                        *factor = all_even.get(usize::from(set)).map_or(0, |&columns| {
                            (even_rows.weight(odd_rows, columns, odd_columns) / unit) as u8
                        });
                    }
                    factors
                })
            };
            white.lanes.sets.chunks(block).map(of_block).collect()
        });
        Join {
            even_rows,
            is_tie: all_odd.iter().map(|&set| even_rows.is_odd_tie(set)).collect(),
            factors,
            white,
            black,
        }
    }

    /// The next pairs that are counted together: their walks have the same first rows, and their
    /// tables and walks fit in memory.
    pub(super) fn group(&self, odd_rows: &[u32]) -> Vec<Pair> {
        let Join { even_rows, white, black, .. } = self;
        let odd = odd_lines(even_rows.size());
        let table = self.is_tie.len() * white.lanes.sets.len() * size_of::<u16>();
        let most = GROUP_BYTES / (table + white.bytes_of_walk() + black.bytes_of_walk()).max(1);
        let most = most.clamp(1, MAX_GROUP);
        let pairs = odd_rows.iter().map(|&set| Pair {
            rows: [set, all(odd) ^ set].map(|set| white.walked.outwards(set).collect()),
            is_tie: even_rows.is_odd_tie(set),
            is_exact: true,
            solutions: 0,
            audited: 0,
        });
        let mut group: Vec<Pair> = Vec::new();
        for pair in pairs.take(most) {
            if let Some(Pair { rows: [of_white, of_black], .. }) = group.first()
                && (white.first_rows(of_white) != white.first_rows(&pair.rows[0])
                    || black.first_rows(of_black) != black.first_rows(&pair.rows[1]))
            {
                break;
            }
            group.push(pair);
        }
        group
    }
}
