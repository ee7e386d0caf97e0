//! What there is, in one line: the number of results, their boards, methods and computers, and the latest start.

use std::collections::BTreeSet;

use yew::prelude::*;

use super::archive::Entry;
use super::moment::Moment;
use crate::words::{Language, grouped, tr};

/// Renders the line. `entries` are all results, the latest first, including those that the filters hide. `has_more` is
/// set if the server has results that are not on the page. A single result needs no overview.
pub fn line(language: Language, entries: &[Entry], has_more: bool) -> Html {
    html! {
        if entries.len() > 1 {
            <p id="overview" class="results-overview">{ text(language, entries, has_more) }</p>
        }
    }
}

fn text(language: Language, entries: &[Entry], has_more: bool) -> String {
    let numbers = || entries.iter().map(|entry| entry.header.n.get());
    let [least, most] = [numbers().min(), numbers().max()].map(Option::unwrap_or_default);
    let methods: BTreeSet<&str> = entries.iter().map(|entry| entry.header.method.id()).collect();
    // A computer is known by its processor and its system.
    let computer = |entry: &Entry| (entry.header.host.cpu.clone(), entry.header.host.os.clone());
    let computers: BTreeSet<_> = entries.iter().map(computer).collect();
    let count = |one: &str, many: &str, count: usize| {
        let key = if count == 1 { one } else { many };
        tr!(language, format!("results.overview.{key}"), count = grouped(count as u64))
    };
    let boards = if least == most {
        tr!(language, "results.overview.board", n = least)
    } else {
        tr!(language, "results.overview.boards", least = least, most = most)
    };
    let results = if has_more { "results-more" } else { "results" };
    let mut parts = vec![
        count(results, results, entries.len()),
        boards,
        count("method", "methods", methods.len()),
        count("computer", "computers", computers.len()),
    ];
    if let Some(latest) = entries.first() {
        let latest = Moment::new(&latest.header.started).local;
        parts.push(tr!(language, "results.overview.latest", moment = latest));
    }
    parts.join(language.comma())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::rc::Rc;

    use queens_core::Method;

    use super::*;
    use crate::views::results::archive::counted;
    use crate::words::plain;

    #[test]
    fn a_first_look_shows_what_there_is() {
        let mut entries = [
            counted("a", 27, Method::Halves, 1.0),
            counted("b", 8, Method::Mirror, 1.0),
            counted("c", 8, Method::Mirror, 2.0),
        ];
        Rc::make_mut(&mut entries[1].header).host.cpu = "Another Processor".into();
        let said = |language, entries: &[Entry], more| plain(&text(language, entries, more));
        let [english, japanese] = Language::ALL;
        assert_eq!(
            said(english, &entries, false),
            "3 results, N = 8 to 27, 2 methods, 2 computers, the latest of 2026-01-31 09:30 UTC"
        );
        assert_eq!(
            said(japanese, &entries, false),
            "結果 3 件、N = 8〜27、解法 2 種類、コンピューター 2 台、最新は 2026-01-31 09:30 UTC"
        );
        assert!(said(english, &entries, true).starts_with("3 results of more on the server, "));
        let alike = said(english, &entries[1..], false);
        assert!(alike.starts_with("2 results, N = 8, 1 method, 2 computers, "), "{alike}");
    }
}
