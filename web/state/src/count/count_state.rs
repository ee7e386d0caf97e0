//! The state of a count: its pending tasks, its finished rows, and the saved texts from which it
//! resumes.

use std::{collections::BTreeMap, mem, time::Duration};

use queens_core::{
    Check, CheckedCount, Checks, Done, Form, Method, Pace, PartialCount, Plan, Size, Tally,
    TaskError, Turns,
    document::{Backend, BackendKind, Circumstances, Document, Host, Program, Seconds},
    finalize,
    notation::clock,
};
use serde::{Deserialize, Serialize};

use super::elapsed::milliseconds;
use super::identity::{HEAD, Identity};
use super::messages::{CountJob, CurrentRow, Executor, FinishedRow};
use super::saved_row::{Verdict, verdict};

/// A count of several rows. Each row is one board, counted with one method.
pub struct CountState {
    job: CountJob,
    identity: Identity,
    /// The identity that the storage must have when the next changes are saved.
    saved_identity: Option<Identity>,
    /// Whether nothing of this count is saved yet. The first save deletes what the count replaces.
    is_new: bool,
    /// The finished rows: those of earlier counts, then those of this one.
    entries: Vec<RowEntry>,
    /// The number of finished rows of earlier counts.
    earlier: usize,
    /// The row that is being counted.
    current: Option<RowInProgress>,
    /// Set when the current row restarts: the next save must delete the stored tasks of the row.
    drops_saved_tasks: bool,
    /// Whether saved tasks were damaged, so that they are counted again.
    has_lost_tasks: bool,
}

/// A finished row with its document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RowEntry {
    #[serde(rename = "line")]
    pub row: FinishedRow,
    /// The document as JSON; empty if the numbers are wrong, or if the saved document could not be read.
    pub document: String,
}

/// The row that is being counted.
struct RowInProgress {
    plan: Plan,
    /// The finished tasks.
    partial: PartialCount,
    /// The pending tasks, in reverse order: the next one is the last.
    pending: Vec<usize>,
    /// The date and time at which the row started, as in RFC 3339.
    start_date: String,
    /// The counting time, without the time since `clock_start`.
    earlier_time: Duration,
    /// The time at which the clock was started, in milliseconds; `None` while it is stopped.
    clock_start: Option<f64>,
    pace: Pace,
    /// The number of tasks that were finished when the clock started.
    done_before: usize,
    /// The finished tasks that are not saved yet.
    unsaved: Vec<Done<Tally>>,
    /// The number of saved texts with finished tasks. The key of the next such text contains it.
    saved_lists: usize,
    /// Whether a GPU counted some of the tasks before it failed.
    had_gpu: bool,
}

/// The first saved text: the job, and the state of the unfinished row.
#[derive(Serialize, Deserialize)]
struct Head {
    /// Missing in counts saved by earlier versions.
    #[serde(default)]
    identity: Identity,
    #[serde(rename = "order")]
    job: CountJob,
    current: Option<UnfinishedRow>,
}

/// The saved state of an unfinished row, without its tasks.
#[derive(Serialize, Deserialize)]
struct UnfinishedRow {
    /// The version of the plan.
    version: u32,
    #[serde(rename = "started")]
    start_date: String,
    #[serde(rename = "spent")]
    time: Duration,
    #[serde(default)]
    had_gpu: bool,
}

/// The maximum number of workers of a saved count, more than any page offers.
const MAX_WORKERS: u32 = 1024;

/// The names of the operating system, the browser and the GPU for result documents.
#[derive(Clone, Debug, Default)]
pub struct MachineInfo {
    pub os: String,
    pub browser: String,
    /// The GPU; empty if the browser has none.
    pub gpu: String,
}

/// The words at the end of the field `backend.detail` in the document of a count whose GPU failed.
/// Documents are in English; the page translates these words.
pub const GPU_FAILED: &str = "; the GPU counted some of the tasks before it failed";

/// Changes to save, as texts by key. A restored count reads the texts in the order of the keys.
///
/// The changes must be saved in one transaction, and only if the identity of the stored head is `expected`.
/// Otherwise another tab has replaced the count, and the changes would mix both.
#[derive(Debug, PartialEq)]
pub struct Changes {
    /// The identity of the stored head before the changes; `None` if nothing is stored.
    pub expected: Option<Identity>,
    /// The identity of the stored head after the changes.
    pub identity: Identity,
    /// The texts to delete before others are added.
    pub delete: Deletion,
    /// The texts to add or replace.
    pub put: Vec<(String, String)>,
}

/// The saved texts that a change deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    Nothing,
    /// The tasks, because the row is finished or restarts: [`TASK_KEYS`].
    Tasks,
    Everything,
}

/// The error for saved texts that do not form a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// The key range of the texts with finished tasks: the prefix of their keys, and the first key
/// after them.
pub const TASK_KEYS: [&str; 2] = ["tasks:", "tasks;"];

/// The prefix of the keys of finished rows.
const ROW_KEYS: &str = "line:";

/// The prefix of the keys of finished rows of earlier counts.
const EARLIER_KEYS: &str = "earlier:";

/// Returns the key of a finished row, whose number is counted from the first one with the prefix.
fn row_key(prefix: &str, row: usize) -> String {
    format!("{prefix}{row:06}")
}

/// Returns the key of a list of finished tasks of a row.
fn task_key(row: usize, list: usize) -> String {
    format!("{}{list:09}", task_prefix(row))
}

/// Returns the prefix of the keys of a row's lists of finished tasks.
fn task_prefix(row: usize) -> String {
    format!("{}{row:06}:", TASK_KEYS[0])
}

impl CountState {
    /// Creates a count that has not started yet. Its first save replaces the count `replaced`, if there is
    /// one.
    pub fn new(job: CountJob, identity: Identity, replaced: Option<Identity>) -> CountState {
        CountState {
            job,
            identity,
            saved_identity: replaced,
            is_new: true,
            entries: vec![],
            earlier: 0,
            current: None,
            drops_saved_tasks: false,
            has_lost_tasks: false,
        }
    }

    /// Keeps the finished rows of the counts before, except those of the boards and methods that this count
    /// counts again. So the times of several methods can be compared.
    pub fn keep_rows(mut self, before: CountState) -> CountState {
        let job = self.job;
        let is_kept = |entry: &RowEntry| !job.replaces(&entry.row);
        self.entries = before.entries.into_iter().filter(is_kept).collect();
        self.earlier = self.entries.len();
        self
    }

    /// Drops the unfinished rows. All finished rows stay, those of this count and those of earlier ones. Returns
    /// `None` if there are none, so that nothing remains to be saved.
    ///
    /// The result is a count without rows of its own, so it needs another identity: other tabs must not
    /// resume the dropped rows. Its first save replaces the count `replaced`.
    pub fn discard(self, identity: Identity, replaced: Option<Identity>) -> Option<CountState> {
        let job = self.job.without_rows();
        let kept = CountState::new(job, identity, replaced).keep_rows(self);
        (!kept.entries.is_empty()).then_some(kept)
    }

    /// Begins another session, in which this tab alone may save the count.
    pub fn set_session(&mut self, session: u64) {
        self.identity.session = session;
    }

    pub fn job(&self) -> CountJob {
        self.job
    }

    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// Sets the workers or the GPU that count the remaining tasks.
    pub fn set_executor(&mut self, executor: Executor) {
        if let Some(current) = &mut self.current {
            current.had_gpu |=
                self.job.executor == Executor::WebGpu && current.partial.done().len() > 0;
        }
        self.job.executor = executor;
    }

    /// Returns the finished rows: those of earlier counts that are kept, then those of this one.
    pub fn entries(&self) -> &[RowEntry] {
        &self.entries
    }

    /// Returns the method and the board of the first unfinished row; `None` if all rows are finished.
    fn next_row(&self) -> Option<(Method, Size)> {
        self.job.rows().nth(self.finished_rows())
    }

    /// Returns the number of finished rows of this count, without those of earlier counts.
    fn finished_rows(&self) -> usize {
        self.entries.len().saturating_sub(self.earlier)
    }

    /// Whether all rows are finished.
    pub fn is_done(&self) -> bool {
        self.next_row().is_none()
    }

    /// Starts the clock at `now`, in milliseconds, and the next row if none is being counted.
    /// `today` is the start time for the row's document, as in RFC 3339.
    pub fn start(&mut self, now: f64, today: &str) {
        if self.current.is_none()
            && let Some((method, size)) = self.next_row()
        {
            let plan = Plan::new(size, method);
            self.current = Some(RowInProgress::new(plan, today.to_owned(), Duration::ZERO));
        }
        if let Some(current) = &mut self.current {
            current.clock_start = Some(now);
            current.pace = Pace::default();
            current.done_before = current.partial.done().len();
        }
    }

    /// Stops the clock. Unfinished tasks become pending again, even if a worker had started them.
    pub fn stop_clock(&mut self, now: f64) {
        if let Some(current) = &mut self.current {
            current.earlier_time = current.elapsed(now);
            current.clock_start = None;
            current.reset_pending();
        }
    }

    /// Discards the finished tasks of the current row and restarts it, because the GPU that
    /// counted them is faulty.
    pub fn restart_row(&mut self) {
        if let Some(RowInProgress { plan, start_date, .. }) = self.current.take() {
            self.current = Some(RowInProgress::new(plan, start_date, Duration::ZERO));
            self.drops_saved_tasks = true;
        }
    }

    /// Takes up to `limit` pending tasks of the current row. Returns `None` if no task is pending.
    pub fn take_tasks(&mut self, limit: usize) -> Option<(Method, Size, Vec<usize>)> {
        let current = self.current.as_mut()?;
        let tasks = current.pending.split_off(current.pending.len().saturating_sub(limit));
        let (method, size) = (current.plan.method(), current.plan.size());
        (!tasks.is_empty()).then_some((method, size, tasks))
    }

    /// Returns the number of pending tasks of the current row.
    pub fn pending_tasks(&self) -> usize {
        self.current.as_ref().map_or(0, |current| current.pending.len())
    }

    /// Adds finished tasks.
    ///
    /// # Errors
    /// [`TaskError`] if a task does not belong to the row or was added before, or if the sum exceeds a
    /// `u64`.
    pub fn add(&mut self, done: Vec<Done<Tally>>) -> Result<(), TaskError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        for done in done {
            current.partial.add(done)?;
            current.unsaved.push(done);
        }
        Ok(())
    }

    /// Finalizes the current row if all of its tasks are finished, and starts the next one.
    /// Returns whether a row was finalized.
    pub fn finish_row(&mut self, now: f64, today: &str, machine: &MachineInfo) -> bool {
        let Some(current) = self.current.take_if(|current| current.partial.is_complete()) else {
            return false;
        };
        let executor = self.job.executor;
        self.entries.push(current.finish(now, executor, machine));
        self.start(now, today);
        true
    }

    /// Returns the progress of the current row.
    pub fn current_row(&mut self, now: f64) -> Option<CurrentRow> {
        let current = self.current.as_mut()?;
        let saturated = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let (done, tasks) = (current.partial.done().len(), current.partial.tasks());
        let running = current.clock_start.map_or(Duration::ZERO, |start| milliseconds(now - start));
        let by_pace = current.pace.left(done, tasks, running);
        // The first tasks after the count was resumed say less than all tasks before.
        let since = done.saturating_sub(current.done_before);
        let is_early = 20 * since < tasks && (since < 16 || running < Duration::from_secs(10));
        let remaining = if current.done_before > 0 && is_early {
            let share = tasks.saturating_sub(done) as f64 / done as f64;
            Duration::try_from_secs_f64(current.elapsed(now).as_secs_f64() * share).ok()
        } else {
            by_pace
        };
        Some(CurrentRow {
            method: current.plan.method(),
            size: current.plan.size(),
            started: saturated(tasks - current.pending.len()),
            done: saturated(done),
            tasks: saturated(tasks),
            solutions: current.partial.tally().total().unwrap_or(u64::MAX),
            seconds: current.elapsed(now).as_secs_f64(),
            remaining_seconds: remaining
                .filter(|_| current.clock_start.is_some())
                .map(|remaining| remaining.as_secs_f64()),
        })
    }

    /// Returns the changes since the last call, to be saved. `saved_rows` is the number of rows that
    /// were finished at the last call.
    pub fn changes(&mut self, now: f64, saved_rows: usize) -> Changes {
        let drops_tasks = mem::take(&mut self.drops_saved_tasks) || self.entries.len() > saved_rows;
        let delete = match (mem::take(&mut self.is_new), drops_tasks) {
            (true, _) => Deletion::Everything,
            (false, true) => Deletion::Tasks,
            (false, false) => Deletion::Nothing,
        };
        let identity = self.identity;
        let expected = self.saved_identity.replace(identity);
        let mut changes = Changes { expected, identity, delete, put: vec![] };
        let row = self.finished_rows();
        let unfinished = self.current.as_ref().map(|current| UnfinishedRow {
            version: Plan::VERSION,
            start_date: current.start_date.clone(),
            time: current.elapsed(now),
            had_gpu: current.had_gpu,
        });
        let head = Head { identity, job: self.job, current: unfinished };
        let mut put = |key: String, value: Result<String, serde_json::Error>| {
            // Serializing these types cannot fail.
            changes.put.push((key, value.unwrap_or_default()));
        };
        put(HEAD.to_owned(), serde_json::to_string(&head));
        for (index, entry) in self.entries.iter().enumerate() {
            if index >= saved_rows {
                let key = match index.checked_sub(self.earlier) {
                    Some(row) => row_key(ROW_KEYS, row),
                    None => row_key(EARLIER_KEYS, index),
                };
                put(key, serde_json::to_string(entry));
            }
        }
        if let Some(current) = self.current.as_mut().filter(|current| !current.unsaved.is_empty()) {
            put(task_key(row, current.saved_lists), serde_json::to_string(&current.unsaved));
            current.unsaved.clear();
            current.saved_lists += 1;
        }
        changes
    }

    /// Restores a saved count from its texts, in the order of their keys. Returns `None` if there are no
    /// texts. If a row's numbers cannot be right, its outcome becomes the reason. If they cannot be compared
    /// because the row's document is damaged, the row loses its document and its checks.
    ///
    /// # Errors
    /// [`Unreadable`] if the head or a row cannot be read, or if a row is missing, or if a row or a list of
    /// tasks belongs to another count. A list of tasks that cannot be read is only
    /// [lost](CountState::has_lost_tasks), and so is a task that is not of the board or has several results.
    pub fn restore(saved: &[(String, String)]) -> Result<Option<CountState>, Unreadable> {
        if saved.is_empty() {
            return Ok(None);
        }
        CountState::read(saved).map(Some).ok_or(Unreadable)
    }

    fn read(saved: &[(String, String)]) -> Option<CountState> {
        let texts =
            |prefix: &'static str| saved.iter().filter(move |(key, _)| key.starts_with(prefix));
        let (_, head) = texts(HEAD).next()?;
        let head: Head = serde_json::from_str(head).ok()?;
        if let Executor::Workers(workers) = head.job.executor
            && !(1..=MAX_WORKERS).contains(&workers)
        {
            return None;
        }
        let mut count = CountState::new(head.job, head.identity, Some(head.identity));
        count.is_new = false;
        for (index, (key, text)) in texts(EARLIER_KEYS).enumerate() {
            let entry = RowEntry::restore(text)?;
            if *key != row_key(EARLIER_KEYS, index) {
                return None;
            }
            count.entries.push(entry);
        }
        count.earlier = count.entries.len();
        for (index, (key, text)) in texts(ROW_KEYS).enumerate() {
            let entry = RowEntry::restore(text)?;
            let is_next = count.next_row() == Some((entry.row.method, entry.row.size));
            if !is_next || *key != row_key(ROW_KEYS, index) {
                return None;
            }
            count.entries.push(entry);
        }
        let row = count.finished_rows();
        let Some(unfinished) = head.current else {
            return texts(TASK_KEYS[0]).next().is_none().then_some(count);
        };
        let (method, size) = count.next_row()?;
        let plan = Plan::new(size, method);
        if unfinished.version != Plan::VERSION {
            // Tasks of another plan version cannot be added to those of this version: the row
            // restarts, and the next save deletes the stored tasks.
            count.drops_saved_tasks = true;
            return Some(count);
        }
        let is_possible = |time: Duration| Seconds::new(time.as_secs_f64()).is_some();
        if !is_possible(unfinished.time) {
            return None;
        }
        let mut current = RowInProgress::new(plan, unfinished.start_date, unfinished.time);
        current.had_gpu = unfinished.had_gpu;
        let prefix = task_prefix(row);
        let mut restored: BTreeMap<usize, Vec<Done<Tally>>> = BTreeMap::new();
        for (key, text) in texts(TASK_KEYS[0]) {
            // Tasks of a list that is missing are counted again.
            let list: usize = key.strip_prefix(&prefix)?.parse().ok()?;
            let done: Option<Vec<Done<Tally>>> = serde_json::from_str(text).ok();
            count.has_lost_tasks |= done.is_none();
            for done in done.into_iter().flatten() {
                restored.entry(done.task).or_default().push(done);
            }
            current.saved_lists = list + 1;
        }
        // Nothing shows which of two results of a task is right, so neither is kept.
        let is_sound = |done: &Done<Tally>| is_possible(done.took);
        let mut kept = vec![];
        for results in restored.into_values() {
            match *results {
                [done] if is_sound(&done) && current.partial.add(done).is_ok() => kept.push(done),
                _ => count.has_lost_tasks = true,
            }
        }
        if count.has_lost_tasks {
            // The next save replaces all lists by one with the sound tasks.
            count.drops_saved_tasks = true;
            (current.unsaved, current.saved_lists) = (kept, 0);
        }
        current.reset_pending();
        count.current = Some(current);
        Some(count)
    }

    /// Whether saved tasks of the current row were damaged when the count was restored. They are counted again.
    pub fn has_lost_tasks(&self) -> bool {
        self.has_lost_tasks
    }

    /// Returns the finished rows as comma-separated values, with a header. Rows that failed a check
    /// are left out.
    pub fn csv(&self) -> String {
        let mut text =
            "n,total,unique,count2,count4,count8,method,backend,workers,seconds,checks\n"
                .to_owned();
        for RowEntry { row, .. } in &self.entries {
            let Ok(numbers) = row.outcome else { continue };
            let classes = numbers.classes().unwrap_or_default();
            let checks: Vec<_> = row.checks.iter().map(Check::id).collect();
            text += &format!(
                "{},{},{},{},{},{},{},{},{},{:.3},{}\n",
                row.size,
                numbers.total(),
                numbers.unique(),
                classes.count2,
                classes.count4,
                classes.count8,
                row.method,
                backend(row.executor).id(),
                row.executor.worker_count(),
                row.seconds,
                checks.join(" ")
            );
        }
        text
    }
}

impl RowEntry {
    /// Returns the name of a file with the document.
    pub fn file_name(&self) -> String {
        format!("queens-{}-{}.json", self.row.size, self.row.method)
    }

    /// Restores a finished row from its saved text. Returns `None` if it cannot be read.
    fn restore(text: &str) -> Option<RowEntry> {
        let mut entry: RowEntry = serde_json::from_str(text).ok()?;
        let verdict = verdict(&entry.row, &entry.document);
        if verdict != Verdict::Plausible {
            entry.row.checks = Checks::NONE;
            entry.document.clear();
        }
        if let Verdict::Wrong(why) = verdict {
            entry.row.outcome = Err(why);
        }
        Some(entry)
    }
}

impl RowInProgress {
    fn new(plan: Plan, start_date: String, earlier_time: Duration) -> RowInProgress {
        let partial = PartialCount::new(&plan);
        let mut current = RowInProgress {
            plan,
            partial,
            pending: vec![],
            start_date,
            earlier_time,
            clock_start: None,
            pace: Pace::default(),
            done_before: 0,
            unsaved: vec![],
            saved_lists: 0,
            had_gpu: false,
        };
        current.reset_pending();
        current
    }

    /// Makes all unfinished tasks pending.
    fn reset_pending(&mut self) {
        self.pending = self.plan.order();
        self.pending.retain(|&task| !self.partial.has(task));
        self.pending.reverse();
    }

    fn elapsed(&self, now: f64) -> Duration {
        self.earlier_time
            + self.clock_start.map_or(Duration::ZERO, |start| milliseconds(now - start))
    }

    /// Finalizes the count of the row and creates its document.
    fn finish(self, now: f64, executor: Executor, machine: &MachineInfo) -> RowEntry {
        let elapsed = self.elapsed(now);
        let size = self.plan.size();
        let checked = finalize(&self.partial, Turns::of(size));
        let document = checked.as_ref().map(|checked| {
            let (device, mut detail) = match executor {
                Executor::Workers(workers) => {
                    (&machine.browser, format!("{workers} workers, simd128"))
                }
                Executor::WebGpu => (&machine.gpu, machine.browser.clone()),
            };
            if self.had_gpu && executor != Executor::WebGpu {
                detail += GPU_FAILED;
            }
            let circumstances = Circumstances {
                form: Form::Recursive,
                backend: Backend::new(backend(executor), device.as_str(), detail),
                program: Program::new("queens", env!("CARGO_PKG_VERSION"), ""),
                host: Host::new(machine.os.as_str(), "wasm32", executor.worker_count()),
                started: self.start_date,
                seconds: elapsed.into(),
            };
            Document::of(checked, circumstances).to_json()
        });
        let row = FinishedRow {
            method: self.plan.method(),
            size,
            outcome: checked.as_ref().map(CheckedCount::numbers).map_err(ToString::to_string),
            checks: checked.as_ref().map(CheckedCount::checks).unwrap_or_default(),
            executor,
            seconds: elapsed.as_secs_f64(),
            time: clock(elapsed),
        };
        RowEntry { row, document: document.unwrap_or_default() }
    }
}

/// Returns the backend's name in documents.
fn backend(executor: Executor) -> BackendKind {
    match executor {
        Executor::Workers(_) => BackendKind::Wasm,
        Executor::WebGpu => BackendKind::Webgpu,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Counter, Isa};

    const TODAY: &str = "2026-01-31T09:30:00.000Z";

    const OURS: Identity = Identity { count: 1, session: 10 };
    const OTHER: Identity = Identity { count: 2, session: 20 };

    fn job(method: Option<Method>, from: u32, to: u32) -> CountJob {
        let size = |n| Size::new(n).unwrap();
        CountJob { method, from: size(from), to: size(to), executor: Executor::Workers(2) }
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
        let (mut plan_and_counter, mut now): (Option<(Plan, Counter)>, _) = (None, from);
        while !until(count) {
            let Some((method, size, tasks)) = count.take_tasks(3) else { break };
            now += tasks.len() as f64;
            let fits =
                |(plan, _): &mut (Plan, Counter)| (plan.method(), plan.size()) == (method, size);
            let fitting = plan_and_counter.take_if(fits);
            let (plan, counter) = plan_and_counter.insert(fitting.unwrap_or_else(|| {
                let plan = Plan::new(size, method);
                let counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
                (plan, counter)
            }));
            let done = tasks.into_iter().map(|task| {
                let result = counter.count(plan, task).unwrap();
                Done { task, result, took: Duration::ZERO }
            });
            count.add(done.collect()).unwrap();
            count.finish_row(now, TODAY, &machine());
        }
        now
    }

    #[test]
    fn counts_all_sizes_by_all_methods_in_order() {
        let mut count = CountState::new(job(None, 7, 8), OURS, None);
        count.start(0.0, TODAY);
        run(&mut count, 0.0, |count| count.is_done());
        let rows: Vec<_> = count.entries().iter().map(|entry| &entry.row).collect();
        assert_eq!(rows.len(), job(None, 7, 8).rows().count());
        assert!(rows.len() > Method::ALL.len());
        for row in &rows {
            let total = row.outcome.clone().unwrap().total();
            assert_eq!(total, if row.size.get() == 7 { 40 } else { 92 }, "{}", row.method);
        }
        let table = count.csv();
        assert_eq!(table.lines().count(), rows.len() + 1);
        let first = table.lines().nth(1).unwrap();
        assert!(first.starts_with("7,40,6,0,2,4,brute-force,wasm,2,"), "{first}");
    }

    #[test]
    fn cpu_workers_continue_after_a_gpu_failure() {
        let job = CountJob { executor: Executor::WebGpu, ..job(Some(Executor::METHOD), 8, 9) };
        let mut count = CountState::new(job, OURS, None);
        count.start(0.0, TODAY);
        // The GPU counts a whole row and some tasks of the next one.
        let is_far = |count: &mut CountState| {
            count.pending_tasks() < 20 && count.current_row(0.0).unwrap().size.get() == 9
        };
        let now = run(&mut count, 0.0, is_far);
        count.stop_clock(now);
        count.set_executor(Executor::Workers(2));
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
        let totals = count.entries().iter().map(|e| e.row.outcome.clone().unwrap().total());
        assert_eq!(totals.collect::<Vec<_>>(), [92, 352]);
    }

    #[test]
    fn a_finished_count_gives_the_same_document_as_the_command() {
        let mut count = CountState::new(job(Some(Method::Colours), 8, 8), OURS, None);
        count.start(1000.0, TODAY);
        let end = run(&mut count, 1000.0, |_| false);
        let [entry] = count.entries() else { panic!() };
        let document = Document::parse(&entry.document).unwrap();
        assert_eq!(document.contradictions(), []);
        assert_eq!(document.header.checks, ["sums", "divisibility", "known"]);
        assert_eq!(document.header.started, TODAY);
        assert_eq!(document.header.seconds.get(), (end - 1000.0) / 1000.0);
        assert_eq!(document.tasks.len(), Plan::new(job(None, 8, 8).to, Method::Colours).len());
        assert_eq!(entry.row.time, clock(milliseconds(end - 1000.0)));
    }

    /// The browser's storage: all saved texts, in the order of their keys.
    #[derive(Default)]
    struct Storage(BTreeMap<String, String>);

    impl Storage {
        fn write(&mut self, changes: Changes) {
            assert!(self.write_if_expected(changes), "{:?}", self.0);
        }

        /// Returns whether the changes were saved.
        fn write_if_expected(&mut self, changes: Changes) -> bool {
            if Identity::of_head(self.0.get(HEAD).map(String::as_str)) != changes.expected {
                return false;
            }
            match changes.delete {
                Deletion::Nothing => {}
                Deletion::Tasks => {
                    self.0.retain(|key, _| !(TASK_KEYS[0]..TASK_KEYS[1]).contains(&key.as_str()));
                }
                Deletion::Everything => self.0.clear(),
            }
            self.0.extend(changes.put);
            true
        }

        fn texts(&self) -> Vec<(String, String)> {
            self.0.clone().into_iter().collect()
        }

        fn restore(&self) -> CountState {
            CountState::restore(&self.texts()).unwrap().unwrap()
        }
    }

    /// Counts until the second row has some tasks, and saves the count after each step.
    fn stop_in_second_row(storage: &mut Storage, job: CountJob) -> CountState {
        let mut count = CountState::new(job, OURS, Identity::of_texts(&storage.texts()));
        count.start(0.0, TODAY);
        let mut rows = 0;
        run(&mut count, 0.0, |count| {
            storage.write(count.changes(50.0, rows));
            rows = count.entries().len();
            rows == 1 && count.current_row(0.0).is_some_and(|now| now.done > 20)
        });
        count.stop_clock(60.0);
        count
    }

    #[test]
    fn a_stored_count_resumes_after_a_reload() {
        let mut storage = Storage::default();
        let mut count = CountState::new(job(Some(Method::Symmetry), 9, 10), OURS, None);
        count.start(0.0, TODAY);
        storage.write(count.changes(0.0, 0));
        // Stop in the middle of the second row, after several lists of tasks were saved.
        let mut rows = 0;
        let now = run(&mut count, 0.0, |count| {
            storage.write(count.changes(50.0, rows));
            rows = count.entries().len();
            rows == 1 && count.current_row(0.0).is_some_and(|now| now.done > 20)
        });
        // Tasks that are running when the page is closed become pending again.
        count.take_tasks(5);
        let before = count.current_row(now).unwrap();
        drop(count);
        let mut count = storage.restore();
        let after = count.current_row(9999.0).unwrap();
        assert_eq!((after.done, after.size.get()), (before.done, 10));
        assert_eq!((after.started, after.remaining_seconds), (before.done, None));
        let seconds_after = 0.05 - count.entries()[0].row.seconds;
        assert_eq!(after.solutions, before.solutions);
        assert!((after.seconds - seconds_after).abs() < 1e-9, "{}", after.seconds);
        count.start(5000.0, TODAY);
        run(&mut count, 5000.0, |_| false);
        storage.write(count.changes(0.0, 1));
        for count in [&count, &storage.restore()] {
            let totals = count.entries().iter().map(|e| e.row.outcome.clone().unwrap().total());
            assert_eq!(totals.collect::<Vec<_>>(), [352, 724]);
            assert!(count.is_done());
        }
        // The tasks of a finished row are deleted: its document contains them.
        assert!(
            storage.0.keys().eq(["head", "line:000000", "line:000001"]),
            "{:?}",
            storage.0.keys()
        );
    }

    #[test]
    fn the_first_tasks_after_a_resume_do_not_tell_the_remaining_time() {
        let mut count = CountState::new(job(Some(Method::Symmetry), 12, 12), OURS, None);
        count.start(0.0, TODAY);
        // Each of these tasks takes 1 ms.
        let now = run(&mut count, 0.0, |count| {
            count.current_row(0.0).is_some_and(|now| 2 * now.done > now.tasks)
        });
        count.stop_clock(now);
        count.start(5000.0, TODAY);
        assert!(count.current_row(5000.0).is_some());
        // After the resume, three tasks take 300 ms, because the workers start.
        let before = count.current_row(5000.0).unwrap().done;
        run(&mut count, 5000.0, |count| count.current_row(5000.0).unwrap().done >= before + 3);
        let row = count.current_row(5300.0).unwrap();
        assert!(row.tasks > 60 && row.done == before + 3, "{row:?}");
        let remaining = row.remaining_seconds.unwrap();
        let by_share = row.seconds * f64::from(row.tasks - row.done) / f64::from(row.done);
        assert!((remaining - by_share).abs() < 1e-9, "{remaining} {by_share}");
    }

    #[test]
    fn discards_all_tasks_of_a_faulty_gpu() {
        let job = CountJob { executor: Executor::WebGpu, ..job(Some(Executor::METHOD), 8, 9) };
        let mut count = CountState::new(job, OURS, None);
        count.start(0.0, TODAY);
        let mut storage = Storage::default();
        let now = run(&mut count, 0.0, |count| {
            count.current_row(0.0).is_some_and(|now| now.size.get() == 9 && now.done > 9)
        });
        storage.write(count.changes(now, 0));
        assert!(storage.0.keys().any(|key| key.starts_with(TASK_KEYS[0])));
        // A recount has shown that the GPU counted one of the tasks incorrectly.
        count.restart_row();
        storage.write(count.changes(now, 1));
        assert!(
            !storage.0.keys().any(|key| key.starts_with(TASK_KEYS[0])),
            "{:?}",
            storage.0.keys()
        );
        let mut count = storage.restore();
        assert_eq!((count.entries().len(), count.current_row(now).unwrap().done), (1, 0));
        count.set_executor(Executor::Workers(2));
        count.start(now, TODAY);
        run(&mut count, now, |_| false);
        let second = Document::parse(&count.entries()[1].document).unwrap();
        assert!(!second.header.backend.detail.contains("GPU"), "{:?}", second.header.backend);
        assert_eq!(count.entries()[1].row.outcome.clone().unwrap().total(), 352);
    }

    #[test]
    fn stored_tasks_of_another_plan_version_are_deleted() {
        let mut storage = Storage::default();
        let mut count = CountState::new(job(Some(Method::Symmetry), 10, 10), OURS, None);
        count.start(0.0, TODAY);
        let mut now = run(&mut count, 0.0, |count| {
            storage.write(count.changes(50.0, 0));
            count.current_row(0.0).is_some_and(|now| now.done > 20)
        });
        let current = format!("\"version\":{}", Plan::VERSION);
        let head = storage.0.get_mut(HEAD).unwrap();
        assert!(head.contains(&current), "{head}");
        *head = head.replace(&current, &format!("\"version\":{}", Plan::VERSION + 1));
        // The row restarts. After another reload, only the new tasks are restored.
        let mut count = storage.restore();
        count.start(now, TODAY);
        now = run(&mut count, now, |count| {
            storage.write(count.changes(now, 0));
            count.current_row(now).is_some_and(|now| now.done > 5)
        });
        assert_eq!(
            storage.restore().current_row(now).unwrap().done,
            count.current_row(now).unwrap().done
        );
        let mut count = storage.restore();
        count.start(now, TODAY);
        run(&mut count, now, |_| false);
        let numbers = count.entries()[0].row.outcome.clone().unwrap();
        assert_eq!(numbers.total(), 724);
    }

    #[test]
    fn a_new_count_keeps_the_rows_that_it_does_not_count_again() {
        let mut storage = Storage::default();
        let mut count = CountState::new(job(Some(Method::Symmetry), 6, 7), OURS, None);
        count.start(0.0, TODAY);
        run(&mut count, 0.0, |_| false);
        storage.write(count.changes(0.0, 0));
        // The next count begins with another method, and is reloaded in its second row.
        let second = CountState::new(job(Some(Method::Colours), 7, 9), OTHER, Some(OURS));
        let mut count = second.keep_rows(count);
        count.start(0.0, TODAY);
        let mut saved = 0;
        run(&mut count, 0.0, |count| {
            storage.write(count.changes(50.0, saved));
            saved = count.entries().len();
            saved == 3 && count.current_row(0.0).is_some_and(|now| now.done > 0)
        });
        let rows = |count: &CountState| -> Vec<(Method, u32)> {
            count.entries().iter().map(|entry| (entry.row.method, entry.row.size.get())).collect()
        };
        let mut count = storage.restore();
        let earlier = [(Method::Symmetry, 6), (Method::Symmetry, 7)];
        assert_eq!(rows(&count), [&earlier[..], &[(Method::Colours, 7)]].concat());
        assert_eq!(count.current_row(0.0).unwrap().size.get(), 8);
        count.start(0.0, TODAY);
        run(&mut count, 0.0, |_| false);
        assert!(count.is_done());
        storage.write(count.changes(0.0, 3));
        let restored = storage.restore();
        assert_eq!(rows(&restored), rows(&count));
        assert_eq!(restored.csv().lines().count(), 6);
        // The same method and board again: only this row is replaced.
        let third = CountState::new(job(Some(Method::Colours), 8, 8), OURS, Some(OTHER));
        let mut count = third.keep_rows(count);
        storage.write(count.changes(0.0, 0));
        assert_eq!(
            rows(&storage.restore()),
            [&earlier[..], &[(Method::Colours, 7), (Method::Colours, 9)]].concat()
        );
    }

    #[test]
    fn discarding_a_count_drops_only_its_unfinished_board() {
        let mut storage = Storage::default();
        let mut count = CountState::new(job(Some(Method::Symmetry), 6, 7), OTHER, None);
        count.start(0.0, TODAY);
        run(&mut count, 0.0, |_| false);
        storage.write(count.changes(0.0, 0));
        // The next count has finished a board and some tasks of the second one.
        let next = CountState::new(job(Some(Method::Colours), 8, 12), OURS, Some(OTHER));
        let mut count = next.keep_rows(count);
        count.start(0.0, TODAY);
        let mut saved = 0;
        run(&mut count, 0.0, |count| {
            storage.write(count.changes(50.0, saved));
            saved = count.entries().len();
            saved == 3 && count.current_row(0.0).is_some_and(|now| now.done > 0)
        });
        storage.write(count.changes(50.0, saved));
        assert!(storage.0.keys().any(|key| key.starts_with(TASK_KEYS[0])));
        let rows = |count: &CountState| -> Vec<(Method, u32)> {
            count.entries().iter().map(|entry| (entry.row.method, entry.row.size.get())).collect()
        };
        let (finished, third) = (rows(&count), Identity { count: 3, session: 30 });
        assert_eq!(finished.len(), 3);
        let mut count = storage.restore().discard(third, Some(OURS)).unwrap();
        storage.write(count.changes(0.0, 0));
        for mut count in [count, storage.restore()] {
            assert_eq!((rows(&count), count.is_done()), (finished.clone(), true));
            assert_eq!((count.current_row(0.0), count.identity()), (None, third));
        }
        assert!(!storage.0.keys().any(|key| key.starts_with(TASK_KEYS[0])));
        // Without finished boards, nothing remains.
        assert!(unfinished().restore().discard(third, Some(OURS)).is_none());
    }

    /// A stored count of N = 9 with an unfinished row.
    fn unfinished() -> Storage {
        let mut storage = Storage::default();
        let mut count = CountState::new(job(Some(Method::Symmetry), 9, 9), OURS, None);
        count.start(0.0, TODAY);
        run(&mut count, 0.0, |count| count.current_row(0.0).is_some_and(|now| now.done > 9));
        storage.write(count.changes(0.0, 0));
        storage
    }

    #[test]
    fn rejects_damaged_stored_counts() {
        let all = unfinished().texts();
        assert!(CountState::restore(&all).unwrap().is_some());
        assert!(CountState::restore(&[]).unwrap().is_none());
        let cut: Vec<_> = all.iter().map(|(key, text)| (key.clone(), text[1..].into())).collect();
        assert!(CountState::restore(&cut).is_err());
        assert!(CountState::restore(&all[1..]).is_err(), "tasks without a head");
    }

    #[test]
    fn a_damaged_list_of_tasks_is_counted_again() {
        let mut storage = Storage::default();
        stop_in_second_row(&mut storage, job(Some(Method::Symmetry), 9, 10));
        let lists: Vec<_> =
            storage.0.keys().filter(|key| key.starts_with(TASK_KEYS[0])).cloned().collect();
        assert!(lists.len() > 2, "{lists:?}");
        let mut sound = storage.restore();
        assert!(!sound.has_lost_tasks());
        let all = sound.current_row(0.0).unwrap().done;
        let list = storage.0.get_mut(&lists[1]).unwrap();
        let lost = serde_json::from_str::<Vec<Done<Tally>>>(list).unwrap().len() as u32;
        list.truncate(list.len() - 1);
        let mut count = storage.restore();
        assert!(count.has_lost_tasks());
        assert_eq!((count.entries().len(), count.current_row(0.0).unwrap().done), (1, all - lost));
        // The next save removes the damage and keeps the sound tasks.
        storage.write(count.changes(0.0, 1));
        let mut count = storage.restore();
        assert!(!count.has_lost_tasks());
        assert_eq!(count.current_row(0.0).unwrap().done, all - lost);
        count.start(0.0, TODAY);
        run(&mut count, 0.0, |_| false);
        assert_eq!(count.entries()[1].row.outcome.clone().unwrap().total(), 724);
    }

    #[test]
    fn a_task_with_two_saved_results_is_counted_again() {
        for changes_task in [
            // The same list twice, one task twice in its list, and a task that the board does not have.
            |tasks: &mut Vec<serde_json::Value>| tasks.extend(tasks.clone()),
            |tasks: &mut Vec<serde_json::Value>| tasks[1]["task"] = tasks[0]["task"].clone(),
            |tasks: &mut Vec<serde_json::Value>| tasks[0]["task"] = 1_000_000.into(),
        ] {
            let mut storage = Storage::default();
            stop_in_second_row(&mut storage, job(Some(Method::Symmetry), 9, 10));
            let all = storage.restore().current_row(0.0).unwrap().done;
            let list = storage.0.get_mut("tasks:000001:000000001").unwrap();
            let mut tasks = serde_json::from_str(list).unwrap();
            changes_task(&mut tasks);
            *list = serde_json::to_string(&tasks).unwrap();
            let mut count = storage.restore();
            assert!(count.has_lost_tasks());
            let done = count.current_row(0.0).unwrap().done;
            assert!(done < all && done + 4 > all, "{done} of {all}");
            assert_eq!(count.entries().len(), 1);
            storage.write(count.changes(0.0, 1));
            let mut count = storage.restore();
            assert!(!count.has_lost_tasks());
            count.start(0.0, TODAY);
            run(&mut count, 0.0, |_| false);
            assert_eq!(count.entries()[1].row.outcome.clone().unwrap().total(), 724);
        }
    }

    #[test]
    fn rejects_stored_counts_with_impossible_workers_and_times() {
        let storage = unfinished();
        let is_rejected = |key: &str, field: &str, value: u64| {
            let mut changed = Storage(storage.0.clone());
            let (_, text) = changed.0.iter_mut().find(|(name, _)| name.starts_with(key)).unwrap();
            let mut content: serde_json::Value = serde_json::from_str(text).unwrap();
            *content.pointer_mut(field).unwrap() = value.into();
            *text = content.to_string();
            // Only the tasks are lost if their times are impossible.
            let restored = CountState::restore(&changed.texts());
            restored.map_or(true, |count| count.is_some_and(|count| count.has_lost_tasks()))
        };
        for (key, field, possible) in [
            ("head", "/order/place/Workers", 1024),
            ("head", "/current/spent/secs", 1_000_000_000),
            ("tasks", "/0/took/secs", 1_000_000_000),
        ] {
            assert!(!is_rejected(key, field, possible), "{field}");
            for value in [1_000_000_000_001, u64::MAX] {
                assert!(is_rejected(key, field, value), "{field} {value}");
            }
        }
        assert!(is_rejected("head", "/order/place/Workers", 1025));
        assert!(is_rejected("head", "/order/place/Workers", 0));
    }

    #[test]
    fn rejects_rows_and_tasks_of_another_count() {
        let mut storage = Storage::default();
        let job = job(Some(Method::Symmetry), 9, 10);
        stop_in_second_row(&mut storage, job);
        storage.restore();
        let is_rejected = |change: &dyn Fn(&mut Storage)| {
            let mut changed = Storage(storage.0.clone());
            change(&mut changed);
            CountState::restore(&changed.texts()).is_err()
        };
        // The finished row is missing, so the tasks would count for its board.
        assert!(is_rejected(&|storage| drop(storage.0.remove("line:000000"))));
        assert!(is_rejected(&|storage| {
            let row = storage.0.remove("line:000000").unwrap();
            storage.0.insert("line:000001".to_owned(), row);
        }));
        // The row is that of another board, or of another method.
        for (from, to) in [("\"size\":9", "\"size\":8"), ("\"symmetry\"", "\"colours\"")] {
            assert!(is_rejected(&|storage| {
                let row = storage.0.get_mut("line:000000").unwrap();
                assert!(row.contains(from), "{row}");
                *row = row.replacen(from, to, 1);
            }));
        }
        // The tasks are those of another row.
        let move_tasks = |storage: &mut Storage, to: &str| {
            let tasks = storage.0.remove("tasks:000001:000000000").unwrap();
            storage.0.insert(to.to_owned(), tasks);
        };
        assert!(is_rejected(&|storage| move_tasks(storage, "tasks:000000:000000000")));
        // Tasks of a missing list are only counted again.
        assert!(!is_rejected(&|storage| move_tasks(storage, "tasks:000001:000000007")));
    }

    #[test]
    fn a_changed_row_passes_no_check() {
        let mut storage = Storage::default();
        let mut count = CountState::new(job(Some(Method::Symmetry), 8, 8), OURS, None);
        count.start(0.0, TODAY);
        let end = run(&mut count, 0.0, |_| false);
        storage.write(count.changes(end, 0));
        // Replaces a value of the row, or of its document, in the storage.
        let restored = |field: &str, value: serde_json::Value| {
            let mut changed = Storage(storage.0.clone());
            let text = changed.0.get_mut("line:000000").unwrap();
            let mut entry: serde_json::Value = serde_json::from_str(text).unwrap();
            if let Some(field) = field.strip_prefix("document") {
                let document = entry["document"].as_str().unwrap();
                let mut document: serde_json::Value = serde_json::from_str(document).unwrap();
                *document.pointer_mut(field).unwrap() = value;
                entry["document"] = document.to_string().into();
            } else {
                *entry.pointer_mut(field).unwrap() = value;
            }
            *text = entry.to_string();
            changed.restore().entries()[0].row.clone()
        };
        let [entry] = count.entries() else { panic!() };
        assert_eq!(restored("document/n", 8.into()), entry.row);
        let other_plan = restored("document/plan/version", (Plan::VERSION + 1).into());
        assert_eq!(other_plan, entry.row, "the document cannot be compared");
        let checks = || vec!["sums", "known"].into();
        for (field, value, why) in [
            ("/line/outcome/Ok/3", 12.into(), "differ from those published for N = 8"),
            ("/line/checks", checks(), "differ from those in its document"),
            ("/line/seconds", 1e-9.into(), "differ from those in its document"),
            ("document/checks", checks(), "differ from those in its document"),
            ("document/total", "93".into(), "the tasks add up to 92, not to 93"),
            ("document/n", 9.into(), "contradicts itself: plan.tasks"),
            ("document/count8", "12".into(), "contradicts itself: total: 2·count2"),
        ] {
            let row = restored(field, value);
            let found = row.outcome.unwrap_err();
            assert!(found.contains(why), "{field}: {found}");
            assert_eq!(row.checks, Checks::NONE, "{field}");
        }
        let unreadable = restored("/document", "{".into());
        assert_eq!(unreadable, FinishedRow { checks: Checks::NONE, ..entry.row.clone() });
    }

    #[test]
    fn a_discarded_count_saves_nothing_more() {
        let mut storage = Storage::default();
        let size = job(Some(Method::Symmetry), 9, 10);
        let mut count = stop_in_second_row(&mut storage, size);
        // Another tab discards the count, and then also counts.
        let stored = Identity::of_texts(&storage.texts());
        assert_eq!(stored, Some(OURS));
        storage.0.clear();
        count.start(100.0, TODAY);
        assert!(!storage.write_if_expected(count.changes(100.0, 1)));
        assert!(storage.0.is_empty());
        let mut other = CountState::new(job(Some(Method::Symmetry), 8, 8), OTHER, None);
        other.start(0.0, TODAY);
        run(&mut other, 0.0, |_| false);
        storage.write(other.changes(0.0, 0));
        assert!(!storage.write_if_expected(count.changes(200.0, 1)));
        assert_eq!(storage.restore().entries().len(), 1);
        // A new count replaces the stored one only if it is the one that its tab has read.
        let mut late = CountState::new(size, OURS, None);
        late.start(0.0, TODAY);
        assert!(!storage.write_if_expected(late.changes(0.0, 0)));
        stop_in_second_row(&mut storage, size);
        let keys: Vec<_> = storage.0.keys().map(|key| &key[..key.len().min(12)]).collect();
        assert_eq!(keys[..3], ["head", "line:000000", "tasks:000001"]);
        assert_eq!(storage.restore().entries()[0].row.size.get(), 9);
    }

    #[test]
    fn only_the_tab_that_resumed_last_saves_the_count() {
        let mut storage = Storage::default();
        stop_in_second_row(&mut storage, job(Some(Method::Symmetry), 9, 10));
        let [mut earlier, mut later] = [storage.restore(), storage.restore()];
        earlier.set_session(11);
        storage.write(earlier.changes(0.0, 1));
        // Without locks, both tabs have read the same state.
        later.set_session(12);
        assert!(!storage.write_if_expected(later.changes(0.0, 1)));
        let mut later = storage.restore();
        later.set_session(12);
        storage.write(later.changes(0.0, 1));
        storage.write(later.changes(0.0, 1));
        let refused = earlier.changes(0.0, 1);
        assert!(Identity::is_same_count(refused.expected, Identity::of_texts(&storage.texts())));
        assert!(!storage.write_if_expected(refused));
    }

    #[test]
    fn reads_counts_without_an_identity() {
        let mut storage = Storage::default();
        let done = {
            let mut count = stop_in_second_row(&mut storage, job(Some(Method::Symmetry), 9, 10));
            count.current_row(0.0).unwrap().done
        };
        let head = storage.0.get_mut(HEAD).unwrap();
        let mut fields: serde_json::Value = serde_json::from_str(head).unwrap();
        fields.as_object_mut().unwrap().remove("identity").unwrap();
        *head = fields.to_string();
        let mut count = storage.restore();
        assert_eq!(count.current_row(0.0).unwrap().done, done);
        // Resuming gives the count a session, so that an earlier tab saves nothing more.
        let mut earlier = storage.restore();
        count.set_session(12);
        storage.write(count.changes(0.0, 1));
        assert!(!storage.write_if_expected(earlier.changes(0.0, 1)));
    }
}
