//! The table of finished rows, with buttons that save and post their documents.

use queens_core::Checks;
use queens_state::count::distinguishing_executor;
use yew::prelude::*;

use super::count_client::{request_documents, send_command};
use super::names::{method_cell, method_name, name_of};
use crate::parts::link::Link;
use crate::place::{Address, Navigate, View, use_address};
use crate::views::results::from_count;
use crate::words::{Language, duration, grouped, tr, use_language};
use crate::worker::{CountCommand, FinishedRow, PostStatus};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub rows: std::rc::Rc<[FinishedRow]>,
    /// Whether results can be posted to the page's own server; `None` until the server has
    /// answered.
    pub has_server: Option<bool>,
}

/// The table, and the buttons that show its results in Results and save it as CSV.
#[component]
pub fn Table(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let can_post = props.has_server == Some(true);
    // A narrow window hides the method's column if it is the same in all rows.
    let mut methods = props.rows.iter().map(|row| row.method);
    let first = methods.next();
    let one_method = methods.all(|method| Some(method) == first)
        && props.rows.iter().all(|row| distinguishing_executor(row, &props.rows).is_none());
    let method_class = if one_method { "not-phone" } else { "" };
    let rows = (0..).zip(&*props.rows).map(|(index, row)| {
        table_row(language, &address, can_post, index, &props.rows, row, method_class)
    });
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
            if can_post && props.rows.iter().any(can_be_published) {
                <p id="post-hint" class="hint">
                    { publish_hint(language) }
                </p>
            }
            if props.has_server == Some(false) {
                <p id="no-post" class="hint">{ tr!(language, "count.no-post") }</p>
            }
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

/// Renders a row of the table. `can_post` says whether the server accepts results.
fn table_row(
    language: Language,
    address: &Address,
    can_post: bool,
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
                    <td><div class="count-ways">{ actions(language, address, can_post, index, rows, row) }</div></td>
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

/// Whether a row has the button that publishes its result, if there is a server.
fn can_be_published(row: &FinishedRow) -> bool {
    row.outcome.is_ok() && !matches!(row.posted, PostStatus::Stored(_))
}

/// Explains the button in the words of Results. On a touch screen, the title of a button is not shown.
fn publish_hint(language: Language) -> String {
    let button = tr!(language, "results.publish.button");
    tr!(language, "count.post-hint", button = button, hint = tr!(language, "results.publish.hint"))
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

/// Renders the actions for a row's document.
fn actions(
    language: Language,
    address: &Address,
    can_post: bool,
    index: u32,
    rows: &[FinishedRow],
    row: &FinishedRow,
) -> Html {
    let row_name = name_of(language, row, rows);
    let save = Callback::from(move |_| send_command(CountCommand::SendDocument(index)));
    let post = Callback::from(move |_| send_command(CountCommand::Post(index)));
    let posted = match &row.posted {
        PostStatus::Stored(id) => {
            let to = Address { result: Some(id.clone()), ..address.with_view(View::Results) };
            return html! {
                <>
                    { save_button(language, &row_name, save) }
                    <Link {to} class="posted">{ tr!(language, "count.posted") }</Link>
                </>
            };
        }
        PostStatus::Sending => tr!(language, "count.sending"),
        PostStatus::Rejected(None) => tr!(language, "count.no-server"),
        PostStatus::Rejected(Some(401)) => tr!(language, "results.publish.untrusted"),
        PostStatus::Rejected(Some(status)) => tr!(language, "count.refused", status = status),
        PostStatus::NotPosted => String::new(),
    };
    let label = tr!(language, "count.post-of", of = row_name);
    html! {
        <>
            { save_button(language, &row_name, save) }
            if can_post {
                <button
                    class="post" type="button" onclick={post} aria-label={label}
                    title={tr!(language, "results.publish.hint")}
                >
                    { tr!(language, "results.publish.button") }
                </button>
            }
            <span class="soft" role="status">{ posted }</span>
        </>
    }
}

fn save_button(language: Language, row_name: &str, onclick: Callback<MouseEvent>) -> Html {
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
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::count::tests::finished;
    use crate::words::plain;
    use crate::worker::Executor;

    #[test]
    fn rows_of_one_method_name_their_workers_only_if_these_differ() {
        let methods = |language, executors: [Executor; 3]| -> Vec<String> {
            let row =
                |(n, executor)| FinishedRow { executor, ..finished(n, PostStatus::NotPosted) };
            let rows: std::rc::Rc<[FinishedRow]> = (12..).zip(executors).map(row).collect();
            let html = rendered(language, html! { <Table {rows} has_server={false} /> });
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
            rendered(language, html! { <Table {rows} has_server={Some(false)} /> })
        };
        let row = finished(12, PostStatus::NotPosted);
        for language in Language::ALL {
            let html = table(language, vec![row.clone()]);
            let [button] = &elements(&html, "id=\"to-results\"")[..] else { panic!("{html}") };
            let name = tr!(language, "count.to-results");
            assert!(button.content().contains(&name), "{html}");
            // The hints in both views name the button.
            for hint in ["count.no-post", "results.save-from-count"] {
                assert!(tr!(language, hint).contains(&name), "{hint}");
            }
        }
        let wrong = FinishedRow { outcome: Err("a reason".to_owned()), ..row };
        assert!(!table(Language::English, vec![wrong]).contains("to-results"));
    }

    #[test]
    fn the_button_for_publishing_says_what_it_does_in_the_words_of_results() {
        for language in Language::ALL {
            let table = |posted, has_server| {
                let rows: std::rc::Rc<[FinishedRow]> = vec![finished(12, posted)].into();
                rendered(language, html! { <Table {rows} {has_server} /> })
            };
            let html = table(PostStatus::NotPosted, Some(true));
            let [button] = &elements(&html, "class=\"post\"")[..] else { panic!("{html}") };
            let (name, hint) =
                (tr!(language, "results.publish.button"), tr!(language, "results.publish.hint"));
            assert!(button.content().contains(&name), "{html}");
            assert_eq!(button.attribute("title").as_ref(), Some(&hint));
            assert!(texts(&html).contains(&hint), "{html}");
            let untrusted = table(PostStatus::Rejected(Some(401)), Some(true));
            let reason = plain(&tr!(language, "results.publish.untrusted"));
            assert!(plain(&texts(&untrusted)).contains(&*reason), "{untrusted}");
            // Without the button, nothing explains it.
            let stored = PostStatus::Stored("an-id".to_owned());
            for html in [table(PostStatus::NotPosted, Some(false)), table(stored, Some(true))] {
                assert!(!html.contains(&hint), "{html}");
            }
        }
    }
}
