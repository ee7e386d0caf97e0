//! The page of a release: its main module is split in two, and most files have a compressed copy, which
//! `queens serve` sends to browsers that accept it.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use brotli::enc::BrotliEncoderParams;
use rayon::prelude::*;
use xtask::page::{self, Files};
use xtask::{project, tools};

use crate::split;

/// More arguments of cargo: the main module can be split.
const SETTINGS: &str = "--features queens-web/split";

/// Builds the page in both folders and returns the files of the static site. `address` is the address at
/// which the site will be served, if known.
pub fn build(address: Option<&str>) -> Result<Files> {
    tools::need_target(project::WASM_TARGET)?;
    let compiled = page::compile(page::RELEASED, SETTINGS)?;
    let module = |package: &str| compiled.join(package).with_extension("wasm");
    let [main, workers @ ..] = page::PACKAGES;
    check_without_simd(&module(main))?;
    let mut files = Files::new();
    page::bind(main, &split::split_module(&module(main), main, &mut files)?, &mut files)?;
    for worker in workers {
        page::bind(worker, &module(worker), &mut files)?;
    }
    page::index::add(&mut files)?;
    page::write(&with_compressed_copies(&files)?, &page::released_folder())?;
    let site = page::site::build(files, address)?;
    page::write(&site, &page::released_site_folder())?;
    Ok(site)
}

/// The marker of SIMD in a module's feature section: a sign, the length of the name, and the name.
const USES_SIMD: &[u8] = b"+\x07simd128";

/// Fails if the main module uses SIMD. The module must start in browsers that are too old for the
/// worker, because it shows the message about them.
fn check_without_simd(module: &Path) -> Result<()> {
    ensure!(
        !page::read(module)?.windows(USES_SIMD.len()).any(|bytes| bytes == USES_SIMD),
        "{} uses SIMD; only the workers may, so that the page starts everywhere",
        module.display()
    );
    Ok(())
}

/// Returns these files and a copy of each that Brotli makes smaller, with `.br` appended to its name.
fn with_compressed_copies(files: &Files) -> Result<Files> {
    let copies = files.par_iter().map(|(name, content)| Ok((name, compress(content)?)));
    let mut all = files.clone();
    for (name, copy) in copies.collect::<Result<Vec<_>>>()? {
        if copy.len() < files[name].len() {
            all.insert(format!("{name}.br"), copy);
        }
    }
    Ok(all)
}

/// Compresses at Brotli's highest quality, because files are built once and downloaded often.
fn compress(content: &[u8]) -> Result<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: content.len(),
        ..BrotliEncoderParams::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*content, &mut compressed, &parameters)
        .context("brotli failed")?;
    Ok(compressed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_brotli_makes_smaller_have_a_compressed_copy() {
        let text = "queens ".repeat(1000);
        let [html, picture] = [("index.html", text.as_str()), ("preview.png", "dense")]
            .map(|(name, content)| (name.to_owned(), content.into()));
        let all = with_compressed_copies(&Files::from([html, picture])).unwrap();
        assert!(all.keys().eq(["index.html", "index.html.br", "preview.png"]));
        let compressed = &all["index.html.br"];
        assert!(compressed.len() < 100, "{} bytes", compressed.len());
        let mut back = Vec::new();
        brotli::BrotliDecompress(&mut compressed.as_slice(), &mut back).unwrap();
        assert_eq!(back, text.as_bytes());
    }
}
