//! The row of the document that the user opened last, to which the view returns.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use web_sys::Element;
use yew::prelude::*;

use crate::browser::{focus_in_place, scroll_by, top_of};
use crate::parts::link::is_plain;

/// A row from which the user opened its document.
#[derive(Clone)]
struct Row {
    /// The id of the document.
    id: String,
    /// The distance of the row's link from the top of the window, in pixels.
    top: f64,
}

thread_local! {
    static LAST: RefCell<Option<Row>> = const { RefCell::new(None) };
}

/// Returns the id of the link in the row of a document.
pub fn row_link(id: &str) -> String {
    format!("row-{id}")
}

/// Records the row whose document a click opens. Clicks on the rest of a row, or with a key that opens
/// another tab, do not open it here.
pub fn record(event: &MouseEvent) {
    if !is_plain(event) {
        return;
    }
    let clicked = event.target_dyn_into::<Element>();
    let link = clicked.and_then(|clicked| clicked.closest("a.row-link").ok().flatten());
    let row = link.and_then(|link| link.closest("tbody[data-id]").ok().flatten());
    let Some(id) = row.and_then(|row| row.get_attribute("data-id")) else { return };
    if let Some(top) = top_of(&row_link(&id)) {
        LAST.set(Some(Row { id, top }));
    }
}

/// Forgets the recorded row unless it is the row of the document that is open now. The document may
/// have been opened elsewhere, for example from its address.
pub fn keep_only(open: &str) {
    LAST.with_borrow_mut(|last| drop(last.take_if(|row| row.id != open)));
}

/// Returns the id of the document that was opened last, if it was opened from its row.
pub fn id() -> Option<String> {
    LAST.with_borrow(|last| last.as_ref().map(|row| row.id.clone()))
}

/// The number of animation frames for which the view waits until the row is rendered.
const FRAMES: u32 = 60;

/// When the component is rendered first and `returns` is set, scrolls the row to the place where it was
/// when the user left it, and focuses its link.
#[hook]
pub fn use_return(returns: bool) {
    let frame = use_mut_ref(|| None::<AnimationFrame>);
    use_effect_with((), move |()| {
        if let Some(row) = LAST.with_borrow(Clone::clone).filter(|_| returns) {
            wait(frame, row, FRAMES);
        }
    });
}

fn wait(frame: Rc<RefCell<Option<AnimationFrame>>>, row: Row, frames: u32) {
    let holder = Rc::clone(&frame);
    let next = request_animation_frame(move |_| {
        let link = row_link(&row.id);
        if let Some(top) = top_of(&link) {
            scroll_by(top - row.top);
            focus_in_place(&link);
        } else if frames > 0 {
            wait(frame, row, frames - 1);
        }
    });
    holder.replace(Some(next));
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_was_opened_elsewhere_has_no_row_to_return_to() {
        LAST.set(Some(Row { id: "a".into(), top: 100.0 }));
        keep_only("a");
        assert_eq!(id().as_deref(), Some("a"));
        keep_only("b");
        assert_eq!(id(), None);
    }
}
