//! `halves`: half-board matching places no queen after another, so there is nothing to step
//! through. The counting itself is in [`crate::halves`].

use crate::{Facts, Meets, Size};

/// What there is to say of the method.
pub const FACTS: Facts = Facts {
    id: "halves",
    summary: "pairs of half boards that fit together are counted, not visited",
    largest: Size::MAX_COUNTED,
    meets: Meets::Every,
    registers: &[],
    rules: &[],
    branching: None,
    half: None,
};
