//! Which solution a finished board is, and how many classes the user has found in this browser.

use std::collections::BTreeSet;

use queens_core::known::known;
use queens_core::{Numbers, Orbit, Placement, Size, Stepped};
use yew::prelude::*;

use crate::browser::storage;
use crate::parts::step::use_location;
use crate::words::{Language, grouped, tr, use_language};
use crate::worker::Location;

/// The largest board whose solutions are numbered: the symmetry method ends within a second there.
const MAX_NUMBERED: u32 = 12;

/// The numbers of a solution and of its class, from 1, as `queens boards` prints them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    solution: u64,
    class: u64,
}

impl Number {
    /// Returns the numbers of a solution whose representative the symmetry method reaches at this place.
    fn of(solution: &Placement, location: &Location) -> Option<Number> {
        let orbit = Orbit::of(solution);
        let of_class = Orbit::of(orbit.representative());
        let place = of_class.distinct().position(|image| image.placement == *solution)?;
        let before = location.total.checked_sub(of_class.class().members())?;
        Some(Number { solution: before + place as u64 + 1, class: location.kept })
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub solution: Placement,
    /// Whether the board was a puzzle.
    pub is_puzzle: bool,
    /// Begins the next board or puzzle.
    pub on_next: Callback<()>,
}

/// The largest number of classes that are drawn, each as a small square.
const MAX_DRAWN: u64 = 46;

/// The number of the solution and of its class, the classes found so far, and the button for the next board. The
/// numbers are missing on boards that are too large.
#[component]
pub fn Reward(props: &Props) -> Html {
    let language = use_language();
    let solution = props.solution;
    let size = solution.size();
    let is_numbered = size.get() <= MAX_NUMBERED;
    let representative = is_numbered.then(|| *Orbit::of(&solution).representative());
    let location = use_location(Stepped::Symmetry, representative);
    let number = location.and_then(|location| Number::of(&solution, &location));
    let found = use_memo((size, number), |&(size, number)| Some(keep(size, number?.class)));
    let known = known(size.get());
    let numbers = number.zip(found.as_ref().as_ref()).zip(known);
    let numbers =
        numbers.map(|((number, found), known)| numbers_of(language, number, found, known));
    html! {
        <div id="reward" class="reward">
            <div role="status">{ for numbers }</div>
            <button id="next-board" type="button" class="primary" onclick={props.on_next.reform(|_| ())}>
                { tr!(language, if props.is_puzzle { "play.puzzle-next" } else { "play.next" }) }
            </button>
        </div>
    }
}

/// Renders the number of a solution and of its class among the `known` ones, and the classes `found` so far.
fn numbers_of(language: Language, number: Number, found: &BTreeSet<u64>, known: &Numbers) -> Html {
    let unique = known.unique();
    let left = unique.saturating_sub(found.len() as u64);
    let said = match (unique, left) {
        (1, 0) => tr!(language, "play.found-only"),
        (_, 0) => tr!(language, "play.found-all", unique = grouped(unique)),
        _ => {
            let count = grouped(found.len() as u64);
            tr!(language, "play.found", found = count, unique = grouped(unique))
        }
    };
    let this = number.class;
    let number = tr!(
        language,
        "play.number",
        solution = grouped(number.solution),
        total = grouped(known.total()),
        class = grouped(this),
        unique = grouped(unique)
    );
    let squares = (1..=unique).filter(|_| unique <= MAX_DRAWN).map(|class| {
        let is_found = found.contains(&class).then_some("found");
        let is_this = (class == this).then_some("this");
        html! { <li key={class} class={classes!(is_found, is_this)}>{ class }</li> }
    });
    html! {
        <>
            <p>{ number }</p>
            <ol class="found-classes" aria-hidden="true">{ for squares }</ol>
            <p class="soft">{ said }</p>
        </>
    }
}

/// Adds a class to those found on boards of a size, and returns them.
fn keep(size: Size, class: u64) -> BTreeSet<u64> {
    let key = format!("queens-found-{size}");
    let mut found = parse(&storage::recall(&key).unwrap_or_default());
    if found.insert(class) {
        let numbers: Vec<_> = found.iter().map(u64::to_string).collect();
        storage::remember(&key, &numbers.join(","));
    }
    found
}

/// Parses a list of classes. What is not a number was not written by this page, and is ignored.
fn parse(numbers: &str) -> BTreeSet<u64> {
    numbers.split(',').filter_map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use queens_core::{Event, Found, Tracer};

    use super::*;

    /// Numbers the solutions in the order of `queens boards`.
    #[test]
    fn all_solutions_have_their_numbers() {
        for n in 1..=8 {
            let size = Size::new(n).unwrap();
            let mut search = Tracer::new(Stepped::Symmetry, size);
            let mut expected = Number { solution: 0, class: 0 };
            while let Some(event) = search.forward() {
                let Event::Solution { found: Found::Class(_) } = event else { continue };
                let orbit = Orbit::of(&search.view().placement().unwrap());
                let tally = &search.work().tally;
                let location =
                    Location { step: 0, kept: tally.met(), total: tally.total().unwrap() };
                expected.class += 1;
                for image in orbit.distinct() {
                    expected.solution += 1;
                    assert_eq!(Number::of(&image.placement, &location), Some(expected));
                }
            }
            let known = known(n).unwrap();
            assert_eq!([expected.solution, expected.class], [known.total(), known.unique()]);
        }
    }

    #[test]
    fn only_numbers_are_classes() {
        assert_eq!(parse("3,1,x,,3"), BTreeSet::from([1, 3]));
        assert_eq!(parse(""), BTreeSet::new());
    }
}
