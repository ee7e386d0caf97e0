//! `colours`: the colour join. It does not place one queen after another, so it cannot be stepped. The
//! count is in [`crate::colours`].

use crate::{Facts, Line, Meets, Size};

/// Metadata of the method.
pub const FACTS: Facts = Facts {
    id: "colours",
    summary: "joins the white and the black queens by their rows and columns",
    largest: Size::MAX_COUNTED,
    meets: Meets::Every,
    tests: &Line::ALL,
    registers: &[],
    rules: &[],
    branching: None,
    half: None,
    program: &[],
};
