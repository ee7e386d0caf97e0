//! The page's texts as its program reads them: two files for each language, each line
//! `KEY<tab>TEXT`. The last line is the number of texts, so that the program rejects a truncated file. A
//! macro that embeds the texts would generate code for every text, a fifteenth of the page's size.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

/// The groups of texts that the first view does not need.
pub const LATER: [&str; 19] = [
    "branches",
    "classes",
    "compare",
    "count",
    "document",
    "keys",
    "learn",
    "lesson",
    "material",
    "notation",
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

/// The groups without English texts, because the core has these sentences.
const IN_CORE: [&str; 4] = ["document.", "material.", "notation.", "size."];

/// The languages of every text.
const LANGUAGES: [&str; 2] = ["en", "ja"];

/// A text in each of the [`LANGUAGES`] by its key. A key joins the names of the enclosing tables and the
/// text's own name with dots.
type Texts = BTreeMap<String, [String; 2]>;

/// Returns the lines of each language, with its id: those of the first bundle and those of [`LATER`].
/// `folder` is web/locales.
pub fn lines(folder: &str) -> Result<[(&'static str, [String; 2]); 2]> {
    let [mut en, mut ja] = [const { [const { String::new() }; 2] }; 2];
    for (key, [english, japanese]) in read(Path::new(folder))? {
        let is_later = key.split('.').next().is_some_and(|group| LATER.contains(&group));
        let bundle = usize::from(is_later);
        if !english.is_empty() {
            en[bundle] += &format!("{key}\t{english}\n");
        }
        ja[bundle] += &format!("{key}\t{japanese}\n");
    }
    Ok([("en", en.map(|lines| with_number(&lines))), ("ja", ja.map(|lines| with_number(&lines)))])
}

/// Appends the number of lines as the last line.
fn with_number(lines: &str) -> String {
    let number = lines.lines().count();
    format!("{lines}{number}\n")
}

/// Reads the texts from all files in `folder`.
fn read(folder: &Path) -> Result<Texts> {
    let mut texts = Texts::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let in_file = |error| format!("{}: {error}", path.display());
        let table = fs::read_to_string(&path)?.parse::<Table>();
        let table = table.map_err(|error| in_file(error.to_string()))?;
        add("", table, &mut texts).map_err(in_file)?;
    }
    Ok(texts)
}

/// Adds the texts of a table whose keys begin with `prefix`. A text is a table with a string for each
/// language.
fn add(prefix: &str, table: Table, texts: &mut Texts) -> std::result::Result<(), String> {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        let Value::Table(table) = value else {
            return Err(format!("{key}: must be {key}.en and {key}.ja"));
        };
        if !LANGUAGES.iter().any(|&language| table.contains_key(language)) {
            add(&format!("{key}."), table, texts)?;
            continue;
        }
        let in_core = IN_CORE.contains(&prefix).then_some("");
        let [Some(english), Some(japanese)] =
            LANGUAGES.map(|language| table.get(language).map_or(in_core, Value::as_str))
        else {
            return Err(format!("{key}: needs a string for en and one for ja"));
        };
        let text = [english, japanese].map(str::to_owned);
        if text.iter().any(|text| text.contains(['\n', '\t'])) {
            return Err(format!("{key}: a text must be one line without tabs"));
        }
        if texts.insert(key.clone(), text).is_some() {
            return Err(format!("{key}: another file has a text for this key"));
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
        let parts = ["[a]\nb.en = 'x'\nb.ja = 'y'\n[a.c]\nd = { en = '\"', ja = '' }"];
        let expected = [("a.b", ["x", "y"]), ("a.c.d", ["\"", ""])];
        let expected = expected.map(|(key, text)| (key.to_owned(), text.map(str::to_owned)));
        assert_eq!(texts_of(&parts).unwrap(), expected.into());
    }

    #[test]
    fn rejects_multiline_values_and_duplicate_or_missing_texts() {
        for (parts, expected) in [
            (&["[a]\nb = 1"][..], "a.b: must be a.b.en and a.b.ja"),
            (&["[a]\nb.en = 'x'"], "a.b: needs a string for en and one for ja"),
            (&["[size]\nb.ja = 1"], "size.b: needs a string for en and one for ja"),
            (&["[a.b]\nen = 'x'\nja = \"x\\ty\""], "a.b: a text must be one line without tabs"),
            (&["[a.b]\nen = ''\nja = ''"; 2], "a.b: another file has a text for this key"),
        ] {
            assert_eq!(texts_of(parts).unwrap_err(), expected);
        }
    }
}
