//! Handles to the page's workers, to requests, and to the documents that a worker holds.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::HashMap,
    fmt,
    rc::Rc,
};

use gloo_timers::callback::Timeout;
use js_sys::{Function, Uint8Array, WebAssembly};
use queens_worker::{Call, Reply, RequestId, decode, encode, is_ready};
use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::prelude::*;

use crate::browser::window;

pub use queens_worker::{
    Answer, ClassLedger, CountCommand, CountEvent, CountJob, CountStatus, CurrentRow, DocumentId,
    DocumentInfo, Effort, Executor, FileAccessError, FileError, FileRequest, FinishedRow,
    ListedTask, Location, Phase, PublishOutcome, RecountProgress, RecountRequest, Representative,
    Request, SearchProgress, Task, TaskDifference, TaskStart, TaskSummary, TimeDifference,
    TimePair, Trouble, WebGpu, WorkerStatus, WrongTask,
};

/// The script that starts the worker's module.
///
/// The script is a separate file instead of a generated `blob:` URL, so that the page's
/// Content-Security-Policy can say `worker-src 'self'`.
const LOADER: &str = "worker.js";

/// The smallest module that uses SIMD: a function that returns a vector of zeros.
const SIMD: [u8; 29] = *b"\0asm\x01\0\0\0\
    \x01\x05\x01\x60\0\x01\x7b\
    \x03\x02\x01\0\
    \x0a\x08\x01\x06\0\x41\0\xfd\x0f\x0b";

/// Whether the browser supports the SIMD of the worker's module, as all browsers do since 2023.
pub fn is_possible() -> bool {
    // `validate` fails only if the argument has no bytes.
    window().is_some() && WebAssembly::validate(&Uint8Array::from(&SIMD[..])).unwrap_or(false)
}

/// The time after which a worker that has not reported that it is ready counts as [silent](Health::Silent), in
/// milliseconds.
const PATIENCE: u32 = 10_000;

/// The pause before a worker that could not be loaded is started again, in milliseconds. It doubles with each
/// failure, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: u32 = 5000;

const LONGEST_PAUSE: u32 = 60_000;

/// The state of a worker. Later states are worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    /// Not needed yet, starting, or ready.
    #[default]
    Working,
    /// The worker has not reported in time that it is ready, or it reports nothing although its count runs. It
    /// may still do so.
    Silent,
    /// The worker could not start or has crashed, or is not [possible](is_possible). This is final unless another
    /// start succeeds.
    Failed,
}

/// The states of the page's workers. Requests to a worker that does not work may stay unanswered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// The state of the [shared worker](worker).
    pub shared: Health,
    /// The state of the worker that coordinates a count.
    pub count: Health,
}

impl Failures {
    /// Returns the worse of both states.
    pub fn worst(self) -> Health {
        self.shared.max(self.count)
    }

    /// Returns the states after a change of one of them.
    fn with(mut self, is_shared: bool, health: Health) -> Failures {
        let known = if is_shared { &mut self.shared } else { &mut self.count };
        // A worker that has failed reports nothing more, so one that works is another one.
        if *known != Health::Failed || health == Health::Working {
            *known = health;
        }
        self
    }
}

thread_local! {
    static FAILURES: Cell<Failures> =
        const { Cell::new(Failures { shared: Health::Working, count: Health::Working }) };
    /// Called when the state of a worker changes.
    static ON_CHANGE: RefCell<Callback<Failures>> = RefCell::default();
}

/// Records the state of a worker, and notifies the page if it has changed.
fn record(is_shared: bool, health: Health) {
    let known = FAILURES.get();
    let failures = known.with(is_shared, health);
    if failures == known {
        return;
    }
    FAILURES.set(failures);
    // The callback renders components, so it must be called outside the borrow.
    let on_change = ON_CHANGE.with_borrow(Clone::clone);
    on_change.emit(failures);
}

/// Returns the states of the page's workers.
#[hook]
pub fn use_failures() -> Failures {
    let failures = use_state_eq(|| FAILURES.get());
    {
        let failures = failures.setter();
        use_effect_with((), move |()| {
            // A view may have started a worker before this effect ran, so the state is read again.
            failures.set(FAILURES.get());
            ON_CHANGE.set(Callback::from(move |now| failures.set(now)));
        });
    }
    *failures
}

/// Returns whether requests to the shared worker stay unanswered, because it has failed or is silent. The page
/// provides its state as a context.
#[hook]
pub fn use_shared_failure() -> bool {
    use_context::<Failures>().is_some_and(|failures| failures.shared != Health::Working)
}

/// A worker, which is started again if it could not be loaded: the server may be back.
struct Link {
    worker: RefCell<Worker>,
    /// The messages to send when the worker is ready; `None` once it is.
    waiting: RefCell<Option<Vec<Uint8Array>>>,
    on_message: OnceCell<Function>,
    on_error: OnceCell<Function>,
    is_shared: bool,
    /// The pause before the next start, in milliseconds.
    pause: Cell<u32>,
    /// Whether the next start is already waiting: a failure can be reported twice.
    will_restart: Cell<bool>,
}

impl Link {
    /// Starts a worker; returns `None` if the browser refuses.
    fn start(on_reply: impl Fn(Reply) + 'static, is_shared: bool) -> Option<Rc<Link>> {
        // Tests on the host have no workers.
        window()?;
        let link = Rc::new(Link {
            worker: RefCell::new(new_worker()?),
            waiting: RefCell::new(Some(vec![])),
            on_message: OnceCell::new(),
            on_error: OnceCell::new(),
            is_shared,
            pause: Cell::new(FIRST_PAUSE),
            will_restart: Cell::new(false),
        });
        let receiver = Rc::clone(&link);
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            match event.data() {
                ready if is_ready(&ready) => {
                    receiver.send_waiting();
                    record(is_shared, Health::Working);
                }
                // A message that is not a reply reports that the module did not start
                // (web/worker.js).
                data => decode(&data).map_or_else(|| receiver.fail(), &on_reply),
            }
        });
        // The script could not be fetched, or code in the worker raised an error.
        let failing = Rc::clone(&link);
        let on_error = Closure::<dyn Fn()>::new(move || failing.fail());
        let _ = link.on_message.set(on_message.into_js_value().unchecked_into());
        let _ = link.on_error.set(on_error.into_js_value().unchecked_into());
        link.listen();
        // A script that hangs or that lacks its end raises no error.
        let starting = Rc::clone(&link);
        let check = move || {
            if !starting.is_ready() {
                record(is_shared, Health::Silent);
            }
        };
        Timeout::new(PATIENCE, check).forget();
        Some(link)
    }

    /// Receives the messages and errors of the current worker.
    fn listen(&self) {
        let worker = self.worker.borrow();
        worker.set_onmessage(self.on_message.get());
        worker.set_onerror(self.on_error.get());
    }

    /// Records a failure. A worker that has never been ready has no state to lose, so another one takes its place
    /// and receives the messages that wait.
    fn fail(self: &Rc<Self>) {
        record(self.is_shared, Health::Failed);
        if self.is_ready() || self.will_restart.replace(true) {
            return;
        }
        let link = Rc::clone(self);
        let restart = move || {
            link.will_restart.set(false);
            if let Some(worker) = new_worker() {
                link.worker.replace(worker).terminate();
                link.listen();
            }
        };
        let pause = self.pause.get();
        self.pause.set(next_pause(pause));
        Timeout::new(pause, restart).forget();
    }

    fn is_ready(&self) -> bool {
        self.waiting.borrow().is_none()
    }

    fn send_waiting(&self) {
        for message in self.waiting.take().into_iter().flatten() {
            self.post(&message);
        }
    }

    fn post(&self, message: &Uint8Array) {
        // Posting fails only for values that cannot be cloned; bytes can be cloned.
        let _ = self.worker.borrow().post_message(message);
    }

    fn send(&self, call: &Call) {
        let Some(message) = encode(call) else { return };
        if let Some(waiting) = &mut *self.waiting.borrow_mut() {
            waiting.push(message);
            return;
        }
        self.post(&message);
    }
}

/// Starts a worker with the page's worker script.
fn new_worker() -> Option<Worker> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    Worker::new_with_options(LOADER, &options).ok()
}

/// Returns the pause that follows a pause between two starts, in milliseconds.
fn next_pause(pause: u32) -> u32 {
    pause.saturating_mul(2).min(LONGEST_PAUSE)
}

/// Receives the answers to a request.
type Listener = dyn Fn(Answer);

/// The listeners of all open requests.
#[derive(Default)]
struct Routes {
    listeners: HashMap<RequestId, Rc<Listener>>,
    /// The id of the latest request.
    last_id: RequestId,
}

impl Routes {
    fn add(&mut self, listener: Rc<Listener>) -> RequestId {
        self.last_id += 1;
        self.listeners.insert(self.last_id, listener);
        self.last_id
    }

    /// Returns the listener of a request, or `None` if the request was stopped.
    fn find(&self, id: RequestId) -> Option<Rc<Listener>> {
        self.listeners.get(&id).cloned()
    }

    /// Removes a listener. Returns whether it existed.
    fn remove(&mut self, id: RequestId) -> bool {
        self.listeners.remove(&id).is_some()
    }
}

/// A handle to a worker of the page. Clones share the worker.
#[derive(Clone)]
pub struct Client {
    /// `None` if workers are not [possible](is_possible) or the browser refuses to start one. Then
    /// no request is answered, and the page reports the failure.
    link: Option<Rc<Link>>,
    routes: Rc<RefCell<Routes>>,
}

impl PartialEq for Client {
    fn eq(&self, other: &Client) -> bool {
        Rc::ptr_eq(&self.routes, &other.routes)
    }
}

impl Client {
    /// Starts the worker that coordinates a count.
    pub fn spawn() -> Client {
        Client::start(false)
    }

    fn start(is_shared: bool) -> Client {
        let routes = Rc::new(RefCell::new(Routes::default()));
        if !is_possible() {
            return Client { link: None, routes };
        }
        let listeners = Rc::clone(&routes);
        let on_reply = move |Reply { id, answer }| {
            // The borrow must end before the call, because a listener may start or stop requests.
            let found = listeners.borrow().find(id);
            if let Answer::Files { last: true, .. } = answer {
                listeners.borrow_mut().remove(id);
            }
            if let Some(listener) = found {
                listener(answer);
            }
        };
        let link = Link::start(on_reply, is_shared);
        if link.is_none() {
            record(is_shared, Health::Failed);
        }
        Client { link, routes }
    }

    fn send(&self, call: &Call) {
        if let Some(link) = &self.link {
            link.send(call);
        }
    }

    /// Sends a request. `on_answer` receives the answers until the ticket is dropped.
    #[must_use = "dropping the ticket stops the request"]
    pub fn request(&self, request: Request, on_answer: impl Fn(Answer) + 'static) -> Ticket {
        self.open(|id| Call::Request(id, Box::new(request)), on_answer)
    }

    /// Subscribes to the count of this worker until the ticket is dropped.
    #[must_use = "dropping the ticket ends the subscription"]
    pub fn watch(&self, on_answer: impl Fn(Answer) + 'static) -> Ticket {
        self.open(|id| Call::Count(id, CountCommand::Watch), on_answer)
    }

    /// Processes files. `on_answer` receives all answers, even after the view that sent the request
    /// is closed. It must [take a handle](Client::handle) to every reported document; otherwise the
    /// worker never releases the document.
    pub fn process_files(&self, request: FileRequest, on_answer: impl Fn(Answer) + 'static) {
        let id = self.routes.borrow_mut().add(Rc::new(on_answer));
        self.send(&Call::Files(id, request));
    }

    /// Returns a handle to a document that the worker has reported. Dropping the handle releases
    /// the document.
    pub fn handle(&self, document: DocumentId) -> DocumentHandle {
        DocumentHandle(Rc::new(DocumentReference { client: self.clone(), document }))
    }

    /// Sends a command to the count of this worker.
    pub fn send_command(&self, command: CountCommand) {
        self.send(&Call::Count(RequestId::MAX, command));
    }

    /// Records whether the worker that coordinates a count no longer reports about it.
    pub fn record_silence(&self, is_silent: bool) {
        let known = FAILURES.get().count;
        match is_silent {
            true => record(false, Health::Silent),
            false if known == Health::Silent => record(false, Health::Working),
            false => {}
        }
    }

    fn open(
        &self,
        call: impl FnOnce(RequestId) -> Call,
        on_answer: impl Fn(Answer) + 'static,
    ) -> Ticket {
        let id = self.routes.borrow_mut().add(Rc::new(on_answer));
        self.send(&call(id));
        Ticket { client: self.clone(), id, is_open: Cell::new(true) }
    }
}

/// An open request. Dropping the ticket stops the request and ignores late answers.
pub struct Ticket {
    client: Client,
    id: RequestId,
    is_open: Cell<bool>,
}

impl Ticket {
    /// Stops the request before the ticket is dropped.
    pub fn stop(&self) {
        if self.is_open.replace(false) && self.client.routes.borrow_mut().remove(self.id) {
            self.client.send(&Call::Stop(self.id));
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A document that a worker holds. The worker releases it when all clones are dropped.
#[derive(Clone)]
pub struct DocumentHandle(Rc<DocumentReference>);

struct DocumentReference {
    client: Client,
    document: DocumentId,
}

impl DocumentHandle {
    /// The document's id in requests.
    pub fn id(&self) -> DocumentId {
        self.0.document
    }
}

/// The worker gives equal documents the same id.
impl PartialEq for DocumentHandle {
    fn eq(&self, other: &DocumentHandle) -> bool {
        self.id() == other.id()
    }
}

impl fmt::Debug for DocumentHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DocumentHandle({})", self.id())
    }
}

impl Drop for DocumentReference {
    fn drop(&mut self) {
        self.client.send(&Call::Release(self.document));
    }
}

thread_local! {
    /// The shared worker, started by the first view that needs it. All views except Count use it.
    static CLIENT: OnceCell<Client> = const { OnceCell::new() };
}

/// Returns the shared worker.
pub fn worker() -> Client {
    CLIENT.with(|client| client.get_or_init(|| Client::start(true)).clone())
}

/// Returns the shared worker, for function components.
#[hook]
pub fn use_worker() -> Client {
    (*use_memo((), |()| worker())).clone()
}

#[cfg(test)]
impl Client {
    /// A client without a worker.
    pub fn idle() -> Client {
        Client { link: None, routes: Rc::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::mem;

    use super::*;

    #[test]
    fn the_states_of_both_workers_are_separate() {
        let states = |changes: &[(bool, Health)]| {
            changes.iter().fold(Failures::default(), |failures, &(is_shared, health)| {
                failures.with(is_shared, health)
            })
        };
        let silent = states(&[(true, Health::Silent)]);
        assert_eq!((silent.shared, silent.worst()), (Health::Silent, Health::Silent));
        assert_eq!(silent.with(true, Health::Working), Failures::default());
        // The other worker is still silent.
        let counting = silent.with(false, Health::Silent).with(true, Health::Working);
        assert_eq!((counting.shared, counting.worst()), (Health::Working, Health::Silent));
        let failed = states(&[(false, Health::Failed), (false, Health::Silent)]);
        assert_eq!((failed.shared, failed.worst()), (Health::Working, Health::Failed));
    }

    #[test]
    fn a_worker_that_starts_after_a_failure_withdraws_its_report() {
        let failed = Failures::default().with(true, Health::Failed).with(true, Health::Silent);
        assert_eq!(failed.shared, Health::Failed);
        assert_eq!(failed.with(true, Health::Working), Failures::default());
    }

    #[test]
    fn the_pauses_between_two_starts_become_longer_up_to_a_minute() {
        let mut pause = FIRST_PAUSE;
        let pauses = [(); 6].map(|()| {
            let next = next_pause(pause);
            mem::replace(&mut pause, next)
        });
        assert_eq!(pauses, [5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    }

    #[test]
    fn answers_reach_their_listener_until_it_is_removed() {
        let mut routes = Routes::default();
        let received = Rc::new(Cell::new(0));
        let listen = |add: u32| {
            let received = Rc::clone(&received);
            move |_| received.set(received.get() + add)
        };
        let one = routes.add(Rc::new(listen(1)));
        let ten = routes.add(Rc::new(listen(10)));
        assert_ne!(one, ten);
        let answer = |routes: &Routes, id| {
            if let Some(listener) = routes.find(id) {
                listener(Answer::Located(None));
            }
        };
        answer(&routes, ten);
        assert_eq!(received.get(), 10);
        assert!(routes.remove(ten));
        assert!(!routes.remove(ten));
        answer(&routes, ten);
        answer(&routes, one);
        assert_eq!(received.get(), 11);
    }
}
