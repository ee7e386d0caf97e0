//! Checks the table of positions, `tests/data/positions.txt`, with the completions of its queens and, up
//! to N = 8, with the solutions of the naive solver and those that each stepped method represents.

use queens_core::{
    Class, Completions, Event, Found, Orbit, Placement, Queens, Size, Stepped, Tracer, Transform,
    notation, oracle,
};

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

/// The number of these solutions that contain the queens.
fn containing(solutions: &[Placement], queens: &Queens) -> usize {
    let contains = |solution: &&Placement| {
        let board = Queens::from(*solution);
        queens.squares().all(|square| board.contains(square))
    };
    solutions.iter().filter(contains).count()
}

/// Returns all solutions that a method represents: the solutions that it finds and, if it finds only one
/// of each mirror pair or class, their images.
fn represented(method: Stepped, size: Size) -> Vec<Placement> {
    let mut tracer = Tracer::new(method, size);
    let mut solutions = Vec::new();
    while let Some(step) = tracer.forward() {
        let Event::Solution { found } = step else { continue };
        let solution = tracer.view().placement().unwrap();
        match found {
            Found::Single => solutions.push(solution),
            Found::MirrorPair => {
                solutions.extend([solution, Transform::LeftRight.apply(&solution)]);
            }
            Found::Class(_) => {
                let orbit = Orbit::of(&solution);
                solutions.extend(orbit.distinct().map(|image| image.placement));
            }
        }
    }
    solutions
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

#[test]
fn naive_solver_and_every_method_match_the_table() {
    let positions = positions();
    for size in Size::all().take(8) {
        let of_size = || positions.iter().filter(move |position| position.queens.size() == size);
        let check = |solver: &str, solutions: &[Placement]| {
            for Position { queens, solutions: expected, .. } in of_size() {
                assert_eq!(containing(solutions, queens), *expected, "{solver}: {queens:?}");
            }
        };
        let mut all = Vec::new();
        oracle::solutions(size, &mut |solution| all.push(*solution));
        check("the naive solver", &all);
        for &method in Stepped::ALL {
            // Brute force would try all 16,777,216 ways to fill eight rows.
            if method == Stepped::BruteForce && size.get() > 7 {
                continue;
            }
            check(method.id(), &represented(method, size));
        }
    }
}
