//! The page's texts in two languages. Each part of the page has a file in web/locales.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt::Display;

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

/// The bundles of a language's texts. Each is a separate file, which the page fetches on demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum Bundle {
    /// The texts of the first view and of the page's frame.
    First,
    /// The texts of all other views.
    Later,
}

thread_local! {
    /// The texts of both languages, in two bundles each.
    static TEXTS: [[OnceCell<Texts>; 2]; 2] =
        const { [const { [const { OnceCell::new() }; 2] }; 2] };
}

impl Bundle {
    /// Returns the slot of this bundle among those of a language.
    fn slot(self, [first, later]: &[OnceCell<Texts>; 2]) -> &OnceCell<Texts> {
        match self {
            Bundle::First => first,
            Bundle::Later => later,
        }
    }

    /// A key that every file of this bundle contains.
    const fn marker_key(self) -> &'static str {
        match self {
            Bundle::First => "bar.views",
            Bundle::Later => "play.show",
        }
    }

    /// Whether the bundle has been added for a language.
    pub fn is_here(self, language: Language) -> bool {
        with_texts(language, |bundles| self.slot(bundles).get().is_some())
    }
}

/// Calls `action` with the bundles of a language.
fn with_texts<T>(language: Language, action: impl FnOnce(&[OnceCell<Texts>; 2]) -> T) -> T {
    TEXTS.with(|[english, japanese]| {
        let bundles = match language {
            Language::English => english,
            Language::Japanese => japanese,
        };
        #[cfg(not(target_family = "wasm"))]
        for (bundle, lines) in bundles.iter().zip(built_in(language)) {
            bundle.get_or_init(|| read(lines).unwrap_or_default());
        }
        action(bundles)
    })
}

/// The texts for programs on the host, which have no page to fetch them from.
#[cfg(not(target_family = "wasm"))]
const fn built_in(language: Language) -> [&'static str; 2] {
    match language {
        Language::English => [
            include_str!(concat!(env!("OUT_DIR"), "/texts.en")),
            include_str!(concat!(env!("OUT_DIR"), "/later.en")),
        ],
        Language::Japanese => [
            include_str!(concat!(env!("OUT_DIR"), "/texts.ja")),
            include_str!(concat!(env!("OUT_DIR"), "/later.ja")),
        ],
    }
}

/// Reads a file that texts.rs made from web/locales. Returns `None` if the last line is not the number of
/// texts: the file is truncated, or something else.
fn read(file: &'static str) -> Option<Texts> {
    let (lines, number) = file.trim_end().rsplit_once('\n')?;
    let texts: Texts = lines.lines().filter_map(|line| line.split_once('\t')).collect();
    (number.parse() == Ok(texts.len())).then_some(texts)
}

/// Adds the bundle that a file contains. Ignores a file that is not a whole bundle: a host of static
/// files may answer any request with a page, and a transfer may end early.
pub fn add(language: Language, bundle: Bundle, file: &'static str) {
    let texts = read(file).filter(|texts| texts.contains_key(bundle.marker_key()));
    if let Some(texts) = texts {
        // Fails only if the bundle was added before.
        let _ = with_texts(language, |bundles| bundle.slot(bundles).set(texts));
    }
}

/// Whether a language's bundles up to this one have been added.
pub fn is_loaded(language: Language, bundle: Bundle) -> bool {
    Bundle::First.is_here(language) && bundle.is_here(language)
}

/// Returns the text of a key with its placeholders `%{name}` filled: the function behind
/// [`tr!`]. A key without a text is returned unchanged; a test ensures that every key has
/// a text.
#[inline(never)]
pub fn text(language: Language, key: &str, values: &[(&str, &dyn Display)]) -> String {
    let Some(found) = with_texts(language, |bundles| {
        bundles.iter().find_map(|bundle| bundle.get()?.get(key).copied())
    }) else {
        return key.to_owned();
    };
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

    fn texts(language: Language) -> Texts {
        let mut all = bundle(language, Bundle::First);
        all.extend(bundle(language, Bundle::Later));
        all
    }

    fn bundle(language: Language, bundle: Bundle) -> Texts {
        with_texts(language, |bundles| bundle.slot(bundles).get().cloned()).unwrap()
    }

    fn keys(language: Language) -> BTreeSet<&'static str> {
        texts(language).into_keys().collect()
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

    /// Files that may name keys of the later bundle: files that only later views use, files of parts of
    /// Explore that are shown only when their texts are loaded, tests, and this file, for `marker_key`.
    const OTHERS: [&str; 19] = [
        "all.rs",
        "transforms.rs",
        "duration.rs",
        "document_errors.rs",
        "errors.rs",
        "findings.rs",
        "save.rs",
        "sheet.rs",
        "table.rs",
        "race.rs",
        "race_sentences.rs",
        "numbers.rs",
        "counters.rs",
        "pruned.rs",
        "branches.rs",
        "help.rs",
        "dialog.rs",
        "tests.rs",
        "lookup.rs",
    ];

    #[test]
    fn the_first_view_needs_no_later_texts() {
        let views = sources().join("views");
        let explore = views.join("explore");
        let others = [views, explore.join("share"), sources().join("parts/chart")];
        let mut found = BTreeSet::new();
        let mut first = vec![sources(), explore];
        let mut later = BTreeSet::new();
        while let Some(folder) = first.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if others.contains(&path) {
                    written(&path, &mut later);
                } else if path.is_dir() {
                    first.push(path);
                } else if OTHERS.iter().all(|other| !path.ends_with(other)) {
                    found.extend(keys_of(&path));
                }
            }
        }
        let keys = bundle(Language::Japanese, Bundle::Later);
        let is_later = |text: &&String| keys.keys().any(|key| fits(key, text));
        assert_eq!(found.iter().filter(is_later).collect::<Vec<_>>(), [""; 0]);
        assert!(later.iter().any(|text| is_later(&text)) && found.len() > 200);
    }

    #[test]
    fn adds_only_valid_bundles() {
        assert_eq!(read("<!DOCTYPE html>\n<title>404</title>"), None);
        for language in Language::ALL {
            for each in [Bundle::First, Bundle::Later] {
                assert!(bundle(language, each).contains_key(each.marker_key()), "{each:?}");
            }
        }
    }

    #[test]
    fn rejects_truncated_texts() {
        let file = "bar.skip\t%{n}\nbar.views\tViews\nplay.show\t2 or\u{a0}3\n3\n";
        assert_eq!(read(file).map(|texts| texts.len()), Some(3));
        // Without the last line break, the file still has all of its texts.
        let lengths = (0..file.len() - 1).filter(|&length| file.is_char_boundary(length));
        let accepted = lengths.filter(|&length| read(&file[..length]).is_some());
        assert_eq!(accepted.collect::<Vec<_>>(), [0; 0]);
    }

    #[test]
    fn fills_placeholders() {
        let size = tr!(Language::Japanese, "size.too-large", n = 33);
        assert!(size.contains("33") && !size.contains('%'), "{size}");
        let unknown = "no.such.key";
        assert_eq!(tr!(Language::English, unknown), unknown);
    }
}
