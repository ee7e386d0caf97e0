//! Keyboard shortcuts of Explore. They work wherever the focus is, unless the focused element uses
//! the key itself.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use queens_state::search::race::RaceAction;
use queens_state::search::state::{Action, Jump};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, KeyboardEvent};

use crate::browser::window;

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// An action on the search.
    Do(Action),
    /// Opens the list of keyboard shortcuts.
    Help,
    /// Toggles the presentation layout.
    Present,
    /// Leaves the presentation layout or the enlarged tree.
    Leave,
}

/// What the keys of the search act on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Whether the race is in the place of the board.
    pub is_race: bool,
    /// Whether the page is presented.
    pub is_presented: bool,
}

impl Target {
    /// Returns the command of a key; `None` if the key is the browser's, which may scroll the page.
    fn command(self, key: &str, shift: bool) -> Option<Command> {
        let command = match (key, self.is_presented) {
            // Remote controls send these keys for slides.
            ("PageDown", true) => Command::Do(Action::Next(Jump::Beat)),
            ("PageUp", true) => Command::Do(Action::Previous(Jump::Beat)),
            _ => command(key, shift)?,
        };
        let is_left = |action| self.is_race && RaceAction::of_key(action).is_none();
        (!matches!(command, Command::Do(action) if is_left(action))).then_some(command)
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
        "ArrowLeft" if shift => Action::Previous(Jump::Beat),
        "ArrowRight" if shift => Action::Next(Jump::Beat),
        "ArrowLeft" => Action::MoveBy(-1),
        "ArrowRight" => Action::MoveBy(1),
        "+" => Action::Faster,
        "-" => Action::Slower,
        "Home" => Action::First,
        "End" if shift => Action::LastVisited,
        "End" => Action::End,
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
        Action::MoveBy(-1) => "←",
        Action::MoveBy(1) => "→",
        Action::Previous(Jump::Beat) => "Shift+←",
        Action::Next(Jump::Beat) => "Shift+→",
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

/// Returns the command of a key press, or `None` if it has none or the focused element uses the key
/// itself.
fn pressed(event: &KeyboardEvent, on: Target) -> Option<Command> {
    if event.default_prevented() || event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let key = event.key();
    // Elements that scroll by keyboard or have their own shortcuts keep their keys.
    let is_in = |parts| target.closest(parts).ok().flatten().is_some();
    if is_in("dialog, .stack-frame") || is_in("[role='tree']") && key != "Escape" {
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
    let keeps_key = match target.tag_name().to_ascii_uppercase().as_str() {
        "INPUT" => target.id() != "timeline",
        // Space also plays while one of the lists for the speed has the focus. These lists keep all
        // other keys.
        "SELECT" => key != " " || !is_in(".speed, .race"),
        "TEXTAREA" | "PRE" | "DIALOG" => true,
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
    fn keys_without_an_effect_on_the_race_are_left_to_the_browser() {
        let has = |is_presented, key: &str| {
            Target { is_race: true, is_presented }.command(key, false).is_some()
        };
        for key in ["Home", "End", "ArrowLeft", "s"] {
            assert!(!has(false, key), "{key}");
            assert!(Target::default().command(key, false).is_some(), "{key}");
        }
        // No control of the page could be reached by scrolling with them otherwise.
        for key in ["ArrowUp", "ArrowDown", "PageUp", "PageDown"] {
            assert!(Target::default().command(key, false).is_none(), "{key}");
        }
        for key in [" ", "ArrowRight", "+", "-", "f", "Escape", "?"] {
            assert!(has(false, key) && has(true, key), "{key}");
        }
        // A remote control makes the next move of a presented race.
        assert!(has(true, "PageDown") && !has(true, "PageUp"));
    }

    #[test]
    fn keys_trigger_their_commands() {
        assert_eq!(command(" ", false), Some(Command::Do(Action::TogglePlay)));
        assert_eq!(command("ArrowRight", false), Some(Command::Do(Action::MoveBy(1))));
        assert_eq!(command("ArrowRight", true), Some(Command::Do(Action::Next(Jump::Beat))));
        assert_eq!(command("ArrowLeft", true), Some(Command::Do(Action::Previous(Jump::Beat))));
        assert_eq!(command("s", false), Some(Command::Do(Action::Next(Jump::Solution))));
        assert_eq!(command("S", true), Some(Command::Do(Action::Previous(Jump::Solution))));
        assert_eq!(command("d", false), Some(Command::Do(Action::Next(Jump::DeadEnd))));
        assert_eq!(command("D", true), Some(Command::Do(Action::Previous(Jump::DeadEnd))));
        // Many keyboards have + on a key with Shift.
        assert_eq!(command("+", true), Some(Command::Do(Action::Faster)));
        assert_eq!(command("-", false), Some(Command::Do(Action::Slower)));
        assert_eq!(command("?", true), Some(Command::Help));
        assert_eq!(command("Tab", false), None);
    }
}
