//! Rendering that is spread over time, so that large contents do not make the page unresponsive: values that a
//! component receives later than the rest of the page, contents that are added while the page starts, and
//! parts that are rendered in slices.

use std::cell::Cell;

use gloo_render::request_animation_frame;
use gloo_timers::callback::Timeout;
use yew::prelude::*;

/// The time for which a value must stay the same, in milliseconds.
const PAUSE: u32 = 50;

/// Returns `value` once it has not changed for [`PAUSE`] milliseconds, and the previous value until then.
/// If the previous value `is_blank`, returns `value` at once, because contents that appear later would
/// push down the rows below them.
///
/// While hundreds of files are loaded, the list changes with every batch. Drawing the chart each time,
/// together with the table, would make the page unresponsive.
#[hook]
pub fn use_deferred<T: Clone + PartialEq + 'static>(value: &T, is_blank: fn(&T) -> bool) -> T {
    let deferred = use_state_eq(|| value.clone());
    let setter = deferred.setter();
    let was_blank = is_blank(&deferred);
    use_effect_with(value.clone(), move |value| {
        let value = value.clone();
        let update = if was_blank {
            setter.set(value);
            None
        } else {
            Some(Timeout::new(PAUSE, move || setter.set(value)))
        };
        move || drop(update)
    });
    if was_blank { value.clone() } else { (*deferred).clone() }
}

thread_local! {
    /// Whether [`Deferred`] has rendered its contents since the page was opened.
    static HAS_STARTED: Cell<bool> = const { Cell::new(false) };
}

#[derive(Properties, PartialEq)]
pub struct DeferredProps {
    pub children: Html,
}

/// Contents whose elements are created a moment later while the page starts, so that the browser can react in
/// between. Once the page has started, they are created at once.
#[component]
pub fn Deferred(props: &DeferredProps) -> Html {
    // Tests on the host render once.
    let is_due = use_state_eq(|| cfg!(not(target_family = "wasm")) || HAS_STARTED.get());
    let setter = is_due.setter();
    use_effect_with(*is_due, move |&is_due| {
        let timeout = (!is_due).then(|| {
            Timeout::new(0, move || {
                HAS_STARTED.set(true);
                setter.set(true);
            })
        });
        move || drop(timeout)
    });
    if *is_due {
        props.children.clone()
    } else {
        html! {}
    }
}

/// Returns how many of `all` parts to render: the first `first`, and `slice` more with each animation frame. A part
/// of the first slice that is added later is rendered at once.
#[hook]
pub fn use_slices(all: usize, first: usize, slice: usize) -> usize {
    let shown = use_state_eq(|| first);
    let setter = shown.setter();
    use_effect_with((*shown, all), move |&(shown, all)| {
        let least = first.max(slice);
        let next = if shown > all.max(least) {
            // If there are more parts again later, they are rendered in slices, too.
            setter.set(all.max(least));
            None
        } else {
            (shown < all).then(|| request_animation_frame(move |_| setter.set(shown + slice)))
        };
        move || drop(next)
    });
    (*shown).min(all)
}
