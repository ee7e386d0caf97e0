//! The tasks of an open document: sums, and a table of the slowest ones, each of which can be recounted.

use std::cell::RefCell;

use queens_core::Queens;
use yew::prelude::*;

use super::entry::Entry;
use super::latest::use_latest;
use super::recount::{Recount, use_recount};
use crate::address::{Address, Field, play_address, use_address};
use crate::browser::{download, scroll_to};
use crate::parts::link::Link;
use crate::parts::table::{Column, cells, framed, heads};
use crate::words::{Language, csv_row, duration, grouped, ratio_text, tr, use_language};
use crate::worker::{
    Answer, DocumentHandle, DocumentId, ListedTask, Request, Task, TaskStart, TaskSummary, Ticket,
    use_worker,
};

/// The id of the row of the task to which the address leads.
const CHOSEN: &str = "chosen-task";

#[derive(Properties, PartialEq)]
pub struct Props {
    /// A document that the worker has read.
    pub entry: Entry,
    pub document: DocumentHandle,
}

/// The tasks of a document; empty until the worker has summarized them.
#[component]
pub fn Tasks(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let document = props.document.id();
    let chosen = address.results.get(Field::Task).parse().ok();
    let summary =
        use_latest(Some(Request::TaskSummary { document, chosen }), |answer| match answer {
            Answer::TaskSummary(summary) => summary,
            _ => None,
        });
    let recount = use_recount(&props.entry);
    let on_csv = use_csv(document);
    use_effect_with(summary.is_some(), |has_summary| {
        if *has_summary {
            // Without a chosen task, this does nothing.
            scroll_to(CHOSEN);
        }
    });
    let Some(summary) = summary else { return html! {} };
    html! {
        <div class="tasks drawn">
            { facts(language, &summary) }
            { table(language, &address, &summary, chosen, &recount) }
            <p class="save">
                <span class="soft">{ tr!(language, "results.tasks.save") }</span>
                <button id="tasks-csv" type="button" onclick={on_csv}>{ "CSV" }</button>
            </p>
            { recount.shown(language, &props.entry) }
        </div>
    }
}

/// Renders the number of tasks, their times, and the task with the most solutions.
fn facts(language: Language, summary: &TaskSummary) -> Html {
    let TaskSummary { count, seconds, largest, .. } = summary;
    let total = grouped(largest.total);
    let largest = tr!(language, "results.tasks.largest-text", id = largest.id, total = total);
    let facts = [
        (tr!(language, "results.tasks.count"), grouped((*count).into())),
        (tr!(language, "results.tasks.sum"), duration(language, *seconds)),
        (tr!(language, "results.tasks.mean"), duration(language, seconds / f64::from(*count))),
        (tr!(language, "results.tasks.largest"), largest),
    ];
    let facts = facts.into_iter().map(|(name, value)| {
        html! { <div><dt>{ name }</dt><dd>{ value }</dd></div> }
    });
    html! { <dl class="facts">{ for facts }</dl> }
}

/// What the cells of the table depend on, besides their task.
struct Context<'a> {
    language: Language,
    address: &'a Address,
    /// The median of the times of all tasks, in seconds.
    median: f64,
    recount: &'a Recount,
}

/// Returns the columns of the table; the last one only if a task can be recounted.
fn columns<'a>(recount: &Recount) -> Vec<Column<Context<'a>, ListedTask>> {
    let mut columns = vec![
        Column::new("results.compare.column-task", "number", |_, listed: &ListedTask| {
            html! { listed.task.id }
        }),
        Column::new("results.column.total", "number", |_, listed: &ListedTask| {
            html! { grouped(listed.task.total) }
        }),
        Column::new("results.column.time", "number", |context: &Context<'_>, listed| {
            html! { duration(context.language, listed.task.seconds) }
        }),
        Column::new("results.tasks.by-median", "number", |context, listed| {
            let is_known = context.median > 0.0;
            html! { if is_known { { ratio_text(listed.task.seconds / context.median) } } else { { "–" } } }
        }),
        Column::new("results.tasks.start", "", |context, listed| {
            start_of_task(context.language, context.address, &listed.start)
        }),
    ];
    if recount.can_do_one() {
        columns.push(Column::new("results.again.button", "", |context, listed| {
            context.recount.button(context.language, Some(listed.task.id))
        }));
    }
    columns
}

/// Renders the slowest tasks and the chosen one, each with its start and a button that recounts it.
fn table(
    language: Language,
    address: &Address,
    summary: &TaskSummary,
    chosen: Option<u32>,
    recount: &Recount,
) -> Html {
    let columns = columns(recount);
    let context = Context { language, address, median: summary.median, recount };
    let rows = summary.listed.iter().map(|listed| {
        let id = listed.task.id;
        let is_chosen = chosen == Some(id);
        html! {
            <tr key={id} id={is_chosen.then_some(CHOSEN)} class={is_chosen.then_some("chosen-task")}>
                { cells(&columns, &context, listed) }
            </tr>
        }
    });
    let name = tr!(language, "results.tasks.slowest");
    html! {
        <>
            <h3>{ &name }</h3>
            { framed("task-table", name, heads(language, &columns), rows.collect()) }
        </>
    }
}

/// Renders the queens that a task starts with, as a link to them in Play, or the number of its row sets.
fn start_of_task(language: Language, address: &Address, start: &TaskStart) -> Html {
    match start {
        TaskStart::Queens(queens) if !queens.is_empty() => {
            // The link omits the parameters of Results.
            let page = Address { language: address.language, ..Address::default() };
            let text = columns_of(language, queens);
            html! { <Link to={play_address(&page, *queens)}>{ text }</Link> }
        }
        TaskStart::RowSets(count) => {
            html! { tr!(language, "results.tasks.sets", count = grouped((*count).into())) }
        }
        TaskStart::Unknown | TaskStart::Queens(_) => html! { "–" },
    }
}

/// Says the columns of a task's first queens, from the first row on.
fn columns_of(language: Language, queens: &Queens) -> String {
    let columns = queens.squares().map(|square| square.to_left().1.to_string());
    let columns: Vec<_> = columns.collect();
    tr!(language, "results.tasks.columns", columns = columns.join(language.comma()))
}

/// Returns a callback that saves all tasks of a document as CSV. The tasks come from the worker.
#[hook]
fn use_csv(document: DocumentId) -> Callback<MouseEvent> {
    let worker = use_worker();
    let ticket_slot = use_mut_ref(|| None::<Ticket>);
    Callback::from(move |_| {
        let ticket = worker.request(Request::TaskList(document), |answer| {
            if let Answer::TaskList(tasks) = answer {
                download::file("tasks.csv", "text/csv", &csv(&tasks));
            }
        });
        RefCell::replace(&ticket_slot, Some(ticket));
    })
}

fn csv(tasks: &[Task]) -> String {
    let row = |Task { id, total, seconds }: &Task| {
        csv_row([&id.to_string(), &total.to_string(), &seconds.to_string()])
    };
    csv_row(["id", "total", "seconds"]) + &tasks.iter().map(row).collect::<String>()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Method, Size, Square};

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::results::entry::counted;
    use crate::words::plain;

    const TASK: Task = Task { id: 7, total: 92, seconds: 0.5 };

    fn summary(median: f64, start: TaskStart) -> TaskSummary {
        let listed = vec![ListedTask { task: TASK, start }];
        TaskSummary { count: 40, seconds: 4.0, median, largest: TASK, listed }
    }

    #[derive(Properties, PartialEq)]
    struct ShownProps {
        n: u32,
        summary: TaskSummary,
        #[prop_or_default]
        chosen: Option<u32>,
    }

    #[component]
    fn Shown(props: &ShownProps) -> Html {
        let ShownProps { n, summary, chosen } = props;
        let recount = use_recount(&counted("a", *n, Method::Symmetry, 1.0));
        let (language, address) = (use_language(), Address::default());
        html! { <>{ facts(language, summary) }{ table(language, &address, summary, *chosen, &recount) }</> }
    }

    fn shown(language: Language, n: u32, median: f64, start: TaskStart) -> String {
        let summary = summary(median, start);
        rendered(language, html! { <Shown {n} {summary} chosen={Some(7)} /> })
    }

    fn queens() -> TaskStart {
        let size = Size::new(9).unwrap();
        let squares =
            [(0, 4), (1, 1)].map(|(row, column)| Square::from_left(size, row, column).unwrap());
        TaskStart::Queens(Queens::new(size, squares).unwrap())
    }

    fn row(html: &str) -> String {
        let row = texts(html.split_once("<tbody>").unwrap().1);
        plain(&row.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_row_has_the_numbers_of_a_task_its_start_and_a_recount() {
        let html = shown(Language::English, 9, 0.25, queens());
        assert_eq!(row(&html), "7 92 500 ms 2.00 columns 4, 1 Recount");
        assert!(html.contains("?view=play&amp;n=9&amp;queens=0:4,1:1"), "{html}");
        let sets = shown(Language::English, 9, 0.0, TaskStart::RowSets(300));
        assert_eq!(row(&sets), "7 92 500 ms – 300 row sets Recount");
        let whole = TaskStart::Queens(Queens::none(Size::new(9).unwrap()));
        assert!(row(&shown(Language::Japanese, 9, 0.25, whole)).ends_with("– 数え直す"));
        // A task of a large board would take too long.
        assert!(!row(&shown(Language::English, 19, 0.25, queens())).contains("Recount"));
    }

    #[test]
    fn the_chosen_task_is_marked() {
        let html = shown(Language::English, 9, 0.25, queens());
        assert_eq!(elements(&html, "id=\"chosen-task\"").len(), 1);
        let summary = summary(0.25, queens());
        let html = rendered(Language::English, html! { <Shown n=9 {summary} /> });
        assert_eq!(elements(&html, "id=\"chosen-task\"").len(), 0);
    }

    #[test]
    fn exports_all_tasks_as_csv() {
        assert_eq!(csv(&[TASK]), "id,total,seconds\r\n7,92,0.5\r\n");
    }
}
