//! Builds the page: WebAssembly modules, their JavaScript, styles and index.html,
//! each also compressed, in one folder that any web server can serve.

mod files;
mod index;
mod script;
mod site;
mod split;
#[path = "../../web/state/texts.rs"]
mod texts;

// `texts` imports it from its parent module, here and in web/state/build.rs.
use index::typography;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::project;
use files::Files;

/// A WebAssembly module.
pub struct Module {
    /// The cargo package; the module and its script have this name too.
    pub package: &'static str,
    /// More arguments for cargo.
    settings: &'static [&'static str],
}

/// What the browser starts for the page.
pub const PAGE: Module = Module { package: "queens-web", settings: &[] };

/// What the page starts as its worker.
pub const WORKER: Module =
    Module { package: "queens-worker", settings: &["--config", "web/worker/build.toml"] };

/// What the page starts to count on a GPU.
pub const GPU: Module = Module { package: "queens-gpu-worker", settings: WORKER.settings };

/// The packages of all modules.
pub const PACKAGES: [&str; 3] = [PAGE.package, WORKER.package, GPU.package];

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
    let files = made()?;
    let folder = folder();
    files.write(&folder)?;
    Ok(folder)
}

/// Where the page is built for hosts of static files.
pub fn site_folder() -> PathBuf {
    project::target().join("dist/site")
}

/// Builds the page, and the one for hosts of static files, which opens without a network once it
/// has been visited; returns their folders.
pub fn build_with_site() -> Result<[PathBuf; 2]> {
    build_with_site_at(None)
}

/// The same, with the address at which the site will be served, for link previews.
pub fn build_with_site_at(address: Option<&str>) -> Result<[PathBuf; 2]> {
    let files = made()?;
    let folders = [folder(), site_folder()];
    files.write(&folders[0])?;
    site::of(files, address)?.write_plain(&folders[1])?;
    Ok(folders)
}

/// The page's files.
fn made() -> Result<Files> {
    let mut files = Files::default();
    let page = PAGE.compile()?;
    check_every_browser_has_it(&page)?;
    bind(&PAGE, &split::first(&page, PAGE.package, &mut files)?, &mut files)?;
    bind(&WORKER, &WORKER.compile()?, &mut files)?;
    bind(&GPU, &GPU.compile()?, &mut files)?;
    index::add(&mut files)?;
    languages(&mut files)?;
    Ok(files)
}

impl Module {
    /// How cargo builds the module. Every call names all packages, so that it decides on the same
    /// features for what they share, which is then compiled once.
    pub fn settings(&self) -> impl Iterator<Item = &'static str> {
        let packages = PACKAGES.into_iter().flat_map(|package| ["--package", package]);
        self.compiler_settings().chain(packages)
    }

    /// What the compiler makes of any package for the module.
    pub fn compiler_settings(&self) -> impl Iterator<Item = &'static str> {
        let settings = self.settings.iter().copied();
        ["--target", project::WASM_TARGET, "--profile", "wasm"].into_iter().chain(settings)
    }

    /// Compiles the module and returns the path of what the compiler made.
    fn compile(&self) -> Result<PathBuf> {
        let package = self.package;
        project::run(
            project::cargo().args(["build", "--quiet", "--bin", package]).args(self.settings()),
            &format!("compiling {package} to WebAssembly"),
        )?;
        Ok(project::target().join(format!("{}/wasm/{package}.wasm", project::WASM_TARGET)))
    }
}

/// Lets wasm-bindgen write a module's JavaScript.
fn bind(module: &Module, compiled: &Path, files: &mut Files) -> Result<()> {
    let output = project::target().join("wasm-bindgen").join(module.package);
    if output.exists() {
        fs::remove_dir_all(&output).with_context(|| format!("clearing {}", output.display()))?;
    }
    let mut bound = Bindgen::new()
        .input_path(compiled)
        .out_name(module.package)
        .web(true)?
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        // What a part of the module shares with the others is among them.
        .keep_lld_exports(true)
        .typescript(false)
        .generate_output()
        .with_context(|| format!("wasm-bindgen failed for {}", compiled.display()))?;
    let wasm = bound.wasm_mut();
    let mut names = script::Names::default();
    wasm.imports.iter_mut().for_each(|import| names.shorten(&mut import.name));
    wasm.exports.iter_mut().for_each(|export| names.shorten(&mut export.name));
    bound.emit(&output).with_context(|| format!("writing {}", output.display()))?;
    let script = output.join(module.package).with_extension("js");
    let text = String::from_utf8(files::read(&script)?)?;
    fs::write(&script, names.script(&text))
        .with_context(|| format!("writing {}", script.display()))?;
    files.add_folder(&output)
}

/// Adds the texts, which the page fetches in the language that it is read in.
fn languages(files: &mut Files) -> Result<()> {
    let folder = project::root().join("web/locales");
    let texts = texts::lines(&folder.to_string_lossy()).map_err(anyhow::Error::from_boxed)?;
    for (language, [first, later]) in texts {
        files.add(format!("texts.{language}.txt"), first)?;
        files.add(format!("later.{language}.txt"), later)?;
    }
    Ok(())
}

/// How the compiler notes in a module that it uses SIMD: a sign, the length of the name, the name.
const USES_SIMD: &[u8] = b"+\x07simd128";

/// The page says so where the browser is too old for the worker; for that it has to start there.
fn check_every_browser_has_it(compiled: &Path) -> Result<()> {
    let module = files::read(compiled)?;
    if module.windows(USES_SIMD.len()).any(|bytes| bytes == USES_SIMD) {
        bail!(
            "{} uses SIMD; only the worker may, so that the page starts everywhere",
            PAGE.package
        );
    }
    Ok(())
}
