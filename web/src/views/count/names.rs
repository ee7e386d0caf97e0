//! The names of boards and methods in Count.

use queens_core::{Method, Size};
use yew::prelude::*;

use super::model::distinguishing_executor;
use crate::words::{Language, numbered_method, tr};
use crate::worker::{Executor, FinishedRow};

/// Returns the name of a method, with the executor if it is given.
pub fn method_name(language: Language, method: Method, executor: Option<Executor>) -> String {
    let method = numbered_method(language, method);
    match executor {
        Some(executor) => [&method, language.dot(), &executor_name(language, executor)].concat(),
        None => method,
    }
}

/// Renders the name of a method, with the executor if it is given. A line may end before the executor.
pub fn method_cell(language: Language, method: Method, executor: Option<Executor>) -> Html {
    // A line may not begin with a Japanese dot.
    let [before, after] = match language {
        Language::English => [" ", "· "],
        Language::Japanese => [language.dot(), ""],
    };
    let executor = executor.map(|executor| {
        html! { <>{ before }<span class="executor">{ after }{ executor_name(language, executor) }</span></> }
    });
    html! { <>{ numbered_method(language, method) }{ for executor }</> }
}

fn executor_name(language: Language, executor: Executor) -> String {
    match executor {
        Executor::WebGpu => tr!(language, "count.gpu"),
        Executor::Workers(1) => tr!(language, "count.one-worker"),
        Executor::Workers(count) => tr!(language, "count.many-workers", count = count),
    }
}

/// Returns the name of a row: its board and its method, with the executor if it is given.
pub fn row_name(
    language: Language,
    method: Method,
    size: Size,
    executor: Option<Executor>,
) -> String {
    let method = method_name(language, method, executor);
    tr!(language, "count.line", n = size, method = method)
}

/// Returns the name of a finished row, with its executor if this distinguishes it from other rows.
pub fn name_of(language: Language, row: &FinishedRow, rows: &[FinishedRow]) -> String {
    row_name(language, row.method, row.size, distinguishing_executor(row, rows))
}
