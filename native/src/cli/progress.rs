//! Progress of long runs on stderr.

use std::{
    fmt,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use queens_core::Pace;

use super::{interrupt::Interrupt, output};

/// Time after which a run first shows progress.
const FIRST_PROGRESS: Duration = Duration::from_secs(1);

/// Maximum pause between two progress lines of a run.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Maximum pause between two progress lines of an estimate. An estimate usually ends within two minutes.
const MAX_ESTIMATE_PAUSE: Duration = Duration::from_secs(10);

/// Progress display of one run, which also watches for an interrupt.
pub struct ProgressDisplay<'a> {
    title: String,
    tasks: usize,
    /// Number of tasks that earlier sessions finished.
    done_before: usize,
    start: Instant,
    pace: Pace,
    interrupt: &'a Interrupt,
    display: Display,
}

/// The way in which progress is shown.
enum Display {
    /// No progress, because of `--quiet`.
    Nothing,
    /// A bar on a terminal that can move its cursor. The bar is hidden at first.
    Bar(ProgressBar),
    /// Lines on any other stderr, for example a log file.
    Lines(Schedule),
}

impl Display {
    fn new(quiet: bool, max_pause: Duration, bar: impl FnOnce() -> ProgressBar) -> Display {
        if quiet {
            Display::Nothing
        } else if ProgressDrawTarget::stderr().is_hidden() {
            Display::Lines(Schedule::new(max_pause))
        } else {
            Display::Bar(bar())
        }
    }

    /// Shows the progress of a run that began `elapsed` ago, on the bar or as a line if one is due.
    fn show(
        &mut self,
        elapsed: Duration,
        update: impl FnOnce(&ProgressBar),
        line: impl FnOnce() -> String,
    ) {
        match self {
            Display::Bar(bar) if elapsed >= FIRST_PROGRESS => {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                update(bar);
            }
            Display::Lines(schedule) => {
                if schedule.is_due(elapsed) {
                    output::note(line());
                }
            }
            Display::Bar(_) | Display::Nothing => {}
        }
    }
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
/// double up to a limit.
#[derive(Debug)]
struct Schedule {
    next: Duration,
    pause: Duration,
    max_pause: Duration,
}

impl Schedule {
    const fn new(max_pause: Duration) -> Schedule {
        Schedule { next: FIRST_PROGRESS, pause: FIRST_PROGRESS, max_pause }
    }

    /// Returns whether a line is due, and if so, schedules the next one.
    fn is_due(&mut self, elapsed: Duration) -> bool {
        if elapsed < self.next {
            return false;
        }
        self.pause = (self.pause * 2).min(self.max_pause);
        self.next = elapsed + self.pause;
        true
    }
}

impl<'a> ProgressDisplay<'a> {
    /// Creates the display of a run with `tasks` tasks, `done_before` of which earlier sessions finished.
    /// `title` names the run.
    pub fn new(
        quiet: bool,
        title: String,
        tasks: usize,
        done_before: usize,
        interrupt: &'a Interrupt,
    ) -> ProgressDisplay<'a> {
        let display = Display::new(quiet, MAX_PAUSE, || bar(&title, tasks));
        let (start, pace) = (Instant::now(), Pace::default());
        ProgressDisplay { title, tasks, done_before, start, pace, interrupt, display }
    }

    /// Shows that this process has finished `done` tasks. Returns the expected duration of this session, once
    /// it is known, or `Break` after an interrupt.
    pub fn update(&mut self, done: usize) -> ControlFlow<(), Option<Duration>> {
        if self.interrupt.is_set() {
            return ControlFlow::Break(());
        }
        let elapsed = self.start.elapsed();
        let remaining = self.pace.left(done, self.tasks.saturating_sub(self.done_before), elapsed);
        let done = self.done_before + done;
        let update =
            |bar: &ProgressBar| {
                bar.set_position(done as u64);
                bar.set_prefix(remaining.map_or(String::new(), |remaining| {
                    format!("{:#} left", HumanDuration(remaining))
                }));
            };
        let line = || progress_line(&self.title, done, self.tasks, elapsed, remaining);
        self.display.show(elapsed, update, line);
        ControlFlow::Continue(remaining.map(|remaining| elapsed + remaining))
    }
}

/// Progress display of an estimate, which samples tasks until it is accurate enough. One display covers
/// all samples, so a short sample prints no separate line.
pub struct EstimateDisplay<'a> {
    title: String,
    start: Instant,
    interrupt: &'a Interrupt,
    display: Display,
}

impl<'a> EstimateDisplay<'a> {
    /// Creates the display of an estimate. `title` names the count.
    pub fn new(quiet: bool, title: &str, interrupt: &'a Interrupt) -> EstimateDisplay<'a> {
        let title = format!("{title}: estimating");
        let display = Display::new(quiet, MAX_ESTIMATE_PAUSE, || {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            bar.with_style(ProgressStyle::default_spinner())
        });
        EstimateDisplay { title, start: Instant::now(), interrupt, display }
    }

    /// Shows that `sampled` tasks have been sampled so far. Returns `Break` after an interrupt.
    pub fn update(&mut self, sampled: usize) -> ControlFlow<()> {
        if self.interrupt.is_set() {
            return ControlFlow::Break(());
        }
        let elapsed = self.start.elapsed();
        let text = || {
            let tasks = match sampled {
                0 => String::new(),
                1 => ", 1 task sampled".to_owned(),
                _ => format!(", {sampled} tasks sampled"),
            };
            format!("{}, {}{tasks}", self.title, HumanDuration(elapsed))
        };
        let update = |bar: &ProgressBar| {
            bar.set_message(text());
            bar.tick();
        };
        self.display.show(elapsed, update, text);
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
    fn times(max_pause: Duration) -> Vec<u64> {
        let mut schedule = Schedule::new(max_pause);
        let tenths = (0..1200).map(|tenth| Duration::from_millis(100 * tenth));
        tenths.filter(|&time| schedule.is_due(time)).map(|time| time.as_secs()).collect()
    }

    #[test]
    fn limits_the_rate_of_progress_lines() {
        assert_eq!(times(MAX_PAUSE), [1, 3, 7, 15, 31, 63]);
        let estimate = [1, 3, 7, 15, 25, 35, 45, 55, 65, 75, 85, 95, 105, 115];
        assert_eq!(times(MAX_ESTIMATE_PAUSE), estimate);
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
