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

/// Headings and the numbers that matter.
pub const BOLD: Style = Style::new().bold();

/// Buffered stdout, which drops colours where they do not belong: off a terminal, and under
/// `NO_COLOR`.
pub fn stdout() -> BufWriter<AutoStream<StdoutLock<'static>>> {
    BufWriter::new(AutoStream::auto(io::stdout().lock()))
}

/// Says what went wrong. If stderr is gone there is nobody to tell.
pub fn complain(error: &anyhow::Error) {
    let red = AnsiColor::Red.on_default().bold();
    let text = harmless(&format!("{error:#}"));
    let _ = writeln!(anstream::stderr(), "{red}error:{red:#} {text}");
}

/// Says something about the run that is not its result.
pub fn note(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{}", harmless(&text.to_string()));
}

/// JSON for people and programs: indented, with a line's end.
pub fn json(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    writeln!(out, "{value:#}")
}

/// Lines of a name and what belongs to it, all names as wide as the widest.
pub fn fields(out: &mut dyn Write, fields: &[(&str, String)]) -> io::Result<()> {
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in fields {
        writeln!(out, "{name:width$}  {value}")?;
    }
    Ok(())
}
