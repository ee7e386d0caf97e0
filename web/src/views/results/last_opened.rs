//! The link with which the user opened a document last, to which the view returns: that of its row, or of a task in
//! the comparison.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_render::{AnimationFrame, request_animation_frame};
use web_sys::Element;
use yew::prelude::*;

use crate::browser::{attribute, bar_end, focus_in_place, scroll_by, top_of, window};
use crate::parts::link::is_plain;
use crate::place::{Address, Field};

/// A link from which the user opened a document.
#[derive(Clone)]
struct Opened {
    /// The id of the document.
    id: String,
    /// The id of the link or, if that is the link of a mark in a picture, of the mark's ring.
    link: String,
    /// The distance of the element from the top of the window, in pixels.
    top: f64,
    /// The ids of the compared results, if the link was in their comparison. Both are opened from there.
    pair: String,
    /// The key of the mark in the picture.
    mark: Option<String>,
}

impl Opened {
    fn leads_to(&self, open: &str) -> bool {
        self.id == open || self.pair.split(',').any(|id| id == open)
    }
}

thread_local! {
    static LAST: RefCell<Option<Opened>> = const { RefCell::new(None) };
}

/// The id of the table of all documents.
pub const TABLE: &str = "results";

/// Returns the id of the link in the row of a document.
pub fn row_link(id: &str) -> String {
    format!("row-{id}")
}

/// Records the link whose document a click opens. Clicks on the rest of a row, or with a key that opens another
/// tab, do not open it here.
pub fn record(event: &MouseEvent) {
    const LINKS: &str = "a.row-link, a.chart-link, .two-results a[id]";
    if !is_plain(event) {
        return;
    }
    let clicked = event.target_dyn_into::<Element>();
    let link = clicked.and_then(|clicked| clicked.closest(LINKS).ok().flatten());
    let Some(link) = link else { return };
    let (address, _) = Address::parse(&link.get_attribute("href").unwrap_or_default());
    let Some(id) = address.result else { return };
    let ring = chart_ring(&link);
    let is_in_pair = link.closest(".two-results").is_ok_and(|pair| pair.is_some());
    let pair = if is_in_pair { address.results.get(Field::Pair) } else { "" }.to_owned();
    let mark = ring.as_ref().and_then(|ring| ring.get_attribute("data-key"));
    let link = ring.unwrap_or(link);
    let (link, top) = (link.id(), link.get_bounding_client_rect().top());
    LAST.set(Some(Opened { id, link, top, pair, mark }));
}

/// Returns the ring around the mark whose value has this link. The link is there only while the mark is chosen.
fn chart_ring(link: &Element) -> Option<Element> {
    let chart = link.closest("figure").ok()??;
    chart.query_selector(".chart-ring [data-key]").ok()?
}

/// Forgets the recorded link unless it leads to the document that is open now. The document may
/// have been opened elsewhere, for example from its address.
pub fn keep_only(open: &str) {
    LAST.with_borrow_mut(|last| drop(last.take_if(|last| !last.leads_to(open))));
}

/// Returns ids that are separated by commas, with the id `old` replaced by `new`.
fn with_id_replaced(ids: &str, old: &str, new: &str) -> String {
    let ids: Vec<_> = ids.split(',').map(|id| if id == old { new } else { id }).collect();
    ids.join(",")
}

/// Records that the file with the id `file` was published as the document `published`, so that the way back leads to
/// its row.
pub fn rename(file: &str, published: &str) {
    LAST.with_borrow_mut(|last| {
        let Some(last) = last else { return };
        if last.link == row_link(file) {
            last.link = row_link(published);
        }
        last.pair = with_id_replaced(&last.pair, file, published);
        if last.id == file {
            published.clone_into(&mut last.id);
        }
    });
}

/// Returns the id of the document that was opened last, if it was opened from the list.
pub fn id() -> Option<String> {
    LAST.with_borrow(|last| last.as_ref().map(|last| last.id.clone()))
}

/// Returns the key of the mark with which the user opened a document from the comparison of these results.
pub fn mark_in_pair(pair: &str) -> Option<String> {
    LAST.with_borrow(|last| last.as_ref().filter(|last| last.pair == pair)?.mark.clone())
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
        LAST.set(Some(Opened { id, link, top: bar_end() + SPACE, pair, mark: None }));
    }
}

/// Makes the list begin at its top rather than at the comparison.
pub fn forget_pair() {
    LAST.with_borrow_mut(|last| drop(last.take_if(|last| !last.pair.is_empty())));
}

/// The time for which the view waits until the link is rendered, in milliseconds: tasks of a comparison come from the
/// worker.
const WAIT: f64 = 2_000.0;

/// The same for a page that has just been loaded, which receives the list from the server first.
const WAIT_AFTER_LOAD: f64 = 10_000.0;

/// The time for which the link stays in its place while contents above it appear, in milliseconds.
const HOLD: f64 = 700.0;

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
/// Once the user does something, the page stays where it is.
#[hook]
pub fn use_start(start: Start) {
    use_effect_with((), move |()| {
        let goal = match start {
            Start::Top => None,
            Start::LastOpened => LAST
                .with_borrow(Clone::clone)
                .map(|Opened { link, top, mark, .. }| Goal { link, top, mark, limit: WAIT }),
            Start::Element(link) => {
                let (link, top) = (link.to_owned(), bar_end() + SPACE);
                Some(Goal { link, top, mark: None, limit: WAIT_AFTER_LOAD })
            }
        };
        let search = goal.map(Search::start);
        move || drop(search)
    });
}

/// An element and its wanted distance from the top of the window.
#[derive(Clone)]
struct Goal {
    link: String,
    top: f64,
    /// The key of the mark that the element surrounds. The mark may be gone.
    mark: Option<String>,
    /// The time for which the view waits for the element, in milliseconds.
    limit: f64,
}

impl Goal {
    /// Returns the distance of the element from the top of the window, once it is rendered.
    fn place(&self) -> Option<f64> {
        let is_mark = self.mark.is_none() || attribute(&self.link, "data-key") == self.mark;
        top_of(&self.link).filter(|_| is_mark)
    }
}

/// What the user does to use the page. The focus may also be moved without a key or a pointer, for example by a
/// screen reader.
const ACTIONS: [&str; 5] = ["wheel", "keydown", "pointerdown", "touchmove", "focusin"];

/// The search for a goal. It ends when this is dropped.
struct Search {
    state: Rc<SearchState>,
    _listeners: Option<[EventListener; ACTIONS.len()]>,
}

struct SearchState {
    goal: Goal,
    /// Whether the user has done something since the start.
    has_acted: Cell<bool>,
    /// The time of the first frame. A page in the background has no frames.
    began: Cell<Option<f64>>,
    /// The next frame, whose callback shares this state.
    frame: RefCell<Option<AnimationFrame>>,
}

impl Search {
    fn start(goal: Goal) -> Search {
        let (has_acted, began) = (Cell::new(false), Cell::new(None));
        let state = Rc::new(SearchState { goal, has_acted, began, frame: RefCell::default() });
        let listeners = window().map(|window| {
            ACTIONS.map(|name| {
                let state = Rc::clone(&state);
                EventListener::new(&window, name, move |_| state.has_acted.set(true))
            })
        });
        SearchState::wait(&state);
        Search { state, _listeners: listeners }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        drop(self.state.frame.take());
    }
}

/// What happens in a frame while the view waits for an element.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    Wait,
    Arrive,
    Stop,
}

/// Decides about a frame `waited` milliseconds after the first one.
fn next(has_acted: bool, is_rendered: bool, waited: f64, limit: f64) -> Next {
    match (has_acted, is_rendered) {
        (true, _) => Next::Stop,
        (false, true) => Next::Arrive,
        (false, false) if waited < limit => Next::Wait,
        (false, false) => Next::Stop,
    }
}

impl SearchState {
    /// Calls a function in the next frame, with the time of that.
    fn in_next_frame(self: &Rc<Self>, act: impl FnOnce(&Rc<Self>, f64) + 'static) {
        let this = Rc::clone(self);
        let frame = request_animation_frame(move |time| act(&this, time));
        self.frame.replace(Some(frame));
    }

    fn wait(self: &Rc<Self>) {
        self.in_next_frame(|this, time| {
            let began = this.began.get().unwrap_or(time);
            this.began.set(Some(began));
            let Goal { link, top: wanted, limit, .. } = &this.goal;
            let top = this.goal.place();
            match next(this.has_acted.get(), top.is_some(), time - began, *limit) {
                Next::Wait => this.wait(),
                Next::Arrive => {
                    scroll_by(top.unwrap_or(*wanted) - wanted);
                    focus_in_place(link);
                    // The listeners noticed this change of the focus, too.
                    this.has_acted.set(false);
                    this.hold(scroll_place(), time + HOLD);
                }
                Next::Stop => {}
            }
        });
    }

    /// Keeps the element where it is until a time, or until the user does something or the page is scrolled by
    /// something else. `place` is where the page was scrolled to.
    fn hold(self: &Rc<Self>, place: f64, until: f64) {
        self.in_next_frame(move |this, time| {
            if this.has_acted.get() || (scroll_place() - place).abs() >= 1.0 || time >= until {
                return;
            }
            let Goal { link, top: wanted, .. } = &this.goal;
            if let Some(top) = top_of(link).filter(|top| (top - wanted).abs() >= 1.0) {
                scroll_by(top - wanted);
            }
            this.hold(scroll_place(), until);
        });
    }
}

/// How far the page is scrolled down, in pixels.
fn scroll_place() -> f64 {
    window().and_then(|window| window.scroll_y().ok()).unwrap_or_default()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_the_user_already_uses_is_not_scrolled_to_its_start() {
        assert_eq!(next(false, false, 9_000.0, WAIT_AFTER_LOAD), Next::Wait);
        assert_eq!(next(false, false, 11_000.0, WAIT_AFTER_LOAD), Next::Stop);
        // The page was in the background while the list arrived.
        assert_eq!(next(false, true, 0.0, WAIT_AFTER_LOAD), Next::Arrive);
        for is_rendered in [false, true] {
            assert_eq!(next(true, is_rendered, 100.0, WAIT_AFTER_LOAD), Next::Stop);
        }
    }

    #[test]
    fn a_published_file_is_found_by_its_new_id() {
        LAST.set(Some(Opened {
            id: "file-1".into(),
            link: row_link("file-1"),
            top: 1.0,
            pair: "a,file-1".into(),
            mark: None,
        }));
        rename("file-2", "c");
        assert_eq!(id().as_deref(), Some("file-1"));
        rename("file-1", "b");
        keep_only("b");
        let [link, pair] = LAST.with_borrow(|last| {
            let last = last.as_ref().unwrap();
            [last.link.clone(), last.pair.clone()]
        });
        assert_eq!((id().as_deref(), link, &*pair), (Some("b"), row_link("b"), "a,b"));
        LAST.set(None);
    }

    #[test]
    fn a_document_that_was_opened_elsewhere_has_no_row_to_return_to() {
        LAST.set(Some(Opened {
            id: "a".into(),
            link: "row-a".into(),
            top: 1.0,
            pair: String::new(),
            mark: None,
        }));
        keep_only("a");
        assert_eq!(id().as_deref(), Some("a"));
        keep_only("b");
        assert_eq!(id(), None);
    }

    #[test]
    fn both_results_of_a_comparison_lead_back_to_the_link_in_it() {
        let link = || LAST.with_borrow(|last| last.as_ref().map(|last| last.link.clone()));
        let last = Opened {
            id: "a".into(),
            link: "pair-task-0-7".into(),
            top: 1.0,
            pair: "a,b".into(),
            mark: None,
        };
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
