//! Browser history: the address bar, and the back and forward buttons.

use std::{cell::RefCell, rc::Rc};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use queens_state::routing::{Address, AddressError, Here};
use wasm_bindgen::JsValue;
use web_sys::Event;
use yew::prelude::*;

use crate::browser::{scroll_to, scroll_to_top, window};

/// The current address, and the means to change it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Navigation {
    place: Place,
    navigate: Navigate,
}

/// The current address with its errors.
#[derive(Clone, Debug, Default, PartialEq)]
struct Place {
    address: Rc<Address>,
    problems: Rc<[AddressError]>,
    /// The number of navigations by the user.
    arrival: u64,
}

impl Navigation {
    /// The page at an address, outside a browser.
    #[cfg(all(test, not(target_family = "wasm")))]
    pub fn at(address: Address) -> Navigation {
        let place = Place { address: Rc::new(address), ..Place::default() };
        Navigation { place, navigate: Navigate::default() }
    }

    pub fn address(&self) -> &Address {
        &self.place.address
    }

    /// The errors in the address's parameters.
    pub fn problems(&self) -> &[AddressError] {
        &self.place.problems
    }
}

/// Navigates to other addresses.
#[derive(Clone, Debug, Default)]
pub struct Navigate(Rc<Shared>);

impl PartialEq for Navigate {
    fn eq(&self, other: &Navigate) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// The state that all clones of a [`Navigate`] share.
#[derive(Debug, Default)]
struct Shared {
    /// The address that was written last.
    written: RefCell<Address>,
    /// The position in Explore that is not yet written to the address bar, and the timer that
    /// writes it.
    here: RefCell<Option<(Here, Timeout)>>,
    /// Notifies the page.
    changed: Callback<Change>,
}

/// Whether the current address stays in the browser's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// The back button returns to the current address.
    Keep,
    /// The new address replaces the current one.
    Replace,
}

impl Navigate {
    /// Returns the current address. Callbacks call this instead of using the address at the time of
    /// rendering, which may be outdated.
    pub fn address(&self) -> Address {
        let written = self.0.written.borrow().clone();
        self.with_here(written)
    }

    /// Navigates to another page. The back button returns to the current one.
    pub fn push(&self, address: Address) {
        let address = self.with_here(address);
        self.write_here();
        // Another view or lesson is shown from its top, unless the address names a section.
        let page = |address: &Address| (address.view, address.lesson);
        if page(&address) != page(&self.0.written.borrow()) {
            scroll_to_top();
        }
        self.go(address, Entry::Keep, Some(vec![]));
    }

    /// Replaces the current address without a new entry in the browser's history.
    pub fn replace(&self, address: Address) {
        let address = self.with_here(address);
        self.0.here.take();
        self.go(address, Entry::Replace, Some(vec![]));
    }

    /// Adds parameters that the page chose by itself. Error messages about the address stay,
    /// because the user has not navigated.
    pub fn complete(&self, address: Address) {
        let address = self.with_here(address);
        self.0.here.take();
        self.go(address, Entry::Replace, None);
    }

    /// Records the position in Explore; returns whether it is new. The position is written to the
    /// address bar after `pause` milliseconds, or earlier if the user leaves the page. The delay is
    /// necessary because browsers limit how often the address may change.
    pub fn note(&self, here: Here, pause: u32) -> bool {
        let mut unwritten = self.0.here.borrow_mut();
        match unwritten.as_mut() {
            Some((old, _)) => std::mem::replace(old, here) != here,
            None if self.0.written.borrow().here() == here => false,
            None => {
                let navigate = self.clone();
                let write = Timeout::new(pause, move || navigate.write_here());
                *unwritten = Some((here, write));
                true
            }
        }
    }

    fn write_here(&self) {
        let unwritten = self.0.here.take();
        if let Some((Here { step, shown }, _)) = unwritten {
            let address = Address { step, shown, ..self.0.written.borrow().clone() };
            self.go(address, Entry::Replace, Some(vec![]));
        }
    }

    /// Adds the latest position in Explore to an address that was derived from an older one.
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

/// Returns the current address and the means to change it. The component renders again when the
/// address changes.
#[hook]
pub fn use_address() -> (Rc<Address>, Navigate) {
    let navigation = use_context::<Navigation>().unwrap_or_default();
    (navigation.place.address, navigation.navigate)
}

/// The number of navigations by the user, with links or the browser's buttons. Parameters that the
/// page writes by itself do not count.
#[hook]
pub fn use_arrival() -> u64 {
    use_context::<Navigation>().unwrap_or_default().place.arrival
}

/// Scrolls, after each navigation, to the section that the address names, as soon as the text is
/// `there`.
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

/// The state behind [`use_address`], for the root component.
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
                // The unwritten position belongs to the page that the user left.
                navigate.0.here.take();
                let change = read();
                navigate.0.written.replace(change.address.clone());
                navigate.0.changed.emit(change);
            };
            let listener = window().map(|window| EventListener::new(&window, "popstate", follow));
            move || drop(listener)
        });
    }
    Navigation { place: (*place).clone(), navigate: (*navigate).clone() }
}

/// A change of the address.
#[derive(Debug)]
struct Change {
    address: Address,
    /// The new errors, or `None` to keep the previous errors.
    problems: Option<Vec<AddressError>>,
    /// Whether the user navigated.
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
        let previous = change.problems.is_none().then(|| self.problems.clone());
        let place = Place::from(change);
        Place { arrival, problems: previous.unwrap_or(place.problems), ..place }.into()
    }
}

/// Reads the address bar.
fn read() -> Change {
    let given = window().and_then(|window| {
        let location = window.location();
        Some(location.search().ok()? + &location.hash().ok()?)
    });
    let given = given.unwrap_or_default();
    let (address, problems) = Address::open(&given);
    Change { address, problems: Some(problems), arrives: true }
}

fn write(address: &Address, entry: Entry) {
    let Some(history) = window().and_then(|window| window.history().ok()) else {
        return;
    };
    let link = address.to_link();
    let target = link.as_str();
    // Browsers refuse if addresses change too often. The page then continues with the address in
    // memory.
    let _ = match entry {
        Entry::Keep => history.push_state_with_url(&JsValue::NULL, "", Some(target)),
        Entry::Replace => history.replace_state_with_url(&JsValue::NULL, "", Some(target)),
    };
}
