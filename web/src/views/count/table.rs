//! The table of finished rows, with buttons that save their documents.

use queens_core::Checks;
use queens_state::count::distinguishing_executor;
use yew::prelude::*;

use super::count_client::{request_documents, send_command};
use super::names::{method_cell, method_name, name_of};
use crate::place::{Navigate, View, use_address};
use crate::views::results::from_count;
use crate::words::{Language, duration, grouped, tr, use_language};
use crate::worker::{CountCommand, FinishedRow};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub rows: std::rc::Rc<[FinishedRow]>,
}

/// The table, and the buttons that show its results in Results and save it as CSV.
#[component]
pub fn Table(props: &Props) -> Html {
    let language = use_language();
    let (_, navigate) = use_address();
    // A narrow window hides the method's column if it is the same in all rows.
    let mut methods = props.rows.iter().map(|row| row.method);
    let first = methods.next();
    let one_method = methods.all(|method| Some(method) == first)
        && props.rows.iter().all(|row| distinguishing_executor(row, &props.rows).is_none());
    let method_class = if one_method { "not-phone" } else { "" };
    let rows = (0..)
        .zip(&*props.rows)
        .map(|(index, row)| table_row(language, index, &props.rows, row, method_class));
    let save = Callback::from(|_| send_command(CountCommand::SendTable));
    let onclick = Callback::from(move |_| show_in_results(navigate.clone()));
    let head = |key: &str, class| html! { <th scope="col" {class}>{ tr!(language, key) }</th> };
    let name = tr!(language, "count.table");
    html! {
        <>
            <div class="wide-frame" tabindex="0" role="region" aria-label={name}>
                <table class="result-table" id="count-lines">
                    <thead><tr>
                        <th scope="col" class="number">{ "N" }</th>
                        { head("count.total", "number") }
                        { head("count.unique", "number not-phone") }
                        { head("count.time", "number") }
                        { head("count.method", method_class) }
                        { head("count.checks", "") }
                        { head("count.document", "") }
                    </tr></thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
            <p id="count-words" class="hint">{ tr!(language, "count.unique-more") }</p>
            <p class="count-ways">
                if props.rows.iter().any(|row| row.outcome.is_ok()) {
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

/// Renders a row of the table.
fn table_row(
    language: Language,
    index: u32,
    rows: &[FinishedRow],
    row: &FinishedRow,
    method_class: &'static str,
) -> Html {
    let n = row.size;
    let executor = distinguishing_executor(row, rows);
    let numbers = match &row.outcome {
        Ok(numbers) => {
            html! {
                <>
                    <td class="number">{ grouped(numbers.total()) }</td>
                    <td class="number not-phone">{ grouped(numbers.unique()) }</td>
                    <td class="number"><span title={row.time.clone()}>{ duration(language, row.seconds) }</span></td>
                    <td class={method_class}>{ method_cell(language, row.method, executor) }</td>
                    <td>{ checks(language, row.checks) }</td>
                    <td>{ save_button(language, index, &name_of(language, row, rows)) }</td>
                </>
            }
        }
        Err(why) => {
            let method = method_name(language, row.method, executor);
            html! {
                <td colspan="6" class="bad">{ tr!(language, "count.wrong", method = method, why = why) }</td>
            }
        }
    };
    html! {
        <tr
            key={index} data-n={n.to_string()} data-method={row.method.id()}
            data-seconds={row.seconds.to_string()}
        >
            <th scope="row" class="number">{ n.get() }</th>
            { numbers }
        </tr>
    }
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
