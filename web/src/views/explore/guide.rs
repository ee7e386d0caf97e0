//! The parts of a link that guide through a search: the clip, which is a range of steps that plays by
//! itself, and marked moments with notes. The code is loaded when a link has one of them.

use std::cell::Cell;
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions, EventListenerPhase};
use queens_state::search::state::Action;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};
use yew::prelude::*;

use crate::browser::{VisibilityObserver, prefers_reduced_motion, window};
use crate::place::{Clip, Moments};
use crate::words::{Language, grouped, tr, use_language};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    pub clip: Clip,
    pub moments: Moments,
    /// The displayed step.
    pub step: u64,
    /// Whether the search plays.
    pub playing: bool,
    /// Whether the presentation layout is on.
    pub presenting: bool,
    pub act: Callback<Action>,
}

/// Plays the clip, and shows the note of the moment that the search has reached.
#[component]
pub fn Guide(props: &Props) -> Html {
    let language = use_language();
    use_clip(props);
    use_keys(props);
    html! {
        if !props.moments.is_empty() { { moment(language, props) } }
    }
}

/// Plays the clip while the board is visible. Users who prefer less motion start it themselves.
#[hook]
fn use_clip(props: &Props) {
    let Props { clip, playing, act, .. } = props;
    // The observer outlives a rendering, so it reads the latest state from this cell.
    let is_playing = use_mut_ref(|| false);
    *is_playing.borrow_mut() = *playing;
    let act = act.clone();
    use_effect_with(*clip, move |&clip| {
        // Stops the clip when the address no longer has it.
        let end = (clip != Clip::default()).then(|| act.clone());
        let observer = (clip != Clip::default()).then(|| {
            if !clip.plays || prefers_reduced_motion() {
                act.emit(Action::Play(clip.waiting()));
                return None;
            }
            let [has_started, has_paused] = [Rc::new(Cell::new(false)), Rc::new(Cell::new(false))];
            VisibilityObserver::of("board", move |is_visible| {
                if is_visible && !has_started.replace(true) {
                    act.emit(Action::Play(clip));
                } else if is_visible && has_paused.take() && !*is_playing.borrow()
                    || !is_visible && *is_playing.borrow()
                {
                    // A clip that was paused out of sight continues, unless the user has restarted it
                    // already. A clip that the user paused stays paused.
                    has_paused.set(!is_visible);
                    act.emit(Action::TogglePlay);
                }
            })
        });
        move || {
            drop(observer);
            if let Some(act) = end {
                act.emit(Action::Play(Clip::default()));
            }
        }
    });
}

/// In the presentation layout, makes Page Up and Page Down lead from moment to moment. Remote controls
/// for presentations send these keys.
#[hook]
fn use_keys(props: &Props) {
    let Props { moments, step, presenting, act, .. } = props.clone();
    let is_wanted = presenting && !moments.is_empty();
    use_effect_with((is_wanted, moments, step), move |&(is_wanted, ref moments, step)| {
        let moments = moments.clone();
        let on_key = move |event: &Event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
            // Dialogs, lists and texts that scroll use these keys themselves.
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let keeps = |target: Element| {
                target
                    .closest("dialog, pre, select, textarea, .stack-frame")
                    .ok()
                    .flatten()
                    .is_some()
            };
            let is_changed = event.ctrl_key() || event.alt_key() || event.meta_key();
            if is_changed || target.is_some_and(keeps) {
                return;
            }
            let target = match event.key().as_str() {
                "PageDown" => moments.after(step),
                "PageUp" => moments.before(step),
                _ => return,
            };
            event.prevent_default();
            if let Some(moment) = target {
                act.emit(Action::MoveTo(moment.step));
            }
        };
        // Before Explore's own keys, which leave prevented events alone.
        let options = EventListenerOptions {
            phase: EventListenerPhase::Capture,
            ..EventListenerOptions::enable_prevent_default()
        };
        let listener = window()
            .filter(|_| is_wanted)
            .map(|window| EventListener::new_with_options(&window, "keydown", options, on_key));
        move || drop(listener)
    });
}

/// The number and the note of the moment that the search has reached, between buttons that lead to the
/// moments before and after the current step.
fn moment(language: Language, props: &Props) -> Html {
    let Props { moments, step, act, .. } = props;
    let all = moments.iter().len();
    let number = moments.reached(*step);
    let reached = number.and_then(|number| moments.get(number));
    let button = |id: &'static str, sign: &'static str, target: Option<u64>| {
        let onclick = act.reform(move |_: MouseEvent| Action::MoveTo(target.unwrap_or_default()));
        let label = tr!(language, format!("share.{id}"));
        html! {
            <button {id} type="button" class="icon" aria-label={label} disabled={target.is_none()} {onclick}>{ sign }</button>
        }
    };
    let step_of = |moment: Option<&crate::place::Moment>| moment.map(|moment| moment.step);
    let [before, after] = [moments.before(*step), moments.after(*step)].map(step_of);
    // Between two moments, the note is about an earlier step.
    let is_here = step_of(reached) == Some(*step);
    let number = number.map_or(0, |number| number + 1);
    html! {
        <div id="moment-bar" class={classes!("moment", (!is_here).then_some("passed"))} role="group" aria-label={tr!(language, "share.moments")}>
            { button("previous-moment", "‹", before) }
            <span class="moment-number" role="img" aria-label={tr!(language, "share.moment-of", number = number, all = all)}>
                { format!("{}/{}", grouped(number as u64), grouped(all as u64)) }
            </span>
            { button("next-moment", "›", after) }
            <p id="moment-said" role="status">{ reached.map(|moment| moment.note.clone()) }</p>
        </div>
    }
}

/// The marked steps on the timeline.
#[derive(Clone, Properties, PartialEq)]
pub struct MarksProps {
    pub moments: Moments,
    /// The last step of the timeline.
    pub extent: u64,
}

/// A triangle above the timeline for each moment.
#[component]
pub fn MomentMarks(props: &MarksProps) -> Html {
    let extent = props.extent.max(1) as f64;
    let marks = props.moments.iter().filter(|moment| moment.step <= props.extent);
    let marks =
        marks.map(|moment| format!("M{:.1} 6l-5-6h10z", moment.step as f64 / extent * 1000.0));
    html! {
        <svg id="moment-marks" class="moment-marks" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
            <path d={marks.collect::<String>()} />
        </svg>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};

    fn shown(language: Language, step: u64) -> String {
        let moments = Moments::parse("7:first\n52:a dead end\n60:").unwrap();
        let act = Callback::noop();
        rendered(
            language,
            html! {
                <Guide {moments} {step} clip={Clip::default()} playing=false presenting=true {act} />
            },
        )
    }

    #[test]
    fn shows_the_note_of_the_moment_that_was_reached() {
        for language in Language::ALL {
            for (step, number, note, [back, ahead]) in [
                (0, "0/3", "", [false, true]),
                (7, "1/3", "first", [false, true]),
                (53, "2/3", "a dead end", [true, true]),
                (60, "3/3", "", [true, false]),
            ] {
                let html = shown(language, step);
                assert!(texts(&html).contains(number), "{html}");
                assert_eq!(elements(&html, "id=\"moment-said\"")[0].content(), note);
                for (id, is_enabled) in [("previous", back), ("next", ahead)] {
                    let button = elements(&html, &format!("id=\"{id}-moment\""))[0];
                    assert_eq!(button.attribute("disabled").is_none(), is_enabled, "{step} {id}");
                }
                let is_passed = html.contains("passed");
                assert_eq!(is_passed, ![7, 60].contains(&step), "{step}");
            }
        }
    }

    #[test]
    fn moments_are_marked_at_their_steps() {
        let moments = Moments::parse("0:\n50:\n100:\n200:").unwrap();
        let html = rendered(Language::English, html! { <MomentMarks {moments} extent=100 /> });
        assert_eq!(html.matches("l-5-6h10z").count(), 3, "{html}");
        for x in ["M0.0 6", "M500.0 6", "M1000.0 6"] {
            assert!(html.contains(x), "{html}");
        }
    }
}
