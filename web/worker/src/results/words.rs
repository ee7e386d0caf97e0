//! The page's texts. They come with the request, because the worker does not contain them.

use std::{collections::HashMap, fmt::Display};

use queens_core::notation::grouped;

/// Texts by their keys.
pub struct Words<'a>(HashMap<&'a str, &'a str>);

impl<'a> Words<'a> {
    /// Parses lines of a key, a tab and a text.
    pub fn new(lines: &'a str) -> Words<'a> {
        Words(lines.lines().filter_map(|line| line.split_once('\t')).collect())
    }

    /// Returns the text of a key as HTML, with its placeholders `%{name}` filled. A missing key
    /// returns the key itself.
    pub fn say(&self, key: &str, gaps: &[(&str, &dyn Display)]) -> String {
        let text = self.0.get(key).copied().unwrap_or(key);
        let filled = gaps.iter().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("%{{{name}}}"), &value.to_string())
        });
        escaped(&filled)
    }

    /// A duration.
    pub fn time(&self, seconds: f64) -> String {
        let say = |key: &str, s: String| self.say(key, &[("s", &s)]);
        let two = |key, unit: f64, of: f64, names: [&str; 2]| {
            let whole = (seconds / unit).round() as u64;
            let (high, low) = (grouped(whole / of as u64), whole % of as u64);
            self.say(key, &[(names[0], &high), (names[1], &low)])
        };
        match seconds {
            s if s < 0.001 => say("results.time.microseconds", format!("{:.0}", s * 1e6)),
            s if s < 1.0 => say("results.time.milliseconds", format!("{:.0}", s * 1e3)),
            s if s < 10.0 => say("results.time.seconds", format!("{s:.2}")),
            s if s < 59.95 => say("results.time.seconds", format!("{s:.1}")),
            s if s < 3599.5 => two("results.time.minutes", 1.0, 60.0, ["m", "s"]),
            s if s < 86_370.0 => two("results.time.hours", 60.0, 60.0, ["h", "m"]),
            s if s < 3e10 => two("results.time.days", 3600.0, 24.0, ["d", "h"]),
            s => self.say("results.time.ages", &[("d", &format!("{:.1e}", s / 86_400.0))]),
        }
    }
}

/// Escapes the special characters of HTML and SVG.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_with_texts_and_nothing_else() {
        let words = Words::new("a.b\tN = %{n}: %{name}\nresults.time.minutes\t%{m} min %{s} s");
        let hostile = "<b onclick=\"x\">";
        assert_eq!(
            words.say("a.b", &[("n", &7), ("name", &hostile)]),
            "N = 7: &lt;b onclick=&quot;x&quot;&gt;"
        );
        assert_eq!(words.time(128.0), "2 min 8 s");
        assert_eq!(words.say("no.such", &[]), "no.such");
    }
}
