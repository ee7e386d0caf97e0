//! The build script. It writes the page's texts as the program reads them (web/src/words/lookup.rs): a file for each
//! language, each line `KEY<tab>TEXT`. A macro that embeds the texts would generate code for every text, a
//! fifteenth of the page's size.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use toml::{Table, Value};

/// The groups without English texts, because the core has these sentences.
const IN_CORE: [&str; 4] = ["document.", "material.", "notation.", "size."];

/// The languages of every text.
const LANGUAGES: [&str; 2] = ["en", "ja"];

/// A text in each of the [`LANGUAGES`] by its key. A key joins the names of the enclosing tables and the
/// text's own name with dots.
type Texts = BTreeMap<String, [String; 2]>;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=locales");
    println!("cargo::rerun-if-changed=text");
    let output = env::var("OUT_DIR")?;
    let output = Path::new(&output);
    let mut texts = Texts::new();
    for entry in fs::read_dir("locales")? {
        let path = entry?.path();
        let in_file = |error: String| format!("{}: {error}", path.display());
        let table = fs::read_to_string(&path)?.parse::<Table>();
        let table = table.map_err(|error| in_file(error.to_string()))?;
        add("", table, &mut texts).map_err(in_file)?;
    }
    for (at, language) in LANGUAGES.into_iter().enumerate() {
        let lines = texts.iter().map(|(key, text)| (key, &text[at]));
        let lines = lines.filter(|(_, text)| !text.is_empty());
        let lines: String = lines.map(|(key, text)| format!("{key}\t{text}\n")).collect();
        fs::write(output.join(format!("texts.{language}")), without_breaks(&lines))?;
    }
    // The long texts are JSON, in which no space that is replaced is between values.
    for entry in fs::read_dir("text")? {
        let entry = entry?;
        let text = fs::read_to_string(entry.path())?;
        let text: String = text.lines().map(str::trim).collect();
        fs::write(output.join(entry.file_name()), without_breaks(&text))?;
    }
    if env::var("CARGO_CFG_TARGET_FAMILY")? == "wasm" {
        // xtask needs the relocations to split the module.
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
    Ok(())
}

/// Adds the texts of a table whose keys begin with `prefix`. A text is a table with a string for each
/// language.
fn add(prefix: &str, table: Table, texts: &mut Texts) -> Result<(), String> {
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

/// Replaces the spaces around an equals or minus sign, between digits, and between a number and Japanese by
/// no-break spaces: no line ends within `N = 8` or `N − 1`, within the columns of a board, `1 3 0 2`, or before
/// a counter, `12 個`. All other lines end where the browser ends them.
fn without_breaks(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        let rest = &text[at + letter.len_utf8()..];
        let is_digit = |letter: char| letter.is_ascii_digit();
        let is_japanese = |letter: char| ('ぁ'..='龯').contains(&letter);
        let is_held = letter == ' '
            && (kept.ends_with(['=', '−'])
                || rest.starts_with("= ")
                || rest.starts_with("− ")
                || kept.ends_with(is_digit) && rest.starts_with(is_digit)
                // A placeholder mostly stands for a number.
                || kept.ends_with(|letter| is_digit(letter) || letter == '}')
                    && rest.starts_with(is_japanese));
        kept.push(if is_held { '\u{a0}' } else { letter });
    }
    kept
}
