//! `queens complete`: the whole count, and the limit of its list.

use queens_core::Placement;

use crate::support::{known, line};

#[test]
fn counts_all_solutions_without_queens() {
    for args in ["complete 12 --json --threads 3", "complete 12 --json --queens="] {
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
