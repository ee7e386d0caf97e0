//! Chooses the folder whose page is embedded into the command.
//!
//! `QUEENS_PAGE_DIR` is the path of the built page, absolute or relative to this package. Without this
//! variable, an empty folder is embedded, so that the command can be built without the page. The server
//! then explains how to build the page.

use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=QUEENS_PAGE_DIR");
    let folder = match env::var_os("QUEENS_PAGE_DIR") {
        Some(folder) if !folder.is_empty() => {
            let entry = PathBuf::from(&folder).join("index.html");
            let entry = fs::canonicalize(&entry).map_err(|error| {
                format!("QUEENS_PAGE_DIR must name a built page, but {}: {error}", entry.display())
            })?;
            entry.parent().map(Into::into).unwrap_or_default()
        }
        _ => {
            let empty = PathBuf::from(env::var("OUT_DIR")?).join("no-page");
            fs::create_dir_all(&empty)?;
            empty
        }
    };
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=QUEENS_EMBEDDED_PAGE={}", folder.display());
    Ok(())
}
