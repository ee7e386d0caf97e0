//! Explore's parts and where they stand.

use queens_core::{Event, Method};
use yew::prelude::*;

use super::board::Board;
use super::code::Code;
use super::counters::Counters;
use super::help::Help;
use super::legend::Legend;
use super::picture::rows;
use super::player::{Message, Player, pressed};
use super::registers::Registers;
use super::stack::Stack;
use super::transport::Transport;
use super::why::{ask, why};
use crate::address::Address;
use crate::components::link::Link;
use crate::components::squares::{column_labels, row_labels};
use crate::components::top_bar::method_name;
use crate::i18n::{Language, grouped, tr};
use crate::views::View;

/// Explore as it looks now.
pub fn screen(player: &Player, ctx: &Context<Player>) -> Html {
    let language = ctx.props().language;
    let state = &player.state;
    let now = state.snapshot();
    let size = now.view.size;
    let act = ctx.link().callback(Message::Do);
    let onkeydown = ctx.link().batch_callback(|event: KeyboardEvent| {
        let message = pressed(&event);
        if message.is_some() {
            event.prevent_default();
        }
        message
    });
    let rows = rows(state);
    let solved = matches!(now.event, Some(Event::Solution { .. }));
    let label = tr!(language, "explore.board", n = size, step = grouped(now.step));
    let asked = state.asked().map(|square| ask(language, &now.view, square));
    let line = now.line.zip(now.event).and_then(|(line, event)| {
        player.lines.of(ctx.props().address.form, line, event, &now.before)
    });
    html! {
        <div class="explore" {onkeydown}>
            <h1 class="hidden-text">{ View::Explore.name(language) }</h1>
            <p id="board-help" class="hidden-text">{ tr!(language, "explore.board-help") }</p>
            <div class={classes!("plate", format!("r-{}", player.profile.rows()))}>
                <div class={classes!("board-area", format!("n-{size}"))}>
                    { column_labels(size.get(), state.lit()) }
                    { row_labels(size.get(), rows.iter().find(|row| row.at_work).map(|row| row.row)) }
                    <Board {size} {label} rows={rows} lit={state.lit()} {solved} act={act.clone()} />
                </div>
                <details class="fold" open={player.wide}>
                    <summary>{ tr!(language, "explore.registers") }</summary>
                    <Registers
                        view={now.view} profile={player.profile.clone()} overlays={player.overlays()}
                        hex={state.hex()} lit={state.lit()} act={act.clone()}
                    />
                </details>
            </div>
            <div class="side">
                <p class="method-line soft">{ method_line(language, now.view.method) }</p>
                <section class="why-panel" aria-label={tr!(language, "explore.why")}>
                    <p id="why" class="why">{ why(language, now) }</p>
                    { for solution_link(player, ctx, solved) }
                    <p id="asked" class="asked">
                        { asked.unwrap_or_else(|| tr!(language, "explore.ask-hint")) }
                    </p>
                    { play_link(player, ctx) }
                    <p id="announcement" class="hidden-text" aria-live="polite">{ player.announced.clone() }</p>
                </section>
                <details class="panel" open={player.roomy}>
                    <summary>{ tr!(language, "explore.counters") }</summary>
                    <Counters work={now.work} profile={player.profile.clone()} classes={now.view.method.counts_classes()} />
                </details>
                <Code
                    method={now.view.method} form={ctx.props().address.form} {line}
                    choose={ctx.link().callback(Message::Form)} open={player.roomy}
                />
                <Stack view={now.view} form={ctx.props().address.form} />
                <Legend profile={player.profile.clone()} />
            </div>
            <Transport
                step={now.step} end={state.end()} extent={state.extent()} playing={state.playing()}
                done={state.is_done()} on_the_way={state.on_the_way()} notice={state.notice()}
                speed={(state.speed(), state.rate())} survey={state.survey().clone()}
                act={act} help={ctx.link().callback(|()| Message::Help(true))}
            />
            <Help open={player.help} closed={ctx.link().callback(|()| Message::Help(false))} />
        </div>
    }
}

/// What is new on the method's rung of the ladder.
fn method_line(language: Language, method: Method) -> String {
    let new = tr!(language, format!("method.{}.new", method.id()));
    format!("{} · {}: {new}", method.number(), method_name(language, method))
}

/// The link that takes the solution on the board to its images.
fn solution_link(player: &Player, ctx: &Context<Player>, solved: bool) -> Option<Html> {
    let placement = player.state.snapshot().view.placement().filter(|_| solved)?;
    let solution = Some(placement.columns_from_left().collect());
    let to = Address { view: View::Symmetries, solution, ..player.address(ctx) };
    Some(html! {
        <p><Link {to} id="to-symmetries" class="button">{ tr!(ctx.props().language, "explore.solution-link") }</Link></p>
    })
}

/// The link that takes the queens on the board to Play.
fn play_link(player: &Player, ctx: &Context<Player>) -> Html {
    let view = &player.state.snapshot().view;
    let last = view.size.last();
    let queens = (0..).zip(view.rows()).filter(|(_, queen)| !queen.is_empty());
    let queens = queens.map(|(row, queen)| (row, last - queen.column())).collect();
    let to = Address { view: View::Play, queens, ..player.address(ctx) };
    html! {
        <p class="links"><Link {to} id="to-play">{ tr!(ctx.props().language, "explore.play-link") }</Link></p>
    }
}
