//! Archives whose bytes depend only on their entries and the name of their folder: no times, no owners,
//! sorted names.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// A file of an archive.
pub struct ArchiveFile {
    pub content: Vec<u8>,
    pub is_program: bool,
}

/// The files of an archive by their paths, which are relative to the archive's top folder.
pub type Entries = BTreeMap<String, ArchiveFile>;

/// Writes the archive `path` and returns its size in bytes. The ending of its name decides the format:
/// zip or tar.gz. The file appears complete or not at all.
pub fn write(path: &Path, folder: &str, entries: &Entries) -> Result<u64> {
    write_complete(path, |out| {
        if path.extension().is_some_and(|ending| ending == "zip") {
            zip(folder, entries, out)
        } else {
            tar(folder, entries, out)
        }
    })
}

/// Writes a file compressed with gzip and returns its size in bytes.
pub fn write_gzip(path: &Path, content: &[u8]) -> Result<u64> {
    write_complete(path, |out| {
        let mut compressed = GzBuilder::new().mtime(0).write(out, Compression::best());
        compressed.write_all(content)?;
        compressed.finish()?.flush()
    })
}

/// Writes a temporary file and then renames it, so that an incomplete file never has the final name.
fn write_complete(
    path: &Path,
    write: impl FnOnce(BufWriter<File>) -> io::Result<()>,
) -> Result<u64> {
    let draft = path.with_added_extension("draft");
    let file = File::create(&draft).with_context(|| format!("creating {}", draft.display()))?;
    write(BufWriter::new(file)).with_context(|| format!("writing {}", draft.display()))?;
    let size = fs::metadata(&draft).with_context(|| format!("reading {}", draft.display()))?.len();
    fs::rename(&draft, path).with_context(|| format!("naming {}", path.display()))?;
    Ok(size)
}

const fn mode(entry: &ArchiveFile) -> u32 {
    if entry.is_program { 0o755 } else { 0o644 }
}

fn tar(folder: &str, entries: &Entries, out: impl Write) -> io::Result<()> {
    let compressed = GzBuilder::new().mtime(0).write(out, Compression::best());
    let mut archive = tar::Builder::new(compressed);
    for (path, entry) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_size(entry.content.len() as u64);
        header.set_mode(mode(entry));
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, format!("{folder}/{path}"), entry.content.as_slice())?;
    }
    archive.into_inner()?.finish()?.flush()
}

fn zip(folder: &str, entries: &Entries, out: impl Write + Seek) -> io::Result<()> {
    let mut archive = ZipWriter::new(out);
    for (path, entry) in entries {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::default())
            .unix_permissions(mode(entry));
        archive.start_file(format!("{folder}/{path}"), options)?;
        archive.write_all(&entry.content)?;
    }
    archive.finish()?.flush()
}

/// Unpacks an archive into `folder`, which must be empty or missing.
pub fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let file = File::open(archive).with_context(|| format!("opening {}", archive.display()))?;
    let unpacked = if archive.extension().is_some_and(|ending| ending == "zip") {
        zip::ZipArchive::new(file).and_then(|mut zip| zip.extract(folder)).map_err(io::Error::from)
    } else {
        tar::Archive::new(flate2::read::GzDecoder::new(file)).unpack(folder)
    };
    unpacked.with_context(|| format!("unpacking {}", archive.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Entries {
        let entry = |content: &str, is_program| ArchiveFile { content: content.into(), is_program };
        [
            ("queens".to_owned(), entry(&"program ".repeat(1000), true)),
            ("man/man1/queens.1".to_owned(), entry("manual", false)),
        ]
        .into()
    }

    #[test]
    fn archives_are_reproducible_and_unpack_to_their_entries() {
        let folder = empty_folder("archives");
        for name in ["queens-1.tar.gz", "queens-1.zip"] {
            let path = folder.join(name);
            let size = write(&path, "queens-1", &entries()).unwrap();
            let first = fs::read(&path).unwrap();
            assert_eq!(size, first.len() as u64);
            write(&path, "queens-1", &entries()).unwrap();
            assert_eq!(fs::read(&path).unwrap(), first, "{name}");

            let unpacked = folder.join(name.replace('.', "-"));
            unpack(&path, &unpacked).unwrap();
            let program = unpacked.join("queens-1/queens");
            assert_eq!(fs::read(&program).unwrap().len(), 8000);
            assert_eq!(fs::read(unpacked.join("queens-1/man/man1/queens.1")).unwrap(), b"manual");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = fs::metadata(&program).unwrap().permissions().mode();
                assert_eq!(mode & 0o777, 0o755, "{name}");
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Creates an empty folder for a test.
    fn empty_folder(name: &str) -> std::path::PathBuf {
        let folder = crate::project::target().join("dist-tests").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }
}
