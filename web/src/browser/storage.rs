//! What the browser remembers between visits.

/// Absent where cookies are blocked; the page then forgets.
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// Whether anything can be remembered.
pub fn is_there() -> bool {
    storage().is_some()
}

/// What was remembered under a key.
pub fn recall(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Remembers something under a key.
pub fn remember(key: &str, value: &str) {
    if let Some(storage) = storage() {
        // A full or blocked store only means that it is not remembered.
        let _ = storage.set_item(key, value);
    }
}
