//! A solution, its eight images, and its class.

use queens_core::{Orbit, Placement, Stepped, Transform};
use yew::prelude::*;

use super::images::{image_table, images};
use super::solution_field::{Reading, SolutionField};
use super::stage::stage;
use crate::address::{Address, View, explore_address, play_address, solution_address, use_address};
use crate::board::mini_board::MiniBoard;
use crate::parts::details::use_is_open;
use crate::parts::link::Link;
use crate::parts::save::{buttons, offer};
use crate::parts::sheet::sheet;
use crate::parts::step::use_step;
use crate::parts::term::TermLink;
use crate::words::{Language, Term, tr, transforms, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The columns of the queens from the left.
    pub columns: Vec<u32>,
    /// What was read last in the input field.
    pub reading: UseStateHandle<Option<Reading>>,
}

/// The class and the images of a solution. If the columns are not a solution, the view has only the input field
/// with the error.
#[component]
pub fn ClassOfSolution(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let placement = Placement::from_left(&props.columns);
    let text = spaced(&props.columns);
    let wrong = placement.err().map(Into::into);
    let orbit = use_memo(placement.ok(), |solution| solution.as_ref().map(Orbit::of));
    let representative = orbit.as_ref().as_ref().map(|orbit| *orbit.representative());
    let step = use_step(Stepped::Symmetry, representative);
    let all = Address { solution: None, ..(*address).clone() };
    html! {
        <div class="symmetries">
            <header class="symmetries-head">
                <p class="links"><Link to={all} id="to-all">{ "← " }{ tr!(language, "classes.all-solutions", n = address.size) }</Link></p>
                if let Some(orbit) = &*orbit {
                    <h1>{ tr!(language, "classes.solution", columns = text) }</h1>
                    { statement(language, orbit) }
                } else {
                    <h1>{ View::Solutions.name(language) }</h1>
                }
            </header>
            if let Some(orbit) = &*orbit {
                { stage(language, orbit, address.image) }
                { images(language, &address, &navigate, orbit) }
            } else {
                <div class="empty-state">
                    <MiniBoard size={address.size} queens={None::<Placement>} />
                    <p>{ tr!(language, "symmetries.nothing") }</p>
                </div>
            }
            <div class="symmetries-side">
                { for orbit.as_ref().as_ref().map(|orbit| links(language, &address, orbit, step)) }
                <SolutionField given={text} {wrong} reading={props.reading.clone()} />
                if let Some(orbit) = &*orbit {
                    { saving(language, orbit) }
                    <ForProgrammers orbit={*orbit} />
                }
            </div>
        </div>
    }
}

fn spaced(columns: &[u32]) -> String {
    columns.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// Renders the class of the solution, with the reason for its size.
fn statement(language: Language, orbit: &Orbit) -> Html {
    let class = orbit.class();
    html! {
        <p id="class" class="statement" aria-live="polite" data-class={class.to_string()}>
            <TermLink word={Term::CLASS}>
                <strong>{ tr!(language, "symmetries.class", class = class) }</strong>
            </TermLink>
            { language.space() }{ transforms::stabiliser(language, orbit.stabiliser()) }
        </p>
    }
}

#[derive(Properties, PartialEq)]
struct ForProgrammersProps {
    orbit: Orbit,
}

/// What makes the class as large as it is, its representative, and the judgement values of the images.
#[component]
fn ForProgrammers(props: &ForProgrammersProps) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let (is_open, ontoggle) = use_is_open();
    let orbit = &props.orbit;
    let representative = orbit.representative();
    html! {
        <details id="for-programmers" class="panel" {ontoggle}>
            <summary>{ tr!(language, "symmetries.programmers") }</summary>
            { stabiliser(language, orbit) }
            <p>
                <TermLink word={Term::REPRESENTATIVE}>{ tr!(language, "symmetries.representative") }</TermLink>
                { language.colon() }
                <Link to={solution_address(&address, representative)} class="mono">{ representative.to_string() }</Link>
            </p>
            if *is_open { { image_table(language, orbit) } }
        </details>
    }
}

/// Renders the transforms that map the solution to itself.
fn stabiliser(language: Language, orbit: &Orbit) -> Html {
    let all = orbit.stabiliser().transforms();
    let names: Vec<String> = all.iter().map(|&each| transforms::short(language, each)).collect();
    let (names, order) = (names.join(language.comma()), all.len());
    let class = orbit.class();
    let quotient = tr!(language, "symmetries.quotient", kept = names, order = order, class = class);
    html! {
        <p>
            <TermLink word={Term::STABILISER}>{ tr!(language, "symmetries.stabiliser-name") }</TermLink>
            { language.colon() }{ quotient }
        </p>
    }
}

/// Renders links to the representative and to other views. `step` is the step at which the symmetry
/// method finds the representative, once it is known.
fn links(language: Language, address: &Address, orbit: &Orbit, step: Option<u64>) -> Html {
    let n = orbit.representative().size();
    let solution = orbit.image(Transform::Identity).placement;
    let is_itself = solution == *orbit.representative();
    html! {
        <p class="links">
            <Link to={address.reading(View::Explanation, Term::CLASS.section)} id={"to-explanation"}>
                { tr!(language, "symmetries.to-explanation") }
            </Link>
            if let Some(step) = step {
                <Link to={explore_address(address, Stepped::Symmetry, n, step)} id={"open-in-explore"}>
                    // The symmetry method completes the representative, which may be another board.
                    { if is_itself {
                        tr!(language, "play.to-explore")
                    } else {
                        tr!(language, "symmetries.class-to-explore")
                    } }
                </Link>
            }
            <Link to={play_address(address, &orbit.image(address.image).placement)} id={"open-in-play"}>
                { tr!(language, "explanation.open", view = View::Play.name(language)) }
            </Link>
        </p>
    }
}

/// Renders the buttons that save all eight images.
fn saving(language: Language, orbit: &Orbit) -> Html {
    let what = tr!(language, "symmetries.save-images");
    let solution = orbit.image(Transform::Identity).placement;
    let columns: Vec<_> = solution.columns_from_left().map(|each| each.to_string()).collect();
    let file = format!("queens-{}-{}-all-images", solution.size(), columns.join("-"));
    let boards: Vec<(Placement, String)> = orbit
        .images()
        .iter()
        .map(|image| (image.placement, transforms::transform(language, image.transform)))
        .collect();
    let save = Callback::from(move |format| {
        let (svg, sides) = sheet(boards.clone(), 4);
        offer(&file, svg, sides, format);
    });
    html! {
        <p class="saving" role="group" aria-label={what.clone()}>
            <span class="soft">{ what.clone() }</span>{ buttons(language, "save-images", &save) }
        </p>
    }
}
