//! What somebody else wrote, quoted so that it does no harm: short, and with nothing in it that a
//! terminal or a browser obeys.

use alloc::{
    format,
    string::{String, ToString},
};

use serde_json::Value;

/// The text with names in place of the characters that are obeyed where they should be read: those
/// that control a terminal, and those that turn the direction of writing. Ends of lines stay.
///
/// ```
/// use queens_core::document::harmless;
/// assert_eq!(harmless("N\u{1b}[2J = \u{202e}8\n"), "N\\u{1b}[2J = \\u{202e}8\n");
/// ```
#[must_use]
pub fn harmless(text: &str) -> String {
    let is_obeyed = |c: char| match c {
        '\n' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' => true,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    };
    text.chars().fold(String::with_capacity(text.len()), |mut safe, c| {
        if is_obeyed(c) {
            safe.extend(c.escape_unicode());
        } else {
            safe.push(c);
        }
        safe
    })
}

/// The value as JSON, shortened to about a line; objects and lists by their kind only.
pub(super) fn quote(value: &Value) -> String {
    const LONGEST: usize = 40;
    let text = match value {
        Value::Object(_) => "an object".to_string(),
        Value::Array(_) => "a list".to_string(),
        Value::String(text) if text.chars().count() > LONGEST => {
            let start: String = text.chars().take(LONGEST).collect();
            format!("{}…", Value::String(start))
        }
        other => match other.to_string() {
            number if number.len() > LONGEST => number.chars().take(LONGEST).chain(['…']).collect(),
            short => short,
        },
    };
    harmless(&text)
}

/// The name of a field for a path: as it is, or quoted where it is unlike a name.
pub(super) fn named(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    match name.len() {
        1..=40 if name.bytes().all(is_plain) => name.into(),
        _ => quote(&Value::String(name.into())),
    }
}
