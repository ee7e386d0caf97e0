//! Shards: counting them, finding missing ones and merging.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
};

use queens_core::{Form, Method, Plan, Size, document::Document};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{CommandOutput, command, known, line, queens};

/// Counts all shards of a board, and returns a folder with their files, named by their indices.
fn shards(n: u32, shard_count: u32, more: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for index in 0..shard_count {
        let output = count(n, index, shard_count, &file(&folder, index), more);
        assert_eq!(output.code, Some(0), "{output:?}");
    }
    folder
}

fn count(n: u32, index: u32, shard_count: u32, file: &Path, more: &[&str]) -> CommandOutput {
    let (n, shard) = (n.to_string(), format!("{index}/{shard_count}"));
    let line = ["count", &n, "--shard", &shard, "--backend", "cpu", "--quiet", "-o"];
    queens(line.iter().copied().chain([file.to_str().unwrap()]).chain(more.iter().copied()))
}

fn file(folder: &TempDir, index: u32) -> PathBuf {
    folder.path().join(format!("{index}.json"))
}

fn files(folder: &TempDir) -> Vec<String> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path().to_str().unwrap().to_owned())
        .collect();
    files.sort_unstable();
    files
}

/// Runs a command on all files of a folder. Removes the folder's path from the messages on stderr.
fn with_files(command: &[&str], folder: &TempDir) -> CommandOutput {
    let files = files(folder);
    let mut output = queens(command.iter().copied().chain(files.iter().map(String::as_str)));
    output.err = output.err.replace(&format!("{}/", folder.path().display()), "");
    output
}

fn merged(folder: &TempDir) -> CommandOutput {
    with_files(&["merge", "--quiet", "-o", "-", "--tasks", "0"], folder)
}

fn document(path: &Path) -> Document {
    Document::parse(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the totals of a document, and the id and the total of each of its tasks.
fn content(document: &Document) -> (u64, Option<u64>, Vec<(u32, u64)>) {
    let tasks = document.tasks.iter().map(|task| (task.id, task.total)).collect();
    (document.header.total, document.header.unique, tasks)
}

/// Modifies the document in a file.
fn change(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut document = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    change(&mut document);
    fs::write(path, document.to_string()).unwrap();
}

#[test]
fn a_shard_with_fewer_tasks_than_threads_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let output = count(18, 0, 128, &file(&folder, 0), &["--threads", "24"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    let plan = Plan::new(Size::new(18).unwrap(), Method::Colours);
    let total = |task| plan.count(task, Form::Recursive).unwrap().total().unwrap();
    assert_eq!(document(&file(&folder, 0)).header.total, total(0) + total(128));
}

#[test]
fn shards_add_up_to_the_count() {
    for (n, shard_count, method) in [(12, 5, "colours"), (1, 1, "symmetry")] {
        let folder = shards(n, shard_count, &["--method", method]);
        let output = merged(&folder);
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "N = {n}");
        let merged = Document::parse(&output.out).unwrap();
        let whole = queens(["count", &n.to_string(), "--json", "--quiet", "--method", method]);
        assert_eq!(content(&merged), content(&Document::parse(&whole.out).unwrap()), "N = {n}");
        assert_eq!(merged.header.total.to_string(), known(n.into())["total"], "N = {n}");
        assert_eq!(merged.header.checks, ["sums", "divisibility", "known"], "N = {n}");
        assert_eq!(merged.contradictions(), []);
        let shards = if shard_count == 1 {
            "1 shard, ".to_owned()
        } else {
            format!("{shard_count} shards, ")
        };
        assert!(merged.header.backend.detail.starts_with(&shards));
    }
}

#[test]
fn a_merged_result_lists_the_hardware_of_all_shards() {
    let folder = shards(8, 3, &["--threads", "1"]);
    let merged_detail = |detail: &str| {
        change(&folder.path().join("1.json"), |shard| shard["backend"]["detail"] = detail.into());
        Document::parse(&merged(&folder).out).unwrap().header.backend.detail
    };
    assert_eq!(merged_detail("1 thread"), "3 shards, 1 thread");
    let after_a_stop = "1 thread, last of 2 sessions";
    assert_eq!(merged_detail(after_a_stop), format!("3 shards, 1 thread or {after_a_stop}"));
}

#[test]
fn a_merged_document_keeps_the_limits_of_documents() {
    let folder = shards(8, 3, &["--threads", "1"]);
    let fill = |part: &str, field: &str, texts: [String; 3]| {
        for (index, text) in (0..).zip(texts) {
            change(&file(&folder, index), |shard| shard[part][field] = text.into());
        }
    };
    fill("backend", "detail", ["a", "b", "c"].map(|text| text.repeat(40_000)));
    let output = merged(&folder);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let detail = Document::parse(&output.out).unwrap().header.backend.detail;
    assert_eq!(detail, "3 shards, on several kinds of devices");
    // Each shard has a few hundred bytes less than the limit.
    fill("backend", "detail", ["a", "b", "c"].map(|text| text.repeat(300)));
    fill("host", "cpu", ["", "", ""].map(|_| "x".repeat(64_650)));
    assert_eq!(
        queens(["verify", "--tasks", "0", file(&folder, 0).to_str().unwrap()]).code,
        Some(0)
    );
    let output = merged(&folder);
    assert_eq!((output.code, output.out.as_str()), (Some(65), ""), "{}", output.err);
    let error = "error: the merged result is not a valid result document: ";
    assert!(output.err.starts_with(error), "{}", output.err);
    assert!(output.err.contains("may take at most 64 KB"), "{}", output.err);
}

#[test]
fn does_not_recount_a_finished_shard() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, 2);
    assert_eq!(count(14, 2, 4, &file, &[]).code, Some(0));
    let before = fs::read_to_string(&file).unwrap();
    let output = count(14, 2, 4, &file, &["--json"]);
    assert_eq!((output.code, output.out), (Some(0), before.clone()));
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    // A mistyped command does not overwrite the result of another shard.
    let output = count(14, 3, 4, &file, &[]);
    assert_eq!(output.code, Some(2));
    assert!(output.err.ends_with(
        " already holds shard 2/4, not shard 3/4\n  hint: write each shard to a separate file\n"
    ));
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    // A damaged file is counted again.
    fs::write(&file, &before[..before.len() / 2]).unwrap();
    assert_eq!(count(14, 2, 4, &file, &[]).code, Some(0));
    let again = Document::parse(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(content(&again), content(&Document::parse(&before).unwrap()));
}

#[test]
fn a_shard_does_not_replace_another_result() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, 2);
    let hint = "\n  hint: write each shard to a separate file\n";
    assert_eq!(count(14, 2, 4, &file, &[]).code, Some(0));
    let shard = fs::read_to_string(&file).unwrap();
    for (text, found) in [
        (shard.clone(), "shard 2/4 of N = 14 by colours"),
        (line("count 14 --quiet --json").out, "the complete count of N = 14 by colours"),
    ] {
        fs::write(&file, &text).unwrap();
        let output = count(13, 2, 4, &file, &[]);
        let end = format!(" already holds {found}, not shard 2/4 of N = 13 by symmetry{hint}");
        assert_eq!((output.code, output.err.ends_with(&end)), (Some(2), true), "{}", output.err);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    fs::write(&file, &shard).unwrap();
    change(&file, |document| document["plan"]["version"] = 2.into());
    let output = count(14, 2, 4, &file, &[]);
    let end = format!("this program reads version 3), not shard 2/4{hint}");
    assert_eq!((output.code, output.err.ends_with(&end)), (Some(2), true), "{}", output.err);
}

#[test]
fn a_finished_shard_may_be_read_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, 0);
    assert_eq!(count(8, 0, 2, &file, &[]).code, Some(0));
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    let name = file.to_str().unwrap();
    let output = queens(["count", "8", "--shard", "0/2", "-o", name]);
    let note = format!("{name} already holds this shard; nothing to count\n");
    assert_eq!((output.code, output.err), (Some(0), note));
}

/// Counts these shards of N = 15 at the same time, all with the same output file. A result that cannot be saved
/// there is saved in the file's folder. Returns the outputs, sorted by exit code.
fn count_in_parallel(shards: [&'static str; 2], file: &Path) -> Vec<CommandOutput> {
    let mut outputs: Vec<_> = thread::scope(|scope| {
        let start = |shard: &'static str| {
            scope.spawn(move || {
                let line = "count 15 --backend cpu --quiet --threads 1 --shard";
                let mut count = command();
                count.args(line.split(' ')).arg(shard).arg("-o").arg(file);
                CommandOutput::capture(count.current_dir(file.parent().unwrap())).unwrap()
            })
        };
        shards.map(start).map(|count| count.join().unwrap()).into()
    });
    outputs.sort_by_key(|output| output.code);
    outputs
}

#[test]
fn running_a_shard_twice_in_parallel_leaves_one_valid_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, 0);
    for output in count_in_parallel(["0/2", "0/2"], &file) {
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""));
    }
    assert_eq!(document(&file).contradictions(), []);
    assert_eq!(files(&folder).len(), 1);
}

#[test]
fn shards_counted_in_parallel_do_not_overwrite_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let outputs = count_in_parallel(["0/2", "1/2"], &file(&folder, 0));
    let [first, second] = &outputs[..] else { unreachable!("two outputs") };
    assert_eq!((first.code, first.err.as_str()), (Some(0), ""));
    if second.code == Some(1) {
        let error = "another program has created it meanwhile";
        assert!(second.err.contains(error), "{}", second.err);
        assert_eq!(files(&folder).len(), 2);
    } else {
        // The second process started so late that it found the first result before it counted.
        assert_eq!(second.code, Some(2), "{}", second.err);
    }
    for file in files(&folder) {
        assert_eq!(document(Path::new(&file)).contradictions(), []);
    }
}

#[test]
fn reads_the_shard_number_from_the_environment() {
    let line = "count 8 --json --quiet --shard-from-env --shards 4";
    let mut command = command();
    for name in ["JOB_COMPLETION_INDEX", "PARALLEL_SEQ"] {
        command.env_remove(name);
    }
    let output =
        CommandOutput::capture(command.args(line.split(' ')).env("SLURM_ARRAY_TASK_ID", "2"));
    assert_eq!(output.unwrap().json()["shard"], json!({ "index": 2, "of": 4 }));
}

#[test]
fn missing_lists_shards_as_a_slurm_array() {
    let folder = shards(8, 8, &[]);
    let missing = || with_files(&["missing", "--shards", "8"], &folder);
    assert_eq!((missing().code, missing().out.as_str()), (Some(0), ""));
    for index in [1, 3, 4, 5] {
        fs::remove_file(file(&folder, index)).unwrap();
    }
    assert_eq!((missing().code, missing().out.as_str()), (Some(0), "1,3-5\n"));
    // A damaged file does not count as a result, and is named.
    fs::write(file(&folder, 7), "{").unwrap();
    let output = missing();
    assert_eq!((output.code, output.out.as_str()), (Some(65), "1,3-5,7\n"));
    assert!(
        output.err.starts_with("error: 7.json is not a valid result document: "),
        "{}",
        output.err
    );
    fs::remove_file(file(&folder, 7)).unwrap();
    // Without files, all shards are missing.
    let nothing = queens(["missing", "--shards", "4"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(0), "0-3\n"), "{}", nothing.err);
    let output = with_files(&["missing", "--shards", "9"], &folder);
    assert_eq!(output.code, Some(2));
    assert_eq!(output.err, "error: 0.json is one of 8 shards, but `--shards` is 9\n");
}

#[test]
fn the_merged_result_does_not_depend_on_the_order_of_the_files() {
    let folder = shards(9, 3, &["--method", "symmetry", "--form", "recursive"]);
    fs::remove_file(file(&folder, 1)).unwrap();
    count(9, 1, 3, &file(&folder, 1), &["--method", "symmetry", "--form", "iterative"]);
    let merged = |order: [u32; 3]| {
        let files = order.map(|index| file(&folder, index).display().to_string());
        let merge = ["merge", "--quiet", "-o", "-", "--tasks", "0"].map(str::to_owned);
        let output = queens(merge.into_iter().chain(files));
        assert_eq!(output.code, Some(0), "{}", output.err);
        output.out
    };
    for order in [[0, 2, 1], [1, 0, 2], [2, 1, 0]] {
        assert_eq!(merged(order), merged([0, 1, 2]), "{order:?}");
    }
}

#[test]
fn merging_into_one_of_the_shards_is_rejected() {
    let folder = shards(8, 2, &[]);
    let before = fs::read_to_string(file(&folder, 1)).unwrap();
    let output = file(&folder, 1);
    let output = with_files(&["merge", "-o", output.to_str().unwrap()], &folder);
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""));
    let error = "error: `-o 1.json` is one of the shards to merge\n  hint: write to another file\n";
    assert_eq!(output.err, error);
    assert_eq!(fs::read_to_string(file(&folder, 1)).unwrap(), before);
}

#[test]
fn merge_rejects_shards_of_different_counts() {
    let folder = shards(8, 4, &["--method", "symmetry"]);
    let whole = fs::read_to_string(file(&folder, 2)).unwrap();
    let assert_rejected = |why: &str| {
        let output = merged(&folder);
        assert_eq!((output.code, output.out.as_str()), (Some(65), ""), "{output:?}");
        assert_eq!(output.err, format!("error: {why}\n"));
    };
    let hint = "\n  hint: verify each shard with `queens verify`";
    fs::remove_file(file(&folder, 2)).unwrap();
    assert_rejected("shard 2/4 is missing\n  hint: count it with `--shard 2/4`");
    fs::remove_file(file(&folder, 3)).unwrap();
    assert_rejected("2 of 4 shards are missing: 2,3\n  hint: count each with `--shard K/4`");
    count(8, 3, 4, &file(&folder, 3), &["--method", "symmetry"]);
    fs::write(file(&folder, 2), &whole).unwrap();

    fs::write(file(&folder, 7), &whole).unwrap();
    assert_rejected("shard 2 is given twice: 2.json and 7.json");
    fs::remove_file(file(&folder, 7)).unwrap();

    for (n, shard_count, method, what) in [
        (9, 4, "symmetry", "4 shards of N = 9 by symmetry"),
        (8, 5, "symmetry", "5 shards of N = 8 by symmetry"),
        (8, 4, "bitmap", "4 shards of N = 8 by bitmap"),
    ] {
        fs::remove_file(file(&folder, 2)).unwrap();
        assert_eq!(
            count(n, 2, shard_count, &file(&folder, 2), &["--method", method]).code,
            Some(0)
        );
        assert_rejected(&format!(
            "the shards belong to different counts: 0.json is one of 4 shards of N = 8 by \
             symmetry, 2.json is one of {what}"
        ));
    }

    fs::write(file(&folder, 2), &whole[..whole.len() - 9]).unwrap();
    let output = merged(&folder);
    assert_eq!(output.code, Some(65));
    assert!(
        output.err.starts_with("error: 2.json is not a valid result document: "),
        "{}",
        output.err
    );

    // Totals that are consistent within the document, but contradict the known numbers or the symmetry.
    fs::write(file(&folder, 2), &whole).unwrap();
    let change_totals = |by: i64| {
        change(&file(&folder, 2), |document| {
            for pointer in ["/total", "/tasks/0/total"] {
                let total = document.pointer_mut(pointer).unwrap();
                let number: i64 = total.as_str().unwrap().parse().unwrap();
                *total = json!((number + by).to_string());
            }
        });
    };
    change_totals(8);
    let wrong = "the shards do not add up to a valid count";
    assert_rejected(&format!(
        "{wrong}: 100 solutions in 13 classes differ from the published values for N = 8, 92 and \
         12{hint}"
    ));
    change_totals(-6);
    assert_rejected(&format!(
        "{wrong}: 94 solutions, 4 of them with half-turn symmetry and 0 with quarter-turn \
         symmetry, cannot be divided into classes of 2, 4 and 8{hint}"
    ));
    change_totals(-1);
    let output = merged(&folder);
    assert_eq!(output.code, Some(65));
    assert!(
        output.err.contains(" is odd, but symmetry counts solutions in pairs"),
        "{}",
        output.err
    );
    fs::write(file(&folder, 2), &whole).unwrap();
    assert_eq!(merged(&folder).code, Some(0));

    let data = crate::support::data("results/eight.json");
    fs::copy(data, file(&folder, 8)).unwrap();
    assert_rejected("8.json is a complete count, not a shard");
}

#[test]
fn reports_shards_without_tasks() {
    let count = |shard: &str, more: &[&str]| {
        let line = ["count", "8", "--method", "symmetry", "--no-journal", "--shard", shard];
        queens(line.iter().chain(more).copied())
    };
    let output = count("99/100", &[]);
    let warning = "warning: shard 99/100 has no tasks: the count has 16 in all\n";
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.err.contains(warning), "{output:?}");
    assert!(count("16/100", &[]).err.contains(" shard 16/100 has no tasks: "));
    for (shard, more) in [("15/100", &[][..]), ("99/100", &["--quiet"])] {
        let output = count(shard, more);
        assert!(!output.err.contains("has no tasks"), "{shard}: {output:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let shards: Vec<_> = (0..18)
        .map(|index| {
            let file = folder.path().join(format!("{index}.json")).to_str().unwrap().to_owned();
            let output = count(&format!("{index}/18"), &["--quiet", "-o", &file]);
            assert_eq!(output.code, Some(0), "{output:?}");
            file
        })
        .collect();
    let output = queens(["verify", &shards[17]]);
    assert!(output.out.contains("Recounted: none; this shard has no tasks\n"), "{output:?}");
    let merge = ["merge"].into_iter().chain(shards.iter().map(String::as_str));
    let note = "2 of 18 shards have no tasks: the count has 16 in all\n";
    assert!(queens(merge.clone()).err.contains(note));
    assert!(!queens(merge.chain(["--quiet"])).err.contains(note));
}

#[test]
fn merge_reports_its_coverage() {
    let folder = shards(8, 4, &["--method", "symmetry"]);
    let out = folder.path().join("whole");
    let files = files(&folder);
    let merge = |more: &[&str]| {
        let line = ["merge", "--quiet", "-o", out.to_str().unwrap()];
        queens(line.iter().chain(more).copied().chain(files.iter().map(String::as_str)))
    };
    let output = merge(&["--tasks", "5", "--seed", "7"]);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.out.contains("Recounted: 5 of 16 tasks: "), "{}", output.out);
    assert!(output.out.contains(" (31.25%, --seed 7)\n"), "{}", output.out);
    let last = "Checks passed: sums, divisibility, known, recount of 5 of 16 tasks\n";
    assert!(output.out.ends_with(last), "{}", output.out);
    assert_eq!(document(&out).header.checks, ["sums", "divisibility", "known"]);
    let output = merge(&["--tasks", "all"]);
    assert!(output.out.ends_with("Checks passed: sums, divisibility, known, recount\n"));
    assert_eq!(document(&out).header.checks, ["sums", "divisibility", "known", "recount"]);
    // Two errors in one shard that cancel out; only a recount finds them.
    change(Path::new(&files[2]), |document| {
        for (task, by) in [(0, 2i64), (1, -2)] {
            let total = &mut document["tasks"][task]["total"];
            let number: i64 = total.as_str().unwrap().parse().unwrap();
            *total = json!((number + by).to_string());
        }
    });
    assert_eq!(merge(&["--tasks", "0"]).code, Some(0));
    let output = merge(&["--tasks", "all"]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(
        output.err.starts_with("error: the recount disagrees with the document: task 2 ("),
        "{}",
        output.err
    );
}
