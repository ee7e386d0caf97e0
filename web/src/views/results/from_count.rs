//! Results of the view Count, which become loaded files of Results.

use yew::Callback;

use super::archive::{self, Change};
use super::stored_files;
use crate::browser::download::of_text;

/// Loads documents, given by the name of a file and its content, while Results is not open. The browser stores them
/// as other files. Calls `then` after the last one.
pub fn load(documents: Vec<(String, String)>, then: impl FnOnce() + 'static) {
    archive::change_unopened(Change::LoadStarts);
    let file = |(name, text): (String, String)| Some((name, of_text("application/json", &text)?));
    let files = documents.into_iter().filter_map(file).collect();
    stored_files::load(files, Callback::from(archive::change_unopened), then);
}
