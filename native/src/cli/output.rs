//! Writing to stdout and stderr.
//!
//! No other part of the command may do this; clippy.toml enforces it. Printed texts may come from files,
//! servers and the system, so control characters that a terminal would interpret are replaced.

use std::{
    fmt::Display,
    io::{self, BufWriter, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use queens::paths;
use queens_core::document::{escape_json_control_characters, harmless};
pub use queens_core::notation::grouped as thousands;
use serde_json::Value;

use super::failure::Failure;

/// Style of headings and of the most important numbers.
pub const BOLD: Style = Style::new().bold();

/// Whether `--quiet` suppresses progress and notes.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Suppresses progress and notes from now on, if `quiet` is set.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Returns whether progress and notes are suppressed.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Returns buffered stdout, without colours if it is not a terminal or `NO_COLOR` is set.
#[expect(
    clippy::disallowed_methods,
    reason = "control characters are escaped before they are written"
)]
pub fn stdout() -> impl Write {
    EscapingWriter(BufWriter::new(AutoStream::auto(io::stdout().lock())))
}

/// Writer that replaces control characters by [readable escapes](harmless), except tabs, line breaks and
/// [`BOLD`].
struct EscapingWriter<W: Write>(W);

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = |byte: &u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
        // The formatting macros write each style in a separate call, so only a call with exactly the bytes
        // of a style may write them. Untrusted text with these bytes can only turn bold on or off.
        let is_style = |style: &dyn Display| style.to_string().as_bytes() == bytes;
        if bytes.iter().all(is_plain) || is_style(&BOLD) || is_style(&BOLD.render_reset()) {
            return self.0.write_all(bytes).map(|()| bytes.len());
        }
        for chunk in bytes.utf8_chunks() {
            for (number, part) in chunk.valid().split('\t').enumerate() {
                let tab = if number == 0 { "" } else { "\t" };
                self.0.write_all(tab.as_bytes())?;
                self.0.write_all(harmless(part).as_bytes())?;
            }
            for byte in chunk.invalid() {
                write!(self.0, "\\x{byte:02x}")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Prints an error with its causes, and its hint on a separate line. Like all functions that print on
/// stderr, it ignores errors of stderr, for example if stderr is closed.
pub fn error(error: &anyhow::Error) {
    let causes = error.chain().map(|cause| match cause.downcast_ref() {
        Some(error) => paths::reason(error),
        None => cause.to_string(),
    });
    print_labelled(AnsiColor::Red, "error", &causes.collect::<Vec<_>>().join(": "));
    if let Some(text) = Failure::hint_of(error) {
        hint(text);
    }
}

/// Prints a warning: a problem that does not end the run.
pub fn warn(text: impl Display) {
    print_labelled(AnsiColor::Yellow, "warning", &text.to_string());
}

/// Prints a hint for the previous message.
pub fn hint(text: impl Display) {
    print_message(format_args!("  {BOLD}hint:{BOLD:#} "), &text.to_string());
}

/// Prints a note: information about the run, not its result. Prints nothing with `--quiet`.
pub fn note(text: impl Display) {
    if !is_quiet() {
        message(text);
    }
}

/// Prints where a result or a journal is after an error. `--quiet` does not suppress it.
pub fn message(text: impl Display) {
    print_message("", &text.to_string());
}

fn print_labelled(colour: AnsiColor, label: &str, text: &str) {
    let style = colour.on_default().bold();
    print_message(format_args!("{style}{label}:{style:#} "), text);
}

/// Prints a message on stderr; `label` is the only part that may have styles.
#[expect(clippy::disallowed_methods, reason = "control characters are escaped")]
fn print_message(label: impl Display, text: &str) {
    let _ = writeln!(anstream::stderr(), "{label}{}", harmless(text));
}

/// Prints indented JSON and a line break. Characters that a terminal would interpret are escaped.
pub fn json(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    writeln!(out, "{}", escape_json_control_characters(&format!("{value:#}")))
}

/// Prints one line per field, with aligned values. A line break in a value is escaped, because a second
/// line would look like another field.
pub fn fields(out: &mut dyn Write, fields: &[(&str, String)]) -> io::Result<()> {
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in fields {
        writeln!(out, "{name:width$}  {}", value.replace('\n', "\\u{a}"))?;
    }
    Ok(())
}

/// Formats a time in its two largest units, and in hundredths of a second below a minute.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    let (minutes, hours) = ((whole + 30) / 60, (whole + 1800) / 3600);
    // Times from each limit on are rounded up to the next larger unit.
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

    /// One character of each kind that a terminal interprets or hides.
    const HOSTILE: &str =
        "\u{1b}]0;PWN\u{7}\u{1b}[31m\u{9b}32m\r\u{202e}\u{200b}\u{2028}\u{feff}\u{e0041}";

    fn printed(print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
        let mut out = EscapingWriter(Vec::new());
        print(&mut out).unwrap();
        String::from_utf8(out.0).unwrap()
    }

    #[test]
    fn escapes_control_characters_on_stdout() {
        let escaped = "\\u{1b}]0;PWN\\u{7}\\u{1b}[31m\\u{9b}32m\\u{d}\\u{202e}\\u{200b}\\u{2028}\\u{feff}\\u{e0041}";
        let text = printed(|out| writeln!(out, "{BOLD}{HOSTILE}{BOLD:#}\tas {}", 8));
        assert_eq!(text, format!("\u{1b}[1m{escaped}\u{1b}[0m\tas 8\n"));
        let text = printed(|out| fields(out, &[("Host", format!("{HOSTILE}\nTotal  9"))]));
        assert_eq!(text, format!("Host  {escaped}\\u{{a}}Total  9\n"));
        let text = printed(|out| out.write_all(b"\x9b31m\xff\x1b[1m."));
        assert_eq!(text, "\\x9b31m\\xff\\u{1b}[1m.");
        let text = printed(|out| json(out, &Value::from(HOSTILE)));
        assert!(text.is_ascii() && !text.contains('\u{1b}'), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), HOSTILE);
    }

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
