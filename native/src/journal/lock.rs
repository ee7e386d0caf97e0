//! Lock on a journal, which lets only one process at a time write to it.
//!
//! It is a lock of the operating system, so it ends with its process, however that ends. It is on a separate file
//! next to the journal, because SQLite locks parts of the journal, and because on Windows other processes
//! cannot read a locked file. The file is never deleted: two processes could then lock two files of one name.

use std::{
    fmt,
    fs::{self, File, TryLockError},
    io::{self, Seek, Write},
    path::{Path, PathBuf},
    process,
};

use crate::host;

/// Whether the operating system's locks keep other processes from using a journal at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locking {
    #[default]
    On,
    /// Nothing is locked, for file systems without locks. The user ensures that only one process uses the journal.
    Off,
}

/// The process that holds the lock of a journal, as its line in the lock file names it. It is only shown to users.
/// All fields are empty if the line cannot be read, as on Windows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    pub host: String,
    /// Process id on `host`.
    pub process: String,
    /// Time when it acquired the lock, by its clock.
    pub since: String,
}

impl Holder {
    fn read(file: &File) -> Holder {
        // If reading fails, the fields stay empty.
        let line = io::read_to_string(file).unwrap_or_default();
        let mut words = line.split_ascii_whitespace().map(str::to_owned);
        let mut word = || words.next().unwrap_or_default();
        Holder { host: word(), process: word(), since: word() }
    }
}

/// The form used in messages.
impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Holder { host, process, since: _ } = self;
        if process.is_empty() {
            return f.write_str("another process");
        }
        write!(f, "process {process} on {host}")
    }
}

/// Returns the path of a journal's lock file. All names of the journal lead to the same lock file.
pub(super) fn lock_file(journal: &Path) -> PathBuf {
    let journal = fs::canonicalize(journal).unwrap_or_else(|_| journal.to_owned());
    let mut path = journal.into_os_string();
    path.push(".lock");
    path.into()
}

/// Tries to lock a lock file, which is created if it is missing. The lock ends when the returned file is closed.
/// If another process holds the lock, returns that process as the inner error.
pub(super) fn try_lock(lock_file: &Path) -> io::Result<Result<File, Holder>> {
    let options = File::options().read(true).write(true).create(true).truncate(false).clone();
    let mut file = options.open(lock_file)?;
    match file.try_lock() {
        Ok(()) => {
            // The line is only information, so a full disk does not prevent the count.
            let _ = write_holder(&mut file);
            Ok(Ok(file))
        }
        Err(TryLockError::WouldBlock) => Ok(Err(Holder::read(&file))),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Returns the process that holds the lock, if there is one.
pub(super) fn holder(lock_file: &Path) -> Option<Holder> {
    let file = File::open(lock_file).ok()?;
    // The shared lock ends at once, when the file is closed.
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)).then(|| Holder::read(&file))
}

fn write_holder(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{} {} {:.0}", host::name(), process::id(), host::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_link_to_a_journal_has_the_same_lock_file() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, link) = (folder.path().join("journal"), folder.path().join("link"));
        fs::write(&journal, "").unwrap();
        std::os::unix::fs::symlink("journal", &link).unwrap();
        assert_eq!(lock_file(&link), lock_file(&journal));
    }
}
