//! Builds the page: WebAssembly module, its JavaScript, styles and index.html,
//! each also compressed, in one folder that any web server can serve.

mod files;
mod index;
#[path = "../../web/texts.rs"]
mod texts;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::project;
use files::Files;

/// The cargo package of the page; its module and its script have this name too.
pub const PACKAGE: &str = "queens-web";

/// Tells the command's build where the page is that it shall hold.
pub const FOLDER_VARIABLE: &str = "QUEENS_PAGE_DIR";

/// Where the page is built.
pub fn folder() -> PathBuf {
    project::target().join("page")
}

/// Builds the page and returns its folder.
///
/// Files whose content stays the same are left alone, so that nothing that
/// depends on them is built again.
pub fn build() -> Result<PathBuf> {
    let mut files = Files::default();
    module(&mut files)?;
    index::add(&mut files)?;
    languages(&mut files)?;
    let folder = folder();
    files.write(&folder)?;
    Ok(folder)
}

/// Compiles the module and lets wasm-bindgen write its JavaScript.
fn module(files: &mut Files) -> Result<()> {
    project::run(
        project::cargo().args([
            "build",
            "--quiet",
            "--package",
            PACKAGE,
            "--target",
            project::WASM_TARGET,
            "--profile",
            "wasm",
        ]),
        "compiling the page to WebAssembly",
    )?;
    let target = project::target();
    let compiled = target.join(format!("{}/wasm/{PACKAGE}.wasm", project::WASM_TARGET));
    let output = target.join("wasm-bindgen");
    if output.exists() {
        fs::remove_dir_all(&output).with_context(|| format!("clearing {}", output.display()))?;
    }
    Bindgen::new()
        .input_path(&compiled)
        .out_name(PACKAGE)
        .web(true)?
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .typescript(false)
        .generate(&output)
        .with_context(|| format!("wasm-bindgen could not translate {}", compiled.display()))?;
    files.add_folder(&output)
}

/// Adds the texts, which the page fetches in the language that it is read in.
fn languages(files: &mut Files) -> Result<()> {
    let folder = project::root().join("web/locales");
    let texts = texts::lines(&folder.to_string_lossy()).map_err(anyhow::Error::from_boxed)?;
    for (language, lines) in texts {
        files.add(format!("texts.{language}.txt"), lines)?;
    }
    Ok(())
}
