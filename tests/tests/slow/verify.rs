//! `queens verify`: recounts that take seconds.

use std::{fs, io::Read, path::Path};

use flate2::read::GzDecoder;
use serde_json::Value;

use crate::support::{known, line, verify};

#[test]
fn accepts_the_published_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/results");
    for n in 16..=23 {
        let file = fs::File::open(folder.join(format!("n{n}.json.gz"))).unwrap();
        let mut text = String::new();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        // A task of N = 19 takes minutes.
        let output = verify(&text, &if n < 19 { ["--tasks", "2"] } else { ["--parts", "5"] });
        assert_eq!(output.code, Some(0), "{n}: {}", output.err);
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["total"], known(n)["total"], "{n}");
    }
}

#[test]
fn recounts_only_parts_of_large_boards() {
    let shard = line("count 20 --quiet --json --shard 70/131 --no-journal");
    let output = verify(&shard.out, &["--seconds", "60"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    let end = "Checks passed: sums, recount of 1 of 1 recorded parts\n";
    assert!(output.out.ends_with(end), "{}", output.out);
}

#[test]
fn reports_only_recounted_tasks_as_recounted() {
    let counted = line("count 17 --quiet --json");
    // Recounting N = 17 with plain backtracking would take weeks. Some seconds are enough for a
    // few of its tasks.
    let output = verify(&counted.out, &["--tasks", "8s"]);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let last = output.out.lines().last().unwrap();
    let covered = last.strip_prefix("Checks passed: sums, divisibility, known, recount of ");
    let (done, all) = covered.unwrap().strip_suffix(" tasks").unwrap().split_once(" of ").unwrap();
    let tasks = counted.json()["plan"]["tasks"].to_string();
    assert!(all == tasks && (1..1000).contains(&done.parse().unwrap()), "{last}");
    assert!(output.out.contains(&format!("Recounted: {done} of {all} tasks: ")), "{}", output.out);
    assert!(output.out.lines().all(|line| line.len() < 150), "{}", output.out);
    let share = 100.0 * done.parse::<f64>().unwrap() / all.parse::<f64>().unwrap();
    assert!(output.out.contains(&format!(" ({share:.2}%, --seed ")), "{}", output.out);
    // If the time is too short for any task, no recount is reported.
    let task = line("count 20 --shard 70/131 --quiet --json --no-journal");
    let output = verify(&task.out, &["--tasks", "0.1s"]);
    let end = "Recounted: none; allow more time, such as `--seconds 60`\nChecks passed: sums\n";
    assert!(output.code == Some(0) && output.out.ends_with(end), "{output:?}");
}
