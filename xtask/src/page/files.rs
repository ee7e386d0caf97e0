//! The files of the built page.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

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

    /// Writes these files to `folder` and removes all others. Unchanged files are not written again.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let has_new = self.0.keys().any(|name| !folder.join(name).exists());
        for (name, content) in &self.0 {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).with_context(|| format!("creating {}", parent.display()))?;
            if !fs::read(&path).is_ok_and(|old| old == *content) {
                write(&path, content)?;
            }
        }
        // Cargo embeds the page again if a file of it changes, but does not see a new file.
        if let Some(entry) = self.0.get(ENTRY).filter(|_| has_new) {
            write(&folder.join(ENTRY), entry)?;
        }
        self.remove_others(folder, "")
    }

    /// Removes files of earlier builds.
    fn remove_others(&self, folder: &Path, prefix: &str) -> Result<()> {
        for entry in
            fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?
        {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.remove_others(&entry.path(), &format!("{name}/"))?;
            } else if !self.has(&name) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_two_files_of_one_name() {
        let mut files = Files::default();
        files.add("a.css", "x").unwrap();
        assert!(files.add("a.css", "y").is_err());
    }
}
