//! Chores of the project, run as `cargo xtask <command>`.

mod bench;
mod dist;
mod fuzz;
mod instructions;
mod page;
mod parts;
mod project;
mod ptx;
mod serve;
mod test;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

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
    /// Build the page and the release command, and serve the page.
    Serve(serve::Serve),
    /// Build what is handed out into target/dist: the page as static files for any host, and an
    /// archive of the release command with its manual and completions.
    Dist {
        /// Make the archive twice from nothing, compare the two, and have the command inside serve
        /// the page.
        #[arg(long)]
        twice: bool,
    },
    /// Run every check and every test.
    Test(Test),
    /// Compile the CUDA kernels to shaders/*.ptx, which belong to the
    /// sources; the compiler is fetched by pip if it is missing.
    Ptx {
        /// Only compare, and assemble for some cards, as the tests do.
        #[arg(long)]
        check: bool,
    },
    /// Give the targets of fuzz/ inputs that nobody has thought of; the tests do the same for
    /// seconds.
    Fuzz(fuzz::Fuzz),
    /// Measure how fast the command counts, beside other programs.
    Bench(bench::Bench),
    /// Build what the browser tests need and run those alone.
    Browser {
        /// Only tests whose names contain this, and other arguments of a test
        /// binary.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Put the server under bad requests, sudden ends and many clients, for some minutes; the tests
    /// do the same for seconds. Says how much memory it took.
    Endure,
    /// Put counts under sudden ends and their journals under every damage, for some minutes; the
    /// tests do the same for seconds.
    Survive,
    /// Simulate a record's run: a thousand machines of which some fail, some are slow and one lies
    /// count N = 28 in shards. Tells whether the total comes out right, and what finding the liar
    /// costs.
    Simulate,
    /// Open an address in the browser as soon as it answers; serve calls this.
    #[command(hide = true)]
    OpenWhenReady {
        /// Where the server will listen.
        address: std::net::SocketAddr,
    },
}

/// How to test.
#[derive(Args)]
struct Test {
    /// First install what is missing: Rust targets, components and a nightly
    /// toolchain with Miri by rustup, the browser, C and C++ compilers, an emulator, valgrind,
    /// Slurm and GNU parallel by apt-get (as root on Debian), CUDA's compiler by pip.
    #[arg(long)]
    install: bool,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<ExitCode> {
    match arguments.command {
        Chore::Page => {
            parts::need_target(project::WASM_TARGET)?;
            let folder = page::build()?;
            println!("The page is in {}.", folder.display());
            Ok(ExitCode::SUCCESS)
        }
        Chore::Serve(how) => serve::serve(&how),
        Chore::Dist { twice } => {
            parts::need_target(project::WASM_TARGET)?;
            dist::dist(twice)?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Test(how) => test::test(how.install),
        Chore::Fuzz(how) => {
            fuzz::fuzz(&how)?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Bench(how) => bench::bench(&how),
        Chore::Ptx { check } => {
            if check {
                ptx::check()?;
            } else {
                for path in ptx::build()? {
                    println!("Kernels are in {}.", path.display());
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        Chore::Browser { arguments } => {
            parts::need_target(project::WASM_TARGET)?;
            page::build_with_site()?;
            test::alone(["--test", "browser"], &arguments)?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Endure => {
            test::at_length("endures")?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Survive => {
            test::at_length("survives")?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Simulate => {
            test::at_length("simulate")?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::OpenWhenReady { address } => serve::open_when_ready(address),
    }
}
