//! The latest answer of the worker to a request that changes.

use std::rc::Rc;

use yew::prelude::*;

use crate::worker::{Answer, Request, use_worker};

/// Sends a request to the worker and returns the latest answer. The answer to the previous request
/// stays until the first answer to the new one arrives, so that the page does not jump.
#[hook]
pub fn use_latest<T: 'static>(
    request: Option<Request>,
    pick: fn(Answer) -> Option<T>,
) -> Option<Rc<T>> {
    let worker = use_worker();
    let latest = use_state(|| None);
    let setter = latest.setter();
    use_effect_with(request, move |request| {
        let ticket = request.clone().map(|request| {
            worker.request(request, move |answer| {
                if let Some(answer) = pick(answer) {
                    setter.set(Some(Rc::new(answer)));
                }
            })
        });
        move || drop(ticket)
    });
    (*latest).clone()
}
