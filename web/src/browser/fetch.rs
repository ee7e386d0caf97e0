//! What the page asks a server for once it is needed.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, Response};

/// The text at an address. The error is the answer's status, or nothing if none came.
pub async fn fetch(address: &str) -> Result<String, Option<u16>> {
    let response = ask("GET", address).await?;
    let text = response.text().map_err(|_| None)?;
    JsFuture::from(text).await.ok().and_then(|text| text.as_string()).ok_or(None)
}

/// Asks a server to remove what is at an address. The error is that of [`fetch`].
pub async fn remove(address: &str) -> Result<(), Option<u16>> {
    ask("DELETE", address).await.map(drop)
}

async fn ask(method: &str, address: &str) -> Result<Response, Option<u16>> {
    let answer = async {
        let window = web_sys::window().ok_or(JsValue::NULL)?;
        let how = RequestInit::new();
        how.set_method(method);
        JsFuture::from(window.fetch_with_str_and_init(address, &how)).await?.dyn_into()
    };
    let response: Response = answer.await.map_err(|_| None)?;
    if response.ok() { Ok(response) } else { Err(Some(response.status())) }
}
