//! Formats times as tables and as JSON.

use std::fmt::Write;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::contender::Measurement;
use super::race::Race;

/// Returns a Markdown table with the median of each program's runs, and its fastest and slowest run. The
/// first program also has its time at work; each other program has the ratio of its median to the median of
/// the first program.
pub fn table(race: &Race) -> String {
    let columns = race.contenders.iter().enumerate().map(|(place, contender)| match place {
        0 => format!("{} | at work", contender.name),
        _ => format!("{} | ratio", contender.name),
    });
    let head = columns.collect::<Vec<_>>().join(" | ");
    let rule = "---|".repeat(1 + 2 * race.contenders.len());
    let mut table = format!("| N | {head} |\n|{rule}\n");
    for board in &race.boards {
        let _ = write!(table, "| {} |", board.n);
        let middle = |runs: &[Measurement], time: fn(&Measurement) -> Option<f64>| {
            median(&sorted(in_run_order(runs, time)))
        };
        let ours = board.runs.first().map_or(f64::NAN, |runs| middle(runs, wall_seconds));
        for (place, runs) in board.runs.iter().enumerate() {
            let _ =
                write!(table, " {} |", spread(&sorted(in_run_order(runs, wall_seconds)), 3, " s"));
            if place == 0 {
                let _ = write!(table, " {:.3} s |", middle(runs, |run| run.task_seconds));
            } else {
                let _ = write!(table, " {:.2} |", middle(runs, wall_seconds) / ours);
            }
        }
        table += "\n";
    }
    table
}

/// Returns a Markdown table with a line for each program: its wall-clock and CPU time, each with
/// the ratio to the first program, calculated round by round.
pub fn long_table(race: &Race) -> String {
    let mut table = "| N | program | on the clock | ratio | processor | ratio |\n".to_owned();
    table += "|---|---|---|---|---|---|\n";
    for board in &race.boards {
        for (contender, runs) in race.contenders.iter().zip(&board.runs) {
            let _ = write!(table, "| {} | {} |", board.n, contender.name);
            for time in [wall_seconds, |run: &Measurement| run.processor] {
                let times = sorted(in_run_order(runs, time));
                let first = board.runs.first().map_or(vec![], |runs| in_run_order(runs, time));
                let rounds = in_run_order(runs, time).into_iter().zip(first);
                let ratios = sorted(rounds.map(|(time, first)| time / first).collect());
                let _ =
                    write!(table, " {} | {} |", spread(&times, 3, " s"), spread(&ratios, 2, ""));
            }
            table += "\n";
        }
    }
    table
}

pub fn wall_seconds(run: &Measurement) -> Option<f64> {
    Some(run.seconds)
}

/// Returns the median with the minimum and maximum, or a dash if nothing was measured.
pub fn spread(sorted: &[f64], digits: usize, unit: &str) -> String {
    match sorted {
        [] => "–".to_owned(),
        [least, ..] => {
            let (middle, most) = (median(sorted), sorted.last().unwrap_or(least));
            format!("{middle:.digits$}{unit} ({least:.digits$} to {most:.digits$})")
        }
    }
}

pub fn sorted(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times
}

/// Returns the median of sorted times, which is NaN for an empty list.
pub fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.get(middle) {
        None => f64::NAN,
        Some(upper) if sorted.len() % 2 == 1 => *upper,
        Some(upper) => (sorted[middle - 1] + upper) / 2.0,
    }
}

/// Returns all times, with the command lines and the machine. `build_commit` is the commit of our build or,
/// with `--queens`, the output of `--version`.
pub fn json(race: &Race, build_commit: Option<&str>, machine: &Value) -> Value {
    let when = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let boards: Vec<Value> = race
        .boards
        .iter()
        .map(|board| {
            let runs = race.contenders.iter().zip(&board.runs).map(|(contender, runs)| {
                let seconds = in_run_order(runs, wall_seconds);
                let processor = in_run_order(runs, |run| run.processor);
                let at_work = in_run_order(runs, |run| run.task_seconds);
                json!({
                    "name": contender.name, "seconds": seconds, "processor": processor,
                    "at_work": at_work,
                })
            });
            json!({ "n": board.n, "programs": runs.collect::<Vec<_>>() })
        })
        .collect();
    let programs: Vec<Value> = race
        .contenders
        .iter()
        .map(|contender| {
            let (name, command) = (&contender.name, contender.line());
            json!({ "name": name, "command": command, "source": contender.source })
        })
        .collect();
    json!({
        "format": "queens-bench", "unix_time": when, "os": std::env::consts::OS,
        "commit": build_commit,
        "driver": output_of("nvidia-smi", &["--query-gpu=name,driver_version,clocks.max.sm,power.limit", "--format=csv,noheader"]),
        "machine": machine, "programs": programs, "boards": boards,
    })
}

/// Returns the times in the order in which they were measured, without those that are `None`.
pub fn in_run_order(runs: &[Measurement], time: impl Fn(&Measurement) -> Option<f64>) -> Vec<f64> {
    runs.iter().filter_map(time).collect()
}

/// Returns the output of a program, if it exists and succeeds.
pub fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::bench::contender::Contender;
    use crate::bench::race::BoardRuns;

    fn runs(seconds: &[f64]) -> Vec<Measurement> {
        let run = |&seconds: &f64| Measurement {
            seconds,
            processor: Some(seconds * 1.5),
            task_seconds: Some(seconds / 2.0),
        };
        seconds.iter().map(run).collect()
    }

    fn race() -> Race {
        let contenders = vec![
            Contender::ours("queens".to_owned(), Path::new("queens"), vec!["--json".to_owned()]),
            Contender::rival("other=other {n}").unwrap(),
        ];
        let board = BoardRuns { n: 18, runs: vec![runs(&[3.0, 1.0, 2.0]), runs(&[5.0, 4.0])] };
        Race { contenders, boards: vec![board] }
    }

    #[test]
    fn the_table_has_medians_ranges_and_ratios() {
        let expected = "\
| N | queens | at work | other | ratio |
|---|---|---|---|---|
| 18 | 2.000 s (1.000 to 3.000) | 1.000 s | 4.500 s (4.000 to 5.000) | 2.25 |
";
        assert_eq!(table(&race()), expected);
    }

    #[test]
    fn the_long_table_has_ratios_of_each_round() {
        let mut race = race();
        race.boards[0].runs[1].iter_mut().for_each(|run| run.processor = None);
        let expected = "\
| N | program | on the clock | ratio | processor | ratio |
|---|---|---|---|---|---|
| 18 | queens | 2.000 s (1.000 to 3.000) | 1.00 (1.00 to 1.00) | 3.000 s (1.500 to 4.500) | 1.00 (1.00 to 1.00) |
| 18 | other | 4.500 s (4.000 to 5.000) | 2.83 (1.67 to 4.00) | – | – |
";
        assert_eq!(long_table(&race), expected);
    }

    #[test]
    fn json_lists_all_times_in_order() {
        let written = json(&race(), Some("1234-dirty"), &json!([]));
        assert_eq!(written["commit"], "1234-dirty");
        let ours = &written["boards"][0]["programs"][0];
        assert_eq!(ours["seconds"], json!([3.0, 1.0, 2.0]));
        assert_eq!(ours["at_work"], json!([1.5, 0.5, 1.0]));
        assert_eq!(ours["processor"], json!([4.5, 1.5, 3.0]));
        assert_eq!(written["programs"][0]["command"], "queens count {n} --json --no-journal");
    }
}
