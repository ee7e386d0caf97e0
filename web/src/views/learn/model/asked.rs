//! The number of attack checks of methods 3 and 4.

use queens_core::{Event, Line, Size, Square, Stepped, Tracer};

/// Returns the numbers of attack checks of methods 3 and 4 on a board. Both methods check the same
/// squares. Method 3 checks the queens above, from the top, until one attacks the square. Method 4
/// checks the flags of the square's three lines until one is set.
pub fn asked(size: Size) -> [u64; 2] {
    let mut tracer = Tracer::new(Stepped::Flags, size);
    let (mut of_queens, mut of_flags) = (0, 0);
    let mut above: Vec<Square> = Vec::new();
    while let Some(step) = tracer.forward() {
        match step {
            Event::Try { row, square } => {
                let Some(square) = Square::of_bits(size, row, square) else { continue };
                let line = |queen: &Square| Line::between(*queen, square);
                let checks =
                    |place: Option<usize>, all: usize| place.map_or(all, |at| at + 1) as u64;
                of_queens += checks(above.iter().position(|by| line(by).is_some()), above.len());
                let taken = |&flag: &Line| above.iter().any(|by| line(by) == Some(flag));
                let flags = [Line::Down, Line::Left, Line::Right];
                of_flags += checks(flags.iter().position(taken), flags.len());
            }
            Event::Place { row, square } => above.extend(Square::of_bits(size, row, square)),
            Event::Back { .. } => drop(above.pop()),
            _ => {}
        }
    }
    [of_queens, of_flags]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected numbers were counted by an independent program in another language.
    #[test]
    fn flag_lookups_save_more_on_larger_boards() {
        let on = |n| asked(Size::new(n).unwrap());
        assert_eq!([5, 8, 9].map(on), [[405, 393], [46_752, 24_648], [243_009, 110_963]]);
    }
}
