//! Rejected files, checks, origins and backend details of documents, in the page's language.

use std::iter;

use queens_core::document::{Check, LARGEST_DOCUMENT};

use queens_worker::GPU_FAILED;

use super::entry::{Entry, LINKED, LINKED_SECOND, Source};
use super::model::shown;
use crate::words::{Language, document_error, finding, method_name, nothing_found, tr};
use crate::worker::FileError;

/// Returns the reason why a file was rejected, as a sentence.
pub fn rejection_reason(language: Language, error: &FileError) -> String {
    match error {
        FileError::Document(error) => document_error(language, error),
        FileError::Material(findings) => {
            let said = findings.iter().map(|each| finding(language, each));
            said.collect::<Vec<_>>().join(language.separator())
        }
        FileError::Nothing => nothing_found(language),
        FileError::Journal => tr!(language, "results.why.journal"),
        FileError::Unreadable => tr!(language, "results.why.unreadable"),
        FileError::TooLarge => {
            tr!(language, "results.why.too-large", most = LARGEST_DOCUMENT >> 20)
        }
        FileError::Access(why) => tr!(language, format!("results.why.{}", why.id())),
        FileError::Stored(_, why) => rejection_reason(language, why),
    }
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

    #[test]
    fn checks_have_names_in_both_languages() {
        for language in Language::ALL {
            for check in Check::ALL {
                let sentence = super::check(language, check.id());
                assert!(sentence != check.id() && !sentence.contains("check."), "{sentence}");
            }
            assert_eq!(check(language, "later"), "later");
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
}
