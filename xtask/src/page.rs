//! Builds the page: WebAssembly modules, their JavaScript, styles and index.html. The files, each
//! also compressed, are in one folder that any web server can serve.

mod files;
mod index;
mod script;
mod site;
mod split;
#[path = "../../web/state/texts.rs"]
mod texts;

// `texts` imports `typography` from its parent module, here and in web/state/build.rs.
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
    /// Additional arguments for cargo.
    settings: &'static [&'static str],
}

/// The main module of the page.
pub const PAGE: Module = Module { package: "queens-web", settings: &[] };

/// The module of the page's worker.
pub const WORKER: Module =
    Module { package: "queens-worker", settings: &["--config", "web/worker/build.toml"] };

/// The module of the worker that counts on a GPU.
pub const GPU: Module = Module { package: "queens-gpu-worker", settings: WORKER.settings };

/// The packages of all modules.
pub const PACKAGES: [&str; 3] = [PAGE.package, WORKER.package, GPU.package];

/// The environment variable that tells the build of the command which page to embed.
pub const FOLDER_VARIABLE: &str = "QUEENS_PAGE_DIR";

/// Returns the folder of the page.
pub fn folder() -> PathBuf {
    project::target().join("page")
}

/// Builds the page and returns its folder.
///
/// Unchanged files are not written again, so nothing that depends on them is rebuilt.
pub fn build() -> Result<PathBuf> {
    let files = build_files()?;
    let folder = folder();
    files.write(&folder)?;
    Ok(folder)
}

/// Returns the folder of the page for static hosts.
pub fn site_folder() -> PathBuf {
    project::target().join("dist/site")
}

/// Builds the page, and the page for static hosts, which works offline after the first visit.
/// Returns their folders.
pub fn build_with_site() -> Result<[PathBuf; 2]> {
    build_with_site_at(None)
}

/// Like [`build_with_site`], with the address at which the site will be served, for link previews.
pub fn build_with_site_at(address: Option<&str>) -> Result<[PathBuf; 2]> {
    let files = build_files()?;
    let folders = [folder(), site_folder()];
    files.write(&folders[0])?;
    site::build(files, address)?.write_plain(&folders[1])?;
    Ok(folders)
}

/// Builds the files of the page.
fn build_files() -> Result<Files> {
    let mut files = Files::default();
    let page = PAGE.compile()?;
    check_without_simd(&page)?;
    bind(&PAGE, &split::split_module(&page, PAGE.package, &mut files)?, &mut files)?;
    bind(&WORKER, &WORKER.compile()?, &mut files)?;
    bind(&GPU, &GPU.compile()?, &mut files)?;
    index::add(&mut files)?;
    languages(&mut files)?;
    Ok(files)
}

impl Module {
    /// Returns the cargo arguments for this module. Every call names all packages, so cargo selects
    /// the same features for their shared dependencies and compiles these only once.
    pub fn settings(&self) -> impl Iterator<Item = &'static str> {
        let packages = PACKAGES.into_iter().flat_map(|package| ["--package", package]);
        self.compiler_settings().chain(packages)
    }

    /// Returns the cargo arguments that compile any package for the target and with the settings of this
    /// module.
    pub fn compiler_settings(&self) -> impl Iterator<Item = &'static str> {
        let settings = self.settings.iter().copied();
        ["--target", project::WASM_TARGET, "--profile", "wasm"].into_iter().chain(settings)
    }

    /// Compiles the module and returns the path of the WebAssembly file.
    fn compile(&self) -> Result<PathBuf> {
        let package = self.package;
        project::run(
            project::cargo().args(["build", "--quiet", "--bin", package]).args(self.settings()),
            &format!("compiling {package} to WebAssembly"),
        )?;
        Ok(project::target().join(format!("{}/wasm/{package}.wasm", project::WASM_TARGET)))
    }
}

/// Generates a module's JavaScript with wasm-bindgen.
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
    let script = output.join(module.package).with_extension("js");
    let text = String::from_utf8(files::read(&script)?)?;
    fs::write(&script, names.script(&text))
        .with_context(|| format!("writing {}", script.display()))?;
    files.add_folder(&output)
}

/// Adds the texts of each language, which the page fetches separately.
fn languages(files: &mut Files) -> Result<()> {
    let folder = project::root().join("web/locales");
    let texts = texts::lines(&folder.to_string_lossy(), true);
    for (language, [first, later]) in texts.map_err(anyhow::Error::from_boxed)? {
        files.add(format!("texts.{language}.txt"), first)?;
        files.add(format!("later.{language}.txt"), later)?;
    }
    Ok(())
}

/// The marker of SIMD in a module's feature section: a sign, the length of the name, and the name.
const USES_SIMD: &[u8] = b"+\x07simd128";

/// Fails if the main module uses SIMD. The module must start in browsers that are too old for the
/// worker, because it shows the message about them.
fn check_without_simd(compiled: &Path) -> Result<()> {
    let module = files::read(compiled)?;
    if module.windows(USES_SIMD.len()).any(|bytes| bytes == USES_SIMD) {
        bail!(
            "{} uses SIMD; only the worker may, so that the page starts everywhere",
            PAGE.package
        );
    }
    Ok(())
}
