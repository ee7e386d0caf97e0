//! Snapshots of the outline of every view in some of its states, in English. A test of keys and
//! placeholders compares the languages.

use queens_core::Method;

use super::later::show;
use crate::address::Address;
use crate::parts::rendered::{outline, rendered_at};
use crate::words::Language;

/// Renders the view of an address and compares it with the snapshot `name`.
fn check(name: &str, query: &str) {
    let (address, problems) = Address::parse(query);
    assert!(problems.is_empty(), "{query}: {problems:?}");
    let html = rendered_at(Language::English, address.clone(), show(address.view));
    insta::assert_snapshot!(name, outline(&html));
}

/// Checks several states of a view, as pairs of a name and a query.
fn check_all(states: &[(&str, &str)]) {
    for (name, query) in states {
        check(name, query);
    }
}

#[test]
fn explore() {
    check_all(&[
        ("explore-start", "?n=8&method=backtracking"),
        ("explore-rejected", "?n=6&method=bitmap&step=25"),
        ("explore-end", "?n=5&method=mirror&step=100000"),
        ("explore-permutations", "?n=5&method=permutations&step=30"),
        ("explore-numbers", "?n=8&method=symmetry&step=300&work=1"),
        ("explore-race", "?n=6&method=bitmap&compare=symmetry&step=30"),
    ]);
}

#[test]
fn play() {
    check_all(&[
        ("play-empty", "?view=play&n=6"),
        ("play-conflict", "?view=play&n=5&queens=0:0,1:1"),
        ("play-conflicts", "?view=play&n=8&queens=0:0,0:5,3:3,6:5"),
        ("play-forced", "?view=play&n=6&queens=0:1,1:3"),
        ("play-one", "?view=play&n=8&queens=0:0,1:4"),
        ("play-solution", "?view=play&n=4&queens=0:1,1:3,2:0,3:2"),
    ]);
}

#[test]
fn solutions() {
    check_all(&[
        ("solutions-5", "?view=solutions&n=5"),
        ("solutions-folded", "?view=solutions&n=6&together=1"),
        ("solutions-9", "?view=solutions&n=9&class=4"),
        ("solutions-none", "?view=solutions&n=3"),
        ("solutions-too-many", "?view=solutions&n=20"),
        ("solution-two", "?view=solutions&n=5&solution=3,0,2,4,1"),
        ("solution-four", "?view=solutions&n=8&solution=5,3,6,0,7,1,4,2&together=1"),
        ("solution-attacked", "?view=solutions&solution=1,3,1,2"),
    ]);
}

#[test]
fn count() {
    check("count", "?view=count&n=16");
}

#[test]
fn results() {
    check("results", "?view=results");
}

#[test]
fn learn() {
    check("learn", "?view=learn");
}

#[test]
fn every_lesson() {
    for &lesson in Method::ALL {
        let id = lesson.id();
        check(&format!("lesson-{id}"), &format!("?view=lesson&lesson={id}&seed=10"));
    }
}

#[test]
fn explanation() {
    check("explanation", "?view=explanation");
}

#[test]
fn numbers() {
    check("numbers", "?view=numbers");
}
