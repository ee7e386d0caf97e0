//! One of the solutions that contain some queens.

use queens_core::{Placement, Queens};
use yew::prelude::*;

use crate::worker::{Answer, Job, Request, use_job};

/// What the search for it has come to: nothing yet, or its end with a solution or without.
pub type Ending = Option<Option<Placement>>;

/// Lets the worker look for the solution of a number, from 0 in the order of the search.
#[hook]
pub fn use_completion(wanted: Option<(Queens, u64)>) -> Job<Ending> {
    let request = wanted.map(|(queens, index)| Request::Completion { queens, index });
    use_job(request, |ending: &mut Ending, answer| {
        if let Answer::Completion { placement, none } = answer
            && (none || placement.is_some())
        {
            *ending = Some(placement);
        }
        ending.is_some()
    })
}
