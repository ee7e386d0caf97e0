//! Navigation: the address bar, and the browser's back and forward buttons.

use std::{cell::RefCell, rc::Rc};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use wasm_bindgen::JsValue;
use web_sys::Event;
use yew::prelude::*;

use super::{Address, AddressError, ExplorePosition};
use crate::browser::{scroll_to, scroll_to_top, window};

/// The current address, and the means to change it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Navigation {
    current: CurrentAddress,
    navigate: Navigate,
}

/// The current address with its errors.
#[derive(Clone, Debug, Default, PartialEq)]
struct CurrentAddress {
    address: Rc<Address>,
    problems: Rc<[AddressError]>,
    /// The number of navigations by the user.
    navigation_count: u64,
}

impl Navigation {
    /// The page at an address, outside a browser.
    #[cfg(all(test, not(target_family = "wasm")))]
    pub fn at(address: Address) -> Navigation {
        let current = CurrentAddress { address: Rc::new(address), ..CurrentAddress::default() };
        Navigation { current, navigate: Navigate::default() }
    }

    pub fn address(&self) -> &Address {
        &self.current.address
    }

    /// The errors in the address's parameters.
    pub fn problems(&self) -> &[AddressError] {
        &self.current.problems
    }
}

/// Navigates to other addresses.
#[derive(Clone, Debug, Default)]
pub struct Navigate(Rc<NavigatorState>);

impl PartialEq for Navigate {
    fn eq(&self, other: &Navigate) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// The state that all clones of a [`Navigate`] share.
#[derive(Debug, Default)]
struct NavigatorState {
    /// The address that was last written to the address bar or read from it.
    written: RefCell<Address>,
    /// The position in Explore that is not yet written to the address bar, and the timer that
    /// writes it.
    unwritten: RefCell<Option<(ExplorePosition, Timeout)>>,
    /// Receives every change of the address.
    on_change: Callback<AddressChange>,
}

/// Whether the current address stays in the browser's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HistoryAction {
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
        self.with_position(written)
    }

    /// Navigates to another address. The back button returns to the current one.
    pub fn push(&self, address: Address) {
        let address = self.with_position(address);
        self.write_position();
        // Another view, lesson, result, solution or puzzle is shown from its top, unless the address names a
        // section.
        let page = |address: &Address| {
            let Address { view, lesson, puzzle, .. } = *address;
            (view, lesson, address.result.clone(), address.solution.clone(), puzzle)
        };
        let is_other = page(&address) != page(&self.0.written.borrow());
        self.go(address, HistoryAction::Keep, Some(vec![]));
        // The browser has kept the place of the address before, to which it returns.
        if is_other {
            scroll_to_top();
        }
    }

    /// Replaces the current address without a new entry in the browser's history.
    pub fn replace(&self, address: Address) {
        let address = self.with_position(address);
        self.0.unwritten.take();
        self.go(address, HistoryAction::Replace, Some(vec![]));
    }

    /// Adds parameters that the page selected by itself. Error messages about the address stay,
    /// because the user has not navigated.
    pub fn add_parameters(&self, address: Address) {
        let address = self.with_position(address);
        self.0.unwritten.take();
        self.go(address, HistoryAction::Replace, None);
    }

    /// Records the position in Explore and returns whether it is new. The position is written to the
    /// address bar after `delay` milliseconds, or earlier if the user navigates within the page.
    /// The delay is necessary because browsers limit how often the address may change.
    pub fn record_position(&self, position: ExplorePosition, delay: u32) -> bool {
        let mut unwritten = self.0.unwritten.borrow_mut();
        match unwritten.as_mut() {
            Some((old, _)) => std::mem::replace(old, position) != position,
            None if self.0.written.borrow().explore_position() == position => false,
            None => {
                let navigate = self.clone();
                let write = Timeout::new(delay, move || navigate.write_position());
                *unwritten = Some((position, write));
                true
            }
        }
    }

    fn write_position(&self) {
        let unwritten = self.0.unwritten.take();
        if let Some((ExplorePosition { step, layout }, _)) = unwritten {
            let address = Address { step, layout, ..self.0.written.borrow().clone() };
            self.go(address, HistoryAction::Replace, Some(vec![]));
        }
    }

    /// Adds the latest position in Explore to an address that was derived from an older one. Replaces
    /// only the step and the layout that the caller has left unchanged.
    fn with_position(&self, address: Address) -> Address {
        let written = self.0.written.borrow();
        let same_search = (address.size, address.method) == (written.size, written.method);
        let Some((position, _)) = &*self.0.unwritten.borrow() else { return address };
        let step =
            if same_search && address.step == written.step { position.step } else { address.step };
        let layout = match address.layout {
            layout if same_search && layout == written.layout => position.layout,
            layout if layout == written.layout.for_other_search() => {
                position.layout.for_other_search()
            }
            other => other,
        };
        Address { step, layout, ..address }
    }

    fn go(&self, address: Address, action: HistoryAction, problems: Option<Vec<AddressError>>) {
        write(&address, action);
        self.0.written.replace(address.clone());
        let is_navigation = action == HistoryAction::Keep;
        self.0.on_change.emit(AddressChange { address, problems, is_navigation });
    }
}

/// Returns the current address and the means to change it. The component renders again when the
/// address changes.
#[hook]
pub fn use_address() -> (Rc<Address>, Navigate) {
    let navigation = use_context::<Navigation>().unwrap_or_default();
    (navigation.current.address, navigation.navigate)
}

/// Returns the number of navigations by the user, with links or the browser's buttons. Changes that
/// replace the current address do not count.
#[hook]
pub fn use_navigation_count() -> u64 {
    use_context::<Navigation>().unwrap_or_default().current.navigation_count
}

/// After each navigation, scrolls to the section that the address names.
#[hook]
pub fn use_section() {
    let (address, _) = use_address();
    let (count, section) = (use_navigation_count(), address.section.clone());
    use_effect_with((count, section), |(_, section)| {
        if let Some(id) = section {
            scroll_to(id);
        }
    });
}

/// Returns the state behind [`use_address`], for the root component.
#[hook]
pub fn use_navigation() -> Navigation {
    let current = use_reducer_eq(|| CurrentAddress::from(read()));
    let navigate = use_memo((), |()| {
        let dispatcher = current.dispatcher();
        let on_change = Callback::from(move |change| dispatcher.dispatch(change));
        let written = RefCell::new((*current.address).clone());
        Navigate(Rc::new(NavigatorState { written, on_change, ..NavigatorState::default() }))
    });
    {
        let navigate = (*navigate).clone();
        use_effect_with((), move |()| {
            let on_popstate = move |_: &Event| {
                // The unwritten position belongs to the page that the user left.
                navigate.0.unwritten.take();
                let mut change = read();
                change.address = change.address.over(&navigate.0.written.borrow());
                navigate.0.written.replace(change.address.clone());
                navigate.0.on_change.emit(change);
            };
            let listener =
                window().map(|window| EventListener::new(&window, "popstate", on_popstate));
            move || drop(listener)
        });
    }
    Navigation { current: (*current).clone(), navigate: (*navigate).clone() }
}

/// A change of the address.
#[derive(Debug)]
struct AddressChange {
    address: Address,
    /// The new errors, or `None` to keep the previous errors.
    problems: Option<Vec<AddressError>>,
    /// Whether the user navigated.
    is_navigation: bool,
}

impl From<AddressChange> for CurrentAddress {
    fn from(AddressChange { address, problems, .. }: AddressChange) -> CurrentAddress {
        let problems = problems.unwrap_or_default().into();
        CurrentAddress { address: address.into(), problems, navigation_count: 0 }
    }
}

impl Reducible for CurrentAddress {
    type Action = AddressChange;

    fn reduce(self: Rc<Self>, change: AddressChange) -> Rc<Self> {
        let navigation_count = self.navigation_count + u64::from(change.is_navigation);
        let previous = change.problems.is_none().then(|| self.problems.clone());
        let current = CurrentAddress::from(change);
        let problems = previous.unwrap_or(current.problems);
        CurrentAddress { navigation_count, problems, ..current }.into()
    }
}

/// Reads the address bar.
fn read() -> AddressChange {
    let query = window().and_then(|window| {
        let location = window.location();
        Some(location.search().ok()? + &location.hash().ok()?)
    });
    let query = query.unwrap_or_default();
    let (address, problems) = Address::parse(&query);
    AddressChange { address, problems: Some(problems), is_navigation: true }
}

fn write(address: &Address, action: HistoryAction) {
    let Some(history) = window().and_then(|window| window.history().ok()) else {
        return;
    };
    let link = address.to_link();
    let target = link.as_str();
    // Browsers refuse if addresses change too often. The page then continues with the address in
    // memory.
    let _ = match action {
        HistoryAction::Keep => history.push_state_with_url(&JsValue::NULL, "", Some(target)),
        HistoryAction::Replace => history.replace_state_with_url(&JsValue::NULL, "", Some(target)),
    };
}
