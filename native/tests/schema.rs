//! Agreement of the schema file with the parser: the schema accepts all documents that the parser reads, and
//! rejects all documents that the parser rejects for their shape.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

use jsonschema::Validator;
use queens_core::{
    ClassCounts, Coverage, Form, Method, Size,
    document::{
        Backend, BackendKind, Check, Checks, Document, Extra, Format, Header, Host, PlanRef,
        Program, SCHEMA, SUMMARY_SCHEMA, Seconds, Shard, Summary, TaskTotal,
    },
};
use serde_json::{Value, json};

const EIGHT: &str = include_str!("../../tests/data/results/eight.json");
const ONE: &str = include_str!("../../tests/data/results/one.json");
const SHARD: &str = include_str!("../../tests/data/results/shard.json");
const UNKNOWN: &str = include_str!("../../tests/data/results/unknown-fields.json");

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn schema() -> Validator {
    jsonschema::options().should_validate_formats(true).build(&value(SCHEMA)).unwrap()
}

/// Returns a validator for summaries. Their schema refers to the schema of documents.
fn summary_schema() -> Validator {
    validator(&value(SUMMARY_SCHEMA))
}

/// Returns the validator of a schema, which may refer to the one of documents.
fn validator(schema: &Value) -> Validator {
    let documents = ("json-schema:///queens-result-1.json", value(SCHEMA));
    let registry = jsonschema::Registry::new().extend([documents]).unwrap().prepare().unwrap();
    jsonschema::options().with_registry(&registry).build(schema).unwrap()
}

/// Returns a document with the field at `pointer` set to `new`, or without this field if `new` is `None`.
fn changed(text: &str, pointer: &str, new: Option<Value>) -> Value {
    let mut document = value(text);
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = document.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match new {
        Some(new) => drop(parent.insert(name.into(), new)),
        None => assert!(parent.remove(name).is_some(), "{pointer} was not there"),
    }
    document
}

#[test]
fn schema_accepts_valid_documents() {
    let schema = schema();
    for text in [EIGHT, ONE, SHARD, UNKNOWN] {
        let errors: Vec<String> =
            schema.iter_errors(&value(text)).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
        let rewritten = Document::parse(text).unwrap().to_value();
        assert!(schema.is_valid(&rewritten));
    }
}

/// Makes the objects of a schema reject unknown fields.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("type") == Some(&json!("object")) {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(close),
        _ => {}
    }
}

#[test]
fn schema_describes_every_field() {
    let [schema, summary_schema] = [SCHEMA, SUMMARY_SCHEMA].map(|schema| {
        let mut schema = value(schema);
        close(&mut schema);
        validator(&schema)
    });
    let (extra, seconds, name) = (Extra::new, Seconds::new(0.5).unwrap(), || "x".to_owned());
    // No value has `..`, so that a new field must be added here.
    let whole = Header {
        format: Format::default(),
        n: Size::new(8).unwrap(),
        total: 92,
        unique: Some(12),
        classes: Some(ClassCounts { count2: 0, count4: 1, count8: 11 }),
        method: Method::Colours,
        form: Form::Recursive,
        plan: PlanRef::new(1),
        backend: Backend::new(BackendKind::Cpu, name(), name()),
        program: Program { name: name(), version: name(), commit: name(), extra: extra() },
        host: Host { os: name(), cpu: name(), threads: 1, extra: extra() },
        started: "2026-01-31T09:30:00Z".to_owned(),
        seconds,
        shard: None,
        checks: vec![Check::Sums.id().to_owned()],
        extra: extra(),
    };
    let shard = Shard { index: 0, of: 1, extra: extra() };
    let shard = Header { unique: None, classes: None, shard: Some(shard), ..whole.clone() };
    let covered = Some(Coverage { sets: 1, weight: 1 });
    let task = TaskTotal { id: 0, total: 92, seconds, covered, chosen: Some(8), extra: extra() };
    for header in [whole, shard] {
        let document = Document { header, tasks: vec![task.clone()] };
        let summary = Summary::of(&document, "0".repeat(64), Checks::NONE);
        for (schema, value) in
            [(&schema, document.to_value()), (&summary_schema, summary.to_value())]
        {
            let errors: Vec<String> =
                schema.iter_errors(&value).map(|error| error.to_string()).collect();
            assert_eq!(errors, [""; 0]);
        }
    }
}

#[test]
fn schema_enums_match_the_core() {
    let schema = value(SCHEMA);
    let values = |pointer: &str| schema.pointer(pointer).unwrap().clone();
    let methods: Vec<&str> = Method::ALL.iter().map(|method| method.id()).collect();
    assert_eq!(values("/properties/method/enum"), json!(methods));
    assert_eq!(values("/properties/form/enum"), json!(Form::ALL.map(Form::id)));
    assert_eq!(
        values("/properties/backend/properties/kind/enum"),
        json!(BackendKind::ALL.map(BackendKind::id))
    );
    let checks = json!(Check::ALL.map(Check::id));
    let summary = value(SUMMARY_SCHEMA);
    assert_eq!(summary.pointer("/properties/verified/items/enum"), Some(&checks));
}

#[test]
fn schema_accepts_only_complete_summaries() {
    let schema = summary_schema();
    for text in [EIGHT, ONE, SHARD, UNKNOWN] {
        let document = Document::parse(text).unwrap();
        let summary = Summary::of(&document, "0".repeat(64), document.check().unwrap());
        let good = summary.to_value();
        let errors: Vec<String> =
            schema.iter_errors(&good).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
        for name in ["id", "n", "total", "checks", "backend"] {
            let incomplete = changed(&good.to_string(), &format!("/{name}"), None);
            assert!(!schema.is_valid(&incomplete), "{name}");
            assert!(Summary::from_value(incomplete).is_err(), "{name}");
        }
        let tasks = changed(&good.to_string(), "/tasks", Some(json!([])));
        assert!(!schema.is_valid(&tasks));
        let wrong = changed(&good.to_string(), "/n", Some(json!(29)));
        assert!(!schema.is_valid(&wrong) && Summary::from_value(wrong).is_err());
    }
}

#[test]
fn unknown_numbers_are_kept_as_64_bit_integers_or_floats() {
    let with =
        |number: &str| EIGHT.trim_end().trim_end_matches('}').to_owned() + ",\"x\":" + number + "}";
    for (number, expected) in [
        ("18446744073709551615", json!(u64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("0.1", json!(0.1)),
        ("1.50", json!(1.5)),
        ("12345678901234567890123456789", json!(12345678901234567890123456789.0)),
    ] {
        let document = Document::parse(&with(number)).unwrap();
        let reparsed: Value = serde_json::from_str(&document.canonical_json()).unwrap();
        assert_eq!(reparsed["x"], expected, "{number}");
    }
    for number in ["1e400", "-1e+99999999999999999999", "[1e309]"] {
        let error = Document::parse(&with(number)).unwrap_err().to_string();
        assert!(error.contains("number out of range"), "{number}: {error}");
    }
}

#[test]
fn schema_and_parser_accept_whole_numbers_in_any_notation() {
    let schema = schema();
    for (from, to) in [
        ("\"version\": 1,", "\"version\": 1.0,"),
        ("\"n\": 8", "\"n\": 8.00"),
        ("\"n\": 8", "\"n\": 0.8e1"),
        ("\"threads\": 2", "\"threads\": 20e-1"),
        ("\"id\": 0", "\"id\": -0"),
    ] {
        let text = EIGHT.replacen(from, to, 1);
        assert_ne!(text, EIGHT, "{from}");
        assert!(schema.is_valid(&value(&text)), "{to}");
        assert_eq!(Document::parse(&text), Document::parse(EIGHT), "{to}");
    }
}
