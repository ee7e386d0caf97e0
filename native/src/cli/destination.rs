//! Destination of a result document: a file, a device or a pipe.

use std::{
    env,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{self, Path, PathBuf},
};

use anyhow::Context;
use queens::{
    paths::{self, folder},
    sqlite,
};
use tempfile::{Builder, NamedTempFile};

use super::failure::Failure;

/// The path of `-o`, checked before the count and written once after it.
#[derive(Debug)]
pub struct Target {
    /// The path as the user wrote it.
    path: PathBuf,
    /// The regular file, with all links resolved, which is replaced atomically. `None` for a device or a pipe,
    /// which must not be replaced.
    file: Option<PathBuf>,
}

/// Returns whether the path stands for stdout.
pub fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == *name)
}

/// Returns whether both paths lead to the same file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((resolved(one), resolved(other)), (Ok(one), Ok(other)) if one == other)
}

/// Resolves all links of a path, even if the file does not exist yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
            Ok(target) => resolved(&folder(path).join(target)),
            Err(_) => Ok(fs::canonicalize(folder(path))?.join(path.file_name().ok_or(error)?)),
        },
        found => found,
    }
}

impl Target {
    /// Checks, before any work is done, that the destination can be written.
    pub fn new(path: &Path) -> Result<Target, Failure> {
        let rejection = |reason| {
            Failure::Arguments(format!("cannot write {}: {reason}", paths::shown(path)).into())
        };
        let file = file_at(path).map_err(rejection)?;
        Ok(Target { path: path.to_owned(), file })
    }

    /// Returns the path of the document, as the user wrote it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the text to the destination.
    ///
    /// # Errors
    /// If the system reports an error. A regular file then keeps its old contents. The exception is a file
    /// that can only be overwritten, not replaced, such as a mount point or a file in a folder that accepts no
    /// new files.
    pub fn write(&self, text: &str) -> anyhow::Result<()> {
        match &self.file {
            None => OpenOptions::new()
                .append(true)
                .open(&self.path)
                .and_then(|mut file| file.write_all(text.as_bytes())),
            Some(file) => replace(file, text),
        }
        .with_context(|| format!("cannot write {}", paths::shown(&self.path)))
    }
}

/// Returns the regular file that a path leads to, or `None` for a device or a pipe. Checks that it can be written.
fn file_at(path: &Path) -> Result<Option<PathBuf>, String> {
    if path.to_string_lossy().ends_with(path::is_separator) {
        return Err(paths::IS_A_FOLDER.to_owned());
    }
    let reason = |error: io::Error| paths::reason(&error);
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(paths::IS_A_FOLDER.to_owned()),
        // A pipe is not opened before the work: closing it would look to its reader like the end of the
        // document.
        Ok(metadata) if !metadata.is_file() => return Ok(None),
        Ok(metadata) if metadata.permissions().readonly() => {
            return Err("it is read-only".to_owned());
        }
        // Opening the file in append mode does not change it.
        Ok(_) => drop(OpenOptions::new().append(true).open(path).map_err(reason)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            paths::obstacle(path).map_or(Ok(()), Err)?;
        }
        Err(error) => return Err(paths::reason(&error)),
    }
    let file = resolved(path).map_err(reason)?;
    if sqlite::is_database(&file) {
        return Err("it is a database, such as a journal or a server's results".to_owned());
    }
    let folder = folder(&file);
    match new_draft(folder).and_then(NamedTempFile::close) {
        Err(error) if !(file.is_file() && denies_new_files(&error)) => {
            Err(paths::creation_error(folder, &error))
        }
        _ => Ok(Some(file)),
    }
}

/// Creates a temporary file in the target's folder, so that it can be renamed to the target.
fn new_draft(folder: &Path) -> io::Result<NamedTempFile> {
    new_file(".queens-", ".tmp", folder)
}

/// Creates a temporary file whose permissions are those of any new file.
fn new_file(prefix: &str, suffix: &str, folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(suffix);
    #[cfg(unix)]
    {
        use std::{fs::Permissions, os::unix::fs::PermissionsExt};
        // By default, only the owner may read a temporary file. The umask restricts these permissions.
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Writes the text to a temporary file in the same folder, and renames it to `file`. Both the text and
/// the new name are on the disk afterwards, because a journal with the same tasks may be removed next.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    let mut draft = match new_draft(folder(file)) {
        Err(error) if denies_new_files(&error) => return overwrite(file, text),
        draft => draft?,
    };
    draft.write_all(text.as_bytes())?;
    if let Ok(metadata) = fs::metadata(file) {
        draft.as_file().set_permissions(metadata.permissions())?;
    }
    draft.as_file().sync_all()?;
    match draft.persist(file) {
        Ok(_) => sync_folder(folder(file)),
        // A mount point, or another user's file in a folder such as /tmp, cannot be replaced. It may be
        // writable, though.
        Err(error) if !file.exists() => return Err(error.error),
        Err(_) => overwrite(file, text)?,
    }
    Ok(())
}

/// Returns whether the error of creating a file means that the folder accepts no new files from this user.
fn denies_new_files(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Overwrites a file that cannot be replaced.
fn overwrite(file: &Path, text: &str) -> io::Result<()> {
    let mut target = File::create(file)?;
    target.write_all(text.as_bytes())?;
    target.sync_all()
}

/// Writes a folder to the disk, so that new names in it survive a power failure. Some file systems cannot
/// do that; then the names are written later.
fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Saves an undelivered result in a new file, in the working folder or, if that fails, in the folder for
/// temporary files. Returns the path of the file.
pub fn rescue(name: &str, text: &str) -> Option<PathBuf> {
    let save = |folder: PathBuf| {
        let mut file = new_file(name, ".json", &folder).ok()?;
        file.as_file_mut().write_all(text.as_bytes()).ok()?;
        file.as_file().sync_all().ok()?;
        let saved = file.keep().ok()?.1;
        sync_folder(&folder);
        // Collecting the components removes the leading "." of the working folder.
        Some(saved.components().collect())
    };
    save(PathBuf::from(".")).or_else(|| save(env::temp_dir()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejection(path: &Path) -> String {
        Target::new(path).unwrap_err().to_string()
    }

    #[test]
    fn writes_a_file_with_default_permissions_and_no_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        let target = Target::new(&path).unwrap();
        assert!(!path.exists());
        target.write("one").unwrap();
        target.write("two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        let permissions = |path| fs::metadata(path).unwrap().permissions();
        assert_eq!(permissions(&path), permissions(&plain));
    }

    #[test]
    fn rejects_databases_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("j");
        fs::write(&database, "SQLite format 3\0").unwrap();
        assert!(rejection(&database).contains("it is a database"), "{}", rejection(&database));
        assert_eq!(fs::read(&database).unwrap(), b"SQLite format 3\0");
    }

    #[test]
    fn rejects_unwritable_paths_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| folder.path().join(name);
        assert!(rejection(folder.path()).contains("it is a folder"));
        assert!(rejection(&named("new/")).contains("it is a folder"));
        assert!(rejection(&named("no/such/place.json")).ends_with("/no/such does not exist"));
        assert!(rejection(&named(&"x".repeat(300))).contains("name"));
        let locked = named("locked.json");
        fs::write(&locked, "old").unwrap();
        let mut permissions = fs::metadata(&locked).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&locked, permissions).unwrap();
        assert!(rejection(&locked).ends_with("it is read-only"));
        assert_eq!(fs::read_to_string(&locked).unwrap(), "old");
    }

    #[test]
    #[cfg(unix)]
    fn overwrites_a_file_in_a_folder_that_accepts_no_new_files() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("result.json");
        fs::write(&file, "an older result").unwrap();
        let permissions = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode));
        permissions(0o555).unwrap();
        if new_draft(folder.path()).is_ok() {
            return println!("not tested: this user may create files in any folder");
        }
        Target::new(&file).unwrap().write("new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        let other = folder.path().join("other.json");
        assert!(rejection(&other).contains("permission denied"), "{}", rejection(&other));
        permissions(0o755).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn follows_symlinks_and_keeps_file_modes() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| folder.path().join(name);
        let real = named("real.json");
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("real.json", named("first")).unwrap();
        symlink(named("first"), named("second")).unwrap();
        Target::new(&named("second")).unwrap().write("new").unwrap();
        assert!(named("first").is_symlink() && named("second").is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);

        symlink("later.json", named("dangling")).unwrap();
        Target::new(&named("dangling")).unwrap().write("new").unwrap();
        assert_eq!(fs::read_to_string(named("later.json")).unwrap(), "new");
        assert!(named("dangling").is_symlink());

        symlink("circle", named("circle")).unwrap();
        assert!(Target::new(&named("circle")).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn writes_into_devices_and_pipes_without_replacing_them() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let created = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(created.unwrap().success());
        let target = Target::new(&pipe).unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        target.write("through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());

        Target::new(Path::new("/dev/null")).unwrap().write("away").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let full = Target::new(Path::new("/dev/full")).unwrap().write("away").unwrap_err();
        assert!(format!("{full:#}").starts_with("cannot write /dev/full: "), "{full:#}");
    }
}
