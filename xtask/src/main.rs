//! `cargo xtask <command>`: builds, serves and tests this project.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::{fuzz, page, project, serve, test, tools};

/// Chores of this project
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Build the page and the command, and serve the page
    Serve(serve::Serve),
    /// Test everything that people use every day, in some minutes
    Test(test::Test),
    /// Run only the browser tests whose names contain a word, after building what they need
    Browser {
        /// Arguments of the test program, such as a part of a test's name
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Kill counts, damage their files, let system calls fail and load the server, for half an hour
    Survive,
    /// Run the fuzz targets in fuzz/
    Fuzz(fuzz::Fuzz),
    /// Build only the page, as static files in target/page
    Page,
    /// Build the release files in target/dist
    #[command(disable_help_flag = true)]
    Dist(Rest),
    /// Compare the command's speed with other programs, or measure the page
    #[command(disable_help_flag = true)]
    Bench(Rest),
    /// Measure the colour join on a GPU for ten minutes, the most valuable first
    #[command(disable_help_flag = true)]
    Gpu(Rest),
    /// Compile the CUDA kernels to PTX, in shaders/
    #[command(disable_help_flag = true)]
    Ptx(Rest),
}

/// The arguments of a chore of the package `xtask-release`.
#[derive(clap::Args)]
struct Rest {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

fn main() -> ExitCode {
    match run(Arguments::parse().chore) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<ExitCode> {
    match chore {
        Chore::Serve(how) => return serve::serve(&how),
        Chore::Test(how) => return test::test(&how),
        Chore::Browser { arguments } => test::browser(&arguments)?,
        Chore::Survive => test::survive()?,
        Chore::Fuzz(how) => fuzz::fuzz(&how)?,
        Chore::Page => {
            tools::need_target(project::WASM_TARGET)?;
            println!("The page is in {}.", page::build()?.display());
        }
        Chore::Dist(rest) => return release("dist", &rest.arguments),
        Chore::Bench(rest) => return release("bench", &rest.arguments),
        Chore::Gpu(rest) => return release("gpu", &rest.arguments),
        Chore::Ptx(rest) => return release("ptx", &rest.arguments),
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs a chore of the package `xtask-release`, which reports its errors itself.
fn release(chore: &str, arguments: &[OsString]) -> Result<ExitCode> {
    let status = project::release_chore(chore).args(arguments).status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
