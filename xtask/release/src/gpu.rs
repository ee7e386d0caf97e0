//! What to measure on a GPU, the most valuable first.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::{Value, json};
use xtask::project;

use crate::bench;

/// Options of the measurements.
#[derive(Args)]
pub struct Gpu {
    /// Backend to measure; of the other one only the totals are checked
    #[arg(long, default_value = BACKENDS[0], value_parser = BACKENDS)]
    backend: String,
    /// End after this many seconds, whatever is left
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    seconds: u64,
    /// Another program to measure at N = 18 to 21: its command line, with {n} for the board; repeatable
    #[arg(long, value_name = "COMMAND")]
    rival: Vec<String>,
    /// Measure this build of queens [default: build the release, without a page]
    #[arg(long, value_name = "FILE")]
    queens: Option<PathBuf>,
    /// Write each measurement to this file at once, a line of JSON each
    #[arg(long, short, value_name = "FILE", default_value = "target/gpu.jsonl")]
    output: PathBuf,
}

/// The backends that can be measured.
const BACKENDS: [&str; 2] = ["cuda", "wgpu"];

/// The longest time of a measurement, so that a hanging one leaves time for the others.
const LIMIT: Duration = Duration::from_secs(150);

/// Boards of which about ten tasks are counted, each with the number of shards that this takes.
const SHARDS: [(u32, u32); 4] = [(24, 1086), (26, 4271), (27, 6499), (28, 6533)];

/// A command line for a shell, in which `$QUEENS` stands for the command, and `$SHARD` for a file.
struct Measurement {
    line: String,
    /// The total that the command prints.
    total: Option<String>,
}

impl Measurement {
    fn new(line: String) -> Measurement {
        Measurement { line, total: None }
    }

    fn count(n: u32, how: &str) -> Result<Measurement> {
        let line = format!("\"$QUEENS\" count {n} {how} --json --quiet --no-journal");
        Ok(Measurement { line, total: Some(bench::known_total(n)?) })
    }

    /// Runs the command, and returns its line of the record.
    fn run(&self, queens: &Path, folder: &Path, limit: Duration) -> Result<Value> {
        let [out, err] = ["out", "err"].map(|name| folder.join(name));
        let mut command = Command::new("sh");
        command.args(["-c", &self.line]).stdin(Stdio::null());
        command.env("QUEENS", queens).env("SHARD", folder.join("shard.json"));
        command.stdout(File::create(&out)?).stderr(File::create(&err)?);
        let clock = Instant::now();
        let ended = project::run_within(limit, &mut command);
        let seconds = clock.elapsed().as_secs_f64();
        let [out, err] = [out, err].map(|file| fs::read(file).unwrap_or_default());
        let [out, err] = [&out, &err].map(|bytes| String::from_utf8_lossy(bytes));
        let mut printed: Value = serde_json::from_str(&out).unwrap_or_else(|_| json!(out));
        if let Some(document) = printed.as_object_mut() {
            document.remove("tasks");
        }
        let result = match (ended, &self.total) {
            (Err(error), _) => error.to_string(),
            (Ok(()), Some(total)) if !bench::has_total(&printed, &out, total) => {
                format!("WRONG: not {total}")
            }
            (Ok(()), _) => "ok".to_owned(),
        };
        Ok(json!({
            "command": self.line, "seconds": seconds, "result": result, "printed": printed, "errors": err,
        }))
    }
}

/// Returns the measurements, the most valuable first.
fn measurements(how: &Gpu) -> Result<Vec<Measurement>> {
    let mut all = vec![Measurement::new("\"$QUEENS\" devices --json".to_owned())];
    let colours = |backend: &str| format!("--backend {backend} --method colours");
    let ours = colours(&how.backend);
    let others = BACKENDS.into_iter().filter(|&backend| backend != how.backend);
    for backend in [how.backend.as_str()].into_iter().chain(others) {
        for n in 4..=20 {
            all.push(Measurement::count(n, &colours(backend))?);
        }
    }
    for n in 21..=23 {
        all.push(Measurement::count(n, &ours)?);
    }
    for n in [18, 20] {
        all.push(Measurement::count(n, &format!("--backend {} --method symmetry", how.backend))?);
    }
    for (n, shards) in SHARDS {
        let shard = format!("--shard 0/{shards} -o \"$SHARD\" --quiet --no-journal");
        let verify = "\"$QUEENS\" verify \"$SHARD\" --parts all --quiet";
        let line = format!("rm -f \"$SHARD\"; \"$QUEENS\" count {n} {ours} {shard} && {verify}");
        all.push(Measurement::new(line));
    }
    for n in [27, 28] {
        all.push(Measurement::new(format!(
            "\"$QUEENS\" count {n} {ours} --estimate --json --quiet"
        )));
    }
    for rival in &how.rival {
        ensure!(rival.contains("{n}"), "invalid `--rival {rival}`: the command must contain {{n}}");
        for n in 18..=21 {
            let line = rival.replace("{n}", &n.to_string());
            all.push(Measurement { line, total: Some(bench::known_total(n)?) });
        }
    }
    if how.backend == "cuda" {
        let mut sanitized = Measurement::count(12, &ours)?;
        sanitized.line.insert_str(0, "compute-sanitizer --error-exitcode 1 --log-file \"$SHARD\" ");
        all.push(sanitized);
    }
    Ok(all)
}

/// Measures, writes each result to a file at once, and fails if a total was wrong.
pub fn measure(how: &Gpu) -> Result<()> {
    let queens = match &how.queens {
        Some(file) => file.clone(),
        None => {
            project::run(&mut project::cargo("build --release --package queens"))?;
            xtask::serve::program()
        }
    };
    let queens = queens.canonicalize().with_context(|| queens.display().to_string())?;
    let folder = project::target().join("gpu");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut record = File::create(&how.output).with_context(|| how.output.display().to_string())?;
    let end = Instant::now() + Duration::from_secs(how.seconds);
    let (mut left, mut wrong) = (0, 0);
    for measurement in measurements(how)? {
        let time = end.saturating_duration_since(Instant::now());
        if time.is_zero() {
            left += 1;
            continue;
        }
        let measured = measurement.run(&queens, &folder, time.min(LIMIT))?;
        writeln!(record, "{measured}")?;
        let result = measured["result"].as_str().unwrap_or_default();
        wrong += u32::from(result.starts_with("WRONG"));
        let seconds = measured["seconds"].as_f64().unwrap_or_default();
        println!("{seconds:8.2} s  {result}  {}", measurement.line);
    }
    let mut end = format!("The measurements are in {}.", how.output.display());
    if left > 0 {
        write!(end, " There was no time for {left} more.")?;
    }
    println!("{end}");
    ensure!(wrong == 0, "{wrong} counts were wrong");
    Ok(())
}
