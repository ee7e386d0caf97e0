//! All views except Explore. In the released page their code is the second part of the module,
//! which is fetched once the page has started, or when it opens with one of these views.
//!
//! The release build (xtask/release/src/split.rs) moves everything that only [`shown`] reaches into the second
//! part. It finds that function, and the function that fetches the part, by their linker names.
#![cfg_attr(
    feature = "split",
    expect(unsafe_code, reason = "the parts of the module find each other by names")
)]

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use crate::address::View;
use crate::views::count::Count;
use crate::views::explanation::Explanation;
use crate::views::explore::Explore;
use crate::views::learn::{Learn, Lesson};
use crate::views::numbers::Numbers;
use crate::views::play::Play;
use crate::views::results::Results;
use crate::views::solutions::Solutions;

/// The time that the first view has for its own files, in milliseconds.
const START: u32 = 1000;

/// Renders a view.
pub fn show(view: View) -> Html {
    match view {
        View::Explore => html! { <Explore /> },
        other => parts::shown(other),
    }
}

/// The entry point of the second part. Code that only this function reaches is fetched later.
#[cfg_attr(
    feature = "split",
    unsafe(export_name = "__wasm_split_00later00_export_00000000000000000000000000000000")
)]
#[expect(improper_ctypes_definitions, reason = "both sides are Rust, and of one compiler")]
extern "C" fn shown(view: View) -> Html {
    match view {
        View::Explore => html! {},
        View::Play => html! { <Play /> },
        View::Solutions => html! { <Solutions /> },
        View::Count => html! { <Count /> },
        View::Results => html! { <Results /> },
        View::Learn => html! { <Learn /> },
        View::Lesson => html! { <Lesson /> },
        View::Explanation => html! { <Explanation /> },
        View::Numbers => html! { <Numbers /> },
    }
}

/// The page as two parts.
#[cfg(feature = "split")]
mod parts {
    use std::cell::RefCell;
    use std::ffi::c_void;
    use std::ptr;

    use js_sys::{Function, Promise};
    use wasm_bindgen::JsValue;
    use wasm_bindgen_futures::JsFuture;
    use yew::Html;

    use crate::address::View;

    #[link(wasm_import_module = "__wasm_split_placeholder__")]
    #[expect(improper_ctypes, reason = "both sides are Rust, and of one compiler")]
    unsafe extern "C" {
        /// Fetches the second part unless it is loaded. Then calls `callback` once, with `data` and
        /// whether the part is loaded.
        #[link_name = "__wasm_split_load_later"]
        fn load(callback: extern "C" fn(*const c_void, bool), data: *const c_void);

        /// [`shown`](crate::app::later::shown), in the second part.
        #[link_name = "__wasm_split_00later00_import_00000000000000000000000000000000"]
        fn shown_in_second_part(view: View) -> Html;
    }

    thread_local! {
        /// Callbacks that wait for the second part.
        static WAITING: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
    }

    extern "C" fn on_loaded(_: *const c_void, is_loaded: bool) {
        for resolve in WAITING.take() {
            // Resolving a promise never fails.
            let _ = resolve.call1(&JsValue::NULL, &is_loaded.into());
        }
    }

    /// Fetches the second part and returns whether it was loaded. After a failure, the next call
    /// tries again.
    pub async fn fetch() -> bool {
        let loaded = Promise::new(&mut |resolve, _| {
            WAITING.with_borrow_mut(|waiting| waiting.push(resolve));
            // SAFETY: `load` calls `on_loaded` once, and `on_loaded` does not read the pointer.
            unsafe { load(on_loaded, ptr::null()) };
        });
        JsFuture::from(loaded).await.is_ok_and(|loaded| loaded.is_truthy())
    }

    /// Renders a view of the second part, which must be loaded.
    pub fn shown(view: View) -> Html {
        // SAFETY: the build links this import to the function `shown` of the same compilation, so both sides
        // agree on the types. A call before the second part is loaded traps, because its entry in the
        // function table is still empty.
        unsafe { shown_in_second_part(view) }
    }
}

/// The page as one part.
#[cfg(not(feature = "split"))]
mod parts {
    use yew::Html;

    use crate::address::View;

    pub async fn fetch() -> bool {
        true
    }

    pub fn shown(view: View) -> Html {
        crate::app::later::shown(view)
    }
}

/// The state of the second part's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Not requested yet, or loading.
    Pending,
    /// Loading failed.
    Failed,
    /// Loaded.
    Loaded,
}

/// Fetches the code at once if the view `needs` it, and otherwise once the page has started, unless the page
/// `is_embedded`: a frame has one view. After a failure, it tries again whenever `needs` or `tries` changes; until
/// then, a view that did not need the code has not failed.
#[hook]
pub fn use_code(needs: bool, is_embedded: bool, tries: u32) -> Code {
    let code = use_state_eq(|| Code::Pending);
    let has_started = use_state_eq(|| false);
    {
        let has_started = has_started.setter();
        use_effect_with((), move |()| {
            let timeout = Timeout::new(START, move || has_started.set(true));
            move || drop(timeout)
        });
    }
    {
        let code = code.clone();
        let fetches = needs || *has_started && !is_embedded;
        use_effect_with((fetches, needs, tries), move |&(fetches, needs, _)| {
            if fetches && *code != Code::Loaded {
                code.set(Code::Pending);
                let after_failure = if needs { Code::Failed } else { Code::Pending };
                wasm_bindgen_futures::spawn_local(async move {
                    code.set(if parts::fetch().await { Code::Loaded } else { after_failure });
                });
            }
        });
    }
    *code
}
