//! Local storage.

use super::window::window;

/// Returns the browser's local storage, or `None` if cookies are blocked. Then the page stores
/// nothing.
fn storage() -> Option<web_sys::Storage> {
    window()?.local_storage().ok()?
}

/// Returns the value stored under a key.
pub fn recall(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Stores a value under a key. Returns whether that succeeded: the storage may be full or blocked. The page
/// works without storage.
pub fn remember(key: &str, value: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(key, value).is_ok())
}
