//! Layout of the Explore view.

use queens_core::{Comparison, Event, Facts, Form, Placement, Stepped};
use queens_state::search::picture::Finding;
use queens_state::search::state::Jump;
use queens_state::search::summary::summary;
use queens_state::search::why::{step_term, why};
use web_sys::Element;
use yew::prelude::*;

use super::board::branches::Branches;
use super::board::grid::Board;
use super::board::legend::legend;
use super::board::registers::registers;
use super::code::panel::code;
use super::code::published::published;
use super::code::stack::stack;
use super::controls::help::Help;
use super::controls::last_solutions::LastSolutions;
use super::controls::transport::Transport;
use super::guide;
use super::later::{LaterPart, Part};
use super::panels::compare::Compare;
use super::panels::compare::all::All;
use super::panels::counters::counters;
use super::panels::selected_square::selected_square;
use super::panels::tree::Tree;
use super::scene::{LayoutChange, Message, Scene};
use super::share;
use crate::board::glyph::Icon;
use crate::board::marked_board::marked_board;
use crate::board::squares::{column_labels, row_labels};
use crate::browser::bring_into_sight;
use crate::parts::comparison;
use crate::parts::link::Link;
use crate::parts::term::TermLink;
use crate::place::{Address, Clip, View, work_address};
use crate::words::{Language, grouped, method_name, numbered_method, tr, transform_name};

/// Renders Explore.
pub fn screen(scene: &Scene) -> Html {
    let language = scene.language;
    let (send, act) = (&scene.send, &scene.act);
    let embed = scene.address.is_embedded.then_some("embed");
    let presenting = scene.layout.presenting.then_some("presenting");
    let large = (scene.layout.large && scene.is_tree_open()).then_some("tree-large");
    let whole = scene.is_whole_large().then_some("with-whole");
    let (state, now) = (&scene.state, &scene.displayed.snapshot);
    html! {
        <div class={classes!("explore", embed, presenting, large, whole)}>
            <h1 class="hidden-text">{ View::Explore.name(language) }</h1>
            <p id="board-help" class="hidden-text">{ tr!(language, "explore.board-help") }</p>
            { plate(scene) }
            <div class="side">
                <div class="reason">{ why_panel(scene) }</div>
                if embed.is_none() { { panels(scene) } }
            </div>
            <div class="deck">
                { for last_solutions(scene).filter(|_| scene.is_wide) }
                <Transport
                    step={now.step} end={state.end()} extent={state.extent()} playing={state.is_playing()}
                    done={state.is_done()} on_the_way={state.jump_in_progress()} notice={state.notice()}
                    pace={state.pace()} pause_at={state.pause_at()} index={state.index().clone()}
                    moments={scene.address.moments.clone()} facts={now.view.method} whole={scene.is_whole_large()}
                    toggle_whole={send.reform(|()| Message::Layout(LayoutChange::Whole))}
                    jumps={jumps(now.view.method)} presenting={scene.layout.presenting}
                    present={send.reform(|()| Message::Layout(LayoutChange::Present))} {act}
                    help={&scene.open_help}
                />
            </div>
            <Help open={scene.help} closed={send.reform(|()| Message::Help(false))} />
        </div>
    }
}

/// The last solutions. On a phone, they stand below the sentence.
fn last_solutions(scene: &Scene) -> Option<Html> {
    let Scene { state, displayed, act, .. } = scene;
    let now = &displayed.snapshot;
    let solutions: Vec<_> = state.solutions().copied().collect();
    (!scene.address.is_embedded).then(|| {
        html! {
            <LastSolutions size={now.view.size} step={now.step} count={now.work.tally.met()} {solutions} {act} />
        }
    })
}

/// The jump targets of a method, in addition to solutions.
fn jumps(facts: &Facts) -> Vec<Jump> {
    let rules = (!facts.rules.is_empty() || facts.half.is_some()).then_some(Jump::Rule);
    let comparisons = facts.counts_classes().then_some(Jump::Comparison);
    rules.into_iter().chain(comparisons).collect()
}

fn is_solution(event: Option<Event>) -> bool {
    matches!(event, Some(Event::Solution { .. }))
}

/// The board, and the panels that align with its columns.
fn plate(scene: &Scene) -> Html {
    let Scene { language, state, displayed, act, .. } = scene;
    let (language, now, rows) = (*language, &displayed.snapshot, &displayed.rows);
    let facts = now.view.method;
    let size = state.snapshot().view.size;
    let embed = scene.address.is_embedded;
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
            </div>
            if !embed {
                <details class="fold" open={scene.is_wide}>
                    <summary>{ tr!(language, "explore.registers") }</summary>
                    { registers(language, &now.view, state, act) }
                </details>
            }
            if let Some(branching) = facts.branching.filter(|_| !embed) {
                <details class="panel branches-panel" ontoggle={|event: web_sys::Event| show_opened(&event)}>
                    <summary>{ tr!(language, "branches.title") }</summary>
                    <Branches {branching} {size} current={now.view.masks} {language} act={scene.send.reform(Message::Visit)} />
                </details>
            }
        </div>
    }
}

/// Scrolls a panel into view when it is opened.
fn show_opened(event: &web_sys::Event) {
    let opened: Option<Element> = event.target_dyn_into();
    if let Some(opened) = opened.filter(|opened| opened.has_attribute("open")) {
        bring_into_sight(&opened);
    }
}

/// The explanation of the step and of a selected square, with links and buttons that fit them.
fn why_panel(scene: &Scene) -> Html {
    let Scene { language, state, displayed, .. } = scene;
    let (language, now) = (*language, &displayed.snapshot);
    let embed = scene.address.is_embedded;
    let is_summarized = state.is_summarized();
    let sentence = match is_summarized {
        true => summary(language, now, state.end()),
        // A name and its value stay on one line, and so do two factors.
        false => why(language, now).replace(" = ", "\u{a0}=\u{a0}").replace(" × ", "\u{a0}×\u{a0}"),
    };
    html! {
        <>
            if embed {
                <p><a id="open-full" href={full_page(scene)} target="_blank" rel="noopener">{ tr!(language, "explore.open-full") }</a></p>
            } else {
                { method_line(language, state.method()) }
            }
            <section class="why-panel" aria-label={tr!(language, "explore.why")}>
                { for guided(scene) }
                <p id="why" class="why">{ sentence }</p>
                { for last_solutions(scene).filter(|_| !scene.is_wide) }
                if let Some(word) = step_term(now).filter(|_| !embed && !is_summarized) {
                    <p id="why-word" class="words"><TermLink {word}>{ word.name(language) }</TermLink></p>
                }
                { for watch(scene).filter(|_| !embed) }
                { for compared(scene).filter(|_| !is_summarized) }
                { for solution_link(scene).filter(|_| !is_summarized) }
                { for way_back(scene) }
                { selected_square(scene, state.selected_square(), state.is_pinned() && !state.is_playing()) }
                if !embed { { play_link(scene) } }
                <p id="announcement" class="hidden-text" aria-live="polite">{ scene.announced.clone() }</p>
            </section>
        </>
    }
}

/// The panels beside the board, and the controls to save and share.
fn panels(scene: &Scene) -> Html {
    let Scene { language, send, state, displayed, is_large, .. } = scene;
    let (language, now) = (*language, &displayed.snapshot);
    let (view, form) = (&now.view, scene.address.form);
    let line = |form| {
        let (line, event) = now.line.zip(now.event)?;
        scene.lines.of(form, line, event, &now.before)
    };
    html! {
        <>
            <div class="panels">
                { legend(language, view.method) }
                <details class="panel" open={*is_large}>
                    <summary>{ tr!(language, "explore.counters") }</summary>
                    { counters(language, &now.work, view.method) }
                    <p class="links">
                        <Link to={work_address(&scene.address())} id="to-work">{ tr!(language, "compare.all", n = view.size) }</Link>
                    </p>
                </details>
                { published(language, state.method(), now, *is_large) }
                { code(language, state.method(), (view, form, line(form)), &send.reform(Message::Form), *is_large) }
                { stack(language, view, form) }
            </div>
            <div class="more">
            { tree(scene) }
            { method_list(scene) }
            { compare(scene, Form::ALL.map(line)) }
            { work(scene) }
            { share(scene) }
            // On a phone, the transport bar has no space for these buttons.
            <button type="button" class="narrow-only" onclick={send.reform(|_: MouseEvent| Message::Layout(LayoutChange::Present))}>
                { tr!(language, "explore.present") }
            </button>
            <button
                type="button" class="narrow-only" aria-haspopup="dialog"
                onclick={send.reform(|_: MouseEvent| Message::Help(true))}
            >
                { tr!(language, "keys.title") }
            </button>
            </div>
        </>
    }
}

/// The address of the full page at the same step and with the same layout.
fn full_page(scene: &Scene) -> String {
    Address { is_embedded: false, clip: Clip::default(), ..scene.address() }.to_link()
}

/// The search tree, laid out only while its panel is open.
fn tree(scene: &Scene) -> Html {
    let language = scene.language;
    let view = &scene.displayed.snapshot.view;
    let toggle = scene.send.reform(|event: MouseEvent| {
        event.prevent_default();
        Message::Layout(LayoutChange::Tree)
    });
    html! {
        <details class="panel tree-panel" open={scene.is_tree_open()}>
            <summary id="tree-summary" onclick={toggle}>{ tr!(language, "tree.title") }</summary>
            if scene.is_tree_open() {
                <Tree
                    {language} key={format!("{} {}", view.method, view.size)} method={scene.state.method()} size={view.size}
                    current={scene.displayed.nodes.0} next={scene.displayed.nodes.1}
                    zoom={scene.layout.zoom} zoomed={scene.send.reform(|zoom| Message::Layout(LayoutChange::Zoom(zoom)))}
                    step={scene.displayed.snapshot.step} large={scene.layout.large}
                    enlarge={scene.send.reform(|()| Message::Layout(LayoutChange::Large))} act={&scene.act}
                />
            }
        </details>
    }
}

/// The comparison with the method in the address, or of both forms. `lines` are the lines that did
/// the last step, in the order of [`Form::ALL`].
fn compare(scene: &Scene, lines: [Option<u32>; 2]) -> Html {
    let language = scene.language;
    let view = &scene.displayed.snapshot.view;
    let with = scene.address.compare;
    let method = scene.state.method();
    // At first, Symmetry is compared with Bitmap, which has no rules, and every other method with
    // Symmetry.
    let other = if method == Stepped::Symmetry { Stepped::Bitmap } else { Stepped::Symmetry };
    let toggle = scene.send.reform(move |event: MouseEvent| {
        event.prevent_default();
        Message::Compare(if with.is_some() { None } else { Some(other) })
    });
    html! {
        <details class="panel" open={with.is_some()}>
            <summary id="compare-summary" onclick={toggle}>{ tr!(language, "compare.title") }</summary>
            if let Some(with) = with {
                <Compare
                    {language} key={format!("{method} {}", view.size)} {method} {with}
                    common={scene.layout.common} go={scene.send.reform(|common| Message::Layout(LayoutChange::CommonSolution(common)))}
                    at={scene.displayed.snapshot.step} playing={scene.state.is_playing()}
                    {lines} size={view.size} choose={scene.send.reform(|with| Message::Compare(Some(with)))}
                    act={&scene.act}
                />
            }
        </details>
    }
}

/// The work of all methods, counted while its panel is open.
fn work(scene: &Scene) -> Html {
    let (language, open) = (scene.language, scene.layout.work);
    let size = scene.displayed.snapshot.view.size;
    let toggle = scene.send.reform(move |event: MouseEvent| {
        event.prevent_default();
        Message::Work(!open)
    });
    html! {
        <details class="panel" {open}>
            <summary id="efforts-summary" onclick={toggle}>{ tr!(language, "compare.all", n = size) }</summary>
            if open {
                <All method={scene.state.method()} {size} {language} scroll_into_view={scene.scroll_to_work} />
            }
        </details>
    }
}

/// What a user carries away, loaded when it is open.
fn share(scene: &Scene) -> Html {
    let open = scene.share;
    let toggle = scene.send.reform(move |event: MouseEvent| {
        event.prevent_default();
        Message::Share(!open)
    });
    let props = || share::Props {
        address: Rc::new(scene.address()),
        now: scene.displayed.snapshot,
        rows: Rc::clone(&scene.displayed.rows),
        end: scene.state.end(),
        act: scene.act.clone(),
    };
    html! {
        <details class="panel share-panel" {open}>
            <summary id="share-summary" onclick={toggle}>{ tr!(scene.language, "explore.share") }</summary>
            if open { <LaterPart part={Part::Share(props())} /> }
        </details>
    }
}

/// What a link brings along: steps that play by themselves, and marked moments.
fn guided(scene: &Scene) -> Option<Html> {
    let Address { clip, ref moments, .. } = *scene.address;
    let is_guided = clip != Clip::default() || !moments.is_empty();
    is_guided.then(|| {
        let guide = guide::Props {
            clip,
            moments: moments.clone(),
            step: scene.displayed.snapshot.step,
            playing: scene.state.is_playing(),
            presenting: scene.layout.presenting,
            act: scene.act.clone(),
        };
        html! { <LaterPart part={Part::Guide(guide)} /> }
    })
}

/// What the method adds to its predecessor.
fn method_line(language: Language, method: Stepped) -> Html {
    let new = tr!(language, format!("method.{}.new", method.id()));
    html! {
        <p class="method-line soft"><b>{ numbered_method(language, method) }</b>{ " " }{ new }</p>
    }
}

/// All methods, each with what it adds to the one before, and a link.
fn method_list(scene: &Scene) -> Html {
    let (language, current) = (scene.language, scene.state.method());
    let items = Stepped::ALL.iter().map(|&method| {
        let to = scene.address().with_method(method);
        html! {
            <li key={method.id()} aria-current={(method == current).then_some("true")}>
                <Link {to}>{ method_name(language, method) }</Link>
                { " " }{ tr!(language, format!("method.{}.new", method.id())) }
            </li>
        }
    });
    html! {
        <details class="panel">
            <summary>{ tr!(language, "explore.ladder") }</summary>
            <ol id="ladder" class="ladder">{ for items }</ol>
        </details>
    }
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
    let to = Address { view: View::Symmetries, solution, ..scene.address() };
    Some(html! {
        <p><Link {to} id="to-symmetries" class="button">{ tr!(scene.language, "explore.solution-link") }</Link></p>
    })
}

/// The button that starts a search, and on a first visit a link to what symmetry saves.
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
                if scene.address().is_first_visit() {
                    <Link id="what-symmetry-saves" to={Address { language: scene.address.language, ..Address::of_symmetry() }}>
                        { tr!(language, "explore.symmetry-link") }
                    </Link>
                }
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

/// A link that copies the queens on the board to Play.
fn play_link(scene: &Scene) -> Html {
    let queens = scene.displayed.snapshot.view.placed();
    let to = Address { view: View::Play, queens, ..scene.address() };
    html! {
        <p class="links"><Link {to} id="to-play">{ tr!(scene.language, "explore.play-link") }</Link></p>
    }
}
