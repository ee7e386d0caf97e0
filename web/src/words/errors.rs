//! Sentences on invalid input. The English ones are those of the core, which the command prints, too.

use queens_core::{Line, PlacementError, SizeError, SquareError, notation::NotationError};

use super::language::Language;
use crate::words::tr;

/// The sentence that says why a text is not a solution.
pub fn notation_error(language: Language, error: &NotationError) -> String {
    match language {
        Language::English => sentence(&error.explained()),
        Language::Japanese => in_japanese(error),
    }
}

/// The sentence that says why a size is invalid.
pub fn size_error(language: Language, error: SizeError) -> String {
    if language == Language::English {
        return sentence(&error.to_string());
    }
    match error {
        SizeError::Zero => tr!(language, "size.zero"),
        SizeError::Negative => tr!(language, "size.negative"),
        SizeError::TooLarge(n) => tr!(language, "size.too-large", n = n),
        SizeError::TooLong { start } => {
            tr!(language, "size.too-large", n = format!("{start}…"))
        }
        SizeError::NotWhole | SizeError::NotANumber => tr!(language, "size.not-whole"),
    }
}

/// A message of the core with a capital and a full stop.
pub(super) fn sentence(message: &str) -> String {
    let (first, rest) = message.split_at_checked(1).unwrap_or((message, ""));
    format!("{}{rest}.", first.to_ascii_uppercase())
}

fn in_japanese(error: &NotationError) -> String {
    let ja = Language::Japanese;
    match error {
        NotationError::EmptyColumn { row } => tr!(ja, "notation.empty-column", row = row),
        NotationError::NoColumn(given) => tr!(ja, "notation.not-a-column", given = given),
        NotationError::NoSquare(given) => tr!(ja, "notation.not-a-square", given = given),
        NotationError::NoRow(given) => tr!(ja, "notation.not-a-row", given = given),
        NotationError::Unclosed => tr!(ja, "notation.unclosed"),
        NotationError::NoQueen => tr!(ja, "notation.no-queen"),
        NotationError::UnevenRow { row, squares, usual } => {
            tr!(ja, "notation.uneven", row = row, squares = squares, usual = usual)
        }
        NotationError::NotSquare { rows, squares } => {
            tr!(ja, "notation.not-square", rows = rows, squares = squares)
        }
        NotationError::AmbiguousList(given) => tr!(ja, "notation.two-lists", given = given),
        NotationError::AmbiguousSigns { row, signs } => {
            tr!(ja, "notation.two-signs", given = row, signs = signs)
        }
        NotationError::Several { boards } => tr!(ja, "notation.several", boards = boards),
        NotationError::OtherSize { found, size } => {
            tr!(ja, "notation.other-size", rows = found, n = size)
        }
        NotationError::Outside(error) => outside("notation.square-outside", error),
        NotationError::Twice(square) => tr!(ja, "notation.twice", square = square),
        NotationError::Placement(error) => match error {
            PlacementError::Size(SizeError::Zero) => tr!(ja, "notation.empty"),
            PlacementError::Size(error) => size_error(ja, *error),
            PlacementError::TooManyRows => tr!(ja, "notation.too-many-rows"),
            PlacementError::NotOneQueen { row } => tr!(ja, "notation.not-one-queen", row = row),
            PlacementError::OutsideBoard(error) => outside("notation.queen-outside", error),
            PlacementError::Attacked(attack) => {
                let key = match attack.line {
                    Line::Down => "notation.column",
                    Line::Left | Line::Right => "notation.diagonal",
                };
                tr!(ja, key, upper = attack.upper, lower = attack.lower)
            }
        },
    }
}

fn outside(key: &str, &SquareError { row, column, size }: &SquareError) -> String {
    let last = size.last();
    tr!(Language::Japanese, key, row = row, column = column, n = size, last = last)
}

#[cfg(test)]
mod tests {
    use queens_core::{Placement, Size, notation::number};

    use super::*;
    use crate::words::plain;

    /// Reads tests/data/wrong-boards.txt, whose sentences a test of the command compares, too.
    #[test]
    fn says_what_the_command_says_and_translates_it() {
        let file = include_str!("../../../tests/data/wrong-boards.txt");
        let mut cases = file.lines().filter(|line| !line.starts_with('#'));
        let mut count = 0;
        while let [Some(given), Some(message), Some(japanese)] = [(); 3].map(|()| cases.next()) {
            let error = given.replace("\\n", "\n").parse::<Placement>().unwrap_err();
            assert_eq!(error.explained(), message, "{given}");
            assert_eq!(notation_error(Language::English, &error), sentence(message));
            assert_eq!(plain(&notation_error(Language::Japanese, &error)), japanese);
            count += 1;
        }
        assert!(count > 15, "{count}");
        let zero = number::<Size>("０").unwrap_err();
        let sentences = Language::ALL.map(|language| plain(&size_error(language, zero)));
        assert_eq!(
            sentences,
            [
                "N = 0 is too small: a board has at least 1 row.",
                "N = 0 は小さすぎます。盤には少なくとも 1 行が必要です。"
            ]
        );
    }
}
