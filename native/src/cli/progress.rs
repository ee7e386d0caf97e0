//! Progress of long runs on stderr.

use std::{
    fmt,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use queens_core::Pace;

use super::{interrupt, output};

/// Time after which a run first shows progress.
const FIRST_PROGRESS: Duration = Duration::from_secs(1);

/// Maximum pause between two progress lines of a run.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Progress display of one run, which also watches for an interrupt.
pub struct ProgressDisplay {
    title: String,
    tasks: usize,
    /// Number of tasks that earlier sessions finished.
    done_before: usize,
    start: Instant,
    pace: Pace,
    display: Display,
}

/// The way in which progress is shown.
enum Display {
    /// A bar on a terminal that can move its cursor. The bar is hidden at first.
    Bar(ProgressBar),
    /// Notes on any other stderr, for example a log file. With `--quiet`, nothing prints them.
    Lines(Schedule),
}

/// Removes the bar from the terminal.
impl Drop for Display {
    fn drop(&mut self) {
        if let Display::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// The times of progress lines: the first one after [`FIRST_PROGRESS`], the others after pauses that
/// double up to [`MAX_PAUSE`].
#[derive(Debug)]
struct Schedule {
    next: Duration,
    pause: Duration,
}

impl Schedule {
    const START: Schedule = Schedule { next: FIRST_PROGRESS, pause: FIRST_PROGRESS };

    /// Returns whether a line is due, and if so, schedules the next one.
    fn is_due(&mut self, elapsed: Duration) -> bool {
        if elapsed < self.next {
            return false;
        }
        self.pause = (self.pause * 2).min(MAX_PAUSE);
        self.next = elapsed + self.pause;
        true
    }
}

impl ProgressDisplay {
    /// Creates the display of a run with `tasks` tasks, `done_before` of which earlier sessions finished.
    /// `title` names the run.
    pub fn new(title: String, tasks: usize, done_before: usize) -> ProgressDisplay {
        let display = if output::is_quiet() || ProgressDrawTarget::stderr().is_hidden() {
            Display::Lines(Schedule::START)
        } else {
            Display::Bar(bar(&title, tasks))
        };
        let (start, pace) = (Instant::now(), Pace::default());
        ProgressDisplay { title, tasks, done_before, start, pace, display }
    }

    /// Shows that this process has finished `done` tasks. Returns the expected duration of this session, once
    /// it is known, or `Break` after an interrupt.
    pub fn update(&mut self, done: usize) -> ControlFlow<(), Option<Duration>> {
        if interrupt::is_set() {
            return ControlFlow::Break(());
        }
        let elapsed = self.start.elapsed();
        let remaining = self.pace.left(done, self.tasks.saturating_sub(self.done_before), elapsed);
        let done = self.done_before + done;
        match &mut self.display {
            Display::Bar(bar) if elapsed >= FIRST_PROGRESS => {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                bar.set_position(done as u64);
                bar.set_prefix(remaining.map_or(String::new(), |remaining| {
                    format!("{:#} left", HumanDuration(remaining))
                }));
            }
            Display::Lines(schedule) => {
                if schedule.is_due(elapsed) {
                    output::note(progress_line(&self.title, done, self.tasks, elapsed, remaining));
                }
            }
            Display::Bar(_) => {}
        }
        ControlFlow::Continue(remaining.map(|remaining| elapsed + remaining))
    }
}

/// Progress lines of an estimate, which samples tasks until it is accurate enough.
pub struct EstimateDisplay {
    title: String,
    start: Instant,
    schedule: Schedule,
}

impl EstimateDisplay {
    /// Creates the display of an estimate. `title` names the count.
    pub fn new(title: &str) -> EstimateDisplay {
        let title = format!("{title}: estimating");
        EstimateDisplay { title, start: Instant::now(), schedule: Schedule::START }
    }

    /// Shows that `sampled` tasks have been sampled so far. Returns `Break` after an interrupt.
    pub fn update(&mut self, sampled: usize) -> ControlFlow<()> {
        if interrupt::is_set() {
            return ControlFlow::Break(());
        }
        let elapsed = self.start.elapsed();
        if self.schedule.is_due(elapsed) {
            let (title, time) = (&self.title, HumanDuration(elapsed));
            output::note(format!("{title}, {time}, tasks sampled: {sampled}"));
        }
        ControlFlow::Continue(())
    }
}

/// Creates a hidden progress bar.
fn bar(title: &str, tasks: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(tasks as u64), ProgressDrawTarget::hidden());
    let template = "{msg} {wide_bar} {percent}%  {pos}/{len} tasks  {rate}  {prefix}";
    // The default style is a fallback for an invalid template.
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key(
        "rate",
        |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = write!(out, "{:.1}/s", state.per_sec());
        },
    );
    bar.with_style(style).with_message(title.to_owned())
}

fn progress_line(
    title: &str,
    done: usize,
    tasks: usize,
    elapsed: Duration,
    remaining: Option<Duration>,
) -> String {
    let percent = 100 * done / tasks.max(1);
    let spent = HumanDuration(elapsed);
    let remaining = remaining
        .map_or(String::new(), |remaining| format!(", about {} left", HumanDuration(remaining)));
    format!("{title}: {done} of {tasks} tasks ({percent}%), {spent}{remaining}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Returns the seconds at which a run of two minutes prints lines.
    fn times() -> Vec<u64> {
        let mut schedule = Schedule::START;
        let tenths = (0..1200).map(|tenth| Duration::from_millis(100 * tenth));
        tenths.filter(|&time| schedule.is_due(time)).map(|time| time.as_secs()).collect()
    }

    #[test]
    fn limits_the_rate_of_progress_lines() {
        assert_eq!(times(), [1, 3, 7, 15, 31, 63]);
    }

    #[test]
    fn formats_progress_lines() {
        let line_at = |done, remaining| progress_line("N = 20", done, 40, seconds(120), remaining);
        assert_eq!(line_at(0, None), "N = 20: 0 of 40 tasks (0%), 2 minutes");
        assert_eq!(
            line_at(10, Some(seconds(360))),
            "N = 20: 10 of 40 tasks (25%), 2 minutes, about 6 minutes left"
        );
    }
}
