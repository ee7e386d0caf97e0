//! Signals, closed outputs, file size limits and other disturbances of a command.

use std::{
    io::{self, BufRead, BufReader, Read},
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use queens_core::document::Document;
use queens_tests::process::Companion;

use crate::support::{CommandOutput, command};

fn start(args: &[&str]) -> Companion {
    let mut command = command();
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    Companion::start(&mut command).unwrap()
}

/// The first signal stops commands that take minutes, and a count says what is lost.
#[test]
#[cfg(unix)]
fn a_signal_stops_long_commands() {
    let help = crate::support::line("--help").out;
    let count = "count 27 --threads 1 --backend cpu --no-journal";
    for (args, shown, signal, code) in [
        (count, "N = 27, colours: ", "INT", 130),
        (count, "N = 27, colours: ", "TERM", 143),
        (count, "N = 27, colours: ", "HUP", 129),
        ("complete 20 --limit 1", "N = 20 with 0 given queens: ", "INT", 130),
        ("classes 14 --boards --quiet", "Class 1, a class of ", "INT", 130),
        ("table --from 9 --to 22 --quiet", " 9:                  352", "INT", 130),
    ] {
        assert!(help.contains(&format!("\n  {code}  ")), "{code}: {help}");
        let mut shell = in_shell_after("exec 2>&1", args);
        let mut running = Companion::start(shell.stdout(Stdio::piped())).unwrap();
        let out = BufReader::new(running.0.stdout.take().unwrap());
        let mut lines = out.lines().map(Result::unwrap);
        assert!(lines.any(|line| line.starts_with(shown)), "{args}");
        let sent = Instant::now();
        running.signal(signal).unwrap();
        let last = lines.last().unwrap_or_default();
        assert_eq!(running.0.wait().unwrap().code(), Some(code), "{args}: {last}");
        // A task takes minutes, so the command must not wait for its end.
        assert!(sent.elapsed() < Duration::from_secs(60), "{args}: {:?}", sent.elapsed());
        if args == count {
            assert!(last.starts_with("error: interrupted after "), "{last}");
            assert!(last.ends_with(" tasks; the results were not saved"), "{last}");
        }
    }
}

/// Returns the document that was saved in `folder`. Fails unless `stderr` reports its file.
fn saved_document(folder: &Path, stderr: &str) -> Document {
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    let [file] = &files[..] else { panic!("{files:?}: {stderr}") };
    let name = file.file_name().into_string().unwrap();
    assert!(name.starts_with("queens-8-") && name.ends_with(".json"), "{name}");
    assert!(
        stderr.contains(&format!("the result was saved to {} instead\n", file.path().display())),
        "{stderr}"
    );
    Document::parse(&std::fs::read_to_string(file.path()).unwrap()).unwrap()
}

#[test]
#[cfg(unix)]
fn ignored_signals_stay_ignored() {
    // Ignores SIGHUP, like `nohup`.
    let line = "trap '' HUP; exec \"$0\" count 22 --threads 1 --backend cpu --no-journal";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", line]).arg(queens_tests::command::path().unwrap()).stdout(Stdio::null());
    let mut running = Companion::start(shell.stderr(Stdio::piped())).unwrap();
    let mut stderr = BufReader::new(running.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(stderr.any(|line| line.starts_with("N = 22, colours: ")));
    running.signal("HUP").unwrap();
    // The count continues: it prints another progress line.
    assert!(stderr.next().unwrap().starts_with("N = 22, colours: "));
    running.signal("TERM").unwrap();
    assert_eq!(running.0.wait().unwrap().code(), Some(143));
}

#[test]
fn reports_failures_to_save_or_post_if_stdout_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    for end in [["--post", "http://127.0.0.1:9"], ["-o", "/dev/full"]] {
        let mut count = command();
        count.args(["count", "8"]).args(end).current_dir(&folder);
        count.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = Companion::start(&mut count).unwrap();
        drop(running.0.stdout.take());
        assert_eq!(running.0.wait().unwrap().code(), Some(1), "{end:?}");
        let mut stderr = String::new();
        running.0.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(saved_document(folder.path(), &stderr).header.total, 92);
        std::fs::remove_dir_all(&folder).unwrap();
        std::fs::create_dir(&folder).unwrap();
    }
}

#[test]
fn warns_about_an_unreachable_server_during_the_count() {
    let count = ["count", "22", "--threads", "1", "--backend", "cpu"];
    let mut running = start(&[&count[..], &["--post", "http://127.0.0.1:9"]].concat());
    let mut stderr = BufReader::new(running.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let warning = "warning: no server at http://127.0.0.1:9/; the count continues";
    assert!(stderr.any(|line| line == warning));
    assert!(running.0.try_wait().unwrap().is_none());
}

#[test]
fn broken_pipe_is_not_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("result.json");
    let count = ["count", "13", "--json", "-o", file.to_str().unwrap()];
    for args in [&["boards", "11"][..], &["table", "--to", "12"], &count] {
        let mut running = start(args);
        let mut out = BufReader::new(running.0.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "{args:?}");
        drop(out);
        assert_eq!(running.0.wait().unwrap().code(), Some(0), "{args:?}");
        let mut stderr = String::new();
        running.0.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(!stderr.contains("error"), "{args:?}: {stderr}");
    }
    let document = Document::parse(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(document.header.total, 73_712);
}

/// Returns the writing end of a pipe whose reading end is closed.
fn closed_pipe() -> io::PipeWriter {
    let (_, writer) = io::pipe().unwrap();
    writer
}

#[test]
#[cfg(target_os = "linux")]
fn merge_saves_its_result_elsewhere_if_the_output_fails() {
    let shards = tempfile::tempdir().unwrap();
    let shard = shards.path().join("0.json");
    let count = ["count", "8", "--quiet", "--shard", "0/1", "-o", shard.to_str().unwrap()];
    assert_eq!(crate::support::queens(count).code, Some(0));
    for (target, error) in [
        ("/dev/full", "cannot write /dev/full: no space left on the device"),
        ("/dev/fd/1", "cannot write to standard output: broken pipe"),
        ("-", "cannot write to standard output: broken pipe"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut merge = command();
        merge.arg("merge").arg(&shard);
        merge.args(["--quiet", "--tasks", "0", "-o", target]);
        let output =
            CommandOutput::capture(merge.current_dir(&folder).stdout(closed_pipe())).unwrap();
        assert_eq!(output.code, Some(1), "{target}: {}", output.err);
        assert!(output.err.contains(&format!("error: {error}\n")), "{}", output.err);
        assert_eq!(saved_document(folder.path(), &output.err).header.total, 92);
    }
}

/// Returns a shell that runs the shell command `before`, and then `queens` with `args`.
#[cfg(unix)]
fn in_shell_after(before: &str, args: &str) -> std::process::Command {
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(format!("{before}; exec \"$0\" {args}"));
    shell.arg(queens_tests::command::path().unwrap());
    shell
}
