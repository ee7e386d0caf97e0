//! `queens complete` against the naive solver.

use queens_core::{Placement, Queens, Size, notation, oracle};

use crate::support::{known, line};

/// The solutions that contain the queens (row, column from the left), as columns from the left.
fn expected(n: u32, queens: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    oracle::solutions(Size::new(n).unwrap(), &mut |placement| {
        let columns: Vec<u32> = placement.columns_from_left().collect();
        if queens.iter().all(|&(row, column)| columns[row as usize] == column) {
            found.push(columns);
        }
    });
    found
}

#[test]
fn completions_match_the_oracle() {
    for (n, queens) in [
        (1, &[][..]),
        (1, &[(0, 0)]),
        (3, &[]),
        (5, &[(0, 0)]),
        (8, &[]),
        (8, &[(0, 0)]),
        (8, &[(3, 6), (0, 2)]),
        (8, &[(0, 2), (1, 4), (2, 1), (3, 7), (4, 0), (5, 6), (6, 3), (7, 5)]),
        (9, &[(4, 4), (8, 1)]),
    ] {
        let given: Vec<String> = queens.iter().map(|(row, c)| format!("{row}:{c}")).collect();
        let given = given.join(",");
        for threads in [1, 3] {
            let output = line(&format!(
                "complete {n} --queens={given} --limit 1000 --json --threads {threads}"
            ));
            assert_eq!(output.code, Some(0), "{output:?}");
            let json = output.json();
            let mut expected = expected(n, queens);
            assert_eq!(json["total"], expected.len().to_string(), "N = {n} {given}");
            let mut listed: Vec<Vec<u32>> =
                serde_json::from_value(json["solutions"].clone()).unwrap();
            listed.sort();
            expected.sort();
            assert_eq!(listed, expected, "N = {n} {given}");
            let mut reported: Vec<(u32, u32)> =
                serde_json::from_value(json["queens"].clone()).unwrap();
            reported.sort_unstable();
            let mut queens = queens.to_vec();
            queens.sort_unstable();
            assert_eq!(reported, queens);
        }
    }
}

#[test]
fn completions_match_the_table_of_positions() {
    let table = include_str!("../../data/positions.txt");
    for position in table.lines().filter(|line| !line.starts_with('#')) {
        let facts: Vec<&str> = position.split_whitespace().take(4).collect();
        let [n, solutions, _class, queens] = facts[..] else { panic!("{position}") };
        let given = if queens == "-" { String::new() } else { format!(" --queens={queens}") };
        let output = line(&format!("complete {n}{given} --json"));
        assert_eq!(output.json()["total"], solutions, "{position}");
    }
}

#[test]
fn counts_all_solutions_without_queens() {
    for args in ["complete 12 --json", "complete 12 --json --queens="] {
        assert_eq!(line(args).json()["total"], known(12)["total"]);
    }
}

#[test]
fn limit_shortens_only_the_list() {
    let json = line("complete 8 --limit 5 --json").json();
    assert_eq!(json["solutions"].as_array().unwrap().len(), 5);
    assert_eq!(json["total"], "92");
    for columns in json["solutions"].as_array().unwrap() {
        let columns: Vec<u32> = serde_json::from_value(columns.clone()).unwrap();
        assert!(Placement::from_left(&columns).is_ok());
    }
}

#[test]
fn counts_completions_of_a_large_board_with_many_queens() {
    let queens = "0:27,1:25,2:23,3:5,4:15,5:24,6:7,7:21,8:14,9:2,10:4,11:9,12:22";
    let size = Size::new(28).unwrap();
    let given = notation::queens(size, queens).unwrap();
    assert_eq!(given.conflicts().count(), 0);
    let json = line(&format!("complete 28 --queens {queens} --limit 1 --json")).json();
    // The page and the command use the same search. The reference is another one, which proceeds row
    // by row.
    assert_eq!(json["total"], row_by_row(&given, 0, &mut vec![]).to_string());
}

/// Plain backtracking from the top, with the given queens in their rows.
fn row_by_row(given: &Queens, row: u32, above: &mut Vec<u32>) -> u64 {
    if row == given.size().get() {
        return 1;
    }
    let queen_here = given.rows()[row as usize];
    let closed = given.closed(row);
    let mut found = 0;
    for column in 0..given.size().get() {
        let is_open = if queen_here.is_empty() {
            !closed.contains(column)
        } else {
            queen_here.contains(column)
        };
        let attacked = (1..).zip(above.iter().rev()).any(|(distance, &queen): (u32, &u32)| {
            queen == column || queen.abs_diff(column) == distance
        });
        if is_open && !attacked {
            above.push(column);
            found += row_by_row(given, row + 1, above);
            above.pop();
        }
    }
    found
}
