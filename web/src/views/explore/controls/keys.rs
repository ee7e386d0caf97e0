//! The keys of the board and the timeline.

use crate::parts::search::state::Action;

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
}
