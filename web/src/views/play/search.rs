//! Requests to the worker about the queens on the board.

use queens_core::known::known;
use queens_core::{Placement, Queens, Size};
use yew::prelude::*;

use crate::parts::completion::use_completion;
use crate::worker::{Answer, Job, JobState, Request, SearchProgress, use_job};

/// The number of solutions that contain the queens, found so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    /// The number of solutions found so far.
    pub found: u64,
    /// The progress of the search.
    pub progress: SearchProgress,
}

/// Counts, in the worker, the solutions that contain the queens. The numbers of empty boards are
/// published and not counted again. Boards above [`Size::MAX_COUNTED`] are not counted.
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

/// A requested solution that contains the queens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedSolution {
    /// No solution was requested.
    Unasked,
    /// The worker is searching.
    Looking,
    /// The solution and its index, from 0, in the order of the search.
    Found(Placement, u64),
    /// No such solution exists.
    None,
}

/// Finds, in the worker, the solution with a given index that contains the queens. A change of the
/// queens ends the request: when the user returns to the same queens, for example by undo and redo,
/// the solution stays hidden.
#[hook]
pub fn use_requested_solution(queens: Queens) -> (RequestedSolution, Callback<Option<u64>>) {
    let wanted = use_state_eq(|| None::<(Queens, u64)>);
    use_effect_with(queens, {
        let wanted = wanted.setter();
        move |_| wanted.set(None)
    });
    // The effect runs after a rendering with the new queens, so that rendering ignores the request.
    let wanted_now = wanted.filter(|(given, _)| *given == queens);
    let answer = use_completion(wanted_now).answer;
    let one = match (wanted_now, answer) {
        (None, _) => RequestedSolution::Unasked,
        (Some((_, index)), Some(Some(placement))) => RequestedSolution::Found(placement, index),
        (Some((_, 0)), Some(None)) => RequestedSolution::None,
        (Some(_), _) => RequestedSolution::Looking,
    };
    let ask = {
        let wanted = wanted.setter();
        Callback::from(move |index: Option<u64>| wanted.set(index.map(|index| (queens, index))))
    };
    // An index past the last solution wraps around to the first one.
    let past_the_last = one == RequestedSolution::Looking && answer.is_some();
    let first = ask.clone();
    use_effect_with(past_the_last, move |&past| {
        if past {
            first.emit(Some(0));
        }
    });
    (one, ask)
}
