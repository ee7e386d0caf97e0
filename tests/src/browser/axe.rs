//! Accessibility: the page as axe-core, a script from npm, judges it.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Browser;
use crate::process::target_folder;

/// Where `cargo xtask test --install` puts the script, below cargo's target folder.
const SCRIPT: &str = "axe-core/node_modules/axe-core/axe.min.js";

/// Judges the page and hands back one line for each violation of the rules: all that axe-core has
/// by itself, or that of the size of targets, but for what a bar covers at this moment.
const JUDGE: &str = "
    const [targets, done] = arguments;
    const rules = targets && { runOnly: { type: 'rule', values: ['target-size'] } };
    // Of thousands of elements, only those with faults are written down.
    axe.configure({ noHtml: true });
    const bars = targets ? [...document.querySelectorAll('.top-bar, .transport, .tour')] : [];
    const isCovered = (element) => bars.some((bar) => {
        const [{ top, bottom }, at] = [element, bar].map((each) => each.getBoundingClientRect());
        return !bar.contains(element) && bottom > at.top - 24 && top < at.bottom + 24;
    });
    axe.run(document, {
        resultTypes: ['violations'], preload: false, elementRef: true, selectors: false, ...rules,
    }).then(
        ({ violations }) => done(violations.map(({ id, help, nodes }) => ({
            id, help, nodes: nodes.filter(({ element }) => !isCovered(element)),
        })).filter(({ nodes }) => nodes.length > 0).map(({ id, help, nodes }) =>
            `${id}: ${help}: ` + nodes.slice(0, 5).map(({ element, any }) =>
                element.outerHTML.slice(0, 200) + any.map(({ message }) => ` (${message})`).join('')
            ).join('; '))),
        (error) => done([`axe-core failed: ${error}`]));";

/// The script, read once for all tests.
#[derive(Debug, Clone)]
pub(super) struct Axe(Arc<str>);

impl Axe {
    /// The script, if it is installed.
    pub fn find() -> Result<Option<Axe>> {
        let path = path()?;
        if !path.is_file() {
            return Ok(None);
        }
        let script = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Ok(Some(Axe(script.into())))
    }
}

fn path() -> Result<PathBuf> {
    Ok(target_folder()?.join(SCRIPT))
}

impl Browser {
    /// Fails if axe-core finds anything in the page as it is now that hinders people who cannot
    /// see it well or use no mouse. Without axe-core nothing is judged; the tests that are about
    /// nothing else are ignored then.
    ///
    /// Whatever a test sees is judged this way: each page before the test leaves it, each that
    /// it takes a picture of, and the last.
    pub async fn assert_accessible(&self) -> Result<()> {
        self.judge(false).await
    }

    /// Fails if two targets are so small and so near to each other that one may take the wrong one.
    /// For pages that have not been scrolled: what is out of sight is not judged rightly.
    pub async fn assert_targets_apart(&self) -> Result<()> {
        self.judge(true).await
    }

    async fn judge(&self, targets: bool) -> Result<()> {
        let Some(Axe(script)) = &self.axe else { return Ok(()) };
        if !self.client.current_url().await?.as_str().starts_with(&self.base) {
            return Ok(());
        }
        let is_there = self.script("return window.axe !== undefined;", &[]).await?;
        if is_there != Value::Bool(true) {
            self.client.execute(script, vec![]).await.context("giving axe-core to the page")?;
        }
        let violations =
            self.client.execute_async(JUDGE, vec![targets.into()]).await.context("axe-core")?;
        match violations.as_array() {
            Some(violations) if violations.is_empty() => Ok(()),
            _ => bail!("axe-core on {}: {violations:#}", self.address().await?),
        }
    }
}
