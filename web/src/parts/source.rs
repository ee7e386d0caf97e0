//! The source code of the methods, fetched when it is first shown.

use std::cell::Cell;
use std::rc::Rc;

use queens_core::Stepped;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::browser::fetch;

/// The source file of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Loading.
    Awaited,
    /// Loading failed.
    Missing,
    /// The whole text.
    Here(Rc<str>),
}

/// Returns the source of a method.
#[hook]
pub fn use_source(method: Stepped) -> Source {
    let found = use_state(|| (method, Source::Awaited));
    {
        let found = found.clone();
        use_effect_with(method, move |&method| {
            let wanted = Rc::new(Cell::new(true));
            let still = Rc::clone(&wanted);
            spawn_local(async move {
                let source = match fetch(&format!("methods/{}", method.file())).await {
                    Ok(text) => Source::Here(text.into()),
                    Err(_) => Source::Missing,
                };
                if still.get() {
                    found.set((method, source));
                }
            });
            move || wanted.set(false)
        });
    }
    let (of, source) = &*found;
    if *of == method { source.clone() } else { Source::Awaited }
}
