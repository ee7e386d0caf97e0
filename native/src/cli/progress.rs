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

/// The longest pause between two lines of a run.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// The longest pause between two lines of an estimate, which is over in two minutes.
const LONGEST_PAUSE_OF_ESTIMATE: Duration = Duration::from_secs(10);

/// Progress display of one run, which also watches for an interrupt.
pub struct ProgressDisplay<'a> {
    what: String,
    tasks: usize,
    /// Number of tasks that earlier sessions finished.
    before: usize,
    begun: Instant,
    pace: Pace,
    /// The expected duration of the whole run, once it is known.
    expected: Option<Duration>,
    interrupt: &'a Interrupt,
    display: Display,
}

/// The form of the progress.
enum Display {
    /// With `--quiet`.
    Nothing,
    /// On a terminal that can move its cursor. The bar is hidden until [`reveal`].
    Bar(ProgressBar),
    /// Otherwise, for example in a log file.
    Lines(Schedule),
}

impl Display {
    fn new(quiet: bool, longest_pause: Duration, bar: impl FnOnce() -> ProgressBar) -> Display {
        if quiet {
            Display::Nothing
        } else if ProgressDrawTarget::stderr().is_hidden() {
            Display::Lines(Schedule::new(longest_pause))
        } else {
            Display::Bar(bar())
        }
    }

    fn clear(&self) {
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
    longest_pause: Duration,
}

impl Schedule {
    const fn new(longest_pause: Duration) -> Schedule {
        Schedule { next: FIRST_PROGRESS, pause: FIRST_PROGRESS, longest_pause }
    }

    /// Returns whether a line is due, and if so, schedules the next one.
    fn is_due(&mut self, elapsed: Duration) -> bool {
        if elapsed < self.next {
            return false;
        }
        self.pause = (self.pause * 2).min(self.longest_pause);
        self.next = elapsed + self.pause;
        true
    }
}

impl<'a> ProgressDisplay<'a> {
    /// Creates the display of a run with `tasks` tasks, `before` of which earlier sessions finished.
    /// `what` names the run.
    pub fn new(
        quiet: bool,
        what: String,
        tasks: usize,
        before: usize,
        interrupt: &'a Interrupt,
    ) -> ProgressDisplay<'a> {
        let display = Display::new(quiet, LONGEST_PAUSE, || bar(&what, tasks));
        let (begun, pace, expected) = (Instant::now(), Pace::default(), None);
        ProgressDisplay { what, tasks, before, begun, pace, expected, interrupt, display }
    }

    /// Shows that this session has finished `done` tasks. Returns `Break` after an interrupt.
    pub fn at(&mut self, done: usize) -> ControlFlow<()> {
        if self.interrupt.is_set() {
            self.clear();
            return ControlFlow::Break(());
        }
        let elapsed = self.begun.elapsed();
        let left = self.pace.left(done, self.tasks.saturating_sub(self.before), elapsed);
        self.expected = left.map(|left| elapsed + left);
        let done = self.before + done;
        match &mut self.display {
            Display::Bar(bar) if elapsed >= FIRST_PROGRESS => {
                reveal(bar);
                bar.set_position(done as u64);
                bar.set_prefix(
                    left.map_or(String::new(), |left| format!("{:#} left", HumanDuration(left))),
                );
            }
            Display::Lines(schedule) => {
                if schedule.is_due(elapsed) {
                    output::note(line(&self.what, done, self.tasks, elapsed, left));
                }
            }
            Display::Bar(_) | Display::Nothing => {}
        }
        ControlFlow::Continue(())
    }

    /// Returns the expected duration of the whole run, as of the last call of [`at`](ProgressDisplay::at).
    pub fn expected(&self) -> Option<Duration> {
        self.expected
    }

    /// Removes the bar from the terminal.
    pub fn clear(&self) {
        self.display.clear();
    }
}

/// Progress display of an estimate, which samples tasks until it is accurate enough. One display covers
/// all samples, so a short sample prints no separate line.
pub struct Estimating<'a> {
    what: String,
    begun: Instant,
    interrupt: &'a Interrupt,
    display: Display,
}

impl<'a> Estimating<'a> {
    /// Creates the display of an estimate. `what` names the count.
    pub fn new(quiet: bool, what: &str, interrupt: &'a Interrupt) -> Estimating<'a> {
        let what = format!("{what}: estimating");
        let display = Display::new(quiet, LONGEST_PAUSE_OF_ESTIMATE, || {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            bar.with_style(ProgressStyle::default_spinner())
        });
        Estimating { what, begun: Instant::now(), interrupt, display }
    }

    /// Shows that `sampled` tasks have been sampled so far. Returns `Break` after an interrupt.
    pub fn at(&mut self, sampled: usize) -> ControlFlow<()> {
        if self.interrupt.is_set() {
            return ControlFlow::Break(());
        }
        let elapsed = self.begun.elapsed();
        let text = || {
            let tasks = match sampled {
                0 => String::new(),
                1 => ", 1 task sampled".to_owned(),
                _ => format!(", {sampled} tasks sampled"),
            };
            format!("{}, {}{tasks}", self.what, HumanDuration(elapsed))
        };
        match &mut self.display {
            Display::Bar(bar) if elapsed >= FIRST_PROGRESS => {
                reveal(bar);
                bar.set_message(text());
                bar.tick();
            }
            Display::Lines(schedule) => {
                if schedule.is_due(elapsed) {
                    output::note(text());
                }
            }
            Display::Bar(_) | Display::Nothing => {}
        }
        ControlFlow::Continue(())
    }
}

/// Removes the spinner from the terminal.
impl Drop for Estimating<'_> {
    fn drop(&mut self) {
        self.display.clear();
    }
}

/// Makes a hidden bar visible.
fn reveal(bar: &ProgressBar) {
    if bar.is_hidden() {
        bar.set_draw_target(ProgressDrawTarget::stderr());
    }
}

/// Creates a hidden progress bar.
fn bar(what: &str, tasks: usize) -> ProgressBar {
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
    bar.with_style(style).with_message(what.to_owned())
}

fn line(
    what: &str,
    done: usize,
    tasks: usize,
    elapsed: Duration,
    left: Option<Duration>,
) -> String {
    let percent = 100 * done / tasks.max(1);
    let spent = HumanDuration(elapsed);
    let left = left.map_or(String::new(), |left| format!(", about {} left", HumanDuration(left)));
    format!("{what}: {done} of {tasks} tasks ({percent}%), {spent}{left}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Returns the seconds at which a run of two minutes prints lines.
    fn times(longest_pause: Duration) -> Vec<u64> {
        let mut schedule = Schedule::new(longest_pause);
        let tenths = (0..1200).map(|tenth| Duration::from_millis(100 * tenth));
        tenths.filter(|&time| schedule.is_due(time)).map(|time| time.as_secs()).collect()
    }

    #[test]
    fn limits_the_rate_of_progress_lines() {
        assert_eq!(times(LONGEST_PAUSE), [1, 3, 7, 15, 31, 63]);
        let estimate = [1, 3, 7, 15, 25, 35, 45, 55, 65, 75, 85, 95, 105, 115];
        assert_eq!(times(LONGEST_PAUSE_OF_ESTIMATE), estimate);
    }

    #[test]
    fn formats_progress_lines() {
        let line_at = |done, left| line("N = 20", done, 40, seconds(120), left);
        assert_eq!(line_at(0, None), "N = 20: 0 of 40 tasks (0%), 2 minutes");
        assert_eq!(
            line_at(10, Some(seconds(360))),
            "N = 20: 10 of 40 tasks (25%), 2 minutes, about 6 minutes left"
        );
    }
}
