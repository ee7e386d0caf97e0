//! The step at which a search reaches a solution.

use queens_core::{Placement, Stepped};
use yew::prelude::*;

use crate::worker::{Answer, Request, use_job};

/// The largest board on which the step is searched for. The search takes a second or two on this
/// board, and too long on larger boards.
pub const LARGEST_LOCATED: u32 = 14;

/// Returns the step at which a method reaches a solution. Returns `None` until the step is found,
/// if the method never reaches the solution, or if the board is too large.
#[hook]
pub fn use_step(method: Stepped, solution: Option<Placement>) -> Option<u64> {
    let solution = solution.filter(|solution| solution.size().get() <= LARGEST_LOCATED);
    let request = solution.map(|placement| Request::Locate { method, placement });
    use_job(request, |located, answer| {
        if let Answer::Located { step } = answer {
            *located = step;
        }
        true
    })
    .answer
}
