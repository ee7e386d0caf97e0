//! The chores of a release, which `cargo xtask dist`, `bench`, `gpu` and `ptx` run: archives and the small
//! page, benchmarks, and the PTX of the CUDA kernels.

mod bench;
mod dist;
mod gpu;
mod page;
mod ptx;
mod split;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Build the release files in target/dist: the page as a static site, and an archive of the
    /// command
    Dist(dist::Dist),
    /// Build the page of a release in target/release-page and target/dist/site, for tests
    #[command(hide = true)]
    Page,
    /// Compare the command's speed with other programs, or measure the page
    Bench(bench::Bench),
    /// Measure the colour join on a GPU for ten minutes, the most valuable first
    Gpu(gpu::Gpu),
    /// Compile the CUDA kernels to PTX, in shaders/
    ///
    /// The result is committed with the source. `.ci/setup` installs the compiler.
    Ptx {
        /// Only check that the committed PTX is up to date and assembles for four generations of GPUs
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().chore) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<()> {
    match chore {
        Chore::Dist(how) => dist::dist(&how),
        Chore::Page => page::build(None).map(drop),
        Chore::Bench(how) => bench::bench(&how),
        Chore::Gpu(how) => gpu::measure(&how),
        Chore::Ptx { check: true } => ptx::check(),
        Chore::Ptx { check: false } => ptx::build(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::error::ErrorKind;
    use xtask::project;

    use super::*;

    /// The documents with calls of these chores.
    const DOCUMENTS: [&str; 5] = [
        "README.md",
        "docs/development.md",
        "docs/performance.md",
        "docs/release.md",
        "shaders/README.md",
    ];

    #[test]
    fn accepts_every_documented_call() {
        let mut count = 0;
        for document in DOCUMENTS {
            let text = fs::read_to_string(project::root().join(document)).unwrap();
            // Joins continued shell lines; a call ends with its line, its code span or before a comment.
            let text = text.replace("\\\n", " ");
            for call in text.split("cargo xtask ").skip(1) {
                let call = call.split(['\n', '`', '#', '$']).next().unwrap_or_default();
                // The shell does not split quoted arguments.
                let mut words = vec!["cargo xtask".to_owned()];
                for (index, part) in call.split('\'').enumerate() {
                    let is_quoted = index % 2 == 1;
                    let parts =
                        if is_quoted { vec![part] } else { part.split_whitespace().collect() };
                    words.extend(parts.into_iter().map(str::to_owned));
                }
                if !["dist", "bench", "gpu", "ptx"]
                    .contains(&words.get(1).map_or("", String::as_str))
                {
                    continue;
                }
                words.push("--help".to_owned());
                if let Err(error) = Arguments::try_parse_from(words) {
                    assert_eq!(error.kind(), ErrorKind::DisplayHelp, "{document}: {call}\n{error}");
                }
                count += 1;
            }
        }
        assert!(count > 10, "{count}");
    }
}
