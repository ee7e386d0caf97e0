//! The address bar: reading it, writing it, and following the back and forward buttons.

use std::rc::Rc;

use gloo_events::EventListener;
use wasm_bindgen::JsValue;
use yew::prelude::*;

use crate::address::{Address, Problem};

/// The address as the page knows it, and the way to change it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Navigation {
    address: Rc<Address>,
    problems: Rc<[Problem]>,
    navigate: Navigate,
}

impl Navigation {
    /// The address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// What in it meant nothing.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// Goes to other addresses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Navigate(Callback<(Address, Entry)>);

/// What becomes of the present address in the browser's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The back button returns to it.
    Keep,
    /// The new address takes its place.
    Replace,
}

impl Navigate {
    /// Goes to another page: the back button returns here.
    pub fn push(&self, address: Address) {
        self.0.emit((address, Entry::Keep));
    }

    /// Changes the address of this page, without a step in the browser's history.
    pub fn replace(&self, address: Address) {
        self.0.emit((address, Entry::Replace));
    }
}

/// The page's address and the way to change it. The component is drawn again when the address
/// changes.
#[hook]
pub fn use_address() -> (Rc<Address>, Navigate) {
    let navigation = use_context::<Navigation>().unwrap_or_default();
    (navigation.address, navigation.navigate)
}

/// The state behind [`use_address`], for the page's outermost component.
#[hook]
pub fn use_navigation() -> Navigation {
    let state = use_state_eq(read);
    let navigate = {
        let setter = state.setter();
        Callback::from(move |(address, entry): (Address, Entry)| {
            write(&address, entry);
            setter.set((Rc::new(address), Rc::from([])));
        })
    };
    let navigate = use_memo((), |()| Navigate(navigate));
    {
        let setter = state.setter();
        use_effect_with((), move |()| {
            let listener = web_sys::window()
                .map(|window| EventListener::new(&window, "popstate", move |_| setter.set(read())));
            move || drop(listener)
        });
    }
    let (address, problems) = (*state).clone();
    Navigation { address, problems, navigate: (*navigate).clone() }
}

fn read() -> (Rc<Address>, Rc<[Problem]>) {
    let query = web_sys::window().and_then(|window| window.location().search().ok());
    let (address, problems) = Address::parse(&query.unwrap_or_default());
    (Rc::new(address), problems.into())
}

fn write(address: &Address, entry: Entry) {
    let Some(history) = web_sys::window().and_then(|window| window.history().ok()) else {
        return;
    };
    let query = address.to_query();
    // An empty address would mean the present one, query and all.
    let target = if query.is_empty() { "?" } else { &query };
    // A browser may refuse when addresses change too often; the page goes on with its own copy.
    let _ = match entry {
        Entry::Keep => history.push_state_with_url(&JsValue::NULL, "", Some(target)),
        Entry::Replace => history.replace_state_with_url(&JsValue::NULL, "", Some(target)),
    };
}
