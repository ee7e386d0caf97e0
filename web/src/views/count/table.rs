//! The table of finished rows, with a button that shows them in Results and a menu that saves and deletes them.

use std::rc::Rc;

use queens_core::{Check, Numbers};
use yew::prelude::*;

use super::count_client::request_documents;
use super::discard::Discard;
use super::model::{distinguishing_executor, growth};
use super::names::{method_cell, method_name};
use crate::address::{Navigate, View, use_address};
use crate::board::glyph::Icon;
use crate::browser::download;
use crate::parts::table::{Column, cells, framed, heads};
use crate::views::results::from_count;
use crate::words::{Language, check_name, duration, grouped, ratio_text, tr, use_language};
use crate::worker::FinishedRow;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub rows: Rc<[FinishedRow]>,
    /// Whether the rows can be deleted now.
    pub can_delete: bool,
}

/// What the cells of a row depend on, besides the row.
struct Context<'a> {
    language: Language,
    rows: &'a [FinishedRow],
}

/// Returns the columns. A narrow window hides the method's column if it is the same in all rows.
fn columns<'a>(rows: &[FinishedRow]) -> [Column<Context<'a>, (FinishedRow, Numbers)>; 7] {
    let mut methods = rows.iter().map(|row| row.method);
    let first = methods.next();
    let is_one_method = methods.all(|method| Some(method) == first)
        && rows.iter().all(|row| distinguishing_executor(row, rows).is_none());
    let method = if is_one_method { "not-phone" } else { "" };
    [
        Column::new("N", "number", |_, (row, _)| html! { row.size.get() }),
        Column::new("count.total", "number", |_, (_, numbers)| html! { grouped(numbers.total()) }),
        Column::new("count.growth", "number not-phone", |context: &Context<'_>, (row, _)| {
            html! { { for growth(context.rows, row).map(|times| ["×\u{a0}", &ratio_text(times)].concat()) } }
        }),
        Column::new("count.unique", "number not-phone", |_, (_, numbers)| {
            html! { grouped(numbers.unique()) }
        }),
        Column::new(
            "count.time",
            "number",
            |context: &Context<'_>, (row, _): &(FinishedRow, _)| {
                html! { <span title={row.time.clone()}>{ duration(context.language, row.seconds) }</span> }
            },
        ),
        Column::new("count.method", method, |context, (row, _)| {
            method_cell(context.language, row.method, distinguishing_executor(row, context.rows))
        }),
        // The last check is the strongest one.
        Column::new("count.checks", "good not-phone", |context, (row, _)| {
            let last = row.checks.iter().last();
            let said = last.map(|check| check_name(context.language, check));
            html! { said.map_or("–".to_owned(), |said| ["✓ ", &said].concat()) }
        }),
    ]
}

#[component]
pub fn Table(props: &Props) -> Html {
    let language = use_language();
    let (_, navigate) = use_address();
    let to_results = Callback::from(move |_: MouseEvent| show_in_results(navigate.clone()));
    let all = &*props.rows;
    let columns = columns(all);
    let rows = (0..).zip(all).map(|(index, row)| {
        let context = Context { language, rows: all };
        let cells = match &row.outcome {
            Ok(numbers) => cells(&columns, &context, &(row.clone(), *numbers)),
            Err(why) => {
                let executor = distinguishing_executor(row, all);
                let method = method_name(language, row.method, executor);
                let text = tr!(language, "count.wrong", method = method, why = why);
                html! {
                    <>
                        <th scope="row" class="number">{ row.size.get() }</th>
                        <td colspan="6" class="bad">{ text }</td>
                    </>
                }
            }
        };
        html! {
            <tr
                key={index} data-n={row.size.to_string()} data-method={row.method.id()}
                data-seconds={row.seconds.to_string()}
            >
                { cells }
            </tr>
        }
    });
    let name = tr!(language, "count.table");
    html! {
        <section class="count-table">
            <div class="count-table-head">
                <h2>{ name.clone() }</h2>
                if all.iter().any(|row| row.outcome.is_ok()) {
                    <button key="to-results" id="to-results" type="button" onclick={to_results}>
                        { tr!(language, "count.to-results") }
                    </button>
                }
                <Menu key="menu" rows={props.rows.clone()} can_delete={props.can_delete} />
            </div>
            { framed("count-lines", name, heads(language, &columns), rows.collect()) }
            <p id="count-words" class="hint not-phone">{ tr!(language, "count.unique-more") }</p>
        </section>
    }
}

/// The commands for the table. The browser opens and closes them, also with Escape.
#[component]
fn Menu(props: &Props) -> Html {
    let language = use_language();
    let command = |id: &'static str, onclick: Callback<MouseEvent>| {
        html! {
            <button {id} type="button" popovertarget="count-commands" popovertargetaction="hide" {onclick}>
                { tr!(language, format!("count.{id}")) }
            </button>
        }
    };
    let rows = Rc::clone(&props.rows);
    let save_table = Callback::from(move |_| download::file("queens.csv", "text/csv", &csv(&rows)));
    html! {
        <>
            <button
                id="count-menu" type="button" class="icon" popovertarget="count-commands"
                aria-label={tr!(language, "count.menu")}
            >
                { Icon::More.show() }
            </button>
            <div id="count-commands" class="menu" popover="auto">
                if props.rows.iter().any(|row| row.outcome.is_ok()) {
                    { command("save-last", Callback::from(|_| request_documents(|all| save_last(&all)))) }
                    { command("csv", save_table) }
                }
                if props.can_delete {
                    <Discard boards={props.rows.len()} is_unfinished=false />
                }
            </div>
        </>
    }
}

/// Loads the results of all finished rows into Results, as if the user had saved and opened them, and opens this view.
fn show_in_results(navigate: Navigate) {
    request_documents(move |documents| {
        let open = move || {
            let address = navigate.address();
            // The user may have left Count while the documents were loaded.
            if address.view == View::Count {
                navigate.push(address.with_view(View::Results).with_result(None));
            }
        };
        from_count::load(documents, open);
    });
}

/// Saves the last result document.
fn save_last(documents: &[(String, String)]) {
    if let Some((name, text)) = documents.last() {
        download::file(name, "application/json", text);
    }
}

/// Returns rows as comma-separated values, with a header. Rows that failed a check are left out.
fn csv(rows: &[FinishedRow]) -> String {
    let mut text =
        "n,total,unique,count2,count4,count8,method,backend,workers,seconds,checks\r\n".to_owned();
    for row in rows {
        let Ok(numbers) = row.outcome else { continue };
        let classes = numbers.classes().unwrap_or_default();
        let checks: Vec<_> = row.checks.iter().map(Check::id).collect();
        text += &format!(
            "{},{},{},{},{},{},{},{},{},{:.3},{}\r\n",
            row.size,
            numbers.total(),
            numbers.unique(),
            classes.count2,
            classes.count4,
            classes.count8,
            row.method,
            row.executor.backend().id(),
            row.executor.worker_count(),
            row.seconds,
            checks.join(" ")
        );
    }
    text
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::count::tests::finished;
    use crate::words::plain;
    use crate::worker::Executor;

    #[test]
    fn rows_of_one_method_name_their_workers_only_if_these_differ() {
        let methods = |language, executors: [Executor; 3]| -> Vec<String> {
            let row = |(n, executor)| FinishedRow { executor, ..finished(n) };
            let rows: Rc<[FinishedRow]> = (12..).zip(executors).map(row).collect();
            let html = rendered(language, html! { <Table {rows} can_delete=true /> });
            let rows = elements(&html, "data-n=");
            rows.iter().map(|row| plain(&texts(row.inner()).replace('\n', " "))).collect()
        };
        let [one, two] = [1, 2].map(Executor::Workers);
        let same = methods(Language::English, [two; 3]);
        assert!(same.iter().all(|name| !name.contains("worker")), "{same:?}");
        for (language, parts) in [
            (Language::English, ["join · 1 worker", " · 2 workers", " · GPU"]),
            (Language::Japanese, ["・ ワーカー 1 個", "・ ワーカー 2 個", "・ GPU"]),
        ] {
            let mixed = methods(language, [one, two, Executor::WebGpu]);
            for (name, part) in mixed.iter().zip(parts) {
                assert!(name.contains(part), "{mixed:?}");
            }
        }
    }

    #[test]
    fn only_checked_rows_are_saved_as_csv() {
        let wrong = FinishedRow { outcome: Err("a reason".to_owned()), ..finished(9) };
        let table = csv(&[wrong, finished(8)]);
        let lines: Vec<_> = table.lines().skip(1).collect();
        assert_eq!(lines, ["8,92,12,0,1,11,colours,wasm,2,12.500,sums divisibility known"]);
    }

    #[test]
    fn finished_counts_can_be_listed_in_results() {
        let table = |language, rows: Vec<FinishedRow>| {
            let rows: Rc<[FinishedRow]> = rows.into();
            rendered(language, html! { <Table {rows} can_delete=true /> })
        };
        let row = finished(12);
        for language in Language::ALL {
            let html = table(language, vec![row.clone()]);
            let [button] = &elements(&html, "id=\"to-results\"")[..] else { panic!("{html}") };
            let name = tr!(language, "count.to-results");
            assert!(button.content().contains(&name), "{html}");
            // The hint in Results names the button.
            assert!(tr!(language, "results.save-from-count").contains(&name), "{name}");
        }
        let wrong = FinishedRow { outcome: Err("a reason".to_owned()), ..row };
        assert!(!table(Language::English, vec![wrong]).contains("to-results"));
    }
}
