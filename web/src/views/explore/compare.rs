//! Two methods side by side, and the work of all.

use queens_core::{Method, Placement, Size};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::state::Action;
use crate::components::mini_board::MiniBoard;
use crate::components::top_bar::method_name;
use crate::i18n::{Language, grouped, tr, use_language};
use crate::worker::{Answer, Effort, Request, Ticket, use_worker};

/// What the comparison needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The method that the board shows.
    pub method: Method,
    /// The one to compare it with.
    pub with: Method,
    /// The board's side.
    pub size: Size,
    /// Chooses another method to compare with.
    pub choose: Callback<Method>,
    /// Goes to steps.
    pub act: Callback<Action>,
}

/// How far both methods are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Standing {
    efforts: [Effort; 2],
    common: u64,
    solution: Option<Placement>,
    there: bool,
}

/// A number of work of a method.
type Number = fn(&Effort) -> u64;

/// The numbers that are compared, and their names.
const NUMBERS: [(&str, Number); 6] = [
    ("compare.steps", |effort| effort.steps),
    ("explore.tried", |effort| effort.tried),
    ("explore.attacked", |effort| effort.attacked),
    ("compare.cut", |effort| effort.cut),
    ("explore.comparisons", |effort| effort.comparisons),
    ("explore.solutions", |effort| effort.met),
];

/// Two methods in lock step.
#[component]
pub fn Compare(props: &Props) -> Html {
    let language = use_language();
    let worker = use_worker();
    let Props { method, with, size, .. } = *props;
    let standing = use_state_eq(|| Standing { there: true, ..Standing::default() });
    let ticket = use_mut_ref(|| None::<Ticket>);
    {
        let (standing, ticket) = (standing.setter(), ticket.clone());
        use_effect_with(with, move |_| {
            ticket.take();
            standing.set(Standing { there: true, ..Standing::default() });
        });
    }
    let go = {
        let (standing, ticket) = (standing.clone(), ticket.clone());
        move |solutions: u64| {
            let (standing, ticket, worker) = (standing.clone(), ticket.clone(), worker.clone());
            Callback::from(move |_: MouseEvent| {
                let request = Request::Compare { first: method, second: with, size, solutions };
                standing.set(Standing { there: false, ..*standing });
                let setter = standing.setter();
                *ticket.borrow_mut() = Some(worker.ask(request, move |answer| {
                    if let Answer::Compared { efforts, common, solution, there } = answer {
                        setter.set(Standing { efforts, common, solution, there });
                    }
                }));
            })
        }
    };
    let stop = {
        let (standing, ticket) = (standing.clone(), ticket.clone());
        Callback::from(move |_: MouseEvent| {
            ticket.take();
            standing.set(Standing { there: true, ..*standing });
        })
    };
    let choose = props.choose.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        select.value().parse().unwrap_or(Method::Symmetry)
    });
    let options = Method::ALL.iter().map(|&each| {
        html! { <option value={each.id()} selected={each == with}>{ full_name(language, each) }</option> }
    });
    let Standing { efforts, common, solution, there } = *standing;
    let [first, second] = &efforts;
    let ended = first.ended && second.ended;
    let boards = [(method, first), (with, second)].map(|(each, effort)| {
        let label = tr!(language, "compare.board", method = method_name(language, each));
        html! {
            <figure data-step={effort.steps.to_string()}>
                <MiniBoard {size} queens={solution} label={label} fine=true />
                <figcaption>{ full_name(language, each) }</figcaption>
            </figure>
        }
    });
    let rows = NUMBERS.iter().map(|(name, number)| {
        let (first, second) = (number(first), number(second));
        html! {
            <tr>
                <th scope="row">{ tr!(language, name) }</th>
                <td data-count={first.to_string()}>{ grouped(first) }</td>
                <td data-count={second.to_string()}>{ grouped(second) }</td>
                <td>{ ratio(first, second) }</td>
            </tr>
        }
    });
    let said = if !there {
        tr!(
            language,
            "compare.on-the-way",
            first = grouped(first.steps),
            second = grouped(second.steps)
        )
    } else if ended {
        tr!(language, "compare.ended", count = grouped(common))
    } else if solution.is_some() {
        tr!(language, "compare.at", number = grouped(common))
    } else {
        tr!(language, "compare.start")
    };
    let step = first.steps;
    let show = props.act.reform(move |_: MouseEvent| Action::To(step));
    html! {
        <div class="compare">
            <label>
                { tr!(language, "compare.with") }{ " " }
                <select id="compare-with" onchange={choose}>{ for options }</select>
            </label>
            <div class="pair">{ for boards }</div>
            <p id="compare-said" role="status">{ said }</p>
            <div class="button-line">
                <button id="compare-back" type="button" onclick={go(common.saturating_sub(1))} disabled={common == 0 || !there}>
                    { tr!(language, "compare.previous") }
                </button>
                <button id="compare-next" type="button" class="primary" onclick={go(common + 1)} disabled={ended || !there}>
                    { tr!(language, "compare.next") }
                </button>
                <button id="compare-end" type="button" onclick={go(u64::MAX)} disabled={ended || !there}>
                    { tr!(language, "compare.end") }
                </button>
                if !there {
                    <button id="compare-stop" type="button" onclick={stop}>{ tr!(language, "explore.stop") }</button>
                } else if step > 0 {
                    <button id="compare-show" type="button" onclick={show}>{ tr!(language, "compare.show") }</button>
                }
            </div>
            <div class="scroll">
                <table id="compare-work" class="work">
                    <thead>
                        <tr>
                            <td></td>
                            <th scope="col">{ method_name(language, method) }</th>
                            <th scope="col">{ method_name(language, with) }</th>
                            <th scope="col">{ tr!(language, "compare.ratio") }</th>
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
            <Efforts key={size.get()} {method} {size} />
        </div>
    }
}

/// What the table of all methods needs.
#[derive(Properties, PartialEq)]
struct EffortsProps {
    method: Method,
    size: Size,
}

/// The work of all methods on this board, counted when somebody asks for it.
#[component]
fn Efforts(props: &EffortsProps) -> Html {
    let language = use_language();
    let worker = use_worker();
    let EffortsProps { method, size } = *props;
    let efforts = use_state_eq(Vec::<Effort>::new);
    let ticket = use_mut_ref(|| None::<Ticket>);
    let begun = use_state_eq(|| false);
    let count = {
        let (efforts, ticket, begun) = (efforts.setter(), ticket.clone(), begun.clone());
        Callback::from(move |_: MouseEvent| {
            begun.set(true);
            let efforts = efforts.clone();
            *ticket.borrow_mut() = Some(worker.ask(Request::Efforts { size }, move |answer| {
                if let Answer::Efforts { efforts: found } = answer {
                    efforts.set(found);
                }
            }));
        })
    };
    let stop = {
        let (ticket, begun) = (ticket.clone(), begun.clone());
        Callback::from(move |_: MouseEvent| {
            ticket.take();
            begun.set(false);
        })
    };
    let complete = efforts.len() == Method::ALL.len() && efforts.last().is_some_and(is_final);
    let own = efforts.get(Method::ALL.iter().position(|&each| each == method).unwrap_or(0));
    let own = own.filter(|own| own.ended).map(|own| own.tried);
    let rows = Method::ALL.iter().zip(efforts.iter()).map(|(&each, effort)| {
        let more = (!effort.ended).then_some("> ");
        let number = |count: u64| html! { <td data-count={count.to_string()}>{ more }{ grouped(count) }</td> };
        let ratio = own.filter(|_| effort.ended).map(|own| ratio(own, effort.tried));
        html! {
            <tr key={each.id()} data-method={each.id()} class={classes!((each == method).then_some("own"))} data-ended={effort.ended.to_string()}>
                <th scope="row">{ full_name(language, each) }</th>
                { number(effort.tried) }
                { number(effort.attacked) }
                { number(effort.cut) }
                { number(effort.comparisons) }
                { number(effort.met) }
                <td>{ ratio }</td>
            </tr>
        }
    });
    html! {
        <>
            <h3>{ tr!(language, "compare.all", n = size) }</h3>
            if complete || !*begun {
                <button id="efforts" type="button" onclick={count} disabled={complete}>{ tr!(language, "compare.count") }</button>
            } else {
                <button id="efforts-stop" type="button" onclick={stop}>{ tr!(language, "explore.stop") }</button>
            }
            if !efforts.is_empty() {
                <div class="scroll" tabindex="0" role="region" aria-label={tr!(language, "compare.all", n = size)}>
                    <table id="efforts-table" class="work" data-complete={complete.to_string()}>
                        <thead>
                            <tr>
                                <td></td>
                                { for NUMBERS.iter().skip(1).map(|(name, _)| html! { <th scope="col">{ tr!(language, name) }</th> }) }
                                <th scope="col">{ tr!(language, "compare.ratio") }</th>
                            </tr>
                        </thead>
                        <tbody>{ for rows }</tbody>
                    </table>
                </div>
            }
            <p class="hint">{ tr!(language, "compare.limit", steps = grouped(Effort::LIMIT)) }</p>
        </>
    }
}

/// Whether a search goes no further.
fn is_final(effort: &Effort) -> bool {
    effort.ended || effort.steps >= Effort::LIMIT
}

/// A method with its number on the ladder.
fn full_name(language: Language, method: Method) -> String {
    format!("{} {}", method.number(), method_name(language, method))
}

/// How many times as large as the first number the second one is.
fn ratio(first: u64, second: u64) -> String {
    if first == 0 {
        return "–".to_owned();
    }
    let ratio = second as f64 / first as f64;
    if ratio < 9.995 {
        format!("× {ratio:.2}")
    } else {
        format!("× {}", grouped(ratio.round() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios() {
        let shown = [(4, 1), (3, 10), (1, 10), (7, 123_456), (0, 3)].map(|(a, b)| ratio(a, b));
        assert_eq!(shown, ["× 0.25", "× 3.33", "× 10", "× 17,637", "–"]);
    }
}
