//! Parses valid documents with changes: fields and list items that are missing, added or replaced by any
//! other value, of any depth and length, and list items that are repeated or swapped.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use queens_fuzz::{DOCUMENTS, check_text};
use serde_json::{Value, json};

#[derive(Arbitrary, Debug)]
struct Input {
    document: u8,
    changes: Vec<(ValuePath, Change)>,
}

/// The path to a value: at each level, the index of an inner value, modulo the number of values.
type ValuePath = Vec<u8>;

#[derive(Arbitrary, Debug)]
enum Change {
    Number(u64),
    Fraction(f64),
    Text(String),
    /// A count, which documents write as a string.
    Count(u64),
    Truth(bool),
    Nothing,
    /// Lists that are nested to this depth.
    Deep(u8),
    /// A text of 16 times this many characters.
    Long(u16),
    /// Adds or changes a field.
    Field(String, Box<Change>),
    /// Removes one of the values inside.
    Without(u8),
    /// Repeats one of the items of a list.
    Twice(u8),
    /// Swaps two items of a list.
    Swapped(u8, u8),
}

/// The length in bytes beyond which changes do not double a document. A hundred megabytes take seconds
/// and reveal nothing new.
const LONGEST: usize = 1 << 20;

impl Change {
    /// Returns whether the change repeats a part of the document, which may be almost all of it.
    fn doubles(&self) -> bool {
        match self {
            Change::Twice(_) => true,
            Change::Field(_, change) => change.doubles(),
            _ => false,
        }
    }
}

fuzz_target!(|input: Input| {
    let text = DOCUMENTS[usize::from(input.document) % DOCUMENTS.len()];
    let mut document: Value = serde_json::from_str(text).expect("the document is JSON");
    for (path, change) in input.changes {
        if change.doubles() && document.to_string().len() > LONGEST {
            continue;
        }
        apply(change, follow(&mut document, &path));
    }
    check_text(&document.to_string());
});

fn follow<'a>(value: &'a mut Value, path: &[u8]) -> &'a mut Value {
    let Some((&step, rest)) = path.split_first() else { return value };
    // Count the values inside first: the path ends at a value without any.
    let inside = match value {
        Value::Array(list) => list.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    };
    if inside == 0 {
        return value;
    }
    let next = match value {
        Value::Array(list) => list.get_mut(usize::from(step) % inside),
        Value::Object(map) => map.values_mut().nth(usize::from(step) % inside),
        _ => None,
    };
    follow(next.expect("the index is within the value"), rest)
}

fn apply(change: Change, value: &mut Value) {
    *value = match (change, value.take()) {
        (Change::Number(number), _) => number.into(),
        (Change::Fraction(fraction), _) => fraction.into(),
        (Change::Text(text), _) => text.into(),
        (Change::Count(count), _) => count.to_string().into(),
        (Change::Truth(truth), _) => truth.into(),
        (Change::Nothing, _) => Value::Null,
        (Change::Deep(depth), _) => (0..depth).fold(json!([]), |inner, _| json!([inner])),
        (Change::Long(length), _) => "sixteen letters.".repeat(length.into()).into(),
        (Change::Field(name, change), Value::Object(mut map)) => {
            apply(*change, map.entry(name).or_insert(Value::Null));
            map.into()
        }
        (Change::Without(which), Value::Object(mut map)) => {
            let name = map.keys().nth(usize::from(which) % map.len().max(1)).cloned();
            name.and_then(|name| map.remove(&name));
            map.into()
        }
        (Change::Without(which), Value::Array(mut list)) if !list.is_empty() => {
            list.remove(usize::from(which) % list.len());
            list.into()
        }
        (Change::Twice(which), Value::Array(mut list)) if !list.is_empty() => {
            list.push(list[usize::from(which) % list.len()].clone());
            list.into()
        }
        (Change::Swapped(one, other), Value::Array(mut list)) if !list.is_empty() => {
            let [one, other] = [one, other].map(|at| usize::from(at) % list.len());
            list.swap(one, other);
            list.into()
        }
        (_, unchanged) => unchanged,
    };
}
