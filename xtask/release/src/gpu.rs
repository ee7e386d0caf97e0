//! What to measure on a GPU, the most valuable first.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::{Value, json};
use xtask::{project, serve, tools};

/// Options of the measurements.
#[derive(Args)]
pub struct Gpu {
    /// Backend to measure; of the other one only the totals are checked
    #[arg(long, default_value = BACKENDS[0], value_parser = BACKENDS)]
    backend: String,
    /// End after this many seconds, whatever is left
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    seconds: u64,
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

/// Returns the command lines to measure, the most valuable first. In them `$QUEENS` stands for the command, which
/// fails if its total differs from the known one, and `$SHARD` for a file.
fn lines(backend: &str) -> Vec<String> {
    let count =
        |n: u32, how: &str| format!("\"$QUEENS\" count {n} {how} --json --quiet --no-journal");
    let [cuda, wgpu] = BACKENDS.map(|backend| format!("--backend {backend} --method colours"));
    let (ours, other) = if backend == BACKENDS[0] { (cuda, wgpu) } else { (wgpu, cuda) };
    let mut lines = vec!["\"$QUEENS\" devices --json".to_owned()];
    for how in [&ours, &other] {
        lines.extend((4..=20).map(|n| count(n, how)));
    }
    lines.extend((21..=23).map(|n| count(n, &ours)));
    lines.extend([18, 20].map(|n| count(n, &format!("--backend {backend} --method symmetry"))));
    for (n, shards) in SHARDS {
        let shard = format!("--shard 0/{shards} -o \"$SHARD\" --quiet --no-journal");
        let verify = "\"$QUEENS\" verify \"$SHARD\" --parts all --quiet";
        let line = format!("rm -f \"$SHARD\"; \"$QUEENS\" count {n} {ours} {shard} && {verify}");
        lines.push(line);
    }
    for n in [27, 28] {
        lines.push(format!("\"$QUEENS\" count {n} {ours} --estimate --json --quiet"));
    }
    if backend == "cuda" && tools::find_on_path("compute-sanitizer").is_some() {
        let sanitizer = "compute-sanitizer --error-exitcode 1 --log-file \"$SHARD\"";
        lines.push(format!("{sanitizer} {}", count(12, &ours)));
    }
    lines
}

/// Runs a command line, and returns its line of the record.
fn measure_line(line: &str, queens: &Path, folder: &Path, limit: Duration) -> Result<Value> {
    let [out, err] = ["out", "err"].map(|name| folder.join(name));
    let mut command = Command::new("sh");
    command.args(["-c", line]).stdin(Stdio::null());
    command.env("QUEENS", queens).env("SHARD", folder.join("shard.json"));
    command.stdout(File::create(&out)?).stderr(File::create(&err)?);
    let clock = Instant::now();
    let ended = project::run_within(limit, &mut command);
    let time = clock.elapsed();
    let result = match ended {
        Ok(()) => "ok",
        Err(_) if time >= limit => "out of time",
        Err(_) => "FAILED",
    };
    let [out, err] = [out, err].map(|file| fs::read(file).unwrap_or_default());
    let [out, err] = [&out, &err].map(|bytes| String::from_utf8_lossy(bytes));
    let mut printed: Value = serde_json::from_str(&out).unwrap_or_else(|_| json!(out));
    if let Some(document) = printed.as_object_mut() {
        document.remove("tasks");
    }
    let seconds = time.as_secs_f64();
    println!("{seconds:8.2} s  {result}  {line}");
    Ok(json!({
        "command": line, "seconds": seconds, "result": result, "printed": printed, "errors": err,
    }))
}

/// Measures, writes each result to a file at once, and fails if a command failed, for example because its total
/// was wrong.
pub fn measure(how: &Gpu) -> Result<()> {
    let queens = match &how.queens {
        Some(file) => file.clone(),
        None => {
            project::run(&mut project::cargo("build --release --package queens"))?;
            serve::program()
        }
    };
    let queens = queens.canonicalize().with_context(|| queens.display().to_string())?;
    let folder = project::target().join("gpu");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut record = File::create(&how.output).with_context(|| how.output.display().to_string())?;
    let end = Instant::now() + Duration::from_secs(how.seconds);
    let (mut left, mut failed) = (0, 0);
    for line in lines(&how.backend) {
        let time = end.saturating_duration_since(Instant::now());
        if time.is_zero() {
            left += 1;
            continue;
        }
        let measured = measure_line(&line, &queens, &folder, time.min(LIMIT))?;
        failed += u32::from(measured["result"] == "FAILED");
        writeln!(record, "{measured}")?;
    }
    let missing =
        if left > 0 { format!(" There was no time for {left} more.") } else { String::new() };
    println!("The measurements are in {}.{missing}", how.output.display());
    ensure!(failed == 0, "{failed} commands failed");
    Ok(())
}
