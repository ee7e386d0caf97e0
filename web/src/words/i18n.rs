//! The page's two languages. Texts stand in web/locales, one pair of files for each part of the
//! page.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt::Display;

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::language::Language;
use crate::browser::fetch;

/// The text of a key in a language, with values for its gaps: `(language, "key", name = value)`.
macro_rules! tr {
    ($language:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::words::text($language, $key.as_ref(), &[$((stringify!($name), &$value)),*])
    };
}
pub(crate) use tr;

/// The texts of a language by their keys.
type Texts = HashMap<&'static str, &'static str>;

thread_local! {
    /// The texts of both languages, each a file of its own that is fetched when it is wanted.
    static ENGLISH: OnceCell<Texts> = const { OnceCell::new() };
    static JAPANESE: OnceCell<Texts> = const { OnceCell::new() };
}

/// Does something with the place for the texts of a language.
fn with_texts<T>(language: Language, look: impl FnOnce(&OnceCell<Texts>) -> T) -> T {
    match language {
        Language::English => ENGLISH.with(look),
        Language::Japanese => JAPANESE.with(look),
    }
}

/// Reads what web/texts.rs made of web/locales.
fn read(lines: &'static str) -> Texts {
    lines.lines().filter_map(|line| line.split_once('\t')).collect()
}

fn is_here(language: Language) -> bool {
    with_texts(language, |texts| texts.get().is_some())
}

/// Fetches the texts of a language; whether that succeeded.
async fn fetch_texts(language: Language) -> bool {
    let Ok(lines) = fetch(&format!("texts.{}.txt", language.id())).await else {
        return false;
    };
    // Leaked once in the life of the page.
    let texts = read(lines.leak());
    // A host of static files may answer anything at all with a page.
    texts.contains_key("bar.views") && with_texts(language, |place| place.set(texts).is_ok())
}

/// The language that the page can be shown in, and whether the wanted one could not be had. While
/// it is fetched, and if that fails, it is the one of before; there is none before the first.
#[hook]
pub fn use_texts(wanted: Language) -> (Option<Language>, bool) {
    // The language that could not be had.
    let failed = use_state(|| None);
    let shown = use_mut_ref(|| None);
    {
        let failed = failed.setter();
        use_effect_with(wanted, move |&wanted| {
            if !is_here(wanted) {
                failed.set(None);
                spawn_local(async move {
                    let here = fetch_texts(wanted).await;
                    failed.set((!here).then_some(wanted));
                });
            }
        });
    }
    if is_here(wanted) {
        shown.replace(Some(wanted));
    }
    (*shown.borrow(), *failed == Some(wanted) && !is_here(wanted))
}

/// The text of a key with its gaps `%{name}` filled: what `tr` calls. A key without a text, which
/// a test excludes, shows itself.
#[inline(never)]
pub fn text(language: Language, key: &str, gaps: &[(&str, &dyn Display)]) -> String {
    #[cfg(test)]
    tests::have_texts();
    let Some(found) = with_texts(language, |texts| texts.get()?.get(key).copied()) else {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The texts without a page that has them.
    pub fn have_texts() {
        let both = [
            include_str!(concat!(env!("OUT_DIR"), "/texts.en")),
            include_str!(concat!(env!("OUT_DIR"), "/texts.ja")),
        ];
        for (language, lines) in Language::ALL.into_iter().zip(both) {
            with_texts(language, |texts| {
                texts.get_or_init(|| read(lines));
            });
        }
    }

    fn texts(language: Language) -> Texts {
        have_texts();
        with_texts(language, |texts| texts.get().cloned()).unwrap()
    }

    fn keys(language: Language) -> BTreeSet<&'static str> {
        texts(language).into_keys().collect()
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
        let (english, japanese) = (texts(Language::English), texts(Language::Japanese));
        for key in keys(Language::English) {
            let (en, ja) = (english[key], japanese[key]);
            assert_eq!(gaps(en), gaps(ja), "{key}");
            assert!(!en.trim().is_empty() && !ja.trim().is_empty(), "{key}");
        }
    }

    /// Every text in the sources below a folder that has the form of a key.
    fn written(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                written(&path, found);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            let texts = source.split('"').filter(|text| is_key(text) && !text.ends_with(".json"));
            found.extend(texts.map(str::to_owned));
        }
    }

    /// Words with dots between them, of which one may be a gap: `why.class-{class}`.
    fn is_key(text: &str) -> bool {
        let is_word = |word: &str| {
            let is_sign = |sign: char| sign.is_ascii_alphanumeric() || "-_{}".contains(sign);
            !word.is_empty() && word.chars().all(is_sign)
        };
        text.contains('.') && text.split('.').all(is_word)
    }

    /// Whether a key is what is written, with anything for its gap.
    fn fits(key: &str, written: &str) -> bool {
        let Some((start, rest)) = written.split_once('{') else { return key == written };
        let (_, end) = rest.split_once('}').unwrap();
        key.len() > start.len() + end.len() && key.starts_with(start) && key.ends_with(end)
    }

    #[test]
    fn the_sources_use_every_key_and_no_other() {
        let mut found = BTreeSet::new();
        written(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        let keys = keys(Language::English);
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

    #[test]
    fn gaps_are_filled() {
        let size = tr!(Language::English, "size.too-large", n = 33);
        assert!(size.contains("33") && !size.contains('%'), "{size}");
        let unknown = "no.such.key";
        assert_eq!(tr!(Language::English, unknown), unknown);
    }
}
