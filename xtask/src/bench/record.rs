//! Compares the times of an earlier run with the current ones.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::contender::Measurement;
use super::race::Race;
use super::report::{in_run_order, median, sorted, wall_seconds};

/// Reads a record that `--output` has written.
pub fn read(file: &Path) -> Result<Value> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let record: Value =
        serde_json::from_str(&text).with_context(|| format!("reading {}", file.display()))?;
    ensure!(
        record["format"] == "queens-bench",
        "{} is not a record of `cargo xtask bench`",
        file.display()
    );
    Ok(record)
}

/// Returns a Markdown table of the median CPU times then and now, for each board and program in
/// both runs. Wall-clock time is used where the system does not report CPU time.
pub fn table(race: &Race, before: &Value) -> String {
    let commit = before["commit"].as_str().unwrap_or("an unknown commit");
    let processor = before["machine"]["cpu"].as_str().unwrap_or("an unknown processor");
    let mut table =
        format!("Compared with {commit} on {processor}:\n\n| N | program | then | now | ratio |\n");
    table += "|---|---|---|---|---|\n";
    for board in &race.boards {
        for (contender, runs) in race.contenders.iter().zip(&board.runs) {
            let times =
                |time: fn(&Measurement) -> Option<f64>| median(&sorted(in_run_order(runs, time)));
            let pairs = [
                (
                    earlier_median(before, board.n, &contender.name, "processor"),
                    times(|run| run.processor),
                ),
                (earlier_median(before, board.n, &contender.name, "seconds"), times(wall_seconds)),
            ];
            let both = pairs.into_iter().find(|(then, now)| then.is_finite() && now.is_finite());
            let Some((then, now)) = both else { continue };
            let _ = writeln!(
                table,
                "| {} | {} | {then:.3} s | {now:.3} s | {:.2} |",
                board.n,
                contender.name,
                now / then
            );
        }
    }
    table
}

/// Returns the median of the list `times` (`seconds` or `processor`) of a program in the record, or NaN if
/// the record has no such times.
fn earlier_median(record: &Value, n: u32, name: &str, times: &str) -> f64 {
    let find = |list: &Value, key: &str, wanted: &Value| {
        list.as_array().into_iter().flatten().find(|entry| entry[key] == *wanted).cloned()
    };
    let board = find(&record["boards"], "n", &n.into());
    let program = board.and_then(|board| find(&board["programs"], "name", &name.into()));
    let times = program.map(|program| program[times].clone()).unwrap_or_default();
    median(&sorted(times.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::bench::contender::Contender;
    use crate::bench::race::BoardRuns;

    #[test]
    fn compares_measurements_that_both_records_have() {
        let run = |seconds, processor| Measurement { seconds, processor, task_seconds: None };
        let contenders =
            ["one={n}", "two={n}", "new={n}"].map(|line| Contender::rival(line).unwrap());
        let runs = vec![
            vec![run(9.0, Some(3.0)), run(9.0, Some(1.0)), run(9.0, Some(1.5))],
            vec![run(4.0, None)],
            vec![run(1.0, Some(1.0))],
        ];
        let race = Race { contenders: contenders.into(), boards: vec![BoardRuns { n: 16, runs }] };
        let programs = json!([
            { "name": "one", "seconds": [8.0], "processor": [2.0, 1.0, 9.0] },
            { "name": "two", "seconds": [8.0, 8.0], "processor": [] },
        ]);
        let before = json!({
            "commit": "0123",
            "machine": { "cpu": "AMD EPYC" },
            "boards": [{ "n": 16, "programs": programs }],
        });
        let expected = "\
Compared with 0123 on AMD EPYC:

| N | program | then | now | ratio |
|---|---|---|---|---|
| 16 | one | 2.000 s | 1.500 s | 0.75 |
| 16 | two | 8.000 s | 4.000 s | 0.50 |
";
        assert_eq!(table(&race, &before), expected);
    }
}
