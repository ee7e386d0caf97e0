//! Chromedriver: finds, starts and stops it, and opens browsers.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::process::{Companion, find_program};

/// The options with which all browsers of the tests start. xtask uses the same file for tests
/// inside WebAssembly.
const OPTIONS: &str = include_str!("../../webdriver.json");

const CHROMEDRIVER: [&str; 1] = ["chromedriver"];
const CHROMIUM: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The program that the browser tests lack on this machine, if any.
pub fn missing_part() -> Option<&'static str> {
    if find_program(&CHROMIUM).is_none() {
        Some("chromium")
    } else if find_program(&CHROMEDRIVER).is_none() {
        Some("chromedriver")
    } else {
        None
    }
}

/// A running chromedriver. Dropping it ends it with all its browsers.
#[derive(Debug)]
pub struct Driver {
    companion: Companion,
    address: SocketAddr,
}

impl Driver {
    /// Starts chromedriver, which selects a free port.
    pub fn start() -> Result<Self> {
        let program = find_program(&CHROMEDRIVER).context("chromedriver is not on the PATH")?;
        let mut companion = Companion::start(
            Command::new(program)
                .arg("--port=0")
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::null()),
        )?;
        let output = companion.0.stdout.take();
        let port = BufReader::new(output.context("chromedriver has no output")?)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| port_in(&line))
            .context("chromedriver printed no port")?;
        Ok(Self { companion, address: SocketAddr::from(([127, 0, 0, 1], port)) })
    }

    /// Opens a browser with a new profile folder, which must exist until the browser is closed.
    /// `change` modifies the browser's capabilities.
    pub(super) async fn open_with(
        &self,
        change: impl FnOnce(&mut Map<String, Value>),
    ) -> Result<(Client, TempDir)> {
        let profile = tempfile::tempdir().context("creating a folder for the browser")?;
        let mut capabilities = capabilities(&profile)?;
        change(&mut capabilities);
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://{}", self.address))
            .await
            .context("chromedriver could not start a browser")?;
        Ok((client, profile))
    }
}

/// Enables a software GPU for WebGPU.
pub(super) fn with_gpu(capabilities: &mut Map<String, Value>) {
    if let Some(arguments) = capabilities["goog:chromeOptions"]["args"].as_array_mut() {
        arguments.retain(|argument| argument != "--disable-gpu");
        arguments
            .extend([json!("--enable-unsafe-webgpu"), json!("--use-webgpu-adapter=swiftshader")]);
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // A shutdown request closes browsers that a failed test left open; killing chromedriver
        // would leave them running.
        if let Ok(mut stream) = TcpStream::connect_timeout(&self.address, Duration::from_secs(1)) {
            let _ = write!(
                stream,
                "GET /shutdown HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
                self.address
            );
            for _ in 0..50 {
                if matches!(self.companion.0.try_wait(), Ok(Some(_))) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

/// Returns the port from chromedriver's line "… started successfully on port 12345."
fn port_in(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("successfully on port ")?;
    rest.trim_end_matches('.').parse().ok()
}

fn capabilities(profile: &TempDir) -> Result<Map<String, Value>> {
    let mut capabilities: Map<String, Value> =
        serde_json::from_str(OPTIONS).context("tests/webdriver.json")?;
    let options = capabilities
        .get_mut("goog:chromeOptions")
        .context("tests/webdriver.json names no goog:chromeOptions")?;
    if let Some(arguments) = options["args"].as_array_mut() {
        arguments.extend([
            json!("--headless"),
            json!("--lang=en"),
            // A test may change addresses more often per second than a user would.
            json!("--disable-ipc-flooding-protection"),
            json!(format!("--user-data-dir={}", profile.path().display())),
        ]);
    }
    // Downloads go to a temporary folder of the browser instead of the user's folder.
    options["prefs"] = json!({ "download.default_directory": profile.path().join("downloads") });
    if let Some(chromium) = find_program(&CHROMIUM) {
        options["binary"] = json!(chromium);
    }
    capabilities.insert("browserName".into(), json!("chrome"));
    capabilities.insert("goog:loggingPrefs".into(), json!({ "browser": "ALL" }));
    Ok(capabilities)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_port_from_chromedrivers_output() {
        let line = "ChromeDriver was started successfully on port 33123.";
        assert_eq!(port_in(line), Some(33123));
        assert_eq!(port_in("Only local connections are allowed."), None);
    }
}
