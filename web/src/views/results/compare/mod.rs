//! The comparison of two results that are ticked in the table.

mod names;
mod ratio;
mod share_pair;
mod task_table;
mod tasks;
mod ticks;
mod times_picture;

use std::rc::Rc;

use queens_state::results::{Difference, FieldPair, differences, must_agree, split_equal, verdict};
use yew::prelude::*;

use super::archive::{Archive, Entry, FILE_PREFIX, Server, Source};
use super::server;
use crate::browser::{focus_in_place, scroll_to};
use crate::place::{Address, Field, Navigate, use_address};
use crate::words::{Language, tr, use_language};

use names::heads;
pub use names::names;
use share_pair::SharePair;
use tasks::PairTasks;
pub use ticks::{TITLE, on_tick, other_of_pair, ticked, with_tick_moved, with_ticks, without_tick};

/// Renders a button that leads to the comparison.
pub fn show_button(language: Language, id: Option<&'static str>, class: &'static str) -> Html {
    let onclick = Callback::from(|_: MouseEvent| {
        scroll_to(TITLE);
        focus_in_place(TITLE);
    });
    html! {
        <button {id} type="button" {class} {onclick}>
            { tr!(language, "results.compare.show") }
        </button>
    }
}

/// Renders the bar below the table: which results are ticked, and buttons that lead to the comparison and
/// clear the ticks. A third tick changes the names in the bar, so it is announced.
pub fn bar(
    language: Language,
    ticked: &[&Entry],
    address: &Rc<Address>,
    navigate: &Navigate,
) -> Html {
    let clear = {
        let (address, navigate) = (Rc::clone(address), navigate.clone());
        Callback::from(move |_: MouseEvent| navigate.replace(address.with_field(Field::Pair, "")))
    };
    let text = match *ticked {
        [] => return html! {},
        [first, second] => {
            let [first, second] = heads(language, [first, second]);
            tr!(language, "results.compare.two", first = first, second = second)
        }
        [entry, ..] if lacks_file(entry, address) => tr!(language, "results.compare.one-elsewhere"),
        [entry, ..] if other_of_pair(&address.results, &entry.id).is_some() => {
            tr!(language, "results.compare.one-missing")
        }
        _ => tr!(language, "results.compare.one"),
    };
    html! {
        <div class="pair-bar">
            <p role="status">{ text }</p>
            if ticked.len() == 2 {
                { show_button(language, Some("pair-show"), "primary") }
            }
            <button id="pair-clear" type="button" onclick={clear}>
                { tr!(language, "results.compare.clear") }
            </button>
        </div>
    }
}

/// Whether the other ticked result is a file that the page does not have, as in a link from another browser.
fn lacks_file(entry: &Entry, address: &Address) -> bool {
    ticked(&address.results).any(|id| id != entry.id && id.starts_with(FILE_PREFIX))
}

/// Says that neither of the two results to which the address leads is on the page, once the list of the server
/// is there.
pub fn nothing_to_compare(
    language: Language,
    ticked_here: usize,
    server: Server,
    address: &Address,
) -> Option<Html> {
    let is_asked = ticked(&address.results).count() == 2;
    let is_missing = is_asked && ticked_here == 0 && server != Server::Unknown;
    let key = if ticked(&address.results).any(|id| id.starts_with(FILE_PREFIX)) {
        "results.compare.both-elsewhere"
    } else {
        "results.compare.both-missing"
    };
    is_missing.then(|| {
        html! { <p class="statement" id="pair-missing" role="status">{ tr!(language, key) }</p> }
    })
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub pair: [Entry; 2],
    pub archive: UseReducerHandle<Archive>,
}

/// The differences of two results and of their tasks, and the link to the comparison.
#[component]
pub fn Compared(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let Props { pair, archive } = props;
    server::use_documents(archive.dispatcher(), &pair.each_ref());
    let headers = pair.each_ref().map(|entry| &*entry.header);
    let names = names(language, pair.each_ref());
    let (sentence, wrong) = verdict(language, headers, names.each_ref().map(String::as_str));
    let class = if wrong {
        "bad"
    } else if must_agree(headers) {
        "good"
    } else {
        "soft"
    };
    // The key keeps answers about another pair from being shown.
    let key = pair.each_ref().map(Entry::version).join(",");
    html! {
        <div class="two-results" id="pair">
            <h2 id={TITLE} tabindex="-1">{ tr!(language, "results.compare.title") }</h2>
            <p {class} id="pair-verdict">{ sentence }</p>
            <SharePair
                pair={pair.clone()} archive={archive.dispatcher()} server={archive.server}
            />
            { table(language, &address, pair, &names) }
            { for without_tasks(language, pair) }
            <PairTasks {key} pair={pair.clone()} {names} />
        </div>
    }
}

/// Renders the fields of two results, which have these short names. The enclosing element follows the links.
fn table(language: Language, address: &Address, pair: &[Entry; 2], names: &[String; 2]) -> Html {
    let heads = heads(language, pair.each_ref());
    let heads = pair.iter().zip(heads).enumerate().map(|(side, (entry, name))| {
        let href = address.with_result(Some(entry.id.clone())).to_link();
        let id = format!("pair-head-{side}");
        html! { <th scope="col"><a {id} {href}>{ name }</a></th> }
    });
    let [first, second] = names;
    let fields = differences(language, pair.each_ref().map(|entry| &*entry.header));
    let (fields, equal) = split_equal(fields);
    let rows = fields.into_iter().map(|FieldPair { name, values, difference }| {
        let (class, text) = match difference {
            Difference::None => ("soft", tr!(language, "results.compare.equal")),
            Difference::Allowed(text) => ("", text),
            Difference::Wrong(text) => ("bad", text),
        };
        let values = values.map(|value| html! { <td>{ value }</td> });
        html! { <tr><th scope="row">{ name }</th>{ for values }<td {class}>{ text }</td></tr> }
    });
    let name = tr!(language, "results.compare.title");
    html! {
        <>
            <div class="wide-frame" tabindex="0" role="region" aria-label={name}>
                <table class="result-table" id="pair-table">
                    <thead><tr>
                        <th scope="col">{ tr!(language, "results.compare.field") }</th>
                        { for heads }
                        <th scope="col">{ tr!(language, "results.compare.difference", first = first, second = second) }</th>
                    </tr></thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
            if !equal.is_empty() {
                { equal_fields(language, equal) }
            }
        </>
    }
}

/// Renders fields whose values are equal in both results, folded.
fn equal_fields(language: Language, fields: Vec<FieldPair>) -> Html {
    let count = fields.len();
    let facts = fields.into_iter().map(|FieldPair { name, values: [value, _], .. }| {
        html! { <div><dt>{ name }</dt><dd>{ value }</dd></div> }
    });
    html! {
        <details id="pair-equal">
            <summary>{ tr!(language, "results.compare.equal-fields", count = count) }</summary>
            <dl class="facts">{ for facts }</dl>
        </details>
    }
}

/// Says that the tasks cannot be compared if one of the results came in a link. The tasks of other
/// results are loaded or being fetched.
fn without_tasks(language: Language, pair: &[Entry; 2]) -> Option<Html> {
    let is_without = pair.iter().any(|entry| entry.source == Source::Link);
    is_without.then(|| {
        html! { <p class="soft" id="pair-tasks">{ tr!(language, "results.compare.without-tasks") }</p> }
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::place::ResultsParameters;
    use crate::views::results::archive::{LINKED, counted};
    use crate::words::plain;

    fn shown_table(language: Language, pair: &[Entry; 2]) -> Html {
        table(language, &Address::default(), pair, &names(language, pair.each_ref()))
    }

    #[test]
    fn a_link_to_results_that_are_elsewhere_says_so() {
        let said = |pair: &str, ticked_here, server| {
            let address = Address::default().with_field(Field::Pair, pair);
            Language::ALL.map(|language| {
                let html = nothing_to_compare(language, ticked_here, server, &address);
                html.map(|html| texts(&rendered(language, html)))
            })
        };
        let [english, japanese] = said("file-1,file-2", 0, Server::Live);
        assert!(english.unwrap().contains("in the browser that has them"));
        assert!(japanese.unwrap().contains("ブラウザー"));
        assert!(said("a,b", 0, Server::Live)[0].as_ref().unwrap().contains("deleted"));
        for (pair, here, server) in
            [("a,b", 1, Server::Live), ("a,b", 0, Server::Unknown), ("a", 0, Server::Live)]
        {
            assert_eq!(said(pair, here, server), [None, None]);
        }
    }

    #[test]
    fn equal_fields_are_printed_although_they_are_folded() {
        let style = include_str!("../../../../style/print.css");
        assert!(style.contains("main details:not([open], #pair-equal)"), "{style}");
        let (_, rule) = style.split_once("#pair-equal::details-content {").unwrap();
        assert!(rule.trim_start().starts_with("content-visibility: visible;"), "{style}");
        let pair = [2.0, 3.0].map(|seconds| counted("a", 12, Method::Mirror, seconds));
        let html = rendered(Language::English, shown_table(Language::English, &pair));
        assert!(html.contains("<details id=\"pair-equal\""), "{html}");
    }

    #[test]
    fn the_bar_names_the_results_that_are_ticked() {
        let language = Language::English;
        let entries = [10, 11, 12].map(|n| counted(&n.to_string(), n, Method::Halves, 1.0));
        let find = |id: &str| entries.iter().find(|entry| entry.id == id).unwrap();
        let said = |pair: &str| {
            let list = ResultsParameters::default().with(Field::Pair, pair);
            let pair: Vec<_> = ticked(&list).map(find).collect();
            let bar = bar(language, &pair, &Rc::default(), &Navigate::default());
            plain(&texts(&rendered(language, bar)))
        };
        assert_eq!(said(""), "");
        assert!(said("10").contains("One result is ticked."), "{}", said("10"));
        for (pair, expected, other) in [
            ("10,11", ["N = 10, ", "N = 11, "], "N = 12"),
            ("11,12", ["N = 11, ", "N = 12, "], "N = 10"),
        ] {
            let said = said(pair);
            assert!(expected.iter().all(|name| said.contains(name)), "{said}");
            assert!(!said.contains(other), "{said}");
        }
    }

    #[test]
    fn the_bar_says_that_a_file_is_in_another_browser() {
        let entry = counted("a", 12, Method::Halves, 1.0);
        let said = |language, pair: &str| {
            let address = Rc::new(Address::default().with_field(Field::Pair, pair));
            let bar = bar(language, &[&entry], &address, &Navigate::default());
            plain(&texts(&rendered(language, bar)))
        };
        for pair in ["a,file-0123", "file-0123,a"] {
            let english = said(Language::English, pair);
            assert!(
                english.contains("a file that is not loaded here. Load it, or publish it"),
                "{english}"
            );
            assert!(said(Language::Japanese, pair).contains("読み込まれていないファイル"));
        }
        assert!(said(Language::English, "a").contains("Tick another one"));
        assert!(said(Language::English, "a,b").contains("is not in this list"));
    }

    #[test]
    fn the_table_compares_times_and_marks_wrong_totals() {
        let mut second = counted("b", 12, Method::Halves, 0.5);
        let pair = |second: &Entry| [counted("a", 12, Method::Mirror, 12.0), second.clone()];
        for (language, faster) in
            [(Language::English, "24 times as fast"), (Language::Japanese, "24 倍の速さ")]
        {
            let html = rendered(language, shown_table(language, &pair(&second)));
            let said = texts(&html);
            assert!(said.contains(faster) && said.contains("14,200"), "{said}");
            assert_eq!(elements(&html, "class=\"bad\"").len(), 0, "{html}");
            assert_eq!(elements(&html, "result=b").len(), 1, "{html}");
        }
        Rc::make_mut(&mut second.header).total += 8;
        let english = Language::English;
        let html = rendered(english, shown_table(english, &pair(&second)));
        let wrong: Vec<_> =
            elements(&html, "class=\"bad\"").iter().map(|cell| cell.content()).collect();
        assert_eq!(wrong, ["+8"]);
    }

    #[test]
    fn a_result_of_a_link_is_compared_without_tasks() {
        let [first, second] = ["a", "b"].map(|id| counted(id, 12, Method::Mirror, 12.0));
        let linked = Entry::of_link(LINKED, (*second.header).clone());
        for (language, part) in
            [(Language::English, "without its tasks"), (Language::Japanese, "タスクを含まない")]
        {
            let said = |pair: [&Entry; 2]| {
                let pair = pair.map(Entry::clone);
                without_tasks(language, &pair).map(|html| texts(&rendered(language, html)))
            };
            assert_eq!(said([&first, &second]), None);
            for pair in [[&first, &linked], [&linked, &first]] {
                assert!(said(pair).unwrap().contains(part));
            }
        }
    }

    #[test]
    fn equal_fields_are_folded() {
        let second = counted("b", 12, Method::Halves, 0.5);
        let language = Language::English;
        let shown = |second: &Entry| {
            let pair = [counted("a", 12, Method::Mirror, 12.0), second.clone()];
            rendered(language, shown_table(language, &pair))
        };
        let html = shown(&second);
        let folded = elements(&html, "id=\"pair-equal\"");
        assert!(folded[0].inner().contains("14,200"), "{html}");
        let rows = elements(&html, "id=\"pair-table\"")[0].inner();
        assert!(!rows.contains("14,200") && rows.contains("24 times as fast"), "{html}");
        // A table without rows would be empty.
        let html = shown(&counted("b", 12, Method::Mirror, 12.0));
        assert!(!html.contains("<details") && html.contains("14,200"), "{html}");
    }
}
