//! One or two results without their tasks as the fragment of a link. The fragment stays in the browser: it is in no
//! request to a server.

use queens_core::document::{Document, DocumentError, Header};

/// The beginning of such a fragment, and of its second result after an ampersand.
const START: &str = "document=";

/// The largest number of results in a fragment: a comparison has two.
const MOST: usize = 2;

/// The longest fragment, in bytes. Chats and mail programs break longer links.
const LONGEST: usize = 4000;

/// Writes results without their tasks as a fragment, without the number sign. Returns `None` if the fragment
/// would be too long.
pub fn to_fragment(headers: &[&Header]) -> Option<String> {
    let encoded = headers.iter().map(|header| {
        let json = header.to_value().to_string();
        let encoded = form_urlencoded::byte_serialize(json.as_bytes());
        [START].into_iter().chain(encoded).collect::<String>()
    });
    let fragment = encoded.collect::<Vec<_>>().join("&");
    (fragment.len() <= LONGEST).then_some(fragment)
}

/// Reads the results of a fragment, each of which may be invalid, for example because the fragment is incomplete.
/// Returns `None` for other fragments.
pub fn from_fragment(fragment: &str) -> Option<Vec<Result<Header, DocumentError>>> {
    let rest = fragment.strip_prefix(START)?;
    // A longer fragment is not from this page. It is read as an empty one, which gives an error.
    let rest = if fragment.len() > LONGEST { "" } else { rest };
    let second = ["&", START].concat();
    Some(rest.split(second.as_str()).take(MOST).map(read).collect())
}

/// Reads the result that a part of a fragment encodes.
fn read(value: &str) -> Result<Header, DocumentError> {
    let mut parts = form_urlencoded::parse(value.as_bytes());
    let json = parts.next().map(|(json, _)| json).unwrap_or_default();
    match serde_json::from_str(&json) {
        Ok(value) => Header::from_value(value),
        // Parsing the text as a document gives the error for a text that is not JSON.
        Err(_) => Document::parse(&json).map(|document| document.header),
    }
}

#[cfg(test)]
mod tests {
    use queens_core::document::Seconds;

    use super::*;

    fn eight() -> Header {
        let text = include_str!("../../../../../tests/data/results/eight.json");
        Document::parse(text).unwrap().header
    }

    /// Reads a fragment with a single result.
    fn read_one(fragment: &str) -> Result<Header, DocumentError> {
        let mut found = from_fragment(fragment).unwrap();
        assert_eq!(found.len(), 1);
        found.remove(0)
    }

    #[test]
    fn two_results_round_trip_through_a_fragment() {
        let mut other = eight();
        (other.backend.device, other.seconds) = ("a&document=b".into(), Seconds::new(7.0).unwrap());
        let fragment = to_fragment(&[&eight(), &other]).unwrap();
        assert_eq!(from_fragment(&fragment).unwrap(), [Ok(eight()), Ok(other)]);
        // A chat may cut the second one.
        let cut = from_fragment(&fragment[..fragment.len() - 9]).unwrap();
        assert_eq!((cut.len(), &cut[0], cut[1].is_err()), (2, &Ok(eight()), true));
        let more = [&fragment, "&", &fragment].concat();
        assert_eq!(from_fragment(&more).map(|found| found.len()), Some(MOST));
    }

    #[test]
    fn a_result_round_trips_through_a_fragment() {
        let mut header = eight();
        header.backend.device = "a+b & c=d #100% \u{7b2c}\u{202e}".into();
        header.extra.insert("note".into(), "=&+".into());
        let fragment = to_fragment(&[&header]).unwrap();
        assert_eq!(read_one(&fragment).unwrap(), header);
        let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"=%+*-._".contains(&byte);
        assert!(fragment.bytes().all(is_safe), "{fragment}");
        assert_eq!(from_fragment("burnside"), None);
    }

    #[test]
    fn damaged_fragments_have_a_reason() {
        let fragment = to_fragment(&[&eight()]).unwrap();
        for end in START.len()..fragment.len() {
            assert!(read_one(&fragment[..end]).is_err(), "{end}");
        }
        let other = fragment.replacen("%22n%22%3A8", "%22n%22%3A99", 1);
        assert_ne!(other, fragment);
        assert_eq!(read_one(&other).unwrap_err().path(), "n");
    }

    #[test]
    fn a_link_has_a_limited_length() {
        let mut header = eight();
        header.backend.device = "x".repeat(LONGEST);
        assert_eq!(to_fragment(&[&header]), None);
        // A valid result of this length is rejected, too, whatever character is at the limit.
        for letter in ["x", "\u{7b2c}", "x\u{7b2c}", "xx\u{7b2c}"] {
            let mut header = eight();
            header.extra.insert("note".into(), letter.repeat(LONGEST).into());
            let long = format!("{START}{}", header.to_value());
            assert!(read_one(&long).is_err(), "{letter}");
            header.extra.insert("note".into(), letter.repeat(10).into());
            let short = format!("{START}{}", header.to_value());
            assert_eq!(read_one(&short).unwrap(), header);
        }
    }
}
