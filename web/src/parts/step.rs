//! The place of a solution in a search.

use queens_core::{Placement, Stepped};
use yew::prelude::*;

use crate::worker::{Answer, Location, Request, use_job};

/// The largest board on which the step is searched for. The search takes a second or two on this
/// board, and too long on larger boards.
pub const LARGEST_LOCATED: u32 = 14;

/// Returns the step at which a method reaches a solution, as [`use_location`] does.
#[hook]
pub fn use_step(method: Stepped, solution: Option<Placement>) -> Option<u64> {
    use_location(method, solution).map(|location| location.step)
}

/// Returns the place of a solution in the search of a method. Returns `None` until it is found, if the method
/// never reaches the solution, or if the board is too large.
#[hook]
pub fn use_location(method: Stepped, solution: Option<Placement>) -> Option<Location> {
    let solution = solution.filter(|solution| solution.size().get() <= LARGEST_LOCATED);
    let request = solution.map(|placement| Request::Locate { method, placement });
    use_job(request, receive).answer
}

/// Stores the latest answer. Returns whether the solution is found.
#[expect(clippy::needless_pass_by_value, reason = "jobs hand their answers over")]
fn receive(located: &mut Option<Location>, answer: Answer) -> bool {
    if let Answer::Located(location) = answer {
        *located = location;
    }
    located.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_a_step_is_not_the_last() {
        let mut located = None;
        assert!(!receive(&mut located, Answer::Located(None)));
        let location = Some(Location { step: 7, kept: 1, total: 8 });
        assert!(receive(&mut located, Answer::Located(location)));
        assert_eq!(located, location);
    }
}
