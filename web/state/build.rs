//! The build script, which writes the page's texts for programs on the host. In a browser, the page
//! fetches these texts instead.

mod texts;

use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    println!("cargo::rerun-if-changed=../locales");
    let folder = env::var("OUT_DIR")?;
    for (language, [first, later]) in texts::lines("../locales")? {
        fs::write(Path::new(&folder).join(format!("texts.{language}")), first)?;
        fs::write(Path::new(&folder).join(format!("later.{language}")), later)?;
    }
    Ok(())
}
