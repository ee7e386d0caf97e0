//! The registers as rows of bits, aligned with the board's columns.

use queens_core::{Column, Register, RowBits, Size};
use queens_state::search::picture::register_after;
use queens_state::search::state::{Action, ExploreState, Snapshot};
use web_sys::Element;
use yew::prelude::*;

use super::bits::head;
use crate::parts::term::TermLink;
use crate::place::Layer;
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
    let rows = view.method.registers.iter().map(|&register| {
        html! {
            <RegisterRow
                key={register.name()} {register} {size} bits={register_after(now, register)}
                is_layer_on={state.has_layer(Layer::Register(register))} {hex} {highlighted_bit}
                act={act.clone()}
            />
        }
    });
    let bounds = [Layer::Bound1, Layer::Bound2].into_iter();
    let bounds = bounds.filter(|_| view.method.branching.is_some()).map(|layer| {
        let value = view.masks.as_ref();
        let value =
            value.map(|masks| if layer == Layer::Bound1 { masks.bound1 } else { masks.bound2 });
        let term = if layer == Layer::Bound1 { Term::BOUND1 } else { Term::BOUND2 };
        bound(
            language,
            (layer, term),
            value,
            (n, highlighted_bit),
            switch(language, layer, state.has_layer(layer), act),
        )
    });
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
    (layer, term): (Layer, Term),
    value: Option<u32>,
    (n, highlighted_bit): (u32, Option<u32>),
    switch: Html,
) -> Html {
    let name = layer.name();
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
        None => tr!(language, "explore.register-none", name = name),
    };
    html! {
        <div class="register" id={format!("register-{id}")} data-value={value.map(|value| value.to_string())}>
            <span class="register-name"><TermLink word={term}>{ name }</TermLink>{ switch }</span>
            <span class="bits" role="img" aria-label={label}>{ for cells }</span>
            <span class="register-hex">{ value }</span>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct RegisterProps {
    register: Register,
    size: Size,
    bits: Option<RowBits>,
    is_layer_on: bool,
    hex: bool,
    highlighted_bit: Option<u32>,
    act: Callback<Action>,
}

/// A register: its name, the switch for its layer, its bits and its hexadecimal value.
#[component]
fn RegisterRow(props: &RegisterProps) -> Html {
    let language = use_language();
    let &RegisterProps { register, size, bits, is_layer_on, hex, highlighted_bit, .. } = props;
    let name = register.name();
    let n = size.rows();
    let text = bits.map(|bits| format!("{:0n$b}", (bits & size.mask()).bits()));
    let cells = (0..size.get()).rev().map(|bit| {
        let is_set = bits.is_some_and(|bits| bits.contains(bit));
        let class = classes!(
            "bit",
            is_set.then_some("one"),
            (highlighted_bit == Some(bit)).then_some("lit"),
            bits.is_none().then_some("absent")
        );
        let digit = match bits {
            None => "·",
            Some(_) if is_set => "1",
            Some(_) => "0",
        };
        html! { <span key={bit} {class} data-bit={bit.to_string()}>{ digit }</span> }
    });
    let label = match &text {
        Some(bits) => tr!(language, "explore.register-bits", name = name, bits = bits),
        None => tr!(language, "explore.register-none", name = name),
    };
    let digits = n.div_ceil(4);
    html! {
        <div class="register" id={format!("register-{}", name.to_ascii_lowercase())} data-bits={text}>
            <span class="register-name">
                <TermLink word={Term::of_register(register)}>{ name }</TermLink>
                { switch(language, Layer::Register(register), is_layer_on, &props.act) }
            </span>
            <span class="bits" role="img" aria-label={label}>{ for cells }</span>
            <span class="register-hex">
                if hex { { bits.map(|bits| format!("{:0digits$X}", (bits & size.mask()).bits())) } }
            </span>
        </div>
    }
}

/// Renders the switch that shows or hides a register or bound as a layer on the board.
fn switch(language: Language, layer: Layer, is_layer_on: bool, act: &Callback<Action>) -> Html {
    let name = layer.name();
    let label = tr!(language, "explore.overlay", name = name);
    let onclick = act.reform(move |_: MouseEvent| Action::Overlay(layer));
    html! {
        <button
            type="button" class={classes!("switch", layer.class())} role="switch" aria-checked={is_layer_on.to_string()} {onclick}
            aria-label={label}
        >
            <span class="switch-knob" aria-hidden="true"></span>
        </button>
    }
}

/// Returns the bit number of the cell that contains `element`; `None` outside the cells.
fn bit_of(element: &Element) -> Option<u32> {
    let cell = element.closest("[data-bit]").ok()??;
    cell.get_attribute("data-bit")?.parse().ok()
}
