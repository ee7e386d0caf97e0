//! Checks the table of positions, `tests/data/positions.txt`, with the completions of its queens.

use queens_core::{Class, Completions, Queens, Size, notation};

const TABLE: &str = include_str!("../../../tests/data/positions.txt");

/// A row of the table.
struct Position {
    queens: Queens,
    /// The number of solutions that contain the queens.
    solutions: usize,
    /// The class of the queens, if they are a solution.
    class: Option<Class>,
}

fn positions() -> Vec<Position> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let (facts, _source) = line.split_once(" # ").unwrap();
        let [n, solutions, class, queens] =
            facts.split_whitespace().collect::<Vec<_>>().try_into().unwrap();
        let size: Size = n.parse().unwrap();
        Position {
            queens: notation::queens(size, if queens == "-" { "" } else { queens }).unwrap(),
            solutions: solutions.parse().unwrap(),
            class: class.parse().ok().and_then(Class::with_members),
        }
    };
    lines.map(read).collect()
}

#[test]
fn completions_match_the_table() {
    let positions = positions();
    assert!(positions.len() > 50);
    for position in positions {
        let queens = &position.queens;
        assert_eq!(Completions::new(queens).count(), position.solutions, "{queens:?}");
        let class = queens.placement().map(|solution| Class::of(&solution));
        assert_eq!(class, position.class, "{queens:?}");
    }
}
