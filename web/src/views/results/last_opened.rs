//! The link with which the user opened a document last, to which the view returns: that of its row, or that of a
//! task in the comparison.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use web_sys::Element;
use yew::prelude::*;

use crate::browser::{bar_end, focus_in_place, scroll_by, top_of, window};
use crate::parts::link::is_plain;
use crate::place::{Address, Field};

/// A link from which the user opened a document.
#[derive(Clone)]
struct Opened {
    /// The id of the document.
    id: String,
    /// The id of the element.
    link: String,
    /// The distance of the element from the top of the window, in pixels.
    top: f64,
    /// The ids of the compared results, if the link was in their comparison. Both are opened from there.
    pair: String,
}

impl Opened {
    fn leads_to(&self, open: &str) -> bool {
        self.id == open || self.pair.split(',').any(|id| id == open)
    }
}

thread_local! {
    static LAST: RefCell<Option<Opened>> = const { RefCell::new(None) };
}

/// Returns the id of the link in the row of a document.
pub fn row_link(id: &str) -> String {
    format!("row-{id}")
}

/// Records the row or the link of the comparison whose document a click opens. Clicks on the rest of a row, or with a
/// key that opens another tab, do not open it here.
pub fn record(event: &MouseEvent) {
    const LINKS: &str = "a.row-link, .two-results a[id]";
    if !is_plain(event) {
        return;
    }
    let clicked = event.target_dyn_into::<Element>();
    let link = clicked.and_then(|clicked| clicked.closest(LINKS).ok().flatten());
    let Some(link) = link else { return };
    let (address, _) = Address::parse(&link.get_attribute("href").unwrap_or_default());
    let Some(id) = address.result else { return };
    let (link, top) = (link.id(), link.get_bounding_client_rect().top());
    // The links of rows omit the ticks.
    let pair = address.results.get(Field::Pair).to_owned();
    LAST.set(Some(Opened { id, link, top, pair }));
}

/// Forgets the recorded link unless it leads to the document that is open now. The document may
/// have been opened elsewhere, for example from its address.
pub fn keep_only(open: &str) {
    LAST.with_borrow_mut(|last| drop(last.take_if(|last| !last.leads_to(open))));
}

/// Returns the id of the document that was opened last, if it was opened from the list.
pub fn id() -> Option<String> {
    LAST.with_borrow(|last| last.as_ref().map(|last| last.id.clone()))
}

/// The space between the top bar and a heading to which the view leads, in pixels.
const SPACE: f64 = 12.0;

/// Makes the list return to the comparison: to the link there with which the user opened the document `open` or,
/// without one, to the element `title`.
pub fn return_to_pair(open: &str, pair: &str, title: &str) {
    let is_from_pair = |last: &Option<Opened>| {
        last.as_ref().is_some_and(|last| !last.pair.is_empty() && last.leads_to(open))
    };
    if !LAST.with_borrow(is_from_pair) {
        let (id, link, pair) = (open.to_owned(), title.to_owned(), pair.to_owned());
        LAST.set(Some(Opened { id, link, top: bar_end() + SPACE, pair }));
    }
}

/// Makes the list begin at its top rather than at the comparison.
pub fn forget_pair() {
    LAST.with_borrow_mut(|last| drop(last.take_if(|last| !last.pair.is_empty())));
}

/// The number of animation frames for which the view waits until the link is rendered: tasks of a comparison come from
/// the worker.
const FRAMES: u32 = 120;

/// The same for a page that has just been loaded, which receives the list from the server first.
const FRAMES_AFTER_LOAD: u32 = 600;

/// The number of animation frames for which the link stays in its place while contents above it appear.
const HOLD: u32 = 40;

/// Where the list begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the top.
    Top,
    /// At the link with which the user opened a document.
    LastOpened,
    /// At the element with this id, to which the address of the page leads.
    Element(&'static str),
}

/// When the component is rendered first, scrolls to its start. A link that was left is where it was, and has the focus.
#[hook]
pub fn use_start(start: Start) {
    let frame = use_mut_ref(|| None::<AnimationFrame>);
    use_effect_with((), move |()| match start {
        Start::Top => {}
        Start::LastOpened => {
            if let Some(Opened { link, top, .. }) = LAST.with_borrow(Clone::clone) {
                wait(frame, Goal { link, top }, FRAMES);
            }
        }
        Start::Element(link) => {
            let goal = Goal { link: link.to_owned(), top: bar_end() + SPACE };
            wait(frame, goal, FRAMES_AFTER_LOAD);
        }
    });
}

/// An element and its wanted distance from the top of the window.
#[derive(Clone)]
struct Goal {
    link: String,
    top: f64,
}

fn wait(frame: Rc<RefCell<Option<AnimationFrame>>>, goal: Goal, frames: u32) {
    let holder = Rc::clone(&frame);
    let next = request_animation_frame(move |_| {
        if let Some(top) = top_of(&goal.link) {
            scroll_by(top - goal.top);
            focus_in_place(&goal.link);
            hold(frame, goal, scroll_place(), HOLD);
        } else if frames > 0 {
            wait(frame, goal, frames - 1);
        }
    });
    holder.replace(Some(next));
}

/// Keeps the element where it is until the page is scrolled by something else. `place` is where the page was
/// scrolled to.
fn hold(frame: Rc<RefCell<Option<AnimationFrame>>>, goal: Goal, place: f64, frames: u32) {
    let holder = Rc::clone(&frame);
    let next = request_animation_frame(move |_| {
        if (scroll_place() - place).abs() >= 1.0 || frames == 0 {
            return;
        }
        if let Some(top) = top_of(&goal.link).filter(|top| (top - goal.top).abs() >= 1.0) {
            scroll_by(top - goal.top);
        }
        hold(frame, goal, scroll_place(), frames - 1);
    });
    holder.replace(Some(next));
}

/// How far the page is scrolled down, in pixels.
fn scroll_place() -> f64 {
    window().and_then(|window| window.scroll_y().ok()).unwrap_or_default()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_was_opened_elsewhere_has_no_row_to_return_to() {
        LAST.set(Some(Opened {
            id: "a".into(),
            link: "row-a".into(),
            top: 1.0,
            pair: String::new(),
        }));
        keep_only("a");
        assert_eq!(id().as_deref(), Some("a"));
        keep_only("b");
        assert_eq!(id(), None);
    }

    #[test]
    fn both_results_of_a_comparison_lead_back_to_the_link_in_it() {
        let link = || LAST.with_borrow(|last| last.as_ref().map(|last| last.link.clone()));
        let last =
            Opened { id: "a".into(), link: "pair-task-0-7".into(), top: 1.0, pair: "a,b".into() };
        LAST.set(Some(last));
        // The task of the other result was opened from that of the first.
        keep_only("b");
        return_to_pair("b", "a,b", "title");
        assert_eq!(link().as_deref(), Some("pair-task-0-7"));
        keep_only("c");
        assert_eq!(link(), None);
        // A document that was opened from its row or its address leads to the comparison's heading.
        return_to_pair("b", "a,b", "title");
        assert_eq!(link().as_deref(), Some("title"));
        forget_pair();
        assert_eq!(link(), None);
    }
}
