//! A part of a search that a link plays by itself, for example in a frame of a teacher's page.

use std::fmt::Display;

/// The steps to play, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clip {
    /// Whether the search plays as soon as it is visible.
    pub plays: bool,
    /// The number of moves per second. `None`: the usual pace.
    pub speed: Option<u32>,
    /// The first step. `None`: step 0.
    pub from: Option<u64>,
    /// The last step. `None`: playing pauses where it usually does.
    pub to: Option<u64>,
    /// Whether it starts again after its last step.
    pub repeats: bool,
}

impl Clip {
    /// The largest number of moves per second at which single moves can be seen.
    pub const FASTEST: u32 = 30;

    /// Reads a parameter of an address. Returns whether the value is valid, or `None` if the parameter
    /// is another one. `from` may also be a view, which the caller reads.
    pub fn set(&mut self, key: &str, value: &str) -> Option<bool> {
        let is_valid = match key {
            "play" => {
                self.plays = value == "1";
                true
            }
            "loop" => {
                self.repeats = value == "1";
                true
            }
            "speed" => {
                let speed = value.parse().ok();
                self.speed = speed.filter(|speed| (1..=Clip::FASTEST).contains(speed));
                self.speed.is_some()
            }
            "from" => read(&mut self.from, value),
            "to" => read(&mut self.to, value),
            _ => return None,
        };
        Some(is_valid)
    }

    /// Passes the parameters for an address to `add`.
    pub fn write(&self, add: &mut dyn FnMut(&str, &dyn Display)) {
        let flag = |is_set: bool| is_set.then_some(1);
        let speed = self.speed.map(u64::from);
        let all = [
            ("play", flag(self.plays)),
            ("speed", speed),
            ("from", self.from),
            ("to", self.to),
            ("loop", flag(self.repeats)),
        ];
        for (key, value) in all {
            if let Some(value) = value {
                add(key, &value);
            }
        }
    }

    /// Returns the clip without a way to start by itself.
    #[must_use]
    pub fn waiting(self) -> Clip {
        Clip { plays: false, ..self }
    }
}

/// Reads a step. Returns whether it is valid.
fn read(step: &mut Option<u64>, value: &str) -> bool {
    *step = value.parse().ok();
    step.is_some()
}
