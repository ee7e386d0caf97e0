//! Parts of the page that fail: each is reported, with an offer to try again.

use std::fs;

use anyhow::Result;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use queens_tests::host::Host;
use serde_json::json;
use tempfile::TempDir;

use crate::offline::copy;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        reports_that_workers_cannot_start,
        reports_a_worker_that_does_not_load,
        reports_a_page_that_does_not_start,
        reports_a_page_without_an_origin,
        reports_once_that_a_count_cannot_be_saved,
        counting_starts_if_the_storage_never_responds,
        counts_are_posted_once_the_server_is_back,
    ]
}

/// Runs a script in each new page before the page's own scripts.
async fn add_script(browser: &Browser, source: &str) -> Result<String> {
    let script = json!({ "source": source });
    let added = browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await?;
    Ok(added["identifier"].as_str().unwrap_or_default().to_owned())
}

/// Removes a script that [`add_script`] added.
async fn remove_script(browser: &Browser, identifier: &str) -> Result<()> {
    let script = json!({ "identifier": identifier });
    browser.devtools("Page.removeScriptToEvaluateOnNewDocument", script).await.map(drop)
}

async fn reports_that_workers_cannot_start(browser: Browser) -> Result<()> {
    for source in [
        "window.Worker = class { constructor() { throw new Error('not allowed'); } };",
        "delete window.Worker;",
    ] {
        let identifier = add_script(&browser, source).await?;
        browser.goto("?n=6").await?;
        browser.wait_for_text("#no-worker", "background calculations").await?;
        // Parts that need no worker still work.
        browser.click("#next-solution").await?;
        browser.wait_for_count("#board [data-state='queen']", 6).await?;
        for view in ["play", "symmetries", "classes", "count", "numbers", "results"] {
            browser.goto(&format!("?view={view}&n=6&lang=ja")).await?;
            browser.wait_for("main h1").await?;
            browser.wait_for_text("#no-worker[role=alert]", "バックグラウンド").await?;
        }
        browser.screenshot("broken-worker-ja").await?;
        remove_script(&browser, &identifier).await?;
        browser.click("#start-again").await?;
        browser.wait_for_count("#no-worker", 0).await?;
        browser.goto("?view=classes&n=6").await?;
        browser.wait_for("#classes-status[data-state=done]").await?;
    }
    Ok(())
}

/// A copy of the static site, which a test removes and restores.
struct Site {
    folder: TempDir,
    host: Host,
}

impl Site {
    fn new() -> Result<Site> {
        let folder = copy()?;
        // No service worker, because it would cache the files.
        fs::write(folder.path().join("offline.js"), "")?;
        let host = Host::start(folder.path())?;
        Ok(Site { folder, host })
    }

    /// A site whose workers run this script before their own.
    fn with_worker(source: &str) -> Result<Site> {
        let site = Site::new()?;
        let script = site.folder.path().join("worker.js");
        let text = fs::read_to_string(&script)?;
        fs::write(&script, format!("{source}\n{text}"))?;
        Ok(site)
    }

    fn remove_file(&self, name: &str) -> Result<()> {
        Ok(fs::rename(self.folder.path().join(name), self.folder.path().join("away"))?)
    }

    fn restore_file(&self, name: &str) -> Result<()> {
        Ok(fs::rename(self.folder.path().join("away"), self.folder.path().join(name))?)
    }

    /// Opens the page without the browser's cache.
    async fn open(&self, browser: &Browser, state: &str) -> Result<()> {
        browser.devtools("Network.clearBrowserCache", json!({})).await?;
        Ok(browser.client().goto(&format!("{}/{state}", self.host.page())).await?)
    }
}

async fn reports_a_worker_that_does_not_load(browser: Browser) -> Result<()> {
    let site = Site::new()?;
    for (name, view) in [
        ("worker.js", "classes"),
        ("worker.js", "count"),
        ("queens-worker.js", "classes"),
        ("queens-worker_bg.wasm", "count"),
    ] {
        site.remove_file(name)?;
        site.open(&browser, &format!("?view={view}&n=6")).await?;
        browser.wait_for_text("#no-worker", "background calculations").await?;
        browser.assert_accessible().await?;
        site.restore_file(name)?;
        browser.click("#start-again").await?;
        browser.wait_for("#classes-status[data-state=done], #begin").await?;
        assert_eq!(browser.count("#no-worker").await?, 0, "{name}");
        // The console may name the file.
        browser.console().await?;
    }
    Ok(())
}

/// Waits until the page shows that it could not start.
async fn wait_for_start_error(browser: &Browser, language: &str) -> Result<()> {
    let message =
        if language == "ja" { "開始できませんでした" } else { "could not start" };
    browser.wait_for_text("#not-started[role=alert]", message).await?;
    browser.wait_for(&format!("#not-started[lang={language}]")).await?;
    browser.screenshot(&format!("broken-start-{language}")).await.map(drop)
}

/// Presses the button to try again, and waits until the page has started.
async fn restart_page(browser: &Browser) -> Result<()> {
    browser.devtools("Network.clearBrowserCache", json!({})).await?;
    browser.click("#start-again").await?;
    browser.wait_for("#code .line").await?;
    assert_eq!(browser.count("#not-started").await?, 0);
    assert!(!browser.console().await?.is_empty());
    Ok(())
}

async fn reports_a_page_that_does_not_start(browser: Browser) -> Result<()> {
    let site = Site::new()?;
    for language in ["en", "ja"] {
        browser.set_language(language).await?;
        for name in ["queens-web_bg.wasm", "queens-web.js", "split.js"] {
            site.remove_file(name)?;
            site.open(&browser, "?n=6").await?;
            wait_for_start_error(&browser, language).await?;
            site.restore_file(name)?;
            restart_page(&browser).await?;
        }
        // A truncated module, which the browser cannot compile.
        let module = site.folder.path().join("queens-web_bg.wasm");
        let whole = fs::read(&module)?;
        fs::write(&module, &whole[..whole.len() / 2])?;
        site.open(&browser, "?n=6").await?;
        wait_for_start_error(&browser, language).await?;
        fs::write(&module, whole)?;
        restart_page(&browser).await?;

        let identifier = add_script(&browser, "delete window.WebAssembly;").await?;
        site.open(&browser, "?n=6").await?;
        wait_for_start_error(&browser, language).await?;
        remove_script(&browser, &identifier).await?;
        restart_page(&browser).await?;
    }
    Ok(())
}

async fn reports_a_page_without_an_origin(browser: Browser) -> Result<()> {
    let site = Site::new()?;
    let client = browser.client().clone();
    // The files of a static host, and those of the server, which restricts who may load them.
    for page in [".", browser.base()] {
        // A sandboxed frame may run scripts, but has no origin for loading modules.
        let frame = format!(
            "<!DOCTYPE html><link rel=icon href=data:,>
            <iframe sandbox=allow-scripts src='{page}/?n=6&amp;embed'></iframe>"
        );
        fs::write(site.folder.path().join("frame.html"), frame)?;
        client.goto(&format!("{}/frame.html", site.host.page())).await?;
        client.clone().enter_frame(0).await?;
        browser.wait_for_text("#not-started", "could not start").await?;
        let colour = "return getComputedStyle(document.body).backgroundColor;";
        let painted = client.execute(colour, vec![]).await?;
        anyhow::ensure!(painted != json!("rgba(0, 0, 0, 0)"), "{page} has no style");
        client.clone().enter_parent_frame().await?;
    }
    browser.client().goto("about:blank").await?;
    browser.console().await.map(drop)
}

async fn reports_once_that_a_count_cannot_be_saved(browser: Browser) -> Result<()> {
    const REFUSE: &str = "() => { throw new DOMException('no', 'QuotaExceededError'); }";
    for (part, fails_at_once) in [
        ("IDBFactory.prototype.open", true),
        ("IDBDatabase.prototype.transaction", true),
        ("IDBObjectStore.prototype.put", false),
    ] {
        let site = Site::with_worker(&format!("{part} = {REFUSE};"))?;
        for (language, message) in [("en", "cannot be saved"), ("ja", "保存できません")] {
            site.open(&browser, &format!("?view=count&n=8&lang={language}")).await?;
            browser.wait_for("#begin").await?;
            if fails_at_once {
                browser.wait_for_text("#count-trouble", message).await?;
            }
            browser.click("#begin").await?;
            browser.wait_for_text("#count-lines [data-n='8']", "92").await?;
            browser.wait_for_text("#count-trouble", message).await?;
            browser.settle().await?;
            assert_eq!(browser.count("#count-trouble").await?, 1, "{part}");
            assert_eq!(browser.count("#keeps").await?, 0, "{part}");
        }
    }
    // The console reports the missing server.
    browser.console().await.map(drop)
}

async fn counting_starts_if_the_storage_never_responds(browser: Browser) -> Result<()> {
    let site = Site::with_worker("IDBFactory.prototype.open = () => ({});")?;
    site.open(&browser, "?view=count&n=8").await?;
    browser.click("#begin").await?;
    browser.wait_for_text("#count-lines [data-n='8']", "92").await?;
    browser.wait_for_text("#count-trouble", "cannot be saved").await?;
    assert_eq!(browser.count("#keeps").await?, 0);
    browser.console().await.map(drop)
}

async fn counts_are_posted_once_the_server_is_back(browser: Browser) -> Result<()> {
    let site = Site::with_worker(
        "const fetch = self.fetch;
        let failures = 2;
        self.fetch = (...what) => what[0] === 'healthz' && failures-- > 0
            ? Promise.reject(new TypeError('down')) : fetch.apply(self, what);",
    )?;
    fs::write(site.folder.path().join("healthz"), "ok\n")?;
    site.open(&browser, "?view=count&n=8").await?;
    browser.wait_for("#begin").await?;
    browser.click("#begin").await?;
    browser.wait_for("#count-lines [data-n='8']").await?;
    browser.wait_for("#no-post").await?;
    // The page asks the server again by itself.
    browser.wait_for("#count-lines .post").await?;
    browser.wait_for_count("#no-post", 0).await
}
