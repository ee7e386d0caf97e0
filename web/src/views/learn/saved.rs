//! The work that a method saves: a table of its work and that of an earlier method, counted while the
//! lesson is open.

use queens_core::{Size, Stepped};
use yew::prelude::*;

use super::model::asked::asked;
use crate::search::work_unit::WorkUnit;
use crate::words::{grouped, numbered_method, tr, use_language};
use crate::worker::{Answer, Effort, Request, use_job};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The two methods, the earlier one first.
    pub methods: [Stepped; 2],
    pub size: Size,
    /// A note on the meaning of the numbers.
    pub note: Option<String>,
}

/// The table of the work of both methods on a board.
#[component]
pub fn SavedWork(props: &Props) -> Html {
    let language = use_language();
    let &Props { methods: [first, second], size, ref note } = props;
    let request = Request::Efforts { methods: vec![first, second], size };
    let job = use_job(Some(request), |efforts: &mut Vec<Effort>, answer| {
        if let Answer::Efforts { efforts: latest } = answer {
            *efforts = latest;
        }
        matches!(efforts[..], [_, Effort { has_ended: true, .. }])
    });
    let attack_checks = *use_memo((first, second, size), |&(first, second, size)| {
        ((first, second) == (Stepped::Backtracking, Stepped::Flags)).then(|| asked(size))
    });
    let efforts = [0, 1].map(|method| job.answer.get(method).copied());
    let compares = efforts.iter().flatten().any(|effort| effort.comparisons > 0);
    // The second measure: attack checks for the two methods that take the same steps, otherwise
    // comparisons, if there are any.
    let second_measure = match attack_checks {
        Some(_) => Some("lesson.asked"),
        None => compares.then_some("work.comparisons"),
    };
    let tests = |method: Stepped| WorkUnit::SquaresTried.applies_to(method.facts());
    let tested = [first, second].into_iter().any(tests);
    let names =
        [Some("work.put"), tested.then_some("work.looked"), second_measure, Some("lesson.kept")];
    let names = names.into_iter().flatten();
    let names = names.map(|name| html! { <th scope="col">{ tr!(language, name) }</th> });
    let attack_checks = attack_checks.map_or([None; 2], |attack_checks| attack_checks.map(Some));
    let rows = [first, second].into_iter().zip(efforts.into_iter().zip(attack_checks));
    let rows = rows.map(|(method, (effort, attack_checks))| {
        // `None` until the first answer of the worker.
        let second_number = second_measure
            .map(|_| effort.map(|effort| attack_checks.unwrap_or(effort.comparisons)));
        let counters: [fn(Effort) -> u64; 3] =
            [|effort| effort.placed, |effort| effort.looked_at, |effort| effort.solutions];
        let [put, looked_at, kept] = counters.map(|counter| effort.map(counter));
        let cell = |count: Option<u64>, text: Option<String>| {
            html! { <td data-count={count.map(|count| count.to_string())}>{ text }</td> }
        };
        let number = |count: Option<u64>| cell(count, count.map(grouped));
        let tested = tested.then(|| match tests(method) {
            true => number(looked_at),
            false => cell(looked_at, looked_at.map(|_| "–".to_owned())),
        });
        let second_number = second_number.map(number);
        let numbers = [Some(number(put)), tested, second_number, Some(number(kept))];
        let numbers = numbers.into_iter().flatten();
        html! {
            <tr><th scope="row">{ numbered_method(language, method) }</th>{ for numbers }</tr>
        }
    });
    html! {
        <section>
            <h2 id="saves">{ tr!(language, "lesson.saves", n = size) }</h2>
            <div class="wide-frame" tabindex="0" role="region" aria-labelledby="saves">
                <table id="saved" class="work" data-complete={job.state.id()}>
                    <thead><tr><td></td>{ for names }</tr></thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
            if let Some(note) = note { <p id="note">{ note }</p> }
            <p class="soft">
                { tr!(language, "lesson.put-words") }
                if tested { { language.space() }{ tr!(language, "lesson.looked-words") } }
                if compares { { language.space() }{ tr!(language, "lesson.compared-words") } }
            </p>
        </section>
    }
}
