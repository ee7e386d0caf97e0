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
    use_job(request, receive).answer
}

/// Stores the latest answer. Returns whether the step is found: while the search runs, the answers
/// have none.
#[expect(clippy::needless_pass_by_value, reason = "jobs hand their answers over")]
fn receive(located: &mut Option<u64>, answer: Answer) -> bool {
    if let Answer::Located { step } = answer {
        *located = step;
    }
    located.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_a_step_is_not_the_last() {
        let mut located = None;
        assert!(!receive(&mut located, Answer::Located { step: None }));
        assert!(receive(&mut located, Answer::Located { step: Some(7) }));
        assert_eq!(located, Some(7));
    }
}
