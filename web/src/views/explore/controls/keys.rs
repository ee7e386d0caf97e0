//! The keys of Explore, wherever the focus is.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::Callback;

use crate::parts::search::state::Action;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Something about the search.
    Do(Action),
    /// The list of keys.
    Help,
}

/// What a key means where no element has a use of its own for it.
fn command(key: &str, shift: bool) -> Option<Command> {
    let action = match key {
        " " => Action::TogglePlay,
        "ArrowLeft" => Action::By(-1),
        "ArrowRight" => Action::By(1),
        "ArrowUp" => Action::By(10),
        "ArrowDown" => Action::By(-10),
        "PageUp" => Action::By(100),
        "PageDown" => Action::By(-100),
        "Home" => Action::First,
        "End" => Action::LastVisited,
        "s" | "S" if shift => Action::PreviousSolution,
        "s" | "S" => Action::NextSolution,
        "?" => return Some(Command::Help),
        _ => return None,
    };
    Some(Command::Do(action))
}

/// Listens to the keys of the whole page, so that they work before anything has the focus, and
/// tells what they ask for.
pub fn listen(tell: Callback<Command>) -> Option<EventListener> {
    let document = web_sys::window()?.document()?;
    let options = EventListenerOptions::enable_prevent_default();
    Some(EventListener::new_with_options(&document, "keydown", options, move |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        if let Some(command) = pressed(event) {
            event.prevent_default();
            tell.emit(command);
        }
    }))
}

/// What a key means; `None` where it belongs to the element that has the focus.
fn pressed(event: &KeyboardEvent) -> Option<Command> {
    if event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let key = event.key();
    // While a dialog is open, its page rests.
    if target.owner_document()?.query_selector("dialog[open]").ok()?.is_some() {
        return None;
    }
    // What can be scrolled by the keyboard keeps the keys for that, and so does what has its own.
    if target.closest(".scroll, .stack-frame, [role='tree']").ok().flatten().is_some() {
        return None;
    }
    let own = match target.tag_name().to_ascii_uppercase().as_str() {
        "INPUT" => target.id() != "timeline",
        "SELECT" | "TEXTAREA" | "PRE" | "DIALOG" => true,
        "BUTTON" | "A" | "SUMMARY" => key == " " || key == "Enter",
        _ => false,
    };
    if own {
        return None;
    }
    command(&key, event.shift_key())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_help() {
        assert_eq!(command(" ", false), Some(Command::Do(Action::TogglePlay)));
        assert_eq!(command("ArrowUp", false), Some(Command::Do(Action::By(10))));
        assert_eq!(command("s", false), Some(Command::Do(Action::NextSolution)));
        assert_eq!(command("S", true), Some(Command::Do(Action::PreviousSolution)));
        assert_eq!(command("?", true), Some(Command::Help));
        assert_eq!(command("Tab", false), None);
    }
}
