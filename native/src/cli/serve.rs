//! `queens serve`: the server for the page and the results.

use std::{io::Write, net::SocketAddr, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::Context;

use queens::{
    post::{TOKEN, Token},
    server::{DEFAULT_ADDRESS, Page, Server},
    store::Store,
};

use super::{failure::Failure, interrupt, output};
use crate::page;

/// Interval at which the server checks for an interrupt.
const INTERRUPT_POLL: Duration = Duration::from_millis(100);

/// Start a web server for the interactive page and the stored results
///
/// If the environment variable QUEENS_TOKEN is set, only clients that send this token may post and
/// delete results. If it is not set, every user of this machine may post and delete, unless --host is given or
/// --listen is not a loopback address: then other machines may be able to reach the server, and it is read-only.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens serve
  QUEENS_TOKEN=$(cat token) queens serve --listen 0.0.0.0:8017")]
pub struct Args {
    /// IP address and port to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value_t = DEFAULT_ADDRESS, value_parser = address)]
    listen: SocketAddr,
    /// Additional host name to answer to, for example behind a proxy; may be repeated
    #[arg(long = "host", value_name = "HOST", value_parser = host)]
    hosts: Vec<String>,
    /// Database file for the results [default: a file in the user's data folder, on Linux in
    /// ~/.local/share/queens/]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let token = Token::from_environment().map_err(|error| Failure::Arguments(error.into()))?;
    interrupt::catch()?;
    let store = args.store.as_deref().map_or_else(Store::open_default, Store::open);
    let server = Server::bind(args.listen, store?)?.with_page(Page::of::<page::Files>());
    let mut server = server.with_hosts(args.hosts.clone());
    if let Some(token) = token {
        server = server.with_token(&token);
    }
    if server.is_read_only() {
        output::warn(format!(
            "{TOKEN} is not set, and other machines may be able to reach the server ({}), so it is \
             read-only",
            args.hosts.first().map_or_else(|| server.address().to_string(), Clone::clone)
        ));
    }
    let url = server.url();
    writeln!(out, "{url}")
        .and_then(|()| out.flush())
        .context("cannot print the server's address")?;
    server.run(async {
        while !interrupt::is_set() {
            tokio::time::sleep(INTERRUPT_POLL).await;
        }
        interrupt::stop_polling();
    })?;
    Ok(ExitCode::SUCCESS)
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .map_err(|_| format!("expected an IP address and a port, such as {DEFAULT_ADDRESS}"))
}

/// Parses a host name without a port.
fn host(text: &str) -> Result<String, &'static str> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    if text.is_empty() || !text.bytes().all(is_part) {
        return Err("expected a host name without a port, such as queens.example.org");
    }
    Ok(text.to_owned())
}
