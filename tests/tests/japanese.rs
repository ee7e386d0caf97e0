//! The page's Japanese, where it is written: its signs and its words.

use std::fs;
use std::path::Path;

use queens_tests::japanese::fault;
use serde_json::Value;

/// Every Japanese text of the page, each after its file and its key or place there.
fn texts() -> Vec<(String, String)> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
    let mut texts = Vec::new();
    for folder in ["locales", "text"] {
        for entry in fs::read_dir(web.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let content = fs::read_to_string(&path).unwrap();
            if name.ends_with(".ja.yml") {
                texts.extend((1..).zip(content.lines()).filter_map(|(number, line)| {
                    let (key, text) = line.split_once(": ")?;
                    let text = serde_json::from_str(text).unwrap_or_else(|_| text.to_owned());
                    Some((format!("{name}:{number}: {}", key.trim()), text))
                }));
            } else if name.ends_with(".ja.json") {
                strings(&name, &serde_json::from_str(&content).unwrap(), &mut texts);
            }
        }
    }
    assert!(texts.len() > 500, "{}", texts.len());
    texts
}

/// The strings of a JSON value, each after the way to it.
fn strings(way: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((way.to_owned(), text.clone())),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                strings(&format!("{way}[{at}]"), item, found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                strings(&format!("{way}.{name}"), field, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn signs_of_ascii_stand_in_code_and_numbers_only() {
    let faults = texts()
        .into_iter()
        .filter_map(|(place, text)| fault(&text).map(|fault| format!("{place}: {fault}")));
    assert_eq!(faults.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn each_thing_has_one_word() {
    let terms = include_str!("../data/japanese-terms.txt");
    let terms = terms.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let [not, but, except] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("three parts: {line}")
        };
        (not, but, except)
    });
    let terms: Vec<_> = terms.collect();
    let mut faults = Vec::new();
    for (place, text) in texts() {
        for (not, but, except) in &terms {
            let quoted = format!("\"{text}\"");
            let rest = except
                .split('、')
                .filter(|word| !word.is_empty())
                .fold(quoted, |text, word| text.replace(word, ""));
            if rest.contains(not) {
                faults.push(format!("{place}: “{not}” in “{text}”, where the page says: {but}"));
            }
        }
    }
    assert_eq!(faults, [""; 0]);
}
