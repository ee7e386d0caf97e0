//! Builds the page: WebAssembly modules, their JavaScript, styles and index.html, in one folder that any
//! web server can serve. The page here is built quickly; the package `xtask-release` builds the one that is
//! released, which is smaller and split in two parts.

mod files;
pub mod index;
pub mod script;
pub mod site;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::project;
pub use files::{Files, read, read_text, write};

/// The packages of the page, of its worker and of its worker for GPUs. Each is a WebAssembly module, and its
/// script has the same name.
pub const PACKAGES: [&str; 3] = ["queens-web", "queens-worker", "queens-gpu-worker"];

/// The cargo profile of a page that is built quickly.
pub const QUICK: &str = "wasm-quick";

/// The cargo profile of the released page.
pub const RELEASED: &str = "wasm";

/// The environment variable that tells the build of the command which page to embed.
pub const FOLDER_VARIABLE: &str = "QUEENS_PAGE_DIR";

/// The environment variable that tells tests where the page for static hosts is.
pub const SITE_VARIABLE: &str = "QUEENS_SITE_DIR";

/// Returns the folder of the page.
pub fn folder() -> PathBuf {
    project::target().join("page")
}

/// Returns the folder of the page for static hosts.
pub fn site_folder() -> PathBuf {
    project::target().join("site")
}

/// Returns the folder of the released page, which the package `xtask-release` builds.
pub fn released_folder() -> PathBuf {
    project::target().join("release-page")
}

/// Returns the folder of the released page for static hosts.
pub fn released_site_folder() -> PathBuf {
    project::target().join("dist/site")
}

/// Builds the page and returns its folder.
///
/// Unchanged files are not written again, so nothing that depends on them is rebuilt.
pub fn build() -> Result<PathBuf> {
    write(&build_files()?, &folder())?;
    Ok(folder())
}

/// Builds the page, and the page for static hosts, which works offline after the first visit.
pub fn build_with_site() -> Result<()> {
    let files = build_files()?;
    write(&files, &folder())?;
    write(&site::build(files, None)?, &site_folder())
}

fn build_files() -> Result<Files> {
    let mut files = Files::new();
    let compiled = compile(QUICK, "")?;
    for package in PACKAGES {
        bind(package, &compiled.join(package).with_extension("wasm"), &mut files)?;
    }
    // The script that fetches the second part of a split module.
    files.insert("split.js".to_owned(), b"export const fetchEarly = () => {};\n".to_vec());
    index::add(&mut files)?;
    Ok(files)
}

/// Returns the arguments of cargo that select the target and all packages of the page. Calls with the same
/// packages share what they compile.
pub fn selected() -> String {
    let packages = PACKAGES.map(|package| format!("--package {package}"));
    format!("--target {} {}", project::WASM_TARGET, packages.join(" "))
}

/// Compiles all modules, with more arguments for cargo, and returns the folder of the WebAssembly files.
pub fn compile(profile: &str, more: &str) -> Result<PathBuf> {
    let build = format!("build --quiet --bins {} --profile {profile} {more}", selected());
    project::run(&mut project::cargo(&build))?;
    Ok(project::target().join(project::WASM_TARGET).join(profile))
}

/// Generates the script of a package's module with wasm-bindgen, and adds both.
pub fn bind(package: &str, compiled: &Path, files: &mut Files) -> Result<()> {
    let output = project::target().join("wasm-bindgen").join(package);
    if output.exists() {
        fs::remove_dir_all(&output).with_context(|| format!("clearing {}", output.display()))?;
    }
    let mut bound = Bindgen::new()
        .input_path(compiled)
        .out_name(package)
        .web(true)?
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        // These exports include the items that the parts of a split module share.
        .keep_lld_exports(true)
        .typescript(false)
        .generate_output()
        .with_context(|| format!("wasm-bindgen failed for {}", compiled.display()))?;
    let wasm = bound.wasm_mut();
    let mut names = script::Names::default();
    wasm.imports.iter_mut().for_each(|import| names.shorten(&mut import.name));
    wasm.exports.iter_mut().for_each(|export| names.shorten(&mut export.name));
    bound.emit(&output).with_context(|| format!("writing {}", output.display()))?;
    let script = output.join(package).with_extension("js");
    let text = names.script(&read_text(&script)?);
    files::add_folder(&output, "", files)?;
    files.insert(format!("{package}.js"), text.into());
    Ok(())
}
