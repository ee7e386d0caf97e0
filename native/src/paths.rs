//! Reasons why a path cannot be that of a file.

use std::path::Path;

/// The reason why a folder cannot be written to as a file.
pub const FOLDER: &str = "it is a folder, not a file";

/// Returns why there can be no file at `file`: a folder is there, or there is no folder for it.
pub fn obstacle(file: &Path) -> Option<String> {
    if file.is_dir() {
        return Some(FOLDER.to_owned());
    }
    let folder = folder(file);
    (!folder.is_dir()).then(|| format!("the folder {} does not exist", folder.display()))
}

/// The folder of a file; that of a bare name is the current one.
pub fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
