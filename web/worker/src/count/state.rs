//! The state of a count: its pending tasks, its finished rows, and the text from which it resumes.

use std::{borrow::Cow, time::Duration};

use queens_core::{
    CheckedCount, Done, Form, Method, Pace, PartialCount, Plan, Size, Tally, TaskError, Turns,
    document::{Backend, Circumstances, Document, Host, Program, Seconds},
    finalize,
    notation::clock,
};
use serde::{Deserialize, Serialize};

use crate::clock::milliseconds;
use crate::protocol::{CountJob, CurrentRow, Executor, FinishedRow};

/// A count of several rows. Each row is one board, counted with one method.
pub struct CountState {
    job: CountJob,
    /// The finished rows: those of earlier counts, then those of this one.
    entries: Vec<RowEntry>,
    /// The number of finished rows of earlier counts.
    earlier: usize,
    /// The row that is being counted.
    current: Option<RowInProgress>,
}

/// A finished row with its document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RowEntry {
    pub row: FinishedRow,
    /// The document as JSON; empty if the numbers are wrong.
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
    /// Whether a GPU counted some of the tasks before it failed.
    had_gpu: bool,
}

/// The saved count.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record<'a> {
    job: CountJob,
    entries: Cow<'a, [RowEntry]>,
    earlier: usize,
    current: Option<UnfinishedRow>,
}

/// The saved state of an unfinished row.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnfinishedRow {
    /// The version of the plan.
    version: u32,
    start_date: String,
    time: Duration,
    had_gpu: bool,
    /// The finished tasks.
    tasks: Vec<Done<Tally>>,
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

impl CountState {
    /// Creates a count that has not started yet.
    pub fn new(job: CountJob) -> CountState {
        CountState { job, entries: vec![], earlier: 0, current: None }
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
    pub fn discard(self) -> Option<CountState> {
        let kept = CountState::new(self.job.without_rows()).keep_rows(self);
        (!kept.entries.is_empty()).then_some(kept)
    }

    pub fn job(&self) -> CountJob {
        self.job
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

    /// Returns the text to save.
    pub fn record(&self, now: f64) -> String {
        let unfinished = self.current.as_ref().map(|current| UnfinishedRow {
            version: Plan::VERSION,
            start_date: current.start_date.clone(),
            time: current.elapsed(now),
            had_gpu: current.had_gpu,
            tasks: current.partial.done().copied().collect(),
        });
        let CountState { job, ref entries, earlier, .. } = *self;
        let record = Record { job, entries: entries.into(), earlier, current: unfinished };
        // Serializing these types cannot fail.
        serde_json::to_string(&record).unwrap_or_default()
    }

    /// Restores a saved count. Returns `None` for a text of another version of the page, and for one that
    /// contradicts itself. An unfinished row of another plan version starts again.
    pub fn restore(text: &str) -> Option<CountState> {
        let Record { job, entries, earlier, current } = serde_json::from_str(text).ok()?;
        if let Executor::Workers(workers) = job.executor
            && !(1..=MAX_WORKERS).contains(&workers)
        {
            return None;
        }
        let mut count = CountState { job, entries: entries.into_owned(), earlier, current: None };
        let own = count.entries.get(earlier..)?.iter().map(|entry| &entry.row);
        let mut rows = job.rows();
        if !own.map(|row| Some((row.method, row.size))).all(|row| row == rows.next()) {
            return None;
        }
        let Some(unfinished) = current else { return Some(count) };
        let (method, size) = count.next_row()?;
        if unfinished.version != Plan::VERSION {
            return Some(count);
        }
        let is_possible = |time: Duration| Seconds::new(time.as_secs_f64()).is_some();
        let UnfinishedRow { start_date, time, had_gpu, tasks, .. } = unfinished;
        if !tasks.iter().map(|done| done.took).chain([time]).all(is_possible) {
            return None;
        }
        let mut current = RowInProgress::new(Plan::new(size, method), start_date, time);
        current.had_gpu = had_gpu;
        for done in tasks {
            current.partial.add(done).ok()?;
        }
        current.reset_pending();
        count.current = Some(current);
        Some(count)
    }
}

impl RowEntry {
    /// Returns the name of a file with the document.
    pub fn file_name(&self) -> String {
        format!("queens-{}-{}.json", self.row.size, self.row.method)
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
                backend: Backend::new(executor.backend(), device.as_str(), detail),
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

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Counter, Isa, document::BackendKind};

    const TODAY: &str = "2026-01-31T09:30:00.000Z";

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
        let mut count = CountState::new(job(None, 7, 8));
        count.start(0.0, TODAY);
        run(&mut count, 0.0, |count| count.is_done());
        let rows: Vec<_> = count.entries().iter().map(|entry| entry.row.clone()).collect();
        assert_eq!(rows.len(), job(None, 7, 8).rows().count());
        assert!(rows.len() > Method::ALL.len());
        for row in &rows {
            let total = row.outcome.clone().unwrap().total();
            assert_eq!(total, if row.size.get() == 7 { 40 } else { 92 }, "{}", row.method);
        }
    }

    #[test]
    fn cpu_workers_continue_after_a_gpu_failure() {
        let job = CountJob { executor: Executor::WebGpu, ..job(Some(Method::Symmetry), 8, 9) };
        let mut count = CountState::new(job);
        count.start(0.0, TODAY);
        // The GPU counts a whole row and some tasks of the next one.
        let is_far = |count: &mut CountState| {
            count.pending_tasks() < 20 && count.current_row(0.0).unwrap().size.get() == 9
        };
        let now = run(&mut count, 0.0, is_far);
        count.stop_clock(now);
        count.set_executor(Executor::Workers(2));
        let mut count = CountState::restore(&count.record(now)).unwrap();
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
        let mut count = CountState::new(job(Some(Method::Colours), 8, 8));
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

    /// Counts until the second row has some tasks.
    fn stop_in_second_row(job: CountJob) -> (CountState, f64) {
        let mut count = CountState::new(job);
        count.start(0.0, TODAY);
        let now = run(&mut count, 0.0, |count| {
            count.entries().len() == 1 && count.current_row(0.0).is_some_and(|now| now.done > 20)
        });
        count.stop_clock(now);
        (count, now)
    }

    fn rows(count: &CountState) -> Vec<(Method, u32)> {
        count.entries().iter().map(|entry| (entry.row.method, entry.row.size.get())).collect()
    }

    #[test]
    fn a_saved_count_resumes_after_a_reload() {
        let (mut count, now) = stop_in_second_row(job(Some(Method::Symmetry), 9, 10));
        // Tasks that are running when the page is closed become pending again.
        count.take_tasks(5);
        let before = count.current_row(now).unwrap();
        let mut count = CountState::restore(&count.record(now)).unwrap();
        let after = count.current_row(9999.0).unwrap();
        assert_eq!((after.done, after.size.get()), (before.done, 10));
        assert_eq!((after.started, after.remaining_seconds), (before.done, None));
        assert_eq!((after.solutions, after.seconds), (before.solutions, before.seconds));
        count.start(5000.0, TODAY);
        run(&mut count, 5000.0, |_| false);
        let restored = CountState::restore(&count.record(0.0)).unwrap();
        for count in [&count, &restored] {
            let totals = count.entries().iter().map(|e| e.row.outcome.clone().unwrap().total());
            assert_eq!(totals.collect::<Vec<_>>(), [352, 724]);
            assert!(count.is_done());
        }
    }

    #[test]
    fn the_first_tasks_after_a_resume_do_not_tell_the_remaining_time() {
        let mut count = CountState::new(job(Some(Method::Symmetry), 12, 12));
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
        let job = CountJob { executor: Executor::WebGpu, ..job(Some(Method::Symmetry), 9, 10) };
        let (mut count, now) = stop_in_second_row(job);
        // A recount has shown that the GPU counted one of the tasks incorrectly.
        count.restart_row();
        let mut count = CountState::restore(&count.record(now)).unwrap();
        assert_eq!((count.entries().len(), count.current_row(now).unwrap().done), (1, 0));
        count.set_executor(Executor::Workers(2));
        count.start(now, TODAY);
        run(&mut count, now, |_| false);
        let second = Document::parse(&count.entries()[1].document).unwrap();
        assert!(!second.header.backend.detail.contains("GPU"), "{:?}", second.header.backend);
        assert_eq!(count.entries()[1].row.outcome.clone().unwrap().total(), 724);
    }

    #[test]
    fn a_new_count_keeps_the_finished_rows_of_earlier_ones() {
        let finished = |job, before: Option<CountState>| {
            let mut count = CountState::new(job);
            if let Some(before) = before {
                count = count.keep_rows(before);
            }
            count.start(0.0, TODAY);
            run(&mut count, 0.0, |_| false);
            CountState::restore(&count.record(0.0)).unwrap()
        };
        let first = finished(job(Some(Method::Symmetry), 7, 8), None);
        let second = finished(job(Some(Method::Colours), 7, 8), Some(first));
        let [symmetry, colours] = [Method::Symmetry, Method::Colours];
        assert_eq!(rows(&second), [(symmetry, 7), (symmetry, 8), (colours, 7), (colours, 8)]);
        // The same method and board again: only this row is replaced.
        let third = finished(job(Some(Method::Symmetry), 8, 8), Some(second));
        assert_eq!(rows(&third), [(symmetry, 7), (colours, 7), (colours, 8), (symmetry, 8)]);
    }

    #[test]
    fn discarding_a_count_drops_only_its_unfinished_board() {
        let (count, _) = stop_in_second_row(job(Some(Method::Symmetry), 9, 10));
        let count = count.discard().unwrap();
        for mut count in [CountState::restore(&count.record(0.0)).unwrap(), count] {
            assert_eq!((rows(&count), count.is_done()), (vec![(Method::Symmetry, 9)], true));
            assert_eq!(count.current_row(0.0), None);
        }
        // Without finished boards, nothing remains.
        let mut count = CountState::new(job(Some(Method::Symmetry), 9, 9));
        count.start(0.0, TODAY);
        assert!(count.discard().is_none());
    }

    #[test]
    fn drops_records_that_it_does_not_know_or_that_contradict_themselves() {
        let (count, now) = stop_in_second_row(job(Some(Method::Symmetry), 9, 10));
        let record: serde_json::Value = serde_json::from_str(&count.record(now)).unwrap();
        let restored = |field: &str, value: serde_json::Value| {
            let mut changed = record.clone();
            *changed.pointer_mut(field).unwrap() = value;
            CountState::restore(&changed.to_string())
        };
        assert!(restored("/earlier", 0.into()).is_some());
        for text in ["", "{}", "[]", r#"{"identity":{"count":1,"session":1},"order":{}}"#] {
            assert!(CountState::restore(text).is_none(), "{text}");
        }
        let task = record.pointer("/current/tasks/0/task").unwrap().clone();
        for (field, value) in [
            ("/job/executor/Workers", 0.into()),
            ("/job/executor/Workers", 1025.into()),
            ("/earlier", 2.into()),
            // The finished row is that of another board, so the tasks would count for its board.
            ("/entries/0/row/size", 8.into()),
            ("/entries", vec![0; 0].into()),
            // A task with two results, one that the board does not have, and impossible times.
            ("/current/tasks/1/task", task),
            ("/current/tasks/0/task", 1_000_000.into()),
            ("/current/tasks/0/took/secs", u64::MAX.into()),
            ("/current/time/secs", u64::MAX.into()),
        ] {
            assert!(restored(field, value).is_none(), "{field}");
        }
        // A board of another plan starts again.
        let mut count = restored("/current/version", (Plan::VERSION + 1).into()).unwrap();
        assert_eq!((rows(&count).len(), count.current_row(0.0)), (1, None));
        count.start(0.0, TODAY);
        assert_eq!(count.current_row(0.0).unwrap().done, 0);
    }
}
