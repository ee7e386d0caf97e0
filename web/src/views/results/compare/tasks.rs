//! The tasks of two compared results: whether they agree, their times in numbers and as a picture, and a table of
//! all of them.

use queens_state::results::TaskOrder;
use yew::prelude::*;

use super::task_table::TaskTable;
use super::times_picture::TimesPicture;
use crate::place::{Address, Field, use_address};
use crate::views::results::archive::Entry;
use crate::views::results::latest::use_latest;
use crate::views::results::scroll_anchor::use_scroll_anchor;
use crate::words::{Language, duration, grouped, ratio_text, tr, use_language};
use crate::worker::{Answer, Request, TaskDifference, TimeDifference, TimePair};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub pair: [Entry; 2],
    /// The short names of the results.
    pub names: [String; 2],
}

/// The comparison of the tasks; empty until the worker has both results with their tasks.
#[component]
pub fn PairTasks(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    // The tasks arrive above the row that the user has just ticked.
    use_scroll_anchor();
    let Props { pair, names } = props;
    let [first, second] = pair.each_ref().map(|entry| entry.document.as_ref());
    let documents = first.zip(second).map(|(first, second)| [first.id(), second.id()]);
    let tasks = use_latest(documents.map(Request::TaskDifference), |answer| match answer {
        Answer::TaskDifference(difference) => Some(difference),
        _ => None,
    });
    let Some((tasks, documents)) = tasks.zip(documents) else { return html! {} };
    let ids = pair.each_ref().map(|entry| &*entry.id);
    let order = TaskOrder::parse(address.results.get(Field::TaskSort));
    html! {
        <>
            { tasks_compared(language, tasks.as_ref().as_ref(), names) }
            if let Some(tasks) = tasks.as_ref() {
                { times_compared(language, tasks, &address, ids, names) }
                if tasks.common > 0 {
                    <div class="pair-all">
                        if let Some(picture) = &tasks.times.picture {
                            <TimesPicture picture={picture.clone()} names={names.clone()} />
                        }
                        <TaskTable
                            {documents} ids={ids.map(str::to_owned)} names={names.clone()}
                            common={tasks.common} {order}
                            has_picture={tasks.times.picture.is_some()}
                        />
                    </div>
                }
            }
        </>
    }
}

/// Says whether the tasks agree. `tasks` is `None` if the plans differ.
fn tasks_compared(language: Language, tasks: Option<&TaskDifference>, names: &[String; 2]) -> Html {
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
    let only =
        names.iter().zip([tasks.only_first, tasks.only_second]).filter(|(_, only)| *only > 0);
    let only = only.map(|(name, only)| {
        let text =
            tr!(language, "results.compare.tasks-only", name = name, count = grouped(only.into()));
        html! { <p class="soft">{ text }</p> }
    });
    html! {
        <div id="pair-tasks">
            <p {class}>{ sentence }</p>
            if !tasks.mismatches.is_empty() {
                <ul>{ for lines }</ul>
            }
            if more > 0 {
                <p class="soft">{ tr!(language, "results.and-more", count = grouped(more.into())) }</p>
            }
            { for only }
        </div>
    }
}

/// Renders the comparison of the tasks' times; nothing if no task has a time in both results. Each link opens a
/// task of the result, of those with the ids `pair`, that took longer for it.
fn times_compared(
    language: Language,
    TaskDifference { common, times, .. }: &TaskDifference,
    address: &Address,
    pair: [&str; 2],
    names: &[String; 2],
) -> Option<Html> {
    if times.timed == 0 {
        return None;
    }
    let facts = facts(language, times, *common, names).into_iter().map(|(name, value)| {
        html! { <div><dt>{ name }</dt><dd>{ value }</dd></div> }
    });
    let lines = times.largest.iter();
    let lines: Vec<Html> =
        lines.filter_map(|times| task_times(language, times, address, pair, names)).collect();
    Some(html! {
        <div id="pair-times">
            <dl class="facts" id="pair-sums">{ for facts }</dl>
            if !lines.is_empty() {
                <p>{ tr!(language, "results.compare.largest-times") }</p>
                <ul>{ lines }</ul>
            }
        </div>
    })
}

/// Returns the numbers of the comparison, each with its name.
fn facts(
    language: Language,
    times: &TimeDifference,
    common: u32,
    names: &[String; 2],
) -> Vec<(String, String)> {
    let TimeDifference { timed, longer, sums, median_ratio, .. } = times;
    let all = grouped((*timed).into());
    let timed = if *timed < common {
        tr!(language, "results.compare.timed-some", timed = all, common = grouped(common.into()))
    } else {
        all
    };
    let [first, second] = names;
    let sum = |name: &String, sum: f64, other: f64| {
        let (text, other_text) = (duration(language, sum), duration(language, other));
        let value = if sum > other && text != other_text {
            let gap = duration(language, sum - other);
            tr!(language, "results.compare.sum-longer", time = text, gap = gap)
        } else {
            text
        };
        (tr!(language, "results.compare.sum", name = name), value)
    };
    let more = |name: &String, count: u32| {
        (tr!(language, "results.compare.longer-in", name = name), grouped(count.into()))
    };
    vec![
        (tr!(language, "results.compare.timed"), timed),
        sum(first, sums[0], sums[1]),
        sum(second, sums[1], sums[0]),
        (
            tr!(language, "results.compare.median", first = first, second = second),
            ratio_text(*median_ratio),
        ),
        more(first, longer[0]),
        more(second, longer[1]),
    ]
}

/// Renders a link to a task in the result where it took longer; nothing if rounding hides the difference, which
/// would look like an error.
fn task_times(
    language: Language,
    times: &TimePair,
    address: &Address,
    pair: [&str; 2],
    names: &[String; 2],
) -> Option<Html> {
    let TimePair { id, seconds: [first, second] } = *times;
    let [from, to] = [first, second].map(|seconds| duration(language, seconds));
    if from == to {
        return None;
    }
    let gap = duration(language, (second - first).abs());
    let factor = (second / first).max(first / second);
    let times = ratio_text(factor);
    let [a, b] = names;
    let (slower, name) = if first < second { (pair[1], b) } else { (pair[0], a) };
    let text = tr!(
        language,
        "results.compare.task-longer",
        id = id,
        gap = gap,
        times = times,
        name = name,
        a = a,
        first = from,
        b = b,
        second = to
    );
    let to = address.with_result(Some(slower.to_owned())).with_field(Field::Task, &id.to_string());
    let (id, href) = (format!("pair-largest-{id}"), to.to_link());
    // The enclosing element follows the link and records its place.
    Some(html! { <li><a {id} {href}>{ text }</a></li> })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_worker::TaskPair;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::words::plain;

    fn names() -> [String; 2] {
        ["a.json".to_owned(), "b.json".to_owned()]
    }

    #[test]
    fn tasks_that_differ_are_listed() {
        let said = |tasks: Option<&TaskDifference>| {
            let language = Language::English;
            texts(&rendered(language, tasks_compared(language, tasks, &names())))
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
        for part in
            ["3 of 1,200", "task 7: 16 and 18", "and 2 more", "Tasks that only b.json has: 5."]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("only a.json"), "{text}");
        assert!(said(Some(&TaskDifference::default())).contains("no tasks in common"));
        let other_plan = said(None);
        for part in ["cannot be compared", "same N by the same method"] {
            assert!(other_plan.contains(part), "{other_plan}");
        }
    }

    fn times() -> TimeDifference {
        let largest = [(7, [0.5, 65.0]), (300, [4.0, 2.0]), (9, [1.001, 1.002])];
        let largest = largest.map(|(id, seconds)| TimePair { id, seconds }).into();
        TimeDifference {
            timed: 1_200,
            longer: [2, 1_100],
            sums: [80.0, 84.5],
            largest,
            median_ratio: 1.046,
            picture: None,
        }
    }

    fn shown(language: Language, times: &TimeDifference) -> Option<String> {
        let (common, times) = (times.timed, times.clone());
        let tasks = TaskDifference { common, times, ..TaskDifference::default() };
        times_compared(language, &tasks, &Address::default(), ["a", "b"], &names())
            .map(|html| rendered(language, html))
    }

    #[test]
    fn tasks_whose_times_differ_most_are_links() {
        let html = shown(Language::English, &times()).unwrap();
        let links = elements(&html, "href=");
        let lines: Vec<_> = links.iter().map(|link| link.content()).collect();
        // The times of task 9 are equal after rounding.
        let expected = [
            "task 7: 1 min 5 s longer in b.json, 130 times as long (a.json: 500 ms, b.json: 1 min 5 s)",
            "task 300: 2.00 s longer in a.json, 2.00 times as long (a.json: 4.00 s, b.json: 2.00 s)",
        ];
        assert_eq!(lines, expected);
        // Each link leads to the task in the slower run, and back from it.
        for (link, parts) in links.iter().zip([["result=b", "task=7"], ["result=a", "task=300"]]) {
            let (href, id) = (link.attribute("href").unwrap(), link.attribute("id"));
            assert!(parts.iter().all(|part| href.contains(part)) && id.is_some(), "{href}");
        }
        let japanese = texts(&shown(Language::Japanese, &times()).unwrap());
        assert!(japanese.contains("タスク 300：「a.json」のほうが長い"), "{japanese}");
        let same = TimeDifference { timed: 3, ..TimeDifference::default() };
        assert!(!shown(Language::English, &same).unwrap().contains("<ul>"));
        assert_eq!(shown(Language::English, &TimeDifference::default()), None);
    }

    #[test]
    fn sums_and_the_median_of_the_ratios_have_the_names_of_the_results() {
        let [all, some] =
            [1_200, 1_300].map(|common| facts(Language::English, &times(), common, &names()));
        assert_eq!(all[1..], some[1..]);
        assert_eq!(some[0].1, "1,200 of 1,300; the others took less than the clock can measure");
        let facts = |language| {
            let facts = facts(language, &times(), 1_200, &names());
            facts.into_iter().map(|(name, value)| plain(&format!("{name}: {value}"))).collect()
        };
        let english: Vec<String> = facts(Language::English);
        assert_eq!(
            english,
            [
                "Tasks with times in both: 1,200",
                "Sum of these times over all threads, a.json: 1 min 20 s",
                "Sum of these times over all threads, b.json: 1 min 25 s, which is 4.50 s longer",
                "Median ratio, b.json to a.json: 1.046",
                "Longer in a.json: 2",
                "Longer in b.json: 1,100",
            ]
        );
        let japanese: Vec<String> = facts(Language::Japanese);
        assert!(japanese.iter().all(|fact| !fact.contains("results.")), "{japanese:?}");
    }
}
