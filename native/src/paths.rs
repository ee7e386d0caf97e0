//! Paths in messages, and reasons why no file can exist at a path.

use std::{fmt, path::Path};

use queens_core::document::harmless;

/// The reason given if the path is a folder.
pub const FOLDER: &str = "it is a folder, not a file";

/// Returns the reason why no file can exist at `file`: the path is a folder, or its parent folder is
/// missing.
pub fn obstacle(file: &Path) -> Option<String> {
    if file.is_dir() {
        return Some(FOLDER.to_owned());
    }
    let folder = folder(file);
    (!folder.is_dir()).then(|| format!("the folder {} does not exist", shown(folder)))
}

/// Returns the folder of a file. For a bare file name, this is the current folder.
pub fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Formats a path for a message, on one line.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(&'a Path);

/// Returns the path for a message. Line breaks in a file name are escaped too, because a second line would
/// look like another message.
#[must_use]
pub const fn shown(path: &Path) -> Shown<'_> {
    Shown(path)
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&harmless(&self.0.to_string_lossy()).replace('\n', "\\u{a}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_a_path_on_one_line() {
        let path = Path::new("a\nerror: b\u{1b}[2J\tc d.json");
        assert_eq!(shown(path).to_string(), "a\\u{a}error: b\\u{1b}[2J\\u{9}c d.json");
    }
}
