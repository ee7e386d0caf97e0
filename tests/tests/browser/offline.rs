//! The page as static files below any path of any host, with a network and without one.

use std::env;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use axum::Router;
use queens_tests::browser::{Browser, BrowserTest};
use queens_tests::browser_tests;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower_http::services::ServeDir;

pub fn tests() -> Vec<BrowserTest> {
    browser_tests![a_visited_page_opens_without_a_network, a_newer_version_waits_to_be_asked_for]
}

/// Where the tests' page lies at its host.
const PLACE: &str = "/some/path";

/// A host of static files, which knows nothing of the page. Everybody else's connections end with
/// it, too.
struct Host {
    address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Host {
    /// Serves `folder` at `address`, where port 0 is any free one.
    fn start(folder: &Path, address: SocketAddr) -> Result<Host> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let files = Router::new().nest_service(PLACE, ServeDir::new(folder));
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            axum::serve(listener, files).await
        });
        Ok(Host { address, runtime: Some(runtime) })
    }

    fn page(&self) -> String {
        format!("http://{}{PLACE}/", self.address)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A copy of the page as static files, which a test may change.
fn copy() -> Result<TempDir> {
    fn copy(from: &Path, to: &Path) -> Result<()> {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
            let entry = entry?;
            let to = to.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                copy(&entry.path(), &to)?;
            } else {
                fs::copy(entry.path(), to)?;
            }
        }
        Ok(())
    }
    let from = env::var_os("QUEENS_SITE_DIR").context("`cargo xtask browser` makes the site")?;
    let to = tempfile::tempdir()?;
    copy(&PathBuf::from(from), to.path())?;
    Ok(to)
}

/// Opens the page of a host in a state, and says what its board and the reason show.
async fn seen(browser: &Browser, host: &Host, state: &str) -> Result<[String; 2]> {
    browser.client().goto(&format!("{}{state}", host.page())).await?;
    browser.wait_for("#code .line").await?;
    let board = browser.script("return document.querySelector('#board').innerHTML", &[]).await?;
    Ok([board.to_string(), browser.text("#why").await?])
}

/// Waits until the browser has kept the page.
async fn kept(browser: &Browser) -> Result<()> {
    let kept = "return navigator.serviceWorker.ready.then(({ active }) => active.state)";
    browser
        .wait_until("the page is kept", || browser.script(kept, &[]), |state| state == "activated")
        .await
        .map(drop)
}

async fn a_visited_page_opens_without_a_network(browser: Browser) -> Result<()> {
    let site = copy()?;
    let host = Host::start(site.path(), SocketAddr::from(([127, 0, 0, 1], 0)))?;
    let state = "?n=6&method=symmetry&step=70";
    let before = seen(&browser, &host, state).await?;
    kept(&browser).await?;
    let address = host.address;
    drop(host);
    let gone = Host { address, runtime: None };
    // It shows the same, counts, reads and speaks another language.
    assert_eq!(seen(&browser, &gone, state).await?, before);
    browser.client().goto(&format!("{}?view=classes&n=6", gone.page())).await?;
    browser.wait_for("#classes-status[data-state=done]").await?;
    browser.client().goto(&format!("{}?view=count&n=9", gone.page())).await?;
    browser.click("#begin").await?;
    browser.wait_for_text("#count-lines [data-n='9']", "352").await?;
    browser.client().goto(&format!("{}?view=explanation&lang=ja", gone.page())).await?;
    browser.wait_for("html[lang=ja] main figure").await?;
    Ok(())
}

async fn a_newer_version_waits_to_be_asked_for(browser: Browser) -> Result<()> {
    let site = copy()?;
    let host = Host::start(site.path(), SocketAddr::from(([127, 0, 0, 1], 0)))?;
    seen(&browser, &host, "").await?;
    kept(&browser).await?;
    let caches = "return caches.keys()";
    let old = browser.script(caches, &[]).await?;
    assert_eq!(old.as_array().map(Vec::len), Some(1), "{old}");
    // The first version is no newer one.
    assert_eq!(browser.count("#update").await?, 0);

    let service = site.path().join("service.js");
    let text = fs::read_to_string(&service)?;
    fs::write(&service, text.replacen("const VERSION = \"", "const VERSION = \"newer-", 1))?;
    let index = site.path().join("index.html");
    let text = fs::read_to_string(&index)?;
    fs::write(&index, text.replace("<body>", "<body data-version=\"newer\">"))?;
    let version = "return document.body.dataset.version ?? 'older'";
    for (lang, told) in [("en", "There is a new version"), ("ja", "新しい版があります")] {
        seen(&browser, &host, &format!("?lang={lang}")).await?;
        browser.wait_for_text("#update", told).await?;
        browser.screenshot(&format!("offline-update-{lang}")).await?;
        browser.assert_accessible().await?;
        assert_eq!(browser.script(version, &[]).await?, "older");
        browser.click("#update button:last-of-type").await?;
        assert_eq!(browser.count("#update").await?, 0);
    }
    seen(&browser, &host, "?lang=ja").await?;
    browser.wait_for("#update").await?;
    browser.click("#update button").await?;
    browser
        .wait_until("the new one", || browser.script(version, &[]), |version| version == "newer")
        .await?;
    browser.wait_for("#code .line").await?;
    let only_new = |caches: &Value| {
        let caches = caches.as_array();
        caches.is_some_and(|all| all.len() == 1 && all[0] != old[0])
    };
    browser.wait_until("the old one goes", || browser.script(caches, &[]), only_new).await?;
    assert_eq!(browser.script("return location.search", &[]).await?, json!("?lang=ja"));
    Ok(())
}
