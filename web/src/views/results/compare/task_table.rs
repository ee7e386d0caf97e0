//! The table of all common tasks of two results. The worker sorts them and sends one page, because a result can
//! have tens of thousands.

use std::cell::RefCell;

use queens_state::results::{ComparedTask, TaskColumn, TaskOrder};
use web_sys::HtmlDetailsElement;
use yew::prelude::*;

use super::names::LETTERS;
use super::times_picture::PICTURE;
use crate::browser::download;
use crate::place::{Address, Field, use_address};
use crate::views::results::latest::use_latest;
use crate::views::results::pages::{Pages, sort_head};
use crate::views::results::saving::SaveButtons;
use crate::views::results::scroll_anchor::use_scroll_anchor;
use crate::words::{Language, duration, grouped, ratio_text, tr, use_language};
use crate::worker::{
    Answer, DocumentId, Request, TaskTableRequest, Ticket, WantedTasks, use_worker,
};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub documents: [DocumentId; 2],
    /// The ids of the results in addresses.
    pub ids: [String; 2],
    /// The names of the results in the saved file.
    pub names: [String; 2],
    /// The number of common tasks.
    pub common: u32,
    pub order: TaskOrder,
    /// Whether the picture of the times is on the page, which can be saved, too.
    pub has_picture: bool,
    /// Called once the open table has its rows.
    pub on_rows: Callback<()>,
}

/// The id of the heading that opens the table.
pub const HEADING: &str = "pair-all-heading";

/// Returns the address with the open table, which begins with the tasks that made the slower result slow.
pub fn with_table(address: &Address) -> Address {
    // Another order closes the table.
    address.with_field(Field::TaskSort, "").with_field(Field::TaskPage, "1")
}

/// The table with its pages, which is filled while it is open, and the buttons that save the tasks. Whether the
/// table is open is in the address, so that the way back from a task finds its link.
#[component]
pub fn TaskTable(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    use_scroll_anchor();
    let Props { documents, names, common, order, .. } = props;
    let page = address.results.get(Field::TaskPage);
    let is_open = !page.is_empty();
    let pages = Pages::new(page.parse().unwrap_or(1), *common);
    let tasks = WantedTasks::Page { order: *order, from: pages.first_row(), count: Pages::ROWS };
    let request = Request::TaskTable(TaskTableRequest { documents: *documents, tasks });
    let tasks = use_latest(is_open.then_some(request), |answer| match answer {
        Answer::TaskTable(tasks) => Some(tasks),
        _ => None,
    });
    let on_rows = props.on_rows.clone();
    use_effect_with(is_open && tasks.is_some(), move |has_rows| {
        if *has_rows {
            on_rows.emit(());
        }
    });
    let on_csv = use_csv(*documents, names.clone());
    let on_page = {
        let (address, navigate) = (address.clone(), navigate.clone());
        Callback::from(move |page: u32| {
            navigate.replace(address.with_field(Field::TaskPage, &page.to_string()));
        })
    };
    let on_sort = {
        let (address, navigate) = (address.clone(), navigate.clone());
        Callback::from(move |order: TaskOrder| {
            let sorted = address.with_field(Field::TaskSort, &order.text());
            navigate.replace(sorted.with_field(Field::TaskPage, "1"));
        })
    };
    let ontoggle = {
        let address = address.clone();
        Callback::from(move |event: Event| {
            let details = event.target_dyn_into::<HtmlDetailsElement>();
            // The event also follows a change of the address.
            if details.is_some_and(|details| details.open() != is_open) {
                let page = if is_open { "" } else { "1" };
                navigate.replace(address.with_field(Field::TaskPage, page));
            }
        })
    };
    let pager = |place| pages.buttons(language, "pair", &on_page, place);
    let count = grouped((*common).into());
    html! {
        <section class="pair-all-tasks">
            <details id="pair-all" open={is_open} {ontoggle}>
                <summary id={HEADING}>{ tr!(language, "results.compare.all-tasks", count = count) }</summary>
                if let Some(tasks) = tasks.filter(|_| is_open) {
                    { pager("-above") }
                    { table(language, &address, props, &tasks, &on_sort) }
                    { pager("") }
                }
            </details>
            if props.has_picture {
                <SaveButtons name="pair-tasks" picture={PICTURE} {on_csv} />
            } else {
                <p class="save">
                    <span class="soft">{ tr!(language, "results.save") }</span>
                    <button id="pair-tasks-csv" type="button" onclick={on_csv.reform(|_| ())}>
                        { "CSV" }
                    </button>
                </p>
            }
        </section>
    }
}

/// Renders a page of the table. The enclosing element follows the links, which open the task in one of the results.
fn table(
    language: Language,
    address: &Address,
    props: &Props,
    tasks: &[ComparedTask],
    on_sort: &Callback<TaskOrder>,
) -> Html {
    let Props { ids, order, .. } = props;
    let heads = TaskColumn::ALL.map(|column| head(language, column, *order, on_sort));
    let rows = tasks.iter().map(|task| {
        let ComparedTask { id, totals, seconds } = *task;
        let times = ids.iter().zip(LETTERS).zip(seconds).enumerate();
        let times = times.map(|(side, ((result, name), seconds))| {
            let to = address.with_result(Some(result.clone()));
            let href = to.with_field(Field::Task, &id.to_string()).to_link();
            let time = duration(language, seconds);
            let label = tr!(language, "results.compare.open-task", id = id, name = name, time = time);
            html! {
                <td class="number">
                    <a id={format!("pair-task-{side}-{id}")} {href} aria-label={label}>{ time.clone() }</a>
                </td>
            }
        });
        let is_wrong = totals[0] != totals[1];
        html! {
            <tr key={id} class={is_wrong.then_some("wrong-task")}>
                <th scope="row" class="number">
                    { id }
                    if is_wrong {
                        <span class="bad">{ tr!(language, "results.compare.other-total") }</span>
                    }
                </th>
                { for times }
                <td class="number">{ signed(language, task.gap()) }</td>
                <td class="number">{ task.ratio().map_or_else(|| "–".to_owned(), ratio_text) }</td>
            </tr>
        }
    });
    let name = tr!(language, "results.compare.all-tasks", count = grouped(props.common.into()));
    html! {
        <div class="wide-frame" tabindex="0" role="region" aria-label={name}>
            <table class="result-table" id="pair-task-table">
                <thead><tr>{ for heads }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
        </div>
    }
}

fn head(
    language: Language,
    column: TaskColumn,
    order: TaskOrder,
    on_sort: &Callback<TaskOrder>,
) -> Html {
    let [first, second] = LETTERS;
    let name = match column {
        TaskColumn::Task => tr!(language, "results.compare.column-task"),
        TaskColumn::First => first.to_owned(),
        TaskColumn::Second => second.to_owned(),
        TaskColumn::Gap => format!("{second} − {first}"),
        TaskColumn::Ratio => format!("{second} ÷ {first}"),
    };
    let sorted = (order.by == column).then_some(order.descending);
    let onclick = on_sort.reform(move |_: MouseEvent| order.after(column));
    sort_head(language, format!("pair-sort-{}", column.id()), &name, sorted, onclick)
}

/// Returns a difference of times with its sign.
fn signed(language: Language, gap: f64) -> String {
    let size = duration(language, gap.abs());
    let sign = match gap {
        _ if size == duration(language, 0.0) => "",
        gap if gap < 0.0 => "−",
        _ => "+",
    };
    format!("{sign}{size}")
}

/// Returns a callback that saves all common tasks as CSV. The worker writes the lines.
#[hook]
fn use_csv(documents: [DocumentId; 2], names: [String; 2]) -> Callback<()> {
    let worker = use_worker();
    let ticket_slot = use_mut_ref(|| None::<Ticket>);
    Callback::from(move |()| {
        let heads = csv_heads(&names);
        let ticket = worker.request(Request::TaskLines(documents), move |answer| {
            if let Answer::TaskLines(lines) = answer {
                download::file("tasks-compared.csv", "text/csv", &[&*heads, &*lines].concat());
            }
        });
        RefCell::replace(&ticket_slot, Some(ticket));
    })
}

/// Returns the headings of the columns as a CSV line (RFC 4180).
fn csv_heads(names: &[String; 2]) -> String {
    let [first, second] = names.each_ref().map(|name| name.replace('"', "\"\""));
    let column = |what: &str, name: &str| format!("\"{what} ({name})\"");
    let columns = [
        "id".to_owned(),
        column("total", &first),
        column("total", &second),
        column("seconds", &first),
        column("seconds", &second),
        "ratio".to_owned(),
    ];
    columns.join(",") + "\r\n"
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::words::plain;

    fn props() -> Props {
        Props {
            documents: [1, 2],
            ids: ["a".to_owned(), "b".to_owned()],
            names: ["a.json".to_owned(), "b.json".to_owned()],
            common: 120,
            order: TaskOrder::parse("-ratio").unwrap(),
            has_picture: true,
            on_rows: Callback::noop(),
        }
    }

    #[test]
    fn each_time_opens_the_task_in_its_result() {
        let address = Address::default().with_field(Field::Pair, "a,b");
        let tasks = [
            ComparedTask { id: 7, totals: [4, 4], seconds: [0.5, 1.0] },
            ComparedTask { id: 9, totals: [4, 6], seconds: [0.0, 1.0] },
        ];
        let language = Language::English;
        let html = table(language, &address, &props(), &tasks, &Callback::noop());
        let html = rendered(language, html);
        let links = elements(&html, "href=");
        assert_eq!(links.len(), 4);
        for (link, parts) in links.iter().zip([["result=a", "task=7"], ["result=b", "task=7"]]) {
            let href = link.attribute("href").unwrap();
            assert!(parts.iter().all(|part| href.contains(part)), "{href}");
            assert!(href.contains("pair=a"), "{href}");
        }
        let rows = texts(html.split_once("<tbody>").unwrap().1);
        let rows = plain(&rows.split_whitespace().collect::<Vec<_>>().join(" "));
        assert_eq!(rows, "7 500 ms 1.00 s +500 ms 2.00 9 totals differ 0 µs 1.00 s +1.00 s –");
        let sorted: Vec<_> =
            elements(&html, "aria-sort").iter().map(|head| head.content()).collect();
        assert_eq!(sorted, ["B ÷ A▾"]);
    }

    #[test]
    fn headings_of_the_csv_name_the_results() {
        let heads = csv_heads(&["a \"1\".json".to_owned(), "b".to_owned()]);
        assert_eq!(
            heads,
            "id,\"total (a \"\"1\"\".json)\",\"total (b)\",\"seconds (a \"\"1\"\".json)\",\
             \"seconds (b)\",ratio\r\n"
        );
    }
}
