//! HTTP requests.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

use super::window::window;

/// Fetches a text. The error is the HTTP status, or `None` if no response arrived or it could not be
/// read.
pub async fn fetch(address: &str) -> Result<String, Option<u16>> {
    let request = window().ok_or(None)?.fetch_with_str(address);
    let answer = JsFuture::from(request).await.map_err(|_| None)?;
    let response: Response = answer.dyn_into().map_err(|_| None)?;
    if !response.ok() {
        return Err(Some(response.status()));
    }
    let text = response.text().map_err(|_| None)?;
    JsFuture::from(text).await.ok().and_then(|text| text.as_string()).ok_or(None)
}
