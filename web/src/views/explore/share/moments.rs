//! The list of marked moments, which the address keeps.

use std::rc::Rc;

use queens_state::search::state::Action;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::fields::copy;
use crate::browser::{focus, link_to};
use crate::parts::share_link::ShareLink;
use crate::place::{Address, Clip, ExploreLayout, Moment, Moments, use_address};
use crate::words::{Language, grouped, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The address with the displayed step.
    pub address: Rc<Address>,
    pub act: Callback<Action>,
}

/// The marked steps with their notes, a field to mark another one, and the link to the lecture.
#[component]
pub fn MomentList(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let is_full = use_state_eq(|| false);
    {
        // Another search has no moments yet.
        let is_full = is_full.setter();
        use_effect_with((address.method, address.size), move |_| is_full.set(false));
    }
    let field = use_node_ref();
    let moments = &address.moments;
    let step = props.address.step;
    let set = {
        let (navigate, is_full) = (navigate.clone(), is_full.setter());
        Callback::from(move |(step, note): (u64, Option<String>)| {
            let address = navigate.address();
            let changed = match note {
                Some(note) => address.moments.with(step, &note),
                None => Some(address.moments.without(step)),
            };
            is_full.set(changed.is_none());
            if let Some(moments) = changed {
                navigate.replace(Address { moments, ..address });
            }
        })
    };
    let onsubmit = {
        let (set, field, navigate) = (set.clone(), field.clone(), navigate.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(field) = field.cast::<HtmlInputElement>() {
                let note = field.value();
                // The user may shorten a note that was refused.
                let is_marked = navigate.address().moments.with(step, &note).is_some();
                set.emit((step, Some(note)));
                if is_marked {
                    field.set_value("");
                }
            }
        })
    };
    let items = moments.iter().map(|moment| item(language, moment, step, &set, &props.act));
    html! {
        <section aria-labelledby="share-moments">
            <h3 id="share-moments">{ tr!(language, "share.moments") }</h3>
            <p class="hint">{ tr!(language, "share.moments-hint") }</p>
            <ol class="moment-list">{ for items }</ol>
            <form class="moment-form" {onsubmit}>
                <label for="moment-note">{ tr!(language, "share.note", step = grouped(step)) }</label>
                <input ref={field} id="moment-note" type="text" autocomplete="off" maxlength={Moments::LONGEST_NOTE.to_string()} />
                <button id="mark-moment" type="submit">{ tr!(language, "share.mark") }</button>
            </form>
            <p id="moments-fault" class="field-error" role="alert">
                if *is_full { { tr!(language, "share.moments-full", most = Moments::MOST) } }
            </p>
            if let Some(link) = lecture(&props.address, moments) {
                <ShareLink
                    id="lecture" link={link_to(&link)} label={tr!(language, "share.lecture")}
                    hint={tr!(language, "share.lecture-hint")} copy={copy(language)}
                />
            }
        </section>
    }
}

/// A moment: a button that leads to its step, its note, and a button that removes it. `set` receives
/// the step with its new note, or with `None` to remove the moment.
fn item(
    language: Language,
    Moment { step, note }: &Moment,
    now: u64,
    set: &Callback<(u64, Option<String>)>,
    act: &Callback<Action>,
) -> Html {
    let step = *step;
    let go = act.reform(move |_: MouseEvent| Action::MoveTo(step));
    let onchange = set.reform(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        (step, Some(input.value()))
    });
    let remove = set.reform(move |_: MouseEvent| {
        // The focused button disappears.
        focus("moment-note");
        (step, None)
    });
    let number = grouped(step);
    let label = tr!(language, "share.note", step = number);
    html! {
        <li key={step} aria-current={(step == now).then_some("step")}>
            <button type="button" class="quiet" onclick={go}>{ tr!(language, "explore.timeline-text", step = number) }</button>
            <input type="text" aria-label={label} autocomplete="off" maxlength={Moments::LONGEST_NOTE.to_string()} value={note.clone()} {onchange} />
            <button type="button" class="quiet" aria-label={tr!(language, "share.remove", step = number)} onclick={remove}>{ "×" }</button>
        </li>
    }
}

/// Returns the link that presents the moments from the first one on; `None` without moments.
fn lecture(address: &Address, moments: &Moments) -> Option<String> {
    let first = moments.get(0)?;
    let layout = ExploreLayout { presenting: true, large: false, work: false, ..address.layout };
    let lecture = Address {
        step: first.step,
        layout: ExploreLayout { selected_square: None, ..layout },
        moments: moments.clone(),
        clip: Clip::default(),
        is_embedded: false,
        ..address.clone()
    };
    Some(lecture.to_link())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn the_lecture_begins_at_its_first_moment_in_presentation() {
        let address = Address::parse("?n=8&method=backtracking&step=99&ask=0:1&play=1&from=3").0;
        assert_eq!(lecture(&address, &address.moments), None);
        let moments = Moments::default().with(52, "a dead end").unwrap().with(7, "").unwrap();
        let link = lecture(&address, &moments).unwrap();
        assert_eq!(link, "?method=backtracking&step=7&present=1&moments=7:%0A52:a+dead+end");
        assert_eq!(Address::parse(&link).1, []);
    }
}
