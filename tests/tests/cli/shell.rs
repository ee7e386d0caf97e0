//! Completion scripts, manual pages, and the options of `help`.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use crate::support::line;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn completion_scripts_contain_commands_and_options() {
    for shell in SHELLS {
        let output = line(&format!("completions {shell}"));
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{shell}");
        for word in ["count", "symmetries", "complete", "serve", "queens", "limit", "threads"] {
            assert!(output.out.contains(word), "{shell}: {word}");
        }
    }
    let output = line("completions csh");
    assert_eq!(output.code, Some(2));
    for shell in SHELLS {
        assert!(output.err.contains(shell), "{}", output.err);
    }
}

/// Loads the script in a real shell, and lets the shell complete a word.
#[cfg(unix)]
#[test]
fn bash_completes_words_with_the_script() {
    let script = line("completions bash").out;
    let mut bash = Command::new("bash");
    bash.args(["--noprofile", "--norc", "-s"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = bash.stderr(Stdio::piped()).spawn().unwrap();
    let ask = "
        COMP_WORDS=(queens comp)
        COMP_CWORD=1
        _queens queens comp queens
        printf '%s\\n' \"${COMPREPLY[@]}\"
    ";
    running.stdin.take().unwrap().write_all(format!("{script}{ask}").as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let mut words: Vec<_> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
    words.sort_unstable();
    assert_eq!(words, ["complete", "completions"]);
}

/// Returns the text of a manual page's section, without its heading.
fn section<'a>(page: &'a str, name: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("\n.SH {name}\n")).unwrap();
    rest.split("\n.SH ").next().unwrap()
}

/// The commands that the manual lists.
pub fn commands(manual: &str) -> Vec<String> {
    let lines = section(manual, "SUBCOMMANDS").lines();
    let names = lines.filter_map(|line| line.strip_prefix("queens\\-")?.strip_suffix("(1)"));
    names.map(str::to_owned).collect()
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let whole = line("man").out;
    assert!(whole.contains("\n.TH queens 1  \"queens "), "{whole}");
    let commands = commands(&whole);
    for wanted in ["count", "complete", "symmetries", "serve", "man"] {
        assert!(commands.iter().any(|command| command == wanted), "{commands:?}");
    }
    for command in commands {
        let page = line(&format!("man {command}"));
        assert_eq!(page.code, Some(0), "{command}");
        let page = page.out;
        assert!(page.contains(&format!("\n.TH queens-{command} 1  \"queens ")), "{page}");
        assert!(section(&page, "SYNOPSIS").contains(&format!("\\fBqueens {command}\\fR")));
        // Every line is text or a request that man knows.
        for line in page.lines().filter(|line| line.starts_with('.')) {
            let request = line.split(' ').next().unwrap();
            let known = [".ie", ".el", ".TH", ".SH", ".TP", ".PP", ".br", ".RS", ".RE", ".IP"];
            assert!(known.contains(&request), "{command}: {line}");
        }
    }
    let options = line("man complete").out;
    for option in ["queens", "limit", "json", "threads"] {
        let option = format!("\\fB\\-\\-{option}\\fR");
        assert!(section(&options, "OPTIONS").contains(&option), "{options}");
    }
    let output = line("man no-such-command");
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("\n  hint: the subcommands are count, "), "{}", output.err);
}
