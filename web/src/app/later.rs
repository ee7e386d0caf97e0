//! The views that are not the first: their code is a part of the module for itself, fetched when one
//! of them is opened.
//!
//! The build (xtask/src/page/split.rs) takes everything that only [`shown`] reaches out of the module,
//! and finds that function, and what fetches it, by their names.
#![cfg_attr(
    target_family = "wasm",
    expect(unsafe_code, reason = "the parts of the module find each other by names")
)]

use yew::prelude::*;

use crate::place::View;
use crate::views::classes::Classes;
use crate::views::count::Count;
use crate::views::explanation::Explanation;
use crate::views::explore::Explore;
use crate::views::learn::{Learn, Lesson};
use crate::views::numbers::Numbers;
use crate::views::play::Play;
use crate::views::results::Results;
use crate::views::symmetries::Symmetries;

/// What a view shows.
pub fn show(view: View) -> Html {
    match view {
        View::Explore => html! { <Explore /> },
        other => parts::shown(other),
    }
}

/// Everything that this reaches and the first view does not is fetched later.
#[cfg_attr(
    target_family = "wasm",
    unsafe(export_name = "__wasm_split_00later00_export_00000000000000000000000000000000")
)]
#[expect(improper_ctypes_definitions, reason = "both sides are Rust, and of one compiler")]
extern "C" fn shown(view: View) -> Html {
    match view {
        View::Explore => html! {},
        View::Play => html! { <Play /> },
        View::Symmetries => html! { <Symmetries /> },
        View::Classes => html! { <Classes /> },
        View::Count => html! { <Count /> },
        View::Results => html! { <Results /> },
        View::Learn => html! { <Learn /> },
        View::Lesson => html! { <Lesson /> },
        View::Explanation => html! { <Explanation /> },
        View::Numbers => html! { <Numbers /> },
    }
}

/// The page in parts.
#[cfg(target_family = "wasm")]
mod parts {
    use std::cell::RefCell;
    use std::ffi::c_void;
    use std::ptr;

    use js_sys::{Function, Promise};
    use wasm_bindgen::JsValue;
    use wasm_bindgen_futures::JsFuture;
    use yew::Html;

    use crate::place::View;

    #[link(wasm_import_module = "__wasm_split_placeholder__")]
    #[expect(improper_ctypes, reason = "both sides are Rust, and of one compiler")]
    unsafe extern "C" {
        /// Fetches the part once, and calls back with `with` and whether it is there.
        #[link_name = "__wasm_split_load_later"]
        fn load(come: extern "C" fn(*const c_void, bool), with: *const c_void);

        /// [`shown`](crate::app::later::shown), in the other part.
        #[link_name = "__wasm_split_00later00_import_00000000000000000000000000000000"]
        fn shown_there(view: View) -> Html;
    }

    thread_local! {
        /// Those who wait for the part.
        static WAITING: RefCell<Vec<Function>> = const { RefCell::new(Vec::new()) };
    }

    extern "C" fn come(_: *const c_void, is_here: bool) {
        for waiting in WAITING.take() {
            // What it does is a promise's, which never fails.
            let _ = waiting.call1(&JsValue::NULL, &is_here.into());
        }
    }

    /// Fetches the part; whether it is there. What failed can be tried again.
    pub async fn fetch() -> bool {
        let here = Promise::new(&mut |tell, _| {
            WAITING.with_borrow_mut(|waiting| waiting.push(tell));
            // SAFETY: it calls back once, and nothing is behind the pointer.
            unsafe { load(come, ptr::null()) };
        });
        JsFuture::from(here).await.is_ok_and(|here| here.is_truthy())
    }

    /// What a view shows whose code is here.
    pub fn shown(view: View) -> Html {
        // SAFETY: the build puts the other part's function in its place.
        unsafe { shown_there(view) }
    }
}

/// The page in one part.
#[cfg(not(target_family = "wasm"))]
mod parts {
    use yew::Html;

    use crate::place::View;

    pub async fn fetch() -> bool {
        true
    }

    pub fn shown(view: View) -> Html {
        crate::app::later::shown(view)
    }
}

/// Whether the code of the views that are not the first is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Not asked for yet, or on its way.
    Coming,
    /// It could not be had.
    Missing,
    /// It is here.
    Here,
}

/// Fetches the code once it is `wanted`, and again whenever `occasion` changes, until it is here.
#[hook]
pub fn use_code<T: PartialEq + 'static>(wanted: bool, occasion: T) -> Code {
    let code = use_state_eq(|| Code::Coming);
    {
        let code = code.clone();
        use_effect_with((wanted, occasion), move |&(wanted, _)| {
            if wanted && *code != Code::Here {
                code.set(Code::Coming);
                wasm_bindgen_futures::spawn_local(async move {
                    code.set(if parts::fetch().await { Code::Here } else { Code::Missing });
                });
            }
        });
    }
    *code
}
