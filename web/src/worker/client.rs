//! The page's end of the conversation with the worker.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::HashMap,
    fmt,
    rc::Rc,
};

use js_sys::{Uint8Array, WebAssembly};
use queens_worker::{Call, Reply, RequestId, decode, encode, is_ready};
use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::prelude::*;

pub use queens_worker::{
    Again, Answer, Chart, ClassLedger, Command, Common, Counted, DocumentId, Drawing, Effort, Gist,
    Keeping, Line, News, Now, Order, Outcome, Phase, Place, Point, Posted, Progress, Recounted,
    Representative, Request, Standing, Tasks, Trouble, WebGpu, Why, Wrong,
};

/// The script that starts the worker's module.
///
/// A file of its own rather than a generated `blob:` address, so that the page's
/// Content-Security-Policy can say `worker-src 'self'`.
const LOADER: &str = "worker.js";

/// The smallest module with SIMD in it: a function that returns a vector of zeros.
const SIMD: [u8; 29] = *b"\0asm\x01\0\0\0\
    \x01\x05\x01\x60\0\x01\x7b\
    \x03\x02\x01\0\
    \x0a\x08\x01\x06\0\x41\0\xfd\x0f\x0b";

/// Whether the browser has what the worker's module needs, as all do since 2023.
pub fn is_possible() -> bool {
    // An error would say that the argument holds no bytes.
    WebAssembly::validate(&Uint8Array::from(&SIMD[..])).unwrap_or(false)
}

thread_local! {
    /// Whether a worker could not start, or broke down.
    static HAS_FAILED: Cell<bool> = const { Cell::new(false) };
    /// Hears of that.
    static ON_FAILURE: RefCell<Callback<()>> = RefCell::default();
}

fn fail() {
    HAS_FAILED.set(true);
    // Called when it is no longer borrowed: it draws.
    let on_failure = ON_FAILURE.with_borrow(Clone::clone);
    on_failure.emit(());
}

/// Whether a worker of the page could not start, or broke down. What it was asked for is not
/// answered then.
#[hook]
pub fn use_failure() -> bool {
    let has_failed = use_state_eq(|| HAS_FAILED.get());
    {
        let has_failed = has_failed.setter();
        use_effect_with((), move |()| {
            // A view of this page may have been drawn, and asked for its worker, before.
            has_failed.set(HAS_FAILED.get());
            ON_FAILURE.set(Callback::from(move |()| has_failed.set(true)));
        });
    }
    *has_failed
}

/// A worker that was started, and what it is to be told once it listens.
struct Link {
    worker: Worker,
    waiting: RefCell<Option<Vec<Uint8Array>>>,
}

impl Link {
    /// Starts a worker, if the browser does.
    fn start(on_reply: impl Fn(Reply) + 'static) -> Option<Rc<Link>> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(LOADER, &options).ok()?;
        let link = Rc::new(Link { worker, waiting: RefCell::new(Some(vec![])) });
        let heard = Rc::clone(&link);
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            match event.data() {
                ready if is_ready(&ready) => heard.listens(),
                // What is no reply says that the module did not start (web/worker.js).
                data => decode(&data).map_or_else(fail, &on_reply),
            }
        });
        // Its script could not be fetched, or an error was not caught there.
        let on_error = Closure::<dyn Fn()>::new(fail);
        link.worker.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
        link.worker.set_onerror(Some(on_error.into_js_value().unchecked_ref()));
        Some(link)
    }

    fn listens(&self) {
        for message in self.waiting.take().into_iter().flatten() {
            self.post(&message);
        }
    }

    fn post(&self, message: &Uint8Array) {
        // Fails only for messages that cannot be copied; bytes can.
        let _ = self.worker.post_message(message);
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

/// Hears the answers to one request.
type Listener = dyn Fn(Answer);

/// Who waits for which request.
#[derive(Default)]
struct Routes {
    waiting: HashMap<RequestId, Rc<Listener>>,
    last: RequestId,
}

impl Routes {
    fn add(&mut self, to: Rc<Listener>) -> RequestId {
        self.last += 1;
        self.waiting.insert(self.last, to);
        self.last
    }

    /// Who waits for this answer; nobody if the request has been stopped meanwhile.
    fn find(&self, id: RequestId) -> Option<Rc<Listener>> {
        self.waiting.get(&id).cloned()
    }

    /// Whether somebody had waited.
    fn remove(&mut self, id: RequestId) -> bool {
        self.waiting.remove(&id).is_some()
    }
}

/// A worker of the page. Cloning gives another handle to the same.
#[derive(Clone)]
pub struct Client {
    /// None where a worker is not [possible](is_possible) or the browser starts none: nothing is ever
    /// answered then, and the page says so.
    link: Option<Rc<Link>>,
    routes: Rc<RefCell<Routes>>,
}

impl PartialEq for Client {
    fn eq(&self, other: &Client) -> bool {
        Rc::ptr_eq(&self.routes, &other.routes)
    }
}

impl Client {
    /// Starts another worker.
    pub fn spawn() -> Client {
        let routes = Rc::new(RefCell::new(Routes::default()));
        if !is_possible() {
            return Client { link: None, routes };
        }
        let heard = Rc::clone(&routes);
        let link = Link::start(move |Reply { id, answer }| {
            // Found first and called afterwards: a listener may ask or stop.
            let found = heard.borrow().find(id);
            if let Answer::Files { last: true, .. } = answer {
                heard.borrow_mut().remove(id);
            }
            if let Some(listener) = found {
                listener(answer);
            }
        });
        if link.is_none() {
            fail();
        }
        Client { link, routes }
    }

    fn send(&self, call: &Call) {
        if let Some(link) = &self.link {
            link.send(call);
        }
    }

    /// Asks; every answer goes to `on_answer` for as long as the ticket is kept.
    #[must_use = "dropping the ticket stops the request"]
    pub fn ask(&self, request: Request, on_answer: impl Fn(Answer) + 'static) -> Ticket {
        self.open(|id| Call::Ask(id, Box::new(request)), on_answer)
    }

    /// Watches the count that this worker leads, for as long as the ticket is kept.
    #[must_use = "dropping the ticket ends the news"]
    pub fn watch(&self, on_answer: impl Fn(Answer) + 'static) -> Ticket {
        self.open(|id| Call::Count(id, Command::Watch), on_answer)
    }

    /// Does something with files. What comes of it is heard to the end, also when the view that asked is
    /// gone, so that each document that the worker tells of is [held](Client::hold) and let go.
    pub fn files(&self, what: Keeping, on_answer: impl Fn(Answer) + 'static) {
        let id = self.routes.borrow_mut().add(Rc::new(on_answer));
        self.send(&Call::Keep(id, what));
    }

    /// Takes charge of a document that the worker has told of.
    pub fn hold(&self, document: DocumentId) -> Held {
        Held(Rc::new(Hold { client: self.clone(), document }))
    }

    /// Tells the count that this worker leads to do something.
    pub fn tell(&self, command: Command) {
        self.send(&Call::Count(RequestId::MAX, command));
    }

    fn open(
        &self,
        call: impl FnOnce(RequestId) -> Call,
        on_answer: impl Fn(Answer) + 'static,
    ) -> Ticket {
        let id = self.routes.borrow_mut().add(Rc::new(on_answer));
        self.send(&call(id));
        Ticket { client: self.clone(), id, kept: Cell::new(true) }
    }
}

/// A request that is being answered. Dropping it stops the work and drops late answers.
pub struct Ticket {
    client: Client,
    id: RequestId,
    kept: Cell<bool>,
}

impl Ticket {
    /// Stops the request before the ticket is dropped.
    pub fn stop(&self) {
        if self.kept.replace(false) && self.client.routes.borrow_mut().remove(self.id) {
            self.client.send(&Call::Stop(self.id));
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A document that a worker holds. Once all clones are dropped, the worker lets it go.
#[derive(Clone)]
pub struct Held(Rc<Hold>);

struct Hold {
    client: Client,
    document: DocumentId,
}

impl Held {
    /// What the document is called in requests.
    pub fn id(&self) -> DocumentId {
        self.0.document
    }
}

/// The worker gives a document that it reads twice one name.
impl PartialEq for Held {
    fn eq(&self, other: &Held) -> bool {
        self.id() == other.id()
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Held({})", self.id())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.client.send(&Call::LetGo(self.document));
    }
}

thread_local! {
    /// Started by the first view that needs it; all views but Count share it.
    static CLIENT: OnceCell<Client> = const { OnceCell::new() };
}

pub fn worker() -> Client {
    CLIENT.with(|client| client.get_or_init(Client::spawn).clone())
}

/// The page's worker, for function components.
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
    use super::*;

    #[test]
    fn answers_reach_who_asked_until_it_stops() {
        let mut routes = Routes::default();
        let heard = Rc::new(Cell::new(0));
        let listen = |add: u32| {
            let heard = Rc::clone(&heard);
            move |_| heard.set(heard.get() + add)
        };
        let one = routes.add(Rc::new(listen(1)));
        let ten = routes.add(Rc::new(listen(10)));
        assert_ne!(one, ten);
        let answer = |routes: &Routes, id| {
            if let Some(listener) = routes.find(id) {
                listener(Answer::Located { step: None });
            }
        };
        answer(&routes, ten);
        assert_eq!(heard.get(), 10);
        assert!(routes.remove(ten));
        assert!(!routes.remove(ten));
        answer(&routes, ten);
        answer(&routes, one);
        assert_eq!(heard.get(), 11);
    }
}
