//! The running counts that report to the server.

use std::time::Duration;

use queens_core::{document::Seconds, remaining};
use queens_worker::measured;
use yew::prelude::*;

use super::archive::Run;
use crate::words::{Language, duration, grouped, grouped_decimal, method_name, tr};

/// Renders a progress bar for each running count; empty if no count is running.
pub fn runs(language: Language, runs: &[Run]) -> Html {
    if runs.is_empty() {
        return html! {};
    }
    let lines = runs.iter().map(|run| line(language, run));
    html! {
        <section class="runs" aria-labelledby="runs">
            <h2 id="runs">{ tr!(language, "results.running") }</h2>
            <ul>{ for lines }</ul>
        </section>
    }
}

fn line(language: Language, run: &Run) -> Html {
    let progress = &run.progress;
    let method = method_name(language, progress.method);
    let name = tr!(language, "results.run-label", n = progress.n, method = method);
    let share = f64::from(progress.done) / f64::from(progress.tasks.max(1));
    let (done, tasks) = (grouped(progress.done.into()), grouped(progress.tasks.into()));
    let seconds = progress.seconds.get();
    let (done_now, all) = (progress.done, progress.tasks);
    // The estimate in the report may be better than one from the number of tasks.
    let rest = progress.rest.map(Seconds::get).or_else(|| estimated_rest(done_now, all, seconds));
    let rate = rest.and_then(|rest| rate(all.saturating_sub(done_now), rest));
    html! {
        <li key={run.id.clone()} data-testid="run" data-run={run.id.clone()}>
            <span class="run-name">{ name.clone() }</span>
            <progress max="1" value={format!("{share:.4}")} aria-label={name} />
            <span class="soft">
                { tr!(language, "results.run-tasks", done = done, tasks = tasks) }
                { language.separator() }
                { tr!(language, "results.run-time", time = duration(language, seconds)) }
                if let Some(rate) = rate {
                    { language.separator() }
                    { tr!(language, "results.run-rate", rate = grouped_decimal(rate, 1)) }
                }
                if let Some(rest) = rest {
                    { language.separator() }
                    { tr!(language, "results.run-rest", time = duration(language, rest)) }
                }
            </span>
        </li>
    }
}

/// Estimates the remaining time in seconds from the average speed so far. Returns `None` before the
/// first task is done.
fn estimated_rest(done: u32, tasks: u32, seconds: f64) -> Option<f64> {
    let took = Duration::try_from_secs_f64(seconds).ok()?;
    let left = remaining(done as usize, took, tasks.saturating_sub(done) as usize)?;
    Some(left.as_secs_f64())
}

/// Returns the tasks per second at which `left` tasks take `rest` seconds.
fn rate(left: u32, rest: f64) -> Option<f64> {
    (measured(rest) > 0.0).then(|| f64::from(left) / rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_the_remaining_time_from_finished_tasks() {
        assert_eq!(estimated_rest(0, 10, 5.0), None);
        assert_eq!(estimated_rest(2, 10, 5.0), Some(20.0));
        assert_eq!(estimated_rest(10, 10, 5.0), Some(0.0));
        assert_eq!([rate(8, 20.0), rate(0, 0.0), rate(8, 1e-308)], [Some(0.4), None, None]);
    }
}
