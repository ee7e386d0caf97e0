//! The registers as rows of bits under the board's columns.

use queens_core::{Masks, Register, RowBits, Size, View};
use web_sys::Element;
use yew::prelude::*;

use crate::parts::search::state::{Action, Layer, State};
use crate::words::{Language, tr, use_language};

/// The registers that the method has, at `view`.
pub fn registers(language: Language, view: &View, state: &State, act: &Callback<Action>) -> Html {
    let (size, hex, lit) = (view.size, state.hex(), state.lit());
    let n = size.get();
    let onmouseover = {
        let act = act.clone();
        Callback::from(move |event: MouseEvent| {
            let bit = event.target_dyn_into::<Element>().and_then(|element| bit_of(&element));
            act.emit(Action::Light(bit.filter(|&bit| bit < n)));
        })
    };
    let onmouseleave = {
        let act = act.clone();
        Callback::from(move |_: MouseEvent| act.emit(Action::Light(None)))
    };
    let toggle_hex = {
        let act = act.clone();
        Callback::from(move |_: MouseEvent| act.emit(Action::ToggleHex))
    };
    let numbers = (0..n).rev().map(|bit| {
        let lit = (lit == Some(bit)).then_some("lit");
        html! { <span key={bit} class={classes!("bit", lit)} data-bit={bit.to_string()}>{ bit }</span> }
    });
    let words = view.method.registers.iter().map(|&register| {
        html! {
            <Word
                key={register.name()} {register} {size} bits={view.register(register)}
                over={state.overlays(Layer::Register(register))} {hex} {lit}
                act={act.clone()}
            />
        }
    });
    let masks = view.masks;
    let bound = |layer: Layer, value: fn(&Masks) -> u32| {
        let name = layer.name();
        let value = masks.as_ref().map(value);
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
                <span class="register-name">{ switch(language, layer, state.overlays(layer), act) }</span>
                <span class="bits" role="img" aria-label={label}>{ for cells }</span>
                <span class="register-hex">{ value }</span>
            </div>
        }
    };
    html! {
        <div
            id="registers" role="group" aria-label={tr!(language, "explore.registers")}
            class={classes!("registers", format!("n-{n}"))} {onmouseover} {onmouseleave}
        >
            <div class="register register-head">
                <span class="register-name">{ tr!(language, "explore.bits") }</span>
                <span class="bits" aria-hidden="true">{ for numbers }</span>
                <span class="register-hex">
                    if !view.method.registers.is_empty() { <button id="hex" type="button" class="tiny" aria-pressed={hex.to_string()} onclick={toggle_hex}>
                        { tr!(language, "explore.hex") }
                    </button> }
                </span>
            </div>
            { for words }
            if view.method.branching.is_some() {
                { bound(Layer::Bound1, |masks| masks.bound1) }
                { bound(Layer::Bound2, |masks| masks.bound2) }
            }
        </div>
    }
}

/// One register.
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
fn Word(props: &WordProps) -> Html {
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
                { switch(language, Layer::Register(register), over, &props.act) }
            </span>
            <span class="bits" role="img" aria-label={label}>{ for cells }</span>
            <span class="register-hex">
                if hex { { bits.map(|bits| format!("{:0digits$X}", (bits & size.mask()).bits())) } }
            </span>
        </div>
    }
}

/// The switch that lays something over the board.
fn switch(language: Language, layer: Layer, over: bool, act: &Callback<Action>) -> Html {
    let name = layer.name();
    let label = tr!(language, "explore.overlay", name = name);
    let onclick = act.reform(move |_: MouseEvent| Action::Overlay(layer));
    html! {
        <button
            type="button" class="switch" role="switch" aria-checked={over.to_string()} {onclick}
            aria-label={label.clone()} title={label}
        >
            <span class="switch-name">{ name }</span>
            <span class="switch-knob" aria-hidden="true"></span>
        </button>
    }
}

/// The bit that an element of the registers shows.
fn bit_of(element: &Element) -> Option<u32> {
    let cell = element.closest("[data-bit]").ok()??;
    cell.get_attribute("data-bit")?.parse().ok()
}
