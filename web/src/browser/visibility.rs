//! An observer that reports whether an element is visible.

use js_sys::Array;
use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::{IntersectionObserver, IntersectionObserverEntry};

use super::window::window;

/// Observes an element until it is dropped.
pub struct VisibilityObserver {
    observer: IntersectionObserver,
    _on_change: Closure<dyn Fn(Array)>,
}

impl VisibilityObserver {
    /// Calls `on_change` with whether the element with this id is visible: once at the start, and after
    /// each change. An embedded element is visible if the frame shows it and the embedding page shows
    /// that part of the frame.
    pub fn of(id: &str, on_change: impl Fn(bool) + 'static) -> Option<VisibilityObserver> {
        let element = window()?.document()?.get_element_by_id(id)?;
        let on_change = Closure::<dyn Fn(Array)>::new(move |entries: Array| {
            if let Ok(entry) = entries.pop().dyn_into::<IntersectionObserverEntry>() {
                on_change(entry.is_intersecting());
            }
        });
        let observer = IntersectionObserver::new(on_change.as_ref().unchecked_ref()).ok()?;
        observer.observe(&element);
        Some(VisibilityObserver { observer, _on_change: on_change })
    }
}

impl Drop for VisibilityObserver {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
