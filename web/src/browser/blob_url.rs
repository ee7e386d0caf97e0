//! `blob:` URLs for passing files to workers.

use web_sys::{Blob, Url};

/// A URL with which the page's workers can read a file. It is revoked when this value is dropped.
pub struct BlobUrl(String);

impl BlobUrl {
    /// Creates the URL; returns `None` if the browser refuses.
    pub fn new(file: &Blob) -> Option<BlobUrl> {
        Url::create_object_url_with_blob(file).ok().map(BlobUrl)
    }

    pub fn get(&self) -> &str {
        &self.0
    }
}

impl Drop for BlobUrl {
    fn drop(&mut self) {
        // Revoking can fail only for an invalid URL.
        let _ = Url::revoke_object_url(&self.0);
    }
}
