//! Text that is pasted anywhere in a view.

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Element};
use yew::prelude::*;

use crate::browser::window;

/// Calls `take` with each text that is pasted outside an input field.
#[hook]
pub fn use_paste(take: Callback<String>) {
    use_effect_with(take, |take| {
        let take = take.clone();
        let listener = window().map(|window| {
            EventListener::new(&window, "paste", move |event| {
                let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
                let is_in_field =
                    target.is_some_and(|target| matches!(target.closest("input"), Ok(Some(_))));
                let pasted =
                    event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
                let text = pasted.and_then(|pasted| pasted.get_data("text").ok());
                if let Some(text) = text.filter(|text| !is_in_field && !text.trim().is_empty()) {
                    take.emit(text);
                }
            })
        });
        move || drop(listener)
    });
}
