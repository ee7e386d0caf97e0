//! Reads and writes result documents, and tests every kind of error.

use core::time::Duration;

use queens_core::{
    Coverage, Done, Form, Isa, Method, PartialCount, Plan, Size, Tally, Turns,
    document::{
        Backend, BackendKind, Check, Checks, Circumstances, Contradiction, Document, DocumentError,
        Host, Problem, Program, Progress, RunState, Seconds, Shards, Summary, TaskTotal, ranges,
    },
    finalize, recount_audit_set,
};
use serde_json::{Value, json};

const EIGHT: &str = include_str!("../../../tests/data/results/eight.json");
const ONE: &str = include_str!("../../../tests/data/results/one.json");
const SHARD: &str = include_str!("../../../tests/data/results/shard.json");
const UNKNOWN: &str = include_str!("../../../tests/data/results/unknown-fields.json");
const AWKWARD: &str = include_str!("../../../tests/data/results/awkward.json");

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn document(text: &str) -> Document {
    Document::parse(text).unwrap()
}

/// The document `text` with the field at `pointer` set to `new`.
fn with(text: &str, pointer: &str, new: Value) -> String {
    let mut document = value(text);
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Object(map) => {
            map.insert(name.into(), new);
        }
        Value::Array(list) => list[name.parse::<usize>().unwrap()] = new,
        _ => panic!("{pointer} is in no container"),
    }
    document.to_string()
}

/// The document `text` without the field at `pointer`.
fn without(text: &str, pointer: &str) -> String {
    let mut document = value(text);
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let removed = document.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name);
    assert!(removed.is_some(), "{pointer} was not there");
    document.to_string()
}

/// The error message for a text that is rejected.
fn rejection(text: &str) -> String {
    Document::parse(text).unwrap_err().to_string()
}

#[test]
fn documents_round_trip_unchanged() {
    for text in [EIGHT, SHARD, UNKNOWN] {
        let document = document(text);
        assert_eq!(document.to_value(), value(text));
        assert_eq!(Document::parse(&document.to_json()), Ok(document.clone()));
        assert_eq!(Document::parse(&document.canonical_json()), Ok(document));
    }
}

#[test]
fn canonical_json_ignores_layout_and_field_order() {
    let reordered = {
        let Value::Object(map) = value(EIGHT) else { panic!() };
        let fields: Vec<String> =
            map.iter().rev().map(|(name, value)| format!("\"{name}\" :\n {value}")).collect();
        format!("\u{feff}{{ {} }}", fields.join(" , "))
    };
    assert_eq!(document(&reordered).canonical_json(), document(EIGHT).canonical_json());
    assert_ne!(document(SHARD).canonical_json(), document(EIGHT).canonical_json());
}

#[test]
fn rejects_empty_text_and_other_text() {
    assert_eq!(Document::parse(""), Err(DocumentError::Empty));
    assert_eq!(Document::parse(" \n\t"), Err(DocumentError::Empty));
    assert_eq!(
        rejection("hello"),
        "the document is not valid JSON: expected a JSON value at line 1 column 1"
    );
    assert_eq!(rejection("[1]"), "top level: expected an object, found a list");
    assert_eq!(rejection("92"), "top level: expected an object, found 92");
}

#[test]
fn rejects_every_truncation() {
    let text = EIGHT.trim_end();
    for end in 1..text.len() {
        let error = Document::parse(&text[..end]).unwrap_err();
        assert!(matches!(error, DocumentError::Truncated { .. }), "at {end}: {error}");
    }
    assert_eq!(
        rejection("{\n  \"format\": \"queens-re"),
        "the document is truncated: it ends at line 2, column 22, before the JSON is complete"
    );
}

#[test]
fn rejects_duplicate_fields() {
    for (text, path) in [
        (r#"{"format": "queens-result", "n": 8, "n": 9}"#, "n"),
        (r#"{"host": {"cpu": "x", "cpu": "x"}}"#, "host.cpu"),
        (r#"{"tasks": [{"id": 0}, {"x": [[{"id": 1, "id": 1}]]}]}"#, "tasks[1].x[0][0].id"),
        (r#"{"a": 1, "a": {"#, "a"),
        (r#"{"a\u001b]0;x": 1, "a\u001b]0;x": 2}"#, r#""a\u001b]0;x""#),
    ] {
        let error = Document::parse(text).unwrap_err();
        assert_eq!(error, DocumentError::Field { path: path.into(), problem: Problem::Repeated });
        assert_eq!(error.to_string(), format!("{path}: this field occurs twice"));
    }
}

#[test]
fn limits_the_number_of_shards() {
    // A list of 2^32 missing shards would take 16 GB.
    let empty = with(&with(SHARD, "/tasks", json!([])), "/total", json!("0"));
    let of = |of: u32| with(&empty, "/shard", json!({ "index": 100, "of": of }));
    let mut shards = Shards::default();
    shards.add("one", &document(&of(65_536))).unwrap();
    assert_eq!(shards.missing(shards.of()).len(), 65_535);
}

#[test]
fn a_rejected_first_shard_does_not_determine_the_count() {
    let mut shards = Shards::default();
    let mut twice = document(SHARD);
    twice.tasks.push(twice.tasks[0].clone());
    let error = shards.add("twice", &twice).unwrap_err().to_string();
    assert!(error.starts_with("twice: task ") && error.ends_with(" was counted twice"), "{error}");
    assert_eq!((shards.of(), shards.part().is_none()), (0, true));
    // A shard of another count is now the first one.
    let other = with(&with(SHARD, "/shard/of", json!(3)), "/tasks", json!([]));
    shards.add("other", &document(&with(&other, "/total", json!("0")))).unwrap();
    assert_eq!(shards.of(), 3);
}

#[test]
fn shortens_long_values_in_messages() {
    let rejection = rejection(&with(EIGHT, "/format", json!("é".repeat(1000))));
    assert_eq!(
        rejection,
        format!("format: \"{}\"… is not the format \"queens-result\"", "é".repeat(40))
    );
}

#[test]
fn valid_documents_pass_their_checks() {
    let whole: Checks = [Check::Sums, Check::Divisibility, Check::Known].into_iter().collect();
    for text in [EIGHT, ONE, UNKNOWN] {
        assert_eq!(document(text).check(), Ok(whole));
    }
    assert_eq!(document(SHARD).check(), Ok(Checks::NONE.with(Check::Sums)));
}

#[test]
fn sample_documents_match_the_core() {
    for text in [EIGHT, ONE, SHARD, UNKNOWN] {
        let document = document(text);
        let plan = Plan::new(document.header.n, document.header.method);
        for task in document.tasks {
            let tally = plan.count(task.id as usize, document.header.form).unwrap();
            assert_eq!(tally.total(), Some(task.total), "task {}", task.id);
        }
    }
}

#[test]
fn sums_beyond_64_bits_do_not_overflow() {
    let most = u64::MAX.to_string();
    let mut text = with(EIGHT, "/count8", json!(most));
    for task in 0..16 {
        text = with(&text, &format!("/tasks/{task}/total"), json!(most));
    }
    let listed = document(&text).contradictions();
    let sum = 16 * u128::from(u64::MAX);
    assert!(listed.contains(&Contradiction::TaskSum { sum, total: 92 }));
    let sum = 4 + 8 * u128::from(u64::MAX);
    assert!(listed.contains(&Contradiction::TotalSum { sum, total: 92 }));
}

#[test]
fn a_shard_beyond_the_last_task_is_empty() {
    let mut text = with(SHARD, "/shard", json!({ "index": 17, "of": 19 }));
    text = with(&text, "/tasks", json!([]));
    text = with(&text, "/total", json!("0"));
    assert_eq!(document(&text).check(), Ok(Checks::NONE.with(Check::Sums)));
}

#[test]
fn formats_task_lists_as_ranges() {
    assert_eq!(ranges(&[]), "");
    assert_eq!(ranges(&[5]), "5");
    assert_eq!(ranges(&[5, 6]), "5,6");
    assert_eq!(ranges(&[0, 1, 2, 4, 6, 7, 8, u32::MAX]), "0-2,4,6-8,4294967295");
    let odd: Vec<u32> = (0..1000).map(|k| 2 * k + 1).collect();
    let missing = Contradiction::MissingTasks { ids: odd, expected: 2000 };
    assert_eq!(
        missing.to_string(),
        "tasks: missing 1000 of 2000 ids: 1,3,5,7,9,11,13,15,17,19,21,23…"
    );
}

#[test]
fn seconds_are_finite_and_not_negative() {
    assert_eq!(Seconds::new(-1.0), None);
    assert_eq!(Seconds::new(f64::NAN), None);
    assert_eq!(Seconds::new(f64::INFINITY), None);
    assert!(Seconds::new(-0.0).unwrap().get().is_sign_positive());
    let half = Duration::from_millis(500);
    assert_eq!(Seconds::from(half), Seconds::new(0.5).unwrap());
}

#[test]
fn progress_reports_round_trip() {
    let text = r#"{"n":18,"method":"symmetry","done":3,"tasks":10,"seconds":1.5,"room":"attic"}"#;
    let progress = Progress::parse(text).unwrap();
    assert_eq!((progress.n.get(), progress.method), (18, Method::Symmetry));
    assert_eq!((progress.done, progress.tasks), (3, 10));
    assert_eq!((progress.seconds.get(), progress.state), (1.5, RunState::Running));
    assert_eq!(Progress::parse(&progress.to_json()), Ok(progress.clone()));
    assert_eq!(progress.to_value()["room"], "attic");
    for (pointer, new, message) in [
        ("/done", json!(11), "done: 11 is out of range; it can be 0 to 10"),
        ("/n", json!(0), "n: 0 is out of range; it can be 1 to 28"),
        (
            "/state",
            json!("lost"),
            "state: unknown value \"lost\"; expected one of running, done, stopped",
        ),
    ] {
        let error = Progress::parse(&with(text, pointer, new)).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let error = Progress::parse(&without(text, "/seconds")).unwrap_err();
    assert_eq!(error.to_string(), "seconds: this field is missing");
    let done = Progress::parse(&with(text, "/state", json!("done"))).unwrap();
    assert_eq!(done.state, RunState::Done);
}

#[test]
fn a_summary_is_the_document_without_its_tasks() {
    for text in [EIGHT, ONE, SHARD, UNKNOWN, AWKWARD] {
        let document = document(text);
        let verified = document.check().unwrap();
        let summary = Summary::of(&document, "0123".into(), verified);
        let mut expected = document.to_value();
        expected.as_object_mut().unwrap().remove("tasks");
        expected["id"] = json!("0123");
        let names: Vec<&str> = verified.iter().map(Check::id).collect();
        expected["verified"] = json!(names);
        assert_eq!(summary.to_value(), expected);
        assert_eq!(value(&summary.to_json()), expected);
        assert_eq!(Summary::parse(&summary.to_json()), Ok(summary));
    }
}

#[test]
fn separates_sender_checks_from_server_checks() {
    let document = document(&with(EIGHT, "/checks", json!(["recount", "magic"])));
    let summary = Summary::of(&document, String::new(), document.check().unwrap());
    assert_eq!(summary.header.checks, ["recount", "magic"]);
    assert_eq!(summary.to_value()["verified"], json!(["sums", "divisibility", "known"]));
}

#[test]
fn reads_summaries_of_other_versions() {
    let summary = Summary::of(&document(EIGHT), "0123".into(), Checks::NONE);
    let read = |changed: String| Summary::parse(&changed);
    // Older servers do not write `verified`; newer servers can list checks that are unknown here.
    let text = summary.to_json();
    assert_eq!(read(without(&text, "/verified")), Ok(summary.clone()));
    let later = read(with(&text, "/verified", json!(["sums", "magic"]))).unwrap();
    assert_eq!(later.verified, Checks::NONE.with(Check::Sums));
    for (changed, message) in [
        (without(&text, "/id"), "id: this field is missing"),
        (without(&text, "/total"), "total: this field is missing"),
        (
            with(&text, "/verified", json!("sums")),
            "verified: expected a list, found the string \"sums\"",
        ),
        (with(&text, "/verified", json!([7])), "verified[0]: expected a string, found 7"),
    ] {
        assert_eq!(read(changed).unwrap_err().to_string(), message);
    }
    // Unknown fields of a document must not replace the server's.
    let document =
        document(&with(&with(EIGHT, "/id", json!("mine")), "/verified", json!(["known"])));
    let summary = Summary::of(&document, "0123".into(), Checks::NONE);
    assert_eq!(summary.to_value()["id"], "0123");
    assert_eq!(summary.to_value()["verified"], json!([]));
    assert_eq!(summary.to_json().matches("\"id\"").count(), 1);
}

#[test]
fn limits_depth_and_length_of_unknown_fields() {
    let nested = |pointer: &str, depth: usize| {
        let text = with(EIGHT, pointer, json!("NEST"));
        text.replace("\"NEST\"", &("[".repeat(depth) + &"]".repeat(depth)))
    };
    assert!(Document::parse(&nested("/x", 32)).is_ok());
    for (pointer, path, depth) in [("/x", "x", 33), ("/host/x", "host.x", 32), ("/x", "x", 120)] {
        let message = rejection(&nested(pointer, depth));
        assert!(message.starts_with(path), "{message}");
        assert!(message.ends_with(": this field is nested deeper than 32 lists or objects"));
    }
    let message = rejection(&nested("/tasks/3/x", 33));
    assert!(message.starts_with("tasks[3].x: "), "{message}");

    let long = |pointer: &str, size: usize| with(EIGHT, pointer, json!("x".repeat(size)));
    assert!(Document::parse(&long("/x", 64_000)).is_ok());
    for pointer in ["/x", "/started", "/backend"] {
        let message = rejection(&long(pointer, 66_000));
        let path = &pointer[1..];
        assert!(message.starts_with(&format!("{path}: this field is too long: ")), "{message}");
    }
    let checks = with(EIGHT, "/checks", json!(vec!["sums"; 20_000]));
    assert!(rejection(&checks).starts_with("checks: this field is too long: "));
    // The size limit does not apply to tasks.
    assert!(Document::parse(&long("/tasks/3/x", 100_000)).is_ok());
}

#[test]
fn reads_the_largest_plan_with_all_task_fields() {
    let task = |id: u32| {
        json!({ "id": id, "total": "1234567890123456", "seconds": 1234.567,
            "sets": 1000, "weight": 4000, "chosen": "1234567890" })
    };
    let text = with(EIGHT, "/tasks", (0..65_536).map(task).collect());
    assert_eq!(document(&text).tasks.len(), 65_536);
}

#[test]
fn limits_the_number_of_values() {
    for part in ["{\"a\":0},", "[],", "0,", "\"\","] {
        let text = format!("{{\"x\":[{}0]}}", part.repeat(1_000_000));
        assert!(rejection(&text).contains("more values than a result document can have"), "{part}");
    }
}

#[test]
fn correct_counts_have_no_odd_task_that_is_rejected() {
    // No correct count of any method is rejected, and some methods do have odd tasks.
    let mut odd = 0;
    for &method in Method::ALL {
        for n in 2..=8 {
            let plan = Plan::new(Size::new(n).unwrap(), method);
            let tasks = (0..plan.len()).map(|task| plan.count(task, Form::Recursive).unwrap());
            let totals: Vec<u64> = tasks.map(|tally| tally.total().unwrap()).collect();
            odd += totals.iter().filter(|&total| total % 2 == 1).count();
            let mut document = document(EIGHT);
            (document.header.n, document.header.method) = (plan.size(), method);
            let task = |(id, total)| TaskTotal::new(id, total, Seconds::default());
            document.tasks = (0..).zip(totals).map(task).collect();
            // The other fields do not fit the tasks, so other contradictions are ignored.
            let listed = document.contradictions();
            let is_odd = |each: &Contradiction| matches!(each, Contradiction::OddTask { .. });
            assert!(!listed.iter().any(is_odd), "{method} N = {n}: {listed:?}");
        }
    }
    assert!(odd > 0);
}

/// Counts all tasks of a method that places no queens.
fn tasks_of(method: Method, n: u32) -> (Plan, Vec<Done<Tally>>) {
    let plan = Plan::new(Size::new(n).unwrap(), method);
    let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
    let count = |task| counter.count(&plan, task).unwrap();
    let done = (0..plan.len()).map(count).enumerate();
    let done = done.map(|(task, result)| Done { task, result, took: Duration::ZERO }).collect();
    (plan, done)
}

fn part(plan: &Plan, done: &[Done<Tally>]) -> PartialCount {
    let mut part = PartialCount::new(plan);
    done.iter().for_each(|&done| part.add(done).unwrap());
    part
}

fn circumstances() -> Circumstances {
    Circumstances {
        form: Form::Recursive,
        backend: Backend::new(BackendKind::Cpu, "", ""),
        program: Program::new("queens", "1.2.3", ""),
        host: Host::new("", "", 1),
        started: "2026-01-02T03:04:05Z".into(),
        seconds: Seconds::default(),
    }
}

#[test]
fn documents_record_the_coverage_of_pairs() {
    for (n, choices) in [
        // The sums of the fourth powers of the binomial coefficients.
        (8, 1 + 256 + 1296 + 256 + 1),
        (10, 1 + 625 + 10_000 + 10_000 + 625 + 1),
        // (5 · 1)² + (10 · 4)² + (10 · 6)² + (5 · 4)² + (1 · 1)².
        (9, 25 + 1600 + 3600 + 400 + 1),
    ] {
        let (plan, done) = tasks_of(Method::Colours, n);
        let part = part(&plan, &done);
        let checked = finalize(&part, Turns::search(plan.size())).unwrap();
        let document = Document::of(&checked, circumstances());
        assert_eq!(document.contradictions(), []);
        let value = document.to_value();
        let tasks = value["tasks"].as_array().unwrap();
        let sum = |name| tasks.iter().map(|task| task[name].as_u64().unwrap()).sum::<u64>();
        assert_eq!(sum("weight"), choices, "N = {n}");
        assert_eq!(Document::parse(&document.to_json()), Ok(document.clone()));
        for (task, recorded) in document.tasks.iter().enumerate() {
            let about = format!("N = {n}, task {task}");
            assert_eq!(recorded.covered, plan.expected_coverage(task), "{about}");
            let recounted = recount_audit_set(&plan, task);
            assert_eq!(recorded.chosen, recounted, "{about}");
        }
    }
}

#[test]
fn detects_lost_or_duplicate_pairs() {
    let (plan, done) = tasks_of(Method::Colours, 8);
    let whole = part(&plan, &done);
    let checked = finalize(&whole, Turns::search(plan.size())).unwrap();
    let document = Document::of(&checked, circumstances());
    let at = document.tasks.iter().position(|task| task.covered.is_some()).unwrap();
    let Coverage { sets, weight } = document.tasks[at].covered.unwrap();
    let contradictions_with = |covered: Option<Coverage>| {
        let mut document = document.clone();
        document.tasks[at].covered = covered;
        document.contradictions().iter().map(Contradiction::to_string).collect::<Vec<_>>()
    };
    let sum = |weight| {
        format!("tasks: the weights of the sets add up to {weight}, but the sum for N = 8 is 1810")
    };
    let none = Coverage { sets: 0, weight: 0 };
    assert_eq!(contradictions_with(Some(none)), [sum(1810 - weight)]);
    let twice = Coverage { sets: 2 * sets, weight: 2 * weight };
    assert_eq!(contradictions_with(Some(twice)), [sum(1810 + weight)]);
    // The coverage is optional.
    assert_eq!(contradictions_with(None), [""; 0]);
    // `sets` and `weight` require each other.
    let message = rejection(&without(&document.to_json(), "/tasks/0/weight"));
    assert_eq!(message, "tasks[0].weight: this field is missing");
}

#[test]
fn detects_an_audit_set_with_more_solutions_than_its_task() {
    let (plan, done) = tasks_of(Method::Colours, 10);
    let whole = part(&plan, &done);
    let checked = finalize(&whole, Turns::search(plan.size())).unwrap();
    let mut document = Document::of(&checked, circumstances());
    let text = with(&document.to_json(), "/tasks/0/chosen", json!("five"));
    assert!(rejection(&text).starts_with("tasks[0].chosen: "), "{}", rejection(&text));
    let alone = without(&without(&document.to_json(), "/tasks/0/sets"), "/tasks/0/weight");
    assert_eq!(rejection(&alone), "tasks[0].sets: this field is missing");
    document.tasks[0].chosen = None;
    assert_eq!(document.contradictions(), []);
    document.tasks[0].chosen = Some(document.tasks[0].total);
    assert_eq!(document.contradictions(), []);
    let total = document.tasks[0].total;
    document.tasks[0].chosen = Some(total + 1);
    let found: Vec<String> = document.contradictions().iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [format!(
            "tasks[0].chosen: a part cannot have {} solutions, more than its task's total of {total}",
            total + 1
        )]
    );
}

#[test]
fn rejects_a_count_that_lacks_a_pair() {
    let (plan, mut done) = tasks_of(Method::Colours, 10);
    let all = 21_252;
    // The sets have no counted solutions, so no sum reveals that they are missing.
    let weight = |done: &Done<Tally>| done.result.covered.map_or(0, |covered| covered.weight);
    let is_without_solutions =
        |done: &&mut Done<Tally>| done.result.single == 0 && weight(done) > 0;
    let task = done.iter_mut().find(is_without_solutions).unwrap();
    let counted = all - weight(task);
    task.result.covered = Some(Coverage::default());
    let part = part(&plan, &done);
    let wrong = finalize(&part, Turns::search(plan.size())).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        format!("the weights of the counted sets add up to {counted}, not to {all}")
    );
}
