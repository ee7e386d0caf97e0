//! The life cycle of a worker request: a view follows its answers, stops it and restarts it.

use std::rc::Rc;

use yew::prelude::*;

use super::client::{Answer, Request, Ticket, use_worker};

/// The state of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JobState {
    /// No request has been sent.
    #[default]
    Waiting,
    Running,
    Stopped,
    /// The last answer has arrived.
    Done,
}

impl JobState {
    /// Whether the job has neither ended nor been stopped.
    pub const fn is_active(self) -> bool {
        matches!(self, JobState::Waiting | JobState::Running)
    }

    /// The name in stylesheets and tests.
    pub const fn id(self) -> &'static str {
        match self {
            JobState::Waiting | JobState::Running => "running",
            JobState::Stopped => "stopped",
            JobState::Done => "done",
        }
    }
}

/// The state of a request, and the means to control it.
#[derive(Clone, PartialEq)]
pub struct Job<T> {
    /// The accumulated answers; the default value before the first one.
    pub answer: T,
    pub state: JobState,
    /// Stops the request and keeps the answers so far.
    pub stop: Callback<MouseEvent>,
    /// Discards the answers and restarts the request.
    pub restart: Callback<MouseEvent>,
}

/// Sends a request, if there is one, to the worker. The request is stopped when another one replaces
/// it or the component is removed. `add` adds an answer to the accumulated ones and returns whether
/// it was the last one.
#[hook]
pub fn use_job<T>(request: Option<Request>, add: fn(&mut T, Answer) -> bool) -> Job<T>
where
    T: Clone + Default + 'static,
{
    let progress = use_reducer(|| {
        let progress =
            JobProgress { request: None, answer: T::default(), state: JobState::Waiting, add };
        progress.answered(&request)
    });
    let dispatcher = progress.dispatcher();
    let on_event = Callback::from(move |event| dispatcher.dispatch(event));
    let (stop, restart) = use_request(request.clone(), on_event);
    // Answers to a previous request are not shown.
    let (answer, state) = if progress.request == request {
        (progress.answer.clone(), progress.state)
    } else {
        Default::default()
    };
    Job { answer, state, stop, restart }
}

/// The part of a job that does not depend on the type of the accumulated answers: sends the request,
/// and returns the callbacks that stop and restart it.
#[hook]
fn use_request(
    request: Option<Request>,
    on_event: Callback<JobEvent>,
) -> (Callback<MouseEvent>, Callback<MouseEvent>) {
    let worker = use_worker();
    let restarts = use_state(|| 0_u32);
    let ticket = use_mut_ref(|| None::<Ticket>);
    {
        let (on_event, ticket) = (on_event.clone(), Rc::clone(&ticket));
        use_effect_with((request, *restarts), move |(request, _)| {
            if let Some(request) = request.clone() {
                on_event.emit(JobEvent::Sent(request.clone()));
                let new_ticket =
                    worker.request(request, move |answer| on_event.emit(JobEvent::Answer(answer)));
                ticket.replace(Some(new_ticket));
            }
            move || drop(ticket.take())
        });
    }
    let stop = Callback::from(move |_| {
        drop(ticket.take());
        on_event.emit(JobEvent::Stop);
    });
    let restart = Callback::from(move |_| restarts.set(*restarts + 1));
    (stop, restart)
}

/// A request with its accumulated answers.
#[derive(Clone)]
struct JobProgress<T> {
    request: Option<Request>,
    answer: T,
    state: JobState,
    add: fn(&mut T, Answer) -> bool,
}

/// An event of a request.
enum JobEvent {
    /// The request is sent.
    Sent(Request),
    /// An answer arrived.
    Answer(Answer),
    /// The user stopped the request.
    Stop,
}

impl<T: Clone + Default> JobProgress<T> {
    #[cfg(not(all(test, not(target_family = "wasm"))))]
    fn answered(self, _request: &Option<Request>) -> JobProgress<T> {
        self
    }

    /// Adds all answers of a request at once, because effects, which send requests, do not run on
    /// the host.
    #[cfg(all(test, not(target_family = "wasm")))]
    fn answered(self, request: &Option<Request>) -> JobProgress<T> {
        let Some(request) = request.clone() else { return self };
        let answers = queens_worker::answers(&request);
        let sent = Rc::new(self).reduce(JobEvent::Sent(request));
        let answered = answers.into_iter().map(JobEvent::Answer);
        Rc::unwrap_or_clone(answered.fold(sent, |progress, answer| progress.reduce(answer)))
    }
}

impl<T: Clone + Default> Reducible for JobProgress<T> {
    type Action = JobEvent;

    fn reduce(self: Rc<Self>, event: JobEvent) -> Rc<Self> {
        let mut progress = Rc::unwrap_or_clone(self);
        match event {
            JobEvent::Sent(request) => {
                progress.request = Some(request);
                progress.answer = T::default();
                progress.state = JobState::Running;
            }
            JobEvent::Answer(answer) => {
                if (progress.add)(&mut progress.answer, answer) {
                    progress.state = JobState::Done;
                }
            }
            JobEvent::Stop if progress.state == JobState::Running => {
                progress.state = JobState::Stopped;
            }
            JobEvent::Stop => {}
        }
        progress.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::Location;

    /// Adds the steps that are found. Step 3 is the last one.
    #[expect(clippy::needless_pass_by_value, reason = "jobs hand their answers over")]
    fn add_step(sum: &mut u64, answer: Answer) -> bool {
        let Answer::Located(Some(Location { step, .. })) = answer else { return false };
        *sum += step;
        step == 3
    }

    #[test]
    fn answers_accumulate_and_only_running_jobs_stop() {
        let progress =
            JobProgress { request: None, answer: 0, state: JobState::Waiting, add: add_step };
        let waiting = Rc::new(progress);
        assert_eq!(waiting.clone().reduce(JobEvent::Stop).state, JobState::Waiting);
        let running = waiting.reduce(JobEvent::Sent(Request::TaskList(1)));
        assert_eq!(running.state, JobState::Running);
        let found = |step| {
            JobEvent::Answer(Answer::Located(Some(Location { step, ..Location::default() })))
        };
        let running = running.reduce(found(2));
        assert_eq!((running.answer, running.state), (2, JobState::Running));
        let stopped = running.clone().reduce(JobEvent::Stop);
        assert_eq!((stopped.answer, stopped.state), (2, JobState::Stopped));
        let done = running.reduce(found(3));
        assert_eq!((done.answer, done.state), (5, JobState::Done));
        assert_eq!(done.clone().reduce(JobEvent::Stop).state, JobState::Done);
        let restarted = done.reduce(JobEvent::Sent(Request::TaskList(1)));
        assert_eq!((restarted.answer, restarted.state), (0, JobState::Running));
    }
}
