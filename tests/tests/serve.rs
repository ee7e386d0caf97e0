//! `queens serve` as a process: what it prints, how it stops, how it fails.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

use std::{
    io::{BufRead, BufReader, Read},
    net::TcpListener,
    path::Path,
    process::{Command, Output, Stdio},
};

use queens_tests::{command, process::Companion};

fn serve(arguments: &[&str], store: &Path) -> Command {
    let mut command = Command::new(command::path().unwrap());
    command.arg("serve").args(arguments).arg("--store").arg(store);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn words(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
#[cfg(unix)]
fn prints_its_address_first_and_stops_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.sqlite");
    for signal in ["TERM", "INT"] {
        let mut running =
            Companion::start(&mut serve(&["--listen", "127.0.0.1:0"], &file)).unwrap();
        let mut output = BufReader::new(running.0.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://").unwrap();
        let address = address.strip_suffix('/').unwrap();
        assert!(address.starts_with("127.0.0.1:") && !address.ends_with(":0"), "{line}");
        let answer = ureq::get(format!("http://{address}/healthz")).call().unwrap();
        assert_eq!(answer.status(), 200);

        running.signal(signal).unwrap();
        let status = running.0.wait().unwrap();
        assert!(status.success(), "{signal}: {status}");
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
    }
}

#[test]
fn a_port_in_use_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let holder = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = holder.local_addr().unwrap().to_string();
    let output = serve(&["--listen", &address], &folder.path().join("r.sqlite")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(words(&output).contains(&format!("{address} is already in use")));
    assert!(words(&output).contains("--listen"));
    assert!(output.stdout.is_empty());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "no store is left behind");
}

#[test]
fn addresses_that_will_not_do_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for address in ["localhost:80", "nowhere", "127.0.0.1", "127.0.0.1:99999"] {
        let file = folder.path().join("r.sqlite");
        let output = serve(&["--listen", address], &file).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{address}: {}", words(&output));
        assert!(words(&output).contains(address), "{}", words(&output));
    }
}

#[test]
fn only_the_folder_of_the_default_store_is_created() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none");
    let file = missing.join("r.sqlite");
    let output = serve(&["--listen", "127.0.0.1:0"], &file).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let expected = format!(
        "error: cannot open the result database {}: the folder {} does not exist\n",
        file.display(),
        missing.display()
    );
    assert_eq!(words(&output), expected);
    assert!(!missing.exists());

    let mut serve = Command::new(command::path().unwrap());
    serve.args(["serve", "--listen", "127.0.0.1:0"]).env("XDG_DATA_HOME", &missing);
    let mut running = Companion::start(serve.stdout(Stdio::piped())).unwrap();
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    running.0.kill().unwrap();
    assert!(line.starts_with("http://"), "{line}");
    // Elsewhere the user's data folder is not that of XDG.
    if cfg!(target_os = "linux") {
        assert!(missing.join("queens").join("results.sqlite").is_file());
    }
}

#[test]
fn a_server_that_can_only_be_read_says_so() {
    let folder = tempfile::tempdir().unwrap();
    // A proxy on this machine brings others to a loopback address under a name.
    let named = ["--listen", "127.0.0.1:0", "--host", "queens.example"];
    for (address, token, is_told) in [
        (&["--listen", "0.0.0.0:0"][..], "", true),
        (&["--listen", "0.0.0.0:0"], "secret", false),
        (&named, "", true),
        (&named, "secret", false),
        (&["--listen", "127.0.0.1:0"], "", false),
    ] {
        let mut serve = serve(address, &folder.path().join("r.sqlite"));
        let mut running = Companion::start(serve.env("QUEENS_TOKEN", token)).unwrap();
        let mut line = String::new();
        BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        running.0.kill().unwrap();
        let mut words = String::new();
        running.0.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        assert_eq!(words.contains("the server is read-only"), is_told, "{words}");
    }
}

#[test]
fn a_token_that_nobody_could_send_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for token in [" ", " secret", "clé", "two\nlines"] {
        let mut serve = serve(&["--listen", "127.0.0.1:0"], &folder.path().join("r.sqlite"));
        let output = serve.env("QUEENS_TOKEN", token).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{token}: {}", words(&output));
        assert!(
            words(&output).contains("QUEENS_TOKEN contains characters that cannot be sent"),
            "{token}"
        );
    }
}

#[test]
fn a_file_that_is_no_store_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "my notes\n".repeat(200)).unwrap();
    let output = serve(&["--listen", "127.0.0.1:0"], &file).output().unwrap();
    assert_eq!(output.status.code(), Some(65));
    assert!(words(&output).contains("notes.txt is not a result database"), "{}", words(&output));
}

#[test]
#[cfg(unix)]
fn a_server_that_may_open_few_files_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for files in 4..=12 {
        let mut shell = Command::new("sh");
        let line =
            format!("ulimit -n {files}; exec \"$0\" serve --listen 127.0.0.1:0 --store \"$1\"");
        shell.arg("-c").arg(line).arg(command::path().unwrap());
        shell.arg(folder.path().join("r.sqlite")).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = Companion::start(&mut shell).unwrap();
        // Where the files suffice it runs, and says where.
        let mut line = String::new();
        BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let runs = line.starts_with("http://");
        if runs {
            running.0.kill().unwrap();
        }
        let status = running.0.wait().unwrap();
        let mut words = String::new();
        running.0.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        assert!(runs || status.code() == Some(1), "{files}: {status:?} {words}");
        assert!(runs || words.starts_with("error: "), "{files}: {words}");
        assert!(files > 4 || !runs, "{files}");
    }
}

#[test]
fn names_that_mean_something_to_sqlite_are_files() {
    for name in [":memory:", "file:x?mode=memory"] {
        let folder = tempfile::tempdir().unwrap();
        let mut serve = serve(&["--listen", "127.0.0.1:0"], Path::new(name));
        let mut running = Companion::start(serve.current_dir(&folder)).unwrap();
        let mut line = String::new();
        BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("http://"), "{line}");
        assert!(folder.path().join(name).is_file(), "{name}");
    }
}
