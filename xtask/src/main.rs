//! Build, test and benchmark tasks of this project, run as `cargo xtask <command>`.

mod bench;
mod dist;
mod fuzz;
mod instructions;
mod page;
mod prerequisites;
mod project;
mod ptx;
mod serve;
mod test;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

/// Build, test and benchmark tasks of this project
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Build the page into target/page, as static files
    Page,
    /// Build the page and the release command, and serve the page
    Serve(serve::Serve),
    /// Build the release files in target/dist: the page as a static site, and an archive of the command
    Dist(dist::Dist),
    /// Run every check and every test
    Test(Test),
    /// Compile the CUDA kernels to shaders/*.ptx
    ///
    /// The results are committed with the sources. If the compiler is missing, it is installed with pip.
    Ptx {
        /// Only check that the committed PTX is up to date and assembles for four generations of GPUs
        #[arg(long)]
        check: bool,
    },
    /// Run the fuzz targets in fuzz/; the tests run each for a few seconds
    Fuzz(fuzz::Fuzz),
    /// Benchmark the command against other programs, count its instructions, or benchmark the page
    Bench(bench::Bench),
    /// Run only the browser tests, after building what they need
    Browser {
        /// Run only tests whose names contain this; other arguments of a test binary are passed on
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Stress-test the server for some minutes: bad requests, aborted connections, many clients
    ///
    /// Prints how much memory the server took. The tests do the same for a few seconds.
    Endure,
    /// Stress-test journals, results and the server's store for half an hour: kill counts, damage their
    /// files and resume; let single system calls of the command fail
    ///
    /// The tests do the same for a few seconds.
    Survive,
    /// Simulate a count of N = 28 on a thousand machines, of which some fail, some are slow and one is
    /// faulty
    ///
    /// Prints whether the total is right, and the cost of finding the faulty machine.
    Simulate,
    /// Open an address in the browser as soon as it answers; used by serve
    #[command(hide = true)]
    OpenWhenReady {
        /// Address on which the server will listen
        address: std::net::SocketAddr,
    },
}

/// Options of the tests.
#[derive(Args)]
struct Test {
    /// First install missing tools
    ///
    /// Rust targets, components, the oldest supported Rust and a nightly toolchain with Miri through rustup;
    /// the browser, a Japanese font, C and C++ compilers, emulators, valgrind, a software Vulkan driver,
    /// Slurm and GNU parallel with apt-get (as root on Debian); CUDA's compiler and the schemas of project
    /// files with pip; axe-core with npm.
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
            prerequisites::need_target(project::WASM_TARGET)?;
            let folder = page::build()?;
            println!("The page is in {}.", folder.display());
            Ok(ExitCode::SUCCESS)
        }
        Chore::Serve(how) => serve::serve(&how),
        Chore::Dist(how) => {
            prerequisites::need_target(project::WASM_TARGET)?;
            dist::dist(&how)?;
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
            prerequisites::need_target(project::WASM_TARGET)?;
            page::build_with_site()?;
            test::run_target(["--test", "browser"], &arguments)?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Endure => {
            test::run_long_variants(&["server_load"])?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Survive => {
            test::run_long_variants(&["crashes", "faults"])?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Simulate => {
            test::run_long_variants(&["cluster_simulation"])?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::OpenWhenReady { address } => serve::open_when_ready(address),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::error::ErrorKind;

    use super::*;

    /// The documents that contain calls of `cargo xtask`, except CHANGELOG.md, which keeps old calls.
    const DOCUMENTS: [&str; 11] = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/development.md",
        "docs/long-runs.md",
        "docs/performance-cpu.md",
        "docs/performance.md",
        "docs/release.md",
        "fuzz/README.md",
        "shaders/README.md",
        "tests/regressions.md",
    ];

    #[test]
    fn accepts_every_documented_command() {
        let mut count = 0;
        for document in DOCUMENTS {
            let text = fs::read_to_string(project::root().join(document)).unwrap();
            // Joins continued shell lines, and lines of wrapped text.
            let text = text.replace("\\\n", " ");
            let blocks = text.lines().map(|line| line.trim().trim_start_matches("$ "));
            let blocks = blocks.filter(|line| line.starts_with("cargo xtask "));
            let flat = text.replace("```", "").replace('\n', " ");
            let spans = flat.split('`').filter(|span| span.starts_with("cargo xtask "));
            for call in blocks.map(str::to_owned).chain(spans.map(str::to_owned)) {
                let call = call.split(['#', '`']).next().unwrap_or_default();
                // Quoted arguments of the shell are not split.
                let mut words = Vec::new();
                for (index, part) in call.split('\'').enumerate() {
                    if index % 2 == 1 {
                        words.push(part.to_owned());
                    } else {
                        words.extend(part.split_whitespace().map(str::to_owned));
                    }
                }
                let arguments = words[1..].iter().cloned().chain(["--help".to_owned()]);
                // `browser` passes on what follows a filter, even `--help`.
                if let Err(error) = Arguments::try_parse_from(arguments) {
                    assert_eq!(error.kind(), ErrorKind::DisplayHelp, "{document}: {call}\n{error}");
                }
                count += 1;
            }
        }
        assert!(count > 40, "{count}");
    }
}
