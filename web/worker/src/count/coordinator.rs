//! The coordinator of a count: it assigns tasks to pool workers, collects and saves their results,
//! and reports to the page. It counts no tasks itself, so it can always respond to messages.

use std::{collections::BTreeMap, rc::Rc};

use gloo_timers::callback::{Interval, Timeout};
use queens_core::{Done, Tally};
use queens_state::count::{Changes, CountState, MachineInfo, TASKS, TimeEstimate};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::{
    browser,
    lock::{self, Lock},
    pool_worker::PoolWorker,
    task_runner::{WorkerReply, WorkerRequest},
};
use crate::{
    clock,
    protocol::{
        Answer, CountCommand, CountEvent, CountJob, CountStatus, Executor, FinishedRow, Phase,
        Posted, Reply, RequestId, Trouble, WebGpu, Wrong,
    },
    store::Store,
};

/// The browser's database in which the count is saved.
const DATABASE: &str = "queens-count";

/// An event for the coordinator.
pub enum Event {
    /// A worker sent a message or failed.
    Heard(u32, Result<WorkerReply, String>),
    /// The ticker fired.
    Tick,
    /// The saved count was read; `None` if the browser stores nothing.
    Opened(Option<(Store, Vec<(String, String)>)>),
    /// The browser's storage did not open in time.
    NoAnswer,
    /// Whether the latest changes were saved.
    Wrote(bool),
    /// The lock was granted, or is not available in this browser (`None`). An error means that
    /// another page holds it.
    Locked(Result<Option<Lock>, ()>),
    /// Whether another page holds the lock.
    Taken(bool),
    /// The result of posting a row's document.
    Sent(usize, Posted),
    /// Whether the browser has WebGPU.
    Asked(WebGpu),
    /// Whether there is a server to which results can be posted; `None` if it did not answer.
    Answered(Option<bool>),
}

/// The interval between reports to the page while a count runs, in milliseconds. The page repaints
/// after each report.
const REPORT_INTERVAL: u32 = 100;

/// The interval between checks for other counting pages while no count runs, in milliseconds.
const LOCK_CHECK_INTERVAL: u32 = 1000;

/// The longest wait for the browser's storage, in milliseconds. A count can begin without storage.
const STORAGE_TIMEOUT: u32 = 8000;

/// The pause before the next request to a server that did not answer, in milliseconds.
const SERVER_RETRY: u32 = 5000;

/// The number of ticks between two saves of the progress.
const TICKS_PER_SAVE: u32 = 5;

/// The coordinator of a count.
pub struct Coordinator {
    /// Delivers an event to the coordinator once the current code has returned.
    emit: Rc<dyn Fn(Event)>,
    /// Sends a reply to the page.
    reply: Box<dyn Fn(Reply)>,
    watchers: Vec<RequestId>,
    standing: CountStatus,
    /// The status and the rows that were last reported to the page.
    reported: (Option<CountStatus>, Option<Vec<FinishedRow>>),
    machine: MachineInfo,
    count: Option<CountState>,
    /// The count that begins once the lock is granted.
    ordered: Option<CountJob>,
    pool: Vec<PoolWorker>,
    /// The number of the worker that was started last.
    last_number: u32,
    time_estimate: TimeEstimate,
    sampler: Option<PoolWorker>,
    store: Option<Store>,
    /// The timer that ends the wait for the storage; `None` when not waiting.
    opening: Option<Timeout>,
    /// Whether saving a change of the current count failed. Then later changes of this count are
    /// not saved.
    is_unsaved: bool,
    /// The number of saved rows, and the length of each saved text by its key.
    saved: (usize, BTreeMap<String, usize>),
    lock: Option<Lock>,
    ticker: Option<(u32, Interval)>,
    ticks: u32,
}

impl Coordinator {
    /// Creates a coordinator and starts to read the saved count and to detect WebGPU and the
    /// server. The caller passes each event from `emit` to [`take`](Coordinator::take), and each
    /// `reply` to the page.
    pub fn new(emit: impl Fn(Event) + 'static, reply: impl Fn(Reply) + 'static) -> Coordinator {
        let standing = CountStatus { cores: browser::cores(), ..CountStatus::default() };
        let mut coordinator = Coordinator {
            emit: Rc::new(emit),
            reply: Box::new(reply),
            watchers: vec![],
            standing,
            reported: (None, None),
            machine: browser::machine(),
            count: None,
            ordered: None,
            pool: vec![],
            last_number: 0,
            time_estimate: TimeEstimate::default(),
            sampler: None,
            store: None,
            opening: None,
            is_unsaved: false,
            saved: (0, BTreeMap::new()),
            lock: None,
            ticker: None,
            ticks: 0,
        };
        coordinator.open();
        coordinator.later(async { Event::Asked(browser::webgpu().await) });
        coordinator.later(async { Event::Answered(browser::serves().await) });
        coordinator
    }

    /// Executes a command of the page.
    pub fn hear(&mut self, command: CountCommand, id: RequestId) {
        let phase = self.standing.phase;
        match command {
            CountCommand::Watch => {
                self.watchers.push(id);
                self.reported = (None, None);
            }
            CountCommand::Weigh(order) => {
                self.time_estimate.put(order);
                self.sample();
            }
            CountCommand::Begin(order) if phase.is_at_rest() => {
                self.ordered = Some(order);
                self.lock();
            }
            CountCommand::GoOn if phase == Phase::Kept => self.lock(),
            CountCommand::GoOn if matches!(phase, Phase::Pausing | Phase::Paused) => self.run(),
            CountCommand::Pause if phase == Phase::Running => {
                self.standing.phase = Phase::Pausing;
                self.pause_if_idle();
            }
            CountCommand::Stop => self.stop(),
            CountCommand::Forget if phase.is_at_rest() => {
                self.discard_count();
                self.standing.phase = Phase::Idle;
            }
            CountCommand::Save(line) => {
                let count = self.count.as_ref();
                if let Some(entry) = count.and_then(|count| count.entries().get(line as usize)) {
                    let name = format!("queens-{}-{}.json", entry.line.size, entry.line.method);
                    let kind = "application/json".to_owned();
                    let text = entry.document.clone();
                    self.send(&CountEvent::File { name, kind, text });
                }
            }
            CountCommand::Table => {
                if let Some(count) = &self.count {
                    let (name, kind) = ("queens.csv".to_owned(), "text/csv".to_owned());
                    self.send(&CountEvent::File { name, kind, text: count.csv() });
                }
            }
            CountCommand::Post(line) => self.post(line as usize),
            // A command that does not fit the current phase arrived too late or too early, and is
            // ignored.
            CountCommand::Begin(_)
            | CountCommand::GoOn
            | CountCommand::Pause
            | CountCommand::Forget => {}
        }
        self.report();
    }

    /// Removes a watcher whose request has ended.
    pub fn leave(&mut self, gone: RequestId) {
        self.watchers.retain(|&id| id != gone);
    }

    /// Handles an event.
    pub fn take(&mut self, event: Event) {
        match event {
            // Results of tasks are reported at the next tick, because many can arrive between two
            // ticks.
            Event::Heard(number, reply) => {
                if !self.on_reply(number, reply) {
                    return;
                }
            }
            Event::Tick => self.tick(),
            Event::Opened(found) => self.on_opened(found),
            Event::NoAnswer => self.on_opened(None),
            Event::Wrote(true) => {}
            Event::Wrote(false) => {
                self.is_unsaved = true;
                self.saved.1.clear();
                self.standing.trouble = Some(Trouble::NotKept);
            }
            Event::Locked(Ok(lock)) => {
                self.lock = lock;
                if let Some(order) = self.ordered.take() {
                    self.discard_count();
                    self.count = Some(CountState::new(order));
                    self.standing.trouble = self.store.is_none().then_some(Trouble::NotKept);
                }
                self.run();
            }
            Event::Locked(Err(())) => {
                self.ordered = None;
                self.standing.phase = Phase::Elsewhere;
            }
            Event::Taken(true) if self.standing.phase.is_at_rest() => {
                self.sampler = None;
                self.standing.phase = Phase::Elsewhere;
            }
            // The count that the other page saved can be resumed here.
            Event::Taken(false)
                if self.standing.phase == Phase::Elsewhere && self.opening.is_none() =>
            {
                self.open();
            }
            Event::Taken(_) => {}
            Event::Sent(line, posted) => self.set_posted(line, posted),
            Event::Answered(serves) => {
                self.standing.server = Some(serves.unwrap_or_default());
                if serves.is_none() {
                    self.ask_again();
                }
            }
            Event::Asked(webgpu) => {
                if let WebGpu::Found(name) = &webgpu {
                    self.machine.gpu.clone_from(name);
                }
                self.standing.webgpu = webgpu;
            }
        }
        self.report();
    }

    /// Runs a future and delivers its output as an event.
    fn later(&self, event: impl Future<Output = Event> + 'static) {
        let emit = Rc::clone(&self.emit);
        spawn_local(async move { emit(event.await) });
    }

    /// Asks the server again after a pause, because it may have started in the meantime.
    fn ask_again(&self) {
        let emit = Rc::clone(&self.emit);
        let ask = async move { emit(Event::Answered(browser::serves().await)) };
        Timeout::new(SERVER_RETRY, move || spawn_local(ask)).forget();
    }

    /// Starts to read the saved count.
    fn open(&mut self) {
        let emit = Rc::clone(&self.emit);
        self.opening = Some(Timeout::new(STORAGE_TIMEOUT, move || emit(Event::NoAnswer)));
        self.later(async {
            let read = async {
                let store = Store::open(DATABASE).await?;
                let texts = store.read().await?;
                Ok::<_, JsValue>((store, texts))
            };
            Event::Opened(read.await.ok())
        });
    }

    fn on_opened(&mut self, found: Option<(Store, Vec<(String, String)>)>) {
        // A late answer is ignored, because another count may have begun.
        if self.opening.take().is_none() {
            return;
        }
        match found {
            None => self.standing.trouble = Some(Trouble::NotKept),
            Some((store, texts)) => {
                self.store = Some(store);
                self.count = CountState::restore(&texts);
                let lines = self.count.as_ref().map_or(0, |count| count.entries().len());
                let sizes = texts.into_iter().map(|(key, text)| (key, text.len())).collect();
                self.saved = (lines, sizes);
            }
        }
        let is_done = self.count.as_ref().is_none_or(CountState::is_done);
        self.standing.phase = if is_done { Phase::Idle } else { Phase::Kept };
        self.check_lock();
        self.sample();
    }

    /// Saves the changes since the last call.
    fn save(&mut self) {
        let store = self.store.as_ref().filter(|_| !self.is_unsaved);
        let (Some(store), Some(count)) = (store, &mut self.count) else { return };
        let (lines, sizes) = &mut self.saved;
        let changes = count.changes(clock::now(), *lines);
        *lines = count.entries().len();
        if changes.without_tasks {
            sizes.retain(|key, _| !key.starts_with(TASKS[0]));
        }
        sizes.extend(changes.put.iter().map(|(key, text)| (key.clone(), text.len())));
        let (store, Changes { put, without_tasks }) = (store.clone(), changes);
        let remove = without_tasks.then_some(TASKS);
        self.later(async move { Event::Wrote(store.write(remove, put).await.is_ok()) });
    }

    /// Discards the current count and everything that is saved.
    fn discard_count(&mut self) {
        self.count = None;
        self.saved = (0, BTreeMap::new());
        self.is_unsaved = false;
        if let Some(store) = self.store.clone() {
            self.later(async move { Event::Wrote(store.clear().await.is_ok()) });
        }
    }

    /// Requests the lock. The count begins when it is granted.
    fn lock(&mut self) {
        self.sampler = None;
        self.standing.phase = Phase::Opening;
        let is_saved = self.store.is_some() && !self.is_unsaved;
        self.standing.trouble = (!is_saved).then_some(Trouble::NotKept);
        self.later(async { Event::Locked(lock::take().await) });
    }

    /// Starts or resumes the count.
    fn run(&mut self) {
        let Some(count) = &mut self.count else { return };
        // The tasks of the plan stay the same, so CPU workers can finish what the GPU began.
        if count.order().place == Executor::WebGpu && self.standing.webgpu.is_out() {
            count.count_by(Executor::Workers(self.standing.cores));
        }
        // While pausing, the last tasks are still being counted, so the clock is still running.
        if self.standing.phase != Phase::Pausing {
            count.start(clock::now(), &browser::today());
        }
        self.standing.phase = Phase::Running;
        let place = count.order().place;
        while self.pool.len() < place.hands() as usize {
            match self.start_worker(place == Executor::WebGpu) {
                Some(worker) => self.pool.push(worker),
                None => return self.fail("the browser could not start it".to_owned()),
            }
        }
        self.save();
        self.deal();
    }

    fn start_worker(&mut self, has_gpu: bool) -> Option<PoolWorker> {
        self.last_number += 1;
        let emit = Rc::clone(&self.emit);
        let on_reply = move |number, reply| emit(Event::Heard(number, reply));
        PoolWorker::start(self.last_number, has_gpu, on_reply).ok()
    }

    /// Assigns tasks to all idle workers.
    fn deal(&mut self) {
        let workers = self.pool.len();
        let Some(count) = self.count.as_mut().filter(|_| self.standing.phase == Phase::Running)
        else {
            return;
        };
        for worker in self.pool.iter_mut().filter(|worker| !worker.busy) {
            // Near the end, batches shrink so that all workers finish at about the same time.
            let fair = if workers > 1 { count.left() / (2 * workers) + 1 } else { usize::MAX };
            let Some((method, size, tasks)) = count.deal(worker.batch.min(fair)) else { break };
            worker.give(&WorkerRequest::Tasks(method, size, tasks));
        }
    }

    /// Handles a message from a worker. Returns whether the page must be notified at once.
    fn on_reply(&mut self, number: u32, reply: Result<WorkerReply, String>) -> bool {
        if let Some(sampler) = self.sampler.as_mut().filter(|worker| worker.number == number) {
            sampler.busy = false;
            match reply {
                Ok(WorkerReply::Sampled(method, size, seconds)) => {
                    self.time_estimate.add(method, size, seconds);
                }
                Ok(WorkerReply::Ready) => {}
                // A further sample would fail, too. So no time estimate is made, and a GPU that
                // failed is not offered.
                Ok(WorkerReply::Failed(why)) | Err(why) => {
                    if sampler.has_gpu {
                        self.standing.webgpu = WebGpu::Failed(why);
                    }
                    self.sampler = None;
                    return true;
                }
                Ok(WorkerReply::Done(_) | WorkerReply::Wrong(_)) => {}
            }
            self.sample();
            return true;
        }
        // A message from a worker that was already ended belongs to no current count.
        let Some(worker) = self.pool.iter_mut().find(|worker| worker.number == number) else {
            return false;
        };
        worker.busy = false;
        match reply {
            Ok(WorkerReply::Done(done)) => {
                let took: f64 = done.iter().map(|done| done.took.as_secs_f64() * 1000.0).sum();
                worker.learn(done.len(), took);
                self.add(done)
            }
            Ok(WorkerReply::Failed(why)) | Err(why) => {
                let has_gpu = worker.has_gpu;
                self.fail(why.clone());
                if has_gpu {
                    self.standing.webgpu = WebGpu::Failed(why.clone());
                    self.standing.trouble = Some(Trouble::Gpu(why));
                }
                true
            }
            Ok(WorkerReply::Wrong(wrong)) => {
                self.found_wrong(wrong);
                true
            }
            Ok(WorkerReply::Ready | WorkerReply::Sampled(..)) => {
                self.deal();
                false
            }
        }
    }

    /// Adds finished tasks. Returns whether they completed a row or began a pause.
    fn add(&mut self, done: Vec<Done<Tally>>) -> bool {
        let Some(count) = &mut self.count else { return false };
        if let Err(error) = count.add(done) {
            self.fail(error.to_string());
            return true;
        }
        let finished = count.settle(clock::now(), &browser::today(), &self.machine);
        if count.is_done() {
            self.end(Phase::Idle);
        } else {
            self.deal();
            self.pause_if_idle();
        }
        if finished {
            self.save();
        }
        finished || self.standing.phase == Phase::Paused
    }

    fn pause_if_idle(&mut self) {
        let Some(count) = &mut self.count else { return };
        if self.standing.phase == Phase::Pausing && self.pool.iter().all(|worker| !worker.busy) {
            count.halt(clock::now());
            self.standing.phase = Phase::Paused;
            self.save();
        }
    }

    fn stop(&mut self) {
        if matches!(self.standing.phase, Phase::Running | Phase::Pausing | Phase::Paused) {
            self.end(Phase::Kept);
            if let Some(count) = &mut self.count {
                count.halt(clock::now());
            }
            self.save();
        }
    }

    fn fail(&mut self, why: String) {
        self.stop();
        self.standing.trouble = Some(Trouble::Broken(why));
    }

    /// Handles a wrong result from the GPU. All tasks that the GPU counted for the current row are
    /// discarded. Finished rows stay, because their numbers were verified separately.
    fn found_wrong(&mut self, wrong: Wrong) {
        if let Some(count) = &mut self.count {
            count.begin_anew();
            // CPU workers must also count after a reload, because the reloaded page does not know
            // that the GPU is faulty.
            count.count_by(Executor::Workers(self.standing.cores));
        }
        self.stop();
        self.standing.webgpu = WebGpu::Wrong;
        self.standing.trouble = Some(Trouble::Wrong(wrong));
    }

    /// Ends all workers, even in the middle of a task, and releases the lock.
    fn end(&mut self, phase: Phase) {
        self.pool.clear();
        self.lock = None;
        self.standing.phase = phase;
    }

    /// Starts the next sample for time estimates, unless a count is running.
    fn sample(&mut self) {
        let next = self.time_estimate.next(self.standing.cores);
        let Some((method, size)) = next.filter(|_| self.standing.phase.is_at_rest()) else {
            self.sampler = None;
            return;
        };
        let has_gpu = self.time_estimate.is_for_gpu();
        if self.sampler.as_ref().is_none_or(|sampler| sampler.has_gpu != has_gpu) {
            self.sampler = self.start_worker(has_gpu);
        }
        if let Some(sampler) = self.sampler.as_mut().filter(|worker| !worker.busy) {
            sampler.give(&WorkerRequest::Sample(method, size));
        }
    }

    fn post(&mut self, line: usize) {
        let entry = self.count.as_ref().and_then(|count| count.entries().get(line));
        let Some(document) = entry.map(|entry| entry.document.clone()) else { return };
        self.set_posted(line, Posted::Sending);
        self.later(async move {
            let sent = browser::post(&document).await;
            Event::Sent(line, sent.map_or_else(Posted::Refused, Posted::There))
        });
    }

    fn set_posted(&mut self, line: usize, posted: Posted) {
        if let Some(entry) = self.count.as_mut().and_then(|count| count.entry_mut(line)) {
            entry.line.posted = posted;
        }
    }

    fn tick(&mut self) {
        self.ticks = self.ticks.wrapping_add(1);
        if self.standing.phase.is_at_rest() || self.standing.phase == Phase::Elsewhere {
            self.check_lock();
        } else if self.standing.phase == Phase::Running && self.ticks.is_multiple_of(TICKS_PER_SAVE)
        {
            self.save();
        }
    }

    /// Checks whether another page is counting.
    fn check_lock(&self) {
        self.later(async { Event::Taken(lock::is_taken().await) });
    }

    /// Sends an event to all watchers.
    fn send(&self, event: &CountEvent) {
        for &id in &self.watchers {
            (self.reply)(Reply { id, answer: Answer::Count(event.clone()) });
        }
    }

    /// Reports changes of the status and of the rows to the watchers.
    fn report(&mut self) {
        let (at_rest, count) = (self.standing.phase.is_at_rest(), self.count.as_mut());
        self.standing.forecast =
            self.time_estimate.forecast(self.standing.cores).filter(|_| at_rest);
        self.standing.kept = self.saved.1.values().map(|&length| length as u64).sum();
        let unfinished = count.filter(|count| !count.is_done());
        self.standing.order = unfinished.as_ref().map(|count| count.order());
        self.standing.now = unfinished.and_then(|count| count.now(clock::now()));
        if self.reported.0.as_ref() != Some(&self.standing) {
            self.reported.0 = Some(self.standing.clone());
            self.send(&CountEvent::Standing(Box::new(self.standing.clone())));
        }
        let entries = self.count.as_ref().map_or(&[][..], CountState::entries);
        let lines = entries.iter().map(|entry| &entry.line);
        if !self.reported.1.as_ref().is_some_and(|reported| reported.iter().eq(lines.clone())) {
            let lines: Vec<FinishedRow> = lines.cloned().collect();
            self.send(&CountEvent::Lines(lines.clone()));
            self.reported.1 = Some(lines);
        }
        self.set_ticker();
    }

    /// Sets the interval of the ticker for the current phase.
    fn set_ticker(&mut self) {
        let is_active = matches!(self.standing.phase, Phase::Running | Phase::Pausing);
        let pause = if is_active { REPORT_INTERVAL } else { LOCK_CHECK_INTERVAL };
        if self.ticker.as_ref().is_none_or(|&(length, _)| length != pause) {
            let emit = Rc::clone(&self.emit);
            self.ticker = Some((pause, Interval::new(pause, move || emit(Event::Tick))));
        }
    }
}
