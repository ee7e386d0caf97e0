//! Layout of the Explore view.

use std::rc::Rc;

use queens_core::{Comparison, Event};
use web_sys::Element;
use yew::prelude::*;

use super::board::branches::Branches;
use super::board::end::end;
use super::board::grid::Board;
use super::board::legend::Signs;
use super::board::registers::registers;
use super::controls::bar::Bar;
use super::controls::help::Help;
use super::controls::map::Props as MapProps;
use super::controls::more::Props as MoreProps;
use super::panels::numbers::Numbers;
use super::panels::race::{Props as RaceProps, RaceTrack};
use super::panels::selected_square::selected_square;
use super::program::Program;
use super::scene::{Dialog, Message, Scene};
use super::share::Share;
use crate::address::{Address, View};
use crate::board::glyph::Icon;
use crate::board::marked_board::marked_board;
use crate::board::squares::{column_labels, row_labels};
use crate::parts::comparison;
use crate::parts::link::Link;
use crate::search::name::Name;
use crate::search::sentences::why;
use crate::search::squares::Finding;
use crate::search::state::Action;
use crate::search::summary::summary;
use crate::words::{grouped, numbered_method, tr, transform_name};

/// Renders Explore.
pub fn screen(scene: &Scene) -> Html {
    let language = scene.language;
    let embed = scene.address.is_embedded.then_some("embed");
    let presenting = scene.layout.presenting.then_some("presenting");
    let racing = scene.has_race().then_some("racing");
    html! {
        <div class={classes!("explore", embed, presenting, racing)}>
            <h1 class="hidden-text">{ View::Explore.name(language) }</h1>
            if racing.is_some() {
                { race(scene) }
            } else {
                <p id="board-help" class="hidden-text">{ tr!(language, "explore.board-help") }</p>
                { plate(scene) }
                { side(scene) }
                { bar(scene) }
            }
            // Always one child: if their number changed, Yew would replace the others, which may have the focus.
            { dialog(scene).unwrap_or_default() }
        </div>
    }
}

/// The column next to the board: the method, the sentence about the step, the registers and the program.
fn side(scene: &Scene) -> Html {
    let Scene { language, state, .. } = scene;
    let is_embedded = scene.address.is_embedded;
    let is_pinned = state.is_pinned() && !state.is_playing();
    html! {
        <div class="side">
            if !is_embedded { { title(scene) } }
            { why_panel(scene) }
            if is_embedded {
                <p><a id="open-full" href={full_page(scene)} target="_blank" rel="noopener">{ tr!(*language, "explore.open-full") }</a></p>
            } else {
                { desk(scene) }
            }
            // Always one child each, as above.
            { compared(scene).unwrap_or_default() }
            { selected_square(scene, state.selected_square(), is_pinned).unwrap_or_default() }
        </div>
    }
}

/// The name of the method, and a link to the race with another one.
fn title(scene: &Scene) -> Html {
    let language = scene.language;
    let other = numbered_method(language, scene.compared_with());
    let to = Address { compare: Some(scene.compared_with()), ..scene.address() };
    html! {
        <div class="method-line">
            <h2>{ numbered_method(language, scene.state.method()) }</h2>
            <Link {to} id="compare">{ tr!(language, "explore.compare", method = other) }</Link>
        </div>
    }
}

/// The largest board whose registers leave room for the program next to them.
const BESIDE: u32 = 12;

/// The registers and the program. A name in them lights its squares while the user points at it or it has
/// the focus.
fn desk(scene: &Scene) -> Html {
    let Scene { language, state, displayed, act, .. } = scene;
    let now = displayed.snapshot;
    let facts = now.view.method;
    let point = act.reform(move |event: web_sys::Event| {
        let element = event.target_dyn_into::<Element>();
        let named = element.and_then(|element| element.closest("[data-name]").ok()?);
        let word = named.and_then(|named| named.get_attribute("data-name"));
        Action::Point(word.and_then(|word| Name::parse(&word, facts)))
    });
    let leave = act.reform(|()| Action::Point(None));
    html! {
        <div
            class={classes!("desk", (now.view.size.get() > BESIDE).then_some("stacked"))} onmouseover={point.reform(|event: MouseEvent| event.into())}
            onclick={point.reform(|event: MouseEvent| event.into())} onfocusin={point.reform(|event: FocusEvent| event.into())}
            onmouseleave={leave.reform(|_: MouseEvent| ())} onfocusout={leave.reform(|_: FocusEvent| ())}
        >
            if !facts.registers.is_empty() {
                { registers(*language, &now, state, act) }
            }
            <Program key={facts.id} method={state.method()} {now} />
            // On a phone, only the line that acts and its registers are shown, until the box is ticked.
            <label class="whole"><input id="whole" type="checkbox" />{ tr!(*language, "code.whole") }</label>
        </div>
    }
}

/// The race, in place of the board.
fn race(scene: &Scene) -> Html {
    let Scene { language, ref state, ref displayed, ref send, .. } = *scene;
    let props = RaceProps {
        methods: [state.method(), scene.compared_with()],
        size: displayed.snapshot.view.size,
        language,
        key_press: scene.race_key,
        takes_focus: scene.race_takes_focus,
        choose: send.reform(Message::Compare),
        back: Address { compare: None, ..scene.address() },
        more: more(scene),
    };
    let key = props.key();
    html! { <RaceTrack {key} ..props /> }
}

/// The commands that the bar has no room for.
fn more(scene: &Scene) -> MoreProps {
    let view = &scene.displayed.snapshot.view;
    MoreProps {
        is_presented: scene.layout.presenting,
        facts: view.method,
        to_play: Address { view: View::Play, queens: view.placed(), ..scene.address() },
        send: scene.send.clone(),
    }
}

/// The map and the controls.
fn bar(scene: &Scene) -> Html {
    let Scene { state, displayed, act, .. } = scene;
    let (now, view) = (&displayed.snapshot, &displayed.snapshot.view);
    let map = MapProps {
        step: now.step,
        moves: now.moves,
        extent: state.extent(),
        icicle: Rc::clone(&state.index().icicle),
        act: act.clone(),
    };
    html! {
        <Bar
            {map} found={now.work.tally.met()} moves={(now.moves, state.all_moves())} end={state.end()} seconds={state.seconds()} playing={state.is_playing()}
            done={state.is_done()} on_the_way={state.jump_in_progress()} notice={state.notice()} pace={state.pace()}
            target={state.target()} facts={view.method} more={more(scene)} {act}
        />
    }
}

/// The open dialog.
fn dialog(scene: &Scene) -> Option<Html> {
    let Scene { language, ref send, ref state, ref displayed, .. } = *scene;
    let now = displayed.snapshot;
    let closed = send.reform(|()| Message::Open(None));
    let (facts, size) = (now.view.method, now.view.size);
    Some(match scene.dialog? {
        Dialog::Keys => html! { <Help {closed} /> },
        Dialog::Share => {
            let (address, rows) = (Rc::new(scene.address()), Rc::clone(&displayed.rows));
            html! { <Share {address} {now} {rows} {closed} /> }
        }
        Dialog::Signs => {
            let compared = scene.has_race().then(|| scene.compared_with().facts());
            html! { <Signs {language} {facts} {compared} {closed} /> }
        }
        Dialog::Numbers => {
            html! { <Numbers {language} method={state.method()} {size} work={now.work} {closed} /> }
        }
        Dialog::Masks => {
            let (branching, current) = (facts.branching?, now.view.masks);
            let act = send.reform(Message::Visit);
            html! { <Branches {branching} {size} {current} {language} {act} {closed} /> }
        }
    })
}

fn is_solution(event: Option<Event>) -> bool {
    matches!(event, Some(Event::Solution { .. }))
}

/// The board with its labels.
fn plate(scene: &Scene) -> Html {
    let Scene { language, state, displayed, act, .. } = scene;
    let (language, now, rows) = (*language, &displayed.snapshot, &displayed.rows);
    let size = state.snapshot().view.size;
    let label = tr!(language, "explore.board", n = size, number = grouped(now.moves));
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
                    { end(language, &scene.address(), &now.work.tally, state.solutions()) }
                }
            </div>
        </div>
    }
}

/// The sentence about the step, with links and buttons that fit it.
fn why_panel(scene: &Scene) -> Html {
    let Scene { language, state, displayed, .. } = scene;
    let (language, now) = (*language, &displayed.snapshot);
    let is_summarized = state.is_summarized();
    let sentence = match is_summarized {
        true => summary(language, state, now),
        // A name and its value stay on one line, and so do two factors.
        false => why(language, now).replace(" = ", "\u{a0}=\u{a0}").replace(" × ", "\u{a0}×\u{a0}"),
    };
    html! {
        <section class="why-panel" aria-label={tr!(language, "explore.why")}>
            <p id="why" class="why">{ sentence }</p>
            // Always one child, as below.
            { named(scene).unwrap_or_default() }
            <div class="actions">
                { for watch(scene) }
                { for solution_link(scene).filter(|_| is_solution(now.event) && !is_summarized) }
                { for way_back(scene) }
            </div>
            <p id="announcement" class="hidden-text" aria-live="polite">{ scene.announced.clone() }</p>
        </section>
    }
}

/// Explains the name at which the user points, whose squares are lit on the board.
fn named(scene: &Scene) -> Option<Html> {
    let Scene { language, state, displayed, .. } = scene;
    let name = state.pointed()?;
    let text = match name {
        Name::Cell(cell) => {
            let transform = transform_name(*language, cell.transform());
            html! { tr!(*language, "why.ask-cell", cell = cell.letter(), transform = transform) }
        }
        _ => {
            html! { <><b>{ name.word() }</b>{ language.colon() }{ name.term().tip(*language) }</> }
        }
    };
    let is_lit = displayed.rows.iter().flat_map(|row| &row.squares).any(|square| square.lit);
    let unlit = || tr!(*language, "explore.unlit", name = name.word());
    Some(html! {
        <p id="named" class="named">
            { text }
            if !is_lit { { language.space() }{ unlit() } }
        </p>
    })
}

/// The address of the full page at the same step and with the same layout.
fn full_page(scene: &Scene) -> String {
    Address { is_embedded: false, ..scene.address() }.to_link()
}

/// The image with which the solution on the board is compared. Style sheets animate it: first it turns out of the
/// solution, and then a frame moves from the first row to the row that decides the comparison. The class contains the
/// number of that row.
fn compared(scene: &Scene) -> Option<Html> {
    let (language, now) = (scene.language, &scene.displayed.snapshot);
    let Some(Event::Compare { transform, .. }) = now.event else { return None };
    let solution = now.view.placement().filter(|_| !scene.state.is_summarized())?;
    let row = Comparison::new(&now.view.queens, now.view.size, transform).last().map(|row| row.row);
    let image = transform.apply(&solution);
    let name = transform_name(language, transform);
    let text = tr!(language, "explore.compared-image", transform = name);
    let label = format!("{text}{}{image}", language.colon());
    Some(html! {
        // Another step has another element, so that its animation starts from the beginning.
        <figure
            id="compared" key={now.step} class={classes!(format!("from-{}", transform.id()), format!("n-{}", row.unwrap_or_default()))}
        >
            { marked_board(&comparison::rows(&image, None, row), &label) }
            <figcaption>{ text }{ for solution_link(scene) }</figcaption>
        </figure>
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
        <Link {to} id="to-symmetries" class="button">{ tr!(scene.language, "explore.solution-link") }</Link>
    })
}

/// The button that starts a search and, on a first visit, a promise.
fn watch(scene: &Scene) -> Option<Html> {
    let language = scene.language;
    let is_at_start = scene.displayed.snapshot.step == 0 && !scene.state.is_busy();
    let watch = scene.send.reform(|_: MouseEvent| Message::Watch);
    (is_at_start && !scene.address.is_embedded).then(|| {
        html! {
            <>
                <button id="watch" type="button" class="primary" onclick={watch}>
                    { Icon::Play.show() }{ tr!(language, "explore.watch") }
                </button>
                if scene.address().is_first_visit() {
                    <span id="promise">{ tr!(language, "explore.promise") }</span>
                }
            </>
        }
    })
}

/// The button that returns to the step before a jump.
fn way_back(scene: &Scene) -> Option<Html> {
    scene.return_position?;
    let back = scene.send.reform(|_: MouseEvent| Message::Return);
    Some(html! {
        <button id="return" type="button" onclick={back}>{ "← " }{ tr!(scene.language, "explore.return") }</button>
    })
}
