//! Chores of the project, run as `cargo xtask <command>`.

mod page;
mod project;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Chores of the project: build the page, serve it, run every test.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Build the page into target/page, ready to be served as static files.
    Page,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    match arguments.command {
        Chore::Page => {
            let folder = page::build()?;
            println!("The page is in {}.", folder.display());
            Ok(ExitCode::SUCCESS)
        }
    }
}
