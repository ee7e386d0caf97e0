//! `queens serve`: the page and the results server.

use std::{io::Write, net::SocketAddr, path::PathBuf, process::ExitCode};

use anyhow::Context;
use queens::{
    server::{DEFAULT_ADDRESS, Server, ServerError, asked_to_stop},
    store::{Store, StoreError},
};

use super::failure::Failure;

/// Serve the page and the results
#[derive(clap::Args)]
pub struct Args {
    /// The address and port to listen on; port 0 takes any free one
    #[arg(long, value_name = "ADDR", default_value_t = DEFAULT_ADDRESS)]
    listen: SocketAddr,
    /// The file that keeps the results [default: one in the user's data folder]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let file = args.store.clone().map_or_else(Store::default_file, Ok)?;
    let address = Server::reserve(args.listen).map_err(refused)?;
    let server = address.with(Store::open(&file).map_err(unusable)?);
    writeln!(out, "{}", server.url())
        .and_then(|()| out.flush())
        .context("the server's address cannot be printed")?;
    server.run(asked_to_stop())?;
    Ok(ExitCode::SUCCESS)
}

/// A file that holds something else is refused as a damaged document is.
fn unusable(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::NotAStore { .. } | StoreError::Later { .. } | StoreError::Damaged(_) => {
            Failure::UnusableStore(error).into()
        }
        other => other.into(),
    }
}

/// An address that will not do is a wrong argument; one that is taken is not.
fn refused(error: ServerError) -> anyhow::Error {
    match error {
        ServerError::NotLoopback(_) => Failure::Arguments(error.to_string()).into(),
        other => other.into(),
    }
}
