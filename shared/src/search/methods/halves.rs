//! `halves`: half-board matching (meet in the middle). It does not place one queen after another,
//! so it cannot be stepped. The count is in [`crate::halves`].

use crate::{Facts, Line, Meets, Size};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "halves",
    summary: "meet in the middle: counts matching pairs of upper and lower half boards",
    largest: Size::MAX_COUNTED,
    meets: Meets::Every,
    tests: &Line::ALL,
    registers: &[],
    rules: &[],
    branching: None,
    half: None,
};
