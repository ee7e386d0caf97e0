//! The tasks of a document at a glance.

use std::fmt::Write;

use queens_core::document::TaskTotal;
use yew::prelude::*;

use crate::words::{Language, duration, grouped, tr};

/// More bars than this would be thinner than a pixel on a phone.
const MOST_BARS: usize = 240;

/// The height of the picture, in units of its own.
const HEIGHT: f64 = 100.0;

/// Times of neighbouring tasks, the slowest of each few.
#[derive(Debug, PartialEq)]
struct Bars {
    /// How many tasks share a bar.
    each: usize,
    /// Their slowest, in seconds.
    seconds: Vec<f64>,
}

impl Bars {
    fn of(tasks: &[TaskTotal], most: usize) -> Bars {
        let each = tasks.len().div_ceil(most).max(1);
        let slowest =
            |tasks: &[TaskTotal]| tasks.iter().map(|task| task.seconds.get()).fold(0.0, f64::max);
        Bars { each, seconds: tasks.chunks(each).map(slowest).collect() }
    }

    fn slowest(&self) -> f64 {
        self.seconds.iter().copied().fold(0.0, f64::max)
    }

    /// All bars as one path, a unit wide each.
    fn path(&self) -> String {
        let slowest = self.slowest();
        let mut path = String::new();
        for (x, seconds) in self.seconds.iter().enumerate() {
            let height = if slowest > 0.0 { seconds / slowest * HEIGHT } else { 0.0 };
            // Writing to a string cannot fail.
            let _ = write!(path, "M{x} {HEIGHT}v-{height:.2}h.85V{HEIGHT}z");
        }
        path
    }
}

/// Number, slowest, sum, largest share, and the time of each.
pub fn tasks(language: Language, tasks: &[TaskTotal]) -> Html {
    let seconds = |task: &TaskTotal| task.seconds.get();
    let slowest = tasks.iter().max_by(|a, b| seconds(a).total_cmp(&seconds(b)));
    let largest = tasks.iter().max_by_key(|task| task.total);
    let (Some(slowest), Some(largest)) = (slowest, largest) else {
        return html! {};
    };
    let sum: f64 = tasks.iter().map(seconds).sum();
    let mean = sum / tasks.len() as f64;
    let bars = Bars::of(tasks, MOST_BARS);
    let time = duration(language, bars.slowest());
    let caption = match bars.each {
        1 => tr!(language, "results.tasks.map", time = time),
        each => tr!(language, "results.tasks.map-buckets", each = each, time = time),
    };
    let slowest_text = tr!(
        language,
        "results.tasks.slowest-text",
        id = slowest.id,
        time = duration(language, seconds(slowest))
    );
    let largest_text = tr!(
        language,
        "results.tasks.largest-text",
        id = largest.id,
        total = grouped(largest.total)
    );
    let facts = [
        (tr!(language, "results.tasks.count"), grouped(tasks.len() as u64)),
        (tr!(language, "results.tasks.sum"), duration(language, sum)),
        (tr!(language, "results.tasks.mean"), duration(language, mean)),
        (tr!(language, "results.tasks.slowest"), slowest_text),
        (tr!(language, "results.tasks.largest"), largest_text),
    ];
    let facts = facts.into_iter().map(|(name, value)| {
        html! { <div><dt>{ name }</dt><dd>{ value }</dd></div> }
    });
    let view_box = format!("0 0 {} {HEIGHT}", bars.seconds.len());
    html! {
        <section class="tasks" aria-labelledby="tasks">
            <h2 id="tasks">{ tr!(language, "results.tasks.title") }</h2>
            <dl class="facts">{ for facts }</dl>
            <figure>
                <svg class="task-map" viewBox={view_box} preserveAspectRatio="none" aria-hidden="true">
                    <path d={bars.path()} />
                </svg>
                <figcaption class="hint">{ caption }</figcaption>
            </figure>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::document::Seconds;

    fn task(id: u32, seconds: f64) -> TaskTotal {
        TaskTotal::new(id, 0, Seconds::new(seconds).unwrap())
    }

    #[test]
    fn neighbours_share_a_bar_when_there_are_many() {
        let tasks: Vec<_> = (0..10).map(|id| task(id, f64::from(id))).collect();
        let bars = Bars::of(&tasks, 4);
        assert_eq!(bars, Bars { each: 3, seconds: vec![2.0, 5.0, 8.0, 9.0] });
        let bars = Bars::of(&tasks, 240);
        assert_eq!((bars.each, bars.seconds.len(), bars.slowest()), (1, 10, 9.0));
    }

    #[test]
    fn the_slowest_fills_the_height() {
        let bars = Bars { each: 1, seconds: vec![1.0, 2.0] };
        assert_eq!(bars.path(), "M0 100v-50.00h.85V100zM1 100v-100.00h.85V100z");
        let still = Bars { each: 1, seconds: vec![0.0] };
        assert_eq!(still.path(), "M0 100v-0.00h.85V100z");
    }
}
