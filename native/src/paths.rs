//! Paths in messages, and reasons why no file can exist at a path.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;
use queens_core::document::harmless;

/// The reason given if the path is a folder.
pub const IS_A_FOLDER: &str = "it is a folder, not a file";

/// Returns the reason why no regular file can exist at `file`: the path is a folder, a pipe or a
/// device, or its parent folder is missing.
pub fn obstacle(file: &Path) -> Option<String> {
    match fs::metadata(file) {
        Ok(metadata) if metadata.is_dir() => return Some(IS_A_FOLDER.to_owned()),
        Ok(metadata) if !metadata.is_file() => {
            return Some("it is a pipe or a device, not a file".to_owned());
        }
        _ => {}
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

/// Returns the folder for the data of this program, `queens` in the user's data folder. Returns `None` if the
/// user has no home folder. Also returns `None` if its path is relative, because then the data would depend
/// on the working folder.
pub fn data_folder() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.data_dir().join("queens")).filter(|folder| folder.is_absolute())
}

/// Returns the path for a message. Line breaks in a file name are escaped too, because a second line would
/// look like another message.
#[must_use]
pub fn shown(path: &Path) -> String {
    on_one_line(&path.to_string_lossy())
}

/// Quotes a path for a shell, if necessary. A path that begins with a hyphen gets `./` in front, so that a
/// command does not take it for an option.
#[must_use]
pub fn shell_quoted(file: &Path) -> String {
    let mut name = file.to_string_lossy();
    if name.starts_with('-') {
        name = format!("./{name}").into();
    }
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@%,".contains(c);
    if name.chars().all(is_plain) {
        return name.into_owned();
    }
    format!("'{}'", on_one_line(&name).replace('\'', "'\\''"))
}

/// Escapes control characters and line breaks in a text from outside the program.
#[must_use]
pub fn on_one_line(text: &str) -> String {
    harmless(text).replace('\n', "\\u{a}")
}

/// Returns the reason of a system error for a message, without the error number and the name of a file.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        // Rust's text for this kind is "entity not found", which does not say what is missing.
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::IsADirectory => IS_A_FOLDER.to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is a file, not a folder".to_owned(),
        io::ErrorKind::StorageFull => "no space left on the device".to_owned(),
        // This program creates errors of the kind `Other`, with complete texts. Rust's text for `WouldBlock` is
        // "operation would block", even if a thread could not be started.
        io::ErrorKind::Other | io::ErrorKind::WouldBlock => without_number(error),
        kind if kind.to_string() != "uncategorized error" => kind.to_string(),
        _ => without_number(error),
    }
}

/// Describes the error of creating a file in an existing folder.
#[must_use]
pub fn creation_error(folder: &Path, error: &io::Error) -> String {
    format!("cannot create a file in {}: {}", shown(folder), reason(error))
}

/// Returns the text of an error without the system's error number.
fn without_number(error: &io::Error) -> String {
    error.to_string().split(" (os error").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_a_path_on_one_line() {
        let path = Path::new("a\nerror: b\u{1b}[2J\tc d.json");
        assert_eq!(shown(path), "a\\u{a}error: b\\u{1b}[2J\\u{9}c d.json");
    }

    #[test]
    fn quotes_paths_for_a_shell_on_one_line() {
        for (path, quoted) in [
            ("a/b-1.journal", "a/b-1.journal"),
            ("it's here", r"'it'\''s here'"),
            ("a\nerror: b", r"'a\u{a}error: b'"),
        ] {
            assert_eq!(shell_quoted(Path::new(path)), quoted);
        }
    }
}
