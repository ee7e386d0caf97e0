//! Checks that no other program has replaced or overwritten the files of a store.

use std::{
    fs::{self, File},
    io::{Read, Seek},
    path::{Path, PathBuf},
    time::SystemTime,
};

use sha2::{Digest, Sha256};

use super::error::StoreError;
use crate::sqlite;

/// Identities of a store's file, its write-ahead log and the index of the log. If an identity changes, the
/// path leads to another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DatabaseFiles {
    file: Option<FileId>,
    /// The log; `None` if the file system does not support one.
    log: Option<FileId>,
    /// The index of the log. If the index is removed, the next process creates another one, and the two
    /// processes overwrite each other's changes in the log.
    index: Option<FileId>,
}

impl DatabaseFiles {
    /// Identifies the files of a store. `file` is the path that the user gave, and `end` the file that it
    /// leads to.
    fn of(file: &Path, end: &Path) -> DatabaseFiles {
        let id = |ending| file_id(&sqlite::side_file(end, ending));
        DatabaseFiles { file: file_id(file), log: id("-wal"), index: id("-shm") }
    }
}

/// Device and inode of a file.
#[cfg(unix)]
type FileId = (u64, u64);

#[cfg(unix)]
fn file_id(file: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(file).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// On other systems, an open file cannot be replaced, so the id only shows that the file exists.
#[cfg(not(unix))]
type FileId = ();

#[cfg(not(unix))]
fn file_id(file: &Path) -> Option<FileId> {
    file.exists().then_some(())
}

/// The files of an open store.
///
/// While a store is open, changes go to the write-ahead log, and only checkpoints write to the file itself.
/// SQLite records each checkpoint in the index of the log. If the file changes without a checkpoint, a
/// program that ignores SQLite's locks has written it, such as `cp` that restores a backup. Then some pages
/// come from the log and the others from the backup: results are lost, and further changes lose more.
///
/// The checks miss a file that is overwritten during a change, or during a checkpoint by another process. If
/// that process was killed, its checkpoint counts as unfinished until the next checkpoint. Locks would not
/// help, because such a program ignores them.
#[derive(Debug)]
pub(super) struct DatabaseLocation {
    /// The path that the user gave, which may be a symbolic link.
    file: PathBuf,
    /// The file that `file` led to when the store was opened. SQLite keeps the log and its index next to
    /// this file.
    end: PathBuf,
    /// The files that were opened.
    opened: DatabaseFiles,
    /// The file, for its digest. It must stay open as long as the store, like the [`Index`].
    database: Option<File>,
    index: Index,
    /// The state at the last check; `None` once the file was overwritten.
    last_state: Option<FileState>,
}

/// The state of the file at a check, and the last checkpoint before this check.
#[derive(Debug)]
struct FileState {
    checkpoints: Option<Checkpoints>,
    stamp: Option<FileStamp>,
    /// The digest of the file, if it is known.
    digest: Option<FileDigest>,
}

/// SHA-256 of a file, which shows whether a file with another stamp has the same contents. For example,
/// `touch` changes only the modification time.
///
/// The change counter in the header of the database does not show this. SQLite need not increase it while
/// it uses a log, so a backup with other results may have the same counter.
type FileDigest = [u8; 32];

/// Maximum size of a file whose digest is computed, in bytes. The digest is computed after each checkpoint,
/// which follows about 4 MB of changes. A larger file counts as overwritten if its stamp changes without a
/// checkpoint.
const MAX_DIGESTED: u64 = 64 << 20;

/// Size and modification time of a file, which show whether its contents have changed.
#[derive(Debug, PartialEq, Eq)]
struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl FileStamp {
    fn of(file: &Path) -> Option<FileStamp> {
        let metadata = fs::metadata(file).ok()?;
        Some(FileStamp { length: metadata.len(), modified: metadata.modified().ok() })
    }
}

impl DatabaseLocation {
    /// Returns the files of a store whose connections are open. The connections must be closed before this
    /// value is dropped (see [`Index`]).
    ///
    /// # Errors
    /// If the store uses a log, but the log or its index does not exist.
    pub fn of(file: &Path, uses_log: bool) -> Result<DatabaseLocation, StoreError> {
        let end = sqlite::end_of_links(file);
        let opened = DatabaseFiles::of(file, &end);
        if uses_log && (opened.log.is_none() || opened.index.is_none()) {
            return Err(StoreError::LogReplaced { file: file.into() });
        }
        let database = File::open(&end).ok();
        let index = Index::of(&end);
        let file = file.to_owned();
        let mut location =
            DatabaseLocation { file, end, opened, database, index, last_state: None };
        let mut state = location.state();
        state.digest = location.digest(&state);
        location.last_state = Some(state);
        Ok(location)
    }

    /// Returns the current state without the digest.
    fn state(&self) -> FileState {
        // Read the index before the file, because SQLite records a checkpoint in the index before the
        // checkpoint writes to the file.
        let checkpoints = self.index.checkpoints();
        FileState { checkpoints, stamp: FileStamp::of(&self.file), digest: None }
    }

    /// Computes the digest of the file in this state. Returns `None` if the file is too large, or if a
    /// process may be writing to it.
    fn digest(&self, state: &FileState) -> Option<FileDigest> {
        state.checkpoints.filter(Checkpoints::is_finished)?;
        state.stamp.as_ref().filter(|stamp| stamp.length <= MAX_DIGESTED)?;
        let mut file = self.database.as_ref()?;
        file.rewind().ok()?;
        let mut digest = Sha256::new();
        let mut buffer = [0; 1 << 16];
        loop {
            match file.read(&mut buffer).ok()? {
                0 => break,
                length => digest.update(buffer.get(..length)?),
            }
        }
        (FileStamp::of(&self.file) == state.stamp).then(|| digest.finalize().0)
    }

    /// Returns the error if the changes in the log cannot be copied to the file.
    pub fn log_kept(&self, reason: String) -> StoreError {
        StoreError::LogKept { file: self.end.clone(), reason }
    }

    /// Returns whether the open database has been deleted. Its contents are lost when it is closed.
    pub fn is_deleted(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let metadata = self.database.as_ref().and_then(|file| file.metadata().ok());
            metadata.is_some_and(|metadata| metadata.nlink() == 0)
        }
        #[cfg(not(unix))]
        false
    }

    /// Returns whether the log that is open still has the contents that its index describes.
    pub fn has_own_log(&self) -> bool {
        self.index.matches_log()
    }

    /// Checks that the paths still lead to the open files, and that no other program has overwritten them.
    /// If this fails, other processes may be unable to read the changes of this process. Call this before and
    /// after each change, because the change may cause a checkpoint.
    pub fn check(&mut self) -> Result<(), StoreError> {
        let file = || self.file.clone();
        let current = DatabaseFiles::of(&self.file, &self.end);
        match current.file {
            _ if current == self.opened => {}
            None => return Err(StoreError::Gone { file: file() }),
            same if same == self.opened.file => {
                return Err(StoreError::LogReplaced { file: file() });
            }
            Some(_) => return Err(StoreError::Replaced { file: file() }),
        }
        let overwritten = StoreError::Overwritten { file: file() };
        // Once a file was overwritten, every later check returns an error, too.
        let last_state = self.last_state.take().ok_or(overwritten)?;
        let mut state = self.state();
        if (state.checkpoints, &state.stamp) == (last_state.checkpoints, &last_state.stamp) {
            state.digest = last_state.digest;
        } else {
            state.digest = self.digest(&state);
            // Read the index again after the file: another process may have begun a checkpoint meanwhile.
            let checkpoints = self.index.checkpoints();
            let is_without_checkpoint = checkpoints == last_state.checkpoints
                && checkpoints.as_ref().is_some_and(Checkpoints::is_finished);
            let is_same = state.digest.is_some() && state.digest == last_state.digest;
            if is_without_checkpoint && !is_same {
                return Err(StoreError::Overwritten { file: file() });
            }
        }
        self.last_state = Some(state);
        if self.index.matches_log() {
            Ok(())
        } else {
            Err(StoreError::LogReplaced { file: self.file.clone() })
        }
    }
}

/// Identification of the last checkpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Checkpoints {
    /// Salt of the log.
    salt: [u8; 8],
    /// Number of frames of the log that are in the file.
    frames_written: [u8; 4],
    /// Number of frames that a checkpoint has started to write to the file.
    frames_started: [u8; 4],
}

impl Checkpoints {
    /// Returns whether the checkpoint is finished. Until then, another process may be writing to the file,
    /// or was killed or failed while it wrote.
    fn is_finished(&self) -> bool {
        self.frames_written == self.frames_started
    }
}

/// Length of the head of a log's index. The index begins with two copies of the head.
#[cfg(unix)]
const HEAD_BYTES: usize = 48;

/// The index of the write-ahead log, which all processes share, and the log itself. Both are `None` if the
/// file system does not support a log.
///
/// The index must stay open as long as the store. When a process closes a file, the process loses
/// all of its locks on this file, including SQLite's locks.
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
        let open = |ending| File::open(sqlite::side_file(file, ending)).ok();
        Index { file: open("-shm"), log: open("-wal") }
    }

    /// Returns whether the log ends with the frame that the index names as the last one.
    ///
    /// SQLite reads only those frames of the log that the index lists, and never verifies them again. If
    /// another program truncates or overwrites the log, SQLite continues to append to the log, but no
    /// process can read the appended frames.
    fn matches_log(&self) -> bool {
        /// Maximum number of attempts. An attempt fails if another process changes the index meanwhile.
        const MAX_TRIES: u32 = 10;
        for _ in 0..MAX_TRIES {
            let Some(head) = self.head() else { return true };
            let is_sound = self.ends_with(&head);
            if is_sound || self.head() == Some(head) {
                return is_sound;
            }
        }
        true
    }

    /// Reads the head of the index. Returns `None` without an index, or while another process changes the
    /// head.
    fn head(&self) -> Option<[u8; HEAD_BYTES]> {
        use std::os::unix::fs::FileExt;
        let file = self.file.as_ref()?;
        let (mut head, mut copy) = ([0; HEAD_BYTES], [0; HEAD_BYTES]);
        file.read_exact_at(&mut head, 0).ok()?;
        file.read_exact_at(&mut copy, HEAD_BYTES as u64).ok()?;
        (head == copy).then_some(head)
    }

    /// Returns whether the log contains the frame that `head` names as the last one, with the same salt and
    /// checksum. <https://www.sqlite.org/walformat.html> defines the offsets.
    fn ends_with(&self, head: &[u8; HEAD_BYTES]) -> bool {
        use std::os::unix::fs::FileExt;
        const LOG_HEAD: u64 = 32;
        const FRAME_HEAD: u64 = 24;
        fn part<const N: usize>(head: &[u8; HEAD_BYTES], offset: usize) -> [u8; N] {
            head.get(offset..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
        }
        let Some(log) = &self.log else { return true };
        let last = u32::from_ne_bytes(part(head, 16));
        if last == 0 {
            // The log has no valid frame.
            return true;
        }
        // A page of 65,536 bytes is written as 1.
        let page = match u16::from_ne_bytes(part(head, 14)) {
            1 => 65_536,
            page => u64::from(page),
        };
        let checksum = [24, 28].map(|offset| u32::from_ne_bytes(part(head, offset)).to_be_bytes());
        let salt: [u8; 8] = part(head, 32);
        let offset = LOG_HEAD + u64::from(last - 1) * (FRAME_HEAD + page);
        let (mut salt_of_log, mut salt_of_frame, mut checksum_of_frame) = ([0; 8], [0; 8], [0; 8]);
        let read = |bytes: &mut [u8], offset| log.read_exact_at(bytes, offset).is_ok();
        read(&mut salt_of_log, 16)
            && read(&mut salt_of_frame, offset + 8)
            && read(&mut checksum_of_frame, offset + 16)
            && read(&mut [0], offset + FRAME_HEAD + page - 1)
            && [salt_of_log, salt_of_frame] == [salt; 2]
            && checksum_of_frame[..] == checksum.concat()
    }

    /// Reads the identification of the last checkpoint. <https://www.sqlite.org/walformat.html> defines the
    /// offsets.
    fn checkpoints(&self) -> Option<Checkpoints> {
        use std::os::unix::fs::FileExt;
        let file = self.file.as_ref()?;
        let mut checkpoints = Checkpoints::default();
        file.read_exact_at(&mut checkpoints.salt, 32).ok()?;
        file.read_exact_at(&mut checkpoints.frames_written, 96).ok()?;
        file.read_exact_at(&mut checkpoints.frames_started, 128).ok()?;
        Some(checkpoints)
    }
}

/// On other systems, mandatory locks keep other programs from writing, so nothing is checked.
#[cfg(not(unix))]
impl Index {
    fn of(_: &Path) -> Index {
        Index {}
    }

    fn matches_log(&self) -> bool {
        true
    }

    fn checkpoints(&self) -> Option<Checkpoints> {
        None
    }
}
