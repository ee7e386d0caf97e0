//! A clip: steps of a search that the page plays when a link opens it, for example where a teacher
//! embeds the page.

use std::fmt::Display;

/// A range of steps of a search, and the way in which they are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clip {
    /// Whether the search plays as soon as it is visible.
    pub plays: bool,
    /// The number of moves per second. `None`: the usual pace.
    pub speed: Option<u32>,
    /// The first step. `None`: step 0.
    pub from: Option<u64>,
    /// The last step. `None`: the user's setting decides where playing pauses.
    pub to: Option<u64>,
    /// Whether it starts again after its last step.
    pub repeats: bool,
}

impl Clip {
    /// The largest number of moves per second at which single moves can be seen.
    pub const FASTEST: u32 = 30;

    /// Sets the field of a URL parameter. Returns whether the value is valid, or `None` if the parameter
    /// does not belong to a clip. `from` can also name a view, but the caller handles that case.
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

    /// Calls `add` with the name and the value of each URL parameter that is set.
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

    /// Returns the same clip, but it waits until the user starts it.
    #[must_use]
    pub fn waiting(self) -> Clip {
        Clip { plays: false, ..self }
    }
}

/// Parses a step. Returns whether it is valid.
fn read(step: &mut Option<u64>, value: &str) -> bool {
    *step = value.parse().ok();
    step.is_some()
}
