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
        /// Fast enough to see the whole search on 8×8 in some seconds.
        Rapid = "rapid",
        /// Many moves between two pictures.
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
            Pace::Rapid => 200.0,
            Pace::Instant => 2000.0,
        }
    }

    /// Whether a summary replaces the sentence of each step, which would be gone before it is read.
    pub fn is_summarized(self) -> bool {
        self >= Pace::Fast
    }

    /// The next faster pace, or this one if there is none.
    #[must_use]
    pub fn faster(self) -> Pace {
        match self {
            Pace::Read => Pace::Watch,
            Pace::Watch => Pace::Fast,
            Pace::Fast => Pace::Rapid,
            Pace::Rapid | Pace::Instant => Pace::Instant,
        }
    }

    /// The next slower pace, or this one if there is none.
    #[must_use]
    pub fn slower(self) -> Pace {
        match self {
            Pace::Read | Pace::Watch => Pace::Read,
            Pace::Fast => Pace::Watch,
            Pace::Rapid => Pace::Fast,
            Pace::Instant => Pace::Rapid,
        }
    }
}
