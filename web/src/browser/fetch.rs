//! HTTP requests.

use std::cell::RefCell;
use std::collections::HashMap;

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

use super::window::window;

thread_local! {
    /// Requests that were started ahead of their use, by URL.
    static AHEAD: RefCell<HashMap<String, JsFuture>> = RefCell::default();
}

/// Starts to fetch a URL before it is needed. The next [`fetch`] of this URL uses the response.
pub fn fetch_ahead(address: String) {
    AHEAD.with_borrow_mut(|ahead| {
        if !ahead.contains_key(&address)
            && let Some(request) = send(&address)
        {
            ahead.insert(address, request);
        }
    });
}

/// Returns the text of a file of the page if it is available without a request. In a browser, returns
/// `None` for every file.
#[cfg(not(all(test, not(target_family = "wasm"))))]
pub fn at_hand(_address: &str) -> Option<String> {
    None
}

/// Returns the text of a file of the page from the sources, because effects, which fetch files, do
/// not run on the host.
#[cfg(all(test, not(target_family = "wasm")))]
pub fn at_hand(address: &str) -> Option<String> {
    let folders = ["text/", "../shared/src/search/"];
    let path = |folder| format!("{}/{folder}{address}", env!("CARGO_MANIFEST_DIR"));
    folders.into_iter().find_map(|folder| std::fs::read_to_string(path(folder)).ok())
}

/// Fetches a text. The error is the HTTP status, or `None` if no response arrived or it could not be
/// read.
pub async fn fetch(address: &str) -> Result<String, Option<u16>> {
    let ahead = AHEAD.with_borrow_mut(|ahead| ahead.remove(address));
    // A request that was sent ahead may have failed long ago.
    let response = match response_to(ahead).await {
        Ok(response) => response,
        Err(_) => response_to(send(address)).await?,
    };
    let text = response.text().map_err(|_| None)?;
    JsFuture::from(text).await.ok().and_then(|text| text.as_string()).ok_or(None)
}

fn send(address: &str) -> Option<JsFuture> {
    Some(window()?.fetch_with_str(address).into())
}

async fn response_to(request: Option<JsFuture>) -> Result<Response, Option<u16>> {
    let answer = request.ok_or(None)?.await.map_err(|_| None)?;
    let response: Response = answer.dyn_into().map_err(|_| None)?;
    if response.ok() { Ok(response) } else { Err(Some(response.status())) }
}
