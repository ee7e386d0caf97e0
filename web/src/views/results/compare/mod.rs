//! The comparison of two results that are ticked in the table. It takes the place of the list.

mod task_times;
mod tasks;
mod ticks;
mod times_picture;

use std::collections::BTreeSet;
use std::rc::Rc;

use yew::prelude::*;

use super::archive::{Archive, Server};
use super::entry::{Entry, Source};
use super::moment::Moment;
use super::server::{self, is_id};
use super::share::share;
use super::words::run_name;
use crate::address::{Address, Field, Navigate, ResultsParameters, use_address};
use crate::browser::jump_to;
use crate::parts::link::{Link, follow};
use crate::parts::table::{Column, cells, framed, heads};
use crate::views::results::model::{
    Difference, FieldPair, differences, must_agree, split_equal, verdict,
};
use crate::words::{Language, tr, use_language};

use tasks::PairTasks;
pub use ticks::{on_tick, other_of_pair, ticked, with_tick_moved, with_ticks, without_tick};

/// The id of the heading.
const TITLE: &str = "pair-title";

/// Returns the two results that the address compares, once the page has both. Their tasks are fetched.
#[hook]
pub fn use_pair(archive: &UseReducerHandle<Archive>) -> Option<[Entry; 2]> {
    let (address, navigate) = use_address();
    ticks::use_server_ticks(archive, &address, &navigate);
    let ticked: Vec<&str> = ticked(&address.results).collect();
    let pair = if address.result.is_none() && ticked.len() == 2 { &ticked[..] } else { &[] };
    server::use_documents(archive, pair);
    let &[first, second] = pair else { return None };
    Some([archive.find(first)?.clone(), archive.find(second)?.clone()])
}

/// The letters that stand for the results in their comparison.
const LETTERS: [&str; 2] = ["A", "B"];

/// Returns whether the address leads to a comparison of which the page lacks a result for good.
pub fn is_incomplete(list: &ResultsParameters, archive: &Archive) -> bool {
    let is_absent = |id: &str| match archive.server {
        // The stored files arrive while the page connects.
        Server::Unknown => false,
        Server::Live if is_id(id) => archive.missing.contains(id),
        _ => true,
    };
    ticked(list).count() == 2 && ticked(list).any(|id| archive.find(id).is_none() && is_absent(id))
}

/// Renders the bar below the table, which says that a result is ticked or that one of two is absent, and a button that
/// clears the ticks.
pub fn bar(
    language: Language,
    is_incomplete: bool,
    address: &Rc<Address>,
    navigate: &Navigate,
) -> Html {
    let clear = {
        let (address, navigate) = (Rc::clone(address), navigate.clone());
        Callback::from(move |_: MouseEvent| navigate.replace(address.with_field(Field::Pair, "")))
    };
    let text = if is_incomplete { "results.compare.absent" } else { "results.compare.one" };
    html! {
        <div class="pair-bar">
            <p role="status">{ tr!(language, text) }</p>
            <button id="pair-clear" type="button" onclick={clear}>
                { tr!(language, "results.compare.clear") }
            </button>
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub pair: [Entry; 2],
    /// The ids of documents whose tasks the server did not send.
    pub missing: BTreeSet<String>,
}

/// The differences of two results and of their tasks, and the link to the comparison. They replace the list, so
/// that they are in sight however far the list was scrolled.
#[component]
pub fn Compared(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let Props { pair, missing } = props;
    use_effect_with((), |()| jump_to(TITLE));
    let onclick = Callback::from(move |event: MouseEvent| follow(&navigate, &event));
    let headers = pair.each_ref().map(|entry| &*entry.header);
    let (sentence, wrong) = verdict(language, headers);
    let class = if wrong {
        "bad"
    } else if must_agree(headers) {
        "good"
    } else {
        "soft"
    };
    // The key keeps answers about another pair from being shown. A published file keeps its document.
    let document = |entry: &Entry| {
        entry
            .document
            .as_ref()
            .map_or_else(|| entry.id.clone(), |document| document.id().to_string())
    };
    let key = pair.each_ref().map(document).join(",");
    html! {
        <div class="two-results" id="pair" {onclick}>
            <nav class="links way-back" aria-label={tr!(language, "back.name")}>
                <Link id="back" to={address.with_field(Field::Pair, "")}>{ "← " }{ tr!(language, "results.back") }</Link>
            </nav>
            <div class="pair-head">
                <h2 id={TITLE} tabindex="-1">{ tr!(language, "results.compare.title") }</h2>
                { share(language, &address, &pair.each_ref(), html! {}) }
            </div>
            { legend(language, &address, pair) }
            <p {class} id="pair-verdict">{ sentence }</p>
            { table(language, pair) }
            // Always one child: if their number changed, Yew would replace the heading, which may have the focus.
            { without_tasks(language, pair, missing).unwrap_or_default() }
            <PairTasks {key} pair={pair.clone()} />
        </div>
    }
}

/// Renders which result each letter stands for. The enclosing element follows the links.
fn legend(language: Language, address: &Address, pair: &[Entry; 2]) -> Html {
    let lines = pair.iter().zip(LETTERS).map(|(entry, letter)| {
        let started = Moment::new(&entry.header.started).local;
        let text = [run_name(language, entry), started].join(language.comma());
        let href = address.with_result(Some(entry.id.clone())).to_link();
        let id = format!("pair-result-{letter}");
        html! {
            <li><strong>{ letter }</strong><a {id} {href}>{ text }</a></li>
        }
    });
    html! { <ul class="pair-legend">{ for lines }</ul> }
}

/// The columns of the table of fields.
const COLUMNS: [Column<Language, FieldPair>; 4] = [
    Column::new("results.compare.field", "", |_, field| html! { &field.name }),
    Column::new("A", "", |_, field| html! { &field.values[0] }),
    Column::new("B", "", |_, field| html! { &field.values[1] }),
    Column::new("results.compare.difference", "", |language, field| match &field.difference {
        Difference::None => {
            html! { <span class="soft">{ tr!(*language, "results.compare.equal") }</span> }
        }
        Difference::Allowed(text) => html! { text },
        Difference::Wrong(text) => html! { <span class="bad">{ text }</span> },
    }),
];

/// Renders the fields of two results.
fn table(language: Language, pair: &[Entry; 2]) -> Html {
    let fields = differences(language, pair.each_ref().map(|entry| &*entry.header));
    let (fields, equal) = split_equal(fields);
    let rows = fields.iter().map(|field| html! { <tr>{ cells(&COLUMNS, &language, field) }</tr> });
    let name = tr!(language, "results.compare.title");
    html! {
        <>
            { framed("pair-table", name, heads(language, &COLUMNS), rows.collect()) }
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

/// Says why the tasks are not compared: one of the results came in a link, or the page does not have its tasks, or
/// not yet.
fn without_tasks(
    language: Language,
    pair: &[Entry; 2],
    missing: &BTreeSet<String>,
) -> Option<Html> {
    let key = if pair.iter().any(|entry| entry.source == Source::Link) {
        "results.compare.without-tasks"
    } else if pair.iter().any(|entry| entry.document.is_none() && missing.contains(&entry.id)) {
        "results.compare.tasks-failed"
    } else if pair.iter().any(|entry| entry.document.is_none()) {
        "results.compare.tasks-fetching"
    } else {
        return None;
    };
    Some(html! { <p class="soft" id="pair-tasks" role="status">{ tr!(language, key) }</p> })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;

    use super::*;
    use crate::address::{ResultsParameters, View};
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::results::archive::{Server, archive_of};
    use crate::views::results::entry::{LINKED, counted};
    use crate::words::plain;

    #[test]
    fn equal_fields_are_printed_although_they_are_folded() {
        let style = include_str!("../../../../style/print.css");
        assert!(style.contains("main details:not([open], #pair-equal)"), "{style}");
        let (_, rule) = style.split_once("#pair-equal::details-content {").unwrap();
        assert!(rule.trim_start().starts_with("content-visibility: visible;"), "{style}");
        let pair = [2.0, 3.0].map(|seconds| counted("a", 12, Method::Mirror, seconds));
        let html = rendered(Language::English, table(Language::English, &pair));
        assert!(html.contains("<details id=\"pair-equal\""), "{html}");
    }

    fn ids(ids: &[&str]) -> BTreeSet<String> {
        ids.iter().map(|&id| id.to_owned()).collect()
    }

    #[test]
    fn a_comparison_is_incomplete_once_a_result_is_known_to_be_absent() {
        let here = [counted("here", 12, Method::Mirror, 1.0)];
        let (id, other) = ("a".repeat(64), "b".repeat(64));
        let incomplete = |pair: &str, server, failed: &[&str]| {
            let list = ResultsParameters::default().with(Field::Pair, pair);
            let mut archive = archive_of(here.to_vec(), server);
            archive.missing = ids(failed);
            is_incomplete(&list, &archive)
        };
        let one = format!("here,{id}");
        for (server, expected) in [
            (Server::Unknown, false),
            (Server::Live, false),
            (Server::Absent, true),
            (Server::Lost, true),
        ] {
            assert_eq!(incomplete(&one, server, &[]), expected, "{server:?}");
        }
        assert!(incomplete(&one, Server::Live, &[&id]));
        assert!(incomplete(&format!("{id},{other}"), Server::Live, &[&id]));
        // A file of another browser, and a result that the link lacks.
        assert!(incomplete("here,file-1", Server::Live, &[]));
        assert!(incomplete("here,linked-2", Server::Live, &[]));
        for pair in ["", "here", &id, "here,here"] {
            assert!(!incomplete(pair, Server::Absent, &[]), "{pair}");
        }
    }

    #[test]
    fn the_table_compares_times_and_marks_wrong_totals() {
        let mut second = counted("b", 12, Method::Colours, 0.5);
        let pair = |second: &Entry| [counted("a", 12, Method::Mirror, 12.0), second.clone()];
        for (language, faster) in
            [(Language::English, "24 times as fast"), (Language::Japanese, "24 倍の速さ")]
        {
            let html = rendered(language, table(language, &pair(&second)));
            let said = texts(&html);
            assert!(said.contains(faster) && said.contains("14,200"), "{said}");
            assert_eq!(elements(&html, "class=\"bad\"").len(), 0, "{html}");
        }
        Rc::make_mut(&mut second.header).total += 8;
        let english = Language::English;
        let html = rendered(english, table(english, &pair(&second)));
        let wrong: Vec<_> =
            elements(&html, "class=\"bad\"").iter().map(|cell| cell.content()).collect();
        assert_eq!(wrong, ["+8"]);
    }

    #[test]
    fn the_legend_leads_to_both_results() {
        let pair = [("a", Method::Mirror), ("b", Method::Colours)];
        let pair = pair.map(|(id, method)| counted(id, 12, method, 12.0));
        let results = Address::default().with_view(View::Results);
        let html = legend(Language::English, &results, &pair);
        let html = rendered(Language::English, html);
        let hrefs: Vec<_> =
            elements(&html, "href=").iter().filter_map(|link| link.attribute("href")).collect();
        assert!(hrefs[0].contains("result=a") && hrefs[1].contains("result=b"), "{hrefs:?}");
        let said = plain(&texts(&html));
        assert!(said.contains("A\nN = 12, Mirror") && said.contains("B\nN = 12, Colour"), "{said}");
    }

    #[test]
    fn a_result_of_a_link_is_compared_without_tasks() {
        let [first, second] = ["a", "b"].map(|id| counted(id, 12, Method::Mirror, 12.0));
        let linked = Entry::of_link(LINKED, (*second.header).clone());
        for (language, part) in [
            (Language::English, "without its tasks"),
            (Language::Japanese, "タスクが入っていません"),
        ] {
            let said = |pair: [&Entry; 2]| {
                let pair = pair.map(Entry::clone);
                without_tasks(language, &pair, &ids(&[]))
                    .map(|html| texts(&rendered(language, html)))
            };
            assert_eq!(said([&first, &second]), None);
            for pair in [[&first, &linked], [&linked, &first]] {
                assert!(said(pair).unwrap().contains(part));
            }
        }
    }

    #[test]
    fn tasks_that_the_page_lacks_are_coming_or_have_failed() {
        let pair = ["a", "b"].map(|id| counted(id, 12, Method::Mirror, 12.0));
        let mut lacking = pair.clone();
        lacking[1].document = None;
        let said = |language, pair, failed: &[&str]| {
            let html = without_tasks(language, pair, &ids(failed));
            html.map(|html| texts(&rendered(language, html))).unwrap_or_default()
        };
        for (language, fetching, failed) in [
            (Language::English, "Loading the tasks", "did not send the tasks"),
            (Language::Japanese, "タスクを読み込んでいます", "受け取れなかった"),
        ] {
            assert!(said(language, &lacking, &[]).contains(fetching));
            assert!(said(language, &lacking, &["b"]).contains(failed));
            assert_eq!(said(language, &pair, &["b"]), "");
        }
    }

    #[test]
    fn equal_fields_are_folded() {
        let second = counted("b", 12, Method::Colours, 0.5);
        let language = Language::English;
        let shown = |second: &Entry| {
            let pair = [counted("a", 12, Method::Mirror, 12.0), second.clone()];
            rendered(language, table(language, &pair))
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
