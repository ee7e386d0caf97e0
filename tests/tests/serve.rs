//! `queens serve` as a process: its output, its shutdown and its failures.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Command, Stdio},
};

use queens_tests::{command, process::Companion};

fn serve(arguments: &[&str], store: &Path) -> Command {
    let mut command = Command::new(command::path().unwrap());
    command.arg("serve").args(arguments).arg("--store").arg(store);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
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
fn creates_the_folder_of_the_default_store() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none");
    let mut serve = Command::new(command::path().unwrap());
    serve.args(["serve", "--listen", "127.0.0.1:0"]).env("XDG_DATA_HOME", &missing);
    let mut running = Companion::start(serve.stdout(Stdio::piped())).unwrap();
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    running.0.kill().unwrap();
    assert!(line.starts_with("http://"), "{line}");
    // On other systems, XDG_DATA_HOME does not determine the user's data folder.
    if cfg!(target_os = "linux") {
        assert!(missing.join("queens").join("results.sqlite").is_file());
    }
}

#[test]
fn announces_that_remote_access_is_read_only() {
    let folder = tempfile::tempdir().unwrap();
    // A proxy on this machine makes a loopback address reachable for others under a name.
    let named = ["--listen", "127.0.0.1:0", "--host", "queens.example"];
    for (address, token, is_announced) in [
        (&["--listen", "0.0.0.0:0"][..], None, true),
        (&named, None, true),
        (&named, Some("secret"), false),
        (&["--listen", "127.0.0.1:0"], None, false),
    ] {
        let mut serve = serve(address, &folder.path().join("r.sqlite"));
        serve.env_remove("QUEENS_TOKEN").envs(token.map(|token| ("QUEENS_TOKEN", token)));
        let mut running = Companion::start(&mut serve).unwrap();
        let mut line = String::new();
        BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        running.0.kill().unwrap();
        let mut stderr = String::new();
        running.0.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(stderr.contains("so it is read-only"), is_announced, "{stderr}");
    }
}
