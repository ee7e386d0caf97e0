//! What can be wrong with a task.

use alloc::{format, string::String};

use crate::{Method, Size};

/// Why a task cannot be counted, or its count cannot join others.
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
    /// The task is there already.
    #[error("task {task} was counted twice")]
    Doubled {
        /// Its number.
        task: usize,
    },
    /// A task of another plan.
    #[error(
        "{} belongs to a count of N = {} by {}, not to this one of N = {} by {}",
        named(*.task), .theirs.0, .theirs.1, .ours.0, .ours.1
    )]
    OtherPlan {
        /// Its number; none if there is no task in the other part.
        task: Option<usize>,
        /// The board and the method that it belongs to.
        theirs: (Size, Method),
        /// Those that were expected.
        ours: (Size, Method),
    },
    /// More solutions than a `u64` holds.
    #[error("with task {task} the solutions exceed a 64-bit number")]
    Overflow {
        /// Its number.
        task: usize,
    },
}

fn named(task: Option<usize>) -> String {
    task.map_or("the part".into(), |task| format!("task {task}"))
}
