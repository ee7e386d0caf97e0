//! The table of finished rows, with buttons that save their documents.

use queens_core::{Checks, Numbers};
use queens_state::count::distinguishing_executor;
use yew::prelude::*;

use super::count_client::{request_documents, send_command};
use super::names::{method_cell, method_name, name_of};
use crate::parts::table::{Column, cells, framed, heads};
use crate::place::{Navigate, View, use_address};
use crate::views::results::from_count;
use crate::words::{Language, duration, grouped, tr, use_language};
use crate::worker::{CountCommand, FinishedRow};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub rows: std::rc::Rc<[FinishedRow]>,
}

/// What the cells of a row depend on, besides the row.
struct Context<'a> {
    language: Language,
    rows: &'a [FinishedRow],
    /// The index of the row.
    index: u32,
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
        Column::new("count.checks", "", |context, (row, _)| checks(context.language, row.checks)),
        Column::new("count.document", "", |context, (row, _)| {
            save_button(
                context.language,
                context.index,
                &name_of(context.language, row, context.rows),
            )
        }),
    ]
}

/// The table, and the buttons that show its results in Results and save it as CSV.
#[component]
pub fn Table(props: &Props) -> Html {
    let language = use_language();
    let (_, navigate) = use_address();
    let all = &*props.rows;
    let columns = columns(all);
    let rows = (0..).zip(all).map(|(index, row)| {
        let context = Context { language, rows: all, index };
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
    let save = Callback::from(|_| send_command(CountCommand::SendTable));
    let onclick = Callback::from(move |_| show_in_results(navigate.clone()));
    let name = tr!(language, "count.table");
    html! {
        <>
            { framed("count-lines", name, heads(language, &columns), rows.collect()) }
            <p id="count-words" class="hint">{ tr!(language, "count.unique-more") }</p>
            <p class="count-ways">
                if all.iter().any(|row| row.outcome.is_ok()) {
                    <button id="to-results" type="button" title={tr!(language, "count.to-results-hint")} {onclick}>
                        { tr!(language, "count.to-results") }
                    </button>
                }
                <button id="csv" type="button" onclick={save}>{ tr!(language, "count.csv") }</button>
            </p>
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

/// Renders a mark for each check that the numbers passed. A click shows the checks in words.
fn checks(language: Language, checks: Checks) -> Html {
    let count = checks.iter().count();
    if count == 0 {
        return html! { "–" };
    }
    let items = checks.iter().map(|check| {
        html! { <li>{ tr!(language, format!("count.check-{}", check.id())) }</li> }
    });
    let marks = "✓".repeat(count);
    let name = if count == 1 {
        tr!(language, "count.checks-one")
    } else {
        tr!(language, "count.checks-passed", count = count)
    };
    html! {
        <details class="check-marks">
            <summary aria-label={name}>
                <span class="good" aria-hidden="true">{ marks }</span>
            </summary>
            <ul class="checks">{ for items }</ul>
        </details>
    }
}

/// Renders the button that saves the document of a row.
fn save_button(language: Language, index: u32, row_name: &str) -> Html {
    let onclick = Callback::from(move |_| send_command(CountCommand::SendDocument(index)));
    let label = tr!(language, "count.save-of", of = row_name);
    html! {
        <button class="save-line" type="button" {onclick} aria-label={label}>
            { tr!(language, "count.save") }
        </button>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered};
    use crate::views::count::tests::finished;
    use crate::words::plain;
    use crate::worker::Executor;

    #[test]
    fn rows_of_one_method_name_their_workers_only_if_these_differ() {
        let methods = |language, executors: [Executor; 3]| -> Vec<String> {
            let row = |(n, executor)| FinishedRow { executor, ..finished(n) };
            let rows: std::rc::Rc<[FinishedRow]> = (12..).zip(executors).map(row).collect();
            let html = rendered(language, html! { <Table {rows} /> });
            let saves = elements(&html, "class=\"save-line\"");
            saves
                .iter()
                .filter_map(|save| save.attribute("aria-label"))
                .map(|name| plain(&name))
                .collect()
        };
        let [one, two] = [1, 2].map(Executor::Workers);
        let [english, japanese] = Language::ALL;
        let same = methods(english, [two; 3]);
        assert!(same.iter().all(|name| !name.contains("worker")), "{same:?}");
        let mixed = methods(english, [one, two, Executor::WebGpu]);
        for (name, part) in mixed.iter().zip(["join · 1 worker", " · 2 workers", " · GPU"]) {
            assert!(name.contains(part), "{mixed:?}");
        }
        let mixed = methods(japanese, [one, two, Executor::WebGpu]);
        for (name, part) in mixed.iter().zip(["・ワーカー 1 個", "・ワーカー 2 個", "・GPU"])
        {
            assert!(name.contains(part), "{mixed:?}");
        }
    }

    #[test]
    fn finished_counts_have_a_button_that_lists_them_in_results() {
        let table = |language, rows: Vec<FinishedRow>| {
            let rows: std::rc::Rc<[FinishedRow]> = rows.into();
            rendered(language, html! { <Table {rows} /> })
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
