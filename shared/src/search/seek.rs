//! The result of seeking a step or a solution.

/// The result of seeking a step or a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seek {
    /// The search has reached the target.
    Found,
    /// The target does not exist in that direction.
    NoMore,
    /// The budget was used up before the target was reached; call again to continue.
    OutOfBudget,
}
