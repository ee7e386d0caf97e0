//! Boards that are pasted into the view.

use queens_core::material::Finding;
use queens_core::notation::{self, Ignored, Notation, NotationError};
use queens_core::{PlacementError, Queens, Size};

use crate::words::{Language, finding, notation_error, tr};

/// A board that was read, how it was written, and the ignored lines; or the error.
pub type Pasted = Result<(Queens, Notation, Vec<Ignored>), NotationError>;

/// Reads a board in any notation. Squares without a size are those of a board of this `size`.
pub fn read(text: &str, size: Size) -> Pasted {
    let (board, ignored) = notation::board(text)?;
    let board = board.unwrap_or_default();
    let size = match board.notation {
        Notation::Squares | Notation::Algebraic => size,
        _ => Size::new(u32::try_from(board.rows()).unwrap_or(u32::MAX))
            .map_err(PlacementError::from)?,
    };
    Ok((board.queens(size)?, board.notation, ignored))
}

/// Says what was pasted, of a list of columns from which number it counts, and which lines were ignored, or why it
/// is not a board.
pub fn sentence(language: Language, pasted: &Pasted) -> String {
    let (queens, notation, ignored) = match pasted {
        Ok(read) => read,
        Err(error) => {
            return tr!(language, "play.pasted-wrong", why = notation_error(language, error));
        }
    };
    let read = match notation {
        Notation::Columns { first } => tr!(language, "play.pasted-columns", first = first),
        _ => tr!(language, "play.pasted", placed = queens.len(), n = queens.size()),
    };
    let ignored = ignored.iter().map(|line| finding(language, &Finding::from(line)));
    [read].into_iter().chain(ignored).collect::<Vec<_>>().join(language.space())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_which_board_was_pasted() {
        let eight = Size::new(8).unwrap();
        for (text, queens, said) in [
            ("1 3 0 2", Some("0:1,1:3,2:0,3:2"), "counting from 0"),
            ("2 4 1 3", Some("0:1,1:3,2:0,3:2"), "counting from 1"),
            ("s = 1\n1 3 0 2", Some("0:1,1:3,2:0,3:2"), "Ignored: line 1: s = 1"),
            (".Q..\n....\nQ...\n....", Some("0:1,2:0"), "N = 4. Queens: 2"),
            ("1:2, 7:7", Some("1:2,7:7"), "N = 8. Queens: 2"),
            ("a8 h1", Some("0:0,7:7"), "N = 8. Queens: 2"),
            ("1:2, 8:7", None, "8:7 is outside"),
            ("no board", None, "\"no\" is not a column"),
        ] {
            let pasted = read(text, eight);
            let found = pasted.as_ref().ok().map(|(queens, ..)| notation::write_queens(queens));
            assert_eq!(found.as_deref(), queens, "{text}");
            let said_now = crate::words::plain(&sentence(Language::English, &pasted));
            assert!(said_now.contains(said), "{said_now}");
        }
    }
}
