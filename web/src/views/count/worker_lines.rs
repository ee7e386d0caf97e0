//! The workers of a count: a line for each, with its share of the board and its task.

use yew::prelude::*;

use crate::words::{Language, grouped, tr};
use crate::worker::{CountStatus, CurrentRow, Executor, WorkerStatus};

/// Renders a line for each worker, in a fold. Each bar starts where the previous one ends, and the last bar ends
/// at the progress of the board.
pub fn workers(language: Language, row: &CurrentRow, status: &CountStatus) -> Html {
    let workers = &status.workers;
    if workers.is_empty() {
        return html! {};
    }
    let has_gpu = status.job.is_some_and(|job| job.executor == Executor::WebGpu);
    let all = f64::from(row.tasks.max(1));
    let done_here: u32 = workers.iter().map(|worker| worker.done).sum();
    // Tasks of earlier sessions come first.
    let mut start = row.done.saturating_sub(done_here);
    let lines = (1..).zip(workers).map(|(number, worker)| {
        let [left, width] = [start, worker.done].map(|tasks| f64::from(tasks) / all * 100.0);
        start += worker.done;
        let name = if has_gpu {
            tr!(language, "count.gpu")
        } else {
            tr!(language, "count.worker", number = number)
        };
        let done = grouped(worker.done.into());
        let share = tr!(language, "count.worker-share", done = done, tasks = grouped(row.tasks.into()));
        html! {
            <li key={number} data-done={worker.done.to_string()}>
                <span>{ name }</span>
                <svg class="worker-bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={share.clone()}>
                    <title>{ share }</title>
                    <rect x={format!("{left:.2}")} width={format!("{width:.2}")} height="8" />
                </svg>
                <span class="worker-task">{ task(language, worker) }</span>
            </li>
        }
    });
    html! {
        <details id="count-more">
            <summary>{ tr!(language, "count.workers-now") }</summary>
            <ol id="count-workers-now" class="worker-list">{ for lines }</ol>
            <p class="hint">{ tr!(language, "count.workers-hint") }</p>
        </details>
    }
}

/// Names the tasks that a worker is counting.
fn task(language: Language, worker: &WorkerStatus) -> String {
    let Some(task) = worker.task else { return tr!(language, "count.waits") };
    let task = grouped(task.into());
    match worker.batch {
        0 | 1 => tr!(language, "count.task", task = task),
        batch => {
            tr!(language, "count.task-batch", task = task, more = grouped(u64::from(batch) - 1))
        }
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Method, Size};

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};

    #[test]
    fn bars_end_at_the_progress_of_the_board() {
        let row = CurrentRow {
            method: Method::Colours,
            size: Size::new(14).unwrap(),
            started: 80,
            done: 60,
            tasks: 200,
            solutions: 0,
            seconds: 1.0,
            remaining_seconds: None,
        };
        let busy = |task, batch, done| WorkerStatus { task: Some(task), batch, done };
        let all = vec![busy(552, 1, 30), busy(1_000, 12, 10), WorkerStatus::default()];
        let status = CountStatus { workers: all, ..CountStatus::default() };
        for (language, sentences) in [
            (
                Language::English,
                [
                    "task 552",
                    "task 1,000 and 11 more",
                    "waiting",
                    "30 of 200 tasks",
                    "The bar of a worker",
                ],
            ),
            (
                Language::Japanese,
                ["タスク 552", "ほか 11 個", "待機中", "200 個のうち 30 個を完了", "棒は"],
            ),
        ] {
            let html = rendered(language, workers(language, &row, &status));
            let bars: Vec<_> = elements(&html, "rect x=")
                .iter()
                .map(|bar| ["x", "width"].map(|name| bar.attribute(name).unwrap()))
                .collect();
            // The 20 tasks of an earlier session come first.
            assert_eq!(bars, [["10.00", "15.00"], ["25.00", "5.00"], ["30.00", "0.00"]]);
            let said = texts(&html);
            assert!(sentences.iter().all(|sentence| said.contains(sentence)), "{said}");
        }
        let none = workers(Language::English, &row, &CountStatus::default());
        assert_eq!(rendered(Language::English, none), "");
    }
}
