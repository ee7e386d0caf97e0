//! Writing to stdout and stderr.

use std::{
    fmt::Display,
    io::{self, BufWriter, StdoutLock, Write},
};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use queens_core::document::harmless;
pub use queens_core::notation::grouped as thousands;
use serde_json::Value;

use super::failure::Failure;

/// Headings and the numbers that matter.
pub const BOLD: Style = Style::new().bold();

/// Buffered stdout, without colours if it is not a terminal or `NO_COLOR` is set.
pub fn stdout() -> BufWriter<AutoStream<StdoutLock<'static>>> {
    BufWriter::new(AutoStream::auto(io::stdout().lock()))
}

/// Prints an error with its causes, and its hint on a line of its own. A closed stderr is ignored,
/// here and below.
pub fn complain(error: &anyhow::Error) {
    print(AnsiColor::Red, "error", &format!("{error:#}"));
    if let Some(text) = Failure::hint_of(error) {
        hint(text);
    }
}

/// Prints a warning: the run continues, but something is wrong.
pub fn warn(text: impl Display) {
    print(AnsiColor::Yellow, "warning", &text.to_string());
}

/// Prints what the user can do about the message before.
pub fn hint(text: impl Display) {
    let text = text.to_string();
    let _ = writeln!(anstream::stderr(), "  {BOLD}hint:{BOLD:#} {}", harmless(&text));
}

/// Prints a message about the run that is not its result.
pub fn note(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{}", harmless(&text.to_string()));
}

fn print(colour: AnsiColor, label: &str, text: &str) {
    let style = colour.on_default().bold();
    let _ = writeln!(anstream::stderr(), "{style}{label}:{style:#} {}", harmless(text));
}

/// Prints indented JSON and a line break.
pub fn json(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    writeln!(out, "{value:#}")
}

/// Prints one line per field, with the values aligned in a column.
pub fn fields(out: &mut dyn Write, fields: &[(&str, String)]) -> io::Result<()> {
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in fields {
        writeln!(out, "{name:width$}  {value}")?;
    }
    Ok(())
}

/// Formats a time in its two largest units, and in hundredths of a second below a minute.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    let (minutes, hours) = ((whole + 30) / 60, (whole + 1800) / 3600);
    match seconds {
        s if s < 59.995 => format!("{s:.2} s"),
        s if s < 3599.5 => format!("{} min {} s", whole / 60, whole % 60),
        s if s < 86_370.0 => format!("{} h {} min", minutes / 60, minutes % 60),
        _ => format!("{} d {} h", thousands(hours / 24), hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rounded_to_two_units() {
        for (seconds, text) in [
            (0.0, "0.00 s"),
            (59.99, "59.99 s"),
            (59.996, "1 min 0 s"),
            (104.44, "1 min 44 s"),
            (3599.4, "59 min 59 s"),
            (3599.6, "1 h 0 min"),
            (86_369.0, "23 h 59 min"),
            (86_371.0, "1 d 0 h"),
            (1e12, "11,574,074 d 2 h"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }
}
