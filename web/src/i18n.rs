//! The page's two languages. Texts stand in web/locales, one pair of files for each part of the
//! page.

use std::collections::HashMap;
use std::fmt::Display;

use queens_core::SizeError;
use yew::prelude::*;

/// A language of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    /// Both languages.
    pub const ALL: [Language; 2] = [Language::English, Language::Japanese];

    /// The name in addresses, of the files and for the browser.
    pub const fn id(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }

    /// The language's own name for itself.
    pub const fn own_name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Japanese => "日本語",
        }
    }

    /// The language of an id.
    pub fn parse(id: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.id() == id)
    }

    /// The language for one of the browser's tags such as `ja-JP`: English unless it is the
    /// other one.
    pub fn of_tag(tag: &str) -> Language {
        let first = tag.split('-').next().unwrap_or(tag).to_ascii_lowercase();
        Language::parse(&first).unwrap_or_default()
    }
}

/// The text of a key in a language, with values for its gaps: `(language, "key", name = value)`.
macro_rules! tr {
    ($language:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::i18n::text($language, $key.as_ref(), &[$((stringify!($name), &$value)),*])
    };
}
pub(crate) use tr;

/// The texts of a language by their keys.
type Texts = HashMap<&'static str, &'static str>;

thread_local! {
    static ENGLISH: Texts = read(include_str!(concat!(env!("OUT_DIR"), "/texts.en")));
    static JAPANESE: Texts = read(include_str!(concat!(env!("OUT_DIR"), "/texts.ja")));
}

/// Reads what the build script made of web/locales.
fn read(lines: &'static str) -> Texts {
    lines.lines().filter_map(|line| line.split_once('\t')).collect()
}

/// Does something with the texts of a language.
fn with_texts<T>(language: Language, look: impl FnOnce(&Texts) -> T) -> T {
    match language {
        Language::English => ENGLISH.with(look),
        Language::Japanese => JAPANESE.with(look),
    }
}

/// The text of a key with its gaps `%{name}` filled: what `tr` calls. A key without a text, which
/// a test excludes, shows itself.
#[inline(never)]
pub fn text(language: Language, key: &str, gaps: &[(&str, &dyn Display)]) -> String {
    let Some(found) = with_texts(language, |texts| texts.get(key).copied()) else {
        return key.to_owned();
    };
    let mut parts = found.split("%{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        if let Some((_, value)) = gaps.iter().find(|(gap, _)| *gap == name) {
            filled.push_str(&value.to_string());
        }
        filled.push_str(rest);
    }
    filled
}

/// The language of the page.
#[hook]
pub fn use_language() -> Language {
    use_context::<Language>().unwrap_or_default()
}

/// Why something is no size of a board, as a sentence.
pub fn size_error(language: Language, error: SizeError) -> String {
    match error {
        SizeError::Zero => tr!(language, "size.zero"),
        SizeError::Negative => tr!(language, "size.negative"),
        SizeError::TooLarge(n) => tr!(language, "size.too-large", n = n),
        SizeError::NotWhole => tr!(language, "size.not-whole"),
        SizeError::NotANumber => tr!(language, "size.not-a-number"),
    }
}

/// A number with its thousands separated: 14,772,512.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn keys(language: Language) -> BTreeSet<&'static str> {
        with_texts(language, |texts| texts.keys().copied().collect())
    }

    /// The names of the gaps `%{name}` of a text.
    fn gaps(text: &str) -> BTreeSet<String> {
        let parts = text.split("%{").skip(1);
        parts.map(|part| part.split('}').next().unwrap_or("").to_owned()).collect()
    }

    #[test]
    fn both_languages_have_the_same_keys_with_the_same_gaps() {
        assert_eq!(keys(Language::English), keys(Language::Japanese));
        assert!(keys(Language::English).len() > 20);
        for key in keys(Language::English) {
            let text = |language| with_texts(language, |texts| texts[key]);
            let (en, ja) = (text(Language::English), text(Language::Japanese));
            assert_eq!(gaps(en), gaps(ja), "{key}");
            assert!(!en.trim().is_empty() && !ja.trim().is_empty(), "{key}");
        }
    }

    /// Every key that a source below a folder names in a `tr` call.
    fn used(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                used(&path, found);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            let calls: Vec<&str> = source.split(concat!("tr", "!(")).collect();
            for pair in calls.windows(2) {
                let [before, call] = pair else { continue };
                // Other macros end in the same letters.
                if before.ends_with(|sign: char| sign.is_alphanumeric() || sign == '_') {
                    continue;
                }
                let Some((_, rest)) = call.split_once(',') else { continue };
                if let Some((key, _)) =
                    rest.trim_start().strip_prefix('"').and_then(|r| r.split_once('"'))
                {
                    found.insert(key.to_owned());
                }
            }
        }
    }

    #[test]
    fn every_key_that_is_used_exists() {
        let mut found = BTreeSet::new();
        used(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        assert!(found.len() > 20, "{found:?}");
        let known = keys(Language::English);
        let missing: Vec<_> = found.iter().filter(|key| !known.contains(key.as_str())).collect();
        assert!(missing.is_empty(), "no text for {missing:?}");
    }

    #[test]
    fn gaps_are_filled() {
        let size = tr!(Language::English, "size.too-large", n = 33);
        assert!(size.contains("33") && !size.contains('%'), "{size}");
        let unknown = "no.such.key";
        assert_eq!(tr!(Language::English, unknown), unknown);
    }

    #[test]
    fn languages_of_browsers() {
        assert_eq!(Language::of_tag("ja-JP"), Language::Japanese);
        assert_eq!(Language::of_tag("JA"), Language::Japanese);
        assert_eq!(Language::of_tag("de-AT"), Language::English);
    }

    #[test]
    fn thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(14_772_512), "14,772,512");
    }
}
