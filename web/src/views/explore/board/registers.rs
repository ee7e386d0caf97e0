//! The registers as rows of bits, aligned with the board's columns.

use queens_core::{Cell, Column, Register, RowBits, Rule, Size};
use web_sys::Element;
use yew::prelude::*;

use super::bits::head;
use super::legend::register_samples;
use crate::parts::term::TermLink;
use crate::search::name::Name;
use crate::search::squares::register_after;
use crate::search::state::{Action, ExploreState, Snapshot};
use crate::views::explore::program::acting_line;
use crate::words::{Language, Term, tr, use_language};

/// Renders the registers and bounds of the method after the step of `now`.
pub fn registers(
    language: Language,
    now: &Snapshot,
    state: &ExploreState,
    act: &Callback<Action>,
) -> Html {
    let view = &now.view;
    let (size, hex, highlighted_bit) =
        (view.size, state.hex(), state.highlighted_column().map(Column::to_right));
    let n = size.get();
    let onmouseover = act.reform(move |event: MouseEvent| {
        let bit = event.target_dyn_into::<Element>().and_then(|element| bit_of(&element));
        Action::Highlight(bit.and_then(|bit| Column::from_right(size, bit)))
    });
    let onmouseleave = act.reform(|_: MouseEvent| Action::Highlight(None));
    let acting = acting_line(now).and_then(|line| view.method.program_lines().nth(line));
    let is_idle = |name: Name| view.masks.is_some_and(|masks| name.is_idle_in(&masks));
    let rows = view.method.registers.iter().map(|&register| {
        let acts = acting.is_some_and(|line| line.registers().any(|named| named == register));
        html! {
            <RegisterRow
                key={register.name()} {register} {size} bits={register_after(now, register)} {acts} {hex}
                {highlighted_bit} is_idle={is_idle(Name::Register(register))}
            />
        }
    });
    let bounds = [Name::Bound1, Name::Bound2].into_iter();
    let bounds = bounds.filter(|name| name.is_of(view.method)).map(|name| {
        let value = view.masks.map(|masks| match name {
            Name::Bound1 => masks.bound1,
            _ => masks.bound2,
        });
        bound(language, name, value, (n, highlighted_bit))
    });
    let cells = view
        .method
        .rules
        .contains(&Rule::LastRow)
        .then(|| cells(language, is_idle(Name::Cell(Cell::A))));
    html! {
        <div
            id="registers" role="group" aria-label={tr!(language, "explore.registers")}
            class={classes!("registers", format!("n-{n}"))} {onmouseover} {onmouseleave}
        >
            if !view.method.registers.is_empty() {
                { head(language, n, highlighted_bit, Some(hex_switch(language, hex, act))) }
            }
            { for rows }
            { for bounds }
            { for cells }
        </div>
    }
}

/// Renders the switch for hexadecimal values, whose state is `hex`.
fn hex_switch(language: Language, hex: bool, act: &Callback<Action>) -> Html {
    let toggle = act.reform(|_: MouseEvent| Action::ToggleHex);
    html! {
        <button id="hex" type="button" class="tiny" aria-pressed={hex.to_string()} onclick={toggle}>
            { tr!(language, "explore.hex") }
        </button>
    }
}

/// Renders BOUND1 or BOUND2 as a row of `n` cells. The cell with the number `value` contains the
/// value.
fn bound(
    language: Language,
    name: Name,
    value: Option<u32>,
    (n, highlighted_bit): (u32, Option<u32>),
) -> Html {
    let (name, term) = (name.word(), name.term());
    let cells = (0..n).rev().map(|bit| {
        let here = value == Some(bit);
        let class =
            classes!("bit", here.then_some("one"), (highlighted_bit == Some(bit)).then_some("lit"));
        html! {
            <span key={bit} {class} data-bit={bit.to_string()}>
                if here { { bit } } else { { "\u{a0}" } }
            </span>
        }
    });
    let id = name.to_ascii_lowercase();
    let label = match value {
        Some(value) => tr!(language, "explore.bound-is", name = name, value = value),
        None => format!("{name}{}{}", language.colon(), tr!(language, "explore.register-none")),
    };
    html! {
        <div
            class="register" id={format!("register-{id}")} data-name={name}
            data-value={value.map(|value| value.to_string())}
        >
            <span class="register-name"><TermLink word={term}>{ name }</TermLink></span>
            <span class="bits" role="img" aria-label={label}>{ for cells }</span>
            <span class="register-hex">{ value }</span>
        </div>
    }
}

/// The names of the cells, whose letters are on the board.
fn cells(language: Language, is_idle: bool) -> Html {
    let name = Term::CELLS.name(language);
    let cells = Cell::ALL.map(|cell| {
        html! {
            <span class="register-name" data-name={cell.letter()}>
                <TermLink word={Term::CELLS}>{ cell.letter() }</TermLink>
            </span>
        }
    });
    html! {
        <div class={classes!("register", "cells", is_idle.then_some("idle"))} role="group" aria-label={name}>{ for cells }</div>
    }
}

#[derive(Properties, PartialEq)]
struct RegisterProps {
    register: Register,
    size: Size,
    bits: Option<RowBits>,
    /// Whether the line of the program that acts names the register.
    acts: bool,
    /// Whether the branch makes no use of the register. Style sheets hide it then.
    is_idle: bool,
    hex: bool,
    highlighted_bit: Option<u32>,
}

/// A register: its name, its bits and its hexadecimal value.
#[component]
fn RegisterRow(props: &RegisterProps) -> Html {
    let language = use_language();
    let &RegisterProps { register, size, bits, acts, is_idle, hex, highlighted_bit } = props;
    let name = register.name();
    let n = size.rows();
    let text = bits.map(|bits| format!("{:0n$b}", (bits & size.mask()).bits()));
    let cells = (0..size.get()).rev().map(|bit| {
        let is_set = bits.is_some_and(|bits| bits.contains(bit));
        let class = classes!(
            "bit",
            is_set.then_some("one"),
            (highlighted_bit == Some(bit)).then_some("lit"),
        );
        let digit = if is_set { "1" } else { "0" };
        html! { <span key={bit} {class} data-bit={bit.to_string()}>{ digit }</span> }
    });
    let none = tr!(language, "explore.register-none");
    let label = match &text {
        Some(bits) => tr!(language, "explore.register-bits", name = name, bits = bits),
        None => format!("{name}{}{none}", language.colon()),
    };
    let digits = n.div_ceil(4);
    html! {
        <div
            id={format!("register-{}", name.to_ascii_lowercase())} class={classes!("register", acts.then_some("acts"), is_idle.then_some("idle"))}
            data-name={name} data-bits={text}
        >
            <span class="register-name">
                <TermLink word={Term::of_register(register)}>{ name }</TermLink>
            </span>
            <span class="bits" role="img" aria-label={label}>
                if bits.is_none() { <span class="unused">{ none }</span> } else { { for cells } }
            </span>
            <span class="register-hex">
                { register_samples(register) }
                if hex { { bits.map(|bits| format!("{:0digits$X}", (bits & size.mask()).bits())) } }
            </span>
        </div>
    }
}

/// Returns the bit number of the cell that contains `element`; `None` outside the cells.
fn bit_of(element: &Element) -> Option<u32> {
    let cell = element.closest("[data-bit]").ok()??;
    cell.get_attribute("data-bit")?.parse().ok()
}
