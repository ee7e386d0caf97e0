//! Counts as decimal strings, because a JavaScript number holds only 53 bits.

use alloc::string::String;

use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// Reasons why a text is not a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotACount {
    /// It is empty, or has a leading zero or characters other than digits.
    #[error("a count must be a whole number as a decimal string, such as \"92\"")]
    NotDecimal,
    /// It exceeds 64 bits.
    #[error("a count must fit in 64 bits")]
    TooLarge,
}

/// Parses a count from digits without a sign or leading zeros.
pub fn parse(text: &str) -> Result<u64, NotACount> {
    let zeros = text.len() > 1 && text.starts_with('0');
    if text.is_empty() || zeros || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NotACount::NotDecimal);
    }
    text.parse().map_err(|_| NotACount::TooLarge)
}

// The following functions have the signatures that serde requires.

pub fn serialize<S: Serializer>(count: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(count)
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    parse(&String::deserialize(from)?).map_err(D::Error::custom)
}

#[cfg(feature = "document")]
/// Serializes a count that may be missing.
pub fn serialize_optional<S: Serializer>(count: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&count.map(|count| alloc::format!("{count}")), to)
}
