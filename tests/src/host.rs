//! A host for static files only, like those on which the page can be published.

use std::env;
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use axum::Router;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower_http::services::{ServeDir, ServeFile};

/// The environment variable with the folder of the static site, which xtask builds.
pub const SITE: &str = "QUEENS_SITE_DIR";

/// The path of the page on the host. It is not the root, because the page must work below any path.
const PAGE_PATH: &str = "/some/path";

/// A copy of the static site, which a test may change.
pub fn copy_of_site() -> Result<TempDir> {
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
    let from = env::var_os(SITE).context("the static site is not built")?;
    let to = tempfile::tempdir()?;
    copy(&PathBuf::from(from), to.path())?;
    Ok(to)
}

/// A host that serves a folder below a path. Dropping it closes all connections.
#[derive(Debug)]
pub struct Host {
    address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Host {
    /// Serves `folder` below a path, on a free port. Unknown addresses below the path get the folder's
    /// 404.html.
    pub fn start(folder: &Path) -> Result<Host> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let files =
            ServeDir::new(folder).not_found_service(ServeFile::new(folder.join("404.html")));
        let files = Router::new().nest_service(PAGE_PATH, files);
        runtime.spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            axum::serve(listener, files).await
        });
        Ok(Host { address, runtime: Some(runtime) })
    }

    /// The address of the served folder, without a trailing slash.
    pub fn page(&self) -> String {
        format!("http://{}{PAGE_PATH}", self.address)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
