//! `queens verify`: accepted and rejected documents.

use std::{fs, io::Write, process::Stdio};

use serde_json::{Value, json};

use crate::support::{CommandOutput, assert_output, command, data, line, queens, verify};

fn eight() -> Value {
    serde_json::from_str(&fs::read_to_string(data("results/eight.json")).unwrap()).unwrap()
}

#[test]
fn accepts_correct_documents() {
    let mut text = String::new();
    for name in ["eight", "one", "shard", "unknown-fields"] {
        let path = data(&format!("results/{name}.json"));
        let output = queens(["verify", path.to_str().unwrap(), "--tasks", "all"]);
        assert_eq!(output.code, Some(0), "{name}: {output:?}");
        text += &format!("$ queens verify {name}.json --tasks all\n{}", output.out);
    }
    assert_output!("verify-right", text);
}

#[test]
fn rejects_damaged_and_inconsistent_documents() {
    let mut other_total = eight();
    other_total["total"] = json!("100");
    let mut text = String::new();
    for (what, document) in [
        ("empty", String::new()),
        ("not JSON", "eight queens".to_owned()),
        ("another total", other_total.to_string()),
    ] {
        let output = verify(&document, &[]);
        assert_eq!(output.code, Some(65), "{what}: {output:?}");
        assert_eq!(output.out, "", "{what}");
        text += &format!("{what}\n  {}", output.err);
    }
    assert_output!("verify-wrong", text);
}

#[test]
fn reports_unreadable_files() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.json");
    let output = queens(["verify", missing.to_str().unwrap()]);
    assert_eq!(output.code, Some(2));
    assert_eq!(output.err, format!("error: no such file: {}\n", missing.display()));
    assert_eq!(queens(["verify", folder.path().to_str().unwrap()]).code, Some(65));
    let file = folder.path().join("file");
    fs::write(&file, b"\xff").unwrap();
    let name = file.to_str().unwrap();
    for args in [&["verify", name][..], &["merge", name], &["missing", name, "--shards", "3"]] {
        let output = queens(args);
        let expected = format!("error: cannot read {name}: it is neither UTF-8 nor UTF-16 text\n");
        assert_eq!((output.code, output.err), (Some(65), expected), "{args:?}");
    }
    fs::remove_file(&file).unwrap();
    assert_eq!(queens(["count", "6", "-q", "--journal", name]).code, Some(0));
    for args in [&["verify", name][..], &["merge", name], &["missing", name, "--shards", "3"]] {
        let output = queens(args);
        let expected = format!(
            "error: {name} is a journal, not a result document\n  hint: `queens resume {name} -o \
             FILE` writes its result\n"
        );
        assert_eq!((output.code, output.err), (Some(65), expected), "{args:?}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let output = queens(["verify", "/dev/zero"]);
        assert_eq!(output.code, Some(65));
        assert!(
            output.err.contains("it is larger than 8 MB, the limit for a result document"),
            "{}",
            output.err
        );
        // A name that is not valid UTF-8.
        let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.json"));
        assert_eq!(
            queens(["count".as_ref(), "8".as_ref(), "-o".as_ref(), odd.as_os_str()]).code,
            Some(0)
        );
        assert_eq!(queens(["verify".as_ref(), odd.as_os_str()]).code, Some(0));
    }
    let binary = folder.path().join("binary");
    fs::write(&binary, [0xff, 0xfe, 0x00]).unwrap();
    assert_eq!(queens(["verify", binary.to_str().unwrap()]).code, Some(65));
}

#[test]
fn recount_detects_a_wrong_task_with_correct_sums() {
    let mut document = eight();
    // The two changes cancel out in the sum.
    document["tasks"][2]["total"] = json!("16");
    document["tasks"][6]["total"] = json!("8");
    let text = document.to_string();
    assert_eq!(verify(&text, &["--tasks", "0"]).code, Some(0));
    let output = verify(&text, &["--tasks", "all"]);
    assert_eq!(output.code, Some(1));
    assert_eq!(
        output.err,
        "error: the recount disagrees with the document: task 2 (16 in the document, 8 in the \
         recount), task 6 (8 in the document, 16 in the recount)\n"
    );
}

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
fn rejects_recounts_of_parts_that_are_not_recorded() {
    let mut colours = line("count 9 --method colours --quiet --json").json();
    for task in colours["tasks"].as_array_mut().unwrap() {
        task.as_object_mut().unwrap().remove("chosen");
    }
    for text in [eight().to_string(), colours.to_string()] {
        let output = verify(&text, &["--parts", "1"]);
        assert_eq!(output.code, Some(2), "{output:?}");
        let end = "result.json records no parts of tasks; only results of the method colours do\n  \
                   hint: use `--tasks` to recount whole tasks\n";
        assert!(output.err.ends_with(end), "{}", output.err);
        assert_eq!(verify(&text, &["--tasks", "1"]).code, Some(0));
    }
}

#[test]
fn the_seed_determines_the_recounted_tasks() {
    let path = data("results/eight.json");
    let chosen = |seed: &str| {
        let output = queens(["verify", path.to_str().unwrap(), "--tasks", "5", "--seed", seed]);
        let line = output.out.lines().find(|line| line.starts_with("Recounted: 5 of 16 tasks: "));
        line.unwrap().to_owned()
    };
    assert_eq!(chosen("7"), chosen("7"));
    assert!((0..5).map(|seed| chosen(&seed.to_string())).any(|other| other != chosen("7")));
}

#[test]
fn reads_a_document_from_stdin() {
    let mut child = command()
        .args(["verify", "-", "--tasks", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(eight().to_string().as_bytes()).unwrap();
    let output = CommandOutput::from(child.wait_with_output().unwrap());
    assert_eq!(output.code, Some(0));
    assert!(output.out.contains("Checks passed: sums, divisibility, known\n"), "{}", output.out);
}
