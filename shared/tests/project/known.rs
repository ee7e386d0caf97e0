//! Compares the table of published values with the data file and, for solutions fixed by turns, with a
//! search.

use queens_core::{
    ClassCounts, Numbers, Size, Turns,
    known::{LARGEST_KNOWN, known},
};
use serde_json::Value;

const FILE: &str = include_str!("../../../tests/data/known-counts.json");

fn count(line: &Value, field: &str) -> Option<u64> {
    match &line[field] {
        Value::Null => None,
        value => Some(value.as_str().unwrap().parse().unwrap()),
    }
}

#[test]
fn the_table_matches_the_data_file() {
    let file: Value = serde_json::from_str(FILE).unwrap();
    let lines = file["counts"].as_array().unwrap();
    assert_eq!(lines.len(), 27);
    for line in lines {
        let n = u32::try_from(line["n"].as_u64().unwrap()).unwrap();
        let known = known(n).unwrap();
        assert_eq!(Some(known.total()), count(line, "total"), "N = {n}");
        assert_eq!(Some(known.unique()), count(line, "unique"), "N = {n}");
        let turns = Turns {
            half: count(line, "half_turn").unwrap(),
            quarter: count(line, "quarter_turn").unwrap(),
        };
        assert_eq!(known.turns(), turns, "N = {n}");
        let classes = count(line, "count2").map(|count2| ClassCounts {
            count2,
            count4: count(line, "count4").unwrap(),
            count8: count(line, "count8").unwrap(),
        });
        assert_eq!(known.classes(), classes, "N = {n}");
    }
}

#[test]
fn published_turns_match_a_search() {
    for size in Size::all().take(17) {
        let turns = known(size.get()).map(Numbers::turns);
        assert_eq!(turns, Some(Turns::search(size)), "N = {size}");
    }
}

#[test]
fn has_no_values_outside_the_table() {
    assert_eq!(known(0), None);
    assert!(known(LARGEST_KNOWN).is_some());
    assert_eq!(known(28), None);
    assert_eq!(known(u32::MAX), None);
}
