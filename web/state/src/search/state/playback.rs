//! The timing of a playing search, in beats. A *beat* is a step that the user follows, such as a placed
//! queen or a dead end, together with the steps that lead to it.

/// The progress within the current beat, and the numbers of beats held so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Playback {
    /// The number of beats that are due, including fractions, so that the rate does not depend on the
    /// length of the browser's frames. It is negative while a step, such as a dead end or the last step
    /// of a clip, is held.
    pub(super) due: f64,
    /// The step at which the current beat began.
    pub(super) beat_start: u64,
    /// The number of dead ends that were held.
    pub(super) held_dead_ends: u32,
    /// The number of removed queens that were held.
    pub(super) held_lifts: u32,
    /// Whether the first queen was held.
    pub(super) held_queen: bool,
    /// Whether the first attacked square was held.
    pub(super) held_attack: bool,
    /// Whether the search speeds up by itself until its first solution.
    pub(super) speeds_up: bool,
}

impl Playback {
    /// The fraction of a beat's time for which the board rests. After it, the steps to the next beat are
    /// shown.
    pub(super) const REST: f64 = 0.5;
    /// The numbers of dead ends and of removed queens of a visit that are shown longer, because their
    /// sentences are new to the reader.
    pub(super) const MAX_HELD: u32 = 3;
    /// The additional time for which such a beat, the first queen or the first attacked square is held, in
    /// beats.
    pub(super) const HOLD: f64 = 3.0;
    /// The additional time for which the first dead end is held, in beats.
    pub(super) const HOLD_FIRST_DEAD_END: f64 = 5.0;
    /// The longest additional time for which it is held, in seconds.
    pub(super) const LONGEST_HOLD: f64 = 6.0;

    /// The number of beats per second while the search speeds up: after [`MAX_HELD`](Self::MAX_HELD) dead
    /// ends and removed queens were held, and until the first solution.
    pub(super) const QUICK: u32 = 10;

    /// Returns the playback with no beats due.
    pub(super) fn at_rest(self) -> Playback {
        Playback { due: 0.0, speeds_up: false, ..self }
    }

    /// Starts to play from `step`, without a rest before its next steps.
    pub(super) fn begin(&mut self, step: u64) {
        (self.due, self.beat_start) = (Playback::REST, step);
    }
}
