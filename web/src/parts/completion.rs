//! A solution that contains given queens.

use queens_core::{Placement, Queens};
use yew::prelude::*;

use crate::worker::{Answer, Job, Request, use_job};

/// The result of the search: `None` while it runs, `Some(None)` if no solution exists.
pub type CompletionResult = Option<Option<Placement>>;

/// Requests a solution that contains the given queens. The number is its index, from 0, among all such
/// solutions in the order of the search.
#[hook]
pub fn use_completion(requested: Option<(Queens, u64)>) -> Job<CompletionResult> {
    let request = requested.map(|(queens, index)| Request::Completion { queens, index });
    use_job(request, |result: &mut CompletionResult, answer| {
        if let Answer::Completion { placement, is_missing } = answer
            && (is_missing || placement.is_some())
        {
            *result = Some(placement);
        }
        result.is_some()
    })
}
