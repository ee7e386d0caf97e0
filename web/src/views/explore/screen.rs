//! Explore's parts and where they stand.

use queens_core::{Event, Facts, Form, Stepped};
use yew::prelude::*;

use super::board::branches::Branches;
use super::board::grid::Board;
use super::board::legend::legend;
use super::board::registers::registers;
use super::code::panel::code;
use super::code::stack::stack;
use super::controls::help::Help;
use super::controls::tour::tour;
use super::controls::transport::Transport;
use super::panels::asked::asked;
use super::panels::compare::Compare;
use super::panels::counters::counters;
use super::panels::tree::Tree;
use super::player::{Message, Player, pressed};
use crate::board::squares::{column_labels, row_labels};
use crate::parts::link::Link;
use crate::parts::save::Save;
use crate::parts::search::why::why;
use crate::place::{Address, View};
use crate::words::{Language, grouped, method_name, tr};

/// Explore as it looks now.
pub fn screen(player: &Player, ctx: &Context<Player>) -> Html {
    let language = ctx.props().language;
    let state = &player.state;
    let shown = state.snapshot();
    let now = &player.told.now;
    let size = shown.view.size;
    let act = &player.act;
    let form = ctx.props().address.form;
    let onkeydown = ctx.link().batch_callback(|event: KeyboardEvent| {
        let message = pressed(&event);
        if message.is_some() {
            event.prevent_default();
        }
        message
    });
    let told = &player.told.rows;
    let facts = now.view.method;
    let is_solution = |event| matches!(event, Some(Event::Solution { .. }));
    let label = tr!(language, "explore.board", n = size, step = grouped(now.step));
    let embed = ctx.props().address.embed;
    let first_visit =
        player.tour.map(|step| tour(language, step, &ctx.link().callback(Message::Tour)));
    let line = |form| {
        let (line, event) = now.line.zip(now.event)?;
        player.lines.of(form, line, event, &now.before)
    };
    html! {
        <div class={classes!("explore", embed.then_some("embed"))} {onkeydown} data-tour={player.tour.map(|step| step.to_string())}>
            <h1 class="hidden-text">{ View::Explore.name(language) }</h1>
            <p id="board-help" class="hidden-text">{ tr!(language, "explore.board-help") }</p>
            { for first_visit }
            <div class={classes!("plate", format!("r-{}", register_rows(facts)))}>
                <div class={classes!("board-area", format!("n-{size}"))}>
                    { column_labels(size.get(), state.lit()) }
                    { row_labels(size.get(), told.iter().find(|row| row.at_work).map(|row| row.row)) }
                    <Board {size} {label} drawn={&player.drawn} {told} lit={state.lit()} asked={state.asked()} solved={is_solution(shown.event)} {act} />
                </div>
                if !embed { <details class="fold" open={player.wide}>
                    <summary>{ tr!(language, "explore.registers") }</summary>
                    { registers(language, &now.view, state, act) }
                </details> }
                if let Some(branching) = facts.branching.filter(|_| !embed) {
                    <details class="panel branches-panel">
                        <summary>{ tr!(language, "branches.title") }</summary>
                        <Branches {branching} {size} present={now.view.masks} {language} {act} />
                    </details>
                }
            </div>
            <div class="side">
                if embed {
                    <p><a id="open-full" href={full(player, ctx)} target="_blank" rel="noopener">{ tr!(language, "explore.open-full") }</a></p>
                } else {
                    <p class="method-line soft">{ method_line(language, state.method()) }</p>
                }
                <section class="why-panel" aria-label={tr!(language, "explore.why")}>
                    <p id="why" class="why">{ why(language, now) }</p>
                    { for solution_link(player, ctx, is_solution(now.event)) }
                    { asked(language, &player.told, state.asked(), state.pinned() && !state.playing()) }
                    if !embed { { play_link(player, ctx) } }
                    <p id="announcement" class="hidden-text" aria-live="polite">{ player.announced.clone() }</p>
                </section>
                if !embed {
                <details class="panel" open={player.roomy}>
                    <summary>{ tr!(language, "explore.counters") }</summary>
                    { counters(language, &now.work, facts) }
                </details>
                { code(language, state.method(), (&now.view, form, line(form)), &ctx.link().callback(Message::Form), player.roomy) }
                { stack(language, &now.view, form) }
                { tree(player, ctx) }
                { compare(player, ctx, Form::ALL.map(line)) }
                <Save drawing="board" name={format!("queens-{size}-{}-{}", now.view.method, now.step)} />
                { legend(language, facts) }
                // On a phone the bar has no room for it.
                <button type="button" class="narrow-only" onclick={ctx.link().callback(|_: MouseEvent| Message::Help(true))} aria-haspopup="dialog">
                    { tr!(language, "keys.title") }
                </button>
                }
            </div>
            <Transport
                step={now.step} end={state.end()} extent={state.extent()} playing={state.playing()}
                done={state.is_done()} on_the_way={state.on_the_way()} notice={state.notice()}
                speed={(state.speed(), state.rate())} survey={state.survey().clone()}
                {act} help={&player.open_help}
            />
            <Help open={player.help} closed={ctx.link().callback(|()| Message::Help(false))} />
        </div>
    }
}

/// The address of the whole page with the same picture.
fn full(player: &Player, ctx: &Context<Player>) -> String {
    let query = Address { embed: false, ..player.address(ctx) }.to_query();
    if query.is_empty() { "?".to_owned() } else { query }
}

/// The search tree, folded until somebody wants to see it.
fn tree(player: &Player, ctx: &Context<Player>) -> Html {
    let language = ctx.props().language;
    let view = &player.told.now.view;
    let toggle = ctx.link().callback(|event: MouseEvent| {
        event.prevent_default();
        Message::Tree
    });
    html! {
        <details class="panel" open={player.tree}>
            <summary id="tree-summary" onclick={toggle}>{ tr!(language, "tree.title") }</summary>
            if player.tree {
                <Tree
                    {language} key={format!("{} {}", view.method, view.size)} method={player.state.method()} size={view.size}
                    present={player.told.nodes.0} next={player.told.nodes.1}
                    act={&player.act}
                />
            }
        </details>
    }
}

/// The comparison with another method or of both forms, which the address names; `lines` are
/// those that did the last step, in the order of [`Form::ALL`].
fn compare(player: &Player, ctx: &Context<Player>, lines: [Option<u32>; 2]) -> Html {
    let language = ctx.props().language;
    let view = &player.told.now.view;
    let with = ctx.props().address.compare;
    let method = player.state.method();
    let other = if method == Stepped::Bitmap { Stepped::Symmetry } else { Stepped::Bitmap };
    let toggle = ctx.link().callback(move |event: MouseEvent| {
        event.prevent_default();
        Message::Compare(if with.is_some() { None } else { Some(other) })
    });
    html! {
        <details class="panel" open={with.is_some()}>
            <summary id="compare-summary" onclick={toggle}>{ tr!(language, "compare.title") }</summary>
            if let Some(with) = with {
                <Compare
                    {language} key={format!("{method} {}", view.size)} {method} {with}
                    {lines} size={view.size} choose={ctx.link().callback(|with| Message::Compare(Some(with)))}
                    act={&player.act}
                />
            }
        </details>
    }
}

/// The number of rows that a method's registers take below the board.
fn register_rows(facts: &Facts) -> usize {
    facts.registers.len() + if facts.branching.is_some() { 2 } else { 0 }
}

/// What is new on the method's rung of the ladder.
fn method_line(language: Language, method: Stepped) -> String {
    let new = tr!(language, format!("method.{}.new", method.id()));
    format!("{} · {}: {new}", method.number(), method_name(language, method))
}

/// The link that takes the solution on the board to its images.
fn solution_link(player: &Player, ctx: &Context<Player>, solved: bool) -> Option<Html> {
    let placement = player.told.now.view.placement().filter(|_| solved)?;
    let solution = Some(placement.columns_from_left().collect());
    let to = Address { view: View::Symmetries, solution, ..player.address(ctx) };
    Some(html! {
        <p><Link {to} id="to-symmetries" class="button">{ tr!(ctx.props().language, "explore.solution-link") }</Link></p>
    })
}

/// The link that takes the queens on the board to Play.
fn play_link(player: &Player, ctx: &Context<Player>) -> Html {
    let view = &player.told.now.view;
    let last = view.size.last();
    let queens = (0..).zip(view.rows()).filter(|(_, queen)| !queen.is_empty());
    let queens = queens.map(|(row, queen)| (row, last - queen.column())).collect();
    let to = Address { view: View::Play, queens, ..player.address(ctx) };
    html! {
        <p class="links"><Link {to} id="to-play">{ tr!(ctx.props().language, "explore.play-link") }</Link></p>
    }
}
