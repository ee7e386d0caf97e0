//! Documents that were right until somebody changed them: fields gone, doubled, moved or made into
//! anything else, however deep or long.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use queens_fuzz::{DOCUMENTS, hold_to_its_word};
use serde_json::{Value, json};

#[derive(Arbitrary, Debug)]
struct Input {
    document: u8,
    changes: Vec<(Way, Change)>,
}

/// The way to a value: at each step, which of the values inside.
type Way = Vec<u8>;

#[derive(Arbitrary, Debug)]
enum Change {
    Number(u64),
    Fraction(f64),
    Text(String),
    /// A count as it is written.
    Count(u64),
    Truth(bool),
    Nothing,
    /// So many lists inside each other.
    Deep(u8),
    /// A text of so many times sixteen characters.
    Long(u16),
    /// A field more.
    Field(String, Box<Change>),
    /// One of the values inside less.
    Without(u8),
    /// One of the items of a list a second time.
    Twice(u8),
    /// Two items of a list in each other's place.
    Swapped(u8, u8),
}

/// What is longer is not doubled once more: a hundred megabytes take seconds and show nothing else.
const LONGEST: usize = 1 << 20;

impl Change {
    /// Whether there is something a second time afterwards, which may be all but everything.
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
    let mut document: Value = serde_json::from_str(text).expect("it is JSON");
    for (way, change) in input.changes {
        if change.doubles() && document.to_string().len() > LONGEST {
            continue;
        }
        make(change, follow(&mut document, &way));
    }
    hold_to_its_word(&document.to_string());
});

fn follow<'a>(value: &'a mut Value, way: &[u8]) -> &'a mut Value {
    let Some((&step, rest)) = way.split_first() else { return value };
    // Looked at before it is entered, so that a value without any inside is the end.
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
    follow(next.expect("it is within"), rest)
}

fn make(change: Change, value: &mut Value) {
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
            make(*change, map.entry(name).or_insert(Value::Null));
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
