//! The actions and queries of browser tests.

use std::fmt::Debug;
use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use base64::prelude::{BASE64_STANDARD, Engine};
use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::wd::TimeoutConfiguration;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use super::axe::Axe;
use super::emulation::{Devtools, Log};
use crate::process::target_folder;

/// The timeout of functions that wait. It is long because the machine may be busy; it costs nothing
/// where the awaited element is already present.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A browser window with the page.
#[derive(Debug, Clone)]
pub struct Browser {
    pub(super) client: Client,
    pub(super) base: String,
    /// Whether the page has a server. If not, its requests to `/api/v1/` fail, and `console`
    /// ignores the messages about them.
    has_server: bool,
    /// Checks the accessibility of pages; `None` if axe-core is not installed.
    pub(super) axe: Option<Axe>,
}

impl Browser {
    /// Prepares an open browser for a test of the page at the address `base`: sets the timeouts and the
    /// window size.
    pub(super) async fn new(
        client: Client,
        base: String,
        has_server: bool,
        axe: Option<Axe>,
    ) -> Result<Self> {
        // axe-core is slow on large boards, and slower on a busy machine.
        let script = Some(TIMEOUT * 3);
        let timeouts = TimeoutConfiguration::new(script, Some(TIMEOUT), None);
        client.update_timeouts(timeouts).await?;
        let browser = Self { client, base, has_server, axe };
        browser.focus_window().await?;
        browser.set_size(1280, 800).await?;
        Ok(browser)
    }

    /// The server's base address, for `queens count --post`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The WebDriver client, for actions without a helper here.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Checks the accessibility of the current page, then opens a path of the server, such as
    /// `?view=solutions&n=8`.
    pub async fn goto(&self, path: &str) -> Result<()> {
        self.assert_accessible().await?;
        let url = format!("{}/{}", self.base, path.trim_start_matches('/'));
        self.client.goto(&url).await.with_context(|| format!("opening {url}"))
    }

    /// The current address after the server's base address, `/?…`.
    pub async fn address(&self) -> Result<String> {
        let url = self.client.current_url().await?.to_string();
        Ok(url.strip_prefix(&self.base).unwrap_or(&url).to_owned())
    }

    /// Waits until an element matches `selector`.
    pub async fn wait_for(&self, selector: &str) -> Result<Element> {
        self.client
            .wait()
            .at_most(TIMEOUT)
            .every(Duration::from_millis(25))
            .for_element(Locator::Css(selector))
            .await
            .with_context(|| format!("waiting for {selector}"))
    }

    /// Waits until the text of the first element of `selector` contains `needle`.
    pub async fn wait_for_text(&self, selector: &str, needle: &str) -> Result<()> {
        self.wait_until(
            &format!("the text of {selector} to contain {needle:?}"),
            async || Ok(self.texts(selector).await?.into_iter().next()),
            |text| text.as_ref().is_some_and(|text| text.contains(needle)),
        )
        .await
        .map(drop)
    }

    /// Waits until `selector` matches exactly `count` elements.
    pub async fn wait_for_count(&self, selector: &str, count: usize) -> Result<()> {
        self.wait_until(
            &format!("{count} elements {selector}"),
            async || self.count(selector).await,
            |found| *found == count,
        )
        .await
        .map(drop)
    }

    /// Repeats `query` until `is_expected` accepts the answer, and returns that answer. `what` names
    /// the awaited state in error messages.
    pub async fn wait_until<T: Debug, F>(
        &self,
        what: &str,
        query: impl Fn() -> F,
        is_expected: impl Fn(&T) -> bool,
    ) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let end = Instant::now() + TIMEOUT;
        loop {
            let answer = query().await?;
            if is_expected(&answer) {
                return Ok(answer);
            }
            if Instant::now() > end {
                bail!("timed out waiting for {what}; found {answer:?}");
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }

    /// Waits for twenty animation frames, so that pending changes appear. Call this before
    /// asserting that the page no longer changes.
    pub async fn settle(&self) -> Result<()> {
        let draw = "const done = arguments[0];
            let left = 20;
            const next = () => left-- > 0 ? requestAnimationFrame(next) : done();
            next();";
        self.client.execute_async(draw, vec![]).await.context("waiting for frames")?;
        Ok(())
    }

    /// The number of elements that `selector` matches now.
    pub async fn count(&self, selector: &str) -> Result<usize> {
        Ok(self.client.find_all(Locator::Css(selector)).await?.len())
    }

    /// The trimmed text content of every element that `selector` matches now, including hidden
    /// elements.
    pub async fn texts(&self, selector: &str) -> Result<Vec<String>> {
        let found = self
            .script(
                "return [...document.querySelectorAll(arguments[0])]
                     .map((element) => element.textContent.trim());",
                &[json!(selector)],
            )
            .await?;
        Ok(strings(&found))
    }

    /// The text content of the only element that `selector` matches.
    pub async fn text(&self, selector: &str) -> Result<String> {
        self.wait_for(selector).await?;
        let mut texts = self.texts(selector).await?;
        match texts.len() {
            1 => Ok(texts.remove(0)),
            found => bail!("{selector} matches {found} elements instead of one"),
        }
    }

    /// An attribute of every element that `selector` matches now, or an empty string for elements
    /// without it.
    pub async fn attributes(&self, selector: &str, name: &str) -> Result<Vec<String>> {
        let found = self
            .script(
                "return [...document.querySelectorAll(arguments[0])]
                     .map((element) => element.getAttribute(arguments[1]) ?? '');",
                &[json!(selector), json!(name)],
            )
            .await?;
        Ok(strings(&found))
    }

    /// The left, upper, right and lower edges of an element in the window, in pixels.
    pub async fn edges(&self, selector: &str) -> Result<[f64; 4]> {
        self.wait_for(selector).await?;
        let edges = "const { left, top, right, bottom } =
                 document.querySelector(arguments[0]).getBoundingClientRect();
             return [left, top, right, bottom];";
        self.numbers(edges, &[json!(selector)]).await
    }

    /// Waits for an element and moves the mouse over it.
    pub async fn hover(&self, selector: &str) -> Result<()> {
        let element = self.wait_for(selector).await?;
        let pointer = PointerAction::MoveToElement { element, duration: None, x: 0.0, y: 0.0 };
        let mouse = MouseActions::new("mouse".to_owned()).then(pointer);
        let moved = self.client().perform_actions(mouse).await;
        moved.with_context(|| format!("pointing at {selector}"))
    }

    /// Waits for an element and clicks it.
    pub async fn click(&self, selector: &str) -> Result<()> {
        let element = self.wait_for(selector).await?;
        if element.click().await.is_ok() {
            return Ok(());
        }
        // The fixed bar may cover the element. Scroll it to the middle, as a user would.
        let centre = "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' });";
        self.script(centre, &[json!(selector)]).await?;
        element.click().await.with_context(|| format!("clicking {selector}"))
    }

    /// Opens the settings, chooses one of their radio buttons, and closes them.
    pub async fn choose_setting(&self, radio: &str) -> Result<()> {
        self.click("#settings-open").await?;
        self.click(radio).await?;
        self.click("#settings-open").await
    }

    /// Focuses an element, as the Tab key would.
    pub async fn focus(&self, selector: &str) -> Result<()> {
        self.wait_for(selector).await?;
        self.script("document.querySelector(arguments[0]).focus();", &[json!(selector)])
            .await
            .map(drop)
    }

    /// Types into the focused element. [`Key::Control`] is held until [`Key::Null`].
    pub async fn type_keys(&self, keys: &str) -> Result<()> {
        let keyboard = KeyActions::new("keyboard".to_owned());
        let strokes = keys.chars().fold(keyboard, |strokes, key| {
            let (down, up) = (KeyAction::Down { value: key }, KeyAction::Up { value: key });
            let [control, shift] = [Key::Control, Key::Shift].map(char::from);
            if key == control {
                strokes.then(down)
            } else if key == char::from(Key::Null) {
                strokes.then(KeyAction::Up { value: control })
            } else if key.is_ascii_uppercase() {
                let strokes = strokes.then(KeyAction::Down { value: shift }).then(down).then(up);
                strokes.then(KeyAction::Up { value: shift })
            } else {
                strokes.then(down).then(up)
            }
        });
        self.client.perform_actions(strokes).await.with_context(|| format!("typing {keys:?}"))
    }

    /// Presses a key that is not a letter, such as [`Key::Right`].
    pub async fn press(&self, key: Key) -> Result<()> {
        self.type_keys(&char::from(key).to_string()).await
    }

    /// Presses a key while Shift is held.
    pub async fn press_with_shift(&self, key: Key) -> Result<()> {
        let [shift, key] = [Key::Shift, key].map(char::from);
        let strokes = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: shift })
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key })
            .then(KeyAction::Up { value: shift });
        self.client.perform_actions(strokes).await.context("pressing a key with Shift")
    }

    /// Presses Tab until the element of `selector` has the focus. Fails if its focus is not
    /// visible.
    pub async fn tab_to(&self, selector: &str) -> Result<()> {
        // If the element has the focus, returns whether the focus is visible. Otherwise returns the
        // number of Tabs to the element, or to the end of the page. The number may be too large, so after
        // the first attempt only half as many Tabs are typed: otherwise the focus could jump over the
        // element forever.
        const FOCUS: &str = "
            const focused = document.activeElement;
            if (!focused.matches(arguments[0])) {
                const stops = [...document.querySelectorAll(
                    'a[href], button, input, select, textarea, summary, [tabindex]')]
                    .filter((each) => each.tabIndex >= 0 && !each.disabled
                        && each.checkVisibility({ visibilityProperty: true }));
                const from = stops.indexOf(focused);
                if (from < 0) return 1;
                const to = stops.findIndex((each, at) => at > from && each.matches(arguments[0]));
                return (to < 0 ? stops.length : to) - from;
            }
            const ring = focused.querySelector(':scope > .focus') ?? focused;
            const { outlineStyle, outlineWidth, stroke, strokeWidth } = getComputedStyle(ring);
            return ring === focused
                ? outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
                : stroke !== 'none' && parseFloat(strokeWidth) >= 2;";
        self.wait_for(selector).await?;
        let (mut left, mut factor) = (250, 1);
        while left > 0 {
            match self.script(FOCUS, &[json!(selector)]).await? {
                Value::Bool(true) => return Ok(()),
                Value::Bool(false) => bail!("the focus on {selector} is not visible"),
                tabs => {
                    let tabs = (tabs.as_u64().unwrap_or(1) / factor).clamp(1, left);
                    self.type_keys(&char::from(Key::Tab).to_string().repeat(tabs as usize)).await?;
                    left -= tabs;
                    factor = 2;
                }
            }
        }
        bail!("Tab does not reach {selector}")
    }

    /// Replaces the text of an input field.
    pub async fn fill(&self, selector: &str, text: &str) -> Result<()> {
        let field = self.wait_for(selector).await?;
        let all = format!("{}a{}", char::from(Key::Control), char::from(Key::Null));
        field.send_keys(&all).await?;
        let keys =
            if text.is_empty() { char::from(Key::Delete).to_string() } else { text.to_owned() };
        field.send_keys(&keys).await.with_context(|| format!("filling {selector} with {text:?}"))
    }

    /// Selects the option with this value in a `<select>`.
    pub async fn choose(&self, selector: &str, value: &str) -> Result<()> {
        let list = self.wait_for(selector).await?;
        list.select_by_value(value)
            .await
            .with_context(|| format!("choosing {value:?} in {selector}"))
    }

    /// Sets a slider to a value; the browser limits it to the slider's range.
    pub async fn slide(&self, selector: &str, to: u64) -> Result<()> {
        self.wait_for(selector).await?;
        self.script(
            "const slider = document.querySelector(arguments[0]);
             slider.value = arguments[1];
             slider.dispatchEvent(new InputEvent('input', { bubbles: true }));",
            &[json!(selector), json!(to)],
        )
        .await
        .map(drop)
    }

    /// Selects a file in the file input of `selector`.
    pub async fn upload(&self, selector: &str, file: &Path) -> Result<()> {
        let picker = self.wait_for(selector).await?;
        let path = fs::canonicalize(file).with_context(|| file.display().to_string())?;
        picker
            .send_keys(&path.display().to_string())
            .await
            .with_context(|| format!("giving {} to {selector}", path.display()))
    }

    /// Drops a file with this name and content on the element.
    pub async fn drop_file(&self, selector: &str, name: &str, content: &str) -> Result<()> {
        self.wait_for(selector).await?;
        self.script(
            "const [selector, name, content] = arguments;
             const dataTransfer = new DataTransfer();
             dataTransfer.items.add(new File([content], name, { type: 'application/json' }));
             for (const kind of ['dragenter', 'dragover', 'drop']) {
                 document.querySelector(selector).dispatchEvent(
                     new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
             }",
            &[json!(selector), json!(name), json!(content)],
        )
        .await
        .map(drop)
    }

    /// Runs JavaScript in the page and returns its result. Replaces no-break spaces in the result
    /// with plain spaces and removes U+2060, because only layout tests check line breaks.
    pub async fn script(&self, source: &str, arguments: &[Value]) -> Result<Value> {
        self.client
            .execute(source, arguments.to_vec())
            .await
            .map(with_plain_spaces)
            .with_context(|| format!("running {source}"))
    }

    /// Runs JavaScript in the page that returns `COUNT` numbers.
    pub async fn numbers<const COUNT: usize>(
        &self,
        source: &str,
        arguments: &[Value],
    ) -> Result<[f64; COUNT]> {
        let found = self.script(source, arguments).await?;
        let numbers = serde_json::from_value::<Vec<f64>>(found.clone()).ok();
        let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
        numbers.with_context(|| format!("{found} instead of {COUNT} numbers"))
    }

    /// Runs a script in each page opened from now on, before the page's own scripts. Returns the script's id.
    pub async fn add_script(&self, source: &str) -> Result<String> {
        let script = json!({ "source": source });
        let added = self.devtools("Page.addScriptToEvaluateOnNewDocument", script).await?;
        Ok(added["identifier"].as_str().unwrap_or_default().to_owned())
    }

    /// Removes a script that [`add_script`](Self::add_script) added.
    pub async fn remove_script(&self, id: &str) -> Result<()> {
        let script = json!({ "identifier": id });
        self.devtools("Page.removeScriptToEvaluateOnNewDocument", script).await.map(drop)
    }

    /// Pastes a text into the page, outside of any field.
    pub async fn paste(&self, text: &str) -> Result<()> {
        let paste = "const clipboardData = new DataTransfer();
            clipboardData.setData('text/plain', arguments[0]);
            document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));";
        self.script(paste, &[json!(text)]).await.map(drop)
    }

    /// Checks the accessibility of the page, then saves a screenshot of the window as
    /// `target/screenshots/<name>.png`.
    pub async fn screenshot(&self, name: &str) -> Result<PathBuf> {
        self.assert_accessible().await?;
        self.unchecked_screenshot(name).await
    }

    /// Checks the accessibility of the page, then saves a screenshot of the whole page, including
    /// the part below the window.
    pub async fn whole_screenshot(&self, name: &str) -> Result<PathBuf> {
        self.assert_accessible().await?;
        let whole = json!({ "captureBeyondViewport": true, "clip": self.page_area().await? });
        let picture = self.devtools("Page.captureScreenshot", whole).await?;
        let picture = BASE64_STANDARD.decode(picture["data"].as_str().unwrap_or_default())?;
        save(name, &picture)
    }

    /// Prints the page, saves it as `target/screenshots/<name>.pdf` and returns its number of pages. Fails if the
    /// file is too large to be sent to a class.
    pub async fn print(&self, name: &str) -> Result<usize> {
        let printed = self.devtools("Page.printToPDF", json!({})).await?;
        let pdf = BASE64_STANDARD.decode(printed["data"].as_str().unwrap_or_default())?;
        let path = save(name, &pdf)?;
        fs::rename(&path, path.with_extension("pdf"))?;
        ensure!(pdf.len() < 500_000, "{name}: {} bytes", pdf.len());
        // Each page is an object of the type Page. The type Pages belongs to the tree of pages.
        let text = String::from_utf8_lossy(&pdf);
        Ok(text.matches("/Type /Page\n").count())
    }

    /// The area of the whole page.
    async fn page_area(&self) -> Result<Value> {
        // A screenshot shows no scroll bar, so the area includes the bar's width.
        let sides = "const { scrollHeight: height } = document.documentElement;
                     return { x: 0, y: 0, width: innerWidth, height, scale: 1 };";
        self.script(sides, &[]).await
    }

    /// Saves a screenshot of the window without checking the page.
    pub(super) async fn unchecked_screenshot(&self, name: &str) -> Result<PathBuf> {
        save(name, &self.client.screenshot().await?)
    }

    /// Returns the warnings and errors that the console has received since the last call, except for
    /// messages about a missing GPU, and about a missing server in tests without a server.
    pub async fn console(&self) -> Result<Vec<String>> {
        let entries = self.client.issue_cmd(Log::CONSOLE).await?;
        let entries = entries.as_array().cloned().unwrap_or_default();
        Ok(entries
            .iter()
            .filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING")
            .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
            .filter(|message| !NO_GPU.iter().any(|no_gpu| message.ends_with(no_gpu)))
            .filter(|message| self.has_server || !message.contains("/api/v1/"))
            .collect())
    }

    /// Fails if the console contains a warning or an error.
    pub async fn assert_clean_console(&self) -> Result<()> {
        let messages = self.console().await?;
        if !messages.is_empty() {
            bail!("the console is not clean:\n{}", messages.join("\n"));
        }
        Ok(())
    }

    /// Fails if the page is wider than its window.
    pub async fn assert_fits_the_width(&self) -> Result<()> {
        let script = "const root = document.documentElement;
            return [root.scrollWidth, root.clientWidth];";
        let [content, window] = self.numbers(script, &[]).await?;
        ensure!(content <= window, "the content is {content} pixels wide, the window {window}");
        Ok(())
    }

    /// Sends a command of the DevTools protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Result<Value> {
        self.client
            .issue_cmd(Devtools::new(command, &parameters))
            .await
            .with_context(|| format!("running the DevTools command {command}"))
    }

    /// Resets the browser to its initial state: one empty window without settings, and no stored
    /// data. Starting a new browser takes longer than a short test.
    pub async fn reset(&self) -> Result<()> {
        let old = self.client.windows().await?;
        let new = self.client.new_window(true).await?.handle;
        for window in old {
            self.client.switch_to_window(window).await?;
            self.client.close_window().await?;
        }
        self.client.switch_to_window(new).await?;
        self.focus_window().await?;
        let everywhere = json!({ "origin": "*", "storageTypes": "all" });
        self.devtools("Storage.clearDataForOrigin", everywhere).await?;
        self.devtools("Network.clearBrowserCache", json!({})).await?;
        self.console().await.map(drop)
    }

    /// Gives the window the focus. A window in the background has none, and some versions of Chromium also
    /// open the first window in the background.
    async fn focus_window(&self) -> Result<()> {
        self.devtools("Page.bringToFront", json!({})).await.map(drop)
    }

    /// Closes the window.
    pub(super) async fn close(self) -> Result<()> {
        Ok(self.client.close().await?)
    }
}

/// The console messages of different versions of Chromium if a page requests a GPU and the machine has none.
/// Pages cannot suppress these messages; our page also shows its own.
const NO_GPU: [&str; 2] = ["No available adapters.", "Failed to create WebGPU Context Provider"];

/// Saves a screenshot as `target/screenshots/<name>.png`.
fn save(name: &str, picture: &[u8]) -> Result<PathBuf> {
    let folder = target_folder()?.join("screenshots");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let path = folder.join(format!("{name}.png"));
    fs::write(&path, picture).with_context(|| path.display().to_string())?;
    Ok(path)
}

fn strings(list: &Value) -> Vec<String> {
    let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().map(|item| item.as_str().unwrap_or_default().to_owned()).collect()
}

/// Replaces no-break spaces in all strings of a value with plain spaces.
fn with_plain_spaces(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace('\u{a0}', " ")),
        Value::Array(items) => items.into_iter().map(with_plain_spaces).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, field)| (name, with_plain_spaces(field))).collect()
        }
        other => other,
    }
}
