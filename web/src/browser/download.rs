//! Downloads of files that the page creates.

use gloo_timers::callback::Timeout;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlElement, Url};

use super::window::window;

/// The time after which a file's URL is revoked, in milliseconds. The browser must have read the
/// file by then.
const REVOKE_DELAY: u32 = 60_000;

/// Offers a text as a download. `kind` is its media type.
pub fn file(name: &str, kind: &str, text: &str) {
    // A browser that blocks a download notifies the user itself.
    let _ = of_text(kind, text).and_then(|file| offer(name, &file));
}

/// Offers a long text as a download. Each part is built in a separate browser task, so the page
/// stays responsive.
pub fn in_parts(name: String, kind: &'static str, texts: impl Iterator<Item = String> + 'static) {
    append_rest(name, kind, Array::new(), Box::new(texts));
}

/// Appends the remaining texts to `parts`, one per browser task, and then offers the file.
fn append_rest(
    name: String,
    kind: &'static str,
    parts: Array,
    mut texts: Box<dyn Iterator<Item = String>>,
) {
    let append = move || match texts.next() {
        Some(text) => {
            parts.push(&JsValue::from_str(&text));
            append_rest(name, kind, parts, texts);
        }
        None => {
            let _ = of_parts(kind, &parts).and_then(|file| offer(&name, &file));
        }
    };
    Timeout::new(0, append).forget();
}

/// Returns a file with a text as its content.
pub fn of_text(kind: &str, text: &str) -> Option<Blob> {
    of_parts(kind, &Array::of1(&JsValue::from_str(text)))
}

fn of_parts(kind: &str, parts: &Array) -> Option<Blob> {
    let properties = BlobPropertyBag::new();
    properties.set_type(kind);
    Blob::new_with_str_sequence_and_options(parts, &properties).ok()
}

/// Starts the browser's download of a file.
pub fn offer(name: &str, file: &Blob) -> Option<()> {
    let document = window()?.document()?;
    let address = Url::create_object_url_with_blob(file).ok()?;
    let link = document.create_element("a").ok()?.dyn_into::<HtmlElement>().ok()?;
    link.set_attribute("href", &address).ok()?;
    link.set_attribute("download", name).ok()?;
    link.click();
    Timeout::new(REVOKE_DELAY, move || {
        let _ = Url::revoke_object_url(&address);
    })
    .forget();
    Some(())
}
