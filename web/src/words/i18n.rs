//! The page's texts in two languages. They are in web/locales, one pair of files for each part of
//! the page; the build adds the no-break spaces of the Japanese ones (web/typography.rs).

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt::Display;
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::language::Language;
use crate::browser::{fetch, load_style};

/// The text of a key in a language, with values for its gaps: `(language, "key", name = value)`.
macro_rules! tr {
    ($language:expr, $key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::words::text($language, $key.as_ref(), &[$((stringify!($name), &$value)),*])
    };
}
pub(crate) use tr;

/// The texts of a language by their keys.
type Texts = HashMap<&'static str, &'static str>;

/// The parts of a language's texts, each a file of its own that is fetched when it is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum Part {
    /// What the first view shows, and what all views do.
    First,
    /// What the others show besides.
    Later,
}

thread_local! {
    /// The texts of both languages, in two parts each.
    static TEXTS: [[OnceCell<Texts>; 2]; 2] =
        const { [const { [const { OnceCell::new() }; 2] }; 2] };
}

impl Part {
    /// Its place among those of a language.
    fn of(self, [first, later]: &[OnceCell<Texts>; 2]) -> &OnceCell<Texts> {
        match self {
            Part::First => first,
            Part::Later => later,
        }
    }

    /// Whether it is there in a language.
    fn is_here(self, language: Language) -> bool {
        with_texts(language, |parts| self.of(parts).get().is_some())
    }
}

/// Does something with the places for the parts of a language's texts.
fn with_texts<T>(language: Language, look: impl FnOnce(&[OnceCell<Texts>; 2]) -> T) -> T {
    TEXTS.with(|[english, japanese]| match language {
        Language::English => look(english),
        Language::Japanese => look(japanese),
    })
}

/// Reads what web/texts.rs made of web/locales.
fn read(lines: &'static str) -> Texts {
    lines.lines().filter_map(|line| line.split_once('\t')).collect()
}

/// Whether a language's texts are here to the end of a part.
pub fn is_here(language: Language, part: Part) -> bool {
    Part::First.is_here(language) && part.is_here(language)
}

/// Fetches a part of a language's texts, with the styles of the views that show it; whether the
/// texts are here then.
async fn fetch_texts(language: Language, part: Part) -> bool {
    let (name, known, style) = match part {
        Part::First => ("texts", "bar.views", None),
        Part::Later => ("later", "play.show", Some(load_style("later.css"))),
    };
    if let Ok(lines) = fetch(&format!("{name}.{}.txt", language.id())).await {
        // Leaked once in the life of the page.
        let texts = read(lines.leak());
        // A host of static files may answer anything at all with a page.
        if texts.contains_key(known) {
            // Fails only where they have come twice.
            let _ = with_texts(language, |parts| part.of(parts).set(texts));
        }
    }
    if let Some(style) = style {
        style.await;
    }
    part.is_here(language)
}

/// The language that the page can be shown in, to the end of the part of its texts that it `needs`
/// if they can be had, and whether the wanted ones could not be had, which are asked for anew
/// whenever `tries` or what is needed changes. What is to `come` may be more than is needed yet.
/// While they are fetched, and if that fails, it is the language of before; there is none before the
/// first.
#[hook]
pub fn use_texts(
    wanted: Language,
    needs: Part,
    come: Part,
    tries: u32,
) -> (Option<Language>, bool) {
    // What could not be had.
    let failed = use_state(|| None);
    let shown = use_mut_ref(|| None);
    let on_the_way = use_mut_ref(Vec::new);
    let redraw = use_force_update();
    {
        let failed = failed.setter();
        use_effect_with((wanted, needs, come, tries), move |&(wanted, _, come, _)| {
            failed.set(None);
            let missing = |each: &Part| {
                *each <= come
                    && !each.is_here(wanted)
                    && !on_the_way.borrow().contains(&(wanted, *each))
            };
            for each in [Part::First, Part::Later].into_iter().filter(missing) {
                on_the_way.borrow_mut().push((wanted, each));
                let (failed, redraw) = (failed.clone(), redraw.clone());
                let on_the_way = Rc::clone(&on_the_way);
                spawn_local(async move {
                    let is_here = fetch_texts(wanted, each).await;
                    on_the_way.borrow_mut().retain(|&coming| coming != (wanted, each));
                    if is_here {
                        redraw.force_update();
                    } else {
                        failed.set(Some((wanted, each)));
                    }
                });
            }
        });
    }
    if is_here(wanted, needs) {
        shown.replace(Some(wanted));
    }
    let is_missing = (*failed).is_some_and(|(of, part)| of == wanted && part <= needs);
    (*shown.borrow(), is_missing && !is_here(wanted, needs))
}

/// The texts of a group for the worker, which has none of its own: lines of a key, a tab and the
/// text.
pub fn lines(language: Language, group: &str) -> String {
    let mut lines = String::new();
    with_texts(language, |parts| {
        for (key, text) in parts.iter().filter_map(OnceCell::get).flatten() {
            if key.starts_with(group) {
                lines += &[key, "\t", text, "\n"].concat();
            }
        }
    });
    lines
}

/// The text of a key with its gaps `%{name}` filled: what `tr` calls. A key without a text, which
/// a test excludes, shows itself.
#[inline(never)]
pub fn text(language: Language, key: &str, gaps: &[(&str, &dyn Display)]) -> String {
    #[cfg(test)]
    tests::have_texts();
    let Some(found) =
        with_texts(language, |texts| texts.iter().find_map(|part| part.get()?.get(key).copied()))
    else {
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
            [
                include_str!(concat!(env!("OUT_DIR"), "/texts.en")),
                include_str!(concat!(env!("OUT_DIR"), "/later.en")),
            ],
            [
                include_str!(concat!(env!("OUT_DIR"), "/texts.ja")),
                include_str!(concat!(env!("OUT_DIR"), "/later.ja")),
            ],
        ];
        for (language, parts) in Language::ALL.into_iter().zip(both) {
            with_texts(language, |texts| {
                for (text, lines) in texts.iter().zip(parts) {
                    text.get_or_init(|| read(lines));
                }
            });
        }
    }

    fn texts(language: Language) -> Texts {
        let mut all = part(language, Part::First);
        all.extend(part(language, Part::Later));
        all
    }

    fn part(language: Language, part: Part) -> Texts {
        have_texts();
        with_texts(language, |parts| part.of(parts).get().cloned()).unwrap()
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
            found.extend(keys_of(&path));
        }
    }

    fn keys_of(path: &Path) -> Vec<String> {
        let source = fs::read_to_string(path).unwrap();
        let is_file = |text: &str| [".json", ".css"].iter().any(|ending| text.ends_with(ending));
        let texts = source.split('"').filter(|text| is_key(text) && !is_file(text));
        texts.map(str::to_owned).collect()
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
        // The worker says what is about results, by the page's texts.
        for folder in ["src", "worker/src"] {
            written(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
        }
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

    /// The views that bring the later texts with them.
    const VIEWS: &str = "src/views";
    /// What only they use, and what fetches the texts.
    const OTHERS: [&str; 3] = ["transforms.rs", "time.rs", "i18n.rs"];

    #[test]
    fn the_first_view_does_without_the_later_texts() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = BTreeSet::new();
        let mut first = vec![root.join("src"), root.join(VIEWS).join("explore")];
        let mut later = BTreeSet::new();
        while let Some(folder) = first.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path == root.join(VIEWS) {
                    written(&path, &mut later);
                } else if path.is_dir() {
                    first.push(path);
                } else if OTHERS.iter().all(|other| !path.ends_with(other)) {
                    found.extend(keys_of(&path));
                }
            }
        }
        let keys = part(Language::English, Part::Later);
        let is_later = |text: &&String| keys.keys().any(|key| fits(key, text));
        assert_eq!(found.iter().filter(is_later).collect::<Vec<_>>(), [""; 0]);
        assert!(later.iter().any(|text| is_later(&text)) && found.len() > 200);
    }

    /// The build puts them in, see web/typography.rs.
    #[test]
    fn japanese_texts_say_where_no_line_may_end() {
        let square = tr!(Language::Japanese, "why.square", row = 1, column = 2, bit = 5);
        assert_eq!(square, "行\u{a0}1・列\u{a0}2（ビット\u{a0}5）");
        let bound = tr!(Language::Japanese, "explore.bound-is", name = "BOUND1", value = 2);
        assert_eq!(bound, "BOUND1\u{a0}=\u{a0}2");
    }

    #[test]
    fn gaps_are_filled() {
        let size = tr!(Language::English, "size.too-large", n = 33);
        assert!(size.contains("33") && !size.contains('%'), "{size}");
        let unknown = "no.such.key";
        assert_eq!(tr!(Language::English, unknown), unknown);
    }
}
