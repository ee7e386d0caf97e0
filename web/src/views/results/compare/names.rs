//! The names of two compared results: the letters A and B, and what tells the results apart.

use queens_state::results::shown;

use crate::views::results::entry::Entry;
use crate::views::results::moment::Moment;
use crate::views::results::words::threads;
use crate::words::{Language, method_name, tr};

/// The letters that stand for the results in their comparison.
pub const LETTERS: [&str; 2] = ["A", "B"];

/// Returns a description of each result: N, the method and, if these are the same, what else differs.
pub fn descriptions(language: Language, pair: [&Entry; 2]) -> [String; 2] {
    let names = pair.map(|entry| {
        let (n, method) = (entry.header.n, method_name(language, entry.header.method));
        tr!(language, "results.run-label", n = n, method = method)
    });
    let details = if names[0] == names[1] { details(language, pair) } else { None };
    let Some([first, second]) = details else { return names };
    let [a, b] = names;
    let dot = language.dot();
    [format!("{a}{dot}{first}"), format!("{b}{dot}{second}")]
}

/// Returns the descriptions of the results, with the names of their files.
pub fn full_descriptions(language: Language, pair: [&Entry; 2]) -> [String; 2] {
    let mut texts = descriptions(language, pair);
    for (text, entry) in texts.iter_mut().zip(pair) {
        if let Some(file) = entry.file_name().map(shown).filter(|file| !text.ends_with(file)) {
            *text = [text, language.dot(), &file].concat();
        }
    }
    texts
}

/// Returns the first of backend, device, processor, threads, file and start that differs.
fn details(language: Language, pair: [&Entry; 2]) -> Option<[String; 2]> {
    let source = |entry: &Entry| match entry.file_name() {
        Some(name) => shown(name),
        None => tr!(language, "results.compare.on-server"),
    };
    // All results of the server have the same source.
    let has_file = pair.iter().any(|entry| entry.file_name().is_some());
    let texts = [
        pair.map(|entry| entry.header.backend.kind.id().to_owned()),
        pair.map(|entry| shown(&entry.header.backend.device)),
        pair.map(|entry| shown(&entry.header.host.cpu)),
        pair.map(|entry| threads(language, entry.header.host.threads)),
        if has_file { pair.map(source) } else { Default::default() },
        pair.map(|entry| Moment::new(&entry.header.started).local),
        pair.map(|entry| Moment::local_to_second(&entry.header.started)),
    ];
    let differ = |texts: &[String; 2]| texts[0] != texts[1] && texts.iter().all(|t| !t.is_empty());
    texts.into_iter().find(differ)
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::rc::Rc;

    use queens_core::Method;

    use super::*;
    use crate::views::results::entry::{Source, counted};
    use crate::words::plain;

    #[test]
    fn descriptions_of_equal_counts_have_what_differs() {
        let language = Language::English;
        let shown =
            |pair: &[Entry; 2]| descriptions(language, pair.each_ref()).map(|text| plain(&text));
        let full = |pair: &[Entry; 2]| {
            full_descriptions(language, pair.each_ref()).map(|text| plain(&text))
        };
        let mut pair = ["a", "b"].map(|id| counted(id, 14, Method::Symmetry, 1.0));
        assert_eq!(shown(&pair), ["N = 14, Symmetry"; 2]);
        for (entry, second) in pair.iter_mut().zip(["07", "42"]) {
            Rc::make_mut(&mut entry.header).started = format!("2026-01-31T09:30:{second}Z");
        }
        let [first, second] = shown(&pair);
        assert!(first.contains(":30:07") && second.contains(":30:42"), "{first}, {second}");
        // The file is the name that the user knows, so it is never missing.
        pair[0].source = Source::File("first.json".into());
        pair[1].source = Source::File("second.json".into());
        let files = ["first.json", "second.json"];
        let only_files = files.map(|name| format!("N = 14, Symmetry · {name}"));
        assert_eq!((shown(&pair), full(&pair)), (only_files.clone(), only_files.clone()));
        // A published file keeps its name.
        pair[1].source = Source::Server;
        pair[1].copies = Rc::new(["second.json".to_owned()]);
        assert_eq!(shown(&pair), only_files);
        Rc::make_mut(&mut pair[1].header).host.threads = 8;
        assert_eq!(shown(&pair), [2, 8].map(|n| format!("N = 14, Symmetry · {n} threads")));
        assert_eq!(full(&pair)[1], "N = 14, Symmetry · 8 threads · second.json");
        Rc::make_mut(&mut pair[1].header).backend.device = "other".into();
        assert_eq!(shown(&pair)[1], "N = 14, Symmetry · other");
        Rc::make_mut(&mut pair[1].header).method = Method::Colours;
        assert_eq!(shown(&pair)[0], "N = 14, Symmetry");
    }
}
