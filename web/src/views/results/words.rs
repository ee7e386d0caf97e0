//! Errors, contradictions, checks, origins and backend details of documents, in the page's language.

use std::iter;

use queens_core::document::{Check, Contradiction, DocumentError, LARGEST_DOCUMENT, Problem};

use queens_worker::GPU_FAILED;

use super::entry::{Entry, LINKED, LINKED_SECOND, Source};
use super::model::{shortened, shown};
use crate::words::{Language, grouped, method_name, tr};
use crate::worker::{FileError, Finding};

/// Returns the reason why a file was rejected, as a sentence.
pub fn rejection_reason(language: Language, error: &FileError) -> String {
    match error {
        FileError::Document(error) => document_error(language, error),
        FileError::Material(findings) => {
            let is_right_table = matches!(findings[..], [Finding::Rows(_), ..])
                && !findings.iter().any(Finding::is_wrong);
            let right = is_right_table.then(|| tr!(language, "results.material.right"));
            let said = findings.iter().map(|each| finding(language, each)).chain(right);
            said.collect::<Vec<_>>().join(language.space())
        }
        FileError::Journal => tr!(language, "results.why.journal"),
        FileError::Unreadable => tr!(language, "results.why.unreadable"),
        FileError::TooLarge => {
            tr!(language, "results.why.too-large", most = LARGEST_DOCUMENT >> 20)
        }
        FileError::Access(why) => tr!(language, format!("results.why.{}", why.id())),
        FileError::Stored(_, why) => rejection_reason(language, why),
    }
}

/// Describes a finding in a list of solutions or in a table of totals.
fn finding(language: Language, finding: &Finding) -> String {
    match *finding {
        Finding::Boards(boards) => {
            tr!(language, "results.material.boards", boards = grouped(boards))
        }
        Finding::Solutions { n, solutions, classes, missing } => {
            let [solutions, classes] = [solutions, classes].map(grouped);
            let key = match missing {
                None => "results.material.solutions",
                Some(0) => "results.material.complete",
                Some(_) => "results.material.missing",
            };
            let missing = grouped(missing.unwrap_or_default());
            tr!(language, key, n = n, solutions = solutions, classes = classes, missing = missing)
        }
        Finding::WrongBoard { number, line, is_repeated, ref text } => match language {
            Language::English => tr!(language, "results.material.wrong", text = text),
            Language::Japanese => {
                let key = match (number, is_repeated) {
                    (Some(_), true) => "results.material.repeated",
                    (Some(_), false) => "results.material.wrong-board",
                    (None, _) => "results.material.wrong-line",
                };
                tr!(language, key, board = grouped(number.unwrap_or_default()), line = line)
            }
        },
        Finding::MoreWrong(more) => tr!(language, "results.and-more", count = grouped(more)),
        Finding::Rows(rows) => tr!(language, "results.material.rows", rows = grouped(rows)),
        Finding::WrongNumber { line, n, is_total, ref found, published } => {
            let key = if is_total { "count.total" } else { "count.unique" };
            let (column, published) = (tr!(language, key), grouped(published));
            tr!(
                language,
                "results.material.wrong-number",
                line = line,
                n = n,
                column = column,
                found = found,
                published = published
            )
        }
        Finding::Unpublished(ref all) => {
            let all: Vec<_> = all.iter().map(u64::to_string).collect();
            tr!(language, "results.material.unpublished", n = all.join(", "))
        }
    }
}

/// Returns the reason why a text is not a document, as a sentence. For an invalid field it starts with
/// the path of the field.
fn document_error(language: Language, error: &DocumentError) -> String {
    match error {
        DocumentError::Empty => tr!(language, "results.why.empty"),
        DocumentError::Truncated { line, column } => {
            tr!(language, "results.why.truncated", line = line, column = column)
        }
        DocumentError::NotJson { reason } => {
            tr!(language, "results.why.not-json", reason = reason)
        }
        DocumentError::NotAResult => tr!(language, "results.why.not-a-result"),
        DocumentError::Field { path, problem } => {
            tr!(
                language,
                "results.why.field",
                path = path,
                problem = self::problem(language, problem)
            )
        }
        // The enum is non-exhaustive. A variant without a translation is shown in the core's
        // English.
        other => other.to_string(),
    }
}

fn problem(language: Language, problem: &Problem) -> String {
    match problem {
        Problem::Missing => tr!(language, "results.problem.missing"),
        Problem::Repeated => tr!(language, "results.problem.repeated"),
        Problem::WrongType { found, expected } => {
            let expected = json_type_name(language, expected);
            if found.starts_with('"') {
                tr!(language, "results.problem.found-string", found = found, expected = expected)
            } else {
                tr!(language, "results.problem.wrong-type", found = found, expected = expected)
            }
        }
        Problem::NotWhole { found } => tr!(language, "results.problem.not-whole", found = found),
        Problem::OutOfRange { found, least, most } => {
            tr!(language, "results.problem.out-of-range", found = found, least = least, most = most)
        }
        Problem::NotACount { found } => tr!(language, "results.problem.not-a-count", found = found),
        Problem::CountTooLarge { found } => {
            tr!(language, "results.problem.count-too-large", found = found)
        }
        Problem::NotSeconds { found } => {
            tr!(language, "results.problem.not-seconds", found = found)
        }
        Problem::NotATimestamp { found } => {
            tr!(language, "results.problem.not-a-timestamp", found = found)
        }
        Problem::UnknownFormat { found } => {
            tr!(language, "results.problem.unknown-format", found = found)
        }
        Problem::UnknownVersion { found } => {
            tr!(language, "results.problem.unknown-version", found = found)
        }
        Problem::UnknownPlan { found, known } => {
            tr!(language, "results.problem.unknown-plan", found = found, known = known)
        }
        Problem::UnknownWord { found, known } => {
            let known = known.replace(", ", language.comma());
            tr!(language, "results.problem.unknown-word", found = found, known = known)
        }
        Problem::TooDeep { most } => tr!(language, "results.problem.too-deep", most = most),
        Problem::TooLong { most } => {
            tr!(language, "results.problem.too-long", most = most / 1024)
        }
        Problem::NoSuchForm { method, form } => {
            let method = method.id();
            tr!(language, "results.problem.no-such-form", method = method, form = form)
        }
        Problem::NotForAShard => tr!(language, "results.problem.not-for-a-shard"),
        Problem::NotForSizeOne => tr!(language, "results.problem.not-for-size-one"),
        other => other.to_string(),
    }
}

/// Translates the core's name of a JSON type.
fn json_type_name(language: Language, expected: &str) -> String {
    match expected {
        "an object" => tr!(language, "results.kind.object"),
        "a list" => tr!(language, "results.kind.list"),
        "a string" => tr!(language, "results.kind.text"),
        "a number" => tr!(language, "results.kind.number"),
        "a whole number" => tr!(language, "results.kind.whole-number"),
        other => other.to_owned(),
    }
}

/// Returns the sentence about a contradiction in a document, after the path of the field.
pub fn contradiction(language: Language, contradiction: &Contradiction) -> String {
    let path = contradiction.path();
    let sentence = contradiction_of_tasks(language, contradiction)
        .or_else(|| contradiction_of_numbers(language, contradiction));
    match sentence {
        Some(sentence) => format!("{path}{}{sentence}", language.colon()),
        None => contradiction.to_string(),
    }
}

/// Returns the sentence about a contradiction in the list of tasks; `None` for other contradictions.
fn contradiction_of_tasks(language: Language, contradiction: &Contradiction) -> Option<String> {
    Some(match contradiction {
        Contradiction::PlanLength { n, method, tasks, expected } => tr!(
            language,
            "results.contradiction.plan-length",
            n = n,
            method = method.id(),
            tasks = tasks,
            expected = expected
        ),
        Contradiction::MissingTasks { ids, expected } => {
            let (count, ids) = (ids.len(), shortened(&queens_core::shortened(ids)));
            tr!(
                language,
                "results.contradiction.missing-tasks",
                count = count,
                expected = expected,
                ids = ids
            )
        }
        Contradiction::DoubleTask { id, .. } => {
            tr!(language, "results.contradiction.double-task", id = id)
        }
        Contradiction::ForeignTask { id, is_shard: true, .. } => {
            tr!(language, "results.contradiction.foreign-to-shard", id = id)
        }
        Contradiction::ForeignTask { id, is_shard: false, .. } => {
            tr!(language, "results.contradiction.foreign-to-plan", id = id)
        }
        Contradiction::OddTask { total, method, .. } => {
            let method = method.id();
            tr!(language, "results.contradiction.odd-task", total = total, method = method)
        }
        Contradiction::WeightSum { n, weight, expected } => tr!(
            language,
            "results.contradiction.weight-sum",
            n = n,
            weight = weight,
            expected = expected
        ),
        Contradiction::Chosen { chosen, total, .. } => {
            tr!(language, "results.contradiction.chosen", chosen = chosen, total = total)
        }
        _ => return None,
    })
}

/// Returns the sentence about a contradiction in the numbers of the count; `None` for other
/// contradictions.
fn contradiction_of_numbers(language: Language, contradiction: &Contradiction) -> Option<String> {
    Some(match contradiction {
        Contradiction::Implausible { n, total } => {
            tr!(language, "results.contradiction.implausible", n = n, total = total)
        }
        Contradiction::TaskSum { sum, total } => {
            tr!(language, "results.contradiction.task-sum", sum = sum, total = total)
        }
        Contradiction::TotalSum { sum, total } => {
            tr!(language, "results.contradiction.total-sum", sum = sum, total = total)
        }
        Contradiction::UniqueSum { sum, unique } => {
            tr!(language, "results.contradiction.unique-sum", sum = sum, unique = unique)
        }
        Contradiction::Divisibility { total, half_turn } => tr!(
            language,
            "results.contradiction.divisibility",
            total = total,
            half_turn = half_turn
        ),
        Contradiction::Known { n, value, known, .. } => {
            tr!(language, "results.contradiction.known", n = n, value = value, known = known)
        }
        Contradiction::ShardTooLarge { n, total, known } => tr!(
            language,
            "results.contradiction.shard-too-large",
            n = n,
            total = total,
            known = known
        ),
        _ => return None,
    })
}

/// Returns the origin of a document as text.
pub fn source(language: Language, source: &Source) -> String {
    match source {
        Source::Server => tr!(language, "results.server-source"),
        Source::File(name) => shown(name),
        Source::Link => tr!(language, "results.link-source"),
    }
}

/// Returns the name of a file or document for the user. The result of a link has no name.
pub fn source_name(language: Language, name: &str) -> String {
    match name {
        LINKED | LINKED_SECOND => tr!(language, "results.link-source"),
        name => shown(name),
    }
}

/// Returns the name of a run below a heading: N, the method and, for a loaded file, the file's name, otherwise the
/// number of threads.
pub fn run_name(language: Language, entry: &Entry) -> String {
    let header = &entry.header;
    let (n, method) = (header.n, method_name(language, header.method));
    let run = tr!(language, "results.run-label", n = n, method = method);
    let detail = entry.file_name().map_or_else(|| threads(language, header.host.threads), shown);
    [run, detail].join(language.dot())
}

/// Returns a number of threads as text.
pub fn threads(language: Language, count: u32) -> String {
    let key = if count == 1 { "results.detail.thread" } else { "results.detail.threads" };
    tr!(language, key, count = count)
}

/// Returns the origins of a document as text: its own and the loaded files that have the same document.
pub fn sources(language: Language, entry: &Entry) -> String {
    let copies = entry.copies.iter().map(|name| shown(name));
    let all: Vec<String> = iter::once(source(language, &entry.source)).chain(copies).collect();
    all.join(language.comma())
}

/// Returns the sentence that describes a check. An unknown check is shown by its name in the
/// document.
pub fn check(language: Language, name: &str) -> String {
    match name.parse() {
        Ok(Check::Sums) => tr!(language, "results.check.sums"),
        Ok(Check::Divisibility) => tr!(language, "results.check.divisibility"),
        Ok(Check::Burnside) => tr!(language, "results.check.burnside"),
        Ok(Check::Known) => tr!(language, "results.check.known"),
        Ok(Check::Recount) => tr!(language, "results.check.recount"),
        Err(_) => shown(name),
    }
}

/// Returns the short name of a check, or `name` if the check is unknown.
pub fn short_check(language: Language, name: &str) -> String {
    match name.parse() {
        Ok(Check::Sums) => tr!(language, "results.short-check.sums"),
        Ok(Check::Divisibility) => tr!(language, "results.short-check.divisibility"),
        Ok(Check::Burnside) => tr!(language, "results.short-check.burnside"),
        Ok(Check::Known) => tr!(language, "results.short-check.known"),
        Ok(Check::Recount) => tr!(language, "results.short-check.recount"),
        Err(_) => shown(name),
    }
}

/// The units of the amounts in the details of this project's backends.
const UNITS: [&str; 6] = ["thread", "threads", "devices", "GPU thread", "GPU threads", "workers"];

/// Returns the detail of a backend in the page's language. The programs of this project write it in
/// English, in parts such as `2 threads`. A detail without such a part is returned unchanged.
pub fn backend_detail(language: Language, detail: &str) -> String {
    let (parts, end) = match detail.strip_suffix(GPU_FAILED) {
        Some(parts) => (parts, tr!(language, "results.detail.gpu-failed")),
        None => (detail, String::new()),
    };
    let amount = |part: &str| {
        let (count, unit) = part.split_once(' ')?;
        let is_amount = UNITS.contains(&unit) && count.parse::<u64>().is_ok();
        let key = format!("results.detail.{}", unit.replace(' ', "-").to_ascii_lowercase());
        is_amount.then(|| tr!(language, key, count = count))
    };
    let parts: Vec<&str> = parts.split(", ").collect();
    if parts.iter().all(|part| amount(part).is_none()) {
        return detail.to_owned();
    }
    let parts = parts.into_iter().map(|part| amount(part).unwrap_or_else(|| part.to_owned()));
    parts.collect::<Vec<_>>().join(language.comma()) + &end
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::rc::Rc;

    use queens_core::Method;
    use queens_core::document::Document;

    use super::*;
    use crate::views::results::entry::counted;
    use crate::words::plain;

    #[test]
    fn runs_are_named_by_file_or_threads() {
        let mut entry = counted("a", 12, Method::Mirror, 1.0);
        entry.source = Source::Server;
        let said = |entry: &Entry| Language::ALL.map(|language| plain(&run_name(language, entry)));
        assert_eq!(said(&entry), ["N = 12, Mirror · 2 threads", "N = 12、ミラー・2 スレッド"]);
        entry.copies = Rc::new(["a.json".to_owned()]);
        assert_eq!(said(&entry)[0], "N = 12, Mirror · a.json");
    }

    #[test]
    fn details_of_backends_are_in_the_pages_language() {
        for (detail, japanese) in [
            ("1 thread", "1 スレッド"),
            ("2 threads, avx512", "2 スレッド、avx512"),
            ("2 devices, sm_90, 1 GPU thread", "デバイス 2 台、sm_90、GPU スレッド 1 個"),
            ("64 GPU threads", "GPU スレッド 64 個"),
            ("4 workers, simd128", "ワーカー 4 個、simd128"),
            ("Chromium 120", "Chromium 120"),
            ("many threads, 3 cats", "many threads, 3 cats"),
        ] {
            assert_eq!(plain(&backend_detail(Language::English, detail)), detail);
            assert_eq!(plain(&backend_detail(Language::Japanese, detail)), japanese);
        }
        let failed = ["2 workers, simd128", GPU_FAILED].concat();
        assert_eq!(plain(&backend_detail(Language::English, &failed)), failed);
        let japanese = plain(&backend_detail(Language::Japanese, &failed));
        assert_eq!(
            japanese,
            "ワーカー 2 個、simd128（一部のタスクは、GPU が停止する前に GPU で数えました）"
        );
    }

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");
    const SHARD: &str = include_str!("../../../../tests/data/results/shard.json");

    #[test]
    fn checks_have_names_in_both_languages() {
        for language in Language::ALL {
            for check in Check::ALL {
                let short = short_check(language, check.id());
                assert!(short != check.id() && !short.contains('.'), "{short}");
            }
            assert_eq!(short_check(language, "later"), "later");
        }
    }

    /// Returns the English and the Japanese sentence about a rejected text. Asserts that the
    /// English one is the core's, so that page, command and server agree.
    fn both(text: &str) -> [String; 2] {
        let error = Document::parse(text).unwrap_err();
        let both @ [english, _] = &Language::ALL.map(|language| document_error(language, &error));
        let core = error.to_string().replace("this program", "this page");
        assert_eq!(english.replace("The file", "the document"), format!("{core}."));
        both.clone()
    }

    #[test]
    fn rejections_name_their_field_in_both_languages() {
        for (from, to, part) in [
            ("\"format\": \"queens-result\"", "\"format\": \"x\"", "format"),
            ("\"version\": 1,\n  \"n\"", "\"version\": 2,\n  \"n\"", "version"),
            ("\"n\": 8", "\"n\": 33", "33"),
            ("\"n\": 8", "\"n\": 3.5", "3.5"),
            ("\"n\": 8", "\"n\": \"8\"", "n"),
            ("\"n\": 8,", "", "n"),
            ("\"n\": 8,", "\"n\": 8, \"n\": 8,", "n"),
            ("\"total\": \"92\"", "\"total\": \"x\"", "total"),
            ("\"total\": \"92\"", "\"total\": \"99999999999999999999\"", "total"),
            ("\"method\": \"symmetry\"", "\"method\": \"magic\"", "magic"),
            ("\"seconds\": 0.25", "\"seconds\": -1", "seconds"),
            ("2026-01-31T09:30:00Z", "yesterday", "yesterday"),
            ("\"method\": \"symmetry\"", "\"method\": \"colours\"", "colours"),
            ("\"checks\": [", "\"checks\": [1, ", "checks[0]"),
            (
                "\"unique\": \"12\"",
                "\"shard\": {\"index\": 0, \"of\": 2}, \"unique\": \"12\"",
                "unique",
            ),
        ] {
            let text = EIGHT.replacen(from, to, 1);
            assert_ne!(text, EIGHT, "{from}");
            let [en, ja] = both(&text);
            assert!(en.contains(part) && ja.contains(part), "{en} / {ja}");
            assert!(en != ja && !format!("{en}{ja}").contains("results."), "{en} / {ja}");
            assert!(!format!("{en}{ja}").contains("%{"), "{en} / {ja}");
        }
        for text in ["", "{", "x", "{}"] {
            let [en, ja] = both(text);
            assert!(en != ja && !format!("{en}{ja}").contains("results."), "{en} / {ja}");
        }
    }

    #[test]
    fn states_the_size_limit_of_command_and_server() {
        for language in Language::ALL {
            let said = plain(&rejection_reason(language, &FileError::TooLarge));
            let limit = format!("{} MB", LARGEST_DOCUMENT / (1024 * 1024));
            // 32 MB was a limit of the page alone.
            assert!(said.contains(&limit) && !said.contains("32"), "{said}");
        }
    }

    #[test]
    fn contradictions_of_row_sets_match_the_core() {
        for each in [
            Contradiction::Chosen { position: 5, chosen: 9, total: 8 },
            Contradiction::WeightSum { n: 24, weight: 7, expected: 70 },
            Contradiction::ShardTooLarge { n: 8, total: 93, known: 92 },
            Contradiction::MissingTasks { ids: vec![1, 2], expected: 8 },
        ] {
            assert_eq!(contradiction(Language::English, &each), format!("{each}."));
        }
    }

    #[test]
    fn contradictions_match_the_core_and_name_their_values() {
        for (original, from, to, part) in [
            (EIGHT, "\"total\": \"92\"", "\"total\": \"93\"", "93"),
            (EIGHT, "\"unique\": \"12\"", "\"unique\": \"13\"", "13"),
            (EIGHT, "\"tasks\": 16", "\"tasks\": 17", "17"),
            (EIGHT, "{ \"id\": 3,", "{ \"id\": 2,", "tasks[3].id"),
            (EIGHT, "{ \"id\": 3,", "{ \"id\": 99,", "99"),
            (EIGHT, "\"total\": \"16\"", "\"total\": \"15\"", "tasks[6].total: 15"),
            (EIGHT, "\"n\": 8", "\"n\": 28", "N = 28"),
            (SHARD, "{ \"id\": 3,", "{ \"id\": 4,", "tasks[1].id"),
        ] {
            let document = Document::parse(&original.replacen(from, to, 1)).unwrap();
            let found = document.contradictions();
            assert!(!found.is_empty(), "{to}");
            for each in &found {
                assert_eq!(contradiction(Language::English, each), format!("{each}."));
            }
            for language in Language::ALL {
                let said = |each| plain(&contradiction(language, each));
                let sentences: Vec<_> = found.iter().map(said).collect();
                let part = part.replace(": ", language.colon());
                assert!(sentences.iter().any(|each| each.contains(&part)), "{sentences:?}");
                assert!(sentences.iter().all(|each| !each.contains("%{")), "{sentences:?}");
            }
        }
    }
}
