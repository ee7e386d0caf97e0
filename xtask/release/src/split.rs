//! Splits a WebAssembly module in two. The second module has the code that the first view does not need. It
//! shares the memory of the first one and is fetched once the page has started (web/src/app/later.rs), or along with
//! the first one if the page opens with another view (web/start.js).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use sha2::{Digest, Sha256};
use walrus::ModuleConfig;
use wasm_split_cli_support::{Options, transform};
use xtask::page::script::Names;
use xtask::page::{Files, read, read_text};
use xtask::project;

/// The script that fetches the second part.
const SCRIPT: &str = "split.js";

/// Adds the second part of a package's module, and the script that fetches it. Returns the path of the first
/// part, whose script will have the package's name.
pub fn split_module(compiled: &Path, package: &str, files: &mut Files) -> Result<PathBuf> {
    let folder = project::target().join("wasm-split");
    let first = folder.join(package).with_extension("wasm");
    let whole = read(compiled)?;
    let (link, main) = (format!("./{SCRIPT}"), format!("./{package}.js"));
    let mut options = Options::new(&whole);
    options.output_dir = &folder;
    options.main_out_path = &first;
    options.link_name = &link;
    options.main_module = &main;
    let parts = transform(options)
        .map_err(|error| anyhow!("{error:#}"))
        .with_context(|| format!("could not split {}", compiled.display()))?;
    let mut text = read_text(&folder.join(SCRIPT))?;
    // A part fits only the module from which it was split. The build's hash in its name ensures
    // that an open page does not load the part of a newer build.
    let build: String =
        Sha256::digest(&whole).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let [part] = &parts.split_modules[..] else { bail!("{package} was not split in two") };
    let name = part.file_name().context("a part has no name")?.to_string_lossy().into_owned();
    let named = name.replace(".wasm", &format!(".{build}.wasm"));
    files.insert(named.clone(), reencode(part)?);
    let fetch = |name: &str| format!("fetch(new URL(\"./{name}\", import.meta.url))");
    text = replaced(&text, &format!("{};", fetch(&name)), REQUESTED)?;
    text = replaced(&text, STREAMED, FETCHED)?;
    text += &EARLY.replace("FETCH", &fetch(&named));
    files.insert(SCRIPT.to_owned(), Names::default().script(&text).into());
    Ok(first)
}

/// Code that requests the second part early. start.js calls `fetchEarly` if the page opens with a view that needs it.
const EARLY: &str = "
const fetchPart = () => FETCH;
let early;
export const fetchEarly = () => {
early = fetchPart();
early.catch(() => {});
};
";

/// The replacement of the request in wasm-split's script. It uses the early request only once, so that a retry sends
/// a new one.
const REQUESTED: &str = "early ?? fetchPart();
early = undefined;";

/// The code with which wasm-split's script loads a part. It requires the media type `application/wasm`,
/// which not every static host sends.
const STREAMED: &str = "WebAssembly.instantiateStreaming(src, imports)";

/// The replacement of [`STREAMED`], which ignores the media type but rejects error responses.
const FETCHED: &str = "src.then(async (part) => {
if (!part.ok) throw new Error(`${part.url}: ${part.status}`);
return WebAssembly.instantiate(await part.arrayBuffer(), imports);
})";

fn replaced(text: &str, from: &str, to: &str) -> Result<String> {
    ensure!(text.contains(from), "{SCRIPT} does not contain {from}");
    Ok(text.replace(from, to))
}

/// Re-encodes a part compactly, because the linker pads its numbers.
fn reencode(part: &Path) -> Result<Vec<u8>> {
    let mut config = ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    let module = config.parse_file(part);
    Ok(module.with_context(|| format!("could not read {}", part.display()))?.emit_wasm())
}
