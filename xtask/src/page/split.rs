//! Takes a module apart: what the first view does without is a module of its own, which shares the
//! first one's memory and is fetched when another view is opened (web/src/app/later.rs).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use sha2::{Digest, Sha256};
use walrus::ModuleConfig;
use wasm_split_cli_support::{Options, transform};

use super::files::{Files, read};
use super::script;
use crate::project;

/// The script that fetches the later part.
const SCRIPT: &str = "split.js";

/// Adds the part of a module that is fetched later, and the script that does so; returns the path of
/// the rest, whose script is going to have the name `rest`.
pub fn first(compiled: &Path, rest: &str, files: &mut Files) -> Result<PathBuf> {
    let folder = project::target().join("wasm-split");
    let first = folder.join(rest).with_extension("wasm");
    let whole = read(compiled)?;
    let (link, main) = (format!("./{SCRIPT}"), format!("./{rest}.js"));
    let mut options = Options::new(&whole);
    options.output_dir = &folder;
    options.main_out_path = &first;
    options.link_name = &link;
    options.main_module = &main;
    let parts = transform(options)
        .map_err(|error| anyhow!("{error:#}"))
        .with_context(|| format!("could not split {}", compiled.display()))?;
    let mut text = String::from_utf8(read(&folder.join(SCRIPT))?)?;
    // A part fits the module that it was taken from and no other, so a page that was opened before
    // a newer one came must not find the newer one's part.
    let build: String =
        Sha256::digest(&whole).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    for part in parts.split_modules {
        let name = part.file_name().context("a part has a name")?.to_string_lossy().into_owned();
        let named = name.replace(".wasm", &format!(".{build}.wasm"));
        text = replaced(&text, &name, &named)?;
        files.add(named, small(&part)?)?;
    }
    text = replaced(&text, STREAMED, FETCHED)?;
    files.add(SCRIPT, script::Names::default().script(&text))?;
    Ok(first)
}

/// How the tool's script makes a part ready: only if its host says that it is WebAssembly, which not
/// every host of static files does.
const STREAMED: &str = "WebAssembly.instantiateStreaming(src, imports)";

/// How ours does: whatever the host says, but nothing that it answers instead of the part.
const FETCHED: &str = "src.then(async (part) => {
if (!part.ok) throw new Error(`${part.url}: ${part.status}`);
return WebAssembly.instantiate(await part.arrayBuffer(), imports);
})";

fn replaced(text: &str, from: &str, to: &str) -> Result<String> {
    ensure!(text.contains(from), "{SCRIPT} does not have {from}");
    Ok(text.replace(from, to))
}

/// A part as small as it can be written: the linker leaves room in it for other numbers.
fn small(part: &Path) -> Result<Vec<u8>> {
    let mut config = ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    let module = config.parse_file(part);
    Ok(module.with_context(|| format!("could not read {}", part.display()))?.emit_wasm())
}
