//! Explore as rendered at steps of searches, compared with the core.

mod board;
mod counters;
mod squares;

use std::collections::BTreeSet;

use queens_core::{Branching, Event, Masks, Size, Square, Stepped, Timeline, View};
use yew::prelude::*;

use super::Explore;
use super::board::branches::Branches;
use crate::address::{Address, ExploreLayout};
use crate::parts::rendered::{Tag, elements, rendered_at};
use crate::search::name::Name;
use crate::words::Language;

/// Renders Explore after a step of a search.
fn page(language: Language, timeline: &Timeline) -> String {
    page_with(language, timeline, None)
}

/// Renders Explore after a step of a search, with the explanation of a square.
fn page_with(language: Language, timeline: &Timeline, selected_square: Option<Square>) -> String {
    page_of(language, timeline, ExploreLayout { selected_square, ..ExploreLayout::default() })
}

/// Renders Explore after a step of a search, with overlays or open panels.
fn page_of(language: Language, timeline: &Timeline, layout: ExploreLayout) -> String {
    page_at(language, Address { layout, ..address_of(timeline) })
}

/// Renders Explore at an address.
fn page_at(language: Language, address: Address) -> String {
    rendered_at(language, address, html! { <Explore /> })
}

/// The address of Explore after a step of a search.
fn address_of(timeline: &Timeline) -> Address {
    let View { method, size, .. } = timeline.view();
    let (method, step) = (method.id.parse().unwrap(), timeline.step());
    Address { method, size, step, ..Address::default() }
}

/// Returns the core's timeline of a search at a step.
fn at(method: Stepped, n: u32, step: u64) -> Timeline {
    let mut timeline = Timeline::new(method, Size::new(n).unwrap());
    assert!(timeline.seek(step, u64::MAX));
    timeline
}

/// Returns the only element whose tag contains `mark`.
fn only<'a>(html: &'a str, mark: &str) -> Tag<'a> {
    let [element] = elements(html, mark)[..] else {
        panic!("{} elements have {mark}", elements(html, mark).len())
    };
    element
}

/// Returns the core's timeline of a whole search, at its end.
fn whole(method: Stepped, n: u32) -> Timeline {
    let mut timeline = Timeline::new(method, Size::new(n).unwrap());
    assert!(timeline.seek(u64::MAX, u64::MAX));
    timeline
}

#[test]
fn a_compared_solution_and_a_found_one_lead_to_their_images() {
    let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8).unwrap());
    let (mut compared, mut found) = (0, 0);
    while let Some(step) = timeline.forward() {
        let solution = match step {
            Event::Compare { .. } | Event::Solution { .. } => timeline.view().placement().unwrap(),
            _ => continue,
        };
        let html = page(Language::English, &timeline);
        let (to, _) =
            Address::parse(&only(&html, "id=\"to-symmetries\"").attribute("href").unwrap());
        assert_eq!(to.view, crate::address::View::Solutions);
        assert_eq!(to.solution.unwrap(), solution.columns_from_left().collect::<Vec<_>>());
        let Event::Compare { transform, .. } = step else {
            assert!(!html.contains("id=\"compared\""));
            found += 1;
            continue;
        };
        let image = only(&html, "id=\"compared\"");
        // Classes for the animation: the image turns out of the solution, and then the frame moves to the
        // deciding row.
        let view = timeline.view();
        let rows = queens_core::Comparison::new(&view.queens, view.size, transform);
        let last = rows.last().map_or(0, |row| row.row);
        let class = image.attribute("class").unwrap();
        assert_eq!(class, format!("from-{} n-{last}", transform.id()));
        let label = only(image.inner(), "aria-label=\"").attribute("aria-label").unwrap();
        assert!(label.ends_with(&transform.apply(&solution).to_string()), "{label}");
        compared += 1;
    }
    assert_eq!(found, 12);
    assert!(compared > 0);
}

/// The table of branches agrees with the core for each branch and marks the current one.
#[test]
fn masks_of_all_branches_match_the_core() {
    for (method, branching, n, step) in [
        (Stepped::Symmetry, Branching::Symmetry, 8, 1650),
        (Stepped::Bound1, Branching::Bound1, 6, 40),
        (Stepped::Bound2, Branching::Bound2, 6, 40),
        (Stepped::SideCuts, Branching::SideCuts, 6, 40),
    ] {
        let timeline = at(method, n, step);
        let view = timeline.view();
        let (language, closed) = (Language::English, Callback::noop());
        let table = html! {
            <Branches
                {branching} size={view.size} current={view.masks} {language} act={Callback::noop()} {closed}
            />
        };
        let html = rendered_at(language, Address::default(), table);
        let shown = elements(&html, "class=\"branch\"");
        let masks: Vec<_> = Masks::branches_of(branching, view.size).collect();
        assert_eq!(shown.len(), masks.len(), "{method}");
        let rows = view.size.rows();
        for (branch, masks) in shown.iter().zip(&masks) {
            let label = only(branch.inner(), "class=\"hidden-text\"").content();
            let bounds = format!("BOUND1 {}, BOUND2 {}", masks.bound1, masks.bound2);
            assert!(label.contains(&bounds), "{label}");
            for (name, word) in [
                ("TOPBIT", masks.topbit),
                ("ENDBIT", masks.endbit),
                ("SIDEMASK", masks.sidemask),
                ("LASTMASK", masks.lastmask),
            ] {
                let bits = format!("{name} {:0rows$b}", word.bits());
                assert_eq!(label.contains(&bits), !word.is_empty(), "{name}: {label}");
            }
            let is_current = branch.attribute("aria-current").as_deref() == Some("step");
            assert_eq!(is_current, view.masks.as_ref() == Some(masks), "{label}");
            for (sign, word) in [("endbit", masks.endbit), ("last-row", masks.lastmask)] {
                let bits = elements(only(branch.inner(), "class=\"bits\"").inner(), "class=\"bit");
                let bits = bits.iter().map(|bit| {
                    let class = bit.attribute("class").unwrap();
                    if class.split(' ').any(|class| class == sign) { '1' } else { '0' }
                });
                assert_eq!(bits.collect::<String>(), format!("{:0rows$b}", word.bits()), "{label}");
            }
        }
    }
}

/// Only a first visit, in either language, has the promise. Next to the method, a link leads to the race.
#[test]
fn a_first_visit_has_a_button_a_promise_and_a_link_to_the_race() {
    for (language, query) in Language::ALL.into_iter().zip(["", "?lang=ja"]) {
        let address = Address::parse(query).0;
        let html = page_at(language, address.clone());
        assert!(html.contains("id=\"watch\"") && html.contains("id=\"promise\""), "{html}");
        let link = only(&html, "id=\"compare\"").attribute("href").unwrap();
        let race = Address { compare: Some(Stepped::Symmetry), ..address };
        assert_eq!(Address::parse(&link).0, race);
    }
    for query in ["?method=backtracking&step=1", "?method=backtracking&n=7"] {
        assert!(
            !page_at(Language::English, Address::parse(query).0).contains("promise"),
            "{query}"
        );
    }
}

/// The race is in the place of the board, in a presentation, too. Its own button starts it. Tabs of earlier
/// versions are ignored.
#[test]
fn a_race_is_in_place_of_the_board() {
    for (query, has_race) in [
        ("?method=backtracking", false),
        ("?method=backtracking&compare=symmetry", true),
        ("?compare=bitmap&present=1&tab=code", true),
        ("?method=backtracking&tab=race", false),
    ] {
        let html = page_at(Language::English, Address::parse(query).0);
        assert_eq!(html.contains("id=\"board\""), !has_race, "{query}");
        assert_eq!(html.contains("id=\"watch\""), !has_race, "{query}");
        assert_eq!(html.contains("id=\"race-clock\""), has_race, "{query}");
        if has_race {
            let boards = elements(only(&html, "id=\"race\"").inner(), "class=\"marked-board");
            assert_eq!(boards.len(), 2);
        }
    }
}

/// The Tab key and screen readers go from the board to its explanation before the controls.
#[test]
fn the_bar_follows_the_explanation() {
    let html = page_at(Language::English, Address::parse("?n=8&step=300").0);
    let parts = ["board", "why", "registers", "code", "map", "play"];
    let places = parts.map(|id| html.find(&format!("id=\"{id}\"")).unwrap());
    assert!(places.is_sorted(), "{places:?}");
}

/// Links of earlier versions may name a form or a tab.
#[test]
fn the_program_marks_the_line_that_acts() {
    for query in ["?step=1480", "?form=recursive&step=1480&tab=code"] {
        let html = page_at(Language::English, Address::parse(query).0);
        let line = only(&html, "aria-current=\"step\" class=\"line").content();
        assert!(line.contains("if row < BOUND1: free &= ~SIDEMASK"), "{line}");
        let values = only(&html, "id=\"line-values\"").content();
        assert_eq!(values, "row=1 BOUND1=2 SIDEMASK=10000001 free=01110000");
        // The registers that the line names.
        let acting: Vec<_> = elements(&html, "class=\"register acts\"")
            .iter()
            .map(|register| register.attribute("id").unwrap())
            .collect();
        assert_eq!(acting, ["register-sidemask", "register-free"]);
    }
}

/// Names of registers, bounds and cells light squares, in the registers and in the program.
#[test]
fn names_of_the_method_can_be_pointed_at() {
    let names = |query| -> BTreeSet<_> {
        let html = page_at(Language::English, Address::parse(query).0);
        let in_program = only(&html, "id=\"code\"").inner().to_owned();
        let names = |html: &str| -> BTreeSet<_> {
            elements(html, "data-name=\"")
                .iter()
                .map(|name| name.attribute("data-name").unwrap())
                .collect()
        };
        assert!(names(&html).is_superset(&names(&in_program)) && !names(&in_program).is_empty());
        names(&html)
    };
    let all: BTreeSet<_> = Name::all().map(|name| name.word().to_owned()).collect();
    assert_eq!(names("?method=symmetry"), all);
    let words = ["MASK", "left", "down", "right", "free"].map(String::from);
    assert_eq!(names("?method=bitmap"), words.into());
}
