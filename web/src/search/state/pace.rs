//! How fast a search plays.

use queens_core::words;

words! {
    /// How fast a search plays, in words.
    #[derive(Default)]
    pub enum Pace {
        /// Slow enough to read the sentence of each move, and to see the tests before it.
        Read = "read",
        /// Slow enough to see each move.
        #[default]
        Watch = "watch",
        /// Too fast for single moves; the course of the search can be seen.
        Fast = "fast",
        /// As fast as the browser draws.
        Instant = "instant",
    }
}

impl Pace {
    /// The number of beats per second.
    pub fn rate(self) -> f64 {
        match self {
            Pace::Read => 0.5,
            Pace::Watch => 2.0,
            Pace::Fast => 20.0,
            Pace::Instant => 10_000.0,
        }
    }

    /// Whether a summary replaces the sentence of each step. A beat has about ten steps, so these
    /// paces show a hundred steps a second or more.
    pub fn is_summarized(self) -> bool {
        matches!(self, Pace::Fast | Pace::Instant)
    }

    /// The next faster pace, or this one if there is none.
    #[must_use]
    pub fn faster(self) -> Pace {
        match self {
            Pace::Read => Pace::Watch,
            Pace::Watch => Pace::Fast,
            Pace::Fast | Pace::Instant => Pace::Instant,
        }
    }

    /// The next slower pace, or this one if there is none.
    #[must_use]
    pub fn slower(self) -> Pace {
        match self {
            Pace::Read | Pace::Watch => Pace::Read,
            Pace::Fast => Pace::Watch,
            Pace::Instant => Pace::Fast,
        }
    }
}
