//! Saving what the page shows as files.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// Offers a text to the browser as a file to keep. `kind` is its media type.
pub fn file(name: &str, kind: &str, text: &str) {
    // A browser that refuses has told its user so; the page goes on.
    let _ = offer(name, kind, text);
}

fn offer(name: &str, kind: &str, text: &str) -> Result<(), JsValue> {
    let parts = Array::of1(&text.into());
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The download has its own hold on the data by now.
    Url::revoke_object_url(&address)
}
