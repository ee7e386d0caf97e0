//! The files of the built page.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use brotli::enc::BrotliEncoderParams;
use rayon::prelude::*;

/// The extensions of files that are compressed.
const COMPRESSED: [&str; 8] = ["wasm", "js", "css", "html", "svg", "json", "txt", "rs"];

/// The first file of the page.
const ENTRY: &str = "index.html";

/// File contents by name. A name is the path from the page's folder, with slashes.
#[derive(Default)]
pub struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// Adds a file. A duplicate name is an error.
    pub fn add(&mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) -> Result<()> {
        let name = name.into();
        if self.0.contains_key(&name) {
            bail!("two files of the page have the name {name}");
        }
        self.0.insert(name, content.into());
        Ok(())
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Removes a file and returns its content.
    pub fn remove(&mut self, name: &str) -> Option<Vec<u8>> {
        self.0.remove(name)
    }

    /// Returns all files in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, content)| (name.as_str(), content.as_slice()))
    }

    /// Adds every file below `folder`.
    pub fn add_folder(&mut self, folder: &Path) -> Result<()> {
        self.add_below(folder, "")
    }

    /// Adds every file below `folder`. In the page, its path from `folder` follows `prefix`.
    pub fn add_below(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        for entry in
            fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?
        {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.add_below(&entry.path(), &format!("{name}/"))?;
            } else {
                self.add(name, read(&entry.path())?)?;
            }
        }
        Ok(())
    }

    /// Writes these files and their compressed versions to `folder`, and removes all others.
    pub fn write(&self, folder: &Path) -> Result<()> {
        self.write_with(folder, is_compressed)
    }

    /// Writes these files to `folder`, and removes all others.
    pub fn write_plain(&self, folder: &Path) -> Result<()> {
        self.write_with(folder, |_| false)
    }

    /// Writes these files to `folder`, with compressed versions of those for which `has_compressed` is
    /// true, and removes all others.
    fn write_with(&self, folder: &Path, has_compressed: fn(&str) -> bool) -> Result<()> {
        let has_new = self.0.keys().any(|name| !folder.join(name).exists());
        self.0.par_iter().try_for_each(|(name, content)| {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).with_context(|| format!("creating {}", parent.display()))?;
            let twin = folder.join(format!("{name}.br"));
            let compressed = has_compressed(name);
            let same = fs::read(&path).is_ok_and(|old| old == *content);
            if same && twin.exists() == compressed {
                return Ok(());
            }
            if compressed {
                write(&twin, &compress(content)?)?;
            }
            write(&path, content)
        })?;
        // Cargo embeds the page again if a file of it changes, but does not see a new file.
        if let Some(entry) = self.0.get(ENTRY).filter(|_| has_new) {
            write(&folder.join(ENTRY), entry)?;
        }
        self.remove_others(folder, "", has_compressed)
    }

    /// Removes files of earlier builds.
    fn remove_others(
        &self,
        folder: &Path,
        prefix: &str,
        has_compressed: fn(&str) -> bool,
    ) -> Result<()> {
        for entry in
            fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?
        {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.remove_others(&entry.path(), &format!("{name}/"), has_compressed)?;
                continue;
            }
            let wanted = match name.strip_suffix(".br") {
                Some(original) => self.0.contains_key(original) && has_compressed(original),
                None => self.0.contains_key(&name),
            };
            if !wanted {
                fs::remove_file(entry.path())
                    .with_context(|| format!("removing {}", entry.path().display()))?;
            }
        }
        Ok(())
    }
}

/// Reads a file; the error contains its path.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    fs::write(path, content).with_context(|| format!("writing {}", path.display()))
}

fn is_compressed(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|ending| COMPRESSED.iter().any(|known| ending == *known))
}

/// Compresses at Brotli's highest quality, because files are built once and downloaded often.
fn compress(content: &[u8]) -> Result<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: content.len(),
        ..BrotliEncoderParams::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*content, &mut compressed, &parameters)
        .context("brotli failed")?;
    Ok(compressed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_files_round_trip() {
        let text = "queens ".repeat(1000);
        let compressed = compress(text.as_bytes()).unwrap();
        assert!(compressed.len() < 100, "{} bytes", compressed.len());
        let mut back = Vec::new();
        brotli::BrotliDecompress(&mut &*compressed, &mut back).unwrap();
        assert_eq!(back, text.as_bytes());
    }

    #[test]
    fn rejects_two_files_of_one_name() {
        let mut files = Files::default();
        files.add("a.css", "x").unwrap();
        assert!(files.add("a.css", "y").is_err());
    }
}
