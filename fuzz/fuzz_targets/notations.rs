//! Any bytes as a file with boards or a table: no panic, and solutions are read again as printed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use queens_core::{
    material::{Checker, Material},
    notation::{Found, decode, read},
};

fuzz_target!(|bytes: &[u8]| {
    let Some(text) = decode(bytes) else { return };
    for found in read(&text) {
        let board = match found {
            Found::Board(board) => board,
            Found::Ignored(line) => {
                assert!(!line.error.to_string().is_empty());
                continue;
            }
            Found::Wrong { error, .. } => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let Ok(placement) = board.placement() else { continue };
        let drawn = format!("{placement:#?}");
        let drawn = drawn.split_once('\n').map_or("", |(_, drawn)| drawn);
        for printed in [&placement.to_string(), drawn] {
            assert_eq!(printed.parse(), Ok(placement), "{printed}");
        }
    }
    let mut checker = Checker::default();
    text.lines().for_each(|line| checker.line(line));
    let material = checker.finish();
    for finding in material.findings(100) {
        assert!(!finding.to_string().is_empty());
    }
    match material {
        Material::Boards(boards) => {
            let solutions: u64 = boards.sizes().values().map(|found| found.solutions()).sum();
            assert!(solutions <= boards.count());
        }
        Material::Totals(totals) => assert!(totals.wrong().len() <= 2 * totals.rows()),
    }
});
