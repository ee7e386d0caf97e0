//! Where a store is on the disk, and whether it still is.

use std::{fs, path::Path};

/// Identities of a store's file and its write-ahead log. They show whether a path still leads to the same
/// file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Files {
    pub file: Option<FileId>,
    /// The log; `None` if the file system does not support one.
    pub log: Option<FileId>,
}

impl Files {
    pub fn of(file: &Path) -> Files {
        let mut log = file.as_os_str().to_owned();
        log.push("-wal");
        Files { file: file_id(file), log: file_id(Path::new(&log)) }
    }
}

/// Device and inode of a file.
#[cfg(unix)]
type FileId = (u64, u64);

#[cfg(unix)]
fn file_id(file: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(file).ok().map(|there| (there.dev(), there.ino()))
}

/// On other systems an open file cannot be replaced.
#[cfg(not(unix))]
type FileId = ();

#[cfg(not(unix))]
fn file_id(file: &Path) -> Option<FileId> {
    file.exists().then_some(())
}
