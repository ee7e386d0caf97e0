//! Shards: counting them, finding missing ones and merging.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
};

use queens_core::document::Document;
use tempfile::TempDir;

use crate::support::{CommandOutput, known, queens};

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

fn merged(folder: &TempDir) -> CommandOutput {
    let merge = ["merge", "--quiet", "-o", "-", "--tasks", "0"].map(str::to_owned);
    queens(merge.into_iter().chain(files(folder)))
}

fn document(path: &Path) -> Document {
    Document::parse(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the totals of a document, and the id and the total of each of its tasks.
fn content(document: &Document) -> (u64, Option<u64>, Vec<(u32, u64)>) {
    let tasks = document.tasks.iter().map(|task| (task.id, task.total)).collect();
    (document.header.total, document.header.unique, tasks)
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
fn running_a_shard_twice_in_parallel_leaves_one_valid_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = file(&folder, 0);
    thread::scope(|scope| {
        let outputs = [(); 2].map(|()| scope.spawn(|| count(15, 0, 2, &file, &["--threads", "1"])));
        for output in outputs.map(|count| count.join().unwrap()) {
            assert_eq!((output.code, output.err.as_str()), (Some(0), ""));
        }
    });
    assert_eq!(document(&file).contradictions(), []);
    assert_eq!(files(&folder).len(), 1);
}
