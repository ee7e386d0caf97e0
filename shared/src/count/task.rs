//! Errors of tasks and the identity of plans.

use alloc::{format, string::String};
use core::fmt;

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
    /// The task was counted twice: a partial count already has it.
    #[error("task {task} was counted twice")]
    Doubled {
        /// The task's number.
        task: usize,
    },
    /// The task, or the other partial count, belongs to another plan.
    #[error("{} belongs to {theirs}, not to {ours}", named(*.task))]
    OtherPlan {
        /// The task's number; `None` if the other partial count has no tasks.
        task: Option<usize>,
        /// The plan of the task or of the other partial count.
        theirs: PlanId,
        /// The expected plan.
        ours: PlanId,
    },
    /// A board whose number of solutions is expected to exceed 64 bits. Methods that place no queens do
    /// not accept it.
    #[error("N = {size} is too large for {method}, which counts up to N = {}", Size::MAX_COUNTED)]
    TooLarge {
        /// The board.
        size: Size,
        /// The method.
        method: Method,
    },
    /// The number of solutions exceeds a `u64`.
    #[error("with task {task} the number of solutions does not fit in 64 bits")]
    Overflow {
        /// The task with which the sum overflows.
        task: usize,
    },
}

/// The identity of a plan. Equal identities mean equal plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlanId {
    /// The board.
    pub size: Size,
    /// The method.
    pub method: Method,
}

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "N = {} by {}", self.size, self.method)
    }
}

fn named(task: Option<usize>) -> String {
    task.map_or("the partial count".into(), |task| format!("task {task}"))
}
