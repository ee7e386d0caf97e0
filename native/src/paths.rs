//! Reasons why no file can exist at a path.

use std::path::Path;

/// The reason for a path that is a folder.
pub const FOLDER: &str = "it is a folder, not a file";

/// Returns the reason why no file can exist at `file`: the path is a folder, or its parent folder is
/// missing.
pub fn obstacle(file: &Path) -> Option<String> {
    if file.is_dir() {
        return Some(FOLDER.to_owned());
    }
    let folder = folder(file);
    (!folder.is_dir()).then(|| format!("the folder {} does not exist", folder.display()))
}

/// Returns the folder of a file. For a bare file name, this is the current folder.
pub fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
