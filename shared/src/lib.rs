//! The N-Queens problem: boards, masks, symmetries, methods, tasks and results.
//!
//! This crate does no input or output, reads no clock and starts no thread, so that the same
//! search runs in a web page, in a native command and, task by task, as the reference of GPU
//! kernels. Rows count from the top; bits and columns count from the right edge, as in the
//! pictures of the masks.
#![no_std]
#![cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "searches below a prefix are there for plans, which need a heap")
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod board;
mod count;
#[cfg(feature = "serde")]
mod decimal;
#[cfg(feature = "document")]
pub mod document;
mod rules;
mod search;
#[cfg(feature = "serde")]
mod serial;
mod words;

#[cfg(feature = "alloc")]
pub use board::notation;
pub use board::{
    Attack, Attacks, Class, Column, Columns, Conflict, Image, JudgementValue, Line, Orbit,
    Placement, PlacementError, Queens, QueensError, RowBits, Size, SizeError, Square, SquareError,
    Stabiliser, Transform, images, representative,
};
pub use count::{
    BurnsideError, Check, Checks, ClassCounts, Numbers, Pace, Turns, half_turn, half_turn_from,
    known, quarter_turn, remaining,
};
#[cfg(feature = "alloc")]
pub use count::{
    Counter, Done, Estimate, Glimpse, Part, Plan, PlanId, Sample, Settled, TaskError, Wrong,
    choose, halves, ranges, recount, settle, shortened,
};
pub use rules::{
    Branching, CORNER_CUT, Cell, Cells, ComparedRow, Comparison, FirstQueen, FullComparison, Half,
    Masks, Outcome, Rule, SymmetryOps, Verdict, left_half,
};
pub use search::{
    Attacker, Branch, Branches, Completions, Consequence, Consequences, Event, Facts, Form, Found,
    Meets, Method, Node, Observer, Prefix, Register, Seek, SquareState, SquareView, Step, Stepped,
    Tally, Trace, Tracer, Unit, View, Work, branches, methods, oracle,
};
#[cfg(feature = "alloc")]
pub use search::{LockStep, Moment, Played, Previous, Timeline};
pub use words::UnknownWord;
