//! The table of all tasks of a result, which is filled while it is open.

use std::cmp::Ordering;

use yew::prelude::*;

use crate::views::results::latest::use_latest;
use crate::views::results::pages::{Pages, sort_head};
use crate::words::{Language, duration, grouped, ratio_text, tr, use_language};
use crate::worker::{Answer, DocumentId, Request, Task};

/// The column by which the rows are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SortKey {
    Task,
    Total,
    Time,
}

impl SortKey {
    const ALL: [SortKey; 3] = [SortKey::Task, SortKey::Total, SortKey::Time];

    const fn id(self) -> &'static str {
        match self {
            SortKey::Task => "task",
            SortKey::Total => "total",
            SortKey::Time => "time",
        }
    }

    fn name(self, language: Language) -> String {
        match self {
            SortKey::Task => tr!(language, "results.compare.column-task"),
            SortKey::Total | SortKey::Time => {
                tr!(language, format!("results.column.{}", self.id()))
            }
        }
    }

    fn compare(self, a: &Task, b: &Task) -> Ordering {
        let by_column = match self {
            SortKey::Task => Ordering::Equal,
            SortKey::Total => a.total.cmp(&b.total),
            SortKey::Time => a.seconds.total_cmp(&b.seconds),
        };
        by_column.then(a.id.cmp(&b.id))
    }
}

/// The order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Order {
    by: SortKey,
    descending: bool,
}

impl Order {
    const SLOWEST: Order = Order { by: SortKey::Time, descending: true };

    /// Returns the order after a click on a column's head: times and totals begin with the largest.
    fn after(self, by: SortKey) -> Order {
        let descending = if self.by == by { !self.descending } else { by != SortKey::Task };
        Order { by, descending }
    }

    fn sorted(self, tasks: &[Task]) -> Vec<Task> {
        let mut tasks = tasks.to_vec();
        tasks.sort_unstable_by(|a, b| {
            let ascending = self.by.compare(a, b);
            if self.descending { ascending.reverse() } else { ascending }
        });
        tasks
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub document: DocumentId,
    /// The median of the times, in seconds; 0 if the clock could not measure it.
    pub median: f64,
    /// Writes the selected task into the address.
    pub on_choose: Callback<String>,
    /// Called once the table has its rows.
    pub on_rows: Callback<()>,
}

/// The pages of the table, the slowest task first.
#[component]
pub fn AllTasks(props: &Props) -> Html {
    let language = use_language();
    let tasks = use_latest(Some(Request::TaskList(props.document)), |answer| match answer {
        Answer::TaskList(tasks) => Some(tasks),
        _ => None,
    });
    let order = use_state_eq(|| Order::SLOWEST);
    let page = use_state_eq(|| 1);
    let sorted = use_memo((tasks, *order), |(tasks, order)| {
        tasks.as_ref().map(|tasks| order.sorted(tasks)).unwrap_or_default()
    });
    let on_rows = props.on_rows.clone();
    use_effect_with(sorted.is_empty(), move |is_empty| {
        if !is_empty {
            on_rows.emit(());
        }
    });
    if sorted.is_empty() {
        return html! {};
    }
    let on_sort = {
        let (order, page) = (order.clone(), page.setter());
        Callback::from(move |by: SortKey| {
            order.set(order.after(by));
            page.set(1);
        })
    };
    let pages = Pages::new(*page, sorted.len() as u32);
    let on_page = {
        let page = page.setter();
        Callback::from(move |to| page.set(to))
    };
    let rows = sorted.iter().skip(pages.first_row() as usize).take(Pages::ROWS as usize);
    html! {
        <>
            { pages.buttons(language, "task", &on_page, "-above") }
            { table(language, props, *order, rows, &on_sort, sorted.len()) }
            { pages.buttons(language, "task", &on_page, "") }
        </>
    }
}

fn table<'a>(
    language: Language,
    props: &Props,
    order: Order,
    tasks: impl Iterator<Item = &'a Task>,
    on_sort: &Callback<SortKey>,
    count: usize,
) -> Html {
    let heads = SortKey::ALL.map(|column| {
        let sorted = (order.by == column).then_some(order.descending);
        let onclick = on_sort.reform(move |_: MouseEvent| column);
        sort_head(
            language,
            format!("task-sort-{}", column.id()),
            &column.name(language),
            sorted,
            onclick,
        )
    });
    let rows = tasks.map(|&Task { id, total, seconds }| {
        let onclick = props.on_choose.reform(move |_: MouseEvent| id.to_string());
        let times =
            if props.median > 0.0 { ratio_text(seconds / props.median) } else { "–".into() };
        html! {
            <tr key={id}>
                <th scope="row" class="number">
                    <button
                        type="button" class="quiet" {onclick}
                        aria-label={tr!(language, "results.tasks.show", id = id)}
                    >
                        { id }
                    </button>
                </th>
                <td class="number">{ grouped(total) }</td>
                <td class="number">{ duration(language, seconds) }</td>
                <td class="number">{ times }</td>
            </tr>
        }
    });
    // The section has the name "Tasks".
    let name = tr!(language, "results.tasks.all", count = grouped(count as u64));
    html! {
        <div class="wide-frame" tabindex="0" role="region" aria-label={name}>
            <table class="result-table" id="task-table">
                <thead><tr>
                    { for heads }
                    <th scope="col" class="number">{ tr!(language, "results.tasks.by-median") }</th>
                </tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
        </div>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::words::plain;

    const TASKS: [Task; 3] = [
        Task { id: 0, total: 5, seconds: 1.0 },
        Task { id: 1, total: 7, seconds: 2.0 },
        Task { id: 2, total: 7, seconds: 0.5 },
    ];

    fn ids(order: Order) -> Vec<u32> {
        order.sorted(&TASKS).iter().map(|task| task.id).collect()
    }

    #[test]
    fn each_column_sorts_in_both_directions() {
        let mut order = Order::SLOWEST;
        assert_eq!(ids(order), [1, 0, 2]);
        for (column, first, second) in [
            (SortKey::Time, [2, 0, 1], [1, 0, 2]),
            (SortKey::Total, [2, 1, 0], [0, 1, 2]),
            (SortKey::Task, [0, 1, 2], [2, 1, 0]),
        ] {
            for expected in [first, second] {
                order = order.after(column);
                assert_eq!(ids(order), expected, "{order:?}");
            }
        }
    }

    #[test]
    fn a_row_has_the_numbers_of_a_task_and_selects_it() {
        for (median, ratio) in [(0.5, "2.00"), (0.0, "–")] {
            let props = Props {
                document: 1,
                median,
                on_choose: Callback::noop(),
                on_rows: Callback::noop(),
            };
            let language = Language::English;
            let rows =
                table(language, &props, Order::SLOWEST, TASKS[..1].iter(), &Callback::noop(), 3);
            let html = rendered(language, rows);
            let row = texts(html.split_once("<tbody>").unwrap().1);
            let row = row.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(plain(&row), format!("0 5 1.00 s {ratio}"));
            assert!(html.contains("aria-label=\"Show task 0\""), "{html}");
            let sorted = &elements(&html, "aria-sort=\"descending\"")[0];
            assert!(sorted.content().starts_with("Time"), "{html}");
        }
    }
}
