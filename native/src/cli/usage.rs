//! Errors of the command line's syntax, which clap finds, with tips that fit this program.

use std::process;

use clap::{
    Command,
    builder::StyledStr,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};
use queens::paths::on_one_line;
use queens_core::document::harmless;

use super::output;

/// Prints clap's error and ends the process. Control characters and line breaks in the quoted arguments
/// are escaped. `args` are the arguments after the program's name.
pub fn exit_with(mut error: Error, program: Command, args: impl Iterator<Item = String>) -> ! {
    correct_tips(&mut error, program, args);
    let quoted: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) => Some((kind, ContextValue::String(on_one_line(text)))),
            ContextValue::Strings(texts) => {
                let texts = texts.iter().map(|text| on_one_line(text)).collect();
                Some((kind, ContextValue::Strings(texts)))
            }
            _ => None,
        })
        .collect();
    for (kind, value) in quoted {
        error.insert(kind, value);
    }
    let text = error.render().to_string();
    if harmless(&text) == text {
        // This prints the same text with colours.
        error.exit();
    }
    output::note(text.trim_end());
    process::exit(error.exit_code())
}

/// Removes clap's tips that do not help, and adds one for known mistakes.
fn correct_tips(error: &mut Error, mut program: Command, args: impl Iterator<Item = String>) {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return };
    let argument = argument.clone();
    program.build();
    let all_options = options(&program);
    let mut command = program;
    for name in args {
        let Some(subcommand) = command.find_subcommand(&name).cloned() else { break };
        command = subcommand;
    }
    if error.kind() == ErrorKind::UnknownArgument {
        // Remove the tip to pass the unknown option as a value after `--`, which no command here needs.
        error.remove(ContextKind::Suggested);
        // If another command has this option, it is not a misspelled option of this command.
        if all_options.contains(&argument) && error.remove(ContextKind::SuggestedArg).is_some() {
            // The usage names the suggested option.
            let usage = ContextValue::StyledStr(command.render_usage());
            error.insert(ContextKind::Usage, usage);
        }
    }
    if let Some(tip) = tip(command.get_name(), error.kind(), &argument) {
        let tips = vec![StyledStr::from(tip)];
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
}

/// Returns all long options of a command and its subcommands, with their hyphens.
fn options(command: &Command) -> Vec<String> {
    let own = command.get_arguments().filter_map(|argument| argument.get_long());
    let own = own.map(|long| format!("--{long}"));
    own.chain(command.get_subcommands().flat_map(options)).collect()
}

/// Returns a tip for an argument that clap has rejected.
fn tip(command: &str, kind: ErrorKind, argument: &str) -> Option<&'static str> {
    let is_square = |text: &str| {
        let is_number = |part: &str| part.parse::<u32>().is_ok();
        text.split_once(':').is_some_and(|(row, column)| is_number(row) && is_number(column))
    };
    match (command, kind) {
        ("resume", ErrorKind::UnknownArgument) if argument == "--journal" => {
            Some("name the journal without an option: queens resume JOURNAL")
        }
        ("merge", ErrorKind::UnknownArgument) if argument == "--json" => {
            Some("to print the result document, use -o -")
        }
        ("complete", ErrorKind::UnknownArgument) if is_square(argument) => {
            Some("separate the queens by commas: --queens 0:0,1:4")
        }
        ("complete", ErrorKind::ArgumentConflict) if argument.starts_with("--queens ") => {
            Some("separate the queens by commas: --queens 0:0,1:4")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{super::Cli, *};

    /// Returns the message for a line of arguments, without the part that names `--help`.
    fn message(line: &str) -> String {
        let args = || line.split(' ').map(str::to_owned);
        let parsed =
            Cli::command().try_get_matches_from(["queens".to_owned()].into_iter().chain(args()));
        let mut error = parsed.unwrap_err();
        correct_tips(&mut error, Cli::command(), args());
        let text = error.render().to_string();
        text.replace("\n\nFor more information, try '--help'.\n", "")
    }

    #[test]
    fn suggests_no_similar_option_for_one_of_another_command() {
        assert_eq!(
            message("table --json"),
            "error: unexpected argument '--json' found\n\nUsage: queens table [OPTIONS]"
        );
        let tip = "\n\n  tip: to print the result document, use -o -\n";
        assert!(message("merge x --json").contains(tip), "{}", message("merge x --json"));
        let tip = "found\n\n  tip: name the journal without an option: queens resume JOURNAL\n\n\
                   Usage: queens resume [OPTIONS] <JOURNAL>";
        let text = message("resume x --journal y");
        assert!(text.ends_with(tip), "{text}");
        let text = message("verify x --second 3");
        assert!(text.contains("tip: a similar argument exists: '--seconds'"), "{text}");
    }

    #[test]
    fn says_that_commas_separate_queens() {
        for line in ["complete 8 --queens 0:0 1:4", "complete 8 --queens 0:0 --queens 1:4"] {
            let text = message(line);
            let tip = "\n  tip: separate the queens by commas: --queens 0:0,1:4\n";
            assert!(text.contains(tip), "{text}");
        }
        assert!(!message("complete 8 9").contains("tip"), "{}", message("complete 8 9"));
    }
}
