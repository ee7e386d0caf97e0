//! Files that people bring: lists of solutions, drawings, tables of totals, UTF-16 and patterns of names.

use std::{fs, process::Stdio};

use crate::support::{CommandOutput, command, data, line, queens, verify};

/// Runs the command in the folder of sample files, with a file as stdin.
fn in_reports(args: &str, stdin: Option<&str>) -> CommandOutput {
    let folder = data("reports");
    let stdin =
        stdin.map_or_else(Stdio::null, |name| fs::File::open(folder.join(name)).unwrap().into());
    let mut command = command();
    let args = args.split(' ').map(|arg| arg.trim_matches('\''));
    command.args(args).current_dir(folder).stdin(stdin).output().unwrap().into()
}

#[test]
fn sample_files_give_the_known_findings() {
    for (file, code, parts) in [
        (
            "lists-python-0.txt",
            0,
            &[
                "Boards   10\n",
                "counted from 0\n",
                "10 different solutions in 2 classes, complete\n",
            ][..],
        ),
        (
            "lists-1-based.txt",
            0,
            &[
                "counted from 1\n",
                "10 different solutions in 2 classes, complete\n",
                "Ignored  line 1: s = 10\n",
            ],
        ),
        ("own-json-columns.txt", 0, &["N = 8: 1 solution in 1 class, missing 91 of 92\n"]),
        (
            "diagonal-framed.txt",
            65,
            &[
                "board 1 (line 2, columns 0 1 2 3): the queens in rows 0 and 1 attack each other: they share a diagonal;",
                "Ignored  line 1: 4-Queens (score 0):\n",
                "Ignored  line 6: OPTIMAL!\n",
            ],
        ),
        (
            "boards-92-one-wrong.txt",
            65,
            &[
                "Boards   92\n",
                "N = 8: 91 different solutions in 12 classes, missing 1 of 92\n",
                "Wrong    board 37 (line 325, columns 3 5 0 1 4 7 2 6): the queens in rows 2 and 3 attack each other: they share a diagonal; so do those in rows 4 and 6\n",
                "Ignored  line 829: The total",
            ],
        ),
        ("table-total-unique.txt", 0, &["Rows   13\n", "Right  every published number\n"]),
        (
            "table-total-unique-wrong-at-14.txt",
            65,
            &["Rows   13\nWrong  line 12: N = 14: Total 365590 instead of 365,596\n"],
        ),
        (
            "powershell-utf16.json",
            0,
            &["N = 12, symmetry, recursive: total 14,200, unique 1,787\n"],
        ),
    ] {
        let output = in_reports(&format!("verify {file} --tasks 1"), None);
        assert_eq!(output.code, Some(code), "{file}: {output:?}");
        for part in parts {
            assert!(output.out.contains(part), "{file}: {part:?} in\n{}", output.out);
        }
        let piped = in_reports("verify - --tasks 1 --seed 1", Some(file));
        assert_eq!(piped.code, Some(code), "{file}: {piped:?}");
        let json = in_reports(&format!("verify {file} --json --tasks 1"), None);
        assert_eq!(json.code, Some(code), "{file}: {json:?}");
        let kind = if file.starts_with("table") { "totals" } else { "boards" };
        let kind = if file.ends_with("json") { "result" } else { kind };
        assert_eq!(json.json()["kind"], kind, "{file}");
    }
}

#[test]
fn boards_are_read_from_stdin_and_files() {
    let output =
        in_reports("complete 8 --queens - --limit 1 --json", Some("completion-board-3-of-8.txt"));
    let json = output.json();
    assert_eq!(json["queens"], serde_json::json!([[1, 5], [3, 4], [6, 2]]));
    assert_eq!(json["total"], "1");
    assert_eq!(json["solutions"][0], serde_json::json!([3, 5, 0, 4, 1, 7, 2, 6]));
    let output = in_reports("symmetries own-json-columns.txt --json", None);
    assert_eq!(output.json()["class"], 8);
    let attack = "the queens in rows 0 and 1 attack each other: they share a diagonal";
    for (args, stdin, code) in [
        ("symmetries -", Some("diagonal-framed.txt"), 2),
        ("symmetries diagonal-framed.txt", None, 65),
    ] {
        let output = in_reports(args, stdin);
        assert_eq!(output.code, Some(code), "{output:?}");
        assert!(
            output.err.contains(attack) && output.err.contains("line 6 ignored: OPTIMAL!"),
            "{output:?}"
        );
    }
    let from_1 = line("symmetries 2 4 1 3");
    assert!(from_1.out.contains(" 1 3 0 2 from the left"), "{}", from_1.out);
    assert_eq!(from_1.err, "columns counted from 1\n");
}

#[test]
fn a_rejected_board_is_quoted_with_the_notations() {
    let output = queens(["symmetries", "*Q**\n***Q\nQ***\n**Q*"]);
    assert_eq!(output.code, Some(2));
    let start = "error: \"*Q**\" has two meanings (* Q): one of these signs is an empty square, or each \
                 of them is a queen\n  hint: given: *Q**\\u{a}***Q\\u{a}Q***\\u{a}**Q*; read are columns (";
    assert!(output.err.starts_with(start), "{}", output.err);
}

#[test]
fn patterns_are_expanded_and_must_match() {
    let missing = in_reports("missing --shards 2 'shards/*.json'", None);
    assert_eq!((missing.code, &*missing.out), (Some(0), ""), "{missing:?}");
    let merged = in_reports("merge 'shards/?.json' -o - --tasks 1", None);
    assert_eq!(merged.json()["total"], "14200");
    for (args, error) in [
        ("missing --shards 2 'shard/*.json'", "no file matches shard/*.json"),
        ("missing --shards 2 shard/0.json", "no such file: shard/0.json"),
        ("merge 'shards/*.txt'", "no file matches shards/*.txt"),
        ("verify '*.csv'", "no file matches *.csv"),
        ("verify 'shards/*'", "2 files match shards/*: expected one"),
    ] {
        let output = in_reports(args, None);
        assert_eq!((output.code, output.err), (Some(2), format!("error: {error}\n")), "{args}");
    }
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
