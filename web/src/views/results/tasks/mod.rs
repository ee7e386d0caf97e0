//! The tasks of an open document: facts, a map, outliers, and one task in detail.

mod all;
mod card;
mod map;

use std::cell::RefCell;
use std::rc::Rc;

use queens_core::{Method, Size};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::latest::use_latest;
use super::saving::SaveButtons;
use crate::browser::{bring_into_view, download, jump_to, scroll_to};
use crate::parts::details::use_is_open;
use crate::place::{Field, ResultsParameters, use_address};
use crate::words::{Language, duration, grouped, ratio_text, tr, use_language};
use crate::worker::{
    Answer, DocumentHandle, DocumentId, Request, Task, TaskSummary, Ticket, use_worker,
};

use all::AllTasks;
use card::{CARD, Card};
use map::TaskMap;

/// Returns the task that the address selects.
pub fn chosen(list: &ResultsParameters) -> Option<u32> {
    list.get(Field::Task).parse().ok()
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub document: DocumentHandle,
    pub size: Size,
    pub method: Method,
    /// The name of the run.
    pub run: AttrValue,
}

/// The tasks of a document; empty until the worker has summarized them.
#[component]
pub fn Tasks(props: &Props) -> Html {
    let (address, navigate) = use_address();
    let document = props.document.id();
    let chosen = chosen(&address.results);
    let summary = use_latest(Some(Request::TaskSummary(document)), |answer| match answer {
        Answer::TaskSummary(summary) => summary,
        _ => None,
    });
    let detail = chosen.map(|id| Request::TaskDetail { document, id });
    let detail = use_latest(detail, |answer| match answer {
        Answer::TaskDetail(detail) => Some(detail),
        _ => None,
    });
    let detail = detail.filter(|_| chosen.is_some());
    let on_choose = {
        // The details are below the summary, which may arrive later.
        let shown = detail.as_ref().filter(|_| summary.is_some());
        let reveal = use_reveal(chosen, shown.map(|detail| detail.id));
        use_callback((address, navigate), move |task: String, (address, navigate)| {
            // Selecting the same task again must not cancel its recount.
            if task == address.results.get(Field::Task) {
                bring_into_view(CARD);
            } else {
                reveal.replace(task.parse().ok());
                navigate.replace(address.with_field(Field::Task, &task));
            }
        })
    };
    let on_csv = use_csv(document);
    let Some(summary) = summary else { return html! {} };
    let card = detail.map(|detail| {
        let (size, method) = (props.size, props.method.stepped());
        html! { <Card {detail} {size} {method} run={props.run.clone()} /> }
    });
    html! { <Overview {document} {summary} {chosen} {on_choose} {on_csv}>{ card }</Overview> }
}

/// Returns a slot for the id of a task that the user selects. Its details are brought into view when they are
/// there. The task that the address selects at first, `chosen`, is at the top of the window instead, because a link
/// has led to it. `shown` is the id of the task whose details are there.
#[hook]
fn use_reveal(chosen: Option<u32>, shown: Option<u32>) -> Rc<RefCell<Option<u32>>> {
    let linked = use_mut_ref(|| chosen);
    let slot = use_mut_ref(|| None);
    let selected = Rc::clone(&slot);
    use_effect_with(shown, move |shown| {
        let is_shown = |slot: &RefCell<Option<u32>>| {
            shown.is_some() && slot.borrow_mut().take_if(|id| Some(*id) == *shown).is_some()
        };
        if is_shown(&linked) {
            scroll_to(CARD);
        } else if is_shown(&selected) {
            bring_into_view(CARD);
        }
    });
    slot
}

#[derive(Properties, PartialEq)]
struct OverviewProps {
    document: DocumentId,
    summary: Rc<TaskSummary>,
    chosen: Option<u32>,
    /// Writes the selected task into the address.
    on_choose: Callback<String>,
    on_csv: Callback<()>,
    /// The selected task in detail.
    #[prop_or_default]
    children: Html,
}

/// The summary of the tasks, with the selected task in detail.
#[component]
fn Overview(props: &OverviewProps) -> Html {
    let language = use_language();
    let OverviewProps { document, summary, chosen, on_choose, on_csv, children } = props;
    let (shows_all, ontoggle) = use_is_open();
    // Whether the view scrolls to the table once it has its rows.
    let leads_there = use_mut_ref(|| false);
    let on_more = {
        let (shows_all, leads_there) = (shows_all.clone(), Rc::clone(&leads_there));
        Callback::from(move |_: MouseEvent| {
            if *shows_all {
                jump_to(ALL_TITLE);
            } else {
                leads_there.replace(true);
                shows_all.set(true);
            }
        })
    };
    let on_rows = Callback::from(move |()| {
        if leads_there.replace(false) {
            jump_to(ALL_TITLE);
        }
    });
    html! {
        <div class="tasks drawn">
            { facts(language, summary) }
            <TaskMap {summary} {chosen} {on_choose} />
            if summary.outliers > 0 {
                { outliers(language, summary, on_choose, on_more) }
            }
            <Chooser {chosen} last={summary.last} {on_choose} />
            { children.clone() }
            <details open={*shows_all} {ontoggle}>
                <summary id={ALL_TITLE}>{ tr!(language, "results.tasks.all", count = grouped(summary.count.into())) }</summary>
                if *shows_all {
                    <AllTasks document={*document} median={summary.median} {on_choose} {on_rows} />
                }
            </details>
            <SaveButtons name="tasks" picture={map::PICTURE} {on_csv} />
        </div>
    }
}

/// The id of the heading of the table of all tasks.
const ALL_TITLE: &str = "all-tasks-title";

/// Renders the number of tasks, their times, and the task with the most solutions.
fn facts(language: Language, summary: &TaskSummary) -> Html {
    let TaskSummary { count, seconds, slowest, largest, .. } = summary;
    let time = duration(language, slowest.seconds);
    let slowest = tr!(language, "results.tasks.slowest-text", id = slowest.id, time = time);
    let total = grouped(largest.total);
    let largest = tr!(language, "results.tasks.largest-text", id = largest.id, total = total);
    let facts = [
        (tr!(language, "results.tasks.count"), grouped((*count).into())),
        (tr!(language, "results.tasks.sum"), duration(language, *seconds)),
        (tr!(language, "results.tasks.mean"), duration(language, seconds / f64::from(*count))),
        (tr!(language, "results.tasks.slowest"), slowest),
        (tr!(language, "results.tasks.largest"), largest),
    ];
    let facts = facts.into_iter().map(|(name, value)| {
        html! { <div><dt>{ name }</dt><dd>{ value }</dd></div> }
    });
    html! { <dl class="facts">{ for facts }</dl> }
}

/// Renders the slowest outliers, each as a button that selects it, and a button for the further ones, which opens
/// the table of all tasks.
fn outliers(
    language: Language,
    summary: &TaskSummary,
    on_choose: &Callback<String>,
    on_more: Callback<MouseEvent>,
) -> Html {
    let TaskSummary { median, outliers, slowest_outliers, .. } = summary;
    let more = outliers.saturating_sub(slowest_outliers.len() as u32);
    let lines = slowest_outliers.iter().map(|&Task { id, seconds, .. }| {
        let time = duration(language, seconds);
        let text = if *median > 0.0 {
            let times = ratio_text(seconds / median);
            tr!(language, "results.tasks.outlier", id = id, time = time, times = times)
        } else {
            tr!(language, "results.tasks.outlier-alone", id = id, time = time)
        };
        let onclick = on_choose.reform(move |_: MouseEvent| id.to_string());
        html! { <li><button type="button" class="quiet" {onclick}>{ text }</button></li> }
    });
    html! {
        <section class="outliers">
            <h3>{ tr!(language, "results.tasks.outliers", count = outliers) }</h3>
            <ul>{ for lines }</ul>
            if more > 0 {
                <button id="more-outliers" type="button" class="quiet" onclick={on_more}>
                    { tr!(language, "results.tasks.more-outliers", count = more) }
                </button>
            }
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct ChooserProps {
    chosen: Option<u32>,
    /// The largest id.
    last: u32,
    on_choose: Callback<String>,
}

/// The field that selects a task by its id. It is rendered again only when the selection changes,
/// because rendering overwrites the text that the user is typing.
#[component]
fn Chooser(props: &ChooserProps) -> Html {
    let language = use_language();
    let ChooserProps { chosen, last, on_choose } = props;
    let onchange = on_choose.reform(|event: Event| {
        let field: HtmlInputElement = event.target_unchecked_into();
        field.value()
    });
    let value = chosen.map(|id| id.to_string()).unwrap_or_default();
    html! {
        <p class="choosers">
            <label>
                <span>{ tr!(language, "results.tasks.choose") }</span>
                <input
                    id={Field::Task.id()} type="number" min="0" max={last.to_string()} {value}
                    {onchange}
                />
            </label>
        </p>
    }
}

/// Returns a callback that saves all tasks of a document as CSV. The tasks come from the worker.
#[hook]
fn use_csv(document: DocumentId) -> Callback<()> {
    let worker = use_worker();
    let ticket_slot = use_mut_ref(|| None::<Ticket>);
    Callback::from(move |()| {
        let ticket = worker.request(Request::TaskList(document), |answer| {
            if let Answer::TaskList(tasks) = answer {
                download::file("tasks.csv", "text/csv", &csv(&tasks));
            }
        });
        RefCell::replace(&ticket_slot, Some(ticket));
    })
}

fn csv(tasks: &[Task]) -> String {
    let lines =
        tasks.iter().map(|Task { id, total, seconds }| format!("{id},{total},{seconds}\r\n"));
    ["id,total,seconds\r\n".to_owned()].into_iter().chain(lines).collect()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Queens, Square, Stepped};
    use queens_state::results::layout::Cell;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::worker::{TaskDetail, TaskStart};

    /// Four tasks, the last of which took longest.
    fn summary(median: f64) -> Rc<TaskSummary> {
        let cell = |id, seconds, has_outlier| Cell {
            ids: [id; 2],
            total: 1000,
            seconds,
            has_outlier,
            slowest: id,
        };
        let slowest = Task { id: 3, total: 1000, seconds: 90.0 };
        Rc::new(TaskSummary {
            count: 4,
            last: 3,
            seconds: 93.0,
            median,
            slowest,
            largest: Task { id: 0, total: 1000, seconds: 1.0 },
            outliers: 1,
            slowest_outliers: vec![slowest],
            cells: vec![
                cell(0, 1.0, false),
                cell(1, 1.0, false),
                cell(2, 1.0, false),
                cell(3, 90.0, true),
            ],
            per_cell: 1,
        })
    }

    fn shown(language: Language, summary: Rc<TaskSummary>, chosen: Option<u32>) -> String {
        let (on_choose, on_csv) = (Callback::noop(), Callback::noop());
        rendered(
            language,
            html! { <Overview document=1 {summary} {chosen} {on_choose} {on_csv} /> },
        )
    }

    #[test]
    fn task_texts_match_their_snapshots() {
        for language in Language::ALL {
            let html = shown(language, summary(1.0), None);
            insta::assert_snapshot!(format!("tasks-{}", language.id()), texts(&html));
        }
        let unmeasured = shown(Language::English, summary(0.0), None);
        assert!(unmeasured.contains("less than the clock can measure"), "{unmeasured}");
    }

    #[test]
    fn counts_the_outliers_that_are_not_listed() {
        let summary = TaskSummary { outliers: 10, ..(*summary(1.0)).clone() };
        for (language, more) in
            [(Language::English, "and 9 more, in the table"), (Language::Japanese, "ほか 9 個")]
        {
            let html = shown(language, Rc::new(summary.clone()), None);
            let button = elements(&html, "id=\"more-outliers\"")[0].content();
            assert!(button.starts_with(more), "{button}");
        }
        assert!(!shown(Language::English, self::summary(1.0), None).contains("more-outliers"));
    }

    #[test]
    fn marks_the_selected_cell_and_the_outlier() {
        let html = shown(Language::English, summary(1.0), Some(2));
        let cells: Vec<_> = html.split("<rect").skip(1).collect();
        let marked = |part: &str| {
            (0..cells.len()).filter(|&cell| cells[cell].contains(part)).collect::<Vec<_>>()
        };
        assert_eq!((cells.len(), marked("data-chosen"), marked("outlier")), (4, vec![2], vec![3]));
        assert!(html.contains("max=\"3\"") && html.contains("value=\"2\""), "{html}");
        assert_eq!(html.matches("class=\"mark\"").count(), 1);
        let without = TaskSummary { outliers: 0, ..(*summary(1.0)).clone() };
        let without = shown(Language::English, Rc::new(without), None);
        let promises = [&html, &without].map(|html| html.contains("exclamation mark"));
        assert_eq!(promises, [true, false]);
    }

    #[test]
    fn a_cell_of_several_tasks_selects_the_slowest() {
        let mut summary = (*summary(1.0)).clone();
        (summary.cells[1].ids, summary.cells[1].slowest) = ([8, 15], 11);
        for (language, title) in [
            (Language::English, "task 8–15: 1.00 s, total 1,000; slowest: task 11"),
            (Language::Japanese, "（最も遅いのはタスク 11）"),
        ] {
            let html = shown(language, Rc::new(summary.clone()), None);
            let cells = elements(&html, "data-task");
            let ids: Vec<_> = cells.iter().filter_map(|cell| cell.attribute("data-task")).collect();
            assert_eq!(ids, ["0", "11", "2", "3"]);
            assert!(cells[1].content().contains(title), "{html}");
        }
    }

    #[test]
    fn a_listed_outlier_is_a_button() {
        let html = shown(Language::English, summary(1.0), None);
        let outliers = elements(&html, "class=\"outliers\"");
        let buttons = elements(outliers[0].inner(), "type=\"button\"");
        assert_eq!(buttons.len(), 1, "{html}");
        assert!(buttons[0].content().starts_with("task 3: "), "{html}");
    }

    fn card(language: Language, start: TaskStart, task: Option<Task>) -> String {
        let detail = Rc::new(TaskDetail { id: 7, task, start, step: Some(300) });
        let (size, method) = (Size::new(9).unwrap(), Some(Stepped::SideCuts));
        rendered(language, html! { <Card {detail} {size} {method} run="N = 9 · x.json" /> })
    }

    const TASK: Task = Task { id: 7, total: 92, seconds: 0.5 };

    #[test]
    fn a_task_with_queens_has_links() {
        let size = Size::new(9).unwrap();
        let squares =
            [(0, 4), (1, 1)].map(|(row, column)| Square::from_left(size, row, column).unwrap());
        let queens = Queens::new(size, squares).unwrap();
        let html = card(Language::English, TaskStart::Queens(queens), Some(TASK));
        assert_eq!(html.matches("class=\"queen\"").count(), 2);
        for link in
            ["?n=9&amp;method=side-cuts&amp;step=300", "?view=play&amp;n=9&amp;queens=0:4,1:1"]
        {
            assert!(html.contains(link), "{html}");
        }
        // The card names the run, because it is far below the heading of the page.
        assert!(texts(&html).contains("N = 9 · x.json"), "{html}");
        let whole = card(Language::English, TaskStart::Queens(Queens::none(size)), Some(TASK));
        assert!(whole.contains("only one task") && !whole.contains("task-play"), "{whole}");
    }

    #[test]
    fn a_task_of_the_colour_join_shows_its_rows() {
        let sets = TaskStart::RowSets { count: 300, first: vec![0, 2, 3] };
        let html = card(Language::English, sets, Some(TASK));
        let parts = ["class=\"white\"", "class=\"queen\""];
        assert_eq!(parts.map(|part| html.matches(part).count()), [3, 0]);
        assert!(html.contains("300") && !html.contains("task-explore"), "{html}");
    }

    #[test]
    fn reports_a_task_that_does_not_exist() {
        for language in Language::ALL {
            let html = card(language, TaskStart::Unknown, None);
            assert!(html.contains('7') && !html.contains("results."), "{html}");
        }
    }

    #[test]
    fn exports_all_tasks_as_csv() {
        assert_eq!(csv(&[TASK]), "id,total,seconds\r\n7,92,0.5\r\n");
    }
}
