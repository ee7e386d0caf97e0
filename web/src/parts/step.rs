//! Where a search meets a solution.

use queens_core::{Placement, Stepped};
use yew::prelude::*;

use crate::worker::{Answer, Request, use_job};

/// Beyond this board the step of a solution takes too long to find: here a second or two.
pub const LARGEST_LOCATED: u32 = 14;

/// The step at which a method meets a solution, if it does and the board is small enough.
#[hook]
pub fn use_step(method: Stepped, solution: Option<Placement>) -> Option<u64> {
    let near = solution.filter(|solution| solution.size().get() <= LARGEST_LOCATED);
    let request = near.map(|placement| Request::Locate { method, placement });
    use_job(request, |found, answer| {
        if let Answer::Located { step } = answer {
            *found = step;
        }
        true
    })
    .answer
}
