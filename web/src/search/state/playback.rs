//! The timing of a playing search, in beats. A *beat* is a step that changes the board, such as a placed
//! queen or a dead end, together with the tests that lead to it.

/// The progress within the current beat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Playback {
    /// The number of beats that are due, including fractions, so that the rate does not depend on the
    /// length of the browser's frames. It is negative while a dead end is held.
    pub(super) due: f64,
    /// The step at which the current beat began.
    pub(super) beat_start: u64,
    /// The number of dead ends before the search began to play.
    pub(super) dead_ends: u64,
    /// The number of dead ends of the visit that were held.
    pub(super) held: u64,
}

impl Playback {
    /// The fraction of a beat's time for which the board rests. After it, the tests before the next beat are
    /// shown.
    pub(super) const REST: f64 = 0.5;
    /// The additional time for which a dead end is held, in seconds.
    pub(super) const HOLD: f64 = 2.0;
    /// The number of dead ends that are held in a visit, and after which a search plays faster, unless the user has
    /// set the pace.
    pub(super) const SLOW_DEAD_ENDS: u64 = 3;

    /// Returns the playback with no beats due.
    pub(super) fn at_rest(self) -> Playback {
        Playback { due: 0.0, ..self }
    }

    /// Starts to play from `step`, after this number of dead ends, without a rest before the next beat.
    pub(super) fn begin(&mut self, step: u64, dead_ends: u64) {
        *self = Playback { due: Playback::REST, beat_start: step, dead_ends, ..*self };
    }
}
