//! The tasks of two compared results: whether they agree, and their times in numbers and as a picture.

use yew::prelude::*;

use super::LETTERS;
use super::task_times::{in_slower, times_text};
use super::times_picture::TimesPicture;
use crate::address::{Address, use_address};
use crate::views::results::entry::Entry;
use crate::views::results::latest::use_latest;
use crate::words::{Language, duration, grouped, ratio_text, tr, use_language};
use crate::worker::{Answer, Request, TaskDifference, TimeDifference, TimePair};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub pair: [Entry; 2],
}

/// The comparison of the tasks; empty until the worker has both results with their tasks.
#[component]
pub fn PairTasks(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let pair = &props.pair;
    let [first, second] = pair.each_ref().map(|entry| entry.document.as_ref());
    let documents = first.zip(second).map(|(first, second)| [first.id(), second.id()]);
    let tasks = use_latest(documents.map(Request::TaskDifference), |answer| match answer {
        Answer::TaskDifference(difference) => Some(difference),
        _ => None,
    });
    let Some(tasks) = tasks.filter(|_| documents.is_some()) else { return html! {} };
    let Some(tasks) = tasks.as_ref() else { return other_plan(language) };
    let ids = pair.each_ref().map(|entry| entry.id.clone());
    html! {
        <>
            { tasks_compared(language, tasks) }
            <div class="pair-overview">
                { times_compared(language, tasks, &address, &ids) }
                if let Some(picture) = &tasks.times.picture {
                    <TimesPicture picture={picture.clone()} />
                }
            </div>
        </>
    }
}

/// Says that the tasks of the results cannot be compared.
fn other_plan(language: Language) -> Html {
    html! { <p class="soft" id="pair-tasks">{ tr!(language, "results.compare.other-plan") }</p> }
}

/// Says whether the tasks agree.
fn tasks_compared(language: Language, tasks: &TaskDifference) -> Html {
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
        LETTERS.iter().zip([tasks.only_first, tasks.only_second]).filter(|(_, only)| *only > 0);
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
/// task of the result, of those with these ids, that took longer for it.
fn times_compared(
    language: Language,
    TaskDifference { common, times, .. }: &TaskDifference,
    address: &Address,
    ids: &[String; 2],
) -> Option<Html> {
    if times.timed == 0 {
        return None;
    }
    let untimed = (times.timed < *common).then(|| {
        let [timed, common] = [times.timed, *common].map(|count| grouped(count.into()));
        tr!(language, "results.compare.timed-some", timed = timed, common = common)
    });
    let lines = times.largest.iter();
    let lines: Vec<Html> =
        lines.filter_map(|times| task_times(language, times, address, ids)).collect();
    Some(html! {
        <div id="pair-times">
            { sums(language, times) }
            if let Some(text) = untimed {
                <p class="soft">{ text }</p>
            }
            if !lines.is_empty() {
                <p>{ tr!(language, "results.compare.largest-times") }</p>
                <ul class="pair-largest">{ lines }</ul>
            }
        </div>
    })
}

/// Renders the sums of the times, the numbers of tasks that took longer, and the median of the ratios.
fn sums(language: Language, times: &TimeDifference) -> Html {
    let row = |key: &str, values: [String; 2]| {
        html! {
            <tr>
                <th scope="row">{ tr!(language, key) }</th>
                { for values.map(|value| html! { <td class="number">{ value }</td> }) }
            </tr>
        }
    };
    let heads = LETTERS.map(|letter| html! { <th scope="col" class="number">{ letter }</th> });
    html! {
        <table class="result-table" id="pair-sums">
            <thead><tr><td></td>{ for heads }</tr></thead>
            <tbody>
                { row("results.compare.sum", times.sums.map(|sum| duration(language, sum))) }
                { row("results.compare.longer-in", times.longer.map(|count| grouped(count.into()))) }
                <tr>
                    <th scope="row">{ tr!(language, "results.compare.median") }</th>
                    <td class="number" colspan="2">{ ratio_text(times.median_ratio) }</td>
                </tr>
            </tbody>
        </table>
    }
}

/// Renders a link to a task in the result where it took longer; nothing if rounding hides the difference, which
/// would look like an error.
fn task_times(
    language: Language,
    times: &TimePair,
    address: &Address,
    ids: &[String; 2],
) -> Option<Html> {
    let TimePair { id, seconds } = *times;
    let text = times_text(language, id, seconds)?;
    let href = in_slower(address, ids, id, seconds).to_link();
    // The enclosing element follows the link and records its place.
    Some(html! { <li><a id={format!("pair-largest-{id}")} {href}>{ text }</a></li> })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_worker::TaskPair;

    use super::*;
    use crate::address::View;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::words::plain;

    #[test]
    fn tasks_that_differ_are_listed() {
        let said = |tasks: &TaskDifference| {
            let language = Language::English;
            texts(&rendered(language, tasks_compared(language, tasks)))
        };
        let agree = TaskDifference { common: 1_200, ..TaskDifference::default() };
        assert_eq!(said(&agree), "Task by task: all 1,200 tasks that both results have agree.");
        let mismatches = vec![TaskPair { id: 7, totals: [16, 18] }];
        let differ =
            TaskDifference { mismatch_count: 3, mismatches, only_second: 5, ..agree.clone() };
        let text = said(&differ);
        for part in ["3 of 1,200", "task 7: 16 and 18", "and 2 more", "Tasks that only B has: 5."] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("only A"), "{text}");
        assert!(said(&TaskDifference::default()).contains("no tasks in common"));
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
        let ids = ["a", "b"].map(ToOwned::to_owned);
        let results = Address::default().with_view(View::Results);
        times_compared(language, &tasks, &results, &ids).map(|html| rendered(language, html))
    }

    #[test]
    fn tasks_whose_times_differ_most_are_links() {
        let html = shown(Language::English, &times()).unwrap();
        let links = elements(&html, "href=");
        let lines: Vec<_> = links.iter().map(|link| link.content()).collect();
        // The times of task 9 are equal after rounding.
        let expected = [
            "task 7: A 500 ms, B 1 min 5 s (B took 130 times as long as A)",
            "task 300: A 4.00 s, B 2.00 s (A took 2.00 times as long as B)",
        ];
        assert_eq!(lines, expected);
        // Each link leads to the task in the slower run, and back from it.
        for (link, parts) in links.iter().zip([["result=b", "task=7"], ["result=a", "task=300"]]) {
            let (href, id) = (link.attribute("href").unwrap(), link.attribute("id"));
            assert!(parts.iter().all(|part| href.contains(part)) && id.is_some(), "{href}");
        }
        let japanese = texts(&shown(Language::Japanese, &times()).unwrap());
        assert!(japanese.contains("タスク 300：A は 4.00 秒、B は 2.00 秒"), "{japanese}");
        let same = TimeDifference { timed: 3, ..TimeDifference::default() };
        assert!(!shown(Language::English, &same).unwrap().contains("pair-largest"));
        assert_eq!(shown(Language::English, &TimeDifference::default()), None);
    }

    #[test]
    fn sums_and_the_median_of_the_ratios_are_a_table() {
        let said = |language| {
            let html = rendered(language, sums(language, &times()));
            plain(&texts(&html).split_whitespace().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(
            said(Language::English),
            "A B Sum of their times, over all threads 1 min 20 s 1 min 25 s Tasks that took longer 2 1,100 \
             Median of B ÷ A 1.046"
        );
        assert!(said(Language::Japanese).contains("B ÷ A"));
    }

    #[test]
    fn tasks_of_other_plans_are_not_compared() {
        let said = texts(&rendered(Language::English, other_plan(Language::English)));
        for part in ["can be compared only", "N and the method are the same"] {
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn tasks_without_a_time_are_counted() {
        let tasks = TaskDifference { common: 1_300, times: times(), ..TaskDifference::default() };
        let ids = ["a", "b"].map(ToOwned::to_owned);
        let language = Language::English;
        let html = times_compared(language, &tasks, &Address::default(), &ids).unwrap();
        let said = texts(&rendered(language, html));
        assert!(said.contains("1,200 of 1,300 tasks have a time in both"), "{said}");
    }
}
