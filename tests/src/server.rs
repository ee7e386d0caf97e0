//! `queens serve` with a store of its own.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::command;
use crate::process::{Companion, free_port};

/// How long the server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running server; it ends, and its store goes, when this value goes.
#[derive(Debug)]
pub struct Server {
    companion: Companion,
    address: SocketAddr,
    store: TempDir,
}

impl Server {
    /// Starts the server on a free port with an empty store and waits until
    /// it answers.
    pub fn start() -> Result<Self> {
        let store = tempfile::tempdir().context("creating a folder for the store")?;
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let companion = Companion::start(
            Command::new(command::path()?)
                .args(["serve", "--listen", &address.to_string(), "--store"])
                .arg(store.path().join("results.sqlite"))
                .stdin(Stdio::null())
                .stdout(Stdio::null()),
        )?;
        let mut server = Self { companion, address, store };
        server.wait()?;
        Ok(server)
    }

    fn wait(&mut self) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.companion.0.try_wait()? {
                bail!("queens serve ended at once ({status})");
            }
            if matches!(self.get("/healthz"), Ok((200, _))) {
                return Ok(());
            }
            if Instant::now() > end {
                bail!("queens serve does not answer at {}", self.url());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The server's base address, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The folder of the store.
    pub fn store(&self) -> &std::path::Path {
        self.store.path()
    }

    /// Whether this server was built with the page inside it.
    pub fn has_page(&self) -> bool {
        self.get("/").is_ok_and(|(status, body)| status == 200 && body.contains("id=\"app\""))
    }

    /// A plain GET: status and body.
    pub fn get(&self, path: &str) -> Result<(u16, String)> {
        let mut stream = TcpStream::connect_timeout(&self.address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        // Version 1.0, so that the body comes unchunked and ends with the
        // connection.
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
