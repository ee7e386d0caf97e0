//! What can be saved: the board, and an animation of a range of steps. Its code is loaded on demand.

use yew::prelude::*;

use super::animation::animation;
use super::export::ExportForm;
use crate::browser::{download, now};
use crate::parts::save::Save;
use crate::views::explore::scene::{Message, Scene};

/// The largest time for finding the steps of an animation, in milliseconds.
const ANIMATION_WORK: f64 = 400.0;

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// The name of the saved board, without its extension.
    pub name: AttrValue,
    /// The current step.
    pub step: u64,
    /// The last step, once known.
    pub end: Option<u64>,
    /// Whether the requested steps are too far away.
    pub is_too_far: bool,
    pub send: Callback<Message>,
}

#[component]
pub fn SaveForm(props: &Props) -> Html {
    let &Props { step, end, is_too_far, .. } = props;
    let make = props.send.reform(|range| Message::Animation(range, save_animation));
    html! {
        <>
            <Save drawing="board" name={&props.name} />
            <ExportForm {step} {end} {is_too_far} {make} />
        </>
    }
}

/// Saves an animation of a range of steps. Returns whether the steps were found in time.
fn save_animation(scene: &Scene, [from, to]: [u64; 2]) -> bool {
    let (size, method) = (scene.address.size, scene.address.method);
    let end = now() + ANIMATION_WORK;
    let svg = animation(scene.language, &scene.state, [from, to], &mut || now() < end);
    if let Some(svg) = &svg {
        let name = format!("queens-{size}-{method}-{from}-{to}.svg");
        download::file(&name, "image/svg+xml", svg);
    }
    svg.is_some()
}
