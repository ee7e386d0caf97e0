//! The files of a store on the disk, and checks that no other program has replaced or overwritten
//! them.

#[cfg(unix)]
use std::fs::File;
use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::error::StoreError;

/// Identities of a store's file and its write-ahead log. They show whether a path still leads to the same
/// file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Files {
    file: Option<FileId>,
    /// The log; `None` if the file system does not support one.
    log: Option<FileId>,
}

impl Files {
    fn of(file: &Path) -> Files {
        Files { file: file_id(file), log: file_id(&beside(file, "-wal")) }
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

/// Returns the path of a file that SQLite keeps next to a database, such as its write-ahead log.
fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The files of an open store.
///
/// While a store is open, only checkpoints write its file: results are in the write-ahead log before.
/// SQLite counts checkpoints in the index of the log. So a file that has changed without a checkpoint
/// was written by a program that ignores SQLite's locks, such as `cp` with a backup. The log still has
/// some of the pages then, and the others are those of the backup: results are lost, and more would be.
///
/// A file that is overwritten during a change, or in the same moment as another process makes a
/// checkpoint, is not noticed. Nothing locks out a program that ignores locks.
#[derive(Debug)]
pub(super) struct Place {
    file: PathBuf,
    opened: Files,
    index: Index,
    /// The state at the last check; `None` once the file was overwritten.
    found: Option<Found>,
}

/// The state of the file at a check, and the checkpoints until then.
#[derive(Debug)]
struct Found {
    checkpoints: Option<Checkpoints>,
    contents: Option<Contents>,
}

/// Size and time of a file, which change with its contents.
#[derive(Debug, PartialEq, Eq)]
struct Contents {
    length: u64,
    modified: Option<SystemTime>,
}

impl Contents {
    fn of(file: &Path) -> Option<Contents> {
        let there = fs::metadata(file).ok()?;
        Some(Contents { length: there.len(), modified: there.modified().ok() })
    }
}

impl Place {
    /// Returns the files of a store whose connections have been opened. The connections must be
    /// closed before this value is dropped: see [`Index`].
    pub fn of(file: &Path) -> Place {
        let index = Index::of(file);
        let checkpoints = index.checkpoints();
        let found = Found { checkpoints, contents: Contents::of(file) };
        Place { file: file.into(), opened: Files::of(file), index, found: Some(found) }
    }

    /// Checks that the path still leads to the open files, so that the next process finds what this
    /// one writes. Call this before and after each change, because the change may cause a
    /// checkpoint.
    pub fn check(&mut self) -> Result<(), StoreError> {
        let file = || self.file.clone();
        let there = Files::of(&self.file);
        match there.file {
            _ if there == self.opened => {}
            None => return Err(StoreError::Gone { file: file() }),
            found if found == self.opened.file => {
                return Err(StoreError::LogReplaced { file: file() });
            }
            Some(_) => return Err(StoreError::Replaced { file: file() }),
        }
        let overwritten = StoreError::Overwritten { file: file() };
        // An overwritten file stays an error, even after further checkpoints.
        let before = self.found.take().ok_or(overwritten)?;
        // The order matters, because a checkpoint is counted before it writes the file.
        let checkpoints = self.index.checkpoints();
        let contents = Contents::of(&self.file);
        let now = self.index.checkpoints();
        if now.is_some() && now == before.checkpoints && contents != before.contents {
            return Err(StoreError::Overwritten { file: file() });
        }
        self.found = Some(Found { checkpoints, contents });
        Ok(())
    }
}

/// Identifies the last checkpoint: the salt of the log, the number of its frames that are in the
/// file, and the number of frames that a checkpoint has started to write there.
type Checkpoints = [u8; 16];

/// The index of the write-ahead log, which all processes share. `file` is `None` without a log.
///
/// It must stay open as long as the store. When a process closes a file, it loses all of its locks
/// on that file, those of SQLite included.
#[derive(Debug)]
struct Index {
    #[cfg(unix)]
    file: Option<File>,
}

#[cfg(unix)]
impl Index {
    fn of(file: &Path) -> Index {
        Index { file: File::open(beside(file, "-shm")).ok() }
    }

    /// Reads the numbers at the offsets of <https://www.sqlite.org/walformat.html>.
    fn checkpoints(&self) -> Option<Checkpoints> {
        use std::os::unix::fs::FileExt;
        let file = self.file.as_ref()?;
        let mut found = [0; 16];
        let (salt, frames) = found.split_at_mut(8);
        let (written, begun) = frames.split_at_mut(4);
        for (part, at) in [(salt, 32), (written, 96), (begun, 128)] {
            file.read_exact_at(part, at).ok()?;
        }
        Some(found)
    }
}

/// On other systems, mandatory locks keep other programs from writing.
#[cfg(not(unix))]
impl Index {
    fn of(_: &Path) -> Index {
        Index {}
    }

    fn checkpoints(&self) -> Option<Checkpoints> {
        None
    }
}
