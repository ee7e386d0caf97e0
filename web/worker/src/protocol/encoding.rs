//! How messages are encoded between page and worker: as postcard, whose messages are short and whose
//! code is small. Nothing that is stored is encoded so, since page and worker are always of one build.

use js_sys::Uint8Array;
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsCast, JsValue};

/// The worker's first message: it listens from now on. No other message is empty.
pub fn ready() -> Uint8Array {
    Uint8Array::new_with_length(0)
}

/// Whether a message is that of `ready`.
pub fn is_ready(message: &JsValue) -> bool {
    message.dyn_ref::<Uint8Array>().is_some_and(|bytes| bytes.length() == 0)
}

/// Encodes a message as it is posted; nothing if its type cannot be encoded.
pub fn encode<T: Serialize>(message: &T) -> Option<Uint8Array> {
    Some(Uint8Array::from(&write(message).ok()?[..]))
}

/// Decodes a posted message; nothing if it is none of this type.
pub fn decode<T: DeserializeOwned>(message: &JsValue) -> Option<T> {
    read(&message.dyn_ref::<Uint8Array>()?.to_vec()).ok()
}

/// Encodes a message.
///
/// # Errors
/// If its type cannot be encoded, such as an iterator that does not know its length.
pub(super) fn write<T: Serialize + ?Sized>(message: &T) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_allocvec(message)
}

/// Decodes a message.
///
/// # Errors
/// If the bytes are no message of this type, or have a value that its constructor rejects.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, postcard::Error> {
    postcard::from_bytes(bytes)
}

#[cfg(test)]
mod tests;
