//! The files of the built page.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// File contents by name. A name is the path from the page's folder, with slashes.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The first file of the page.
const ENTRY: &str = "index.html";

/// Reads a file; the error contains its path.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

/// Reads a text; the error contains its path.
pub fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

/// Adds every file below `folder`. In the page, its path from `folder` follows `prefix`.
pub fn add_folder(folder: &Path, prefix: &str, files: &mut Files) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            add_folder(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, read(&entry.path())?);
        }
    }
    Ok(())
}

/// Writes these files to `folder` and removes all others. Unchanged files are not written again.
pub fn write(files: &Files, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    let mut old = Files::new();
    add_folder(folder, "", &mut old)?;
    let has_new = files.keys().any(|name| !old.contains_key(name));
    for (name, content) in files {
        // Cargo embeds the page again if a file of it changes, but does not see a new file.
        if old.get(name) != Some(content) || has_new && name == ENTRY {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))
                .and_then(|()| fs::write(&path, content))
                .with_context(|| format!("writing {}", path.display()))?;
        }
    }
    for name in old.keys().filter(|&name| !files.contains_key(name)) {
        let path = folder.join(name);
        fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
    }
    Ok(())
}
