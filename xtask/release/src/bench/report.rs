//! Formats times as a table and as JSON.

use std::fmt::Write;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::contender::Contender;
use super::race::{Board, Times};

/// Returns a Markdown table with a line for each program: the median of its wall-clock time and its CPU
/// time, each with the ratio to the first program, calculated round by round, and its time at work.
pub fn table(boards: &[Board]) -> String {
    let mut table =
        "| N | program | on the clock | ratio | processor | ratio | at work |\n".to_owned();
    table += "|---|---|---|---|---|---|---|\n";
    let clocks: [fn(&Times) -> &Vec<f64>; 2] = [|times| &times.seconds, |times| &times.processor];
    for board in boards {
        for program in &board.programs {
            let _ = write!(table, "| {} | {} |", board.n, program.name);
            for list in clocks {
                let first = board.programs.iter().take(1).flat_map(list);
                let ratios = list(program).iter().zip(first).map(|(time, first)| time / first);
                let (times, ratios) = (spread(list(program), 3, " s"), ratios.collect::<Vec<_>>());
                let _ = write!(table, " {times} | {} |", spread(&ratios, 2, ""));
            }
            let _ = writeln!(table, " {} |", spread(&program.at_work, 3, " s"));
        }
    }
    table
}

/// Returns the median with the minimum and maximum, or a dash if nothing was measured.
pub fn spread(values: &[f64], digits: usize, unit: &str) -> String {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let (Some(least), Some(most)) = (values.first(), values.last()) else {
        return "–".to_owned();
    };
    // Of an odd number of values, both are the same.
    let median = (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0;
    format!("{median:.digits$}{unit} ({least:.digits$} to {most:.digits$})")
}

/// Returns all times, with the command lines, the build and the machine. A result document of the build
/// describes both.
pub fn json(contenders: &[Contender], boards: &[Board], document: &Value) -> Value {
    let when = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    json!({
        "format": "queens-bench",
        "unix_time": when,
        "commit": document["program"]["commit"],
        "machine": document["host"],
        "device": document["backend"],
        "driver": nvidia_driver(),
        "programs": contenders,
        "boards": boards,
    })
}

/// Returns the name, the driver, the clock and the power limit of each GPU of NVIDIA.
fn nvidia_driver() -> Option<String> {
    let what = "--query-gpu=name,driver_version,clocks.max.sm,power.limit";
    let output = Command::new("nvidia-smi").args([what, "--format=csv,noheader"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::bench::contender::Measurement;

    fn times(name: &str, seconds: &[f64]) -> Times {
        let mut times = Times { name: name.to_owned(), ..Times::default() };
        for &seconds in seconds {
            let (processor, at_work) = (Some(seconds * 1.5), Some(seconds / 2.0));
            times.add(Measurement { seconds, processor, at_work });
        }
        times
    }

    fn board() -> Board {
        let programs = vec![times("queens", &[3.0, 1.0, 2.0]), times("other", &[5.0, 4.0])];
        Board { n: 18, programs }
    }

    #[test]
    fn the_table_has_medians_ranges_and_ratios_of_each_round() {
        let mut board = board();
        board.programs[1].processor.clear();
        let expected = "\
| N | program | on the clock | ratio | processor | ratio | at work |
|---|---|---|---|---|---|---|
| 18 | queens | 2.000 s (1.000 to 3.000) | 1.00 (1.00 to 1.00) | 3.000 s (1.500 to 4.500) | \
           1.00 (1.00 to 1.00) | 1.000 s (0.500 to 1.500) |
| 18 | other | 4.500 s (4.000 to 5.000) | 2.83 (1.67 to 4.00) | – | – | 2.250 s (2.000 to 2.500) |
";
        assert_eq!(table(&[board]), expected);
    }

    #[test]
    fn json_lists_all_times_in_order() {
        let contenders = [
            Contender::ours(Path::new("queens"), "--threads 1"),
            Contender::rival("other=other {n}").unwrap(),
        ];
        let document = json!({ "program": { "commit": "1234" } });
        let written = json(&contenders, &[board()], &document);
        assert_eq!(written["commit"], "1234");
        let ours = &written["boards"][0]["programs"][0];
        assert_eq!(ours["seconds"], json!([3.0, 1.0, 2.0]));
        assert_eq!(ours["at_work"], json!([1.5, 0.5, 1.0]));
        assert_eq!(ours["processor"], json!([4.5, 1.5, 3.0]));
        let command = "\"$QUEENS\" count {n} --threads 1 --json --quiet --no-journal";
        assert_eq!(written["programs"][0]["command"], command);
        assert_eq!(written["programs"][1]["name"], "other");
    }
}
