//! Where output goes: colours, failures to write, and the hardware of this machine.

use crate::support::{command, line};

#[test]
fn devices_lists_this_machine() {
    let devices = line("devices --json").json();
    let cpu = &devices[0];
    assert_eq!((&cpu["kind"], &cpu["usable"]), (&"cpu".into(), &true.into()));
    assert!(cpu["threads"].as_u64().unwrap() >= 1);
    assert!(!cpu["name"].as_str().unwrap().is_empty());
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
    for args in ["completions bash", "man", "methods", "boards 8", "table --to 4 --quiet"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = command();
        let output = command.args(args.split(' ')).stdout(full).output().unwrap();
        let output = queens_tests::command::CommandOutput::from(output);
        let expected = "error: cannot write to standard output: no space left on the device\n";
        assert_eq!((output.code, output.err.as_str()), (Some(1), expected), "{args}");
    }
}
