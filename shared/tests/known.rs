//! The table of known values against the data file and against Burnside's formula.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

use queens_core::known::{Known, LARGEST_KNOWN, known};
use serde_json::Value;

const FILE: &str = include_str!("../../tests/data/known-counts.json");

fn count(line: &Value, field: &str) -> Option<u64> {
    match &line[field] {
        Value::Null => None,
        value => Some(value.as_str().unwrap().parse().unwrap()),
    }
}

#[test]
fn the_table_is_the_data_file() {
    let file: Value = serde_json::from_str(FILE).unwrap();
    let lines = file["counts"].as_array().unwrap();
    assert_eq!(lines.len(), 27);
    for line in lines {
        let n = u32::try_from(line["n"].as_u64().unwrap()).unwrap();
        let expected = Known {
            n,
            total: count(line, "total").unwrap(),
            unique: count(line, "unique").unwrap(),
            half_turn: count(line, "half_turn").unwrap(),
            quarter_turn: count(line, "quarter_turn").unwrap(),
            classes: count(line, "count2")
                .map(|two| (two, count(line, "count4").unwrap(), count(line, "count8").unwrap())),
        };
        assert_eq!(known(n), Some(&expected), "N = {n}");
    }
}

#[test]
fn classes_add_up() {
    for n in 2..=LARGEST_KNOWN {
        let line = known(n).unwrap();
        let (two, four, eight) = line.classes.unwrap();
        assert_eq!(2 * two + 4 * four + 8 * eight, line.total, "N = {n}");
        assert_eq!(two + four + eight, line.unique, "N = {n}");
        assert_eq!(2 * two + 4 * four, line.half_turn, "N = {n}");
    }
}

#[test]
fn nothing_is_known_outside_the_table() {
    assert_eq!(known(0), None);
    assert_eq!(known(28), None);
    assert_eq!(known(u32::MAX), None);
}
