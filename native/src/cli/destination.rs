//! Destination of a result document: a file, a device or a pipe.

use std::{
    env,
    fs::{self, OpenOptions},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::Context;
use queens::{
    paths::{self, folder},
    sqlite,
};
use tempfile::{Builder, NamedTempFile, PathPersistError, TempPath};

use super::failure::Failure;

/// The path of `-o`, checked before the count and written once after it.
#[derive(Debug)]
pub struct Target {
    /// The path as the user wrote it.
    path: PathBuf,
    destination: Destination,
}

/// The kind of file that a path leads to, which determines how it is written.
#[derive(Debug)]
enum Destination {
    /// A device or a pipe. It is written to, and must not be replaced by a file.
    Stream,
    /// An open file of this process, by its descriptor. It is written at its current position.
    #[cfg(unix)]
    Open(std::os::fd::RawFd),
    /// A regular file, with all links resolved, and its state at the check (`None` if it did not exist). It is
    /// replaced atomically, unless another program has created or changed it since then.
    File { file: PathBuf, state: Option<FileState> },
}

/// Length and modification time of a file, which show whether it has changed.
type FileState = (u64, Option<SystemTime>);

/// Returns the state of a file; `None` if it does not exist.
fn state_of(file: &Path) -> Option<FileState> {
    let metadata = fs::metadata(file).ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

/// Returns whether the file has changed since it was in the state `before`. A file that was removed has not:
/// writing it loses nothing.
fn has_changed(file: &Path, before: Option<&FileState>) -> bool {
    state_of(file).is_some_and(|now| Some(&now) != before)
}

/// The reason given if the file has changed since the check.
const HAS_CHANGED: &str = "another program has created or changed it meanwhile";

/// The reason given if the file is a database.
const IS_A_DATABASE: &str = "it is a database, such as a journal or a server's results";

/// Returns whether the path stands for stdout.
pub fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == *name)
}

/// Returns whether both paths lead to the same file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    // A file that does not exist yet has no canonical path, but its folder has one.
    let resolved = |path: &Path| {
        fs::canonicalize(path).or_else(|_| {
            let end = sqlite::end_of_links(path);
            let folder = fs::canonicalize(folder(&end))?;
            Ok::<_, io::Error>(folder.join(end.file_name().unwrap_or_default()))
        })
    };
    matches!((resolved(one), resolved(other)), (Ok(one), Ok(other)) if one == other)
}

impl Target {
    /// Checks, before any work is done, that the destination can be written.
    pub fn new(path: &Path) -> Result<Target, Failure> {
        let rejection = |reason| {
            Failure::Arguments(format!("cannot write {}: {reason}", paths::shown(path)).into())
        };
        Ok(Target { path: path.to_owned(), destination: resolve(path).map_err(rejection)? })
    }

    /// Returns the path of the document, as the user wrote it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the text to the destination.
    ///
    /// # Errors
    /// If the system reports an error. A regular file then keeps its old contents. The exception is a file
    /// that can only be overwritten, not replaced, on a disk that fails. Such files are mount points, files
    /// in a folder that accepts no new files, and other users' files in a folder such as /tmp.
    pub fn write(&self, text: &str) -> anyhow::Result<()> {
        catch_file_size_signal();
        match &self.destination {
            Destination::Stream => OpenOptions::new()
                .append(true)
                .open(&self.path)
                .and_then(|mut stream| stream.write_all(text.as_bytes())),
            #[cfg(unix)]
            &Destination::Open(descriptor) => {
                duplicate(descriptor).and_then(|mut file| file.write_all(text.as_bytes()))
            }
            // The count may have created its journal at this path.
            Destination::File { file, .. } if sqlite::is_database(file) => {
                Err(io::Error::other(IS_A_DATABASE))
            }
            Destination::File { file, state } => replace(file, text, state.as_ref()),
        }
        .with_context(|| format!("cannot write {}", paths::shown(&self.path)))
    }

    /// Returns whether the destination is a file that another program has created or changed since the
    /// check.
    pub fn has_changed(&self) -> bool {
        match &self.destination {
            Destination::File { file, state } => has_changed(file, state.as_ref()),
            _ => false,
        }
    }
}

/// Determines the kind of destination, and checks that it can be written.
fn resolve(path: &Path) -> Result<Destination, String> {
    if paths::ends_in_separator(path) {
        return Err(paths::IS_A_FOLDER.to_owned());
    }
    let file = match end_of_links(path)? {
        #[cfg(unix)]
        LinkEnd::Open(descriptor) => {
            let written = duplicate(descriptor).and_then(|mut file| file.write_all(&[]));
            return written.map(|()| Destination::Open(descriptor)).map_err(|error| {
                match error.raw_os_error() {
                    Some(libc::EBADF) => format!("descriptor {descriptor} is not open for writing"),
                    _ => paths::reason(&error),
                }
            });
        }
        LinkEnd::Name(file) => file,
    };
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(paths::IS_A_FOLDER.to_owned()),
        Ok(metadata) if !metadata.is_file() => return stream(path, &metadata),
        Ok(metadata) if metadata.permissions().readonly() => {
            return Err("it is read-only".to_owned());
        }
        // Opening the file in append mode does not change it.
        Ok(_) => drop(
            OpenOptions::new().append(true).open(path).map_err(|error| paths::reason(&error))?,
        ),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(paths::reason(&error)),
    }
    if sqlite::is_database(&file) {
        return Err(IS_A_DATABASE.to_owned());
    }
    // SQLite would delete the document as an invalid log.
    if let Some(database) = sqlite::owner_of_side_file(&file) {
        return Err(sqlite::is_name_of_log(&database));
    }
    if let Some(obstacle) = paths::obstacle(&file) {
        return Err(obstacle);
    }
    let folder = folder(&file);
    check_folder(folder, file.is_file(), NamedTempFile::close)?;
    let state = state_of(&file);
    Ok(Destination::File { file, state })
}

/// Checks that a device or a pipe can be written, without opening it. Closing a pipe again would look to
/// its reader like the end of the document, and opening a device may change it.
fn stream(path: &Path, metadata: &fs::Metadata) -> Result<Destination, String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if metadata.file_type().is_socket() {
            return Err("it is a socket, not a file, pipe or device".to_owned());
        }
        may_write(path).map_err(|error| paths::reason(&error))?;
    }
    #[cfg(not(unix))]
    let _ = (path, metadata);
    Ok(Destination::Stream)
}

/// Asks the system whether this process may write to the file, without opening it.
#[cfg(unix)]
#[expect(unsafe_code, reason = "no safe function checks the permission to write")]
fn may_write(path: &Path) -> io::Result<()> {
    use std::{ffi::CString, os::unix::ffi::OsStrExt};
    let name = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the name is a C string that outlives the call, which only reads it.
    match unsafe { libc::faccessat(libc::AT_FDCWD, name.as_ptr(), libc::W_OK, libc::AT_EACCESS) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Checks that [`replace`] will be able to create and remove files in the folder, by doing so. The check also
/// passes if the folder accepts no new files but the output file `exists`, because [`replace`] then
/// overwrites it. `remove` is [`NamedTempFile::close`] except in tests.
fn check_folder(
    folder: &Path,
    exists: bool,
    remove: impl FnOnce(NamedTempFile) -> io::Result<()>,
) -> Result<(), String> {
    let shown = paths::shown(folder);
    let draft = match new_draft(folder) {
        Err(error) if exists && denies_new_files(&error) => return Ok(()),
        draft => draft.map_err(|error| paths::creation_error(folder, &error))?,
    };
    let leftover = paths::shown(draft.path()).to_string();
    remove(draft).map_err(|error| {
        format!(
            "cannot remove files in {shown}, where {leftover} is left: {}",
            paths::reason(&error)
        )
    })
}

/// The end of a chain of links.
enum LinkEnd {
    /// An open file of this process, by its descriptor, as for `/dev/stderr` or `/dev/fd/3`.
    #[cfg(unix)]
    Open(std::os::fd::RawFd),
    /// A name that is not a link, whether or not the file exists.
    Name(PathBuf),
}

/// Follows the links that begin at `path`.
fn end_of_links(path: &Path) -> Result<LinkEnd, String> {
    let mut name = path.to_owned();
    for _ in 0..paths::MAX_LINKS {
        #[cfg(unix)]
        if let Some(descriptor) = descriptor(&name) {
            return Ok(LinkEnd::Open(descriptor));
        }
        match paths::link_target(&name) {
            Some(next) => name = next,
            None => return Ok(LinkEnd::Name(name)),
        }
    }
    Err(paths::LINKS_FORM_A_CIRCLE.to_owned())
}

/// Returns the descriptor that a path in this process's descriptor folder stands for. Each entry of the
/// folder is a number, and a link to the open file.
#[cfg(unix)]
fn descriptor(name: &Path) -> Option<std::os::fd::RawFd> {
    let descriptor_folder =
        fs::canonicalize("/proc/self/fd").or_else(|_| fs::canonicalize("/dev/fd")).ok()?;
    let is_own = fs::canonicalize(folder(name)).is_ok_and(|folder| folder == descriptor_folder);
    is_own.then(|| name.file_name()?.to_str()?.parse().ok())?
}

/// Duplicates an open file. The duplicate shares its write position.
#[cfg(unix)]
#[expect(unsafe_code, reason = "no safe function takes the number of an open file")]
fn duplicate(descriptor: std::os::fd::RawFd) -> io::Result<fs::File> {
    use std::os::fd::BorrowedFd;
    if descriptor < 0 {
        return Err(io::ErrorKind::NotFound.into());
    }
    // SAFETY: the descriptor is only duplicated, which fails if it is not open.
    unsafe { BorrowedFd::borrow_raw(descriptor) }.try_clone_to_owned().map(Into::into)
}

/// Creates a temporary file in the target's folder, so that it can be renamed to the target.
fn new_draft(folder: &Path) -> io::Result<NamedTempFile> {
    new_file(&mut draft_names(), folder)
}

/// Returns a builder that chooses the names of temporary files in the target's folder.
fn draft_names() -> Builder<'static, 'static> {
    let mut names = Builder::new();
    names.prefix(".queens-").suffix(".tmp");
    names
}

/// Creates a temporary file whose permissions are those of any new file.
fn new_file(builder: &mut Builder<'_, '_>, folder: &Path) -> io::Result<NamedTempFile> {
    #[cfg(unix)]
    {
        use std::{fs::Permissions, os::unix::fs::PermissionsExt};
        // By default, only the owner may read a temporary file. The umask restricts these permissions.
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Creates a temporary file in the folder, and fills it before it gets a name if the system supports that.
/// A process that is killed meanwhile then leaves no file.
fn filled_draft(
    folder: &Path,
    fill: impl Fn(&mut fs::File) -> io::Result<()>,
) -> io::Result<TempPath> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Some file systems, such as NFS, have no files without a name.
        let unnamed = OpenOptions::new().write(true).custom_flags(libc::O_TMPFILE).open(folder);
        if let Ok(mut unnamed) = unnamed {
            fill(&mut unnamed)?;
            // Naming the file needs /proc, which a container may lack.
            if let Ok(draft) = draft_names().make_in(folder, |name| link(&unnamed, name)) {
                return Ok(draft.into_temp_path());
            }
        }
    }
    let mut draft = new_draft(folder)?;
    fill(draft.as_file_mut())?;
    Ok(draft.into_temp_path())
}

/// Gives a name to a file that has none.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no safe function follows the link to an open file")]
fn link(file: &fs::File, name: &Path) -> io::Result<()> {
    use std::{
        ffi::CString,
        os::{fd::AsRawFd, unix::ffi::OsStrExt},
    };
    let file = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    let name = CString::new(name.as_os_str().as_bytes())?;
    let (here, follow) = (libc::AT_FDCWD, libc::AT_SYMLINK_FOLLOW);
    // SAFETY: both names are C strings that outlive the call, which only reads them.
    match unsafe { libc::linkat(here, file.as_ptr(), here, name.as_ptr(), follow) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Writes the text to a temporary file in the same folder, and renames it to `file`. Both the text and
/// the new name are on the disk afterwards, because a journal with the same tasks may be removed next.
///
/// # Errors
/// [`HAS_CHANGED`] if the file has changed since it was in the state `before`, or another error of the system.
fn replace(file: &Path, text: &str, before: Option<&FileState>) -> io::Result<()> {
    let check = || match has_changed(file, before) {
        true => Err(io::Error::other(HAS_CHANGED)),
        false => Ok(()),
    };
    check()?;
    // If the file did not exist before, it now belongs to another program.
    let may_overwrite = || before.is_some() && file.is_file();
    let filled = filled_draft(folder(file), |draft| {
        draft.write_all(text.as_bytes())?;
        if let Ok(metadata) = fs::metadata(file) {
            draft.set_permissions(metadata.permissions())?;
        }
        draft.sync_all()
    });
    let draft = match filled {
        Err(error) if denies_new_files(&error) && may_overwrite() => {
            return overwrite(file, text.as_bytes());
        }
        filled => filled?,
    };
    // Check again, because writing to a slow disk may take seconds.
    check()?;
    let renamed = match before {
        Some(_) => draft.persist(file),
        None => rename_to_new(draft, file),
    };
    match renamed {
        Ok(()) => {
            sync_folder(folder(file));
            Ok(())
        }
        // A mount point, or another user's file in a folder such as /tmp, cannot be replaced. It may be
        // writable, though.
        Err(_) if may_overwrite() => overwrite(file, text.as_bytes()),
        Err(persist_error) => Err(persist_error.error),
    }
}

/// Renames the draft to a name that no file has. On file systems that cannot check that in the same step, a
/// file of this name is replaced.
fn rename_to_new(draft: TempPath, file: &Path) -> Result<(), PathPersistError> {
    match draft.persist_noclobber(file) {
        Err(PathPersistError { error, path }) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(PathPersistError { error: io::Error::other(HAS_CHANGED), path })
        }
        Err(PathPersistError { path, .. }) => path.persist(file),
        Ok(()) => Ok(()),
    }
}

/// Returns whether the error of creating a file means that the folder accepts no new files from this user.
fn denies_new_files(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Overwrites a file that cannot be replaced. The part beyond the old length is written first, because on
/// file systems that overwrite blocks in place only this part needs more space: if the disk is full, the
/// old contents remain.
fn overwrite(file: &Path, text: &[u8]) -> io::Result<()> {
    let mut target = OpenOptions::new().write(true).open(file)?;
    let old_length = target.metadata()?.len();
    let overlap = usize::try_from(old_length).map_or(text.len(), |length| length.min(text.len()));
    let (start, rest) = text.split_at(overlap);
    target.seek(SeekFrom::Start(overlap as u64))?;
    if !rest.is_empty()
        && let Err(error) = target.write_all(rest).and_then(|()| target.sync_all())
    {
        // If this fails as well, the first error is still the one to report.
        let _ = target.set_len(old_length);
        return Err(error);
    }
    target.rewind()?;
    target.write_all(start)?;
    target.set_len(text.len() as u64)?;
    target.sync_all()
}

/// Writes a folder to the disk, so that new names in it survive a power failure. Some file systems cannot
/// do that; then the names are written later.
fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Saves an undelivered result in a new file, in the working folder or, if that fails, in the folder for
/// temporary files. Returns the path of the file.
pub fn rescue(name: &str, text: &str) -> Option<PathBuf> {
    let save = |folder: PathBuf| {
        let mut file = new_file(Builder::new().prefix(name).suffix(".json"), &folder).ok()?;
        file.as_file_mut().write_all(text.as_bytes()).ok()?;
        file.as_file().sync_all().ok()?;
        let saved = file.keep().ok()?.1;
        sync_folder(&folder);
        // Collecting the components removes the leading "." of the working folder.
        Some(saved.components().collect())
    };
    save(PathBuf::from(".")).or_else(|| save(env::temp_dir()))
}

/// Catches SIGXFSZ, so that writing beyond the file size limit (`ulimit -f`) returns an error. By default
/// the signal would end the process and leave the temporary file behind.
pub fn catch_file_size_signal() {
    #[cfg(unix)]
    {
        // If this fails, the default behaviour remains.
        let _ = signal_hook::flag::register(libc::SIGXFSZ, std::sync::Arc::default());
    }
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
        let error = format!("{:#}", target.write("two").unwrap_err());
        assert!(error.ends_with(HAS_CHANGED), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        let draft = filled_draft(folder.path(), |_| Ok(())).unwrap();
        let error = rename_to_new(draft, &path).unwrap_err().error;
        assert_eq!(error.to_string(), HAS_CHANGED);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        let target = Target::new(&path).unwrap();
        assert!(!target.has_changed());
        fs::remove_file(&path).unwrap();
        target.write("three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        let permissions = |path| fs::metadata(path).unwrap().permissions();
        assert_eq!(permissions(&path), permissions(&plain));
    }

    #[test]
    fn overwrites_a_file_in_place() {
        let file = NamedTempFile::new().unwrap();
        for text in ["one", "longer", "", "shorter", "short"] {
            overwrite(file.path(), text.as_bytes()).unwrap();
            // The open file has the text, so the file was not replaced.
            let mut content = String::new();
            io::Read::read_to_string(&mut file.reopen().unwrap(), &mut content).unwrap();
            assert_eq!(content, text);
            assert_eq!(file.as_file().metadata().unwrap().len(), text.len() as u64);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn names_a_file_system_that_accepts_no_new_files() {
        assert_eq!(
            rejection(Path::new("/proc/x.json")),
            "cannot write /proc/x.json: the file system of /proc does not accept new files"
        );
    }

    #[test]
    fn rejects_databases_and_their_logs_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("j");
        fs::write(&database, "SQLite format 3\0").unwrap();
        assert!(rejection(&database).contains("it is a database"), "{}", rejection(&database));
        let log = folder.path().join("j-wal");
        assert!(rejection(&log).contains("a log of the database"), "{}", rejection(&log));
        assert!(Target::new(&folder.path().join("other-wal")).is_ok());
        assert_eq!(fs::read(&database).unwrap(), b"SQLite format 3\0");
    }

    #[test]
    fn keeps_a_database_that_was_created_during_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("8-symmetry.journal");
        let target = Target::new(&file).unwrap();
        fs::write(&file, "SQLite format 3\0").unwrap();
        let error = format!("{:#}", target.write("{}").unwrap_err());
        assert!(error.ends_with(&format!(": {IS_A_DATABASE}")), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"SQLite format 3\0");
    }

    #[test]
    #[cfg(unix)]
    fn follows_links_to_files_that_do_not_exist_yet() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| folder.path().join(name);
        symlink("real", named("link")).unwrap();
        symlink(".", named("here")).unwrap();
        for same in ["real", "link", "here/real", "here/link"] {
            assert!(is_same_file(&named(same), &named("link")), "{same}");
            assert!(is_same_file(&named("real"), &named(same)), "{same}");
        }
        assert!(!is_same_file(&named("other"), &named("link")));
        assert!(!is_same_file(&named("none/real"), &named("real")));
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
    #[cfg(target_os = "linux")]
    fn a_result_has_no_name_before_it_is_complete() {
        use std::os::unix::fs::OpenOptionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mut unnamed = OpenOptions::new();
        if unnamed.write(true).custom_flags(libc::O_TMPFILE).open(&folder).is_err() {
            return println!("not tested: the file system has no files without a name");
        }
        let draft = filled_draft(folder.path(), |draft| {
            let files = fs::read_dir(&folder).unwrap().count();
            writeln!(draft, "{files} files in the folder")
        });
        let file = folder.path().join("result.json");
        draft.unwrap().persist(&file).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "0 files in the folder\n");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn names_a_temporary_file_that_cannot_be_removed() {
        let folder = tempfile::tempdir().unwrap();
        let error = check_folder(folder.path(), false, |file| {
            file.keep().unwrap();
            Err(io::ErrorKind::PermissionDenied.into())
        });
        let leftover = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
        let error = error.unwrap_err();
        let expected = format!("where {} is left: permission", leftover.display());
        assert!(error.contains(&expected), "{error}");
        assert_eq!(check_folder(folder.path(), false, NamedTempFile::close), Ok(()));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn names_a_descriptor_that_is_not_open() {
        let expected = "cannot write /dev/fd/999: descriptor 999 is not open for writing";
        assert_eq!(rejection(Path::new("/dev/fd/999")), expected);
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
    fn rejects_sockets_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let expected = format!(
            "cannot write {}: it is a socket, not a file, pipe or device",
            socket.display()
        );
        assert_eq!(rejection(&socket), expected);
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
