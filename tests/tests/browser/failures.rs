//! Failures of parts of the page. The page reports each and offers to try again.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use queens_tests::host::{Host, copy_of_site};
use serde_json::json;
use tempfile::TempDir;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![
        reports_that_workers_cannot_start,
        reports_a_worker_that_does_not_load_until_it_does,
        reports_a_worker_that_does_not_answer,
        reports_a_count_whose_worker_was_terminated,
        reports_a_pool_worker_that_was_terminated,
        reports_a_page_that_does_not_start,
        reports_a_missing_start_script_or_stylesheet,
        reports_a_view_that_does_not_arrive,
        fetches_a_view_again,
        reports_a_page_without_an_origin,
        reports_once_that_a_count_cannot_be_saved,
    ]
}

/// Shows the notice that appears after some seconds.
const END_THE_WAIT: &str = "document.getAnimations().forEach((animation) => animation.finish());";

async fn reports_that_workers_cannot_start(browser: Browser) -> Result<()> {
    for (source, english, japanese) in [
        (
            "window.Worker = class { constructor() { throw new Error('not allowed'); } };",
            "background calculations",
            "バックグラウンド",
        ),
        ("delete window.Worker;", "background calculations", "バックグラウンド"),
        ("WebAssembly.validate = () => false;", "SIMD", "SIMD"),
    ] {
        let identifier = browser.add_script(source).await?;
        browser.goto("?n=6").await?;
        browser.wait_for_text("#no-worker", english).await?;
        // Parts that need no worker still work.
        browser.click("#next").await?;
        browser.wait_for_count("#board [data-state='queen']", 6).await?;
        browser.goto("?view=solutions&n=9&lang=ja").await?;
        browser.wait_for("main h1").await?;
        browser.wait_for_text("#no-worker", japanese).await?;
        browser.wait_for_text("#classes-status[data-state=failed]", "バックグラウンド").await?;
        assert_eq!(
            browser.count(".classes progress, #for-programmers, .classes-head .filters").await?,
            0
        );
        if source.starts_with("delete") {
            browser.screenshot("broken-worker-ja").await?;
            browser.remove_script(&identifier).await?;
            browser.click("#start-again").await?;
            browser.wait_for_count("#no-worker", 0).await?;
            browser.goto("?view=solutions&n=9").await?;
            browser.wait_for("#classes-status[data-state=done]").await?;
        } else {
            browser.remove_script(&identifier).await?;
        }
    }
    Ok(())
}

/// A copy of the static site, whose files a test changes, removes and restores.
pub(crate) struct Site {
    folder: TempDir,
    host: Host,
}

impl Site {
    fn new() -> Result<Site> {
        let folder = copy_of_site()?;
        // No service worker, because it would cache the files.
        fs::write(folder.path().join("offline.js"), "")?;
        let host = Host::start(folder.path())?;
        Ok(Site { folder, host })
    }

    /// A site with this code at the beginning of a script.
    pub(crate) fn with_code(script: &str, code: &str) -> Result<Site> {
        let site = Site::new()?;
        let script = site.folder.path().join(script);
        let text = fs::read_to_string(&script)?;
        fs::write(&script, format!("{code}\n{text}"))?;
        Ok(site)
    }

    fn remove_file(&self, name: &str) -> Result<()> {
        Ok(fs::rename(self.folder.path().join(name), self.folder.path().join("away"))?)
    }

    fn restore_file(&self, name: &str) -> Result<()> {
        Ok(fs::rename(self.folder.path().join("away"), self.folder.path().join(name))?)
    }

    /// Opens the page without the browser's cache.
    pub(crate) async fn open(&self, browser: &Browser, state: &str) -> Result<()> {
        browser.devtools("Network.clearBrowserCache", json!({})).await?;
        Ok(browser.client().goto(&format!("{}/{state}", self.host.page())).await?)
    }
}

/// The server is down when the page starts its worker. The user starts it again, or the page does.
async fn reports_a_worker_that_does_not_load_until_it_does(browser: Browser) -> Result<()> {
    // The page waits five seconds before it starts a worker again.
    let hurry = "const wait = window.setTimeout;
        window.setTimeout = (call, time, ...rest) => wait(call, time === 5000 ? 500 : time, ...rest);";
    let site = Site::new()?;
    for (name, view, done, is_automatic) in [
        ("worker.js", "classes", "#classes-status[data-state=done]", false),
        ("queens-worker_bg.wasm", "count", "#begin", false),
        ("queens-worker.js", "classes", "#classes-status[data-state=done]", true),
        ("worker.js", "count", "#begin", true),
    ] {
        let source = if is_automatic { hurry } else { "" };
        let identifier = browser.add_script(source).await?;
        site.remove_file(name)?;
        site.open(&browser, &format!("?view={view}&n=6&lang=en")).await?;
        browser.wait_for_text("#no-worker[role=alert]", "failed or could not start").await?;
        if !is_automatic {
            browser.assert_accessible().await?;
        }
        site.restore_file(name)?;
        if !is_automatic {
            browser.click("#start-again").await?;
        }
        browser.wait_for(done).await.with_context(|| name.to_owned())?;
        browser.wait_for_count("#no-worker", 0).await?;
        // The console names the missing file.
        browser.console().await?;
        browser.remove_script(&identifier).await?;
    }
    Ok(())
}

/// A worker whose script hangs, and one whose script lacks its end. Neither raises an error.
async fn reports_a_worker_that_does_not_answer(browser: Browser) -> Result<()> {
    // The page waits ten seconds for a worker.
    let hurry = "const wait = window.setTimeout;
        window.setTimeout = (call, time, ...rest) => wait(call, time === 10000 ? 100 : time, ...rest);";
    let identifier = browser.add_script(hurry).await?;
    let silent = async |view: &str| {
        browser.wait_for_text("#no-worker[role=alert]", "do not answer").await?;
        if view == "classes" {
            browser.wait_for("#classes-status[data-state=failed]").await?;
        }
        browser.assert_accessible().await
    };
    let site = Site::with_code(
        "worker.js",
        "while (!(await fetch('go')).ok) await new Promise((go) => setTimeout(go, 50));",
    )?;
    for (view, done) in [("classes", "#classes-status[data-state=done]"), ("count", "#begin")] {
        site.open(&browser, &format!("?view={view}&n=6&lang=en")).await?;
        silent(view).await?;
        browser.screenshot(&format!("broken-silent-worker-{view}")).await?;
        // A worker that becomes ready later withdraws the message.
        fs::write(site.folder.path().join("go"), "")?;
        browser.wait_for(done).await?;
        browser.wait_for_count("#no-worker", 0).await?;
        fs::remove_file(site.folder.path().join("go"))?;
        // The console names the missing file.
        browser.console().await?;
    }

    let site = Site::new()?;
    let script = site.folder.path().join("worker.js");
    let whole = fs::read_to_string(&script)?;
    let (start, _) = whole.split_once("try {").context("worker.js does not start the module")?;
    fs::write(&script, start)?;
    site.open(&browser, "?view=solutions&n=9&lang=en").await?;
    silent("classes").await?;
    fs::write(&script, &whole)?;
    browser.remove_script(&identifier).await?;
    browser.devtools("Network.clearBrowserCache", json!({})).await?;
    browser.click("#start-again").await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    assert_eq!(browser.count("#no-worker").await?, 0);
    Ok(())
}

/// Neither the page nor the browser reports the end of a worker that a script terminates.
async fn reports_a_count_whose_worker_was_terminated(browser: Browser) -> Result<()> {
    // Constants outside the block would be global and hide the new values from the page.
    let gather = "{
            const { Worker, setInterval } = window;
            window.workers = [];
            window.Worker = class extends Worker {
                constructor(...how) {
                    super(...how);
                    window.workers.push(this);
                }
            };
            window.setInterval = (call, time, ...rest) =>
                setInterval(call, time === 5000 ? 300 : time, ...rest);
        }";
    let identifier = browser.add_script(gather).await?;
    browser.goto("?view=count&n=18&count=symmetry:18&lang=en").await?;
    browser.click("#begin").await?;
    browser.wait_for("#count-now:not([data-done='0'])").await?;
    // The count is saved every two seconds.
    tokio::time::sleep(Duration::from_millis(2500)).await;
    browser.script("window.workers.forEach((worker) => worker.terminate());", &[]).await?;
    browser.wait_for_text("#count-silent[role=alert]", "does not answer").await?;
    assert_eq!(browser.count("#pause").await?, 0);
    browser.wait_for_text("#no-worker", "do not answer").await?;
    browser.assert_accessible().await?;
    browser.screenshot("broken-count").await?;
    browser.remove_script(&identifier).await?;
    browser.click("#count-reload").await?;
    browser.wait_for_text("#count-status", "Paused").await?;
    browser.click("#go-on").await?;
    browser.wait_for("#pause").await?;
    browser.click("#pause").await?;
    browser.wait_for("#go-on").await.map(drop)
}

async fn reports_a_pool_worker_that_was_terminated(browser: Browser) -> Result<()> {
    let site = Site::with_code(
        "worker.js",
        "const { Worker } = self;
        let number = 0;
        self.Worker = class extends Worker {
            constructor(...how) {
                super(...how);
                // The first worker takes samples.
                if (++number === 2) setTimeout(() => this.terminate(), 2000);
            }
        };",
    )?;
    site.open(&browser, "?view=count&n=18&count=symmetry:18&lang=en").await?;
    browser.click("#begin").await?;
    browser.wait_for("#pause").await?;
    browser
        .wait_for_text("#count-trouble", "A worker failed: the browser or a script ended")
        .await?;
    browser.wait_for_text("#count-status", "Paused").await?;
    browser.click("#go-on").await?;
    browser.wait_for("#pause").await?;
    browser.wait_for_count("#count-trouble", 0).await?;
    browser.click("#pause").await?;
    browser.wait_for("#go-on").await?;
    // The console reports the missing server.
    browser.console().await.map(drop)
}

/// Waits until the page shows that it could not start.
async fn wait_for_start_error(browser: &Browser, language: &str) -> Result<()> {
    let message =
        if language == "ja" { "表示できませんでした" } else { "could not start" };
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
    for name in ["queens-web_bg.wasm", "queens-web.js", "split.js"] {
        site.remove_file(name)?;
        site.open(&browser, "?n=6").await?;
        wait_for_start_error(&browser, "en").await?;
        site.restore_file(name)?;
        restart_page(&browser).await?;
    }
    // A truncated module, which the browser cannot compile.
    browser.set_language("ja").await?;
    let module = site.folder.path().join("queens-web_bg.wasm");
    let whole = fs::read(&module)?;
    fs::write(&module, &whole[..whole.len() / 2])?;
    site.open(&browser, "?n=6").await?;
    wait_for_start_error(&browser, "ja").await?;
    fs::write(&module, whole)?;
    restart_page(&browser).await?;

    let identifier = browser.add_script("delete window.WebAssembly;").await?;
    site.open(&browser, "?n=6").await?;
    wait_for_start_error(&browser, "ja").await?;
    browser.remove_script(&identifier).await?;
    restart_page(&browser).await
}

async fn reports_a_missing_start_script_or_stylesheet(browser: Browser) -> Result<()> {
    let site = Site::new()?;
    browser.set_preferences(false, true).await?;
    site.remove_file("start.js")?;
    site.open(&browser, "?n=6").await?;
    let is_visible = "return getComputedStyle(document.querySelector('#slow-start')).visibility;";
    assert_eq!(browser.script(is_visible, &[]).await?, json!("hidden"));
    browser.script(END_THE_WAIT, &[]).await?;
    browser.wait_for_text("#slow-start[role=alert]", "could not start").await?;
    assert_eq!(browser.script(is_visible, &[]).await?, json!("visible"));
    browser.screenshot("broken-start-script").await?;
    site.restore_file("start.js")?;
    browser.devtools("Network.clearBrowserCache", json!({})).await?;
    browser.client().refresh().await?;
    browser.wait_for("#code .line").await?;
    assert_eq!(browser.count("#slow-start").await?, 0);
    assert!(browser.address().await?.ends_with("?n=6"));

    for (language, message) in [("en", "style.css"), ("ja", "style.css を読み込めなかった")]
    {
        site.remove_file("style.css")?;
        site.open(&browser, &format!("?n=6&lang={language}")).await?;
        browser.wait_for_text(&format!("#not-styled[lang={language}]"), message).await?;
        browser.wait_for("#board").await?;
        browser.screenshot(&format!("broken-style-{language}")).await?;
        site.restore_file("style.css")?;
        browser.devtools("Network.clearBrowserCache", json!({})).await?;
        browser.click("#style-again").await?;
        browser.wait_for("#code .line").await?;
        browser.settle().await?;
        assert_eq!(browser.count("#not-styled").await?, 0);
    }
    // The console names the missing files.
    browser.console().await.map(drop)
}

/// The request for the code of the other views gets no answer until the test calls `window.release()`.
async fn reports_a_view_that_does_not_arrive(browser: Browser) -> Result<()> {
    const HOLD_BACK: &str = "const ask = window.fetch.bind(window);
        window.fetch = async (address, how) => {
            if (/split_later\\./.test(address)) {
                document.documentElement.dataset.held = '';
                await new Promise(release => window.release = release);
            }
            return ask(address, how);
        };";
    let identifier = browser.add_script(HOLD_BACK).await?;
    browser.goto("?view=learn&lang=en").await?;
    browser.wait_for("[data-held]").await?;
    browser.wait_for_text("main [role=status]", "Loading…").await?;
    browser.script(END_THE_WAIT, &[]).await?;
    browser.wait_for_text("#slow-start[role=alert]", "Reload the page").await?;
    browser.assert_accessible().await?;
    browser.screenshot("broken-view").await?;
    browser.script("window.release();", &[]).await?;
    browser.wait_for(".learn #to-explanation").await?;
    assert_eq!(browser.count("#slow-start").await?, 0);
    browser.remove_script(&identifier).await
}

async fn fetches_a_view_again(browser: Browser) -> Result<()> {
    let block = async |addresses: &[&str]| {
        browser.devtools("Network.enable", json!({})).await?;
        browser.devtools("Network.setBlockedURLs", json!({ "urls": addresses })).await
    };
    // The second time, the page opens with the view, and requests its code early.
    for query in ["?n=6&lang=en", "?view=learn&lang=en"] {
        block(&["*split_later.*.wasm"]).await?;
        browser.goto(query).await?;
        browser.click("#view-learn").await?;
        browser.wait_for_text("#view-missing", "could not be loaded").await?;
        assert_eq!(browser.text("main").await?, "Article");
        browser.screenshot("everywhere-view-missing").await?;
        // Explore still works.
        browser.click("#view-explore").await?;
        browser.wait_for("#board").await?;
        assert_eq!(browser.count("#view-missing").await?, 0);
        browser.click("#view-learn").await?;
        browser.wait_for("#try-again").await?;
        block(&[]).await?;
        browser.click("#try-again").await?;
        browser.wait_for(".explanation #to-explanation").await?;
        assert_eq!(browser.count("#view-missing").await?, 0);
        // The console reports the reason.
        assert!(!browser.console().await?.is_empty());
    }
    Ok(())
}

async fn reports_a_page_without_an_origin(browser: Browser) -> Result<()> {
    let site = Site::new()?;
    let client = browser.client().clone();
    // The first page comes from a static host, the second from the server, which restricts who may load its
    // files.
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
    const NEVER: &str = "() => ({})";
    for (part, answer, fails_at_once) in [
        ("IDBFactory.prototype.open", REFUSE, true),
        ("IDBFactory.prototype.open", NEVER, false),
        ("IDBDatabase.prototype.transaction", REFUSE, true),
        ("IDBObjectStore.prototype.put", REFUSE, false),
        // The storage is full, which the browser reports later than the stub before.
        ("self.isFull", "true", false),
    ] {
        let site = Site::with_code("worker.js", &format!("{part} = {answer};"))?;
        site.open(&browser, "?view=count&count=colours:8&lang=en").await?;
        if answer == NEVER {
            browser.wait_for_text("#count-status", "Reading the saved counts").await?;
        }
        browser.wait_for("#begin").await?;
        if fails_at_once {
            browser.wait_for_text("#count-trouble", "cannot be saved").await?;
        }
        if part == "self.isFull" {
            let origin = browser.script("return location.origin;", &[]).await?;
            let none = json!({ "origin": origin, "quotaSize": 1 });
            browser.devtools("Storage.overrideQuotaForOrigin", none).await?;
        }
        browser.click("#begin").await?;
        browser.wait_for_text("#count-lines [data-n='8']", "92").await?;
        browser.wait_for_text("#count-trouble", "cannot be saved").await?;
        browser.settle().await?;
        assert_eq!(browser.count("#count-trouble").await?, 1, "{part} {answer}");
        // The row is only in memory. Another count keeps it.
        browser.click("#count-more summary").await?;
        browser.choose("#count-method", "symmetry").await?;
        browser.click("#begin").await?;
        browser.wait_for("#count-lines [data-method=symmetry]").await?;
        assert_eq!(
            browser.count("#count-lines [data-method=colours]").await?,
            1,
            "{part} {answer}"
        );
    }
    // The console reports the missing server.
    browser.console().await.map(drop)
}
