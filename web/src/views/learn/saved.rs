//! What a method saves, counted while somebody reads of it.

use queens_core::{Size, Stepped};
use yew::prelude::*;

use crate::words::{grouped, numbered_method, tr, use_language};
use crate::worker::{Answer, Common, Effort, Request, use_job};

/// One of the numbers of a search’s work.
type Number = fn(&Effort) -> u64;

/// The numbers that are told, and their names.
const NUMBERS: [(&str, Number); 3] = [
    ("explore.tried", |effort| effort.tried),
    ("explore.comparisons", |effort| effort.comparisons),
    ("explore.solutions", |effort| effort.met),
];

/// What the table needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The two methods, the earlier one first.
    pub methods: [Stepped; 2],
    /// The board's side.
    pub size: Size,
}

/// The work of two methods on a board side by side.
#[component]
pub fn Saved(props: &Props) -> Html {
    let language = use_language();
    let &Props { methods: [first, second], size } = props;
    let request = Request::Compare { first, second, size, to: Common::Number(u64::MAX) };
    let job = use_job(Some(request), |efforts: &mut Option<[Effort; 2]>, answer| match answer {
        Answer::Compared { efforts: now, there, .. } => {
            *efforts = Some(now);
            there
        }
        _ => false,
    });
    let efforts = job.answer.map_or([None; 2], |efforts| efforts.map(Some));
    let names = NUMBERS.map(|(name, _)| html! { <th scope="col">{ tr!(language, name) }</th> });
    let rows = [first, second].into_iter().zip(efforts).map(|(method, effort)| {
        let numbers = NUMBERS.map(|(_, number)| {
            // Nothing stands there until there is news.
            let count = effort.as_ref().map(number);
            html! { <td data-count={count.map(|count| count.to_string())}>{ count.map(grouped) }</td> }
        });
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
        </section>
    }
}
