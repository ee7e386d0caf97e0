//! How far a long run is, on stderr.

use std::{
    fmt,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use queens_core::Pace;

use super::{interrupt::Interrupt, output};

/// Runs that are over by then show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long nothing is said at most where lines are written.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Shows the progress of one run, and listens for its end.
pub struct Progress<'a> {
    what: String,
    tasks: usize,
    /// Tasks that were done before the run began.
    before: usize,
    begun: Instant,
    pace: Pace,
    /// How long the run will have lasted in the end, as far as that is known.
    expected: Option<Duration>,
    interrupt: &'a Interrupt,
    display: Display,
}

enum Display {
    Nothing,
    /// On a terminal that can move its cursor.
    Bar(ProgressBar),
    /// Elsewhere: a line now and then, ever more seldom.
    Lines {
        next: Duration,
        pause: Duration,
    },
}

impl<'a> Progress<'a> {
    /// The progress of `tasks` tasks, `before` of which are done already; `what` names the run.
    pub fn new(
        quiet: bool,
        what: String,
        tasks: usize,
        before: usize,
        interrupt: &'a Interrupt,
    ) -> Progress<'a> {
        let display = if quiet {
            Display::Nothing
        } else if ProgressDrawTarget::stderr().is_hidden() {
            Display::Lines { next: PATIENCE, pause: PATIENCE }
        } else {
            Display::Bar(bar(&what, tasks))
        };
        let (begun, pace, expected) = (Instant::now(), Pace::default(), None);
        Progress { what, tasks, before, begun, pace, expected, interrupt, display }
    }

    /// Shows that `done` tasks of this run are done, and says whether to go on.
    pub fn at(&mut self, done: usize) -> ControlFlow<()> {
        if self.interrupt.came() {
            self.clear();
            return ControlFlow::Break(());
        }
        let elapsed = self.begun.elapsed();
        let left = self.pace.left(done, self.tasks.saturating_sub(self.before), elapsed);
        self.expected = left.map(|left| elapsed + left);
        let done = self.before + done;
        match &mut self.display {
            Display::Bar(bar) if elapsed >= PATIENCE => {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                bar.set_position(done as u64);
                bar.set_prefix(
                    left.map_or(String::new(), |left| format!("{:#} left", HumanDuration(left))),
                );
            }
            Display::Lines { next, pause } if elapsed >= *next => {
                *pause = (*pause * 2).min(LONGEST_PAUSE);
                *next = elapsed + *pause;
                output::note(line(&self.what, done, self.tasks, elapsed, left));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// How long the run will have lasted in the end, as it last seemed.
    pub fn expected(&self) -> Option<Duration> {
        self.expected
    }

    /// Takes the bar off the terminal.
    pub fn clear(&self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

fn bar(what: &str, tasks: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(tasks as u64), ProgressDrawTarget::hidden());
    let template = "{msg} {wide_bar} {percent}%  {pos}/{len} tasks  {rate}  {prefix}";
    // The default style serves as well, should the template be wrong.
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

    #[test]
    fn lines() {
        let said = |done, left| line("N = 20", done, 40, seconds(120), left);
        assert_eq!(said(0, None), "N = 20: 0 of 40 tasks (0%), 2 minutes");
        assert_eq!(
            said(10, Some(seconds(360))),
            "N = 20: 10 of 40 tasks (25%), 2 minutes, about 6 minutes left"
        );
    }
}
