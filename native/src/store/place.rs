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

/// Identities of a store's file, its write-ahead log and the index of the log. They show whether a path
/// still leads to the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DatabaseFiles {
    file: Option<FileId>,
    /// The log; `None` if the file system does not support one.
    log: Option<FileId>,
    /// The index. Without it, the next process creates another one, and both overwrite each other's
    /// changes in the log.
    index: Option<FileId>,
}

impl DatabaseFiles {
    fn of(file: &Path) -> DatabaseFiles {
        let id = |suffix| file_id(&beside(file, suffix));
        DatabaseFiles { file: file_id(file), log: id("-wal"), index: id("-shm") }
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
pub(super) struct DatabaseLocation {
    file: PathBuf,
    opened: DatabaseFiles,
    index: Index,
    /// The state at the last check; `None` once the file was overwritten.
    found: Option<FileState>,
}

/// The state of the file at a check, and the checkpoints until then.
#[derive(Debug)]
struct FileState {
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

impl DatabaseLocation {
    /// Returns the files of a store whose connections have been opened. The connections must be
    /// closed before this value is dropped: see [`Index`].
    pub fn of(file: &Path) -> DatabaseLocation {
        let index = Index::of(file);
        let checkpoints = index.checkpoints();
        let found = FileState { checkpoints, contents: Contents::of(file) };
        DatabaseLocation {
            file: file.into(),
            opened: DatabaseFiles::of(file),
            index,
            found: Some(found),
        }
    }

    /// Checks that the path still leads to the open files, so that the next process finds what this
    /// one writes. Call this before and after each change, because the change may cause a
    /// checkpoint.
    pub fn check(&mut self) -> Result<(), StoreError> {
        let file = || self.file.clone();
        let there = DatabaseFiles::of(&self.file);
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
        self.found = Some(FileState { checkpoints, contents });
        if self.index.is_of_the_log() {
            Ok(())
        } else {
            Err(StoreError::LogReplaced { file: self.file.clone() })
        }
    }
}

/// Identifies the last checkpoint: the salt of the log, the number of its frames that are in the
/// file, and the number of frames that a checkpoint has started to write there.
type Checkpoints = [u8; 16];

/// Length of the head of a log's index. The index begins with two copies of it.
#[cfg(unix)]
const HEAD: usize = 48;

/// The index of the write-ahead log, which all processes share, and the log. They are `None` without a
/// log.
///
/// The index must stay open as long as the store. When a process closes a file, it loses all of its
/// locks on that file, those of SQLite included.
#[derive(Debug)]
struct Index {
    #[cfg(unix)]
    file: Option<File>,
    #[cfg(unix)]
    log: Option<File>,
}

#[cfg(unix)]
impl Index {
    fn of(file: &Path) -> Index {
        let open = |suffix| File::open(beside(file, suffix)).ok();
        Index { file: open("-shm"), log: open("-wal") }
    }

    /// Returns whether the log ends with the frame that the index names as the last one.
    ///
    /// SQLite reads from the log only what the index lists, and never checks it again. So if another
    /// program truncates or overwrites the log, SQLite continues to append to it, but nobody can read
    /// what it writes.
    fn is_of_the_log(&self) -> bool {
        /// Other processes may change the index in the meantime.
        const TRIES: u32 = 10;
        for _ in 0..TRIES {
            let Some(before) = self.head() else { return true };
            let is_sound = self.ends_with(&before);
            if is_sound || self.head() == Some(before) {
                return is_sound;
            }
        }
        true
    }

    /// Reads the head of the index. `None` if there is none, or if it is being changed.
    fn head(&self) -> Option<[u8; HEAD]> {
        use std::os::unix::fs::FileExt;
        let file = self.file.as_ref()?;
        let (mut head, mut copy) = ([0; HEAD], [0; HEAD]);
        file.read_exact_at(&mut head, 0).ok()?;
        file.read_exact_at(&mut copy, HEAD as u64).ok()?;
        (head == copy).then_some(head)
    }

    /// Returns whether the log has the last frame of this head, with the same salt and checksum. The
    /// offsets are those of <https://www.sqlite.org/walformat.html>.
    fn ends_with(&self, head: &[u8; HEAD]) -> bool {
        use std::os::unix::fs::FileExt;
        const LOG_HEAD: u64 = 32;
        const FRAME_HEAD: u64 = 24;
        fn part<const N: usize>(head: &[u8; HEAD], at: usize) -> [u8; N] {
            head.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
        }
        let Some(log) = &self.log else { return true };
        let last = u32::from_ne_bytes(part(head, 16));
        if last == 0 {
            // Nothing in the log is valid.
            return true;
        }
        // A page of 65,536 bytes is written as 1.
        let page = match u16::from_ne_bytes(part(head, 14)) {
            1 => 65_536,
            page => u64::from(page),
        };
        let checksum = [24, 28].map(|at| u32::from_ne_bytes(part(head, at)).to_be_bytes());
        let salt: [u8; 8] = part(head, 32);
        let at = LOG_HEAD + u64::from(last - 1) * (FRAME_HEAD + page);
        let (mut salt_of_log, mut salt_of_frame, mut checksum_of_frame) = ([0; 8], [0; 8], [0; 8]);
        let read = |bytes: &mut [u8], at| log.read_exact_at(bytes, at).is_ok();
        read(&mut salt_of_log, 16)
            && read(&mut salt_of_frame, at + 8)
            && read(&mut checksum_of_frame, at + 16)
            && read(&mut [0], at + FRAME_HEAD + page - 1)
            && [salt_of_log, salt_of_frame] == [salt; 2]
            && checksum_of_frame[..] == checksum.concat()
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

    fn is_of_the_log(&self) -> bool {
        true
    }

    fn checkpoints(&self) -> Option<Checkpoints> {
        None
    }
}
