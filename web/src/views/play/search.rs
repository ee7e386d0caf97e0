//! What the worker is asked about the queens on the board.

use queens_core::{Placement, Queens, Size};
use yew::prelude::*;

use crate::worker::{Answer, Progress, Request, Ticket, use_worker};

/// Where a count is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The worker has not been asked yet: there is nothing to stop.
    Waiting,
    /// It goes on.
    Running,
    /// It was stopped.
    Stopped,
    /// All solutions are counted.
    Done,
}

impl State {
    /// The name for style sheets and tests.
    pub fn id(self) -> &'static str {
        match self {
            State::Waiting | State::Running => "running",
            State::Stopped => "stopped",
            State::Done => "done",
        }
    }
}

/// The number of solutions that contain queens, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    queens: Queens,
    /// Solutions so far.
    pub found: u64,
    /// How far the search has come.
    pub progress: Progress,
    /// Where it is.
    pub state: State,
}

impl Count {
    fn waiting(queens: Queens) -> Count {
        Count { queens, found: 0, progress: Progress::default(), state: State::Waiting }
    }
}

/// A count in the worker and what can be done with it.
pub struct Counting {
    /// As far as it is known.
    pub count: Count,
    /// Stops it.
    pub stop: Callback<MouseEvent>,
    /// Begins anew.
    pub again: Callback<MouseEvent>,
}

/// Lets the worker count the solutions that contain the queens, until they change or the view
/// goes. Beyond [`Size::MAX_COUNTED`] nothing is counted.
#[hook]
pub fn use_count(queens: Queens) -> Counting {
    let worker = use_worker();
    let count = use_state_eq(|| Count::waiting(queens));
    let runs = use_state(|| 0_u32);
    let ticket = use_mut_ref(|| None::<Ticket>);
    {
        let (count, ticket) = (count.setter(), ticket.clone());
        use_effect_with((queens, *runs), move |&(queens, _)| {
            if queens.size().get() <= Size::MAX_COUNTED {
                count.set(Count { state: State::Running, ..Count::waiting(queens) });
                let asked = worker.ask(Request::Completions { queens }, move |answer| {
                    if let Answer::Completions { found, progress, done } = answer {
                        let state = if done { State::Done } else { State::Running };
                        count.set(Count { queens, found, progress, state });
                    }
                });
                *ticket.borrow_mut() = Some(asked);
            }
            move || drop(ticket.borrow_mut().take())
        });
    }
    // What was found out about other queens says nothing of these.
    let shown = if count.queens == queens { *count } else { Count::waiting(queens) };
    let stop = Callback::from(move |_| {
        drop(ticket.borrow_mut().take());
        count.set(Count { state: State::Stopped, ..shown });
    });
    let again = Callback::from(move |_| runs.set(*runs + 1));
    Counting { count: shown, stop, again }
}

/// One of the solutions that contain the queens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum One {
    /// Nobody has asked.
    Unasked,
    /// The worker looks for it.
    Looking,
    /// The solution with its number, from 0, in the order of the search.
    Found(Placement, u64),
    /// There is none.
    None,
}

/// Lets the worker look for a solution that contains the queens once a number is given, until
/// the queens change.
#[hook]
pub fn use_one(queens: Queens) -> (One, Callback<Option<u64>>) {
    let worker = use_worker();
    let wanted = use_state_eq(|| None::<(Queens, u64)>);
    let answered = use_state_eq(|| None::<((Queens, u64), One)>);
    let current = wanted.filter(|(of, _)| *of == queens);
    {
        let (wanted, answered) = (wanted.setter(), answered.setter());
        use_effect_with(current, move |&current| {
            let ticket = current.map(|asked| {
                let (queens, index) = asked;
                worker.ask(Request::Completion { queens, index }, move |answer| match answer {
                    Answer::Completion { placement: Some(placement), .. } => {
                        answered.set(Some((asked, One::Found(placement, index))));
                    }
                    // After the last one comes the first.
                    Answer::Completion { none: true, .. } if index > 0 => {
                        wanted.set(Some((queens, 0)));
                    }
                    Answer::Completion { none: true, .. } => {
                        answered.set(Some((asked, One::None)));
                    }
                    _ => {}
                })
            });
            move || drop(ticket)
        });
    }
    let one = match (current, *answered) {
        (None, _) => One::Unasked,
        (Some(asked), Some((of, one))) if of == asked => one,
        (Some(_), _) => One::Looking,
    };
    let ask = {
        let wanted = wanted.setter();
        Callback::from(move |index: Option<u64>| wanted.set(index.map(|index| (queens, index))))
    };
    (one, ask)
}
