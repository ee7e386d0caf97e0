//! The worker that leads a count: it deals tasks to other workers, takes in what they come to, has
//! it kept, and tells the page. It computes nothing itself, and so always listens.

use std::{collections::BTreeMap, rc::Rc};

use gloo_timers::callback::{Interval, Timeout};
use queens_core::{Done, Tally};
use queens_state::count::{Changes, CountState, Machine, TASKS, TimeEstimate};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::{
    bench::{Work, Yield},
    browser,
    hand::Hand,
    lock::{self, Lock},
};
use crate::{
    clock,
    protocol::{
        Answer, Command, Line, News, Order, Phase, Place, Posted, Reply, RequestId, Standing,
        Trouble, WebGpu, Wrong,
    },
    store::Store,
};

/// The browser's database in which a count is kept.
const DATABASE: &str = "queens-count";

/// What happens to a leader.
pub enum Event {
    /// A worker said something, or broke down.
    Heard(u32, Result<Yield, String>),
    /// Time to tell the page.
    Tick,
    /// What was kept, where anything can be.
    Opened(Option<(Store, Vec<(String, String)>)>),
    /// The browser's storage has not answered.
    NoAnswer,
    /// Whether the latest changes are kept.
    Wrote(bool),
    /// The lock, unless another page has it.
    Locked(Result<Option<Lock>, ()>),
    /// Whether another page has the lock.
    Taken(bool),
    /// What became of sending a line's document.
    Sent(usize, Posted),
    /// What the browser has of WebGPU.
    Asked(WebGpu),
    /// Whether there is a server to post results to.
    Answered(bool),
}

/// How often the page is told while something goes on, in milliseconds: it paints as often.
const TELL: u32 = 100;

/// How often is looked for other pages while nothing goes on, in milliseconds.
const LOOK: u32 = 1000;

/// How long the browser's storage may take to open, in milliseconds. A count can begin without it.
const OPENING: u32 = 8000;

/// What is finished is kept once in so many tellings.
const KEEP: u32 = 5;

/// The worker that leads a count.
pub struct Leader {
    /// Tells the leader what happens, after whatever goes on.
    happens: Rc<dyn Fn(Event)>,
    /// Tells a watcher something.
    reply: Box<dyn Fn(Reply)>,
    watchers: Vec<RequestId>,
    standing: Standing,
    /// What the watchers heard last.
    told: (Option<Standing>, Option<Vec<Line>>),
    machine: Machine,
    course: Option<CountState>,
    /// What is to be counted as soon as the lock is there.
    ordered: Option<Order>,
    hands: Vec<Hand>,
    /// The number of the latest hand.
    last: u32,
    scales: TimeEstimate,
    weigher: Option<Hand>,
    store: Option<Store>,
    /// Ends the wait for the storage; none if nothing is waited for.
    opening: Option<Timeout>,
    /// Whether a change of the present count could not be stored. No other is stored then.
    is_unsaved: bool,
    /// How many lines are kept, and the length of each text that is, by its key.
    kept: (usize, BTreeMap<String, usize>),
    lock: Option<Lock>,
    ticker: Option<(u32, Interval)>,
    ticks: u32,
}

impl Leader {
    /// Nothing is known yet, but looked for. What `happens` is to be handed to
    /// [`take`](Leader::take), and each `reply` to the page.
    pub fn new(happens: impl Fn(Event) + 'static, reply: impl Fn(Reply) + 'static) -> Leader {
        let standing = Standing { cores: browser::cores(), ..Standing::default() };
        let mut leader = Leader {
            happens: Rc::new(happens),
            reply: Box::new(reply),
            watchers: vec![],
            standing,
            told: (None, None),
            machine: browser::machine(),
            course: None,
            ordered: None,
            hands: vec![],
            last: 0,
            scales: TimeEstimate::default(),
            weigher: None,
            store: None,
            opening: None,
            is_unsaved: false,
            kept: (0, BTreeMap::new()),
            lock: None,
            ticker: None,
            ticks: 0,
        };
        leader.open();
        leader.later(async { Event::Asked(browser::webgpu().await) });
        leader.later(async { Event::Answered(browser::serves().await) });
        leader
    }

    /// Somebody wants something.
    pub fn hear(&mut self, command: Command, id: RequestId) {
        let phase = self.standing.phase;
        match command {
            Command::Watch => {
                self.watchers.push(id);
                self.told = (None, None);
            }
            Command::Weigh(order) => {
                self.scales.put(order);
                self.sample();
            }
            Command::Begin(order) if phase.is_at_rest() => {
                self.ordered = Some(order);
                self.lock();
            }
            Command::GoOn if phase == Phase::Kept => self.lock(),
            Command::GoOn if matches!(phase, Phase::Pausing | Phase::Paused) => self.run(),
            Command::Pause if phase == Phase::Running => {
                self.standing.phase = Phase::Pausing;
                self.pause_if_idle();
            }
            Command::Stop => self.stop(),
            Command::Forget if phase.is_at_rest() => {
                self.forget_all();
                self.standing.phase = Phase::Idle;
            }
            Command::Save(line) => {
                let course = self.course.as_ref();
                if let Some(entry) = course.and_then(|course| course.entries().get(line as usize)) {
                    let name = format!("queens-{}-{}.json", entry.line.size, entry.line.method);
                    let kind = "application/json".to_owned();
                    let text = entry.document.clone();
                    self.say(&News::File { name, kind, text });
                }
            }
            Command::Table => {
                if let Some(course) = &self.course {
                    let (name, kind) = ("queens.csv".to_owned(), "text/csv".to_owned());
                    self.say(&News::File { name, kind, text: course.csv() });
                }
            }
            Command::Post(line) => self.post(line as usize),
            // It came too late, or too early.
            Command::Begin(_) | Command::GoOn | Command::Pause | Command::Forget => {}
        }
        self.tell();
    }

    /// Whoever waited for the answers to a request has gone.
    pub fn leave(&mut self, gone: RequestId) {
        self.watchers.retain(|&id| id != gone);
    }

    /// Something has happened.
    pub fn take(&mut self, event: Event) {
        match event {
            // Told with the next tick, since there may be many of them.
            Event::Heard(number, said) => {
                if !self.heard(number, said) {
                    return;
                }
            }
            Event::Tick => self.tick(),
            Event::Opened(found) => self.opened(found),
            Event::NoAnswer => self.opened(None),
            Event::Wrote(true) => {}
            Event::Wrote(false) => {
                self.is_unsaved = true;
                self.kept.1.clear();
                self.standing.trouble = Some(Trouble::NotKept);
            }
            Event::Locked(Ok(lock)) => {
                self.lock = lock;
                if let Some(order) = self.ordered.take() {
                    self.forget_all();
                    self.course = Some(CountState::new(order));
                    self.standing.trouble = self.store.is_none().then_some(Trouble::NotKept);
                }
                self.run();
            }
            Event::Locked(Err(())) => {
                self.ordered = None;
                self.standing.phase = Phase::Elsewhere;
            }
            Event::Taken(true) if self.standing.phase.is_at_rest() => {
                self.weigher = None;
                self.standing.phase = Phase::Elsewhere;
            }
            // What that page has kept may go on here.
            Event::Taken(false)
                if self.standing.phase == Phase::Elsewhere && self.opening.is_none() =>
            {
                self.open();
            }
            Event::Taken(_) => {}
            Event::Sent(line, posted) => self.set_posted(line, posted),
            Event::Answered(serves) => self.standing.server = Some(serves),
            Event::Asked(webgpu) => {
                if let WebGpu::Found(name) = &webgpu {
                    self.machine.gpu.clone_from(name);
                }
                self.standing.webgpu = webgpu;
            }
        }
        self.tell();
    }

    /// What happens later, as an event.
    fn later(&self, event: impl Future<Output = Event> + 'static) {
        let happens = Rc::clone(&self.happens);
        spawn_local(async move { happens(event.await) });
    }

    /// Looks for what is kept.
    fn open(&mut self) {
        let happens = Rc::clone(&self.happens);
        self.opening = Some(Timeout::new(OPENING, move || happens(Event::NoAnswer)));
        self.later(async {
            let read = async {
                let store = Store::open(DATABASE).await?;
                let texts = store.read().await?;
                Ok::<_, JsValue>((store, texts))
            };
            Event::Opened(read.await.ok())
        });
    }

    fn opened(&mut self, found: Option<(Store, Vec<(String, String)>)>) {
        // Another count may have begun before a late answer.
        if self.opening.take().is_none() {
            return;
        }
        match found {
            None => self.standing.trouble = Some(Trouble::NotKept),
            Some((store, texts)) => {
                self.store = Some(store);
                self.course = CountState::restore(&texts);
                let lines = self.course.as_ref().map_or(0, |course| course.entries().len());
                let sizes = texts.into_iter().map(|(key, text)| (key, text.len())).collect();
                self.kept = (lines, sizes);
            }
        }
        let is_done = self.course.as_ref().is_none_or(CountState::is_done);
        self.standing.phase = if is_done { Phase::Idle } else { Phase::Kept };
        self.look();
        self.sample();
    }

    /// Keeps what has changed.
    fn keep(&mut self) {
        let store = self.store.as_ref().filter(|_| !self.is_unsaved);
        let (Some(store), Some(course)) = (store, &mut self.course) else { return };
        let (lines, sizes) = &mut self.kept;
        let changes = course.changes(clock::now(), *lines);
        *lines = course.entries().len();
        if changes.without_tasks {
            sizes.retain(|key, _| !key.starts_with(TASKS[0]));
        }
        sizes.extend(changes.put.iter().map(|(key, text)| (key.clone(), text.len())));
        let (store, Changes { put, without_tasks }) = (store.clone(), changes);
        let remove = without_tasks.then_some(TASKS);
        self.later(async move { Event::Wrote(store.write(remove, put).await.is_ok()) });
    }

    /// Nothing counted, nothing kept.
    fn forget_all(&mut self) {
        self.course = None;
        self.kept = (0, BTreeMap::new());
        self.is_unsaved = false;
        if let Some(store) = self.store.clone() {
            self.later(async move { Event::Wrote(store.clear().await.is_ok()) });
        }
    }

    /// Takes the lock; the count begins with it.
    fn lock(&mut self) {
        self.weigher = None;
        self.standing.phase = Phase::Opening;
        let is_kept = self.store.is_some() && !self.is_unsaved;
        self.standing.trouble = (!is_kept).then_some(Trouble::NotKept);
        self.later(async { Event::Locked(lock::take().await) });
    }

    /// Counts, or goes on.
    fn run(&mut self) {
        let Some(course) = &mut self.course else { return };
        // The tasks are the same, so that workers can take up what a GPU has left.
        if course.order().place == Place::WebGpu && self.standing.webgpu.is_out() {
            course.count_by(Place::Workers(self.standing.cores));
        }
        // Where some tasks are still being counted, the clock has not stopped.
        if self.standing.phase != Phase::Pausing {
            course.start(clock::now(), &browser::today());
        }
        self.standing.phase = Phase::Running;
        let place = course.order().place;
        while self.hands.len() < place.hands() as usize {
            match self.start_hand(place == Place::WebGpu) {
                Some(hand) => self.hands.push(hand),
                None => return self.break_off("the browser could not start it".to_owned()),
            }
        }
        self.keep();
        self.deal();
    }

    fn start_hand(&mut self, has_gpu: bool) -> Option<Hand> {
        self.last += 1;
        let happens = Rc::clone(&self.happens);
        let hear = move |number, said| happens(Event::Heard(number, said));
        Hand::start(self.last, has_gpu, hear).ok()
    }

    /// Gives everybody work who has none.
    fn deal(&mut self) {
        let workers = self.hands.len();
        let Some(course) = self.course.as_mut().filter(|_| self.standing.phase == Phase::Running)
        else {
            return;
        };
        for hand in self.hands.iter_mut().filter(|hand| !hand.busy) {
            // The last tasks are dealt evenly.
            let fair = if workers > 1 { course.left() / (2 * workers) + 1 } else { usize::MAX };
            let Some((method, size, tasks)) = course.deal(hand.batch.min(fair)) else { break };
            hand.give(&Work::Tasks(method, size, tasks));
        }
    }

    /// What a worker said; whether that is to be told at once.
    fn heard(&mut self, number: u32, said: Result<Yield, String>) -> bool {
        if let Some(weigher) = self.weigher.as_mut().filter(|hand| hand.number == number) {
            weigher.busy = false;
            match said {
                Ok(Yield::Sampled(method, size, seconds)) => self.scales.add(method, size, seconds),
                Ok(Yield::Ready) => {}
                // It will fail again: there is no forecast then, and no count on a GPU.
                Ok(Yield::Failed(why)) | Err(why) => {
                    if weigher.has_gpu {
                        self.standing.webgpu = WebGpu::Failed(why);
                    }
                    self.weigher = None;
                    return true;
                }
                Ok(Yield::Done(_) | Yield::Wrong(_)) => {}
            }
            self.sample();
            return true;
        }
        // What an ended worker has still said belongs to no count.
        let Some(hand) = self.hands.iter_mut().find(|hand| hand.number == number) else {
            return false;
        };
        hand.busy = false;
        match said {
            Ok(Yield::Done(done)) => {
                let took: f64 = done.iter().map(|done| done.took.as_secs_f64() * 1000.0).sum();
                hand.learn(done.len(), took);
                self.add(done)
            }
            Ok(Yield::Failed(why)) | Err(why) => {
                let has_gpu = hand.has_gpu;
                self.break_off(why.clone());
                if has_gpu {
                    self.standing.webgpu = WebGpu::Failed(why.clone());
                    self.standing.trouble = Some(Trouble::Gpu(why));
                }
                true
            }
            Ok(Yield::Wrong(wrong)) => {
                self.found_wrong(wrong);
                true
            }
            Ok(Yield::Ready | Yield::Sampled(..)) => {
                self.deal();
                false
            }
        }
    }

    /// Takes finished tasks in; whether a line is finished or a pause begins with them.
    fn add(&mut self, done: Vec<Done<Tally>>) -> bool {
        let Some(course) = &mut self.course else { return false };
        if let Err(error) = course.add(done) {
            self.break_off(error.to_string());
            return true;
        }
        let settled = course.settle(clock::now(), &browser::today(), &self.machine);
        if course.is_done() {
            self.end(Phase::Idle);
        } else {
            self.deal();
            self.pause_if_idle();
        }
        if settled {
            self.keep();
        }
        settled || self.standing.phase == Phase::Paused
    }

    fn pause_if_idle(&mut self) {
        let Some(course) = &mut self.course else { return };
        if self.standing.phase == Phase::Pausing && self.hands.iter().all(|hand| !hand.busy) {
            course.halt(clock::now());
            self.standing.phase = Phase::Paused;
            self.keep();
        }
    }

    fn stop(&mut self) {
        if matches!(self.standing.phase, Phase::Running | Phase::Pausing | Phase::Paused) {
            self.end(Phase::Kept);
            if let Some(course) = &mut self.course {
                course.halt(clock::now());
            }
            self.keep();
        }
    }

    fn break_off(&mut self, why: String) {
        self.stop();
        self.standing.trouble = Some(Trouble::Broken(why));
    }

    /// The GPU counts wrong. What it did before is as doubtful, but for finished lines, whose
    /// numbers were checked by themselves.
    fn found_wrong(&mut self, wrong: Wrong) {
        if let Some(course) = &mut self.course {
            course.begin_anew();
            // Also when it goes on after a reload, which knows nothing of this.
            course.count_by(Place::Workers(self.standing.cores));
        }
        self.stop();
        self.standing.webgpu = WebGpu::Wrong;
        self.standing.trouble = Some(Trouble::Wrong(wrong));
    }

    /// Nobody counts any more: the workers end, whatever they are at.
    fn end(&mut self, phase: Phase) {
        self.hands.clear();
        self.lock = None;
        self.standing.phase = phase;
    }

    /// Lets the next sample be taken, unless something is counted.
    fn sample(&mut self) {
        let next = self.scales.next(self.standing.cores);
        let Some((method, size)) = next.filter(|_| self.standing.phase.is_at_rest()) else {
            self.weigher = None;
            return;
        };
        let has_gpu = self.scales.is_for_gpu();
        if self.weigher.as_ref().is_none_or(|weigher| weigher.has_gpu != has_gpu) {
            self.weigher = self.start_hand(has_gpu);
        }
        if let Some(weigher) = self.weigher.as_mut().filter(|hand| !hand.busy) {
            weigher.give(&Work::Sample(method, size));
        }
    }

    fn post(&mut self, line: usize) {
        let entry = self.course.as_ref().and_then(|course| course.entries().get(line));
        let Some(document) = entry.map(|entry| entry.document.clone()) else { return };
        self.set_posted(line, Posted::Sending);
        self.later(async move {
            let sent = browser::post(&document).await;
            Event::Sent(line, sent.map_or_else(Posted::Refused, Posted::There))
        });
    }

    fn set_posted(&mut self, line: usize, posted: Posted) {
        if let Some(entry) = self.course.as_mut().and_then(|course| course.entry_mut(line)) {
            entry.line.posted = posted;
        }
    }

    fn tick(&mut self) {
        self.ticks = self.ticks.wrapping_add(1);
        if self.standing.phase.is_at_rest() || self.standing.phase == Phase::Elsewhere {
            self.look();
        } else if self.standing.phase == Phase::Running && self.ticks.is_multiple_of(KEEP) {
            self.keep();
        }
    }

    /// Looks whether another page counts.
    fn look(&self) {
        self.later(async { Event::Taken(lock::is_taken().await) });
    }

    /// Says something to those who watch.
    fn say(&self, news: &News) {
        for &id in &self.watchers {
            (self.reply)(Reply { id, answer: Answer::Count(news.clone()) });
        }
    }

    /// Tells those who watch what they do not know yet.
    fn tell(&mut self) {
        let (at_rest, course) = (self.standing.phase.is_at_rest(), self.course.as_mut());
        self.standing.forecast = self.scales.forecast(self.standing.cores).filter(|_| at_rest);
        self.standing.kept = self.kept.1.values().map(|&length| length as u64).sum();
        let unfinished = course.filter(|course| !course.is_done());
        self.standing.order = unfinished.as_ref().map(|course| course.order());
        self.standing.now = unfinished.and_then(|course| course.now(clock::now()));
        if self.told.0.as_ref() != Some(&self.standing) {
            self.told.0 = Some(self.standing.clone());
            self.say(&News::Standing(Box::new(self.standing.clone())));
        }
        let entries = self.course.as_ref().map_or(&[][..], CountState::entries);
        let lines = entries.iter().map(|entry| &entry.line);
        if !self.told.1.as_ref().is_some_and(|told| told.iter().eq(lines.clone())) {
            let lines: Vec<Line> = lines.cloned().collect();
            self.say(&News::Lines(lines.clone()));
            self.told.1 = Some(lines);
        }
        self.set_ticker();
    }

    /// Ticks as often as the phase needs it.
    fn set_ticker(&mut self) {
        let going_on = matches!(self.standing.phase, Phase::Running | Phase::Pausing);
        let pause = if going_on { TELL } else { LOOK };
        if self.ticker.as_ref().is_none_or(|&(length, _)| length != pause) {
            let happens = Rc::clone(&self.happens);
            self.ticker = Some((pause, Interval::new(pause, move || happens(Event::Tick))));
        }
    }
}
