//! What the page asks a server for once it is needed.

use std::cell::RefCell;
use std::collections::HashMap;

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, Response};

thread_local! {
    /// What has been asked for before it is needed, by its address.
    static AHEAD: RefCell<HashMap<String, JsFuture>> = RefCell::default();
}

/// Asks for what is at an address before it is needed: the next [`fetch`] of it waits for this answer.
pub fn fetch_ahead(address: String) {
    AHEAD.with_borrow_mut(|ahead| {
        if !ahead.contains_key(&address)
            && let Some(asked) = ask("GET", &address)
        {
            ahead.insert(address, asked);
        }
    });
}

/// The text at an address. The error is the answer's status, or nothing if none came.
pub async fn fetch(address: &str) -> Result<String, Option<u16>> {
    let asked = AHEAD.with_borrow_mut(|ahead| ahead.remove(address));
    let response = answer(asked.or_else(|| ask("GET", address))).await?;
    let text = response.text().map_err(|_| None)?;
    JsFuture::from(text).await.ok().and_then(|text| text.as_string()).ok_or(None)
}

/// Asks a server to remove what is at an address. The error is that of [`fetch`].
pub async fn remove(address: &str) -> Result<(), Option<u16>> {
    answer(ask("DELETE", address)).await.map(drop)
}

fn ask(method: &str, address: &str) -> Option<JsFuture> {
    let how = RequestInit::new();
    how.set_method(method);
    Some(web_sys::window()?.fetch_with_str_and_init(address, &how).into())
}

async fn answer(asked: Option<JsFuture>) -> Result<Response, Option<u16>> {
    let answer = asked.ok_or(None)?.await.map_err(|_| None)?;
    let response: Response = answer.dyn_into().map_err(|_| None)?;
    if response.ok() { Ok(response) } else { Err(Some(response.status())) }
}
