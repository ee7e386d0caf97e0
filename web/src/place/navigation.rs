//! The address bar: reading it, writing it, and following the back and forward buttons.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use wasm_bindgen::JsValue;
use web_sys::Event;
use yew::prelude::*;

use super::address::{Address, Problem};

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
    /// A step that is still to be written, and what will do it.
    step: RefCell<Option<(u64, Timeout)>>,
    /// The step that was noted and written last.
    own_step: Cell<Option<u64>>,
    /// Tells the page.
    changed: Callback<Address>,
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
    /// Goes to another page: the back button returns here.
    pub fn push(&self, address: Address) {
        let address = self.with_present_step(address);
        self.write_step();
        self.go(address, Entry::Keep);
    }

    /// Changes the address of this page, without a step in the browser's history.
    pub fn replace(&self, address: Address) {
        let address = self.with_present_step(address);
        self.0.step.take();
        self.go(address, Entry::Replace);
    }

    /// Notes that Explore is at a step. It comes into the address within `pause` milliseconds,
    /// or before the page is left: browsers refuse addresses that change too often.
    pub fn note_step(&self, step: u64, pause: u32) {
        let mut noted = self.0.step.borrow_mut();
        match noted.as_mut() {
            Some((old, _)) => *old = step,
            None => {
                let navigate = self.clone();
                let write = Timeout::new(pause, move || navigate.write_step());
                *noted = Some((step, write));
            }
        }
    }

    /// Whether an address has this step because Explore was there, and not because somebody goes
    /// there. Explore may be further by the time that it hears of the address.
    pub fn is_own_step(&self, step: u64) -> bool {
        self.0.own_step.get() == Some(step)
    }

    fn write_step(&self) {
        let noted = self.0.step.take();
        if let Some((step, _)) = noted {
            self.0.own_step.set(Some(step));
            let address = Address { step, ..self.0.written.borrow().clone() };
            self.go(address, Entry::Replace);
        }
    }

    /// An address made from that of the page may not know the latest step.
    fn with_present_step(&self, address: Address) -> Address {
        let written = self.0.written.borrow();
        let same_search = (address.size, address.method) == (written.size, written.method);
        match &*self.0.step.borrow() {
            Some((step, _)) if same_search && address.step == written.step => {
                self.0.own_step.set(Some(*step));
                Address { step: *step, ..address }
            }
            _ => address,
        }
    }

    fn go(&self, address: Address, entry: Entry) {
        write(&address, entry);
        self.0.written.replace(address.clone());
        self.0.changed.emit(address);
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
    let navigate = use_memo((), |()| {
        let setter = state.setter();
        let changed = Callback::from(move |address| setter.set((Rc::new(address), Rc::from([]))));
        let written = RefCell::new((*state.0).clone());
        Navigate(Rc::new(Shared { written, changed, ..Shared::default() }))
    });
    {
        let (setter, navigate) = (state.setter(), (*navigate).clone());
        use_effect_with((), move |()| {
            let follow = move |_: &Event| {
                let (address, problems) = read();
                // What was still to be written belonged to the page that was left.
                navigate.0.step.take();
                navigate.0.own_step.set(None);
                navigate.0.written.replace((*address).clone());
                setter.set((address, problems));
            };
            let listener =
                web_sys::window().map(|window| EventListener::new(&window, "popstate", follow));
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
