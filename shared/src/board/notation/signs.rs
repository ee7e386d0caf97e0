//! Characters that people write, as the ASCII characters that they stand for, and encodings.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

/// Replaces full-width characters, unusual spaces, chess pieces and box drawing by ASCII, and removes
/// byte order marks and other characters without width.
///
/// ```
/// assert_eq!(queens_core::notation::fold("１，３　０\u{a0}２\r"), "1,3 0 2");
/// ```
pub fn fold(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: &u8| byte.is_ascii() && *byte != b'\t' && *byte != b'\r';
    if text.as_bytes().iter().all(is_plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter_map(folded).collect())
}

fn folded(sign: char) -> Option<char> {
    Some(match sign {
        '\r' | '\u{200b}'..='\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}' => return None,
        '\t' => ' ',
        _ if sign.is_whitespace() && sign != '\n' => ' ',
        // Full-width forms have the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(sign) - 0xfee0)?,
        '、' => ',',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '♕' | '♛' | '👑' => 'Q',
        '·' | '・' | '。' | '□' | '⬜' | '⬛' => '.',
        '│' | '┃' | '║' => '|',
        '─' | '━' | '═' => '-',
        '\u{2500}'..='\u{257f}' => '+',
        _ => sign,
    })
}

/// The text in a file: UTF-8, or UTF-16 of either byte order, with or without a byte order mark. `None` if
/// it is neither. Without a mark, UTF-16 shows in the zero bytes of its first characters.
///
/// ```
/// use queens_core::notation::decode;
/// assert_eq!(decode(b"8\x008\x00").as_deref(), Some("88"));
/// assert_eq!(decode(b"\xfe\xff\0[").as_deref(), Some("["));
/// assert_eq!(decode("\u{feff}[".as_bytes()).as_deref(), Some("["));
/// assert_eq!(decode(b"\xff"), None);
/// ```
pub fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let (unit, text): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, text @ ..] => (u16::from_le_bytes, text),
        [0xfe, 0xff, text @ ..] => (u16::from_be_bytes, text),
        [first, 0, ..] if *first != 0 => (u16::from_le_bytes, bytes),
        [0, first, ..] if *first != 0 => (u16::from_be_bytes, bytes),
        [0xef, 0xbb, 0xbf, text @ ..] => return core::str::from_utf8(text).ok().map(Cow::Borrowed),
        _ => return core::str::from_utf8(bytes).ok().map(Cow::Borrowed),
    };
    let (pairs, []) = text.as_chunks::<2>() else { return None };
    let units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
    String::from_utf16(&units).ok().map(Cow::Owned)
}

/// Returns the first `most` characters of a text, with an ellipsis if the text is longer.
///
/// ```
/// use queens_core::notation::excerpt;
/// assert_eq!([excerpt("Königin", 7), excerpt("Königin", 3)], ["Königin", "Kön…"]);
/// ```
#[must_use]
pub fn excerpt(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.into(),
    }
}
