//! Queens of one colour: all ways to place them, by the rows and columns that they take.

use std::collections::BTreeMap;

/// The colours of squares. The upper left square is white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    White,
    Black,
}

impl Colour {
    /// Whether the square in this row and column has the colour.
    pub fn has(self, row: u32, column: u32) -> bool {
        (row + column).is_multiple_of(2) == (self == Colour::White)
    }
}

/// Sets of rows and of columns, one bit each.
type Lines = [u32; 2];

/// Queens by row and column.
pub type Way = Vec<(u32, u32)>;

/// A choice of rows and columns for the white queens, for which both colours have a way. Each white way fits each black
/// way, so the number of solutions is the product.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The ways to place the white queens in the chosen rows and columns.
    pub white: Vec<Way>,
    /// The ways to place the black queens in the others.
    pub black: Vec<Way>,
}

impl Choice {
    pub fn product(&self) -> usize {
        self.white.len() * self.black.len()
    }
}

/// Returns all choices for a board of `n` rows, at most 10, that contribute to its number of solutions.
pub fn choices(n: u32) -> Vec<Choice> {
    let all = (1 << n) - 1;
    let mut black = ways(n, Colour::Black);
    let choice = |(lines, white): (Lines, Vec<Way>)| {
        let black = black.remove(&lines.map(|lines| all & !lines))?;
        Some(Choice { white, black })
    };
    ways(n, Colour::White).into_iter().filter_map(choice).collect()
}

/// Returns the ways to place any number of queens of one colour, without two that attack each other.
fn ways(n: u32, colour: Colour) -> BTreeMap<Lines, Vec<Way>> {
    let mut found = BTreeMap::new();
    place(n, colour, 0, &mut vec![], &mut found);
    found
}

/// Adds the ways with these queens and any others from `row` on.
fn place(n: u32, colour: Colour, row: u32, way: &mut Way, found: &mut BTreeMap<Lines, Vec<Way>>) {
    if row == n {
        let lines = way.iter().fold([0; 2], |[rows, columns], &(row, column)| {
            [rows | 1 << row, columns | 1 << column]
        });
        found.entry(lines).or_default().push(way.clone());
        return;
    }
    place(n, colour, row + 1, way, found);
    for column in (0..n).filter(|&column| colour.has(row, column)) {
        let attacks = |&(above, other): &(u32, u32)| {
            let aside = column.abs_diff(other);
            aside == 0 || aside == row - above
        };
        if !way.iter().any(attacks) {
            way.push((row, column));
            place(n, colour, row + 1, way, found);
            way.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use queens_core::Placement;
    use queens_core::known::known;

    use super::*;

    #[test]
    fn the_products_add_up_to_the_number_of_solutions() {
        for n in 1..=8 {
            let sum: usize = choices(n).iter().map(Choice::product).sum();
            assert_eq!(sum as u64, known(n).unwrap().total(), "{n}");
        }
    }

    #[test]
    fn each_white_way_fits_each_black_way() {
        let mut boards = BTreeSet::new();
        for Choice { white, black } in choices(6) {
            for (white, black) in
                white.iter().flat_map(|white| black.iter().map(move |b| (white, b)))
            {
                let mut board = [&white[..], black].concat();
                board.sort_unstable();
                let columns: Vec<u32> = board.iter().map(|&(_, column)| column).collect();
                boards.insert(Placement::from_left(&columns).unwrap());
            }
        }
        assert_eq!(boards.len(), 4);
    }
}
