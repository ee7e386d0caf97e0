//! The pace of playing.

/// The time within the current beat, in beats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Playback {
    /// The beats that are due, as an accumulator, so that the rate does not depend on the length of
    /// the browser's frames. It is negative while a dead end is held.
    pub(super) due: f64,
    /// The step at which the current beat began.
    pub(super) since: u64,
    /// The dead ends that were held.
    pub(super) held: u32,
}

impl Playback {
    /// The part of a beat's time before the looks at single squares begin.
    pub(super) const REST: f64 = 0.5;
    /// The first dead ends of a visit take longer: their sentence is new to the reader.
    pub(super) const HELD: u32 = 3;
    /// The additional time of such a dead end, in beats.
    pub(super) const HOLD: f64 = 3.0;

    /// Nothing is due.
    pub(super) fn at_rest(self) -> Playback {
        Playback { due: 0.0, ..self }
    }

    /// Starts to play from a step, at once with the first look.
    pub(super) fn begin(&mut self, step: u64) {
        (self.due, self.since) = (Playback::REST, step);
    }
}
