//! Keyboard shortcuts of Explore. They work wherever the focus is, unless the focused element uses
//! the key itself.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, HtmlSelectElement, KeyboardEvent};

use crate::browser::{has_modifier, window};
use crate::search::state::{Action, Jump};
use crate::views::explore::model::race::RaceAction;

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// An action on the search.
    Do(Action),
    /// Opens the list of keyboard shortcuts.
    Help,
    /// Toggles the presentation layout.
    Present,
    /// Closes the explanation of a square, or leaves the presentation layout or the race.
    Leave,
}

/// What the keys of the search act on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Whether the race is in the place of the board.
    pub is_race: bool,
    /// Whether the page is presented.
    pub is_presented: bool,
    /// Whether the explanation of a square stays open.
    pub is_pinned: bool,
}

impl Target {
    /// Returns the command of a key; `None` if the key is the browser's, which may scroll the page.
    fn command(self, key: &str, shift: bool) -> Option<Command> {
        let command = command(key, shift)?;
        let has_effect = match command {
            Command::Do(action) => !self.is_race || RaceAction::of(action).is_some(),
            Command::Leave => self.is_presented || self.is_race || self.is_pinned,
            Command::Help | Command::Present => true,
        };
        has_effect.then_some(command)
    }
}

/// Listens to all keys until the listener is dropped, and passes the commands that `target` has to
/// `on_command`.
pub fn listen(
    target: Rc<Cell<Target>>,
    on_command: impl Fn(Command) + 'static,
) -> Option<EventListener> {
    let on_keydown = move |event: &Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        if let Some(command) = pressed(event, target.get()) {
            event.prevent_default();
            on_command(command);
        }
    };
    let may_prevent = EventListenerOptions::enable_prevent_default();
    let window = window()?;
    Some(EventListener::new_with_options(&window, "keydown", may_prevent, on_keydown))
}

/// Returns the command of a key, without regard to the focus.
fn command(key: &str, shift: bool) -> Option<Command> {
    let action = match key {
        " " => Action::TogglePlay,
        "ArrowLeft" if shift => Action::MoveBy(-1),
        "ArrowRight" if shift => Action::MoveBy(1),
        "ArrowLeft" => Action::Previous(Jump::Beat),
        "ArrowRight" => Action::Next(Jump::Beat),
        "+" => Action::Faster,
        "-" => Action::Slower,
        "Home" => Action::MoveTo(0),
        "End" => Action::Next(Jump::End),
        "s" | "S" if shift => Action::Previous(Jump::Solution),
        "s" | "S" => Action::Next(Jump::Solution),
        "r" | "R" if shift => Action::Previous(Jump::Rule),
        "r" | "R" => Action::Next(Jump::Rule),
        "c" | "C" if shift => Action::Previous(Jump::Comparison),
        "c" | "C" => Action::Next(Jump::Comparison),
        "d" | "D" if shift => Action::Previous(Jump::DeadEnd),
        "d" | "D" => Action::Next(Jump::DeadEnd),
        "f" | "F" => return Some(Command::Present),
        "Escape" => return Some(Command::Leave),
        "?" => return Some(Command::Help),
        _ => return None,
    };
    Some(Command::Do(action))
}

/// The key of an action, as shown next to the button's name.
pub fn key_of(action: Action) -> Option<&'static str> {
    Some(match action {
        Action::Previous(Jump::Beat) => "←",
        Action::Next(Jump::Beat) => "→",
        Action::Previous(Jump::End) => "Home",
        Action::Next(Jump::End) => "End",
        Action::Previous(Jump::Solution) => "Shift + S",
        Action::Next(Jump::Solution) => "S",
        Action::Previous(Jump::DeadEnd) => "Shift + D",
        Action::Next(Jump::DeadEnd) => "D",
        Action::Previous(Jump::Rule) => "Shift + R",
        Action::Next(Jump::Rule) => "R",
        Action::Previous(Jump::Comparison) => "Shift + C",
        Action::Next(Jump::Comparison) => "C",
        _ => return None,
    })
}

/// Returns the command of a key press, or `None` if it has none or the focused element uses the key
/// itself.
fn pressed(event: &KeyboardEvent, on: Target) -> Option<Command> {
    if event.default_prevented() || has_modifier(event) {
        return None;
    }
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let key = event.key();
    let is_in = |parts| target.closest(parts).ok().flatten().is_some();
    // Escape closes the commands that the button has opened.
    if is_in("dialog, [popover]") || key == "Escape" && is_in(":has(> [popover]:popover-open)") {
        return None;
    }
    if key == "Escape"
        && let Some(field) = target.dyn_ref::<HtmlInputElement>()
        && field.type_() == "text"
    {
        // An entry that was not confirmed is dropped, and the keys of the search work again.
        field.set_value(&field.default_value());
        let _ = field.blur();
        return None;
    }
    if key == "Escape"
        && let Some(list) = target.dyn_ref::<HtmlSelectElement>()
    {
        // The browser has closed the list. The keys of the search work again.
        let _ = list.blur();
        return None;
    }
    let keeps_key = match target.tag_name().to_ascii_uppercase().as_str() {
        // A slider keeps the keys that move it.
        "INPUT" if target.id() == "speed" => key.len() > 1,
        "INPUT" => true,
        // Space also plays while a list of the controls has the focus. These lists keep all other keys.
        "SELECT" => key != " " || !is_in(".controls, .race"),
        "TEXTAREA" | "DIALOG" => true,
        "BUTTON" | "SUMMARY" => key == " " || key == "Enter",
        "A" => key == "Enter",
        _ => false,
    };
    if keeps_key {
        return None;
    }
    on.command(&key, event.shift_key())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use yew::prelude::*;

    use super::*;
    use crate::parts::rendered::{elements, rendered};
    use crate::views::explore::controls::help::Help;
    use crate::words::Language;

    /// The keys of [`command`], read from its source, as keyboards name them.
    fn keys() -> Vec<String> {
        let source = include_str!("keys.rs");
        let (_, body) = source.split_once("match key {").unwrap();
        let (arms, _) = body.split_once("_ => return None").unwrap();
        let patterns = arms.lines().filter_map(|arm| arm.split_once(" =>")).map(|(keys, _)| keys);
        let keys = patterns.flat_map(|keys| keys.split(" | "));
        let keys = keys.map(|key| key.trim().trim_end_matches(" if shift").trim_matches('"'));
        let keys = keys.map(|key| match key {
            " " => "Space",
            "ArrowLeft" => "←",
            "ArrowRight" => "→",
            "-" => "−",
            key => key,
        });
        keys.filter(|key| !key.starts_with(|letter: char| letter.is_ascii_lowercase()))
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn the_list_of_shortcuts_has_all_keys() {
        let keys = keys();
        assert!(keys.len() > 15 && keys.iter().any(|key| key == "F"), "{keys:?}");
        let list = rendered(Language::English, html! { <Help closed={Callback::noop()} /> });
        let listed: Vec<_> = elements(&list, "kbd").iter().map(|key| key.content()).collect();
        for key in keys {
            assert!(listed.contains(&key), "{key} is not among {listed:?}");
        }
    }

    /// The keys that scroll a page do so in a low window.
    #[test]
    fn keys_without_an_effect_are_left_to_the_browser() {
        let has = |is_race, is_presented, key: &str| {
            Target { is_race, is_presented, is_pinned: false }.command(key, false).is_some()
        };
        for key in ["Home", "End", "ArrowLeft", "s"] {
            assert!(has(false, false, key) && !has(true, false, key), "{key}");
        }
        for key in ["ArrowUp", "ArrowDown", "PageUp", "PageDown"] {
            assert!(!has(false, false, key) && !has(false, true, key), "{key}");
        }
        for key in [" ", "ArrowRight", "+", "-", "f", "?"] {
            assert!(has(true, false, key) && has(true, true, key), "{key}");
        }
        // Otherwise Escape could not close the browser's own parts.
        assert!(has(false, true, "Escape") && !has(false, false, "Escape"));
        assert!(has(true, false, "Escape"));
        let explains = Target { is_pinned: true, ..Target::default() };
        assert_eq!(explains.command("Escape", false), Some(Command::Leave));
    }

    #[test]
    fn keys_trigger_their_commands() {
        assert_eq!(command(" ", false), Some(Command::Do(Action::TogglePlay)));
        assert_eq!(command("ArrowRight", false), Some(Command::Do(Action::Next(Jump::Beat))));
        assert_eq!(command("ArrowLeft", true), Some(Command::Do(Action::MoveBy(-1))));
        assert_eq!(command("s", false), Some(Command::Do(Action::Next(Jump::Solution))));
        assert_eq!(command("S", true), Some(Command::Do(Action::Previous(Jump::Solution))));
        assert_eq!(command("r", false), Some(Command::Do(Action::Next(Jump::Rule))));
        assert_eq!(command("R", true), Some(Command::Do(Action::Previous(Jump::Rule))));
        assert_eq!(command("c", false), Some(Command::Do(Action::Next(Jump::Comparison))));
        assert_eq!(command("C", true), Some(Command::Do(Action::Previous(Jump::Comparison))));
        assert_eq!(command("d", false), Some(Command::Do(Action::Next(Jump::DeadEnd))));
        assert_eq!(command("D", true), Some(Command::Do(Action::Previous(Jump::DeadEnd))));
        // Many keyboards have + on a key with Shift.
        assert_eq!(command("+", true), Some(Command::Do(Action::Faster)));
        assert_eq!(command("-", false), Some(Command::Do(Action::Slower)));
        assert_eq!(command("?", true), Some(Command::Help));
        assert_eq!(command("Tab", false), None);
    }
}
