//! Sentences on invalid documents. The English ones are those of the core, which the command prints, too.

use queens_core::document::{Check, Contradiction, DocumentError, Problem};
use queens_core::{notation::excerpt, shortened};

use super::errors::sentence;
use super::language::Language;
use super::tr;

const JA: Language = Language::Japanese;

/// A passed check in a few words.
pub fn check_name(language: Language, check: Check) -> String {
    match check {
        Check::Sums => tr!(language, "count.check-sums"),
        Check::Divisibility => tr!(language, "count.check-divisibility"),
        Check::Burnside => tr!(language, "count.check-burnside"),
        Check::Known => tr!(language, "count.check-known"),
        Check::Recount => tr!(language, "count.check-recount"),
    }
}

/// The sentence that says why a text is not a document. For an invalid field it begins with the field's path.
pub fn document_error(language: Language, error: &DocumentError) -> String {
    if language == Language::English {
        return match error {
            DocumentError::Field { .. } => format!("{error}."),
            _ => sentence(&error.to_string()),
        };
    }
    match error {
        DocumentError::Empty => tr!(JA, "document.empty"),
        DocumentError::Truncated { line, column } => {
            tr!(JA, "document.truncated", line = line, column = column)
        }
        DocumentError::NotJson { reason } => {
            tr!(JA, "document.not-json", reason = reason)
        }
        DocumentError::NotAResult => tr!(JA, "document.not-a-result"),
        DocumentError::Field { path, problem } => {
            tr!(JA, "document.field", path = path, problem = problem_in_japanese(problem))
        }
    }
}

fn problem_in_japanese(problem: &Problem) -> String {
    match problem {
        Problem::Missing => tr!(JA, "document.missing"),
        Problem::Repeated => tr!(JA, "document.repeated"),
        Problem::WrongType { found, expected } => {
            let expected = json_type_name(expected);
            let key = match found.starts_with('"') {
                true => "document.found-string",
                false => "document.wrong-type",
            };
            tr!(JA, key, found = json_type_name(found), expected = expected)
        }
        Problem::NotWhole { found } => tr!(JA, "document.not-whole", found = found),
        Problem::OutOfRange { found, least, most } => {
            tr!(JA, "document.out-of-range", found = found, least = least, most = most)
        }
        Problem::NotACount { found } => tr!(JA, "document.not-a-count", found = found),
        Problem::CountTooLarge { found } => {
            tr!(JA, "document.count-too-large", found = found)
        }
        Problem::NotSeconds { found } => {
            tr!(JA, "document.not-seconds", found = found)
        }
        Problem::NotATimestamp { found } => {
            tr!(JA, "document.not-a-timestamp", found = found)
        }
        Problem::UnknownFormat { found } => {
            tr!(JA, "document.unknown-format", found = found)
        }
        Problem::UnknownVersion { found } => {
            tr!(JA, "document.unknown-version", found = found)
        }
        Problem::UnknownPlan { found, known } => {
            tr!(JA, "document.unknown-plan", found = found, known = known)
        }
        Problem::UnknownWord { found, known } => {
            let known = known.replace(", ", JA.comma());
            tr!(JA, "document.unknown-word", found = found, known = known)
        }
        Problem::TooDeep { most } => tr!(JA, "document.too-deep", most = most),
        Problem::TooLong { most } => {
            tr!(JA, "document.too-long", most = most / 1024)
        }
        Problem::NoSuchForm { method, form } => {
            let method = method.id();
            tr!(JA, "document.no-such-form", method = method, form = form)
        }
        Problem::NotForAShard => tr!(JA, "document.not-for-a-shard"),
        Problem::NotForSizeOne => tr!(JA, "document.not-for-size-one"),
    }
}

/// Translates the core's name of a JSON type.
fn json_type_name(expected: &str) -> String {
    match expected {
        "an object" => tr!(JA, "document.object"),
        "a list" => tr!(JA, "document.list"),
        "a string" => tr!(JA, "document.text"),
        "a number" => tr!(JA, "document.number"),
        "a whole number" => tr!(JA, "document.whole-number"),
        other => other.to_owned(),
    }
}

/// The sentence about a contradiction in a document, after the path of the field.
pub fn contradiction(language: Language, contradiction: &Contradiction) -> String {
    let sentence = match language {
        Language::English => None,
        Language::Japanese => of_tasks(contradiction).or_else(|| of_numbers(contradiction)),
    };
    match sentence {
        Some(sentence) => [contradiction.path(), sentence].join(JA.colon()),
        None => format!("{contradiction}."),
    }
}

/// A contradiction in the list of tasks; `None` for others.
fn of_tasks(contradiction: &Contradiction) -> Option<String> {
    Some(match contradiction {
        Contradiction::PlanLength { n, method, tasks, expected } => tr!(
            JA,
            "document.plan-length",
            n = n,
            method = method.id(),
            tasks = tasks,
            expected = expected
        ),
        Contradiction::MissingTasks { ids, expected } => {
            let (count, ids) = (ids.len(), excerpt(&shortened(ids), 60));
            tr!(JA, "document.missing-tasks", count = count, expected = expected, ids = ids)
        }
        Contradiction::DoubleTask { id, .. } => {
            tr!(JA, "document.double-task", id = id)
        }
        Contradiction::ForeignTask { id, is_shard: true, .. } => {
            tr!(JA, "document.foreign-to-shard", id = id)
        }
        Contradiction::ForeignTask { id, is_shard: false, .. } => {
            tr!(JA, "document.foreign-to-plan", id = id)
        }
        Contradiction::OddTask { total, method, .. } => {
            let method = method.id();
            tr!(JA, "document.odd-task", total = total, method = method)
        }
        Contradiction::WeightSum { n, weight, expected } => {
            tr!(JA, "document.weight-sum", n = n, weight = weight, expected = expected)
        }
        Contradiction::Chosen { chosen, total, .. } => {
            tr!(JA, "document.chosen", chosen = chosen, total = total)
        }
        _ => return None,
    })
}

/// A contradiction in the numbers of the count; `None` for others.
fn of_numbers(contradiction: &Contradiction) -> Option<String> {
    Some(match contradiction {
        Contradiction::Implausible { n, total } => {
            tr!(JA, "document.implausible", n = n, total = total)
        }
        Contradiction::TaskSum { sum, total } => {
            tr!(JA, "document.task-sum", sum = sum, total = total)
        }
        Contradiction::TotalSum { sum, total } => {
            tr!(JA, "document.total-sum", sum = sum, total = total)
        }
        Contradiction::UniqueSum { sum, unique } => {
            tr!(JA, "document.unique-sum", sum = sum, unique = unique)
        }
        Contradiction::Divisibility { total, half_turn } => {
            tr!(JA, "document.divisibility", total = total, half_turn = half_turn)
        }
        Contradiction::Known { n, value, known, .. } => {
            tr!(JA, "document.known", n = n, value = value, known = known)
        }
        Contradiction::ShardTooLarge { n, total, known } => {
            tr!(JA, "document.shard-too-large", n = n, total = total, known = known)
        }
        // Those in the list of tasks have their sentences above. Coverage is compared only by a recount.
        Contradiction::PlanLength { .. }
        | Contradiction::MissingTasks { .. }
        | Contradiction::DoubleTask { .. }
        | Contradiction::ForeignTask { .. }
        | Contradiction::OddTask { .. }
        | Contradiction::WeightSum { .. }
        | Contradiction::Chosen { .. }
        | Contradiction::Coverage { .. } => return None,
    })
}
