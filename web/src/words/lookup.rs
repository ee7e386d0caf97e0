//! The page's texts in two languages. Each part of the page has a file in web/locales.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::LazyLock;

use super::language::Language;

/// Returns the text of a key in a language, with its placeholders filled:
/// `tr!(language, "key", name = value)`.
macro_rules! tr {
    ($language:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::words::text($language, $key.as_ref(), &[$((stringify!($name), &$value)),*])
    };
}

pub(crate) use tr;

/// The texts of a language by their keys.
type Texts = HashMap<&'static str, &'static str>;

static ENGLISH: LazyLock<Texts> =
    LazyLock::new(|| read(include_str!(concat!(env!("OUT_DIR"), "/texts.en"))));
static JAPANESE: LazyLock<Texts> =
    LazyLock::new(|| read(include_str!(concat!(env!("OUT_DIR"), "/texts.ja"))));

/// Reads a file that build.rs made from web/locales.
fn read(file: &'static str) -> Texts {
    file.lines().filter_map(|line| line.split_once('\t')).collect()
}

fn texts(language: Language) -> &'static Texts {
    match language {
        Language::English => &ENGLISH,
        Language::Japanese => &JAPANESE,
    }
}

/// Returns the text of a key with its placeholders `%{name}` filled: the function behind
/// [`tr!`]. A key without a text is returned unchanged; a test ensures that every key has
/// a text.
#[inline(never)]
pub fn text(language: Language, key: &str, values: &[(&str, &dyn Display)]) -> String {
    let Some(found) = texts(language).get(key) else { return key.to_owned() };
    let mut parts = found.split("%{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        if let Some((_, value)) = values.iter().find(|(placeholder, _)| *placeholder == name) {
            filled.push_str(&value.to_string());
        }
        filled.push_str(rest);
    }
    filled
}

/// Replaces the no-break spaces that the build of the page adds: the text as web/locales has it. Names that
/// leave the page, such as its title, must not contain them.
pub fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    fn keys(language: Language) -> BTreeSet<&'static str> {
        texts(language).keys().copied().collect()
    }

    #[test]
    fn no_line_ends_between_a_number_and_its_counter() {
        for (key, text) in texts(Language::Japanese) {
            let letters: Vec<char> = text.chars().collect();
            let breaks = |part: &[char]| {
                (part[0].is_ascii_digit() || part[0] == '}')
                    && part[1] == ' '
                    && ('ぁ'..='龯').contains(&part[2])
            };
            assert!(!letters.windows(3).any(breaks), "{key}: {text}");
        }
    }

    /// The names of the placeholders `%{name}` of a text.
    fn placeholders(text: &str) -> BTreeSet<String> {
        let parts = text.split("%{").skip(1);
        parts.map(|part| part.split('}').next().unwrap_or("").to_owned()).collect()
    }

    #[test]
    fn both_languages_have_the_same_placeholders() {
        assert!(keys(Language::English).len() > 20);
        let (english, japanese) = (texts(Language::English), texts(Language::Japanese));
        for key in keys(Language::English) {
            let (en, ja) = (english[key], japanese[key]);
            assert_eq!(placeholders(en), placeholders(ja), "{key}");
            assert!(!en.trim().is_empty() && !ja.trim().is_empty(), "{key}");
        }
    }

    /// Adds to `found` all string literals with the form of a key, from all files below `folder`.
    fn written(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                written(&path, found);
                continue;
            }
            found.extend(keys_of(&path));
        }
    }

    fn keys_of(path: &Path) -> Vec<String> {
        let source = fs::read_to_string(path).unwrap();
        let is_file =
            |text: &str| [".json", ".css", ".rs"].iter().any(|ending| text.ends_with(ending));
        let texts = source.split('"').filter(|text| is_key(text) && !is_file(text));
        texts.map(str::to_owned).collect()
    }

    /// Whether a text consists of words with dots between them; one of the words may be a
    /// placeholder: `why.class-{class}`.
    fn is_key(text: &str) -> bool {
        let is_word = |word: &str| {
            let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "-_{}".contains(sign);
            !word.is_empty() && word.chars().all(is_sign)
        };
        text.contains('.') && text.split('.').all(is_word)
    }

    /// Whether `written`, a string literal of the sources, stands for this key. A placeholder in
    /// `written` matches any text.
    fn fits(key: &str, written: &str) -> bool {
        let Some((start, rest)) = written.split_once('{') else { return key == written };
        let (_, end) = rest.split_once('}').unwrap();
        key.len() > start.len() + end.len() && key.starts_with(start) && key.ends_with(end)
    }

    #[test]
    fn the_sources_use_every_key_and_no_other() {
        let mut found = BTreeSet::new();
        written(&sources(), &mut found);
        let keys = keys(Language::Japanese);
        let groups: BTreeSet<_> = keys.iter().filter_map(|key| key.split('.').next()).collect();
        found.retain(|text| text.split('.').next().is_some_and(|group| groups.contains(group)));
        assert!(found.iter().any(|text| text.contains('{')) && found.len() > 500, "{found:?}");
        let without: Vec<_> =
            found.iter().filter(|text| !keys.iter().any(|key| fits(key, text))).collect();
        assert_eq!(without, [""; 0], "texts for these keys");
        let unused: Vec<_> =
            keys.iter().filter(|key| !found.iter().any(|text| fits(key, text))).collect();
        assert_eq!(unused, [&""; 0], "nothing shows these texts");
    }

    fn sources() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
    }

    #[test]
    fn fills_placeholders() {
        let size = tr!(Language::Japanese, "size.too-large", n = 33);
        assert!(size.contains("33") && !size.contains('%'), "{size}");
        let unknown = "no.such.key";
        assert_eq!(tr!(Language::English, unknown), unknown);
    }
}
