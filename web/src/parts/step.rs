//! Where a search meets a solution.

use queens_core::{Placement, Stepped};
use yew::prelude::*;

use crate::worker::{Answer, Request, use_worker};

/// Beyond this board the step of a solution takes too long to find: here a second or two.
pub const LARGEST_LOCATED: u32 = 14;

/// The step at which a method meets a solution, if it does and the board is small enough.
#[hook]
pub fn use_step(method: Stepped, solution: Option<Placement>) -> Option<u64> {
    let worker = use_worker();
    let step = use_state_eq(|| None::<u64>);
    let setter = step.setter();
    use_effect_with(solution, move |&solution| {
        setter.set(None);
        let near = solution.filter(|solution| solution.size().get() <= LARGEST_LOCATED);
        let ticket = near.map(|placement| {
            worker.ask(Request::Locate { method, placement }, move |answer| {
                if let Answer::Located { step } = answer {
                    setter.set(step);
                }
            })
        });
        move || drop(ticket)
    });
    *step
}
