//! Requests to the worker about the queens on the board.

use queens_core::known::known;
use queens_core::{Placement, Queens, Size};
use yew::prelude::*;

use crate::parts::completion::use_completion;
use crate::worker::{Answer, Job, JobState, Request, SearchProgress, use_job};

/// The state of a count of the solutions that contain the queens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    /// The number of solutions found so far.
    pub found: u64,
    pub progress: SearchProgress,
}

/// Counts, in the worker, the solutions that contain the queens. For an empty board, returns the
/// published number, if there is one. Boards above [`Size::MAX_COUNTED`] are not counted.
#[hook]
pub fn use_count(queens: Queens) -> Job<Count> {
    let size = queens.size().get();
    let known = known(size).filter(|_| queens.is_empty());
    let counted = known.is_none() && size <= Size::MAX_COUNTED;
    let request = counted.then_some(Request::Completions { queens });
    let mut job = use_job(request, |count: &mut Count, answer| match answer {
        Answer::Completions { found, progress, done } => {
            *count = Count { found, progress };
            done
        }
        _ => false,
    });
    if let Some(known) = known {
        job.answer.found = known.total();
        job.state = JobState::Done;
    }
    job
}

/// The state of a request for a solution that contains the queens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolutionRequest {
    /// No solution is requested.
    NotRequested,
    /// The worker is searching.
    Searching,
    /// The solution and its index, from 0, in the order of the search.
    Found(Placement, u64),
    /// No such solution exists.
    NoneExists,
}

/// Finds, in the worker, the solution with a given index that contains the queens. The callback
/// requests an index, or ends the request with `None`. A change of the queens ends the request: when
/// the user returns to the same queens, for example by undo and redo, the solution stays hidden.
#[hook]
pub fn use_solution_request(queens: Queens) -> (SolutionRequest, Callback<Option<u64>>) {
    let requested = use_state_eq(|| None::<(Queens, u64)>);
    use_effect_with(queens, {
        let requested = requested.setter();
        move |_| requested.set(None)
    });
    // The effect runs after a rendering with the new queens, so that rendering ignores the request.
    let current = requested.filter(|(given, _)| *given == queens);
    let answer = use_completion(current).answer;
    let state = match (current, answer) {
        (None, _) => SolutionRequest::NotRequested,
        (Some((_, index)), Some(Some(placement))) => SolutionRequest::Found(placement, index),
        (Some((_, 0)), Some(None)) => SolutionRequest::NoneExists,
        (Some(_), _) => SolutionRequest::Searching,
    };
    let request = {
        let requested = requested.setter();
        Callback::from(move |index: Option<u64>| requested.set(index.map(|index| (queens, index))))
    };
    // An index past the last solution wraps around to the first one.
    let past_the_last = state == SolutionRequest::Searching && answer.is_some();
    let first = request.clone();
    use_effect_with(past_the_last, move |&past| {
        if past {
            first.emit(Some(0));
        }
    });
    (state, request)
}
