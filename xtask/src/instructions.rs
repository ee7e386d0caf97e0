//! Counts the instructions of hot code paths and compares them with recorded numbers. Other
//! programs on the machine do not affect instruction counts, unlike times. The paths are defined in
//! `paths.rs` among the core's examples.
//!
//! The counts depend on the compiler, on the C library and on the processor, since the C library
//! selects its copy and compare routines by processor features. All three are recorded, and counts
//! are compared only if all three agree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::{prerequisites, project};

/// The file with the recorded counts, relative to the project's root.
const RECORD_FILE: &str = "docs/bench/instructions.json";

/// The tolerated relative change. A larger increase is a regression. After a larger decrease, new
/// counts must be recorded; otherwise a later regression of the same size would not be noticed.
const TOLERATED: f64 = 0.03;

/// The path that only starts and ends a process. The counts of all other paths include it.
const START: &str = "start";

/// Instruction counts by path.
type Counts = BTreeMap<String, u64>;

/// Counts instructions, and compares them with the record or replaces it.
pub fn count(keep: bool) -> Result<()> {
    let Some(valgrind) = prerequisites::VALGRIND.path() else {
        bail!("counting instructions requires valgrind (on Debian: apt install valgrind)");
    };
    let counts = count_paths(&valgrind, &build()?)?;
    if keep {
        let text = json!({ "counted": environment()?, "instructions": counts });
        let text = serde_json::to_string_pretty(&text)? + "\n";
        return fs::write(project::root().join(RECORD_FILE), text).context(RECORD_FILE);
    }
    if let Some(reason) = incomparable()? {
        print!("{}", table(&Counts::new(), &counts));
        println!(
            "Not compared: {reason}. Record these with `cargo xtask bench --keep-instructions`."
        );
        return Ok(());
    }
    let recorded: Counts =
        serde_json::from_value(read_record()?["instructions"].take()).context(RECORD_FILE)?;
    print!("{}", table(&recorded, &counts));
    let differences = differences(&recorded, &counts);
    ensure!(
        differences.is_empty(),
        "instruction counts differ from {RECORD_FILE}: {}; to record the new ones, run `cargo xtask bench \
         --keep-instructions`, and give a reason in CHANGELOG.md if they are higher",
        differences.join(", ")
    );
    Ok(())
}

/// Returns why counts made here cannot be compared with the record: it was made in another environment.
/// Returns `None` if they can be compared.
pub fn incomparable() -> Result<Option<String>> {
    let (recorded, here) = (read_record()?, environment()?);
    let with = recorded["counted"].as_str().unwrap_or("something unknown");
    let reason = || format!("{RECORD_FILE} was counted with {with}, and this is {here}");
    Ok((with != here).then(reason))
}

fn read_record() -> Result<Value> {
    let text = fs::read_to_string(project::root().join(RECORD_FILE)).context(RECORD_FILE)?;
    serde_json::from_str(&text).context(RECORD_FILE)
}

/// Describes what the counts depend on in addition to the code: the compiler and its target, the C
/// library, and whether the processor has the vector instructions with which the C library copies.
fn environment() -> Result<String> {
    let output = Command::new("rustc").args(["--version", "--verbose"]).output();
    let text = String::from_utf8(output.context("could not start rustc")?.stdout)?;
    let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let (Some(version), Some(host)) = (line("rustc "), line("host: ")) else {
        bail!("`rustc -vV` does not print its version");
    };
    let version = version.split(' ').next().unwrap_or(version);
    let library = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let library = library.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let library = library.ok().filter(|name| !name.is_empty());
    let library = library.as_deref().unwrap_or("another C library than glibc");
    #[cfg(target_arch = "x86_64")]
    let has_vectors = is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    let has_vectors = false;
    let vectors = if has_vectors { "with AVX2" } else { "without AVX2" };
    Ok(format!("rustc {version} for {host}, {library}, {vectors}"))
}

fn build() -> Result<PathBuf> {
    let mut build = project::cargo();
    build.args(["build", "--release", "--package", "queens-core", "--features", "document"]);
    build.args(["--example", "paths"]);
    project::run(&mut build, "building the hot paths")?;
    let name = format!("paths{}", env::consts::EXE_SUFFIX);
    Ok(project::target().join("release").join("examples").join(name))
}

/// Returns the instruction count of every path, minus the count of the path [`START`].
fn count_paths(valgrind: &Path, program: &Path) -> Result<Counts> {
    let output = Command::new(program).output();
    let names = output.with_context(|| program.display().to_string())?.stdout;
    let names = String::from_utf8(names)?;
    let mut counts = Counts::new();
    for name in names.lines() {
        let output = Command::new(valgrind)
            .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
            .arg(program)
            .arg(name)
            .output()
            .context("could not start valgrind")?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        // The program also fails if the result of the path is wrong.
        ensure!(output.status.success(), "{name} failed under valgrind:\n{stderr}");
        let count = instructions(&stderr).with_context(|| {
            format!("no instruction count in the output of valgrind:\n{stderr}")
        })?;
        counts.insert(name.to_owned(), count);
    }
    let Some(start) = counts.remove(START) else { bail!("the path {START} is missing") };
    Ok(counts.into_iter().map(|(name, count)| (name, count.saturating_sub(start))).collect())
}

/// Returns the number in `==7== I   refs:      1,234,567`.
fn instructions(stderr: &str) -> Option<u64> {
    let (_, number) = stderr.lines().find_map(|line| line.split_once("refs:"))?;
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Returns a Markdown table, with the recorded counts if they are comparable.
fn table(recorded: &Counts, counts: &Counts) -> String {
    let mut table = "| path | recorded | now | ratio |\n|---|---|---|---|\n".to_owned();
    for (name, &now) in counts {
        let (then, ratio) = match recorded.get(name) {
            Some(&then) => (then.to_string(), format!("{:.3}", now as f64 / then as f64)),
            None => ("–".to_owned(), "–".to_owned()),
        };
        table += &format!("| {name} | {then} | {now} | {ratio} |\n");
    }
    table
}

/// Returns the paths whose counts changed by more than is tolerated, and the paths that only one side has.
fn differences(recorded: &Counts, counts: &Counts) -> Vec<String> {
    let mut differences: Vec<String> = Vec::new();
    for (name, &now) in counts {
        match recorded.get(name) {
            Some(&then) if (now as f64 - then as f64).abs() <= then as f64 * TOLERATED => {}
            Some(&then) => differences.push(format!("{name} ({then} became {now})")),
            None => differences.push(format!("{name} (not recorded)")),
        }
    }
    let gone = recorded.keys().filter(|name| !counts.contains_key(*name));
    differences.extend(gone.map(|name| format!("{name} (no longer counted)")));
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(pairs: &[(&str, u64)]) -> Counts {
        pairs.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
    }

    #[test]
    fn reads_the_instruction_count_of_valgrind() {
        let stderr = "==7== Cachegrind\n==7== \n==7== I   refs:      1,234,567\n";
        assert_eq!(instructions(stderr), Some(1_234_567));
        assert_eq!(instructions("==7== Cachegrind\n"), None);
    }

    #[test]
    fn reports_changes_above_the_tolerance() {
        let recorded = counts(&[("a", 1000), ("b", 1000), ("c", 1000), ("d", 1000), ("gone", 1)]);
        let now = counts(&[("a", 1030), ("b", 1031), ("c", 969), ("d", 970), ("new", 1)]);
        let expected = [
            "b (1000 became 1031)",
            "c (1000 became 969)",
            "new (not recorded)",
            "gone (no longer counted)",
        ];
        assert_eq!(differences(&recorded, &now), expected);
        assert_eq!(differences(&recorded, &recorded), [""; 0]);
    }

    #[test]
    fn the_table_lists_recorded_and_new_counts() {
        let table = table(&counts(&[("a", 1000)]), &counts(&[("a", 990), ("b", 7)]));
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(rows, ["| a | 1000 | 990 | 0.990 |", "| b | – | 7 | – |"]);
    }
}
