//! Accessibility checks of the page with axe-core, a script from npm.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Browser;
use crate::process::target_folder;

/// The script as `cargo xtask test --install` installs it, below cargo's target folder.
const SCRIPT: &str = "axe-core/node_modules/axe-core/axe.min.js";

/// The maximum number of attempts to check a page. A check restarts if the page has replaced one of the
/// elements to check. The last attempt leaves such elements out, because a page that plays a search always
/// replaces some.
const ATTEMPTS: u32 = 5;

/// Script that waits until all animations have ended, because colours and positions are final
/// only then. It waits at most a second, because some animations never end.
const WAIT: &str = "
    const done = arguments[0];
    const moving = document.getAnimations().filter(({ playState }) => playState === 'running');
    const ends = Promise.allSettled(moving.map(({ finished }) => finished));
    const limit = new Promise((resolve) => setTimeout(resolve, 1000));
    Promise.race([ends, limit]).then(() => done());";

/// Script that returns a line for each violation. Without `targets`, it checks all default rules of
/// axe-core in the first element of each of the given `kinds`. With `targets`, it checks only the
/// rule about the size of click targets, in the whole page except for elements that a fixed bar
/// currently covers. If the page has replaced one of the elements in the meantime, returns `null`, or leaves the
/// element out on the last attempt.
const CHECK: &str = "
    const [targets, kinds, isLastAttempt, done] = arguments;
    const rules = targets && { runOnly: { type: 'rule', values: ['target-size'] } };
    // Reading the HTML of thousands of elements is slow, so the code below does it only for faulty ones.
    axe.configure({ noHtml: true });
    const found = kinds.map((kind) => window.firstOfKind.get(kind));
    const first = found.filter((element) => element.isConnected);
    if (first.length < found.length && !isLastAttempt) return done(null);
    if (first.length === 0 && !targets) return done([]);
    const isOutermost = (element) => !first.some((other) => other !== element && other.contains(element));
    const part = targets ? document : first.filter(isOutermost);
    const bars = targets ? [...document.querySelectorAll('.top-bar, .transport')] : [];
    const isCovered = (element) => bars.some((bar) => {
        const [{ top, bottom }, at] = [element, bar].map((each) => each.getBoundingClientRect());
        return !bar.contains(element) && bottom > at.top - 24 && top < at.bottom + 24;
    });
    axe.run(part, {
        resultTypes: ['violations'], preload: false, elementRef: true, selectors: false, ...rules,
    }).then(
        ({ violations }) => done(violations.map(({ id, help, nodes }) => ({
            id, help, nodes: nodes.filter(({ element }) => !isCovered(element)),
        })).filter(({ nodes }) => nodes.length > 0).map(({ id, help, nodes }) =>
            `${id}: ${help}: ` + nodes.slice(0, 5).map(({ element, any }) =>
                element.outerHTML.slice(0, 200) + any.map(({ message }) => ` (${message})`).join('')
            ).join('; '))),
        (error) => done([`axe-core failed: ${error}`]));";

/// Script that returns a hash (cyrb53) for each kind of element on the page, and stores the first
/// element of each kind in the page. Two elements are of the same kind if they have the same name and the
/// same attributes, both or neither contain text, their ancestors are of the same kinds, and the window has
/// a similar size and the same media features. Digits in attributes are ignored, and so are the values of
/// attributes that do not affect the style, such as `title`. axe-core gives the same result for all elements
/// of a kind.
const KINDS: &str = "
    const hash = (above, text) => {
        let [a, b] = [0xdeadbeef ^ (above % 4294967296), 0x41c6ce57 ^ (above / 4294967296)];
        for (let at = 0; at < text.length; at++) {
            const code = text.charCodeAt(at);
            a = Math.imul(a ^ code, 2654435761);
            b = Math.imul(b ^ code, 1597334677);
        }
        a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
        b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
        return 4294967296 * (2097151 & b) + (a >>> 0);
    };
    const isText = /^(d|points|transform|id|href|src|title|value|for|aria-(label|labelledby|describedby|controls|valuetext))$/;
    const first = window.firstOfKind = new Map();
    const visit = (element, above) => {
        const attributes = [...element.attributes].map(({ name, value }) =>
            isText.test(name) ? `${name} ${value !== ''}` : `${name} ${value.replace(/[0-9]+/g, 0)}`);
        const hasText = [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
        const kind = hash(above, [element.localName, hasText, ...attributes.sort()].join());
        if (!first.has(kind)) first.set(kind, element);
        for (const child of element.children) visit(child, kind);
    };
    // The page's layouts differ most at 40, 60 and 120 rem, and in low windows.
    const sizes = [innerWidth > 640, innerWidth >= 960, innerWidth >= 1920, innerHeight > 640].map(Number);
    const queries = ['prefers-color-scheme: dark', 'forced-colors: active', 'pointer: coarse',
        'prefers-reduced-motion: reduce', 'prefers-contrast: more'];
    const media = ['print', ...queries.map((query) => `(${query})`)].map((query) => matchMedia(query).matches);
    visit(document.documentElement, hash(0, [...sizes, ...media].join()));
    return [...first.keys()];";

/// The axe-core script, read once for all tests, and the kinds of elements that have passed. A check takes a
/// second, and most pages in the tests contain no new kinds.
#[derive(Debug, Clone)]
pub(super) struct Axe {
    script: Arc<str>,
    accepted: Arc<Mutex<HashSet<u64>>>,
}

impl Axe {
    /// Loads the axe-core script. Returns `None` if axe-core is not installed.
    pub fn find() -> Result<Option<Axe>> {
        let path = script_path()?;
        if !path.is_file() {
            return Ok(None);
        }
        let script = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Ok(Some(Axe { script: script.into(), accepted: Arc::default() }))
    }
}

fn script_path() -> Result<PathBuf> {
    Ok(target_folder()?.join(SCRIPT))
}

impl Browser {
    /// Fails if axe-core finds an accessibility problem in the current page. Without axe-core this
    /// checks nothing, and tests that only check accessibility are ignored.
    ///
    /// Every page of a test is checked: before [`goto`](Browser::goto) leaves it, before each
    /// screenshot and at the end of the test.
    pub async fn assert_accessible(&self) -> Result<()> {
        self.check_page(false).await
    }

    /// Fails if two targets are so small and so close together that a user may hit the wrong one.
    /// Only for pages that have not been scrolled, because the check is unreliable for elements
    /// outside the window.
    pub async fn assert_targets_apart(&self) -> Result<()> {
        self.check_page(true).await
    }

    /// Checks the rule about click targets if `targets` is true, otherwise all default rules.
    async fn check_page(&self, targets: bool) -> Result<()> {
        let Some(Axe { script, accepted }) = &self.axe else { return Ok(()) };
        if !self.client.current_url().await?.as_str().starts_with(&self.base) {
            return Ok(());
        }
        let accepted = || accepted.lock().unwrap_or_else(PoisonError::into_inner);
        self.client.execute_async(WAIT, vec![]).await.context("waiting for animations")?;
        for attempt in 1..=ATTEMPTS {
            let is_last_attempt = attempt == ATTEMPTS;
            let kinds: Vec<u64> = serde_json::from_value(self.script(KINDS, &[]).await?)?;
            let new: Vec<_> = {
                let accepted = accepted();
                kinds.into_iter().filter(|kind| !accepted.contains(kind)).collect()
            };
            if new.is_empty() && !targets {
                return Ok(());
            }
            let is_loaded = self.script("return window.axe !== undefined;", &[]).await?;
            if is_loaded != Value::Bool(true) {
                self.client.execute(script, vec![]).await.context("loading axe-core")?;
            }
            let arguments = vec![targets.into(), new.clone().into(), is_last_attempt.into()];
            let violations = self.client.execute_async(CHECK, arguments).await;
            match violations.context("running axe-core")? {
                Value::Null => {}
                Value::Array(violations) if violations.is_empty() => {
                    if !targets && !is_last_attempt {
                        accepted().extend(new);
                    }
                    return Ok(());
                }
                violations => {
                    let address = self.address().await?;
                    bail!("axe-core reports violations on {address}: {violations:#}")
                }
            }
        }
        bail!("{} changes too fast for axe-core", self.address().await?)
    }
}
