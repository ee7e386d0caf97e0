//! The sentences about a race and its methods.

use queens_core::{Stepped, Tally, Tracer};

use super::race::Race;
use crate::search::work_unit::WorkUnit;
use crate::words::{Language, grouped, numbered_method, tr};

/// Returns the sentence with the number of solutions that a search has found and the total that they represent.
pub fn found(language: Language, is_done: bool, tally: &Tally) -> String {
    let (met, total) = (tally.met(), tally.total().unwrap_or(u64::MAX));
    let kind = match (is_done, met) {
        (true, _) if met == total => "explore.done",
        (true, 1) => "explore.done-one",
        (true, _) => "explore.done-many",
        (false, _) if met == total => "race.found",
        (false, _) => "race.found-many",
    };
    tr!(language, kind, met = grouped(met), total = grouped(total))
}

/// Returns the sentence about the state of the race.
pub fn status_sentence(language: Language, race: &Race) -> String {
    let [first, second] = race.searches();
    match [first, second].map(Tracer::is_done) {
        [false, false] if !race.has_begun() => {
            let same = tr!(language, "race.same", moves = grouped(race.common_moves()));
            let same = Some(same).filter(|_| race.common_moves() > 0);
            let start = [tr!(language, "race.start")].into_iter().chain(same);
            start.collect::<Vec<_>>().join(language.space())
        }
        [false, false] => so_far(language, [first, second]),
        [true, false] => ahead(language, first, second),
        [false, true] => ahead(language, second, first),
        [true, true] => {
            let units = race.units().filter_map(|unit| compared(language, unit, race));
            units.chain(reason(language, race)).collect::<Vec<_>>().join(language.space())
        }
    }
}

/// Returns the section of the explanation on how symmetry saves queens, if the sentence about a race that is
/// over says so.
pub fn symmetry_section(race: &Race) -> Option<&'static str> {
    let (key, _) = reason_key(race).filter(|_| race.is_over())?;
    Some(if key == "race.saves-half" { "mirror" } else { "total" })
}

/// Returns the sentence that compares the solutions that both searches have counted so far.
fn so_far(language: Language, [first, second]: [&Tracer; 2]) -> String {
    let total = |search: &Tracer| search.work().tally.total().unwrap_or(u64::MAX);
    let (more, less) =
        if total(first) >= total(second) { (first, second) } else { (second, first) };
    if total(more) == total(less) {
        return tr!(language, "race.even", count = grouped(total(more)));
    }
    tr!(
        language,
        "race.so-far",
        first = numbered_method(language, more.method()),
        more = grouped(total(more)),
        second = numbered_method(language, less.method()),
        fewer = grouped(total(less))
    )
}

/// Returns the sentence for a race in which only `first` has ended.
fn ahead(language: Language, first: &Tracer, second: &Tracer) -> String {
    tr!(
        language,
        "race.ahead",
        first = numbered_method(language, first.method()),
        moves = grouped(first.beats()),
        second = numbered_method(language, second.method())
    )
}

/// Returns the sentence that compares the work of two finished searches; `None` if one of them does
/// not try squares one by one.
fn compared(language: Language, unit: WorkUnit, race: &Race) -> Option<String> {
    let [first, second] = race.searches();
    let number = |search: &Tracer| unit.count(search.work());
    let (less, more) =
        if number(first) <= number(second) { (first, second) } else { (second, first) };
    let (few, many) = (number(less), number(more));
    match (few, many) {
        (0, _) if unit == WorkUnit::SquaresTried => None,
        _ if few == many => {
            let key = format!("race.{}-equal", unit.id());
            Some(tr!(language, key, count = grouped(few)))
        }
        (0, _) => Some(tr!(
            language,
            "race.put-none",
            less = numbered_method(language, less.method()),
            more = numbered_method(language, more.method()),
            many = grouped(many)
        )),
        _ => Some(tr!(
            language,
            format!("race.{}-less", unit.id()),
            less = numbered_method(language, less.method()),
            few = grouped(few),
            more = numbered_method(language, more.method()),
            many = grouped(many),
            share = share(language, few, many)
        )),
    }
}

/// Returns the sentence that says how symmetry saves queens, if the method that put fewer queens uses
/// symmetry in a way that the other one does not.
fn reason(language: Language, race: &Race) -> Option<String> {
    let (key, method) = reason_key(race)?;
    Some(tr!(language, key, method = numbered_method(language, method)))
}

/// Returns the key of that sentence and the method that it names.
fn reason_key(race: &Race) -> Option<(&'static str, Stepped)> {
    let [first, second] = race.searches();
    let put = |search: &Tracer| search.work().placed;
    let (less, more) = if put(first) <= put(second) { (first, second) } else { (second, first) };
    let [key, other] = [less, more].map(|search| saving(search.method()));
    // Methods that halve the first row skip nearly the same boards.
    let is_shared =
        key == other || [less, more].iter().all(|search| search.method().facts().half.is_some());
    let is_shown = put(less) < put(more) && less.work().tally.met() > 0 && !is_shared;
    key.filter(|_| is_shown).map(|key| (key, less.method()))
}

/// Returns the key of the sentence about the boards that a method skips because of symmetry. Methods that
/// only compare full boards skip none.
fn saving(method: Stepped) -> Option<&'static str> {
    let facts = method.facts();
    match (facts.half, facts.counts_classes()) {
        (Some(_), false) => Some("race.saves-half"),
        (Some(_), true) => Some("race.saves-half-classes"),
        (None, true) if !facts.rules.is_empty() => Some("race.saves-classes"),
        (None, _) => None,
    }
}

/// Returns `few / many` in words: about half, a third or a quarter, otherwise a percentage.
fn share(language: Language, few: u64, many: u64) -> String {
    let share = few as f64 / many as f64;
    for (part, key) in [(2.0, "race.half"), (3.0, "race.third"), (4.0, "race.quarter")] {
        if (share * part - 1.0).abs() < 0.04 {
            return tr!(language, key);
        }
    }
    let percent = share * 100.0;
    let percent = if percent < 9.95 { format!("{percent:.1}") } else { format!("{percent:.0}") };
    tr!(language, "race.percent", percent = percent)
}

#[cfg(test)]
mod tests {
    use queens_core::{Branching, Size};

    use super::*;
    use crate::views::explore::model::race::RaceAction;

    /// Returns a race that is over.
    fn ended(methods: [Stepped; 2], n: u32) -> Race {
        let mut race = Race::new(methods, Size::new(n).unwrap());
        race.toggle();
        race.run_unlimited(&mut || true);
        race
    }

    #[test]
    fn compares_the_work_of_the_first_race() {
        let race = ended([Stepped::Bitmap, Stepped::Symmetry], 8);
        assert_eq!(
            status_sentence(Language::English, &race),
            "14 Symmetry put 505 queens, 7 Bitmap put 2,056: about a quarter. 14 Symmetry skips most \
             boards that are turns or mirror images of others, and counts each solution that it keeps \
             2, 4 or 8 times."
        );
        let [bitmap, symmetry] = race.searches();
        let found = |search: &Tracer| found(Language::English, true, &search.work().tally);
        assert_eq!(found(bitmap), "Done. Solutions: 92");
        assert_eq!(found(symmetry), "Done. 12 boards stand for 92");
    }

    #[test]
    fn names_the_search_that_ends_first() {
        let mut race = Race::new([Stepped::Bitmap, Stepped::Symmetry], Size::new(8).unwrap());
        race.toggle();
        while race.searches().iter().all(|search| !search.is_done()) {
            race.frame(16.0, &mut || true);
        }
        let text = format!(
            "14 Symmetry is done after {} moves. 7 Bitmap is still searching.",
            grouped(race.searches()[1].beats())
        );
        assert_eq!(status_sentence(Language::English, &race), text);
    }

    #[test]
    fn compares_the_solutions_counted_so_far() {
        let mut race = Race::new([Stepped::Bitmap, Stepped::Symmetry], Size::new(8).unwrap());
        race.apply(RaceAction::Move);
        let even = "So far, both have counted 0 solutions.";
        assert_eq!(status_sentence(Language::English, &race), even);
        let counted = |race: &Race| {
            race.searches().clone().map(|search| search.work().tally.total().unwrap())
        };
        while counted(&race)[1] < 20 {
            race.apply(RaceAction::Move);
        }
        let [bitmap, symmetry] = counted(&race);
        let text = format!(
            "After the same number of moves, 14 Symmetry has counted {symmetry} solutions and 7 Bitmap {bitmap}."
        );
        assert_eq!(status_sentence(Language::English, &race), text);
    }

    #[test]
    fn compares_each_unit_separately() {
        let sentence = |methods| status_sentence(Language::English, &ended(methods, 8));
        assert_eq!(
            sentence([Stepped::Backtracking, Stepped::Flags]),
            "Queens put by both: 2,056. Squares tested by both: 15,720."
        );
        // A number of squares is never compared with a number of queens.
        let mixed = sentence([Stepped::Backtracking, Stepped::Symmetry]);
        let expected = "14 Symmetry put 505 queens, 3 Backtracking put 2,056: about a quarter. ";
        assert!(mixed.starts_with(expected), "{mixed}");
        assert_eq!(share(Language::English, 1, 2), "about half");
        assert_eq!(share(Language::English, 1, 3), "about a third");
        assert_eq!(share(Language::English, 7, 10), "70%");
        assert_eq!(share(Language::English, 1, 30), "3.3%");
    }

    /// How many boards a method skips: none, all with a first queen in one half, or more.
    #[test]
    fn says_how_symmetry_saves_queens() {
        for &method in Stepped::ALL {
            let race = ended([method, Stepped::Backtracking], 6);
            let [english, japanese] =
                Language::ALL.map(|language| status_sentence(language, &race));
            let [put, all] = race.searches().each_ref().map(|search| search.work().placed);
            // Methods 11 and 12 leave out one square of the first row, as a side effect.
            let is_shorter = put < all
                && !matches!(method.facts().branching, Some(Branching::Bound1 | Branching::Bound2));
            let signs = ["searches only half of the first row", "skips most boards"];
            let said = signs.map(|sign| english.contains(sign));
            assert_eq!(said.contains(&true), is_shorter, "{method}: {english}");
            assert_eq!(said[0], put * 2 == all, "{method}: {english}");
            assert_eq!(japanese.contains("鏡像"), is_shorter, "{method}: {japanese}");
            let times = ["2, 4 or 8 times", "twice"].map(|times| english.contains(times));
            let classes = method.facts().counts_classes();
            assert_eq!(times, [is_shorter && classes, is_shorter && !classes], "{english}");
        }
        // Both leave out half of the first row. Mirror also halves row 1 below a middle queen.
        for (other, size) in [(Stepped::Mirror, 6), (Stepped::FlagsSymmetryHalf, 7)] {
            let race = ended([Stepped::Mirror, other], size);
            assert!(!status_sentence(Language::English, &race).contains("first row"), "{other}");
        }
    }

    #[test]
    fn small_boards_end_at_once() {
        for (n, end) in [
            (1, "Queens put by both: 1."),
            (2, "14 Symmetry put no queen, 7 Bitmap put 2."),
            (3, "14 Symmetry put no queen, 7 Bitmap put 5."),
        ] {
            let race = ended([Stepped::Bitmap, Stepped::Symmetry], n);
            assert!(race.is_over());
            assert_eq!(status_sentence(Language::English, &race), end);
            assert!(!status_sentence(Language::Japanese, &race).is_empty());
        }
    }
}
