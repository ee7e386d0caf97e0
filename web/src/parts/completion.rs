//! A solution that contains given queens.

use queens_core::{Placement, Queens};
use yew::prelude::*;

use crate::worker::{Answer, Job, Request, use_job};

/// The result of the search: `None` while it runs, `Some(None)` if no solution exists.
pub type Ending = Option<Option<Placement>>;

/// Requests the solution with a given index, from 0 in the order of the search.
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
