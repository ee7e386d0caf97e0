//! The command `queens`.

use std::{io::Write, net::SocketAddr, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::{Parser, Subcommand};
use queens::{
    server::{DEFAULT_ADDRESS, Server, ServerError, asked_to_stop},
    store::Store,
};

/// An N-Queens workbench.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the page and the results
    Serve {
        /// The address and port to listen on; port 0 takes any free one
        #[arg(long, value_name = "ADDR", default_value_t = DEFAULT_ADDRESS)]
        listen: SocketAddr,
        /// The file that keeps the results
        #[arg(long, value_name = "FILE")]
        store: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let Command::Serve { listen, store } = Arguments::parse().command;
    match serve(listen, store) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("queens: {error:#}");
            match error.downcast_ref() {
                Some(ServerError::NotLoopback(_)) => ExitCode::from(2),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

fn serve(listen: SocketAddr, store: Option<PathBuf>) -> anyhow::Result<()> {
    let file = store.map_or_else(Store::default_file, Ok)?;
    let server = Server::bind(listen, Store::open(&file)?)?;
    let mut out = std::io::stdout();
    writeln!(out, "{}", server.url())
        .and_then(|()| out.flush())
        .context("the server's address cannot be printed")?;
    server.run(asked_to_stop())?;
    Ok(())
}
