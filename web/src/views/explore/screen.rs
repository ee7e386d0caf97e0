//! Layout of the Explore view.

use std::rc::Rc;

use queens_core::{Comparison, Event, Placement};
use queens_state::search::picture::Finding;
use queens_state::search::summary::summary;
use queens_state::search::why::{step_term, why};
use yew::prelude::*;

use super::board::end::end;
use super::board::grid::Board;
use super::board::registers::registers;
use super::controls::bar::Bar;
use super::controls::help::Props as HelpProps;
use super::controls::last_solutions::LastSolutions;
use super::controls::map::Props as MapProps;
use super::controls::more::Props as MoreProps;
use super::doors::doors;
use super::later::{ExplorePart, LaterPart};
use super::panels::selected_square::selected_square;
use super::scene::{Dialog, Message, Scene};
use super::share::Props as ShareProps;
use super::tabs::tabs;
use crate::board::glyph::Icon;
use crate::board::marked_board::marked_board;
use crate::board::squares::{column_labels, row_labels};
use crate::parts::comparison;
use crate::parts::link::Link;
use crate::parts::term::TermLink;
use crate::place::{Address, Tab, View};
use crate::words::{grouped, tr, transform_name};

/// Renders Explore.
pub fn screen(scene: &Scene) -> Html {
    let language = scene.language;
    let embed = scene.address.is_embedded.then_some("embed");
    let presenting = scene.layout.presenting.then_some("presenting");
    let racing = scene.has_race().then_some("racing");
    let with_doors = has_doors(scene).then_some("with-doors");
    let tab = (scene.tab() != Tab::Guide).then_some("tab-open");
    let code = if presenting.is_some() { "code-presented" } else { "code-open" };
    let code = (scene.tab() == Tab::Code && embed.is_none()).then_some(code);
    let along = (scene.has_tab_of_board() && presenting.is_none()).then_some("board-along");
    // The column beside the board shows registers, sentence and guide, and nothing else.
    let is_guide_open = [embed, presenting, tab].iter().all(Option::is_none);
    let guide = is_guide_open.then_some("guide-open");
    html! {
        <div class={classes!("explore", embed, presenting, racing, with_doors, tab, code, along, guide)}>
            <h1 class="hidden-text">{ View::Explore.name(language) }</h1>
            <p id="board-help" class="hidden-text">{ tr!(language, "explore.board-help") }</p>
            { plate(scene) }
            // Right after the board in the order of the Tab key; style sheets put it at the bottom.
            <div class="deck">
                { for last_solutions(scene).filter(|_| scene.is_wide) }
                { bar(scene) }
            </div>
            <div class="side">
                { for folded_registers(scene) }
                <div class="reason">{ why_panel(scene) }</div>
                // On a phone, the doors are below the board and its sentence.
                if !scene.is_wide && has_doors(scene) { { doors(scene) } }
                if embed.is_none() { { tabs(scene) } }
            </div>
            { for dialog(scene) }
        </div>
    }
}

/// The last solutions. On a phone, they are below the sentence about the step.
fn last_solutions(scene: &Scene) -> Option<Html> {
    let Scene { state, displayed, act, .. } = scene;
    let now = &displayed.snapshot;
    let solutions = state.last_solutions(LastSolutions::CAPACITY).to_vec();
    (!scene.address.is_embedded).then(|| {
        html! {
            <LastSolutions size={now.view.size} step={now.step} count={now.work.tally.met()} {solutions} {act} />
        }
    })
}

/// The map and the controls.
fn bar(scene: &Scene) -> Html {
    let Scene { state, displayed, send, act, .. } = scene;
    let (now, view) = (&displayed.snapshot, &displayed.snapshot.view);
    let map = MapProps {
        size: view.size,
        step: now.step,
        extent: state.extent(),
        icicle: Rc::clone(&state.index().icicle),
        act: act.clone(),
    };
    let queens = view.placed();
    let more = MoreProps {
        is_presented: scene.layout.presenting,
        to_play: Address { view: View::Play, queens, ..scene.address() },
        send: send.clone(),
    };
    html! {
        <Bar
            {map} end={state.end()} seconds={state.seconds()} playing={state.is_playing()} done={state.is_done()}
            on_the_way={state.jump_in_progress()} notice={state.notice()} pace={state.pace()}
            target={state.target()} facts={view.method} {more} {act}
        />
    }
}

/// The open dialog.
fn dialog(scene: &Scene) -> Option<Html> {
    let closed = scene.send.reform(|()| Message::Open(None));
    let part = match scene.dialog? {
        Dialog::Keys => ExplorePart::Help(HelpProps { closed }),
        Dialog::Share => ExplorePart::Share(ShareProps {
            address: Rc::new(scene.address()),
            now: scene.displayed.snapshot,
            rows: Rc::clone(&scene.displayed.rows),
            end: scene.state.end(),
            closed,
        }),
    };
    Some(html! { <LaterPart {part} is_quiet=true /> })
}

fn is_solution(event: Option<Event>) -> bool {
    matches!(event, Some(Event::Solution { .. }))
}

/// The board with its labels.
fn plate(scene: &Scene) -> Html {
    let Scene { language, state, displayed, act, .. } = scene;
    let (language, now, rows) = (*language, &displayed.snapshot, &displayed.rows);
    let size = state.snapshot().view.size;
    let label = tr!(language, "explore.board", n = size, step = grouped(now.step));
    let current_row = rows.iter().find(|row| row.at_work).map(|row| row.row);
    html! {
        <div class="plate">
            <div class={classes!("board-area", format!("n-{size}"))}>
                { column_labels(size, state.highlighted_column()) }
                { row_labels(size.get(), current_row) }
                <Board
                    {size} {label} {rows} finding={Finding::of(now)} highlighted_column={state.highlighted_column()}
                    selected_square={state.selected_square()} {act}
                />
                if matches!(now.event, Some(Event::Done)) {
                    { end(language, &scene.address(), &now.work.tally, state.last_solutions(usize::MAX)) }
                }
            </div>
        </div>
    }
}

/// The registers of methods that have any.
fn folded_registers(scene: &Scene) -> Option<Html> {
    let Scene { language, state, displayed, act, .. } = scene;
    let now = &displayed.snapshot;
    (!scene.address.is_embedded && !now.view.method.registers.is_empty()).then(|| {
        html! {
            <details class="fold" open={scene.is_wide}>
                <summary>{ tr!(*language, "explore.registers") }</summary>
                { registers(*language, now, state, act) }
            </details>
        }
    })
}

/// The explanation of the step and of a selected square, with links and buttons that fit them.
fn why_panel(scene: &Scene) -> Html {
    let Scene { language, state, displayed, .. } = scene;
    let (language, now) = (*language, &displayed.snapshot);
    let embed = scene.address.is_embedded;
    let is_summarized = state.is_summarized();
    let compared = compared(scene).filter(|_| !is_summarized);
    let compares = compared.is_some().then_some("compares");
    let sentence = match is_summarized {
        true => summary(language, state, now),
        // A name and its value stay on one line, and so do two factors.
        false => why(language, now).replace(" = ", "\u{a0}=\u{a0}").replace(" × ", "\u{a0}×\u{a0}"),
    };
    html! {
        <>
            if embed {
                <p><a id="open-full" href={full_page(scene)} target="_blank" rel="noopener">{ tr!(language, "explore.open-full") }</a></p>
            }
            <section class={classes!("why-panel", compares)} aria-label={tr!(language, "explore.why")}>
                <p id="why" class="why">{ sentence }</p>
                { for watch(scene).filter(|_| !embed && scene.tab() != Tab::Race) }
                { for last_solutions(scene).filter(|_| !scene.is_wide && !has_doors(scene)) }
                if let Some(word) = step_term(now).filter(|_| !embed && !is_summarized) {
                    <p id="why-word" class="words"><TermLink {word}>{ word.name(language) }</TermLink></p>
                }
                if scene.is_wide && has_doors(scene) { { doors(scene) } }
                { for compared }
                { for solution_link(scene).filter(|_| !is_summarized) }
                { for way_back(scene) }
                { selected_square(scene, state.selected_square(), state.is_pinned() && !state.is_playing()) }
                <p id="announcement" class="hidden-text" aria-live="polite">{ scene.announced.clone() }</p>
            </section>
        </>
    }
}

/// The address of the full page at the same step and with the same layout.
fn full_page(scene: &Scene) -> String {
    Address { is_embedded: false, ..scene.address() }.to_link()
}

/// The solution on the board next to the image with which it is compared. Style sheets animate the
/// pair: first the solution turns into the image, and then a frame moves from the first row to the
/// row that decides the comparison. The class of the pair contains the number of that row.
fn compared(scene: &Scene) -> Option<Html> {
    let (language, now) = (scene.language, &scene.displayed.snapshot);
    let Some(Event::Compare { transform, .. }) = now.event else { return None };
    let solution = now.view.placement()?;
    let row = Comparison::new(&now.view.queens, now.view.size, transform).last().map(|row| row.row);
    let board = |placement: &Placement, text: String, class: String| {
        let label = format!("{text}{}{placement}", language.colon());
        html! {
            <figure {class}>{ marked_board(&comparison::rows(placement, None, row), &label) }<figcaption>{ text }</figcaption></figure>
        }
    };
    let name = transform_name(language, transform);
    Some(html! {
        // Another step has another element, so that its animation starts from the beginning.
        <div id="compared" key={now.step} class={classes!("pair", format!("n-{}", row.unwrap_or_default()))} data-transform={transform.id()}>
            { board(&solution, tr!(language, "explore.compared"), String::new()) }
            { board(
                &transform.apply(&solution), tr!(language, "explore.compared-image", transform = name),
                format!("from-{}", transform.id()),
            ) }
        </div>
    })
}

/// A link from the solution on the board to its images.
fn solution_link(scene: &Scene) -> Option<Html> {
    let now = &scene.displayed.snapshot;
    let is_compared = matches!(now.event, Some(Event::Compare { .. }));
    let placement = now.view.placement().filter(|_| is_compared || is_solution(now.event))?;
    let solution = Some(placement.columns_from_left().collect());
    let to = Address { view: View::Solutions, solution, ..scene.address() };
    Some(html! {
        <p><Link {to} id="to-symmetries" class="button">{ tr!(scene.language, "explore.solution-link") }</Link></p>
    })
}

/// Whether the page is as on a first visit, and the search waits for its start. Tabs may have been opened.
fn has_doors(scene: &Scene) -> bool {
    scene.address().is_first_visit_with_any_tab() && !scene.state.is_busy()
}

/// The button that starts a search. The race has its own.
fn watch(scene: &Scene) -> Option<Html> {
    let language = scene.language;
    let is_at_start = scene.displayed.snapshot.step == 0 && !scene.state.is_busy();
    let watch = scene.send.reform(|_: MouseEvent| Message::Watch);
    is_at_start.then(|| {
        html! {
            <p class="watch">
                <button id="watch" type="button" class="primary" onclick={watch}>
                    { Icon::Play.show() }{ tr!(language, "explore.watch") }
                </button>
            </p>
        }
    })
}

/// The button that returns to the step before a jump.
fn way_back(scene: &Scene) -> Option<Html> {
    let step = grouped(scene.return_position?.step);
    let back = scene.send.reform(|_: MouseEvent| Message::Return);
    Some(html! {
        <p><button id="return" type="button" onclick={back}>{ "← " }{ tr!(scene.language, "back.step", step = step) }</button></p>
    })
}
