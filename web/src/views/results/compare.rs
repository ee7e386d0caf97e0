//! The comparison of two results that are ticked in the table.

use std::rc::Rc;

use queens_state::results::{
    Difference, FieldPair, differences, must_agree, shown, split_equal, verdict,
};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::archive::{Archive, Entry, FILE_PREFIX, Source};
use super::moment::Moment;
use super::server;
use super::tasks::use_latest;
use super::words;
use crate::browser::focus;
use crate::parts::link::Link;
use crate::place::{Address, Field, Navigate, ResultsParameters, use_address};
use crate::words::{Language, duration, grouped, grouped_decimal, method_name, tr, use_language};
use crate::worker::{Answer, Request, TaskDifference, TimeDifference, TimePair};

/// The id of the heading, to which a button of the bar leads.
const TITLE: &str = "pair-title";

/// Returns the ids of the ticked results, at most two.
pub fn ticked(list: &ResultsParameters) -> impl Iterator<Item = &str> {
    list.get(Field::Pair).split(',').filter(|id| !id.is_empty()).take(2)
}

/// Returns the ticked results after a click on the box of the result `id`. A third tick replaces the
/// first.
fn toggled(list: &ResultsParameters, id: &str) -> String {
    let mut ids: Vec<&str> = ticked(list).collect();
    match ids.iter().position(|ticked| *ticked == id) {
        Some(at) => drop(ids.remove(at)),
        None => ids.push(id),
    }
    let start = ids.len().saturating_sub(2);
    ids.get(start..).unwrap_or_default().join(",")
}

/// Returns the address `to` with the ticks of the list at `list`. The links of rows omit the ticks, because
/// otherwise each tick would change all of them.
pub fn with_ticks(to: &Address, list: &Address) -> Address {
    to.with_field(Field::Pair, list.results.get(Field::Pair))
}

/// Returns the address without the tick of the result `id`.
pub fn without_tick(address: &Address, id: &str) -> Address {
    let ids: Vec<&str> = ticked(&address.results).filter(|ticked| *ticked != id).collect();
    address.with_field(Field::Pair, &ids.join(","))
}

/// Returns the address with a tick of the result `new` instead of one of the result `old`.
pub fn with_tick_moved(address: &Address, old: &str, new: &str) -> Address {
    let mut ids: Vec<&str> = ticked(&address.results).filter(|ticked| *ticked != new).collect();
    for id in ids.iter_mut().filter(|id| **id == old) {
        *id = new;
    }
    address.with_field(Field::Pair, &ids.join(","))
}

/// Returns a callback for clicks on the boxes of the table, whose values are the ids of the results.
pub fn on_tick(address: &Rc<Address>, navigate: &Navigate) -> Callback<Event> {
    let (address, navigate) = (Rc::clone(address), navigate.clone());
    Callback::from(move |event: Event| {
        let Some(tick) = event.target_dyn_into::<HtmlInputElement>() else { return };
        if tick.type_() == "checkbox" {
            let pair = toggled(&address.results, &tick.value());
            navigate.replace(address.with_field(Field::Pair, &pair));
        }
    })
}

/// Renders a button that leads to the comparison.
pub fn show_button(language: Language, id: Option<&'static str>, class: &'static str) -> Html {
    let onclick = Callback::from(|_: MouseEvent| focus(TITLE));
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

#[derive(Properties, PartialEq)]
pub struct Props {
    pub pair: [Entry; 2],
    pub archive: UseReducerDispatcher<Archive>,
}

/// The differences of two results, and of their tasks.
#[component]
pub fn Compared(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let pair = &props.pair;
    // The server's list omits the tasks.
    let missing = pair.each_ref().map(|entry| {
        (entry.document.is_none() && server::is_id(&entry.id)).then(|| entry.id.clone())
    });
    let archive = props.archive.clone();
    use_effect_with(missing, move |missing| {
        for id in missing.iter().flatten() {
            server::fetch_document(archive.clone(), id.clone(), Callback::noop());
        }
    });
    let [first, second] = pair.each_ref().map(|entry| entry.document.as_ref());
    let request = first.zip(second);
    let request = request.map(|(first, second)| Request::TaskDifference([first.id(), second.id()]));
    let is_requested = request.is_some();
    let tasks = use_latest(request, |answer| match answer {
        Answer::TaskDifference(difference) => Some(difference),
        _ => None,
    });
    let headers = pair.each_ref().map(|entry| &*entry.header);
    let (sentence, wrong) = verdict(language, headers);
    let class = if wrong {
        "bad"
    } else if must_agree(headers) {
        "good"
    } else {
        "soft"
    };
    html! {
        <div class="two-results" id="pair">
            <h2 id={TITLE} tabindex="-1">{ tr!(language, "results.compare.title") }</h2>
            <p {class} id="pair-verdict">{ sentence }</p>
            { table(language, &address, pair) }
            { for without_tasks(language, pair) }
            if let Some(tasks) = tasks.filter(|_| is_requested) {
                { tasks_compared(language, tasks.as_ref().as_ref()) }
                if let Some(tasks) = tasks.as_ref() {
                    { times_compared(language, &tasks.times, &address, pair.each_ref().map(|entry| &*entry.id)) }
                }
            }
        </div>
    }
}

/// Returns the headings of the two columns. If N and method are the same, they also have the first of
/// source, threads, start, backend and device that differs.
fn heads(language: Language, pair: [&Entry; 2]) -> [String; 2] {
    let names = pair.map(|entry| {
        let (n, method) = (entry.header.n, method_name(language, entry.header.method));
        tr!(language, "results.run-label", n = n, method = method)
    });
    let differ = |texts: &[String; 2]| texts[0] != texts[1];
    if differ(&names) {
        return names;
    }
    let more = [
        pair.map(|entry| words::source(language, &entry.source)),
        pair.map(|entry| {
            let name = tr!(language, "results.field.threads");
            [&name, language.colon(), &entry.header.host.threads.to_string()].concat()
        }),
        pair.map(|entry| Moment::new(&entry.header.started).local),
        pair.map(|entry| Moment::local_to_second(&entry.header.started)),
        pair.map(|entry| entry.header.backend.kind.id().to_owned()),
        pair.map(|entry| shown(&entry.header.backend.device)),
    ];
    let Some([first, second]) = more.into_iter().find(differ) else { return names };
    let [a, b] = names;
    let dot = language.dot();
    [format!("{a}{dot}{first}"), format!("{b}{dot}{second}")]
}

fn table(language: Language, address: &Address, pair: &[Entry; 2]) -> Html {
    let names = heads(language, pair.each_ref());
    let heads = pair.iter().zip(names).map(|(entry, name)| {
        let to = address.with_result(Some(entry.id.clone()));
        html! { <th scope="col"><Link {to}>{ name }</Link></th> }
    });
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
                        <th scope="col">{ tr!(language, "results.compare.difference") }</th>
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

/// Renders the comparison of the tasks. `tasks` is `None` if the plans differ.
fn tasks_compared(language: Language, tasks: Option<&TaskDifference>) -> Html {
    let Some(tasks) = tasks else {
        return html! { <p class="soft" id="pair-tasks">{ tr!(language, "results.compare.other-plan") }</p> };
    };
    let count = grouped(tasks.common.into());
    let (class, sentence) = match (tasks.common, tasks.mismatch_count) {
        (0, _) => ("soft", tr!(language, "results.compare.tasks-none")),
        (_, 0) => ("good", tr!(language, "results.compare.tasks-agree", count = count)),
        (_, different) => {
            let different = grouped(different.into());
            (
                "bad",
                tr!(language, "results.compare.tasks-differ", count = count, different = different),
            )
        }
    };
    let lines = tasks.mismatches.iter().map(|pair| {
        let [first, second] = pair.totals.map(grouped);
        html! { <li>{ tr!(language, "results.compare.task", id = pair.id, first = first, second = second) }</li> }
    });
    let more = tasks.mismatch_count.saturating_sub(tasks.mismatches.len() as u32);
    let [first, second] = [tasks.only_first, tasks.only_second].map(|only| grouped(only.into()));
    html! {
        <div id="pair-tasks">
            <p {class}>{ sentence }</p>
            if !tasks.mismatches.is_empty() {
                <ul>{ for lines }</ul>
            }
            if more > 0 {
                <p class="soft">{ tr!(language, "results.and-more", count = grouped(more.into())) }</p>
            }
            if tasks.only_first + tasks.only_second > 0 {
                <p class="soft">{ tr!(language, "results.compare.tasks-only", first = first, second = second) }</p>
            }
        </div>
    }
}

/// Renders the comparison of the tasks' times; nothing if no task has a time in both results. Each link opens a
/// task of the result, of those with the ids `pair`, that took longer for it.
fn times_compared(
    language: Language,
    times: &TimeDifference,
    address: &Address,
    pair: [&str; 2],
) -> Option<Html> {
    let TimeDifference { timed, longer, sums, largest } = times;
    if *timed == 0 {
        return None;
    }
    let lines: Vec<Html> =
        largest.iter().filter_map(|times| task_times(language, times, address, pair)).collect();
    let [first, second] = longer.map(|count| grouped(count.into()));
    let count = grouped((*timed).into());
    Some(html! {
        <div id="pair-times">
            <p id="pair-sums">{ sums_compared(language, *sums) }</p>
            <p>{ tr!(language, "results.compare.times", count = count, first = first, second = second) }</p>
            if !lines.is_empty() {
                <p>{ tr!(language, "results.compare.largest-times") }</p>
                <ul>{ lines }</ul>
            }
        </div>
    })
}

/// Returns the time in the tasks of each result, and their difference unless rounding hides it.
fn sums_compared(language: Language, sums: [f64; 2]) -> String {
    let [first, second] = sums.map(|seconds| duration(language, seconds));
    if first == second {
        return tr!(language, "results.compare.sums-equal", first = first);
    }
    let gap = duration(language, (sums[1] - sums[0]).abs());
    let is_second_longer = sums[0] < sums[1];
    let key =
        if is_second_longer { "results.compare.sums-second" } else { "results.compare.sums-first" };
    tr!(language, key, first = first, second = second, gap = gap)
}

/// Renders a link to a task in the result where it took longer; nothing if rounding hides the difference, which
/// would look like an error.
fn task_times(
    language: Language,
    times: &TimePair,
    address: &Address,
    pair: [&str; 2],
) -> Option<Html> {
    let TimePair { id, seconds: [first, second] } = *times;
    let [from, to] = [first, second].map(|seconds| duration(language, seconds));
    if from == to {
        return None;
    }
    let gap = duration(language, (second - first).abs());
    let factor = (second / first).max(first / second);
    let decimals = match factor {
        ..1.1 => 3,
        ..10.0 => 2,
        _ => 0,
    };
    let times = grouped_decimal(factor, decimals);
    let (key, slower) = if first < second {
        ("results.compare.task-second", pair[1])
    } else {
        ("results.compare.task-first", pair[0])
    };
    let text = tr!(language, key, id = id, gap = gap, times = times, first = from, second = to);
    let to = address.with_result(Some(slower.to_owned())).with_field(Field::Task, &id.to_string());
    Some(html! { <li><Link {to}>{ text }</Link></li> })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;
    use queens_worker::TaskPair;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::results::archive::counted;
    use crate::words::plain;

    #[test]
    fn equal_fields_are_printed_although_they_are_folded() {
        let style = include_str!("../../../style/print.css");
        assert!(style.contains("main details:not([open], #pair-equal)"), "{style}");
        let (_, rule) = style.split_once("#pair-equal::details-content {").unwrap();
        assert!(rule.trim_start().starts_with("content-visibility: visible;"), "{style}");
        let pair = [2.0, 3.0].map(|seconds| counted("a", 12, Method::Mirror, seconds));
        let html =
            rendered(Language::English, table(Language::English, &Address::default(), &pair));
        assert!(html.contains("<details id=\"pair-equal\""), "{html}");
    }

    #[test]
    fn an_opened_result_keeps_the_ticks_of_the_list() {
        let list = Address::default().with_field(Field::Pair, "a,b");
        // The links of rows omit the ticks.
        let row = list.with_field(Field::Pair, "").with_result(Some("c".into()));
        let opened = with_ticks(&row, &list);
        assert_eq!(opened.result.as_deref(), Some("c"));
        assert_eq!(ticked(&opened.with_result(None).results).collect::<Vec<_>>(), ["a", "b"]);
        let ticks = |address: &Address| address.results.get(Field::Pair).to_owned();
        // A result that is removed loses its tick.
        assert_eq!(["a", "b", "c"].map(|id| ticks(&without_tick(&list, id))), ["b", "a", "a,b"]);
        // A file that is published has another id.
        assert_eq!(ticks(&with_tick_moved(&list, "a", "c")), "c,b");
        assert_eq!(ticks(&with_tick_moved(&list, "a", "b")), "b");
        assert_eq!(ticks(&with_tick_moved(&list, "c", "d")), "a,b");
    }

    #[test]
    fn a_third_tick_replaces_the_first() {
        let list = |pair: &str| ResultsParameters::default().with(Field::Pair, pair);
        let after = |pair: &str, id: &str| toggled(&list(pair), id);
        assert_eq!(after("", "file-1"), "file-1");
        assert_eq!(after("file-1", "ab"), "file-1,ab");
        assert_eq!(after("file-1,ab", "cd"), "ab,cd");
        assert_eq!(after("file-1,ab", "file-1"), "ab");
        assert_eq!(after("ab", "ab"), "");
        // An address may contain any text.
        assert_eq!(after(",a,,b,c", "c"), "b,c");
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
        let list = ResultsParameters::default().with(Field::Pair, "10,11");
        for (pair, expected, other) in [
            ("10,11", ["N = 10, ", "N = 11, "], "N = 12"),
            (&toggled(&list, "12"), ["N = 11, ", "N = 12, "], "N = 10"),
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
        for pair in ["a", "a,b"] {
            assert!(said(Language::English, pair).contains("Tick another one"));
        }
    }

    #[test]
    fn the_table_compares_times_and_marks_wrong_totals() {
        let mut second = counted("b", 12, Method::Halves, 0.5);
        let pair = |second: &Entry| [counted("a", 12, Method::Mirror, 12.0), second.clone()];
        for (language, faster) in
            [(Language::English, "24 times as fast"), (Language::Japanese, "24 倍の速さ")]
        {
            let html = rendered(language, table(language, &Address::default(), &pair(&second)));
            let said = texts(&html);
            assert!(said.contains(faster) && said.contains("14,200"), "{said}");
            assert_eq!(elements(&html, "class=\"bad\"").len(), 0, "{html}");
            assert_eq!(elements(&html, "result=b").len(), 1, "{html}");
        }
        Rc::make_mut(&mut second.header).total += 8;
        let english = Language::English;
        let html = rendered(english, table(english, &Address::default(), &pair(&second)));
        let wrong: Vec<_> =
            elements(&html, "class=\"bad\"").iter().map(|cell| cell.content()).collect();
        assert_eq!(wrong, ["+8"]);
    }

    #[test]
    fn headings_of_equal_counts_have_what_differs() {
        let language = Language::English;
        let shown = |pair: &[Entry; 2]| heads(language, pair.each_ref()).map(|head| plain(&head));
        let mut pair = ["a", "b"].map(|id| counted(id, 14, Method::Symmetry, 1.0));
        assert_eq!(shown(&pair), ["N = 14, Symmetry"; 2]);
        Rc::make_mut(&mut pair[1].header).backend.device = "other".into();
        assert_eq!(shown(&pair)[1], "N = 14, Symmetry · other");
        for (entry, second) in pair.iter_mut().zip(["07", "42"]) {
            Rc::make_mut(&mut entry.header).started = format!("2026-01-31T09:30:{second}Z");
        }
        let [first, second] = shown(&pair);
        assert!(first.contains(":30:07") && second.contains(":30:42"), "{first}, {second}");
        Rc::make_mut(&mut pair[1].header).host.threads = 8;
        assert_eq!(shown(&pair), [2, 8].map(|n| format!("N = 14, Symmetry · Threads: {n}")));
        pair[0].source = Source::File("first.json".into());
        pair[1].source = Source::File("second.json".into());
        let names = ["first.json", "second.json"];
        assert_eq!(shown(&pair), names.map(|name| format!("N = 14, Symmetry · {name}")));
        Rc::make_mut(&mut pair[1].header).method = Method::Halves;
        assert_eq!(shown(&pair)[0], "N = 14, Symmetry");
    }

    #[test]
    fn a_result_of_a_link_is_compared_without_tasks() {
        let [first, second] = ["a", "b"].map(|id| counted(id, 12, Method::Mirror, 12.0));
        let linked = Entry::of_link((*second.header).clone());
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
    fn tasks_that_differ_are_listed() {
        let said = |tasks: Option<&TaskDifference>| {
            let language = Language::English;
            texts(&rendered(language, tasks_compared(language, tasks)))
        };
        let agree = TaskDifference { common: 1_200, ..TaskDifference::default() };
        assert_eq!(
            said(Some(&agree)),
            "Task by task: all 1,200 tasks that both results have agree."
        );
        let mismatches = vec![TaskPair { id: 7, totals: [16, 18] }];
        let differ =
            TaskDifference { mismatch_count: 3, mismatches, only_second: 5, ..agree.clone() };
        let text = said(Some(&differ));
        for part in ["3 of 1,200", "task 7: 16 and 18", "and 2 more", "Only in the second: 5"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(said(Some(&TaskDifference::default())).contains("no tasks in common"));
        let other_plan = said(None);
        for part in ["cannot be compared", "same N by the same method"] {
            assert!(other_plan.contains(part), "{other_plan}");
        }
    }

    #[test]
    fn tasks_whose_times_differ_most_are_links() {
        let shown = |language, times: &TimeDifference| {
            let address = Address::default();
            times_compared(language, times, &address, ["a", "b"])
                .map(|html| rendered(language, html))
        };
        let largest = [(7, [0.5, 65.0]), (300, [4.0, 2.0]), (9, [1.001, 1.002])];
        let largest = largest.map(|(id, seconds)| TimePair { id, seconds }).into();
        let times =
            TimeDifference { timed: 1_200, longer: [2, 1_100], sums: [80.0, 84.5], largest };
        let html = shown(Language::English, &times).unwrap();
        let lines: Vec<_> = elements(&html, "href=").iter().map(|link| link.content()).collect();
        // The times of task 9 are equal after rounding.
        let expected = [
            "task 7: 1 min 5 s longer in the second, 130 times as long (500 ms and 1 min 5 s)",
            "task 300: 2.00 s longer in the first, 2.00 times as long (4.00 s and 2.00 s)",
        ];
        assert_eq!(lines, expected);
        let text = texts(&html);
        let numbers = "results: 1,200. Longer in the second: 1,100. Longer in the first: 2.";
        assert!(text.contains(numbers), "{text}");
        let links = elements(&html, "href=");
        // Each link leads to the task in the slower run.
        for (link, parts) in links.iter().zip([["result=b", "task=7"], ["result=a", "task=300"]]) {
            let link = link.attribute("href").unwrap();
            assert!(parts.iter().all(|part| link.contains(part)), "{link}");
        }
        let sums = "1 min 20 s in the first and 1 min 25 s in the second, which is 4.50 s longer.";
        assert!(text.contains(sums), "{text}");
        let japanese = texts(&shown(Language::Japanese, &times).unwrap());
        let line =
            "タスク 300：1 件目のほうが長い（差 2.00 秒、2.00 倍、1 件目 4.00 秒、2 件目 2.00 秒）";
        assert!(japanese.contains(line) && japanese.contains("1,100 個"), "{japanese}");

        let same = TimeDifference { timed: 3, ..TimeDifference::default() };
        assert!(!shown(Language::English, &same).unwrap().contains("<ul>"));
        assert_eq!(shown(Language::English, &TimeDifference::default()), None);
    }

    #[test]
    fn equal_fields_are_folded() {
        let second = counted("b", 12, Method::Halves, 0.5);
        let language = Language::English;
        let shown = |second: &Entry| {
            let pair = [counted("a", 12, Method::Mirror, 12.0), second.clone()];
            rendered(language, table(language, &Address::default(), &pair))
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
