//! Escapes and shortens untrusted text for terminals and browsers.

use alloc::{
    format,
    string::{String, ToString},
};

use serde_json::Value;

use crate::notation::excerpt;

/// Whether the character is unsafe to show: it controls a terminal (C0, DEL and C1), changes the
/// text direction, or is invisible. Line ends are included.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Escapes characters that control a terminal, change the text direction or are invisible. Line
/// feeds stay.
///
/// ```
/// use queens_core::document::harmless;
/// assert_eq!(harmless("N\u{1b}[2J = \u{202e}8\n"), "N\\u{1b}[2J = \\u{202e}8\n");
/// ```
#[must_use]
pub fn harmless(text: &str) -> String {
    escaped(text, |safe, c| safe.extend(c.escape_unicode()))
}

/// Escapes the same characters in JSON without changing its value. They can only be in strings,
/// where an escape such as `\u202e` has the same meaning.
///
/// ```
/// use queens_core::document::escape_json_control_characters;
/// let escaped = escape_json_control_characters("{\n  \"n\": \"\u{202e}8\"\n}");
/// assert_eq!(escaped, "{\n  \"n\": \"\\u202e8\"\n}");
/// ```
#[must_use]
pub fn escape_json_control_characters(json: &str) -> String {
    escaped(json, |safe, c| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            safe.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

fn escaped(text: &str, escape: impl Fn(&mut String, char)) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut safe, c| {
        if c != '\n' && is_unsafe(c) {
            escape(&mut safe, c);
        } else {
            safe.push(c);
        }
        safe
    })
}

/// Formats the value as JSON, shortened to about a line. For objects and lists it only names the
/// type.
pub(super) fn quote(value: &Value) -> String {
    const MAX_CHARS: usize = 40;
    let text = match value {
        Value::Object(_) => "an object".to_string(),
        Value::Array(_) => "a list".to_string(),
        Value::String(text) if text.chars().count() > MAX_CHARS => {
            let start: String = text.chars().take(MAX_CHARS).collect();
            format!("{}…", Value::String(start))
        }
        other => excerpt(&other.to_string(), MAX_CHARS),
    };
    harmless(&text)
}

/// Formats the name of a field in a path: quoted, unless it is short and plain.
pub(super) fn named(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    match name.len() {
        1..=40 if name.bytes().all(is_plain) => name.into(),
        _ => quote(&Value::String(name.into())),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Characters of each unsafe kind: C0, DEL, C1, changes of the text direction, and invisible
    /// ones.
    const UNSAFE: &str = "\0\u{7}\t\r\u{1b}\u{7f}\u{80}\u{9b}\u{9f}\u{61c}\u{200b}\u{200d}\u{200e}\u{200f}\
        \u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{206f}\u{feff}\u{e0000}\u{e0041}\u{e007f}";

    #[test]
    fn escapes_control_and_invisible_characters() {
        for c in UNSAFE.chars() {
            let name = format!("\\u{{{:x}}}", u32::from(c));
            assert_eq!(harmless(&format!("a{c}b\n")), format!("a{name}b\n"));
        }
        let readable = "é 日本語 \u{200a}\u{2027}\u{202f}\u{2070}\u{fefe}\u{e0080}";
        assert_eq!(harmless(readable), readable);
    }

    #[test]
    fn escaped_json_parses_to_the_same_value() {
        let texts: Vec<String> = UNSAFE.chars().map(|c| format!("é{c}\"\\")).collect();
        let value = Value::from(texts);
        let json = escape_json_control_characters(&format!("{value:#}"));
        assert!(json.chars().all(|c| c == '\n' || !is_unsafe(c)), "{json}");
        assert!(json.contains("\\u202e") && json.contains("\\udb40\\udc41"), "{json}");
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
    }
}
