//! The page's texts as its program reads them: two files for each language, each line
//! `KEY<tab>TEXT`. The last line is the number of texts, so that the program rejects a truncated file. A
//! macro that embeds the texts would generate code for every text, a fifteenth of the page's size.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

/// The groups of texts that the first view does not need.
pub const LATER: [&str; 17] = [
    "branches",
    "classes",
    "code",
    "compare",
    "count",
    "keys",
    "learn",
    "lesson",
    "numbers",
    "play",
    "race",
    "results",
    "save",
    "share",
    "symmetries",
    "witness",
    "work",
];

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// The texts of a language by key. A key joins the names of the enclosing tables and the text's own
/// name with dots.
type Texts = BTreeMap<String, String>;

/// Returns the lines of each language, by its id: those of the first bundle and those of [`LATER`].
/// `folder` is web/locales.
pub fn lines(folder: &str) -> Result<BTreeMap<String, [String; 2]>> {
    let mut all = BTreeMap::new();
    for (language, texts) in read(Path::new(folder))? {
        let [mut first, mut later] = [const { String::new() }; 2];
        for (key, text) in texts {
            let is_later = key.split('.').next().is_some_and(|group| LATER.contains(&group));
            writeln!(if is_later { &mut later } else { &mut first }, "{key}\t{text}")?;
        }
        all.insert(language, [first, later].map(|lines| with_number(&lines)));
    }
    Ok(all)
}

/// Appends the number of lines as the last line.
fn with_number(lines: &str) -> String {
    let number = lines.lines().count();
    format!("{lines}{number}\n")
}

/// Reads the texts of each language from the files `<part>.<language>.toml` in `folder`.
fn read(folder: &Path) -> Result<BTreeMap<String, Texts>> {
    let mut locales: BTreeMap<String, Texts> = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let in_file = |error| format!("{}: {error}", path.display());
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.and_then(|name| name.strip_suffix(".toml")?.rsplit_once('.'));
        let (_, language) = name.ok_or_else(|| in_file("must be <part>.<language>.toml".into()))?;
        let texts = locales.entry(language.to_owned()).or_default();
        let table = fs::read_to_string(&path)?.parse::<Table>();
        let table = table.map_err(|error| in_file(error.to_string()))?;
        add("", table, texts).map_err(in_file)?;
    }
    Ok(locales)
}

/// Adds the texts of a table whose keys begin with `prefix`.
fn add(prefix: &str, table: Table, texts: &mut Texts) -> std::result::Result<(), String> {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        match value {
            Value::Table(table) => add(&format!("{key}."), table, texts)?,
            Value::String(text) if text.contains(['\n', '\t']) => {
                return Err(format!("{key}: a text must be one line without tabs"));
            }
            Value::String(text) => {
                if texts.insert(key.clone(), text).is_some() {
                    return Err(format!("{key}: another file has a text for this key"));
                }
            }
            other => return Err(format!("{key}: must be a string, not {}", other.type_str())),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_of(parts: &[&str]) -> std::result::Result<Texts, String> {
        let mut texts = Texts::new();
        for part in parts {
            add("", part.parse().map_err(|error: toml::de::Error| error.to_string())?, &mut texts)?;
        }
        Ok(texts)
    }

    #[test]
    fn keys_join_the_names_of_the_tables() {
        let texts = texts_of(&["[a]\nb = 'x'\n[a.c]\nd = \"\\\"y\\\"\"", "[e]\nf = ''"]).unwrap();
        let expected = [("a.b", "x"), ("a.c.d", "\"y\""), ("e.f", "")];
        assert_eq!(texts, expected.map(|(key, text)| (key.to_owned(), text.to_owned())).into());
    }

    #[test]
    fn rejects_multiline_values_and_duplicate_keys() {
        for (parts, expected) in [
            (&["[a]\nb = 1"][..], "a.b: must be a string, not integer"),
            (&["[a]\nb = \"x\\ty\""], "a.b: a text must be one line without tabs"),
            (&["a.b = 'x'", "a.b = 'y'"], "a.b: another file has a text for this key"),
        ] {
            assert_eq!(texts_of(parts).unwrap_err(), expected);
        }
    }
}
