//! Files of the page that a component fetches when it is first shown.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::browser::{at_hand, fetch};

/// Fetches a file of the page and returns its converted text, or `None` until the text arrives.
/// `convert` receives `None` if the file cannot be fetched. A change of `address` or `tries` fetches the
/// file again; answers to earlier requests are ignored.
#[hook]
pub fn use_fetched<T: Clone + 'static>(
    address: String,
    tries: u32,
    convert: fn(Option<String>) -> T,
) -> Option<T> {
    let request = (address, tries);
    let latest =
        use_state(|| at_hand(&request.0).map(|text| (request.clone(), convert(Some(text)))));
    {
        let latest = latest.setter();
        use_effect_with(request.clone(), move |request| {
            let is_current = Rc::new(Cell::new(true));
            let (request, is_still_current) = (request.clone(), Rc::clone(&is_current));
            spawn_local(async move {
                let answer = convert(fetch(&request.0).await.ok());
                if is_still_current.get() {
                    latest.set(Some((request, answer)));
                }
            });
            move || is_current.set(false)
        });
    }
    let (answered, answer) = latest.as_ref()?;
    (*answered == request).then(|| answer.clone())
}
