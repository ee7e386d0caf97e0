//! The figures of lesson 15, whose method has no steps: two halves that match, two that do not, and
//! two counts of a large board.

use queens_core::known::known;
use queens_core::{Answer, Exercise, Line, Method, Queens, Question, Size, Square};
use queens_state::board::Row;
use queens_state::learn::judge::ExerciseState;
use queens_state::learn::replay::plain;
use yew::prelude::*;

use crate::board::marked_board::marked_board;
use crate::parts::link::Link;
use crate::place::{Address, CountParameters, View, play_address};
use crate::words::{Language, duration, grouped, numbered_method, tr};

/// The board of the two counts.
const LARGE: u32 = 16;

/// The seconds that one thread took for each count of this board, from docs/experiments.md.
const SECONDS: [(Method, f64); 2] = [(Method::Symmetry, 1.465), (Method::Halves, 0.093)];

/// Returns an exercise with the indices of two lower halves: one that matches, and one that does not. The
/// sentence about the second one names a single pair of attacking queens, so it has the fewest pairs.
fn task() -> Option<(ExerciseState, [usize; 2])> {
    // The first exercise with a board of 8 rows. Seeds that end with 3 have the hardest level.
    let task = (0..)
        .filter_map(|number| Exercise::new(Method::Halves, 10 * number + 3))
        .find(|exercise| exercise.size().get() == 8)
        .map(ExerciseState::new)?;
    let Question::Fitting(lower) = &task.exercise.question else { return None };
    let fits = |number: &usize| task.exercise.answer == Answer::Choice(*number);
    let attacks = |number: &usize| task.board(*number).map(|queens| queens.conflicts().count());
    let matching = (0..lower.len()).find(fits)?;
    let wrong = (0..lower.len()).filter(|number| !fits(number)).min_by_key(attacks)?;
    Some((task, [matching, wrong]))
}

/// Renders an upper half with a lower half that matches, and with one that does not.
pub fn pairs(language: Language, address: &Address) -> Option<Html> {
    let (task, lower_halves) = task()?;
    let figures = lower_halves.into_iter().filter_map(|number| {
        let queens = task.board(number)?;
        let verdict = match task.reason(language, &Answer::Choice(number)) {
            None => tr!(language, "lesson.fits"),
            Some(why) => tr!(language, "lesson.fits-not", why = why),
        };
        let mut rows = plain(&queens, None);
        // Mark the line between two queens that attack each other, one in each half.
        let pair = queens.conflicts().next();
        let is_between = |square: &Square| {
            pair.is_some_and(|pair| {
                let rows = pair.first.row() + 1..=pair.second.row();
                let is_on = Line::between(pair.first, *square) == pair.line;
                *square == pair.first || rows.contains(&square.row()) && is_on
            })
        };
        Row::mark(&mut rows, Square::all(queens.size()).filter(is_between));
        Some(html! {
            <figure>
                { marked_board(&rows, &verdict) }
                <figcaption>{ verdict.clone() }{ language.space() }{ to_play(language, address, queens) }</figcaption>
            </figure>
        })
    });
    Some(html! {
        <>
            <div class="lesson-boards half-boards" id="halves">{ for figures }</div>
            <p class="soft">{ tr!(language, "lesson.no-steps") }</p>
        </>
    })
}

/// Renders a link that opens queens in Play.
pub fn to_play(language: Language, address: &Address, queens: Queens) -> Html {
    let view = View::Play.name(language);
    html! {
        <Link to={play_address(address, queens)} class={classes!("lesson-open")}>
            { tr!(language, "explanation.open", view = view) }
        </Link>
    }
}

/// Renders two counts of a board that is large enough to show the difference, with links to count it
/// on the page.
pub fn counts(language: Language, address: &Address) -> Option<Html> {
    let (size, numbers) = (Size::new(LARGE).ok()?, known(LARGE)?);
    let rows = SECONDS.map(|(method, seconds)| {
        let count = CountParameters { method: Some(method), from: Some(size), to: Some(size) };
        let to = Address { count, ..address.with_view(View::Count) };
        // Methods with steps visit the representative of each class.
        let visited = if method.stepped().is_some() { numbers.unique() } else { 0 };
        html! {
            <tr data-method={method.id()}>
                <th scope="row">{ numbered_method(language, method) }</th>
                <td>{ grouped(numbers.total()) }</td>
                <td>{ grouped(visited) }</td>
                <td>{ duration(language, seconds) }</td>
                <td><Link {to}>{ tr!(language, "lesson.count-here") }</Link></td>
            </tr>
        }
    });
    let [(_, slow), (_, fast)] = SECONDS;
    Some(html! {
        <section>
            <h2 id="counts-title">{ tr!(language, "lesson.counts", n = LARGE) }</h2>
            <div class="wide-frame" tabindex="0" role="region" aria-labelledby="counts-title">
                <table id="counts" class="work">
                    <thead>
                        <tr>
                            <td></td>
                            <th scope="col">{ tr!(language, "lesson.counted") }</th>
                            <th scope="col">{ tr!(language, "lesson.visited") }</th>
                            <th scope="col">{ tr!(language, "lesson.time") }</th>
                            <td></td>
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
            <p class="soft">{ tr!(language, "lesson.counts-source", times = format!("{:.0}", slow / fast)) }</p>
        </section>
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_the_only_pair_across_the_middle() {
        let (task, lower_halves) = task().unwrap();
        let conflicts = lower_halves.map(|number| task.board(number).unwrap().conflicts().count());
        assert_eq!(conflicts, [0, 1]);
    }

    /// Compares the times with the rows of the table of measurements: the board, the method and the
    /// median in seconds.
    #[test]
    fn times_match_the_recorded_measurements() {
        let measured = include_str!("../../../../docs/experiments.md");
        for (method, seconds) in SECONDS {
            let begin = format!("| {LARGE} | `{method}` | {seconds} s (");
            let found = measured.lines().filter(|line| line.starts_with(&begin)).count();
            assert_eq!(found, 1, "{begin}");
        }
    }
}
