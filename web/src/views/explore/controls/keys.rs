//! The keys of Explore. They work wherever the focus is, on nothing at all, too, but where they
//! belong to what has it.

use gloo_events::{EventListener, EventListenerOptions};
use queens_state::search::state::{Action, Jump};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Something about the search.
    Do(Action),
    /// The list of keys.
    Help,
    /// The layout for many, or the usual one again.
    Present,
    /// The usual layout.
    Leave,
}

/// Hears of every key as long as it is kept; `heard` does what it asks for.
pub fn listen(heard: impl Fn(Command) + 'static) -> Option<EventListener> {
    let follow = move |event: &Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        if let Some(command) = pressed(event) {
            event.prevent_default();
            heard(command);
        }
    };
    let may_prevent = EventListenerOptions::enable_prevent_default();
    let window = web_sys::window()?;
    Some(EventListener::new_with_options(&window, "keydown", may_prevent, follow))
}

/// What a key means, whatever has the focus.
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
        "End" if shift => Action::LastVisited,
        "End" => Action::End,
        "s" | "S" if shift => Action::Previous(Jump::Solution),
        "s" | "S" => Action::Next(Jump::Solution),
        "r" | "R" if shift => Action::Previous(Jump::Rule),
        "r" | "R" => Action::Next(Jump::Rule),
        "c" | "C" if shift => Action::Previous(Jump::Comparison),
        "c" | "C" => Action::Next(Jump::Comparison),
        "f" | "F" => return Some(Command::Present),
        "Escape" => return Some(Command::Leave),
        "?" => return Some(Command::Help),
        _ => return None,
    };
    Some(Command::Do(action))
}

/// The key of what a button does, as it is shown beside the button's name.
pub fn key_of(action: Action) -> Option<&'static str> {
    Some(match action {
        Action::By(-1) => "←",
        Action::By(1) => "→",
        Action::By(10) => "↑",
        Action::By(-10) => "↓",
        Action::First => "Home",
        Action::End => "End",
        Action::Next(Jump::Solution) => "S",
        Action::Previous(Jump::Solution) => "Shift+S",
        Action::Next(Jump::Rule) => "R",
        Action::Previous(Jump::Rule) => "Shift+R",
        Action::Next(Jump::Comparison) => "C",
        Action::Previous(Jump::Comparison) => "Shift+C",
        _ => return None,
    })
}

/// What a key that was pressed means; `None` where it belongs to the element that has the focus.
fn pressed(event: &KeyboardEvent) -> Option<Command> {
    if event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let key = event.key();
    // What can be scrolled by the keyboard keeps the keys for that, and so does what has its own.
    let lies_in = |parts| target.closest(parts).ok().flatten().is_some();
    if lies_in("dialog, .stack-frame") || lies_in("[role='tree']") && key != "Escape" {
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
        assert_eq!(command("s", false), Some(Command::Do(Action::Next(Jump::Solution))));
        assert_eq!(command("S", true), Some(Command::Do(Action::Previous(Jump::Solution))));
        assert_eq!(command("?", true), Some(Command::Help));
        assert_eq!(command("Tab", false), None);
    }
}
