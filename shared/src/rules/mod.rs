//! The rules that restrict a search to representatives: the masks of its branches, the squares that
//! they close, and the comparison of a solution with its images.

mod comparison;
mod half;
mod masks;

pub use comparison::{
    Cells, ComparedRow, Comparison, FullComparison, Outcome, SymmetryOps, Verdict,
};
pub use half::{Half, left_half};
pub use masks::{Branching, CORNER_CUT, Cell, FirstQueen, Masks, Rule};
