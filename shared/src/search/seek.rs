//! What looking for something in a search comes to.

/// What came of looking for a step or a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seek {
    /// The search is there.
    Found,
    /// There is none in that direction.
    NoMore,
    /// Not found yet within the budget: call again to go on.
    OutOfBudget,
}
