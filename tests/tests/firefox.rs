//! The page in Firefox, driven by Marionette, the protocol that is built into it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use libtest_mimic::Arguments;
use queens_tests::process::{Companion, find_program};
use queens_tests::server::Server;
use queens_tests::trials::{CannotRun, trials};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A free port for Marionette, English, and no connection to other computers.
const PREFERENCES: &str = r#"
user_pref("marionette.port", 0);
user_pref("intl.accept_languages", "en");
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
"#;

type Test = fn(&Firefox) -> Result<()>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let firefox = start();
    let tests: [(_, Test); 1] = [("results_connect_at_once", results_connect_at_once)];
    let all = trials(&arguments, "page in Firefox", firefox, tests);
    libtest_mimic::run(&arguments, all).exit_code()
}

fn start() -> Result<Firefox, CannotRun> {
    let Some(program) = find_program(&["firefox-esr", "firefox"]) else {
        return Err(CannotRun::Missing("firefox-esr is not installed".to_owned()));
    };
    let server = Server::start()?;
    if !server.has_page() {
        return Err(CannotRun::Missing("the command was built without the page".to_owned()));
    }
    Ok(Firefox::start(&program, server)?)
}

/// Firefox reports a stream of events as open only after its first byte, which took 15 s without a first comment.
fn results_connect_at_once(firefox: &Firefox) -> Result<()> {
    let script =
        json!({ "script": "return document.querySelector('#server')?.dataset.state", "args": [] });
    let url = firefox.server.url() + "/?view=results";
    firefox.call("WebDriver:Navigate", &json!({ "url": url }))?;
    let state = || {
        Ok::<_, anyhow::Error>(firefox.call("WebDriver:ExecuteScript", &script)?["value"].take())
    };
    let end = Instant::now() + Duration::from_secs(10);
    while state()? != "live" {
        ensure!(Instant::now() < end, "not connected after 10 s: {}", state()?);
        sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// A running Firefox with a new profile. Dropping it ends it.
struct Firefox {
    stream: TcpStream,
    server: Server,
    _companion: Companion,
    _profile: TempDir,
}

impl Firefox {
    fn start(program: &Path, server: Server) -> Result<Firefox> {
        let profile = tempfile::tempdir()?;
        fs::write(profile.path().join("user.js"), PREFERENCES)?;
        let companion = Companion::start(
            Command::new(program)
                .args(["--headless", "--marionette", "--no-remote", "--profile"])
                .arg(profile.path())
                .env("HOME", profile.path())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null()),
        )?;
        let stream = connect(&profile.path().join("MarionetteActivePort"))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let firefox = Firefox { stream, server, _companion: companion, _profile: profile };
        firefox.read()?;
        firefox.call("WebDriver:NewSession", &json!({}))?;
        Ok(firefox)
    }

    /// Sends a command and returns its result.
    fn call(&self, name: &str, parameters: &Value) -> Result<Value> {
        let message = json!([0, 1, name, parameters]).to_string();
        write!(&self.stream, "{}:{message}", message.len())?;
        let mut answer = self.read()?;
        ensure!(answer[2].is_null(), "{name}: {}", answer[2]);
        Ok(answer[3].take())
    }

    /// Reads a message: its length in bytes, a colon, and JSON.
    fn read(&self) -> Result<Value> {
        let mut stream = BufReader::with_capacity(1, &self.stream);
        let mut length = Vec::new();
        stream.read_until(b':', &mut length)?;
        let length = String::from_utf8_lossy(&length);
        let length =
            length.trim_end_matches(':').parse().context("Firefox closed the connection")?;
        let mut message = vec![0; length];
        stream.read_exact(&mut message)?;
        Ok(serde_json::from_slice(&message)?)
    }
}

/// Connects to the port that Firefox writes into a file.
fn connect(file: &Path) -> Result<TcpStream> {
    for _ in 0..600 {
        let port = fs::read_to_string(file).ok().and_then(|port| port.trim().parse().ok());
        if let Some(port) = port
            && let Ok(stream) = TcpStream::connect(("127.0.0.1", port))
        {
            return Ok(stream);
        }
        sleep(Duration::from_millis(100));
    }
    anyhow::bail!("Firefox did not start within a minute")
}
