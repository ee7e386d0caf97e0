//! The output of commands: snapshots, hidden names of options, colours, and failures to write.

use crate::{
    shell::commands,
    support::{assert_output, command, line},
};

#[test]
fn help_texts_match_their_snapshots() {
    assert_output!("help", line("--help").all());
    for name in commands(&line("man").out).iter().filter(|name| *name != "help") {
        assert_output!(format!("help-{name}"), line(&format!("{name} --help")).all());
    }
    // Without a subcommand, `queens` prints the help and exits with an error.
    assert_eq!(line("").code, Some(2));
    assert!(line("").err.contains("Usage: queens <COMMAND>"));
}

#[test]
fn outputs_match_their_snapshots() {
    for (name, args) in [
        ("count-8", "count 8 --threads 1 --backend cpu"),
        ("count-1", "count 1 --threads 1 --backend cpu"),
        ("count-8-mirror", "count 8 --threads 1 --method mirror --form iterative"),
        ("table-to-8", "table --to 8 --quiet"),
        ("table-all", "table --from 7 --to 7 --method all --form both --quiet"),
        ("boards-4", "boards 4"),
        ("boards-5-unique", "boards 5 --unique"),
        ("boards-3", "boards 3"),
        ("classes-8", "classes 8 --quiet"),
        ("classes-1", "classes 1 --quiet"),
        ("classes-5-boards", "classes 5 --boards --quiet"),
        ("classes-8-two-boards", "classes 8 --boards --limit 2 --quiet"),
        ("classes-8-json", "classes 8 --json --quiet"),
        ("symmetries-class-of-2", "symmetries 1 3 0 2"),
        ("symmetries-class-of-4", "symmetries 2 4 1 7 0 6 3 5"),
        ("symmetries-class-of-8", "symmetries 0,4,7,5,2,6,1,3"),
        ("symmetries-of-one", "symmetries 0"),
        ("symmetries-larger-twice", "symmetries 5 3 0 4 7 1 6 2"),
        ("symmetries-dropped", "symmetries 6 0 2 7 5 3 1 4"),
        ("symmetries-pruned", "symmetries 7 1 3 0 6 4 2 5"),
        ("symmetries-dropped-json", "symmetries --json 6 0 2 7 5 3 1 4"),
        ("symmetries-json", "symmetries --json 1 3 5 0 2 4"),
        ("complete-corner", "complete 8 --queens 0:0,1:4 --limit 3 --quiet"),
        ("complete-forced", "complete 4 --queens 0:1 --quiet"),
        ("complete-blocked", "complete 4 --queens 0:0,1:2 --limit 1 --quiet"),
        ("complete-json", "complete 5 --queens 2:2 --limit 1 --json --quiet"),
        ("methods", "methods"),
        ("methods-json", "methods --json"),
    ] {
        assert_output!(name, line(args).all());
    }
}

#[test]
fn accepts_the_hidden_names_of_options() {
    // Both names of an option reach the same check, so they give the same answer.
    for (name, hidden, args) in [
        ("--run-name", "--run", ["count 8 --post http://127.0.0.1:9", "a.b"]),
        ("--parts", "--column-sets", ["verify no-such.json", "all"]),
        ("--parts", "--column-sets", ["merge no-such.json", "all"]),
    ] {
        let call = |name: &str| line(&args.join(&format!(" {name} ")));
        let (output, hidden_output) = (call(name), call(hidden));
        assert!(!output.err.contains("unexpected argument"), "{}", output.err);
        assert_eq!((output.code, output.err), (hidden_output.code, hidden_output.err), "{hidden}");
        // The help shows only the current name.
        let command = args[0].split(' ').next().unwrap();
        let help = line(&format!("{command} --help")).out;
        assert!(help.contains(&format!(" {name} <")), "{help}");
        assert!(!help.contains(&format!("{hidden} ")), "{help}");
    }
}

#[test]
fn devices_lists_this_machine() {
    let output = line("devices --json");
    let devices = output.json();
    let cpu = &devices[0];
    assert_eq!((&cpu["kind"], &cpu["usable"]), (&"cpu".into(), &true.into()));
    assert!(cpu["threads"].as_u64().unwrap() >= 1);
    assert!(!cpu["name"].as_str().unwrap().is_empty());
    // Further devices depend on the machine, but every kind is listed.
    for kind in ["cuda", "wgpu"] {
        let entries = devices.as_array().unwrap().iter().filter(|device| device["kind"] == kind);
        let entries: Vec<_> = entries.collect();
        assert!(!entries.is_empty(), "{output:?}");
        for device in entries {
            let usable = device["usable"].as_bool().unwrap();
            assert!(usable || !device["reason"].as_str().unwrap().is_empty(), "{device}");
        }
    }
}

#[test]
fn prints_colours_only_to_terminals() {
    let classes = |settings: &[(&str, &str)]| {
        let output = command().args(["classes", "4"]).envs(settings.iter().copied()).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    assert!(!classes(&[]).contains('\x1b'));
    assert!(classes(&[("CLICOLOR_FORCE", "1")]).contains("\x1b[1mN = 4\x1b[0m"));
    assert!(!classes(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\x1b'));
}

#[test]
#[cfg(target_os = "linux")]
fn reports_that_stdout_cannot_be_written() {
    for args in [
        "--help",
        "--version",
        "-V",
        "help",
        "help count",
        "count --help",
        "completions bash",
        "man",
        "methods",
        "boards 8",
        "table --to 4 --quiet",
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = command();
        let output = command.args(args.split(' ')).stdout(full).output().unwrap();
        let output = queens_tests::command::CommandOutput::from(output);
        let expected = "error: cannot write to standard output: no space left on the device\n";
        assert_eq!((output.code, output.err.as_str()), (Some(1), expected), "{args}");
    }
}
