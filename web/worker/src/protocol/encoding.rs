//! How messages are encoded between page and worker: as postcard, whose messages are short and whose
//! code is small. Nothing that is stored is encoded so, since page and worker are always of one build.

use gloo_worker::Codec;
use js_sys::Uint8Array;
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsValue, throw_str};

/// The encoding of all messages of [`Solver`](crate::Solver).
pub struct Postcard;

impl Codec for Postcard {
    fn encode<I: Serialize>(message: I) -> JsValue {
        match write(&message) {
            Ok(bytes) => Uint8Array::from(&bytes[..]).into(),
            Err(_) => throw_str("a message could not be written"),
        }
    }

    /// The trait has no place for an error, so a message of another build is one of the script.
    fn decode<O: DeserializeOwned>(message: JsValue) -> O {
        match read(&Uint8Array::from(message).to_vec()) {
            Ok(message) => message,
            Err(_) => throw_str("a message could not be read"),
        }
    }
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
