//! The source code of the methods, fetched when it is first shown.

use std::cell::Cell;
use std::rc::Rc;

use queens_core::Stepped;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::browser::{at_hand, fetch};

/// The state of a method's source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Loading.
    Awaited,
    /// Loading failed.
    Missing,
    /// The source text.
    Here(Rc<str>),
}

/// Returns the address of a method's source file.
fn address(method: Stepped) -> String {
    format!("methods/{}", method.file())
}

/// Returns the source of a method.
#[hook]
pub fn use_source(method: Stepped) -> Source {
    let latest = use_state(|| {
        let text = at_hand(&address(method));
        (method, text.map_or(Source::Awaited, |text| Source::Here(text.into())))
    });
    {
        let latest = latest.clone();
        use_effect_with(method, move |&method| {
            let is_current = Rc::new(Cell::new(true));
            let is_still_current = Rc::clone(&is_current);
            spawn_local(async move {
                let source = match fetch(&address(method)).await {
                    Ok(text) => Source::Here(text.into()),
                    Err(_) => Source::Missing,
                };
                if is_still_current.get() {
                    latest.set((method, source));
                }
            });
            move || is_current.set(false)
        });
    }
    let (source_method, source) = &*latest;
    if *source_method == method { source.clone() } else { Source::Awaited }
}
