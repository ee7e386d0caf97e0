//! The state of a count: its pending tasks, its finished lines, and the saved texts from which it
//! resumes.

use std::{mem, time::Duration};

use queens_core::{
    Check, CheckedCount, Done, Form, Method, Pace, PartialCount, Plan, Size, Tally, TaskError,
    Turns,
    document::{Backend, BackendKind, Circumstances, Document, Host, Program},
    finalize,
    notation::clock,
};
use serde::{Deserialize, Serialize};

use super::elapsed::milliseconds;
use super::messages::{CountJob, CurrentRow, Executor, FinishedRow, Posted};

/// A count of several lines. Each line is one board, counted with one method.
pub struct CountState {
    order: CountJob,
    entries: Vec<FinishedCount>,
    current: Option<Current>,
    /// Set when the current line restarts: the next save must delete the stored tasks of the line.
    drops_saved_tasks: bool,
}

/// A finished line with its document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FinishedCount {
    pub line: FinishedRow,
    /// The document as JSON; empty if the numbers are wrong.
    pub document: String,
}

/// The line that is being counted.
struct Current {
    plan: Plan,
    part: PartialCount,
    /// The pending tasks, in reverse order: the next one is the last.
    pending: Vec<usize>,
    /// The time at which the line started, as in RFC 3339.
    started: String,
    /// The counting time before the clock was started last.
    spent: Duration,
    /// The time at which the clock was started, in milliseconds; `None` while it is stopped.
    since: Option<f64>,
    pace: Pace,
    /// The finished tasks that are not saved yet.
    unsaved: Vec<Done<Tally>>,
    /// The number of saved texts with finished tasks, for their keys.
    lists: usize,
    /// Whether a GPU counted some of the tasks before it failed.
    had_gpu: bool,
}

/// The first saved text: the order, and the state of the unfinished line.
#[derive(Serialize, Deserialize)]
struct Head {
    order: CountJob,
    current: Option<UnfinishedLine>,
}

/// The saved state of an unfinished line, without its tasks.
#[derive(Serialize, Deserialize)]
struct UnfinishedLine {
    version: u32,
    started: String,
    spent: Duration,
    #[serde(default)]
    had_gpu: bool,
}

/// The names of the machine's parts for result documents.
#[derive(Clone, Debug, Default)]
pub struct MachineInfo {
    pub os: String,
    pub browser: String,
    /// The GPU; empty if the browser has none.
    pub gpu: String,
}

/// Changes to save, as texts by key. A restored count reads the texts in the order of the keys.
#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    /// The texts to add or replace.
    pub put: Vec<(String, String)>,
    /// Whether the tasks saved earlier must be deleted, because the line is finished or restarts.
    pub without_tasks: bool,
}

const HEAD: &str = "head";

/// The key range of the texts with finished tasks: the prefix of their keys, and the first key
/// after them.
pub const TASKS: [&str; 2] = ["tasks:", "tasks;"];

impl CountState {
    /// Creates a count that has not started yet.
    pub fn new(order: CountJob) -> CountState {
        CountState { order, entries: vec![], current: None, drops_saved_tasks: false }
    }

    /// Returns the order.
    pub fn order(&self) -> CountJob {
        self.order
    }

    /// Switches to a GPU or to a number of workers for the remaining tasks.
    pub fn count_by(&mut self, place: Executor) {
        if let Some(current) = &mut self.current {
            current.had_gpu |=
                self.order.place == Executor::WebGpu && current.part.done().len() > 0;
        }
        self.order.place = place;
    }

    pub fn entries(&self) -> &[FinishedCount] {
        &self.entries
    }

    /// Returns a finished line, which the caller may change.
    pub fn entry_mut(&mut self, index: usize) -> Option<&mut FinishedCount> {
        self.entries.get_mut(index)
    }

    /// Returns the board of the first unfinished line; `None` if all lines are finished.
    fn next(&self) -> Option<(Method, Size)> {
        self.order.lines().nth(self.entries.len())
    }

    /// Whether all lines are finished.
    pub fn is_done(&self) -> bool {
        self.next().is_none()
    }

    /// Starts the clock at `now`, in milliseconds, and the next line if none is being counted.
    /// `today` is the start time for its document, as in RFC 3339.
    pub fn start(&mut self, now: f64, today: &str) {
        if self.current.is_none()
            && let Some((method, size)) = self.next()
        {
            let plan = Plan::new(size, method);
            self.current = Some(Current::new(plan, today.to_owned(), Duration::ZERO));
        }
        if let Some(current) = &mut self.current {
            current.since = Some(now);
            current.pace = Pace::default();
        }
    }

    /// Stops the clock. Unfinished tasks become pending again, even if a worker had started them.
    pub fn halt(&mut self, now: f64) {
        if let Some(current) = &mut self.current {
            current.spent = current.elapsed(now);
            current.since = None;
            current.reset_pending();
        }
    }

    /// Discards the finished tasks of the current line and restarts it, because the GPU that
    /// counted them is faulty.
    pub fn begin_anew(&mut self) {
        if let Some(Current { plan, started, .. }) = self.current.take() {
            self.current = Some(Current::new(plan, started, Duration::ZERO));
            self.drops_saved_tasks = true;
        }
    }

    /// Takes up to `most` pending tasks of the current line, or returns `None` if no task is
    /// pending.
    pub fn deal(&mut self, most: usize) -> Option<(Method, Size, Vec<usize>)> {
        let current = self.current.as_mut()?;
        let tasks = current.pending.split_off(current.pending.len().saturating_sub(most));
        let (method, size) = (current.plan.method(), current.plan.size());
        (!tasks.is_empty()).then_some((method, size, tasks))
    }

    /// Returns the number of pending tasks of the current line.
    pub fn left(&self) -> usize {
        self.current.as_ref().map_or(0, |current| current.pending.len())
    }

    /// Adds finished tasks.
    ///
    /// # Errors
    /// [`TaskError`] if a task does not belong to the line or was added before.
    pub fn add(&mut self, done: Vec<Done<Tally>>) -> Result<(), TaskError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        for done in done {
            current.part.add(done)?;
            current.unsaved.push(done);
        }
        Ok(())
    }

    /// Finalizes the current line if all of its tasks are finished, and starts the next one.
    /// Returns whether a line was finalized.
    pub fn settle(&mut self, now: f64, today: &str, machine: &MachineInfo) -> bool {
        let Some(current) = self.current.take_if(|current| current.part.is_complete()) else {
            return false;
        };
        let place = self.order.place;
        self.entries.push(current.settle(now, place, machine));
        self.start(now, today);
        true
    }

    /// Returns the progress of the current line.
    pub fn now(&mut self, now: f64) -> Option<CurrentRow> {
        let current = self.current.as_mut()?;
        let saturated = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let (done, tasks) = (current.part.done().len(), current.part.tasks());
        let running = current.since.map_or(Duration::ZERO, |since| milliseconds(now - since));
        let left = current.pace.left(done, tasks, running);
        Some(CurrentRow {
            method: current.plan.method(),
            size: current.plan.size(),
            begun: saturated(tasks - current.pending.len()),
            done: saturated(done),
            tasks: saturated(tasks),
            solutions: current.part.tally().total().unwrap_or(u64::MAX),
            seconds: current.elapsed(now).as_secs_f64(),
            left: left.filter(|_| current.since.is_some()).map(|left| left.as_secs_f64()),
        })
    }

    /// Returns the texts to save since the last call. `lines` is the number of lines that were
    /// finished at the last call.
    pub fn changes(&mut self, now: f64, lines: usize) -> Changes {
        let without_tasks = mem::take(&mut self.drops_saved_tasks) || self.entries.len() > lines;
        let mut changes = Changes { without_tasks, ..Changes::default() };
        let line = self.entries.len();
        let begun = self.current.as_ref().map(|current| UnfinishedLine {
            version: Plan::VERSION,
            started: current.started.clone(),
            spent: current.elapsed(now),
            had_gpu: current.had_gpu,
        });
        let head = Head { order: self.order, current: begun };
        let mut put = |key: String, value: Result<String, serde_json::Error>| {
            // Serializing these types cannot fail.
            changes.put.push((key, value.unwrap_or_default()));
        };
        put(HEAD.to_owned(), serde_json::to_string(&head));
        for (index, entry) in self.entries.iter().enumerate().skip(lines) {
            put(format!("line:{index:06}"), serde_json::to_string(entry));
        }
        if let Some(current) = self.current.as_mut().filter(|current| !current.unsaved.is_empty()) {
            let [tasks, _] = TASKS;
            let key = format!("{tasks}{line:06}:{:09}", current.lists);
            put(key, serde_json::to_string(&current.unsaved));
            current.unsaved.clear();
            current.lists += 1;
        }
        changes
    }

    /// Restores a saved count from its texts, in the order of their keys. Returns `None` if there
    /// are no texts or one cannot be read.
    pub fn restore(saved: &[(String, String)]) -> Option<CountState> {
        let texts = |prefix: &'static str| {
            saved.iter().filter(move |(key, _)| key.starts_with(prefix)).map(|(_, text)| text)
        };
        let head: Head = serde_json::from_str(texts(HEAD).next()?).ok()?;
        let mut count = CountState::new(head.order);
        for text in texts("line:") {
            count.entries.push(serde_json::from_str(text).ok()?);
        }
        let Some(begun) = head.current else { return Some(count) };
        let (method, size) = count.next()?;
        let plan = Plan::new(size, method);
        if begun.version != Plan::VERSION {
            // Tasks of another plan version cannot be added to those of this version: the line
            // restarts, and the next save deletes the stored tasks.
            count.drops_saved_tasks = true;
            return Some(count);
        }
        let mut current = Current::new(plan, begun.started, begun.spent);
        current.had_gpu = begun.had_gpu;
        for text in texts(TASKS[0]) {
            let done: Vec<Done<Tally>> = serde_json::from_str(text).ok()?;
            done.into_iter().try_for_each(|done| current.part.add(done)).ok()?;
            current.lists += 1;
        }
        current.reset_pending();
        count.current = Some(current);
        Some(count)
    }

    /// Returns all finished lines as comma-separated values, with a header.
    pub fn csv(&self) -> String {
        let mut text =
            "n,total,unique,count2,count4,count8,method,backend,workers,seconds,checks\n"
                .to_owned();
        for FinishedCount { line, .. } in &self.entries {
            let Ok(numbers) = line.outcome else { continue };
            let classes = numbers.classes().unwrap_or_default();
            let checks: Vec<_> = line.checks.iter().map(Check::id).collect();
            text += &format!(
                "{},{},{},{},{},{},{},{},{},{:.3},{}\n",
                line.size,
                numbers.total(),
                numbers.unique(),
                classes.count2,
                classes.count4,
                classes.count8,
                line.method,
                backend(line.place).id(),
                line.place.hands(),
                line.seconds,
                checks.join(" ")
            );
        }
        text
    }
}

impl Current {
    fn new(plan: Plan, started: String, spent: Duration) -> Current {
        let part = PartialCount::new(&plan);
        let mut current = Current {
            plan,
            part,
            pending: vec![],
            started,
            spent,
            since: None,
            pace: Pace::default(),
            unsaved: vec![],
            lists: 0,
            had_gpu: false,
        };
        current.reset_pending();
        current
    }

    /// Makes all unfinished tasks pending.
    fn reset_pending(&mut self) {
        self.pending = self.plan.order();
        self.pending.retain(|&task| !self.part.has(task));
        self.pending.reverse();
    }

    fn elapsed(&self, now: f64) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |since| milliseconds(now - since))
    }

    fn settle(self, now: f64, place: Executor, machine: &MachineInfo) -> FinishedCount {
        let elapsed = self.elapsed(now);
        let size = self.plan.size();
        let settled = finalize(&self.part, Turns::of(size));
        let document = settled.as_ref().map(|settled| {
            let (device, mut detail) = match place {
                Executor::Workers(workers) => {
                    (&machine.browser, format!("{workers} workers, simd128"))
                }
                Executor::WebGpu => (&machine.gpu, machine.browser.clone()),
            };
            if self.had_gpu && place != Executor::WebGpu {
                detail += "; the GPU counted some of the tasks before it failed";
            }
            let circumstances = Circumstances {
                form: Form::Recursive,
                backend: Backend::new(backend(place), device.as_str(), detail),
                program: Program::new("queens", env!("CARGO_PKG_VERSION"), ""),
                host: Host::new(machine.os.as_str(), "wasm32", place.hands()),
                started: self.started,
                seconds: elapsed.into(),
            };
            Document::of(settled, circumstances).to_json()
        });
        let line = FinishedRow {
            method: self.plan.method(),
            size,
            outcome: settled.as_ref().map(CheckedCount::numbers).map_err(ToString::to_string),
            checks: settled.as_ref().map(CheckedCount::checks).unwrap_or_default(),
            place,
            seconds: elapsed.as_secs_f64(),
            time: clock(elapsed),
            posted: Posted::No,
        };
        FinishedCount { line, document: document.unwrap_or_default() }
    }
}

/// Returns the backend's name in documents.
fn backend(place: Executor) -> BackendKind {
    match place {
        Executor::Workers(_) => BackendKind::Wasm,
        Executor::WebGpu => BackendKind::Webgpu,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Counter, halves::Isa};

    const TODAY: &str = "2026-01-31T09:30:00.000Z";

    fn order(method: Option<Method>, from: u32, to: u32) -> CountJob {
        let size = |n| Size::new(n).unwrap();
        CountJob { method, from: size(from), to: size(to), place: Executor::Workers(2) }
    }

    fn machine() -> MachineInfo {
        MachineInfo { os: "linux".into(), browser: "Chromium 120".into(), gpu: "nvidia ada".into() }
    }

    /// Counts tasks until `until` returns true or no task is pending. Each task takes one
    /// millisecond. Returns the time at the end.
    fn run(
        count: &mut CountState,
        from: f64,
        mut until: impl FnMut(&mut CountState) -> bool,
    ) -> f64 {
        let (mut tools, mut now): (Option<(Plan, Counter)>, _) = (None, from);
        while !until(count) {
            let Some((method, size, tasks)) = count.deal(3) else { break };
            now += tasks.len() as f64;
            let fits =
                |(plan, _): &mut (Plan, Counter)| (plan.method(), plan.size()) == (method, size);
            let fitting = tools.take_if(fits);
            let (plan, counter) = tools.insert(fitting.unwrap_or_else(|| {
                let plan = Plan::new(size, method);
                let counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
                (plan, counter)
            }));
            let done = tasks.into_iter().map(|task| {
                let result = counter.count(plan, task).unwrap();
                Done { task, result, took: Duration::ZERO }
            });
            count.add(done.collect()).unwrap();
            count.settle(now, TODAY, &machine());
        }
        now
    }

    #[test]
    fn counts_all_sizes_by_all_methods_in_order() {
        let mut count = CountState::new(order(None, 7, 8));
        count.start(0.0, TODAY);
        run(&mut count, 0.0, |count| count.is_done());
        let lines: Vec<_> = count.entries().iter().map(|entry| &entry.line).collect();
        assert_eq!(lines.len(), order(None, 7, 8).lines().count());
        assert!(lines.len() > Method::ALL.len());
        for line in &lines {
            let total = line.outcome.clone().unwrap().total();
            assert_eq!(total, if line.size.get() == 7 { 40 } else { 92 }, "{}", line.method);
        }
        let table = count.csv();
        assert_eq!(table.lines().count(), lines.len() + 1);
        let first = table.lines().nth(1).unwrap();
        assert!(first.starts_with("7,40,6,0,2,4,brute-force,wasm,2,"), "{first}");
    }

    #[test]
    fn cpu_workers_continue_after_a_gpu_failure() {
        let order = CountJob { place: Executor::WebGpu, ..order(Some(Executor::METHOD), 8, 9) };
        let mut count = CountState::new(order);
        count.start(0.0, TODAY);
        // The GPU counts a whole line and some tasks of the next one.
        let is_far =
            |count: &mut CountState| count.left() < 20 && count.now(0.0).unwrap().size.get() == 9;
        let now = run(&mut count, 0.0, is_far);
        count.halt(now);
        count.count_by(Executor::Workers(2));
        let mut storage = Storage::default();
        storage.write(count.changes(now, 0));
        let mut count = storage.restore();
        count.start(now, TODAY);
        run(&mut count, now, |_| false);
        let documents: Vec<Document> =
            count.entries().iter().map(|e| Document::parse(&e.document).unwrap()).collect();
        let [first, second] = &documents[..] else { panic!() };
        let (first, second) = (&first.header.backend, &second.header.backend);
        assert_eq!((first.kind, first.device.as_str()), (BackendKind::Webgpu, "nvidia ada"));
        assert_eq!((second.kind, second.device.as_str()), (BackendKind::Wasm, "Chromium 120"));
        assert!(second.detail.contains("2 workers") && second.detail.contains("GPU"), "{second:?}");
        let totals = count.entries().iter().map(|e| e.line.outcome.clone().unwrap().total());
        assert_eq!(totals.collect::<Vec<_>>(), [92, 352]);
    }

    #[test]
    fn a_finished_count_gives_the_same_document_as_the_command() {
        let mut count = CountState::new(order(Some(Method::Halves), 8, 8));
        count.start(1000.0, TODAY);
        let end = run(&mut count, 1000.0, |_| false);
        let [entry] = count.entries() else { panic!() };
        let document = Document::parse(&entry.document).unwrap();
        assert_eq!(document.contradictions(), []);
        assert_eq!(document.header.checks, ["sums", "divisibility", "known"]);
        assert_eq!(document.header.started, TODAY);
        assert_eq!(document.header.seconds.get(), (end - 1000.0) / 1000.0);
        assert_eq!(document.tasks.len(), Plan::new(order(None, 8, 8).to, Method::Halves).len());
        assert_eq!(entry.line.time, clock(milliseconds(end - 1000.0)));
    }

    /// The browser's storage: all saved texts, in the order of their keys.
    #[derive(Default)]
    struct Storage(std::collections::BTreeMap<String, String>);

    impl Storage {
        fn write(&mut self, changes: Changes) {
            if changes.without_tasks {
                self.0.retain(|key, _| !(TASKS[0]..TASKS[1]).contains(&key.as_str()));
            }
            self.0.extend(changes.put);
        }

        fn restore(&self) -> CountState {
            CountState::restore(&self.0.clone().into_iter().collect::<Vec<_>>()).unwrap()
        }
    }

    #[test]
    fn a_stored_count_resumes_after_a_reload() {
        let mut storage = Storage::default();
        let mut count = CountState::new(order(Some(Method::Symmetry), 9, 10));
        count.start(0.0, TODAY);
        storage.write(count.changes(0.0, 0));
        // Stop in the middle of the second line, after several lists of tasks were saved.
        let mut lines = 0;
        let now = run(&mut count, 0.0, |count| {
            storage.write(count.changes(50.0, lines));
            lines = count.entries().len();
            lines == 1 && count.now(0.0).is_some_and(|now| now.done > 20)
        });
        // Tasks that are running when the page is closed become pending again.
        count.deal(5);
        let before = count.now(now).unwrap();
        drop(count);
        let mut count = storage.restore();
        let after = count.now(9999.0).unwrap();
        assert_eq!((after.done, after.size.get()), (before.done, 10));
        assert_eq!((after.begun, after.left), (before.done, None));
        let seconds_after = 0.05 - count.entries()[0].line.seconds;
        assert_eq!(after.solutions, before.solutions);
        assert!((after.seconds - seconds_after).abs() < 1e-9, "{}", after.seconds);
        count.start(5000.0, TODAY);
        run(&mut count, 5000.0, |_| false);
        storage.write(count.changes(0.0, 1));
        for count in [&count, &storage.restore()] {
            let totals = count.entries().iter().map(|e| e.line.outcome.clone().unwrap().total());
            assert_eq!(totals.collect::<Vec<_>>(), [352, 724]);
            assert!(count.is_done());
        }
        // The tasks of a finished line are deleted: its document contains them.
        assert!(
            storage.0.keys().eq(["head", "line:000000", "line:000001"]),
            "{:?}",
            storage.0.keys()
        );
    }

    #[test]
    fn discards_all_tasks_of_a_faulty_gpu() {
        let order = CountJob { place: Executor::WebGpu, ..order(Some(Executor::METHOD), 8, 9) };
        let mut count = CountState::new(order);
        count.start(0.0, TODAY);
        let mut storage = Storage::default();
        let now = run(&mut count, 0.0, |count| {
            count.now(0.0).is_some_and(|now| now.size.get() == 9 && now.done > 9)
        });
        storage.write(count.changes(now, 0));
        assert!(storage.0.keys().any(|key| key.starts_with(TASKS[0])));
        // A recount has shown that the GPU counted one of the tasks wrong.
        count.begin_anew();
        storage.write(count.changes(now, 1));
        assert!(!storage.0.keys().any(|key| key.starts_with(TASKS[0])), "{:?}", storage.0.keys());
        let mut count = storage.restore();
        assert_eq!((count.entries().len(), count.now(now).unwrap().done), (1, 0));
        count.count_by(Executor::Workers(2));
        count.start(now, TODAY);
        run(&mut count, now, |_| false);
        let second = Document::parse(&count.entries()[1].document).unwrap();
        assert!(!second.header.backend.detail.contains("GPU"), "{:?}", second.header.backend);
        assert_eq!(count.entries()[1].line.outcome.clone().unwrap().total(), 352);
    }

    #[test]
    fn stored_tasks_of_another_plan_version_are_deleted() {
        let mut storage = Storage::default();
        let mut count = CountState::new(order(Some(Method::Symmetry), 10, 10));
        count.start(0.0, TODAY);
        let mut now = run(&mut count, 0.0, |count| {
            storage.write(count.changes(50.0, 0));
            count.now(0.0).is_some_and(|now| now.done > 20)
        });
        let current = format!("\"version\":{}", Plan::VERSION);
        let head = storage.0.get_mut(HEAD).unwrap();
        assert!(head.contains(&current), "{head}");
        *head = head.replace(&current, &format!("\"version\":{}", Plan::VERSION + 1));
        // The line restarts. After another reload, only the new tasks are restored.
        let mut count = storage.restore();
        count.start(now, TODAY);
        now = run(&mut count, now, |count| {
            storage.write(count.changes(now, 0));
            count.now(now).is_some_and(|now| now.done > 5)
        });
        assert_eq!(storage.restore().now(now).unwrap().done, count.now(now).unwrap().done);
        let mut count = storage.restore();
        count.start(now, TODAY);
        run(&mut count, now, |_| false);
        let numbers = count.entries()[0].line.outcome.clone().unwrap();
        assert_eq!(numbers.total(), 724);
    }

    #[test]
    fn rejects_damaged_stored_counts() {
        let mut storage = Storage::default();
        let mut count = CountState::new(order(Some(Method::Symmetry), 9, 9));
        count.start(0.0, TODAY);
        run(&mut count, 0.0, |count| count.now(0.0).is_some_and(|now| now.done > 9));
        storage.write(count.changes(0.0, 0));
        let all: Vec<_> = storage.0.into_iter().collect();
        assert!(CountState::restore(&all).is_some());
        assert!(CountState::restore(&[]).is_none());
        let twice: Vec<_> = all.iter().chain([&all[1]]).cloned().collect();
        assert!(CountState::restore(&twice).is_none(), "the same tasks again");
        let cut: Vec<_> = all.iter().map(|(key, text)| (key.clone(), text[1..].into())).collect();
        assert!(CountState::restore(&cut).is_none());
    }
}
