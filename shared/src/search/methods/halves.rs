//! `halves`: half-board matching places no queen after another, so there is nothing to step
//! through. The counting itself is in [`crate::halves`].

use crate::{Facts, Line, Meets, Size};

/// What there is to say of the method.
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
