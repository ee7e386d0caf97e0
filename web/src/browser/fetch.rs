//! Files that the page fetches once they are needed.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// The text at an address, if it can be had.
pub async fn fetch(address: &str) -> Result<String, JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let response: Response = JsFuture::from(window.fetch_with_str(address)).await?.dyn_into()?;
    if !response.ok() {
        return Err(response.status().into());
    }
    JsFuture::from(response.text()?).await?.as_string().ok_or(JsValue::NULL)
}
