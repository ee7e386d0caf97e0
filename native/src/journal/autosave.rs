//! Folder of the journals that counts create automatically.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use queens_core::{Method, Size, document::Shard};

use super::run::Run;
use crate::paths;

/// File extension of automatic journals.
const EXTENSION: &str = "journal";

/// Returns the folder: `queens/journals` in the user's data folder, or `None` if the user has no home.
pub fn folder() -> Option<PathBuf> {
    Some(paths::data_folder()?.join("journals"))
}

/// Returns the path of a count's automatic journal, or `None` if the user has no home.
pub fn path_for(size: Size, method: Method, shard: Option<&Shard>) -> Option<PathBuf> {
    let shard = shard.map(|shard| format!("-shard-{}-of-{}", shard.index, shard.of));
    let name = format!("{size}-{method}{}.{EXTENSION}", shard.unwrap_or_default());
    Some(folder()?.join(name))
}

/// Returns whether a file is the automatic journal of `run`. The folder alone does not show this, because
/// users may store other journals there.
pub fn is_autosave(file: &Path, run: &Run) -> bool {
    let Some(own) = path_for(run.plan.size(), run.plan.method(), run.shard.as_ref()) else {
        return false;
    };
    let parent = |file: &Path| file.parent().and_then(|parent| fs::canonicalize(parent).ok());
    file.file_name() == own.file_name() && parent(file).is_some() && parent(file) == parent(&own)
}

/// Returns all journals in the folder, sorted by path.
///
/// # Errors
/// If the folder exists but cannot be read.
pub fn all() -> io::Result<Vec<PathBuf>> {
    let Some(folder) = folder() else { return Ok(vec![]) };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
        entries => entries?,
    };
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let is_journal =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION);
    let mut files: Vec<_> = paths.into_iter().filter(is_journal).collect();
    files.sort();
    Ok(files)
}
