//! A card, whatever it works on.

/// A card that can be worked on.
pub trait Card: Send + Sync {
    /// Its name, as its maker gives it.
    fn name(&self) -> String;

    /// How it is used, such as the driver and the kind of device, for the result document.
    fn detail(&self) -> String;

    /// The number of lanes that search, where that was limited to look for faults.
    fn lanes(&self) -> Option<u32>;
}
