//! Writing to stdout and stderr.

use std::{
    fmt::Display,
    io::{self, BufWriter, StdoutLock, Write},
};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use queens_core::document::harmless;
pub use queens_core::notation::{clock, grouped as thousands};
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
