//! A solution of a branch that a rule prunes.

use queens_core::{Node, Placement, Queens, Square, Transform, images, notation, representative};
use yew::prelude::*;

use crate::address::{Address, solution_address, use_address};
use crate::board::mini_board::MiniBoard;
use crate::board::squares::SIDE;
use crate::parts::completion::use_completion;
use crate::parts::link::Link;
use crate::views::explore::board::drawing::ring;
use crate::words::{Language, tr, transform_name};
use crate::worker::{Job, JobState};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    pub queens: Queens,
    /// The square of the pruned queen.
    pub square: Square,
    pub language: Language,
    /// Jumps to the step that finds a representative, given by its node.
    pub find: Callback<Node>,
}

/// A solution of a pruned branch and its representative, or the message that the branch has no
/// solution. The worker searches for the solution.
#[component]
pub fn PrunedSolution(props: &Props) -> Html {
    let Props { queens, square, language, ref find } = *props;
    let (address, _) = use_address();
    let Job { answer, state, stop, .. } = use_completion(Some((queens, 0)));
    match answer {
        Some(Some(solution)) => {
            solution_and_representative(language, solution, square, &address, find)
        }
        Some(None) => {
            html! { <p id="witness" data-found="none">{ tr!(language, "witness.none") }</p> }
        }
        None if state == JobState::Stopped => {
            html! { <p id="witness">{ tr!(language, "witness.stopped") }</p> }
        }
        None => html! {
            <p id="witness" data-found="searching">
                { tr!(language, "witness.searching") }{ " " }
                <button type="button" class="tiny" onclick={stop}>{ tr!(language, "explore.stop") }</button>
            </p>
        },
    }
}

/// A pruned solution and its representative, with the pruned queen marked in both, and links to the
/// step that finds the representative and to all images.
fn solution_and_representative(
    language: Language,
    solution: Placement,
    square: Square,
    address: &Address,
    find: &Callback<Node>,
) -> Html {
    let smallest = representative(&solution);
    let transform = images(&solution).into_iter().find(|(_, image)| *image == smallest);
    let transform = transform.map_or(Transform::Identity, |(transform, _)| transform);
    let name = transform_name(language, transform);
    // No method prunes a representative, so the search reaches this node.
    let node = smallest
        .columns_from_right()
        .iter()
        .fold(Node::root(smallest.size()), |node, &column| node.below(column.into()));
    let to_step = find.reform(move |_: MouseEvent| node);
    let size = solution.size();
    let extent = size.get() * SIDE;
    let board = |id: &'static str, queens: Placement, square: Square, text: String| {
        let label = format!("{text}{}{queens}", language.colon());
        html! {
            <figure {id} data-queens={queens.to_string()}>
                <MiniBoard {size} {queens} {label} fine=true />
                <svg class="over" viewBox={format!("0 0 {extent} {extent}")} aria-hidden="true">{ ring(square) }</svg>
                <figcaption>
                    { text }
                    <span class="columns">{ tr!(language, "explore.columns") }{ language.colon() }</span>
                    <span class="mono">{ notation::write_columns(queens.columns_from_left()) }</span>
                    <span class="columns">{ tr!(language, "witness.value") }{ language.colon() }</span>
                    <span class="mono value">{ queens.judgement_value().to_string() }</span>
                </figcaption>
            </figure>
        }
    };
    html! {
        <div id="witness" class="witness" data-found="solution" data-transform={transform.id()}>
            <p>{ tr!(language, "witness.found", transform = name) }</p>
            <div class="pair">
                { board("witness-solution", solution, square, tr!(language, "witness.solution")) }
                { board("witness-representative", smallest, transform.square(square), tr!(language, "witness.representative")) }
            </div>
            <p class="button-line">
                <button id="witness-step" type="button" onclick={to_step}>{ tr!(language, "witness.step") }</button>
                <Link to={solution_address(address, &smallest)} id="witness-images" class="button">{ tr!(language, "witness.images") }</Link>
            </p>
        </div>
    }
}
