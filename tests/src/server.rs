//! `queens serve` with a temporary store.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use http::header::LOCATION;
use tempfile::TempDir;
use ureq::Agent;

use crate::command;
use crate::process::Companion;

/// The longest time to wait for an answer of the server.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The name of the store's file.
const STORE: &str = "results.sqlite";

/// A running server. Dropping it ends the server and deletes its store.
#[derive(Debug)]
pub struct Server {
    _companion: Companion,
    url: String,
    store: TempDir,
}

impl Server {
    /// Starts the server with an empty store on a free port, and waits until it prints its address.
    pub fn start() -> Result<Self> {
        let store = tempfile::tempdir().context("creating a folder for the store")?;
        let (companion, url) =
            start(&mut Command::new(command::path()?), &store.path().join(STORE))?;
        let url = url.context("queens serve printed no address")?;
        Ok(Self { _companion: companion, url, store })
    }

    /// The server's base address, without a slash at its end.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// The folder of the store.
    pub fn store(&self) -> &Path {
        self.store.path()
    }

    /// Whether the server was built with the page.
    pub fn has_page(&self) -> bool {
        ask("GET", &format!("{}/", self.url), "")
            .is_ok_and(|answer| answer.status == 200 && answer.body.contains("id=\"app\""))
    }
}

/// Starts the server on a free port, and waits until it prints its address. Returns the address without a slash
/// at its end, or `None` if the server ends first.
pub fn start(queens: &mut Command, store: &Path) -> Result<(Companion, Option<String>)> {
    let serve = queens.args(["serve", "--listen", "127.0.0.1:0", "--store"]).arg(store);
    let mut companion = Companion::start(serve.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let output = companion.0.stdout.take().context("queens serve has no output")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    Ok((companion, line.strip_suffix("/\n").map(str::to_owned)))
}

/// The answer to a request.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The path of a posted result.
    pub location: Option<String>,
    /// The text.
    pub body: String,
}

/// Sends a request and returns the answer. A POST request has a JSON body.
pub fn ask(method: &str, url: &str, body: &str) -> Result<Answer> {
    let settings = Agent::config_builder().http_status_as_error(false).proxy(None);
    let agent: Agent = settings.timeout_global(Some(TIMEOUT)).build().into();
    let mut answer = match method {
        "POST" => agent.post(url).content_type("application/json").send(body),
        "DELETE" => agent.delete(url).call(),
        _ => agent.get(url).call(),
    }?;
    let location = answer.headers().get(LOCATION);
    let location = location.and_then(|path| path.to_str().ok()).map(str::to_owned);
    // A truncated body does not change what the head says.
    let body = answer.body_mut().read_to_string().unwrap_or_default();
    Ok(Answer { status: answer.status().as_u16(), location, body })
}
