//! A result without its tasks as the fragment of a link. The fragment stays in the browser: it is in no
//! request to a server.

use queens_core::document::{Document, DocumentError, Header};

/// The beginning of such a fragment.
const START: &str = "document=";

/// The longest fragment, in bytes. Chats and mail programs break longer links.
const LONGEST: usize = 4000;

/// Writes a result without its tasks as a fragment, without the number sign. Returns `None` if the
/// fragment would be too long.
pub fn to_fragment(header: &Header) -> Option<String> {
    let json = header.to_value().to_string();
    let encoded = form_urlencoded::byte_serialize(json.as_bytes());
    let fragment: String = [START].into_iter().chain(encoded).collect();
    (fragment.len() <= LONGEST).then_some(fragment)
}

/// Reads a result from a fragment; returns `None` for other fragments.
///
/// # Errors
/// [`DocumentError`] if the fragment has no valid result, for example because it is incomplete.
pub fn from_fragment(fragment: &str) -> Option<Result<Header, DocumentError>> {
    let value = fragment.strip_prefix(START)?;
    // A longer fragment is not from this page. It is read as an empty one, which gives an error.
    let value = if fragment.len() > LONGEST { "" } else { value };
    let mut parts = form_urlencoded::parse(value.as_bytes());
    let json = parts.next().map(|(json, _)| json).unwrap_or_default();
    Some(match serde_json::from_str(&json) {
        Ok(value) => Header::from_value(value),
        // Parsing the text as a document gives the error for a text that is not JSON.
        Err(_) => Document::parse(&json).map(|document| document.header),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eight() -> Header {
        let text = include_str!("../../../../tests/data/results/eight.json");
        Document::parse(text).unwrap().header
    }

    #[test]
    fn a_result_round_trips_through_a_fragment() {
        let mut header = eight();
        header.backend.device = "a+b & c=d #100% \u{7b2c}\u{202e}".into();
        header.extra.insert("note".into(), "=&+".into());
        let fragment = to_fragment(&header).unwrap();
        assert_eq!(from_fragment(&fragment).unwrap().unwrap(), header);
        let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"=%+*-._".contains(&byte);
        assert!(fragment.bytes().all(is_safe), "{fragment}");
        assert_eq!(from_fragment("burnside"), None);
    }

    #[test]
    fn damaged_fragments_have_a_reason() {
        let fragment = to_fragment(&eight()).unwrap();
        for end in START.len()..fragment.len() {
            assert!(from_fragment(&fragment[..end]).unwrap().is_err(), "{end}");
        }
        let other = fragment.replacen("%22n%22%3A8", "%22n%22%3A99", 1);
        assert_ne!(other, fragment);
        assert_eq!(from_fragment(&other).unwrap().unwrap_err().path(), "n");
    }

    #[test]
    fn a_link_has_a_limited_length() {
        let mut header = eight();
        header.backend.device = "x".repeat(LONGEST);
        assert_eq!(to_fragment(&header), None);
        // A valid result of this length is rejected, too, whatever character is at the limit.
        for letter in ["x", "\u{7b2c}", "x\u{7b2c}", "xx\u{7b2c}"] {
            let mut header = eight();
            header.extra.insert("note".into(), letter.repeat(LONGEST).into());
            let long = format!("{START}{}", header.to_value());
            assert!(from_fragment(&long).unwrap().is_err(), "{letter}");
            header.extra.insert("note".into(), letter.repeat(10).into());
            let short = format!("{START}{}", header.to_value());
            assert_eq!(from_fragment(&short).unwrap().unwrap(), header);
        }
    }
}
