//! `queens verify`: accepted and rejected documents.

use std::{io::Write, process::Stdio};

use serde_json::{Value, json};

use crate::support::{CommandOutput, command, line, verify};

#[test]
fn detects_pairs_moved_to_another_task() {
    let result = line("count 12 --quiet --json --method colours");
    assert_eq!(verify(&result.out, &["--tasks", "0"]).code, Some(0));
    // A pair moved from task 5 to task 9, which changes no sum.
    let mut document = result.json();
    for (task, change) in [(5, -1), (9, 1)] {
        for (field, by) in [("sets", change), ("weight", 4 * change)] {
            let number = document["tasks"][task][field].as_i64().unwrap();
            document["tasks"][task][field] = json!(number + by);
        }
    }
    let output = verify(&document.to_string(), &["--tasks", "0"]);
    assert_eq!(output.code, Some(65), "{output:?}");
    for task in [5, 9] {
        assert!(output.err.contains(&format!("tasks[{task}].sets: ")), "{}", output.err);
    }
}

/// Changes the count of the audit set of a task that has further solutions. Returns the document and the
/// index of the task. The command's messages call the audit set the recorded part, and documents store its
/// count as `chosen`.
fn with_audit_count(text: &str, change: impl Fn(u64) -> u64) -> (Value, usize) {
    let mut document: Value = serde_json::from_str(text).unwrap();
    let tasks = document["tasks"].as_array_mut().unwrap();
    let number = |task: &Value, field: &str| task[field].as_str().unwrap().parse::<u64>().unwrap();
    let index = tasks.iter().position(|task| {
        task["sets"].as_u64().unwrap() > 1 && number(task, "total") > 9 * number(task, "chosen")
    });
    let task = &mut tasks[index.unwrap()];
    task["chosen"] = json!(change(number(task, "chosen")).to_string());
    (document, index.unwrap())
}

#[test]
fn recounts_and_compares_audit_sets() {
    let counted = line("count 13 --quiet --json --method colours");
    let right = verify(&counted.out, &["--parts", "all"]);
    assert_eq!(right.code, Some(0), "{right:?}");
    let all = "71 of 71 recorded parts";
    assert!(right.out.contains(&format!("Recounted: {all}, of tasks 0-70\n")), "{}", right.out);
    let end = format!("Checks passed: sums, divisibility, known, recount of {all}\n");
    assert!(right.out.ends_with(&end), "{}", right.out);
    let some = verify(&counted.out, &["--parts", "3", "--seed", "7"]);
    assert!(some.out.contains("known, recount of 3 of 71 recorded parts\n"), "{some:?}");
    // Two solutions too many in an audit set, which changes no sum.
    let (more, task) = with_audit_count(&counted.out, |chosen| chosen + 2);
    let text = more.to_string();
    assert_eq!(verify(&text, &["--parts", "0"]).code, Some(0));
    let output = verify(&text, &["--parts", "all"]);
    assert_eq!(output.code, Some(1), "{output:?}");
    let start = format!(
        "error: the recount disagrees with the document: the recorded part of task {task}, recounted by \
         colours ("
    );
    assert!(output.err.starts_with(&start) && output.err.lines().count() == 1, "{}", output.err);
    // An impossible count is detected without a recount.
    let (impossible, task) = with_audit_count(&counted.out, |_| 1_000_000_000);
    let output = verify(&impossible.to_string(), &["--parts", "0"]);
    assert_eq!(output.code, Some(65), "{output:?}");
    assert!(output.err.contains(&format!("tasks[{task}].chosen: ")), "{}", output.err);
}

#[test]
fn reads_a_document_from_stdin() {
    let mut child = command()
        .args(["verify", "-", "--tasks", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(include_bytes!("../../data/results/eight.json")).unwrap();
    let output = CommandOutput::from(child.wait_with_output().unwrap());
    assert_eq!(output.code, Some(0));
    assert!(output.out.contains("Checks passed: sums, divisibility, known\n"), "{}", output.out);
}

#[test]
fn reads_again_what_the_command_prints() {
    for (args, boards) in [
        ("boards 6", "4"),
        ("boards 8 --unique", "12"),
        ("complete 6 --limit 9", "4"),
        ("complete 6 --limit 9 --json", "4"),
        ("symmetries 0 4 7 5 2 6 1 3 --json", "1"),
        ("symmetries 0 4 7 5 2 6 1 3", "8"),
        ("classes 6 --boards", "4"),
    ] {
        let output = verify(&line(args).out, &["--json"]);
        assert_eq!(
            (output.code, &output.json()["boards"]),
            (Some(0), &boards.into()),
            "{args}: {output:?}"
        );
    }
    let table = verify(&line("table --to 8").out, &["--json"]);
    assert_eq!((table.code, &table.json()["rows"]), (Some(0), &8.into()), "{table:?}");
}
