//! The answer about a square: what decides about it and, where a rule closes it, what the branch
//! that it cuts off would have held.

use queens_core::{Placement, Queens, Square, Transform, View, images, representative};
use yew::prelude::*;

use super::why::{ask, transform_name};
use crate::components::mini_board::MiniBoard;
use crate::i18n::{tr, use_language};
use crate::worker::{Answer, Request, Ticket, use_worker};

/// What the answer needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is shown.
    pub view: View,
    /// The square asked about.
    pub square: Option<Square>,
    /// Whether the question stays, so that there is time to look for a solution.
    pub pinned: bool,
}

/// The answer.
#[component]
pub fn Asked(props: &Props) -> Html {
    let language = use_language();
    let Some(square) = props.square else {
        return html! { <p id="asked" class="asked">{ tr!(language, "explore.ask-hint") }</p> };
    };
    let view = &props.view;
    let said = ask(language, view, square);
    let branch = cut_branch(view, square);
    let image = branch.and_then(|_| view.smaller_image(square)).map(|transform| {
        let transform = transform_name(language, transform);
        tr!(language, "witness.smaller", transform = transform)
    });
    let more = branch.filter(|_| !props.pinned).map(|_| tr!(language, "witness.pin"));
    html! {
        <>
            <p id="asked" class="asked">
                { said }
                if let Some(image) = image { { " " }<span id="asked-image">{ image }</span> }
                if let Some(more) = more { { " " }{ more } }
            </p>
            if let Some(queens) = branch.filter(|_| props.pinned) {
                <Witness {queens} />
            }
        </>
    }
}

/// The queens of the branch that a rule cuts off on a square; `None` if no rule closes it, or if
/// an attack closes it anyway.
fn cut_branch(view: &View, square: Square) -> Option<Queens> {
    let stands = view.rows().get(square.0 as usize)?.contains(square.1);
    let branch = view.branch(square);
    view.rule(square)?;
    (!stands && branch.conflicts().next().is_none()).then_some(branch)
}

/// What the search of the branch has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    Searching,
    Stopped,
    None,
    Solution(Placement),
}

/// What the search needs.
#[derive(Properties, PartialEq)]
struct WitnessProps {
    queens: Queens,
}

/// A solution of a branch that was cut off, beside the one that stands for its class; or that
/// there is none. The worker looks for it.
#[component]
fn Witness(props: &WitnessProps) -> Html {
    let language = use_language();
    let worker = use_worker();
    let found = use_state_eq(|| Found::Searching);
    let ticket = use_mut_ref(|| None::<Ticket>);
    {
        let (found, ticket) = (found.setter(), ticket.clone());
        use_effect_with(props.queens, move |&queens| {
            found.set(Found::Searching);
            let request = Request::Completion { queens, index: 0 };
            *ticket.borrow_mut() = Some(worker.ask(request, move |answer| match answer {
                Answer::Completion { placement: Some(solution), .. } => {
                    found.set(Found::Solution(solution));
                }
                Answer::Completion { none: true, .. } => found.set(Found::None),
                _ => {}
            }));
        });
    }
    let stop = {
        let (found, ticket) = (found.setter(), ticket.clone());
        Callback::from(move |_: MouseEvent| {
            ticket.take();
            found.set(Found::Stopped);
        })
    };
    match *found {
        Found::Searching => html! {
            <p id="witness" data-found="searching">
                { tr!(language, "witness.searching") }{ " " }
                <button type="button" class="tiny" onclick={stop}>{ tr!(language, "explore.stop") }</button>
            </p>
        },
        Found::Stopped => html! { <p id="witness">{ tr!(language, "witness.stopped") }</p> },
        Found::None => {
            html! { <p id="witness" data-found="none">{ tr!(language, "witness.none") }</p> }
        }
        Found::Solution(solution) => {
            let smallest = representative(&solution);
            let way = images(&solution).into_iter().find(|(_, image)| *image == smallest);
            let way = way.map_or(Transform::Identity, |(transform, _)| transform);
            let name = transform_name(language, way);
            let board = |id: &'static str, queens: Placement, text: String| {
                let label = format!("{text}: {queens}");
                html! {
                    <figure {id} data-queens={queens.to_string()}>
                        <MiniBoard size={queens.size()} {queens} {label} fine=true />
                        <figcaption>
                            { text }
                            <span class="mono">{ queens.judgement_value().to_string() }</span>
                        </figcaption>
                    </figure>
                }
            };
            html! {
                <div id="witness" class="witness" data-found="solution" data-transform={way.id()}>
                    <p>{ tr!(language, "witness.found", transform = name) }</p>
                    <div class="pair">
                        { board("witness-solution", solution, tr!(language, "witness.solution")) }
                        { board("witness-representative", smallest, tr!(language, "witness.representative")) }
                    </div>
                </div>
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Completions, Method, Size, Timeline};

    #[test]
    fn branches_of_closed_squares() {
        let mut timeline = Timeline::new(Method::Symmetry, Size::new(8).unwrap());
        timeline.seek(1650, u64::MAX);
        let view = timeline.view();
        assert_eq!(cut_branch(&view, (0, 2)), None, "a queen stands there");
        assert_eq!(cut_branch(&view, (4, 4)), None, "no rule closes it");
        let branch = cut_branch(&view, (1, 7)).unwrap();
        assert_eq!(branch.squares().collect::<Vec<_>>(), [(0, 2), (1, 7)]);
        assert_eq!(view.smaller_image((1, 7)), Some(Transform::Turn90));
        assert!(Completions::new(&branch).next().is_some());
    }
}
