//! Two methods or both forms of one side by side, and the work of all.

use queens_core::{Form, Placement, Size, Stepped};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::board::mini_board::MiniBoard;
use crate::parts::search::state::Action;
use crate::views::explore::code::panel::Pane;
use crate::words::{Language, form_name, grouped, method_name, tr};
use crate::worker::{Answer, Effort, Request, Ticket, worker};

/// What the comparison needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The method that the board shows.
    pub method: Stepped,
    /// The one to compare it with; the same one stands for its other form.
    pub with: Stepped,
    /// The lines of both forms that did the board's last step, in the order of [`Form::ALL`].
    pub lines: [Option<u32>; 2],
    /// The board's side.
    pub size: Size,
    /// The page's language.
    pub language: Language,
    /// Chooses another method to compare with.
    pub choose: Callback<Stepped>,
    /// Goes to steps.
    pub act: Callback<Action>,
}

/// How far both methods are.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Standing {
    efforts: [Effort; 2],
    common: u64,
    /// The last solution in common.
    solution: Option<Placement>,
    there: bool,
    /// Whether a person has stopped them on the way.
    stopped: bool,
}

impl Standing {
    /// Before the first step.
    const START: Standing = Standing {
        efforts: [Effort::NONE; 2],
        common: 0,
        solution: None,
        there: true,
        stopped: false,
    };
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

/// What happens to the comparison.
pub enum Message {
    /// To a solution that both meet, by its number; beyond the last one, to the end.
    Go(u64),
    /// Leave the two methods where they are.
    Stop,
    /// Count the work of all methods.
    Count,
    /// Give that up.
    StopCount,
    /// What the worker has found.
    Heard(Answer),
}

/// Two methods in lock step, and the work of all.
pub struct Compare {
    standing: Standing,
    /// Keeps the worker at the two methods.
    pair: Option<Ticket>,
    /// The work of all methods as far as it is counted.
    efforts: Vec<Effort>,
    /// Keeps the worker at that.
    count: Option<Ticket>,
}

impl Component for Compare {
    type Message = Message;
    type Properties = Props;

    fn create(_ctx: &Context<Self>) -> Compare {
        Compare { standing: Standing::START, pair: None, efforts: vec![], count: None }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        if ctx.props().with != old.with {
            self.pair = None;
            self.standing = Standing::START;
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Message) -> bool {
        let Props { method, with, size, .. } = *ctx.props();
        match message {
            Message::Go(solutions) => {
                self.standing.there = false;
                let request = Request::Compare { first: method, second: with, size, solutions };
                self.pair = Some(ask(ctx, request));
            }
            Message::Stop => {
                self.pair = None;
                self.standing.there = true;
                self.standing.stopped = true;
            }
            Message::Count => self.count = Some(ask(ctx, Request::Efforts { size })),
            Message::StopCount => self.count = None,
            Message::Heard(Answer::Compared { efforts, common, solution, there }) => {
                self.standing = Standing { efforts, common, solution, there, stopped: false };
            }
            Message::Heard(Answer::Efforts { efforts }) => self.efforts = efforts,
            Message::Heard(_) => return false,
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        html! {
            <div class="compare">
                { choose(ctx) }
                if ctx.props().with == ctx.props().method { { forms(ctx) } } else { { two(ctx, &self.standing) } }
                { all(ctx, &self.efforts, self.count.is_some()) }
            </div>
        }
    }
}

fn ask(ctx: &Context<Compare>, request: Request) -> Ticket {
    let link = ctx.link().clone();
    worker().ask(request, move |answer| link.send_message(Message::Heard(answer)))
}

/// What to compare with: another method, or the method's other form.
fn choose(ctx: &Context<Compare>) -> Html {
    let Props { method, with, language, ref choose, .. } = *ctx.props();
    let choose = choose.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        select.value().parse().unwrap_or(Stepped::Symmetry)
    });
    let options = Stepped::ALL.iter().map(|&each| {
        let name = if each == method {
            tr!(language, "compare.own-forms", method = full_name(language, each))
        } else {
            full_name(language, each)
        };
        html! { <option value={each.id()} selected={each == with}>{ name }</option> }
    });
    html! {
        <label>
            { tr!(language, "compare.with") }{ " " }
            <select id="compare-with" onchange={choose}>{ for options }</select>
        </label>
    }
}

/// Both forms of the method side by side, at the lines that did the board's last step.
fn forms(ctx: &Context<Compare>) -> Html {
    let Props { method, lines, language, .. } = *ctx.props();
    let ids = ["code-recursive", "code-iterative"];
    let panes = Form::ALL.into_iter().zip(lines).zip(ids).map(|((form, line), id)| {
        html! {
            <figure>
                <figcaption>{ form_name(language, form) }</figcaption>
                <Pane {id} {method} {form} {line} />
            </figure>
        }
    });
    html! {
        <>
            <p>{ tr!(language, "compare.forms") }</p>
            <div class="forms-pair">{ for panes }</div>
        </>
    }
}

/// Two methods side by side.
fn two(ctx: &Context<Compare>, standing: &Standing) -> Html {
    let props = ctx.props();
    let Props { method, with, size, language, .. } = *props;
    let button =
        |id: &'static str, text: String, off: bool, message: fn(u64) -> Message, to: u64| {
            let onclick = ctx.link().callback(move |_: MouseEvent| message(to));
            html! { <button {id} type="button" {onclick} disabled={off}>{ text }</button> }
        };
    let Standing { efforts: [first, second], .. } = standing;
    let &Standing { common, solution, there, stopped, .. } = standing;
    let ended = first.ended && second.ended;
    let stand = there && !ended && !stopped;
    let boards = solution.map(|queens| {
        let board = |(each, effort): (Stepped, &Effort)| {
            let name = full_name(language, each);
            let step = grouped(effort.steps);
            let what = if stand {
                tr!(language, "compare.stands", step = step)
            } else {
                tr!(language, "compare.went-on", step = step)
            };
            html! {
                <figure data-step={effort.steps.to_string()}>
                    <MiniBoard {size} {queens} label={format!("{name}: {what}: {queens}")} fine=true />
                    <figcaption>{ name }<br />{ what }</figcaption>
                </figure>
            }
        };
        let boards = [(method, first), (with, second)].map(board);
        html! { <div class={classes!("pair", (!stand).then_some("left"))}>{ for boards }</div> }
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
    } else if stopped {
        tr!(
            language,
            "compare.stopped",
            first = grouped(first.steps),
            second = grouped(second.steps)
        )
    } else if ended && common == 0 {
        tr!(language, "compare.none")
    } else if ended {
        tr!(language, "compare.ended", count = grouped(common))
    } else if common > 0 {
        tr!(language, "compare.at", number = grouped(common))
    } else {
        tr!(language, "compare.start")
    };
    let step = first.steps;
    let show = props.act.reform(move |_: MouseEvent| Action::To(step));
    html! {
        <>
            { for boards }
            <p id="compare-said" role="status">{ said }</p>
            <div class="button-line">
                { button("compare-back", tr!(language, "compare.previous"), common == 0 || !there, Message::Go, common.saturating_sub(1)) }
                { button("compare-next", tr!(language, "compare.next"), ended || !there, Message::Go, common + 1) }
                { button("compare-end", tr!(language, "compare.end"), ended || !there, Message::Go, u64::MAX) }
                if !there {
                    { button("compare-stop", tr!(language, "explore.stop"), false, |_| Message::Stop, 0) }
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
        </>
    }
}

/// The work of all methods on this board, counted when somebody asks for it.
fn all(ctx: &Context<Compare>, efforts: &[Effort], begun: bool) -> Html {
    let Props { method, size, language, .. } = *ctx.props();
    let count = ctx.link().callback(|_: MouseEvent| Message::Count);
    let stop = ctx.link().callback(|_: MouseEvent| Message::StopCount);
    let complete = efforts.len() == Stepped::ALL.len() && efforts.last().is_some_and(is_final);
    let own = efforts.get(Stepped::ALL.iter().position(|&each| each == method).unwrap_or(0));
    let own = own.filter(|own| own.ended).map(|own| own.tried);
    let rows = Stepped::ALL.iter().zip(efforts.iter()).map(|(&each, effort)| {
        let more = (!effort.ended).then_some("> ");
        let number = |count: u64| html! { <td data-count={count.to_string()}>{ more }{ grouped(count) }</td> };
        let ratio = own.filter(|_| effort.ended).map(|own| ratio(own, effort.tried));
        html! {
            <tr key={each.id()} data-method={each.id()} class={classes!((each == method).then_some("own"))} data-ended={effort.ended.to_string()}>
                <th scope="row">{ full_name(language, each) }</th>
                <td>{ ratio }</td>
                { number(effort.tried) }
                { number(effort.attacked) }
                { number(effort.cut) }
                { number(effort.comparisons) }
                { number(effort.met) }
            </tr>
        }
    });
    html! {
        <>
            <h2>{ tr!(language, "compare.all", n = size) }</h2>
            if complete || !begun {
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
                                <th scope="col">{ tr!(language, "compare.ratio") }</th>
                                { for NUMBERS.iter().skip(1).map(|(name, _)| html! { <th scope="col">{ tr!(language, name) }</th> }) }
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
fn full_name(language: Language, method: Stepped) -> String {
    format!("{} {}", method.number(), method_name(language, method))
}

/// How many times as large as the first number the second one is; nothing where one of the methods
/// does no such work.
fn ratio(first: u64, second: u64) -> String {
    if first == 0 || second == 0 {
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
        let pairs = [(4, 1), (3, 10), (1, 10), (7, 123_456), (0, 3), (3, 0)];
        let shown = pairs.map(|(first, second)| ratio(first, second));
        assert_eq!(shown, ["× 0.25", "× 3.33", "× 10", "× 17,637", "–", "–"]);
    }
}
