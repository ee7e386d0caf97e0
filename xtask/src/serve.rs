//! Builds the page and the command, and serves the page.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{page, project, tools};

/// Options of `cargo xtask serve`.
#[derive(Args)]
pub struct Serve {
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8017")]
    listen: SocketAddr,
    /// Only open this address in the browser as soon as it answers; `--open` starts this
    #[arg(long, value_name = "ADDRESS", hide = true)]
    open_when_ready: Option<SocketAddr>,
    /// More arguments for `queens serve`, after `--`
    #[arg(last = true)]
    rest: Vec<OsString>,
}

/// Serves the page until the process is stopped.
pub fn serve(how: &Serve) -> Result<ExitCode> {
    if let Some(address) = how.open_when_ready {
        return open_when_ready(address);
    }
    check_free(how.listen)?;
    tools::need_target(project::WASM_TARGET)?;
    let folder = thread::scope(|scope| {
        if !program().exists() {
            println!("Building what the command depends on …");
            scope.spawn(build_library);
        }
        println!("Building the page …");
        page::build()
    })?;
    println!("Building the command …");
    build_command(&folder, "--release")?;
    let url = format!("http://{}/", reachable(how.listen));
    println!("Starting the server at {url}; press Ctrl-C to stop it.");
    if how.open {
        check_free(how.listen)?;
        open_later(how.listen)?;
    }
    let queens = program();
    let mut command = Command::new(&queens);
    command.args(["serve", "--listen", &how.listen.to_string()]).args(&how.rest);
    become_command(command, &queens)
}

/// Fails if another program listens on the address. `--open` would open that program.
fn check_free(address: SocketAddr) -> Result<()> {
    TcpListener::bind(address).map(drop).with_context(|| {
        format!("cannot listen on {address}; choose another address with `--listen`")
    })
}

/// Returns the path of the release command.
pub fn program() -> PathBuf {
    project::target().join("release").join(format!("queens{}", env::consts::EXE_SUFFIX))
}

/// Builds the command's library without a page, and with it everything that the command depends on.
/// The build of the page often waits for a single compiler process, so both builds run at the same
/// time to use all processors. Errors are ignored here; the build of the command reports them.
fn build_library() {
    let mut build = project::cargo("build --quiet --release --package queens --lib");
    let _ = build.env_remove(page::FOLDER_VARIABLE).stderr(Stdio::null()).status();
}

/// Builds the command with the page of this folder embedded, with more arguments for cargo.
pub fn build_command(page: &Path, more: &str) -> Result<()> {
    let mut build = project::cargo(&format!("build --package queens {more}"));
    build.env(page::FOLDER_VARIABLE, page);
    if let Some(commit) = project::commit() {
        build.env("QUEENS_COMMIT", commit);
    }
    project::run(&mut build)
}

/// Replaces this process with the server, so that ending the process ends the server.
#[cfg(unix)]
fn become_command(mut command: Command, path: &Path) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec()).with_context(|| format!("starting {}", path.display()))
}

#[cfg(not(unix))]
fn become_command(mut command: Command, path: &Path) -> Result<ExitCode> {
    let status = command.status().with_context(|| format!("starting {}", path.display()))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

/// Starts a second process that opens the browser once the server listens.
fn open_later(address: SocketAddr) -> Result<()> {
    if address.port() == 0 {
        bail!("`--open` requires a fixed port; choose one with `--listen`");
    }
    let this = env::current_exe().context("could not find the path of this program")?;
    Command::new(this)
        .args(["serve", "--open-when-ready", &address.to_string()])
        .stdin(Stdio::null())
        .spawn()
        .context("starting the process that opens the browser")?;
    Ok(())
}

/// Waits until the server listens, then opens the page.
fn open_when_ready(address: SocketAddr) -> Result<ExitCode> {
    let address = reachable(address);
    let end = Instant::now() + Duration::from_secs(30);
    while TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_err() {
        if Instant::now() > end {
            bail!("could not open the page: no answer at {address}");
        }
        thread::sleep(Duration::from_millis(100));
    }
    let url = format!("http://{address}/");
    open::that(&url).with_context(|| format!("could not open a browser; open {url} yourself"))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the address at which this machine reaches a server that listens on `address`.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_an_address_that_another_program_has() {
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = other.local_addr().unwrap();
        let error = check_free(address).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot listen on {address}; choose another")));
    }

    #[test]
    fn replaces_an_unspecified_address_by_loopback() {
        let reached = |address: &str| reachable(address.parse().unwrap()).to_string();
        assert_eq!(reached("0.0.0.0:8017"), "127.0.0.1:8017");
        assert_eq!(reached("[::]:80"), "[::1]:80");
        assert_eq!(reached("127.0.0.1:9"), "127.0.0.1:9");
    }
}
