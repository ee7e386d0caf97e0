//! Writes the page's texts for its unit tests, which have no page to fetch them from, and has the
//! linker tell in the module what uses what, by which xtask takes it apart.

mod texts;
mod typography;

use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    println!("cargo::rerun-if-changed=locales");
    let folder = env::var("OUT_DIR")?;
    for (language, [first, later]) in texts::lines("locales")? {
        fs::write(Path::new(&folder).join(format!("texts.{language}")), first)?;
        fs::write(Path::new(&folder).join(format!("later.{language}")), later)?;
    }
    if env::var("CARGO_CFG_TARGET_FAMILY")? == "wasm" {
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
    Ok(())
}
