//! The keys of the board and the timeline.

use super::state::Action;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Something about the search.
    Do(Action),
    /// The list of keys.
    Help,
}

/// What a key means on the board or the timeline.
pub fn command(key: &str, shift: bool) -> Option<Command> {
    let action = match key {
        " " => Action::TogglePlay,
        "ArrowLeft" => Action::By(-1),
        "ArrowRight" => Action::By(1),
        "ArrowUp" => Action::By(10),
        "ArrowDown" => Action::By(-10),
        "PageUp" => Action::By(100),
        "PageDown" => Action::By(-100),
        "Home" => Action::First,
        "End" => Action::LastVisited,
        "s" | "S" if shift => Action::PreviousSolution,
        "s" | "S" => Action::NextSolution,
        "?" => return Some(Command::Help),
        _ => return None,
    };
    Some(Command::Do(action))
}

/// Where an arrow key leads among the squares: (row, column), each below `n`.
pub fn neighbour(key: &str, (row, column): (u32, u32), n: u32) -> Option<(u32, u32)> {
    let last = n.saturating_sub(1);
    Some(match key {
        "ArrowLeft" => (row, column.saturating_sub(1)),
        "ArrowRight" => (row, (column + 1).min(last)),
        "ArrowUp" => (row.saturating_sub(1), column),
        "ArrowDown" => ((row + 1).min(last), column),
        "Home" => (row, 0),
        "End" => (row, last),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_help() {
        assert_eq!(command(" ", false), Some(Command::Do(Action::TogglePlay)));
        assert_eq!(command("ArrowUp", false), Some(Command::Do(Action::By(10))));
        assert_eq!(command("s", false), Some(Command::Do(Action::NextSolution)));
        assert_eq!(command("S", true), Some(Command::Do(Action::PreviousSolution)));
        assert_eq!(command("?", true), Some(Command::Help));
        assert_eq!(command("Tab", false), None);
    }

    #[test]
    fn arrows_stay_on_the_board() {
        assert_eq!(neighbour("ArrowLeft", (2, 0), 8), Some((2, 0)));
        assert_eq!(neighbour("ArrowDown", (7, 3), 8), Some((7, 3)));
        assert_eq!(neighbour("ArrowRight", (2, 0), 8), Some((2, 1)));
        assert_eq!(neighbour("End", (2, 0), 8), Some((2, 7)));
        assert_eq!(neighbour("x", (2, 0), 8), None);
    }
}
