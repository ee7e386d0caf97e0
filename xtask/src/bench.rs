//! Benchmarks: the command compared with other programs on the same machine, and the page.
//!
//! docs/performance.md explains the method.

mod contender;
mod race;
mod record;
mod report;
mod rivals;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde_json::Value;

use crate::{instructions, page, prerequisites, project, serve, test};
use contender::Contender;
use race::Race;

/// Options of the benchmarks.
#[derive(Args)]
pub struct Bench {
    /// Smallest board
    #[arg(long, value_name = "N", default_value_t = 16)]
    from: u32,
    /// Largest board
    #[arg(long, value_name = "N", default_value_t = 18)]
    to: u32,
    /// Number of times that each program counts each board
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Methods, as listed by `queens methods` [default: halves; on GPUs all that they support]
    #[arg(long, value_name = "METHOD,…", value_delimiter = ',')]
    method: Vec<String>,
    /// Instruction sets of halves [default: the fastest]
    #[arg(long, value_name = "ISA,…", value_delimiter = ',')]
    isa: Vec<String>,
    /// Numbers of threads
    #[arg(long, value_name = "THREADS,…", value_delimiter = ',', default_value = "1")]
    threads: Vec<u16>,
    /// Another program to measure: its name and its command line, with {n} for the board; repeatable
    #[arg(long, value_name = "NAME=COMMAND")]
    rival: Vec<String>,
    /// Also measure the programs of docs/bench/rivals.toml that are built in this folder
    #[arg(long, value_name = "FOLDER")]
    rivals: Option<PathBuf>,
    /// Clone and build the missing programs of docs/bench/rivals.toml first
    #[arg(long, requires = "rivals")]
    fetch: bool,
    /// Compare with the times that an earlier run wrote to this file
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Measure this build of queens [default: build the release]
    #[arg(long, value_name = "FILE")]
    queens: Option<PathBuf>,
    /// Write all times and the environment to this file as JSON
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Measure counting on GPUs instead of the CPU
    #[arg(long, conflicts_with_all = ["isa", "threads"])]
    gpu: bool,
    /// Measure how fast the page's worker counts in headless Chromium, compared with the portable code
    /// outside the browser
    #[arg(long, conflicts_with_all = ["gpu", "method", "isa", "threads", "rival", "rivals", "against", "queens", "output", "from", "to"])]
    worker: bool,
    /// Count the instructions of some hot paths under valgrind, and compare them with
    /// docs/bench/instructions.json; this also works on a busy machine
    #[arg(long, exclusive = true)]
    instructions: bool,
    /// Count the instructions and record them in docs/bench/instructions.json
    #[arg(long, exclusive = true)]
    keep_instructions: bool,
    /// Measure how smoothly the page runs in headless Chromium
    #[arg(long, exclusive = true)]
    page: bool,
    /// Interface to the GPU
    #[arg(long, requires = "gpu", default_value = "cuda", value_parser = ["cuda", "wgpu"])]
    backend: String,
    /// Device of the backend [default: the choice of queens count]
    #[arg(long, value_name = "DEVICE", requires = "gpu")]
    device: Option<u16>,
    /// Instead of measuring, count each board this many times on the GPU, and fail unless all counts
    /// agree, task by task
    #[arg(long, value_name = "COUNTS", requires = "gpu", value_parser = clap::value_parser!(u32).range(1..))]
    soak: Option<u32>,
}

impl Bench {
    /// Returns the boards in ascending order, each with its number of solutions.
    fn boards(&self) -> Result<Vec<(u32, String)>> {
        ensure!(self.from <= self.to, "`--from {}` is greater than `--to {}`", self.from, self.to);
        let file = project::root().join("tests/data/known-counts.json");
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let known: Value = serde_json::from_str(&text).context("reading the known counts")?;
        (self.from..=self.to).map(|n| Ok((n, total(&known, n)?))).collect()
    }

    /// Returns the variants to measure: the name of each, and its arguments for `queens count`
    /// except the board.
    fn variants(&self) -> Vec<(String, Vec<String>)> {
        let arguments = |line: String| line.split(' ').map(str::to_owned).collect();
        let methods = |usual: &[&str]| match &self.method[..] {
            [] => usual.iter().map(|&method| method.to_owned()).collect(),
            selected => selected.to_vec(),
        };
        let mut variants = vec![];
        if self.gpu {
            let device = self.device.map_or(String::new(), |device| format!(" --device {device}"));
            for method in methods(&["symmetry", "halves"]) {
                let backend = &self.backend;
                let line = format!("--backend {backend}{device} --method {method} --json --quiet");
                variants.push((format!("queens, {method}"), arguments(line)));
            }
            return variants;
        }
        for method in methods(&["halves"]) {
            let sets: Vec<_> = match method.as_str() {
                "halves" if !self.isa.is_empty() => self.isa.iter().map(Some).collect(),
                _ => vec![None],
            };
            for set in sets {
                for threads in &self.threads {
                    let isa = set.map_or(String::new(), |set| format!(" --isa {set}"));
                    let name = set.map_or(method.clone(), |set| format!("{method} {set}"));
                    let line = format!(
                        "--backend cpu --method {method}{isa} --threads {threads} --json --quiet"
                    );
                    let many = if *threads == 1 { "thread" } else { "threads" };
                    variants.push((format!("{name}, {threads} {many}"), arguments(line)));
                }
            }
        }
        variants
    }
}

/// Returns the known number of solutions of a board.
fn total(known: &Value, n: u32) -> Result<String> {
    let lines = known["counts"].as_array().into_iter().flatten();
    let total = lines.clone().find(|line| line["n"] == n).and_then(|line| line["total"].as_str());
    let Some(total) = total else {
        let largest = lines.filter_map(|line| line["n"].as_u64()).max().unwrap_or(0);
        bail!("the answer for N = {n} is not known; it is known for N = 1 to {largest}");
    };
    Ok(total.to_owned())
}

/// Runs the requested benchmark. A comparison of programs prints a table and writes the times.
pub fn bench(how: &Bench) -> Result<ExitCode> {
    if how.worker {
        return worker::compare(how.runs);
    }
    if how.instructions || how.keep_instructions {
        instructions::count(how.keep_instructions)?;
        return Ok(ExitCode::SUCCESS);
    }
    if how.page {
        prerequisites::need_target(project::WASM_TARGET)?;
        let queens = serve::build_command(&page::build()?)?;
        test::run_target(["--bench", "page"], &[queens.into_os_string()])?;
        return Ok(ExitCode::SUCCESS);
    }
    let boards = how.boards()?;
    let (queens, build_commit) = match &how.queens {
        Some(file) => {
            (file.clone(), report::output_of(&file.display().to_string(), &["--version"]))
        }
        None => (build()?, commit()),
    };
    let variants = how.variants().into_iter();
    let ours: Vec<_> =
        variants.map(|(name, arguments)| Contender::ours(name, &queens, arguments)).collect();
    if let Some(counts) = how.soak {
        for (ours, (n, total)) in ours.iter().flat_map(|ours| boards.iter().map(move |n| (ours, n)))
        {
            let (name, time) = (&ours.name, race::soak(ours, *n, total, counts)?);
            println!("{name}, N = {n}: {counts} counts agree, task by task, in {time:.1} s");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let machine = if how.gpu { race::devices(&queens)? } else { race::host(&queens)? };
    let before = how.against.as_deref().map(record::read).transpose()?;
    let mut contenders = ours;
    for rival in &how.rival {
        contenders.push(Contender::rival(rival)?);
    }
    if let Some(folder) = &how.rivals {
        if how.fetch {
            rivals::fetch(folder)?;
        }
        contenders.extend(rivals::built_rivals(folder, &boards)?);
    }
    let race = Race::run(contenders, &boards, how.runs)?;
    println!("{}", if how.gpu { report::table(&race) } else { report::long_table(&race) });
    if let Some(before) = &before {
        println!("{}", record::table(&race, before));
    }
    if let Some(file) = &how.output {
        let text =
            serde_json::to_string_pretty(&report::json(&race, build_commit.as_deref(), &machine))?;
        fs::write(file, text + "\n").with_context(|| file.display().to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn build() -> Result<PathBuf> {
    let mut build = project::cargo();
    build.args(["build", "--release", "--package", "queens"]);
    project::run(&mut build, "building the command")?;
    Ok(project::target().join("release").join(format!("queens{}", env::consts::EXE_SUFFIX)))
}

/// Returns the commit of the sources, with the suffix `-dirty` if there are uncommitted changes.
fn commit() -> Option<String> {
    let describe = ["describe", "--always", "--exclude=*", "--abbrev=12", "--dirty"];
    report::output_of("git", &describe)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        bench: Bench,
    }

    fn variants(line: &str) -> Vec<(String, String)> {
        let line = Line::try_parse_from(format!("bench {line}").split_whitespace()).unwrap();
        let variants = line.bench.variants().into_iter();
        variants.map(|(name, arguments)| (name, arguments.join(" "))).collect()
    }

    #[test]
    fn runs_every_combination_of_method_isa_and_threads() {
        let names =
            |line: &str| variants(line).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names(""), ["halves, 1 thread"]);
        assert_eq!(
            names("--method symmetry,halves --isa avx2,portable --threads 1,2"),
            [
                "symmetry, 1 thread",
                "symmetry, 2 threads",
                "halves avx2, 1 thread",
                "halves avx2, 2 threads",
                "halves portable, 1 thread",
                "halves portable, 2 threads",
            ]
        );
        assert_eq!(
            variants("--isa avx2")[0].1,
            "--backend cpu --method halves --isa avx2 --threads 1 --json --quiet"
        );
    }

    #[test]
    fn measures_a_gpu_only_on_request() {
        assert_eq!(
            variants("--gpu --device 1"),
            ["symmetry", "halves"].map(|method| {
                let line = format!("--backend cuda --device 1 --method {method} --json --quiet");
                (format!("queens, {method}"), line)
            })
        );
        assert_eq!(variants("--gpu --method halves").len(), 1);
        for wrong in ["--device 1", "--gpu --isa avx2", "--soak 3"] {
            let line = format!("bench {wrong}");
            assert!(Line::try_parse_from(line.split(' ')).is_err(), "{wrong}");
        }
    }

    #[test]
    fn expected_totals_come_from_the_data_file() {
        let known = serde_json::json!({ "counts": [{ "n": 8, "total": "92" }] });
        assert_eq!(total(&known, 8).unwrap(), "92");
        let error = total(&known, 9).unwrap_err().to_string();
        assert_eq!(error, "the answer for N = 9 is not known; it is known for N = 1 to 8");
    }
}
