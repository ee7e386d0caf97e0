//! The registers as rows of bits, aligned with the board's columns.

use queens_core::{Column, Register, RowBits, Size, View};
use queens_state::search::state::{Action, ExploreState};
use web_sys::Element;
use yew::prelude::*;

use crate::parts::term::TermLink;
use crate::place::Layer;
use crate::words::{Language, Term, tr, use_language};

/// The registers of the method at `view`.
pub fn registers(
    language: Language,
    view: &View,
    state: &ExploreState,
    act: &Callback<Action>,
) -> Html {
    let (size, hex, lit) =
        (view.size, state.hex(), state.highlighted_column().map(Column::to_right));
    let n = size.get();
    let onmouseover = act.reform(move |event: MouseEvent| {
        let bit = event.target_dyn_into::<Element>().and_then(|element| bit_of(&element));
        Action::Highlight(bit.and_then(|bit| Column::from_right(size, bit)))
    });
    let onmouseleave = act.reform(|_: MouseEvent| Action::Highlight(None));
    let words = view.method.registers.iter().map(|&register| {
        html! {
            <WordRow
                key={register.name()} {register} {size} bits={view.register(register)}
                over={state.has_layer(Layer::Register(register))} {hex} {lit}
                act={act.clone()}
            />
        }
    });
    let bounds = [Layer::Bound1, Layer::Bound2].into_iter();
    let bounds = bounds.filter(|_| view.method.branching.is_some()).map(|layer| {
        let value = view.masks.as_ref();
        let value =
            value.map(|masks| if layer == Layer::Bound1 { masks.bound1 } else { masks.bound2 });
        let word = if layer == Layer::Bound1 { Term::BOUND1 } else { Term::BOUND2 };
        bound(
            language,
            (layer, word),
            value,
            (n, lit),
            switch(language, layer, state.has_layer(layer), act),
        )
    });
    html! {
        <div
            id="registers" role="group" aria-label={tr!(language, "explore.registers")}
            class={classes!("registers", format!("n-{n}"))} {onmouseover} {onmouseleave}
        >
            { head(language, (n, lit), (!view.method.registers.is_empty()).then_some(hex), act) }
            { for words }
            { for bounds }
        </div>
    }
}

/// The numbers of `n` bits, one of them highlighted. Registers that can be shown in hexadecimal add
/// a switch for it.
fn head(
    language: Language,
    (n, lit): (u32, Option<u32>),
    hex: Option<bool>,
    act: &Callback<Action>,
) -> Html {
    let numbers = (0..n).rev().map(|bit| {
        let lit = (lit == Some(bit)).then_some("lit");
        html! { <span key={bit} class={classes!("bit", lit)} data-bit={bit.to_string()}>{ bit }</span> }
    });
    let toggle = act.reform(|_: MouseEvent| Action::ToggleHex);
    html! {
        <div class="register register-head">
            <span class="register-name">{ tr!(language, "explore.bits") }</span>
            <span class="bits" aria-hidden="true">{ for numbers }</span>
            <span class="register-hex">
                if let Some(hex) = hex {
                    <button id="hex" type="button" class="tiny" aria-pressed={hex.to_string()} onclick={toggle}>
                        { tr!(language, "explore.hex") }
                    </button>
                }
            </span>
        </div>
    }
}

/// BOUND1 or BOUND2: a row of `n` cells with the value in the cell of that number. The cell `lit` is
/// highlighted.
fn bound(
    language: Language,
    (layer, word): (Layer, Term),
    value: Option<u32>,
    (n, lit): (u32, Option<u32>),
    switch: Html,
) -> Html {
    let name = layer.name();
    let cells = (0..n).rev().map(|bit| {
        let here = value == Some(bit);
        let class = classes!("bit", here.then_some("one"), (lit == Some(bit)).then_some("lit"));
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
            <span class="register-name"><TermLink {word}>{ name }</TermLink>{ switch }</span>
            <span class="bits" role="img" aria-label={label}>{ for cells }</span>
            <span class="register-hex">{ value }</span>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct WordProps {
    register: Register,
    size: Size,
    bits: Option<RowBits>,
    over: bool,
    hex: bool,
    lit: Option<u32>,
    act: Callback<Action>,
}

#[component]
fn WordRow(props: &WordProps) -> Html {
    let language = use_language();
    let &WordProps { register, size, bits, over, hex, lit, .. } = props;
    let name = register.name();
    let n = size.rows();
    let text = bits.map(|bits| format!("{:0n$b}", (bits & size.mask()).bits()));
    let cells = (0..size.get()).rev().map(|bit| {
        let one = bits.is_some_and(|bits| bits.contains(bit));
        let class = classes!(
            "bit",
            one.then_some("one"),
            (lit == Some(bit)).then_some("lit"),
            bits.is_none().then_some("absent")
        );
        let digit = match bits {
            None => "·",
            Some(_) if one => "1",
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
                { switch(language, Layer::Register(register), over, &props.act) }
            </span>
            <span class="bits" role="img" aria-label={label}>{ for cells }</span>
            <span class="register-hex">
                if hex { { bits.map(|bits| format!("{:0digits$X}", (bits & size.mask()).bits())) } }
            </span>
        </div>
    }
}

/// The switch that shows a register or bound as a layer over the board.
fn switch(language: Language, layer: Layer, over: bool, act: &Callback<Action>) -> Html {
    let name = layer.name();
    let label = tr!(language, "explore.overlay", name = name);
    let onclick = act.reform(move |_: MouseEvent| Action::Overlay(layer));
    html! {
        <button
            type="button" class={classes!("switch", layer.class())} role="switch" aria-checked={over.to_string()} {onclick}
            aria-label={label}
        >
            <span class="switch-knob" aria-hidden="true"></span>
        </button>
    }
}

/// The bit that an element shows.
fn bit_of(element: &Element) -> Option<u32> {
    let cell = element.closest("[data-bit]").ok()??;
    cell.get_attribute("data-bit")?.parse().ok()
}
