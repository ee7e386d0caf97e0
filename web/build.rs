//! The build script. It writes the page's texts for programs on the host; in a browser, the page fetches these
//! texts instead. It also makes the linker keep the relocations in the module, because xtask needs them to split it.

mod texts;

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
