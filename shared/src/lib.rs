//! The N-queens problem: boards, masks, symmetries, methods, tasks and results.
//!
//! This crate does no I/O, reads no clock and starts no thread, so that the same search runs in a web
//! page, in a native command and, task by task, as the reference for GPU kernels. Rows are counted
//! from the top, bits and columns from the right edge, as in the drawing of the [`Masks`]; [`Column`]
//! and [`Square`] also give the number from the left. The methods, and names such as MASK, SIDEMASK and
//! BOUND1, come from five published programs, called "the seeds" in this crate.
//!
//! # Count a board
//!
//! A [`Plan`] divides a count into tasks, a [`PartialCount`] collects their results in any order, and
//! [`finalize`] checks the results of all tasks and returns the numbers of the board:
//!
//! ```
//! use core::time::Duration;
//! use queens_core::{Done, Form, Isa, Method, PartialCount, Plan, Size, Turns, finalize};
//!
//! let size = Size::new(8)?;
//! let plan = Plan::new(size, Method::Symmetry);
//! let mut counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
//! let mut part = PartialCount::new(&plan);
//! for task in 0..plan.len() {
//!     part.add(Done { task, result: counter.count(&plan, task)?, took: Duration::ZERO })?;
//! }
//! let numbers = finalize(&part, Turns::search(size))?.numbers();
//! assert_eq!((numbers.total(), numbers.unique()), (92, 12));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The example `tasks` does the same on all threads.
//!
//! # Step through a search
//!
//! A [`Timeline`] moves to any step of a search, forwards or backwards, and shows the board at that
//! step:
//!
//! ```
//! use queens_core::{Event, Seek, Size, Stepped, Timeline};
//!
//! let mut search = Timeline::new(Stepped::Symmetry, Size::new(8)?);
//! assert_eq!(search.seek_next(|search| search.work().tally.met(), u64::MAX), Seek::Found);
//! assert!(matches!(search.last(), Some(Event::Solution { .. })));
//! let solution = search.step();
//! search.seek(solution - 1, u64::MAX);
//! assert_eq!(search.work().tally.met(), 0);
//! # Ok::<(), queens_core::SizeError>(())
//! ```
//!
//! # Symmetries of a solution
//!
//! ```
//! use queens_core::{Class, Orbit, Placement, Transform, representative};
//!
//! // . . Q . .
//! // Q . . . .
//! // . . . Q .
//! // . Q . . .
//! // . . . . Q
//! let placement = Placement::from_left(&[2, 0, 3, 1, 4])?;
//! assert_eq!(Class::of(&placement), Class::Eight);
//! assert_eq!(Orbit::of(&placement).distinct().count(), 8);
//! let turned = Transform::Turn90.apply(&placement);
//! assert_eq!(representative(&turned), representative(&placement));
//! # Ok::<(), queens_core::PlacementError>(())
//! ```
//!
//! # Features
//!
//! - `alloc` (default): everything that needs a heap, such as [`Plan`], [`PartialCount`] and [`Timeline`].
//!   Without it boards, masks, symmetries and step-by-step searches remain.
//! - `serde`, with `alloc`: serializing and deserializing the types of a count. Deserializing performs
//!   the checks of the constructors.
//! - `document`, with `serde`: result documents as JSON; errors name the path of the wrong field.
//! - `arbitrary`, with `std`: arbitrary values for fuzzing: boards, squares, sets, queens and masks, and
//!   the types that have few values. Solutions are left out, because random bytes are rarely one.
//!
//! # Overview
//!
//! - The board: [`Size`], [`Square`], [`RowBits`], [`Placement`] (a solution), [`Queens`] (any queens),
//!   [`Transform`], [`Orbit`] and [`Class`]; the module `notation` reads and writes them as text.
//! - The masks and rules of the symmetry method: [`Masks`], [`Half`], [`Comparison`], [`FullComparison`].
//! - The methods and their searches: [`Method`], [`Stepped`], [`Tracer`] (forwards), [`Timeline`] (both
//!   ways), [`Completions`] of given queens, [`Event`], [`Beat`] and [`View`] of a step.
//! - Exercises for learners: [`Exercise`].
//! - Counts: [`Plan`], [`Counter`], [`PartialCount`], [`finalize`] and its [`Checks`]; [`Numbers`] and the
//!   published values in [`known`]; `material` compares lists and tables with them; [`colours`], which counts without visiting solutions. The core does not
//!   query the processor: the caller does, and passes the instruction set ([`Isa`]).
//! - Results: the module `document`, with its feature.
#![no_std]
#![warn(missing_docs)]
// docs.rs shows for each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "only plans, which need a heap, use searches below a prefix")
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod board;
mod count;
#[cfg(feature = "serde")]
mod decimal;
#[cfg(feature = "document")]
pub mod document;
#[cfg(feature = "alloc")]
mod exercise;
mod rules;
mod search;
#[cfg(feature = "serde")]
mod serial;
mod words;

// The board.
#[cfg(feature = "alloc")]
pub use board::notation;
pub use board::{
    Attack, Attacks, Class, Column, Columns, Conflict, Image, JudgementValue, Line, Orbit,
    Placement, PlacementError, Queens, QueensError, RowBits, Size, SizeError, Square, SquareError,
    Stabiliser, Subsets, Transform, images, representative,
};

// The masks and the rules by which they close squares.
pub use rules::{
    Branching, CORNER_CUT, Cell, Cells, ComparedRow, Comparison, FirstQueen, FullComparison, Half,
    Masks, Outcome, Rule, SymmetryOps, Verdict, left_half,
};

// The methods and their searches, step by step.
pub use search::{
    Act, At, Attacker, Beat, Branch, Branches, Completions, Consequence, Consequences, Coverage,
    Event, Facts, Form, Found, GpuSearch, Meets, Method, Node, Observer, Prefix, ProgramLine,
    Register, Seek, SquareState, SquareView, Stepped, Tally, Trace, Tracer, Unit, View, Work,
    branches, methods, oracle,
};
#[cfg(feature = "alloc")]
pub use search::{BackwardSearch, Moment, Played, Timeline, first_difference};

// Exercises for learners.
#[cfg(feature = "alloc")]
pub use exercise::{Answer, Exercise, Level, Puzzle, Question};

// Counts: plans, tasks and their totals.
#[cfg(feature = "alloc")]
pub use count::material;
pub use count::{
    BurnsideError, Check, Checks, ClassCounts, Numbers, Pace, Turns, half_turn, half_turn_from,
    known, quarter_turn, remaining,
};
#[cfg(feature = "alloc")]
pub use count::{
    CheckedCount, CountError, Counter, Done, Estimate, InstructionSet, Isa, PartialCount, Plan,
    PlanId, Sample, TaskError, TaskSample, choose, colours, finalize, ranges, recount,
    recount_audit_set, shortened,
};

pub use words::UnknownWord;

/// Runs the example of the README as a doc test.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
