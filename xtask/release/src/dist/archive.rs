//! Archives whose bytes depend only on their files and the name of their folder: no times, no owners,
//! sorted names.

use std::fs::{self, File};
use std::io::{self, Cursor, Write};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use xtask::page::Files;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Writes the archive `path` and returns its size in bytes. The ending of its name decides the format:
/// zip or tar.gz. The names of the files follow that of `folder`.
pub fn write(path: &Path, folder: &str, files: &Files) -> Result<u64> {
    let archive = if is_zip(path) { zip(folder, files) } else { tar(folder, files) };
    let archive = archive.with_context(|| format!("packing {}", path.display()))?;
    fs::write(path, &archive).with_context(|| format!("writing {}", path.display()))?;
    Ok(archive.len() as u64)
}

fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "zip")
}

/// Returns the permissions of a file. Only the command is a program.
fn mode(name: &str) -> u32 {
    if ["queens", "queens.exe"].contains(&name) { 0o755 } else { 0o644 }
}

fn tar(folder: &str, files: &Files) -> io::Result<Vec<u8>> {
    let compressed = GzBuilder::new().mtime(0).write(vec![], Compression::best());
    let mut archive = tar::Builder::new(compressed);
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_size(content.len() as u64);
        header.set_mode(mode(name));
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, format!("{folder}/{name}"), content.as_slice())?;
    }
    archive.into_inner()?.finish()
}

fn zip(folder: &str, files: &Files) -> io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(vec![]));
    for (name, content) in files {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::default())
            .unix_permissions(mode(name));
        archive.start_file(format!("{folder}/{name}"), options)?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// Unpacks an archive into `folder`, which must be empty or missing.
pub fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let file = File::open(archive).with_context(|| format!("opening {}", archive.display()))?;
    let unpacked = if is_zip(archive) {
        zip::ZipArchive::new(file).and_then(|mut zip| zip.extract(folder)).map_err(io::Error::from)
    } else {
        tar::Archive::new(flate2::read::GzDecoder::new(file)).unpack(folder)
    };
    unpacked.with_context(|| format!("unpacking {}", archive.display()))
}

#[cfg(test)]
mod tests {
    use xtask::project;

    use super::*;

    #[test]
    fn archives_are_reproducible_and_unpack_to_their_files() {
        let program = "program ".repeat(1000).into_bytes();
        let manual = ("man/man1/queens.1".to_owned(), b"manual".to_vec());
        let files = Files::from([("queens".to_owned(), program.clone()), manual]);
        let folder = project::target().join("dist-tests/archives");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for name in ["queens-1.tar.gz", "queens-1.zip"] {
            let path = folder.join(name);
            let size = write(&path, "queens-1", &files).unwrap();
            let first = fs::read(&path).unwrap();
            assert_eq!(size, first.len() as u64);
            write(&path, "queens-1", &files).unwrap();
            assert_eq!(fs::read(&path).unwrap(), first, "{name}");

            let unpacked = folder.join(name.replace('.', "-"));
            unpack(&path, &unpacked).unwrap();
            let queens = unpacked.join("queens-1/queens");
            assert_eq!(fs::read(&queens).unwrap(), program);
            assert_eq!(fs::read(unpacked.join("queens-1/man/man1/queens.1")).unwrap(), b"manual");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = fs::metadata(&queens).unwrap().permissions().mode();
                assert_eq!(mode & 0o777, 0o755, "{name}");
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
