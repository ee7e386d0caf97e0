//! Files that the page lends to its workers.

use web_sys::{Blob, Url};

/// The address of a file, by which the page's workers can read it until this is dropped.
pub struct Lent(String);

impl Lent {
    /// Lends a file, unless the browser refuses.
    pub fn new(file: &Blob) -> Option<Lent> {
        Url::create_object_url_with_blob(file).ok().map(Lent)
    }

    /// The address.
    pub fn get(&self) -> &str {
        &self.0
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // What is not lent any more need not be taken back.
        let _ = Url::revoke_object_url(&self.0);
    }
}
