//! Reads result documents from files.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use queens_core::document::{Checks, Document};

use super::failure::Failure;
use queens::{journal, paths, server::LARGEST_DOCUMENT};

/// Reads a document and checks its numbers. Returns the passed checks.
///
/// # Errors
/// [`Failure`] if the file cannot be read, is damaged, or contradicts itself or the published values.
pub fn read_checked(path: &Path) -> Result<(Document, Checks), Failure> {
    let file = || match path {
        path if path == "-" => "standard input".to_owned(),
        path => paths::shown(path).to_string(),
    };
    let text = read_text(path).map_err(|source| {
        if path != "-" && journal::is_journal(path) {
            Failure::JournalAsDocument(path.to_owned())
        } else {
            Failure::Unreadable { file: file(), source }
        }
    })?;
    let document = Document::parse(&text);
    let document = document.map_err(|source| Failure::Damaged { file: file(), source })?;
    match document.check() {
        Ok(passed) => Ok((document, passed)),
        Err(found) => Err(Failure::Inconsistent { file: file(), found }),
    }
}

/// Reads a file, or stdin for `-`.
fn read_text(path: &Path) -> io::Result<String> {
    let source: Box<dyn Read> =
        if path == "-" { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let mut text = String::new();
    let read = source.take(LARGEST_DOCUMENT as u64 + 1).read_to_string(&mut text);
    read.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => {
            io::Error::other("it is not UTF-8 text; expected a queens-result document in JSON")
        }
        _ => error,
    })?;
    if text.len() > LARGEST_DOCUMENT {
        let most = LARGEST_DOCUMENT >> 20;
        let text = format!("it is larger than {most} MB, the limit for a result document");
        return Err(io::Error::other(text));
    }
    Ok(text)
}
