//! Tests of the numbers, marks and links that the views show in some states. They find elements by ids
//! and attributes. The snapshots of [`view_snapshots`](super::view_snapshots) cover the sentences.

use queens_core::known::known;
use queens_core::{
    Class, ClassCounts, Completions, Conflict, Event, Found, Method, Placement, Queens, Size,
    Square, Stepped, Tracer, notation, representative,
};

use super::later::show;
use crate::address::Address;
use crate::parts::rendered::{Tag, elements, rendered_at};
use crate::words::{Language, grouped, plain, size_error};

/// Renders the view of an address.
fn page(language: Language, query: &str) -> String {
    let (address, problems) = Address::parse(query);
    assert!(problems.is_empty(), "{query}: {problems:?}");
    rendered_at(language, address.clone(), show(address.view))
}

/// Returns the only element whose tag contains `mark`.
fn only<'a>(html: &'a str, mark: &str) -> Tag<'a> {
    match elements(html, mark)[..] {
        [element] => element,
        ref found => panic!("{} elements with {mark}", found.len()),
    }
}

/// Returns an attribute of each element whose tag contains `mark`.
fn attributes(html: &str, mark: &str, name: &str) -> Vec<String> {
    elements(html, mark).iter().filter_map(|element| element.attribute(name)).collect()
}

fn queens(n: u32, squares: &str) -> Queens {
    notation::queens(Size::new(n).unwrap(), squares).unwrap()
}

#[test]
fn play_counts_the_solutions_with_the_queens() {
    for (n, squares) in [
        (1, ""),
        (2, ""),
        (3, "1:1"),
        (6, "0:1"),
        (8, "0:0,1:4"),
        (9, "4:4"),
        (20, "0:0,1:2,2:4,3:1,4:3,5:12,6:14,7:11"),
    ] {
        let html = page(Language::English, &format!("?view=play&n={n}&queens={squares}"));
        let count = Completions::new(&queens(n, squares)).count();
        let shown = only(&html, "id=\"completions\"");
        assert_eq!(shown.attribute("data-count"), Some(count.to_string()), "N = {n}: {squares}");
        assert_eq!(shown.attribute("data-state").as_deref(), Some("done"));
        let buttons = elements(&html, "id=\"show-one\"");
        let can_show = buttons.iter().any(|button| button.attribute("disabled").is_none());
        let complete = queens(n, squares).placement().is_some();
        assert_eq!(can_show, count > 0 && !complete, "N = {n}: {squares}");
    }
}

#[test]
fn play_marks_attacked_squares_and_joins_queens_in_conflict() {
    let squares = "0:0,0:5,3:3,6:5,7:1";
    let given = queens(8, squares);
    let html = page(Language::English, &format!("?view=play&n=8&queens={squares}"));
    let lines = [["x1", "y1"], ["x2", "y2"]].map(|names| {
        let [xs, ys] = names.map(|name| attributes(&html, "class=\"conflict\"", name));
        xs.into_iter().zip(ys).collect::<Vec<_>>()
    });
    // A line begins and ends at the edges of its squares.
    let end = |square: Square, other: Square| {
        let ((row, column), (other_row, other_column)) = (square.to_left(), other.to_left());
        let place = |at: u32, other: u32| {
            (20 * (2 * at + u32::from(at <= other) + u32::from(at < other))).to_string()
        };
        (place(column, other_column), place(row, other_row))
    };
    let firsts = given.conflicts().map(|Conflict { first, second, .. }| end(first, second));
    let seconds = given.conflicts().map(|Conflict { first, second, .. }| end(second, first));
    assert_eq!(lines, [firsts.collect::<Vec<_>>(), seconds.collect()]);
    let on_board = only(&html, "id=\"board\"").inner();
    assert_eq!(elements(on_board, "data-conflict=\"true\"").len(), 4);
    for square in Square::all(given.size()) {
        let (row, column) = square.to_left();
        let state = only(on_board, &format!("data-row=\"{row}\" data-column=\"{column}\""));
        let expected = if given.contains(square) {
            "queen"
        } else if given.closed(row).contains(square.to_right().1) {
            "attacked"
        } else {
            "free"
        };
        let state = state.attribute("data-state").unwrap();
        assert!(state == expected || expected == "free" && state == "forced", "{square}: {state}");
    }
}

#[test]
fn classes_match_the_published_numbers() {
    for n in (1..=10).chain([12]) {
        let html = page(Language::English, &format!("?view=classes&n={n}"));
        let numbers = known(n).unwrap();
        assert_eq!(only(&html, "id=\"unique\"").content(), grouped(numbers.unique()), "N = {n}");
        assert_eq!(only(&html, "id=\"total\"").content(), grouped(numbers.total()), "N = {n}");
        let counts = match numbers.classes() {
            Some(ClassCounts { count2, count4, count8 }) => {
                vec![(Class::Two, count2), (Class::Four, count4), (Class::Eight, count8)]
            }
            None => vec![(Class::One, 1)],
        };
        let ledger = only(&html, "id=\"ledger\"").inner();
        for (class, count) in counts {
            let row = only(ledger, &format!("data-class=\"{class}\""));
            assert!(row.content().contains(&grouped(count)), "N = {n}: {class}");
            let boards =
                attributes(&html, &format!("data-testid=\"shelf-{class}\""), "data-boards");
            // Folded solutions have a column for each size of classes.
            let is_shown = count > 0 || n <= 8 && numbers.total() > 0;
            let expected: Vec<_> = is_shown.then(|| count.to_string()).into_iter().collect();
            assert_eq!(boards, expected, "N = {n}: {class}");
        }
        let is_empty = !elements(&html, "data-testid=\"no-classes\"").is_empty();
        assert_eq!(is_empty, numbers.unique() == 0, "N = {n}");
    }
}

/// Returns the representatives in the order of the search, with their classes.
fn classes(n: u32) -> Vec<(Class, Placement)> {
    let mut tracer = Tracer::new(Stepped::Symmetry, Size::new(n).unwrap());
    let mut classes = vec![];
    while let Some(step) = tracer.forward() {
        if let Event::Solution { found: Found::Class(class) } = step {
            classes.push((class, tracer.view().placement().unwrap()));
        }
    }
    classes
}

#[test]
fn filters_select_classes() {
    let all = classes(9);
    let is_corner = |board: &Placement| board.columns_from_right()[0] == 0;
    type Predicate<'a> = &'a dyn Fn(&(Class, Placement)) -> bool;
    let filters: [(&str, Predicate<'_>); 5] = [
        ("", &|_| true),
        ("&class=turned", &|(class, _)| *class != Class::Eight),
        ("&class=8", &|(class, _)| *class == Class::Eight),
        ("&class=8&first=corner", &|(class, board)| *class == Class::Eight && is_corner(board)),
        ("&class=8&first=5", &|(class, board)| {
            *class == Class::Eight && board.columns_from_left().next() == Some(5)
        }),
    ];
    for (filter, selects) in filters {
        let mut expected: Vec<_> = all.iter().filter(|class| selects(class)).collect();
        assert!(!expected.is_empty(), "{filter}");
        expected.sort_by_key(|(class, _)| class.members());
        // The first boards of each size are there at once.
        let fours = expected.iter().filter(|(class, _)| *class == Class::Four).count();
        expected.truncate(fours + 25);
        let expected: Vec<_> = expected.into_iter().map(|(_, board)| board.to_string()).collect();
        let html = page(Language::English, &format!("?view=classes&n=9{filter}"));
        assert_eq!(attributes(&html, "data-columns", "data-columns"), expected, "{filter}");
        if filter.contains("first=corner") {
            assert!(expected.len() > 1);
            let reversed =
                page(Language::English, &format!("?view=classes&n=9{filter}&order=largest"));
            let reversed = attributes(&reversed, "data-columns", "data-columns");
            assert_eq!(
                reversed.iter().rev().collect::<Vec<_>>(),
                expected.iter().collect::<Vec<_>>()
            );
        }
    }
    for language in Language::ALL {
        let html = page(language, "?view=classes&n=9&class=2");
        assert!(!only(&html, "data-testid=\"nothing-chosen\"").content().is_empty());
    }
}

#[test]
fn too_many_boards_for_a_picture_are_offered_as_csv_only() {
    for (language, query, fits) in [
        (Language::English, "n=10", true),
        (Language::English, "n=12", false),
        (Language::Japanese, "n=12", false),
        (Language::English, "n=12&class=turned", true),
    ] {
        let html = page(language, &format!("?view=classes&{query}"));
        let has = |id: &str| !elements(&html, &format!("id=\"{id}\"")).is_empty();
        let offered = ["save-csv", "save-svg", "save-png"].map(has);
        assert_eq!(offered, [true, fits, fits], "{query}");
        let hints = elements(&html, "id=\"no-picture\"");
        assert_eq!(hints.is_empty(), fits, "{query}");
        let limit = if language == Language::English { "at most 500" } else { "500 個" };
        assert!(hints.iter().all(|hint| hint.content().contains(limit)), "{query}");
    }
}

#[test]
fn symmetries_link_to_explore_up_to_14_rows() {
    for n in [8, 14, 15] {
        let board = Completions::new(&queens(n, "")).next().unwrap();
        let board = representative(&board);
        let columns: Vec<_> = board.columns_from_left().map(|column| column.to_string()).collect();
        let query = format!("?view=symmetries&n={n}&solution={}", columns.join(","));
        let html = page(Language::English, &query);
        assert_eq!(
            elements(&html, "id=\"open-in-explore\"").len(),
            usize::from(n <= 14),
            "N = {n}"
        );
    }
}

/// Returns the links whose address has a section, as pairs of the address without it and the
/// section.
fn sections(html: &str) -> Vec<(String, String)> {
    let links = attributes(html, "href=", "href");
    let sections = links.iter().filter_map(|link| link.split_once('#'));
    sections.map(|(page, section)| (page.to_owned(), section.to_owned())).collect()
}

#[test]
fn terms_lead_to_their_glossary_entries() {
    for language in Language::ALL {
        let glossary = page(language, "?view=numbers");
        let ids = attributes(&glossary, "class=\"word\"", "id");
        assert!(ids.len() >= 27, "{ids:?}");
        for entry in elements(&glossary, "class=\"word\"") {
            // A missing text is shown as its key.
            let text = entry.content();
            assert!(text.chars().count() > 50 && !text.contains("word."), "{text}");
        }
        let explanation = attributes(&page(language, "?view=explanation"), "id=", "id");
        let links: Vec<_> = sections(&glossary)
            .into_iter()
            .filter(|(page, _)| page.contains("view=explanation"))
            .collect();
        assert!(links.len() >= ids.len(), "{links:?}");
        for (_, section) in links {
            assert!(explanation.contains(&section), "{section}");
        }
        let mut linked = vec![];
        for query in [
            "?step=354&ask=2:6",
            "?step=1650&ask=1:0",
            "?step=1650&ask=6:0",
            "?step=1650&ask=7:0",
            "?step=1650&ask=4:4",
            "?n=5&method=mirror&step=2&ask=0:0",
            "?view=symmetries&solution=5,3,6,0,7,1,4,2",
            "?view=classes&n=8",
        ] {
            let html = page(language, query);
            let terms = elements(&html, "class=\"term\"");
            assert!(!terms.is_empty(), "{query}");
            for (_, id) in terms.iter().flat_map(|term| sections(term.inner())) {
                assert!(ids.contains(&id), "{query}: {id}");
                linked.push(id);
            }
        }
        for id in [
            "mask",
            "topbit",
            "endbit",
            "sidemask",
            "lastmask",
            "left",
            "down",
            "right",
            "free",
            "bound1",
            "bound2",
            "upper-side",
            "lower-side",
            "last-row",
            "corner",
            "half",
            "cells",
            "class",
            "attack",
            "stabiliser",
            "image",
            "representative",
            "judgement-value",
            "total",
            "burnside",
        ] {
            assert!(linked.iter().any(|linked| linked == id), "{id}: {linked:?}");
        }
    }
}

#[test]
fn an_unknown_lesson_is_reported_and_replaced_by_the_first() {
    for language in Language::ALL {
        let (address, problems) = Address::parse("?view=lesson&lesson=nonesuch");
        let html = rendered_at(language, address.clone(), show(address.view));
        assert_eq!(attributes(&html, "data-lesson", "data-lesson"), [Method::BruteForce.id()]);
        let [problem] = &problems[..] else { panic!("{problems:?}") };
        let text = plain(&problem.text(language));
        assert!(text.contains("lesson=nonesuch"), "{text}");
    }
}

#[test]
fn invalid_sizes_have_reasons_in_both_languages() {
    for (given, english, japanese) in [
        ("0", "0", "N = 0 は小さすぎます"),
        ("33", "33", "N = 33 は大きすぎます"),
        ("-1", "negative", "負の数は使えません"),
        ("3.5", "whole", "整数を入力してください"),
        ("八", "whole", "整数を入力してください"),
    ] {
        let error = given.parse::<Size>().unwrap_err();
        for (language, reason) in [(Language::English, english), (Language::Japanese, japanese)] {
            let text = plain(&size_error(language, error));
            assert!(text.contains(reason), "{given}: {text}");
        }
    }
}
