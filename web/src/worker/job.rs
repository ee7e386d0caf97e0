//! The life cycle of a worker request: a view follows its answers, stops it and restarts it.

use std::rc::Rc;

use yew::prelude::*;

use super::client::{Answer, Request, Ticket, use_worker};

/// The state of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// The request is not sent yet.
    #[default]
    Waiting,
    Running,
    Stopped,
    /// The last answer has arrived.
    Done,
}

impl State {
    /// Whether more answers will come.
    pub const fn goes_on(self) -> bool {
        matches!(self, State::Waiting | State::Running)
    }

    /// The name in stylesheets and tests.
    pub const fn id(self) -> &'static str {
        match self {
            State::Waiting | State::Running => "running",
            State::Stopped => "stopped",
            State::Done => "done",
        }
    }
}

/// The state of a request, and the means to control it.
#[derive(Clone, PartialEq)]
pub struct Job<T> {
    /// The accumulated answers; the default value before the first one.
    pub answer: T,
    pub state: State,
    /// Stops the request and keeps the answers so far.
    pub stop: Callback<MouseEvent>,
    /// Discards the answers and restarts the request.
    pub again: Callback<MouseEvent>,
}

/// Sends a request, if there is one, to the worker. The request ends when it changes or the
/// component is removed. `take` adds an answer to the accumulated ones and returns whether it was
/// the last one.
#[hook]
pub fn use_job<T>(request: Option<Request>, take: fn(&mut T, Answer) -> bool) -> Job<T>
where
    T: Clone + Default + 'static,
{
    let progress = use_reducer(|| {
        let progress =
            JobProgress { request: None, answer: T::default(), state: State::Waiting, take };
        progress.answered(&request)
    });
    let dispatcher = progress.dispatcher();
    let on_change = Callback::from(move |change| dispatcher.dispatch(change));
    let (stop, again) = use_request(request.clone(), on_change);
    // Answers to a previous request are not shown.
    let (answer, state) = if progress.request == request {
        (progress.answer.clone(), progress.state)
    } else {
        Default::default()
    };
    Job { answer, state, stop, again }
}

/// The part of a job that does not depend on the answer's type: the ticket and the two buttons.
#[hook]
fn use_request(
    request: Option<Request>,
    on_change: Callback<Change>,
) -> (Callback<MouseEvent>, Callback<MouseEvent>) {
    let worker = use_worker();
    let runs = use_state(|| 0_u32);
    let ticket = use_mut_ref(|| None::<Ticket>);
    {
        let (on_change, ticket) = (on_change.clone(), Rc::clone(&ticket));
        use_effect_with((request, *runs), move |(request, _)| {
            if let Some(request) = request.clone() {
                on_change.emit(Change::Begin(request.clone()));
                let new_ticket =
                    worker.ask(request, move |answer| on_change.emit(Change::Answered(answer)));
                ticket.replace(Some(new_ticket));
            }
            move || drop(ticket.take())
        });
    }
    let stop = Callback::from(move |_| {
        drop(ticket.take());
        on_change.emit(Change::Stop);
    });
    let again = Callback::from(move |_| runs.set(*runs + 1));
    (stop, again)
}

/// A request with its accumulated answers.
#[derive(Clone)]
struct JobProgress<T> {
    request: Option<Request>,
    answer: T,
    state: State,
    take: fn(&mut T, Answer) -> bool,
}

/// An event of a request.
enum Change {
    /// The request is sent.
    Begin(Request),
    /// An answer arrived.
    Answered(Answer),
    /// The user stopped the request.
    Stop,
}

impl<T: Clone + Default> JobProgress<T> {
    #[cfg(not(all(test, not(target_family = "wasm"))))]
    fn answered(self, _request: &Option<Request>) -> JobProgress<T> {
        self
    }

    /// Adds all answers of a request at once, because effects, which send requests, do not run on
    /// the host. The known numbers are counted for seconds, so they stay unanswered.
    #[cfg(all(test, not(target_family = "wasm")))]
    fn answered(self, request: &Option<Request>) -> JobProgress<T> {
        let Some(request) = request.clone().filter(|request| *request != Request::Numbers) else {
            return self;
        };
        let answers = queens_worker::answers(&request);
        let begun = Rc::new(self).reduce(Change::Begin(request));
        let answered = answers.into_iter().map(Change::Answered);
        Rc::unwrap_or_clone(answered.fold(begun, |progress, answer| progress.reduce(answer)))
    }
}

impl<T: Clone + Default> Reducible for JobProgress<T> {
    type Action = Change;

    fn reduce(self: Rc<Self>, change: Change) -> Rc<Self> {
        let mut progress = Rc::unwrap_or_clone(self);
        match change {
            Change::Begin(request) => {
                progress.request = Some(request);
                progress.answer = T::default();
                progress.state = State::Running;
            }
            Change::Answered(answer) => {
                if (progress.take)(&mut progress.answer, answer) {
                    progress.state = State::Done;
                }
            }
            Change::Stop if progress.state == State::Running => progress.state = State::Stopped,
            Change::Stop => {}
        }
        progress.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds the steps that are found. Step 3 is the last one.
    #[expect(clippy::needless_pass_by_value, reason = "jobs hand their answers over")]
    fn add(sum: &mut u64, answer: Answer) -> bool {
        let Answer::Located { step: Some(step) } = answer else { return false };
        *sum += step;
        step == 3
    }

    #[test]
    fn replies_accumulate_and_only_running_jobs_stop() {
        let progress = JobProgress { request: None, answer: 0, state: State::Waiting, take: add };
        let waiting = Rc::new(progress);
        assert_eq!(waiting.clone().reduce(Change::Stop).state, State::Waiting);
        let running = waiting.reduce(Change::Begin(Request::Numbers));
        assert_eq!(running.state, State::Running);
        let found = |step| Change::Answered(Answer::Located { step: Some(step) });
        let running = running.reduce(found(2));
        assert_eq!((running.answer, running.state), (2, State::Running));
        let stopped = running.clone().reduce(Change::Stop);
        assert_eq!((stopped.answer, stopped.state), (2, State::Stopped));
        let done = running.reduce(found(3));
        assert_eq!((done.answer, done.state), (5, State::Done));
        assert_eq!(done.clone().reduce(Change::Stop).state, State::Done);
        let restarted = done.reduce(Change::Begin(Request::Numbers));
        assert_eq!((restarted.answer, restarted.state), (0, State::Running));
    }
}
