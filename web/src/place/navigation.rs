//! The address bar: reading it, writing it, and following the back and forward buttons.

use std::{cell::RefCell, rc::Rc};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use queens_state::routing::{Address, AddressError, Here};
use wasm_bindgen::JsValue;
use web_sys::Event;
use yew::prelude::*;

use crate::browser::{scroll_to, scroll_to_top};

/// The address as the page knows it, and the way to change it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Navigation {
    place: Place,
    navigate: Navigate,
}

/// Where the page is.
#[derive(Clone, Debug, Default, PartialEq)]
struct Place {
    address: Rc<Address>,
    problems: Rc<[AddressError]>,
    /// Grows when somebody goes somewhere, and only then.
    arrival: u64,
}

impl Navigation {
    pub fn address(&self) -> &Address {
        &self.place.address
    }

    /// What in it meant nothing.
    pub fn problems(&self) -> &[AddressError] {
        &self.place.problems
    }
}

/// Goes to other addresses.
#[derive(Clone, Debug, Default)]
pub struct Navigate(Rc<Shared>);

impl PartialEq for Navigate {
    fn eq(&self, other: &Navigate) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// What all clones of a [`Navigate`] share.
#[derive(Debug, Default)]
struct Shared {
    /// The address as it was written last.
    written: RefCell<Address>,
    /// Where Explore is, if it is still to be written, and what will do it.
    here: RefCell<Option<(Here, Timeout)>>,
    /// Tells the page.
    changed: Callback<Change>,
}

/// What becomes of the present address in the browser's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// The back button returns to it.
    Keep,
    /// The new address takes its place.
    Replace,
}

impl Navigate {
    /// The page's address at this moment, for what happens later than it is asked for.
    pub fn address(&self) -> Address {
        let written = self.0.written.borrow().clone();
        self.with_here(written)
    }

    /// Goes to another page: the back button returns here.
    pub fn push(&self, address: Address) {
        let address = self.with_here(address);
        self.write_here();
        // Another view begins at its top, unless one of its sections is wanted, and so does another
        // lesson.
        let page = |address: &Address| (address.view, address.lesson);
        if page(&address) != page(&self.0.written.borrow()) {
            scroll_to_top();
        }
        self.go(address, Entry::Keep, Some(vec![]));
    }

    /// Changes the address of this page, without a step in the browser's history.
    pub fn replace(&self, address: Address) {
        let address = self.with_here(address);
        self.0.here.take();
        self.go(address, Entry::Replace, Some(vec![]));
    }

    /// Adds to the address what the page chooses by itself. What is said of the address stays, since
    /// nobody has gone anywhere.
    pub fn complete(&self, address: Address) {
        let address = self.with_here(address);
        self.0.here.take();
        self.go(address, Entry::Replace, None);
    }

    /// Notes where Explore is; whether that is news. It comes into the address within `pause`
    /// milliseconds, or before the page is left: browsers refuse addresses that change too often.
    pub fn note(&self, here: Here, pause: u32) -> bool {
        let mut noted = self.0.here.borrow_mut();
        match noted.as_mut() {
            Some((old, _)) => std::mem::replace(old, here) != here,
            None if self.0.written.borrow().here() == here => false,
            None => {
                let navigate = self.clone();
                let write = Timeout::new(pause, move || navigate.write_here());
                *noted = Some((here, write));
                true
            }
        }
    }

    fn write_here(&self) {
        let noted = self.0.here.take();
        if let Some((Here { step, shown }, _)) = noted {
            let address = Address { step, shown, ..self.0.written.borrow().clone() };
            self.go(address, Entry::Replace, Some(vec![]));
        }
    }

    /// An address made from that of the page may not know where Explore is by now.
    fn with_here(&self, address: Address) -> Address {
        let written = self.0.written.borrow();
        let same_search = (address.size, address.method) == (written.size, written.method);
        let Some((here, _)) = &*self.0.here.borrow() else { return address };
        let step =
            if same_search && address.step == written.step { here.step } else { address.step };
        let shown = match address.shown {
            shown if same_search && shown == written.shown => here.shown,
            shown if shown == written.shown.elsewhere() => here.shown.elsewhere(),
            other => other,
        };
        Address { step, shown, ..address }
    }

    fn go(&self, address: Address, entry: Entry, problems: Option<Vec<AddressError>>) {
        write(&address, entry);
        self.0.written.replace(address.clone());
        let arrives = entry == Entry::Keep;
        self.0.changed.emit(Change { address, problems, arrives });
    }
}

/// The page's address and the way to change it. The component is drawn again when the address
/// changes.
#[hook]
pub fn use_address() -> (Rc<Address>, Navigate) {
    let navigation = use_context::<Navigation>().unwrap_or_default();
    (navigation.place.address, navigation.navigate)
}

/// The number of times that somebody has gone somewhere, by a link or the browser's buttons: what
/// the page writes into its address on its own leaves it alone.
#[hook]
pub fn use_arrival() -> u64 {
    use_context::<Navigation>().unwrap_or_default().place.arrival
}

/// Brings the section that the address names into sight, whenever somebody goes there, as soon as
/// the text is `there`.
#[hook]
pub fn use_section(there: bool) {
    let (address, _) = use_address();
    let (arrival, section) = (use_arrival(), address.section.clone());
    use_effect_with((arrival, section, there), |(_, section, there)| {
        if let Some(id) = section.as_ref().filter(|_| *there) {
            scroll_to(id);
        }
    });
}

/// The state behind [`use_address`], for the page's outermost component.
#[hook]
pub fn use_navigation() -> Navigation {
    let place = use_reducer_eq(|| Place::from(read()));
    let navigate = use_memo((), |()| {
        let dispatcher = place.dispatcher();
        let changed = Callback::from(move |change| dispatcher.dispatch(change));
        let written = RefCell::new((*place.address).clone());
        Navigate(Rc::new(Shared { written, changed, ..Shared::default() }))
    });
    {
        let navigate = (*navigate).clone();
        use_effect_with((), move |()| {
            let follow = move |_: &Event| {
                // What was still to be written belonged to the page that was left.
                navigate.0.here.take();
                let change = read();
                navigate.0.written.replace(change.address.clone());
                navigate.0.changed.emit(change);
            };
            let listener =
                web_sys::window().map(|window| EventListener::new(&window, "popstate", follow));
            move || drop(listener)
        });
    }
    Navigation { place: (*place).clone(), navigate: (*navigate).clone() }
}

/// Another address.
#[derive(Debug)]
struct Change {
    address: Address,
    /// What in it means nothing; none leaves what is said of the last one.
    problems: Option<Vec<AddressError>>,
    /// Whether somebody goes there.
    arrives: bool,
}

impl From<Change> for Place {
    fn from(Change { address, problems, .. }: Change) -> Place {
        let problems = problems.unwrap_or_default().into();
        Place { address: address.into(), problems, arrival: 0 }
    }
}

impl Reducible for Place {
    type Action = Change;

    fn reduce(self: Rc<Self>, change: Change) -> Rc<Self> {
        let arrival = self.arrival + u64::from(change.arrives);
        let kept = change.problems.is_none().then(|| self.problems.clone());
        let place = Place::from(change);
        Place { arrival, problems: kept.unwrap_or(place.problems), ..place }.into()
    }
}

/// What the address bar says.
fn read() -> Change {
    let given = web_sys::window().and_then(|window| {
        let location = window.location();
        Some(location.search().ok()? + &location.hash().ok()?)
    });
    let given = given.unwrap_or_default();
    let (address, problems) = Address::open(&given);
    Change { address, problems: Some(problems), arrives: true }
}

fn write(address: &Address, entry: Entry) {
    let Some(history) = web_sys::window().and_then(|window| window.history().ok()) else {
        return;
    };
    let link = address.to_link();
    let target = link.as_str();
    // A browser may refuse when addresses change too often; the page goes on with its own copy.
    let _ = match entry {
        Entry::Keep => history.push_state_with_url(&JsValue::NULL, "", Some(target)),
        Entry::Replace => history.replace_state_with_url(&JsValue::NULL, "", Some(target)),
    };
}
