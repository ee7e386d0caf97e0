//! Errors of tasks and the identity of plans.

use alloc::{format, string::String};

use crate::{Method, Size};

/// Why a task cannot be counted, or its count cannot be added to a partial count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    /// The plan has no task of this number.
    #[error(
        "there is no task {task}: the plan for N = {size} by {method} has {tasks} tasks, numbered \
         from 0"
    )]
    NoSuchTask {
        /// The number.
        task: usize,
        /// The plan's board.
        size: Size,
        /// The plan's method.
        method: Method,
        /// The plan's length.
        tasks: usize,
    },
    /// The task was added before.
    #[error("task {task} was counted twice")]
    Doubled {
        /// Its number.
        task: usize,
    },
    /// A task of another plan.
    #[error("{} belongs to {}", named(*.task), told_apart(*.theirs, *.ours))]
    OtherPlan {
        /// Its number; none if there is no task in the other part.
        task: Option<usize>,
        /// The plan that it belongs to.
        theirs: PlanId,
        /// The one that was expected.
        ours: PlanId,
    },
    /// A board whose number of solutions is expected to exceed 64 bits, which half-board matching does
    /// not accept.
    #[error("N = {size} is too large for {method}, which counts up to N = {}", Size::MAX_COUNTED)]
    TooLarge {
        /// The board.
        size: Size,
        /// The method.
        method: Method,
    },
    /// More solutions than a `u64` holds.
    #[error("with task {task} the number of solutions does not fit in 64 bits")]
    Overflow {
        /// Its number.
        task: usize,
    },
}

/// What makes two plans the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlanId {
    /// The board.
    pub size: Size,
    /// The method.
    pub method: Method,
    /// The version of the division into tasks.
    pub version: u32,
}

fn told_apart(theirs: PlanId, ours: PlanId) -> String {
    let versions = (theirs.size, theirs.method) == (ours.size, ours.method);
    let told = |PlanId { size, method, version }| {
        if versions {
            format!("N = {size} by {method} (plan version {version})")
        } else {
            format!("N = {size} by {method}")
        }
    };
    format!("{}, not to {}", told(theirs), told(ours))
}

fn named(task: Option<usize>) -> String {
    task.map_or("the partial count".into(), |task| format!("task {task}"))
}
