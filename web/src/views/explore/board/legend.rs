//! The dialog with the signs on the board and the colours of the map, and small samples of the signs.

use queens_core::{Cell, Facts, Line, Register, Rule};
use yew::prelude::*;

use super::drawing::TRIED;
use crate::board::glyph;
use crate::parts::dialog::Dialog;
use crate::parts::term::TermLink;
use crate::words::{Language, Term, tr};

/// The mark of a square, as beside the names that put it on the board.
fn sample(drawing: Html) -> Html {
    html! {
        <svg class="sample" viewBox="9 9 22 22" aria-hidden="true">
            <rect class="square" width="40" height="40" />
            { drawing }
        </svg>
    }
}

/// A small sample of a square that a rule closes.
pub fn rule_sample(rule: Rule) -> Html {
    sample(rule_mark(rule))
}

/// Small samples of the squares for which a register stands.
pub fn register_samples(register: Register) -> Html {
    match register {
        Register::SideMask => {
            html! { <>{ rule_sample(Rule::UpperSide) }{ rule_sample(Rule::LowerSide) }</> }
        }
        Register::LastMask => rule_sample(Rule::LastRow),
        Register::TopBit => sample(cell_mark(Cell::C)),
        Register::EndBit => sample(cell_mark(Cell::B)),
        Register::Left | Register::Down | Register::Right => sample(pattern("x-attacked")),
        Register::Free => sample(free_mark()),
        Register::Mask => html! {},
    }
}

fn pattern(id: &str) -> Html {
    html! { <rect class="rule" width="40" height="40" fill={format!("url(#{id})")} /> }
}

fn rule_mark(rule: Rule) -> Html {
    html! {
        <>
            { pattern(&format!("x-{}", rule.id())) }
            <text class={classes!("sign", rule.id())} x="20" y="25">{ rule.sign() }</text>
        </>
    }
}

fn cell_mark(cell: Cell) -> Html {
    html! {
        <>
            <circle class="badge" cx="20" cy="20" r="10" />
            <text class="badge-letter large" x="20" y="25">{ cell.letter() }</text>
        </>
    }
}

fn free_mark() -> Html {
    html! { <circle class="free" cx="20" cy="20" r="3.5" /> }
}

#[derive(PartialEq, Properties)]
pub struct Props {
    pub language: Language,
    pub facts: &'static Facts,
    /// The other method of a race.
    pub compared: Option<&'static Facts>,
    /// Called when the user closes the dialog.
    pub closed: Callback<()>,
}

/// The signs that a method uses on the board, and the colours of the map.
#[component]
pub fn Signs(props: &Props) -> Html {
    let &Props { language, facts, compared, ref closed } = props;
    let has_rule = |rule| {
        [Some(facts), compared].into_iter().flatten().any(|facts| facts.rules.contains(rule))
    };
    let entry = |drawing: Html, text: Html| {
        html! {
            <li>
                <svg viewBox="0 0 40 40" width="28" height="28" aria-hidden="true">
                    <rect class="square" width="40" height="40" />
                    { drawing }
                    <rect class="frame" width="40" height="40" />
                </svg>
                { text }
            </li>
        }
    };
    let rules = Rule::ALL.iter().filter(|rule| has_rule(rule)).map(|&rule| {
        let text = tr!(language, format!("explore.legend-{}", rule.id()));
        entry(rule_mark(rule), html! { <TermLink word={Term::of_rule(rule)}>{ text }</TermLink> })
    });
    let plain =
        |key: &str| html! { <span>{ tr!(language, format!("explore.legend-{key}")) }</span> };
    let linked = |word: Term, key: &str| {
        html! { <TermLink {word}>{ tr!(language, format!("explore.legend-{key}")) }</TermLink> }
    };
    // A method that finds some attacks only on full boards, or compares solutions, does not keep each of them.
    let discards = facts.tests.len() < Line::ALL.len() || facts.counts_classes();
    let discarded = discards.then_some("discarded");
    let blocks = ["here", "leads", "solution"].into_iter().chain(discarded).chain(["dead-end"]);
    let blocks = blocks.map(|id| {
        let height = if id == "dead-end" { "24" } else { "40" };
        html! {
            <li>
                <svg viewBox="0 0 40 40" width="28" height="28" aria-hidden="true">
                    <rect class={format!("block-{id}")} width="40" {height} />
                </svg>
                { plain(&format!("map-{id}")) }
            </li>
        }
    });
    let free = if facts.keeps(Register::Free) {
        linked(Term::of_register(Register::Free), "free")
    } else {
        plain("free")
    };
    // A method that tests the diagonals only on full boards finds a square in every row.
    let has_dead_ends = facts.tests.contains(&Line::Left);
    let tests_squares = !facts.keeps(Register::Free);
    let has_lines = has_dead_ends || tests_squares;
    let lines = if tests_squares { "attack-line" } else { "dead-end" };
    let has_cells = has_rule(&Rule::LastRow);
    html! {
        <Dialog id="signs" title={tr!(language, "explore.legend")} closed={closed}>
            <ul class="legend">
                { entry(glyph::queen(), plain("queen")) }
                { entry(pattern("x-attacked"), linked(Term::ATTACK, "attacked")) }
                { entry(free_mark(), free) }
                { entry(html! { <path class="tried" d={format!("M0 0{TRIED}")} /> }, plain("tried")) }
                if has_lines { { entry(html! { <line class="attack" x1="4" y1="4" x2="36" y2="36" /> }, plain(lines)) } }
                { entry(html! { <rect class="fresh" x="2" y="2" width="36" height="36" /> }, plain("fresh")) }
                { for rules }
                if has_cells { { entry(cell_mark(Cell::A), linked(Term::CELLS, "cells")) } }
            </ul>
            <h3>{ tr!(language, "explore.map") }</h3>
            <ul id="map-legend" class="legend">{ for blocks }</ul>
            if facts.keeps(Register::Free) {
                <h3>{ tr!(language, "code.title") }</h3>
                <p>{ tr!(language, "code.hint") }</p>
            }
        </Dialog>
    }
}
