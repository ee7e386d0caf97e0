//! The encoding of messages between page and worker: postcard, which gives short messages and needs
//! little code. Postcard is not used for stored data, because it requires that writer and reader
//! come from the same build.

use js_sys::Uint8Array;
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsCast, JsValue};

/// Returns the worker's first message, which reports that it is ready. No other message is empty.
pub fn ready() -> Uint8Array {
    Uint8Array::new_with_length(0)
}

/// Whether a message is the one that reports that the worker is ready.
pub fn is_ready(message: &JsValue) -> bool {
    message.dyn_ref::<Uint8Array>().is_some_and(|bytes| bytes.length() == 0)
}

/// Encodes a message for posting; returns `None` if its type cannot be encoded.
pub fn encode<T: Serialize>(message: &T) -> Option<Uint8Array> {
    Some(Uint8Array::from(&write(message).ok()?[..]))
}

/// Decodes a posted message; returns `None` if it is not of this type.
pub fn decode<T: DeserializeOwned>(message: &JsValue) -> Option<T> {
    read(&message.dyn_ref::<Uint8Array>()?.to_vec()).ok()
}

/// Encodes a message.
///
/// # Errors
/// Fails if the type cannot be encoded, such as an iterator of unknown length.
pub(super) fn write<T: Serialize + ?Sized>(message: &T) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_allocvec(message)
}

/// Decodes a message.
///
/// # Errors
/// Fails if the bytes do not encode this type, or contain a value that its constructor rejects.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, postcard::Error> {
    postcard::from_bytes(bytes)
}

#[cfg(test)]
mod tests;
