//! The source of the page's Japanese texts: punctuation and words.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use queens_tests::japanese::fault;
use serde_json::Value;

/// Every Japanese text of the page, with its file and its key or position there.
fn texts() -> Result<Vec<(String, String)>> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
    let mut texts = Vec::new();
    for folder in ["locales", "text"] {
        for entry in fs::read_dir(web.join(folder))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let content = fs::read_to_string(&path)?;
            if name.ends_with(".toml") {
                for (number, line) in (1..).zip(content.lines()) {
                    let Some((key, text)) = line.split_once(".ja = ") else { continue };
                    let place = format!("{name}:{number}: {key}");
                    // A TOML string in double quotes is also a JSON string.
                    let text = serde_json::from_str(text).with_context(|| place.clone())?;
                    texts.push((place, text));
                }
            } else if name.ends_with(".ja.json") {
                strings(&name, &serde_json::from_str(&content)?, &mut texts);
            }
        }
    }
    assert!(texts.len() > 500, "{}", texts.len());
    Ok(texts)
}

/// The strings of a JSON value, each with its path.
fn strings(path: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((path.to_owned(), text.clone())),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                strings(&format!("{path}[{at}]"), item, found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                strings(&format!("{path}.{name}"), field, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn ascii_punctuation_occurs_only_in_code_and_numbers() -> Result<()> {
    let faults = texts()?
        .into_iter()
        .filter_map(|(place, text)| fault(&text).map(|fault| format!("{place}: {fault}")));
    assert_eq!(faults.collect::<Vec<_>>(), [""; 0]);
    Ok(())
}

#[test]
fn each_term_has_one_japanese_word() -> Result<()> {
    let mut terms = Vec::new();
    for line in include_str!("../data/japanese-terms.txt").lines() {
        if !line.starts_with('#') {
            let (wrong, rest) = line.split_once('|').context(line)?;
            let (right, exceptions) = rest.split_once('|').context(line)?;
            let exceptions = exceptions.trim().split('、').filter(|word| !word.is_empty());
            terms.push((wrong.trim(), right.trim(), exceptions.collect::<Vec<_>>()));
        }
    }
    let mut faults = Vec::new();
    for (place, text) in texts()? {
        for (wrong, right, exceptions) in &terms {
            let quoted = format!("\"{text}\"");
            let rest = exceptions.iter().fold(quoted, |text, word| text.replace(word, ""));
            if rest.contains(wrong) {
                faults.push(format!("{place}: “{wrong}” in “{text}”; the page's word is {right}"));
            }
        }
    }
    assert_eq!(faults, [""; 0]);
    Ok(())
}
