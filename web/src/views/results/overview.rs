//! A one-line summary of all results: their number, boards, methods and processors.

use std::collections::BTreeSet;

use yew::prelude::*;

use super::entry::Entry;
use crate::words::{Language, grouped, tr};

/// Renders the line. `entries` are the results that match the filters, of `all` results. `has_more` is set if the
/// server has results that are not on the page. A single result needs no overview.
pub fn line(language: Language, entries: &[Entry], all: usize, has_more: bool) -> Html {
    html! {
        if all > 1 {
            <p id="overview" class="results-overview">{ text(language, entries, all, has_more) }</p>
        }
    }
}

fn text(language: Language, entries: &[Entry], all: usize, has_more: bool) -> String {
    let key = match (entries.len() < all, has_more) {
        (false, false) => "results",
        (false, true) => "results-more",
        (true, false) => "some",
        (true, true) => "some-more",
    };
    let [shown, all] = [entries.len(), all].map(|count| grouped(count as u64));
    let results = tr!(language, format!("results.overview.{key}"), count = shown, all = all);
    if entries.is_empty() {
        return results;
    }
    let numbers = || entries.iter().map(|entry| entry.header.n.get());
    let [least, most] = [numbers().min(), numbers().max()].map(Option::unwrap_or_default);
    let methods: BTreeSet<&str> = entries.iter().map(|entry| entry.header.method.id()).collect();
    let processors: BTreeSet<&str> = entries.iter().map(|entry| &*entry.header.host.cpu).collect();
    let count = |one: &str, many: &str, count: usize| {
        let key = if count == 1 { one } else { many };
        tr!(language, format!("results.overview.{key}"), count = grouped(count as u64))
    };
    let boards = if least == most {
        tr!(language, "results.overview.board", n = least)
    } else {
        tr!(language, "results.overview.boards", least = least, most = most)
    };
    let methods = count("method", "methods", methods.len());
    let processors = count("processor", "processors", processors.len());
    let mut parts = vec![results, boards, methods, processors];
    // The list names the results that contradict themselves. A result in a link has no checks.
    let has_passed =
        |entry: &Entry| entry.contradictions.is_empty() && !entry.verified.1.is_empty();
    if entries.iter().all(has_passed) {
        parts.push(tr!(language, "results.overview.checked"));
    }
    parts.join(language.comma())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::rc::Rc;

    use queens_core::Method;
    use queens_core::document::Contradiction;

    use super::*;
    use crate::views::results::entry::counted;
    use crate::words::plain;

    #[test]
    fn the_summary_counts_boards_methods_and_processors() {
        let mut entries = [
            counted("a", 27, Method::Colours, 1.0),
            counted("b", 8, Method::Mirror, 1.0),
            counted("c", 8, Method::Mirror, 2.0),
        ];
        Rc::make_mut(&mut entries[1].header).host.cpu = "Another Processor".into();
        let said = |language, entries: &[Entry], more| {
            plain(&text(language, entries, entries.len(), more))
        };
        let [english, japanese] = Language::ALL;
        assert_eq!(
            said(english, &entries, false),
            "3 results, N = 8 to 27, 2 methods, 2 processors, all checks passed"
        );
        assert_eq!(
            said(japanese, &entries, false),
            "結果 3 件、N = 8〜27、解法 2 種類、プロセッサ 2 種類、検算はすべて合格"
        );
        assert!(
            said(english, &entries, true)
                .starts_with("the latest 3 results (the server has more), ")
        );
        let alike = said(english, &entries[1..], false);
        assert_eq!(alike, "2 results, N = 8, 1 method, 2 processors, all checks passed");
        entries[2].contradictions = Rc::new([Contradiction::TaskSum { sum: 2, total: 1 }]);
        assert!(said(english, &entries, false).ends_with("2 processors"));
        // The filters leave some of the results.
        let left =
            |language, count: usize, more| plain(&text(language, &entries[3 - count..], 24, more));
        let some = left(english, 2, false);
        assert!(some.starts_with("2 of 24 results, N = 8, 1 method, "), "{some}");
        assert_eq!(left(japanese, 0, false), "結果 24 件中 0 件");
        assert_eq!(left(english, 0, true), "0 of the latest 24 results (the server has more)");
    }
}
