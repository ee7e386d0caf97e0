//! `queens serve` with a temporary store.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

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
    address: SocketAddr,
    store: TempDir,
}

impl Server {
    /// Starts the server with an empty store on a free port, and waits until it prints its address.
    pub fn start() -> Result<Self> {
        Self::start_in(tempfile::tempdir().context("creating a folder for the store")?)
    }

    fn start_in(store: TempDir) -> Result<Self> {
        let mut companion = Companion::start(
            Command::new(command::path()?)
                .args(["serve", "--listen", "127.0.0.1:0", "--store"])
                .arg(store.path().join(STORE))
                .stdin(Stdio::null())
                .stdout(Stdio::piped()),
        )?;
        let output = companion.0.stdout.take().context("queens serve has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/');
        let address = address.parse().with_context(|| format!("queens serve printed {line:?}"))?;
        Ok(Self { _companion: companion, address, store })
    }

    /// The server's base address, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The folder of the store.
    pub fn store(&self) -> &Path {
        self.store.path()
    }

    /// Whether the server was built with the page.
    pub fn has_page(&self) -> bool {
        self.get("/").is_ok_and(|(status, body)| status == 200 && body.contains("id=\"app\""))
    }

    /// Sends a plain GET request and returns the status and the body.
    pub fn get(&self, path: &str) -> Result<(u16, String)> {
        let mut stream = TcpStream::connect_timeout(&self.address, TIMEOUT)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        // With HTTP 1.0, the body is not chunked and ends with the connection.
        write!(
            stream,
            "GET {path} HTTP/1.0\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) =
            answer.split_once("\r\n\r\n").context("the server's answer has no body")?;
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|code| code.parse().ok())
            .context("the server's answer has no status")?;
        Ok((status, body.to_owned()))
    }
}
