//! The coordinator of a count: it assigns tasks to pool workers, collects and saves their results,
//! and reports to the page. It counts no tasks itself, so it can always respond to messages.

use gloo_timers::callback::Interval;
use queens_core::{Done, Tally};
use queens_state::count::{CountState, Identity, MachineInfo, RowEntry, Unreadable};

use super::{
    browser,
    event::{Event, EventSender, SaveResult},
    lock::{self, Lock},
    pool_worker::PoolWorker,
    saved_count::SavedCount,
    task_runner::{WorkerReply, WorkerRequest},
    watchers::Watchers,
};
use crate::{
    clock,
    protocol::{
        CountCommand, CountEvent, CountJob, CountStatus, Executor, Phase, Reply, RequestId,
        Trouble, WebGpu, WorkerStatus, WrongTask,
    },
    store::Store,
};

/// The interval between reports to the page while a count runs, in milliseconds. The page repaints
/// after each report.
const REPORT_INTERVAL: u32 = 100;

/// The interval between checks for other counting pages while no count runs, in milliseconds.
const LOCK_CHECK_INTERVAL: u32 = 1000;

/// The number of ticks between two saves of the progress.
const TICKS_PER_SAVE: u32 = 5;

/// An action that needs the lock and the current state of the storage, because another tab may have changed
/// the saved count since this one read it.
#[derive(Clone, Copy)]
enum LockedAction {
    Start(CountJob),
    Resume,
    Discard,
    Delete,
}

/// The coordinator of a count.
pub struct Coordinator {
    sender: EventSender,
    watchers: Watchers,
    status: CountStatus,
    machine: MachineInfo,
    count: Option<CountState>,
    /// The action that waits for the lock.
    next_action: Option<LockedAction>,
    /// The action that has the lock and waits for the storage.
    locked_action: Option<LockedAction>,
    pool: Vec<PoolWorker>,
    /// The number of the worker that was started last.
    last_number: u32,
    saved_count: SavedCount,
    lock: Option<Lock>,
    /// The timer that sends `Event::Tick`, with its interval in milliseconds.
    ticker: Option<(u32, Interval)>,
    /// The number of ticks so far.
    ticks: u32,
}

impl Coordinator {
    /// Creates a coordinator and starts to read the saved count and to detect
    /// WebGPU. The caller passes each event from `send` to [`on_event`](Coordinator::on_event), and
    /// each `reply` to the page.
    pub fn new(send: impl Fn(Event) + 'static, reply: impl Fn(Reply) + 'static) -> Coordinator {
        let status = CountStatus { cores: browser::cores(), ..CountStatus::default() };
        let mut coordinator = Coordinator {
            sender: EventSender::new(send),
            watchers: Watchers::new(reply),
            status,
            machine: browser::machine(),
            count: None,
            next_action: None,
            locked_action: None,
            pool: vec![],
            last_number: 0,
            saved_count: SavedCount::default(),
            lock: None,
            ticker: None,
            ticks: 0,
        };
        let sender = &coordinator.sender;
        coordinator.saved_count.open(sender);
        sender.send_output(async { Event::WebGpuDetected(browser::webgpu().await) });
        coordinator
    }

    /// Executes a command of the page.
    pub fn on_command(&mut self, command: CountCommand, id: RequestId) {
        let phase = self.status.phase;
        match command {
            CountCommand::Watch => self.watchers.add(id),
            CountCommand::Start(job) if phase.can_start() => {
                self.request_lock(LockedAction::Start(job));
            }
            CountCommand::Resume if phase == Phase::Saved => {
                self.request_lock(LockedAction::Resume);
            }
            CountCommand::Resume if phase == Phase::Pausing => self.run(),
            CountCommand::Pause if phase == Phase::Running => {
                self.status.phase = Phase::Pausing;
                self.pause_if_idle();
            }
            CountCommand::Stop => self.stop(),
            CountCommand::Discard if phase == Phase::Saved => {
                self.request_lock(LockedAction::Discard);
            }
            CountCommand::Delete if phase.can_start() => self.request_lock(LockedAction::Delete),
            CountCommand::SendDocument(row) => {
                let count = self.count.as_ref();
                if let Some(entry) = count.and_then(|count| count.entries().get(row as usize)) {
                    let (name, media_type) = (entry.file_name(), "application/json".to_owned());
                    let text = entry.document.clone();
                    self.watchers.send(&CountEvent::File { name, media_type, text });
                }
            }
            CountCommand::SendDocuments => {
                let entries = self.count.as_ref().map(CountState::entries).unwrap_or_default();
                let with_document = entries.iter().filter(|entry| !entry.document.is_empty());
                let document = |entry: &RowEntry| (entry.file_name(), entry.document.clone());
                let documents = with_document.map(document).collect();
                self.watchers.send(&CountEvent::Documents(documents));
            }
            CountCommand::SendTable => {
                if let Some(count) = &self.count {
                    let (name, media_type) = ("queens.csv".to_owned(), "text/csv".to_owned());
                    let text = count.csv();
                    self.watchers.send(&CountEvent::File { name, media_type, text });
                }
            }
            // A command that does not fit the current phase arrived too late or too early, and is
            // ignored.
            CountCommand::Start(_)
            | CountCommand::Resume
            | CountCommand::Pause
            | CountCommand::Discard
            | CountCommand::Delete => {}
        }
        self.report();
    }

    /// Removes a watching request that has ended.
    pub fn remove_watcher(&mut self, id: RequestId) {
        self.watchers.remove(id);
    }

    /// Handles an event.
    pub fn on_event(&mut self, event: Event) {
        match event {
            // Results of tasks are reported at the next tick, because many can arrive between two
            // ticks.
            Event::Worker(number, reply) => {
                if !self.on_reply(number, reply) {
                    return;
                }
            }
            Event::Tick => self.on_tick(),
            Event::StorageOpened(attempt, found) => self.on_storage_opened(Some(attempt), found),
            Event::StorageClosed => self.on_storage_closed(),
            Event::StorageTimeout => self.on_storage_opened(None, None),
            Event::SaveEnded(result) => self.on_save_ended(result),
            Event::DeleteEnded(result) => self.on_delete_ended(result),
            Event::LockRequested(Ok(lock)) => {
                self.lock = lock;
                if let Some(action) = self.next_action.take() {
                    self.on_locked(action);
                }
            }
            Event::LockRequested(Err(())) => {
                self.next_action = None;
                self.status.phase = Phase::Elsewhere;
            }
            Event::LockChecked(is_taken, stored) => self.on_lock_checked(is_taken, stored),
            Event::WebGpuDetected(webgpu) => {
                if let WebGpu::Found(name) = &webgpu {
                    self.machine.gpu.clone_from(name);
                }
                self.status.webgpu = webgpu;
            }
        }
        self.report();
    }

    /// Executes an action that has the lock, after reading the storage again.
    fn on_locked(&mut self, action: LockedAction) {
        let reads = match action {
            // The tasks that could not be saved are only here.
            LockedAction::Resume => self.saved_count.is_working(),
            LockedAction::Start(_) => self.saved_count.has_store() || self.saved_count.is_closed(),
            LockedAction::Discard | LockedAction::Delete => self.saved_count.has_store(),
        };
        if reads {
            self.locked_action = Some(action);
            self.saved_count.open(&self.sender);
        } else {
            self.execute(action);
        }
    }

    /// Executes an action. The count and the identity of the storage must be up to date.
    fn execute(&mut self, action: LockedAction) {
        match action {
            LockedAction::Start(job) => {
                let count = CountState::new(job, new_identity(), self.saved_count.identity());
                self.count = Some(match self.count.take() {
                    Some(before) => count.keep_rows(before),
                    None => count,
                });
                self.saved_count.begin();
                self.status.trouble = (!self.saved_count.has_store()).then_some(Trouble::NotSaved);
                self.run();
            }
            LockedAction::Resume => match self.count.as_mut().filter(|count| !count.is_done()) {
                Some(count) => {
                    count.set_session(clock::random_number());
                    self.run();
                }
                None => self.show_saved_count(),
            },
            LockedAction::Discard => {
                let (count, saved) = (self.count.take(), self.saved_count.identity());
                self.count = count.and_then(|count| count.discard(new_identity(), saved));
                if self.count.is_none() {
                    return self.saved_count.delete(&self.sender);
                }
                self.saved_count.begin();
                self.status.trouble = (!self.saved_count.has_store()).then_some(Trouble::NotSaved);
                self.save();
                self.show_saved_count();
            }
            LockedAction::Delete => {
                self.count = None;
                self.saved_count.delete(&self.sender);
            }
        }
    }

    fn on_storage_opened(
        &mut self,
        attempt: Option<u32>,
        found: Option<(Store, Vec<(String, String)>)>,
    ) {
        // A late answer is ignored, because another count may have begun. An action that waits for the lock
        // will read the storage again.
        if !self.saved_count.end_wait(attempt) || self.next_action.is_some() {
            return;
        }
        let action = self.locked_action.take();
        let Some((store, texts)) = found else {
            match action {
                // Deleting would wait for the same storage.
                Some(LockedAction::Discard | LockedAction::Delete) | None => {
                    self.show_saved_count();
                }
                Some(action) => self.execute(action),
            }
            self.status.trouble = Some(Trouble::NotSaved);
            return;
        };
        // A save that failed in the meantime has left tasks that are only here.
        if matches!(action, Some(LockedAction::Resume)) && !self.saved_count.is_working() {
            return self.execute(LockedAction::Resume);
        }
        let was_working = self.saved_count.is_working();
        let earlier = self.saved_count.identity();
        let is_same = Identity::is_same_count(earlier, Identity::of_texts(&texts));
        let is_empty = texts.is_empty();
        let earlier_count = self.count.take();
        let is_readable = self.restore(store, texts);
        match action {
            Some(LockedAction::Resume) if is_same && is_readable => {
                self.execute(LockedAction::Resume);
            }
            Some(LockedAction::Delete) if is_same => self.execute(LockedAction::Delete),
            // Without a readable count, Discard would delete the finished rows with the unfinished one.
            Some(action @ (LockedAction::Start(_) | LockedAction::Discard))
                if match action {
                    LockedAction::Discard => is_same && is_readable,
                    _ => is_same || is_empty,
                } =>
            {
                // Finished rows that could not be saved are only here.
                if let (false, Some(_)) = (was_working, &earlier_count) {
                    self.count = earlier_count;
                }
                self.execute(action);
            }
            _ => {
                let was_unfinished = earlier_count.is_some_and(|count| !count.is_done());
                if is_readable && !is_same && (action.is_some() || was_unfinished) {
                    self.status.trouble = Some(match earlier {
                        Some(_) => Trouble::Discarded,
                        None => Trouble::ChangedElsewhere,
                    });
                }
                self.show_saved_count();
            }
        }
    }

    /// Reports that the count is only in this tab. The next count opens the storage again and saves all rows.
    fn on_storage_closed(&mut self) {
        self.saved_count.close();
        self.forget_damage();
        if self.count.is_some() {
            self.status.trouble = Some(Trouble::StorageDeleted);
        }
    }

    /// Restores the saved count. Returns whether it is readable.
    fn restore(&mut self, store: Store, texts: Vec<(String, String)>) -> bool {
        self.forget_damage();
        match self.saved_count.restore(store, texts) {
            Ok(count) => {
                if count.as_ref().is_some_and(CountState::has_lost_tasks) {
                    self.status.trouble = Some(Trouble::TasksLost);
                }
                self.count = count;
                true
            }
            Err(Unreadable) => {
                self.status.trouble = Some(Trouble::Unreadable);
                false
            }
        }
    }

    /// Ends the report that the saved count is damaged.
    fn forget_damage(&mut self) {
        let trouble = &mut self.status.trouble;
        trouble.take_if(|trouble| matches!(trouble, Trouble::Unreadable | Trouble::TasksLost));
    }

    /// Releases the lock and shows the count, which can be resumed if it is unfinished.
    fn show_saved_count(&mut self) {
        let is_done = self.count.as_ref().is_none_or(CountState::is_done);
        self.status.phase = if is_done { Phase::Idle } else { Phase::Saved };
        // A check while the lock is being released would find this tab's own lock.
        if self.lock.take().is_none() {
            self.check_lock();
        }
    }

    fn on_save_ended(&mut self, result: SaveResult) {
        match self.record_write(result) {
            // Saves that followed a failed or refused one are refused, too.
            Err(_) if !self.saved_count.is_working() || self.saved_count.is_opening() => {}
            Err(found) => {
                let count = self.count.take();
                let ours = count.map(|count| count.identity());
                self.status.trouble = Some(if Identity::is_same_count(ours, found) {
                    Trouble::ChangedElsewhere
                } else {
                    Trouble::Discarded
                });
                self.terminate_workers(Phase::Opening);
                self.saved_count.open(&self.sender);
            }
            Ok(()) => {}
        }
    }

    fn on_delete_ended(&mut self, result: SaveResult) {
        if self.record_write(result).is_ok() {
            self.forget_damage();
            self.show_saved_count();
        } else {
            self.status.trouble = Some(Trouble::ChangedElsewhere);
            self.saved_count.open(&self.sender);
        }
    }

    /// Records whether the storage was changed. Returns the identity that it has if it refused the change.
    fn record_write(&mut self, result: SaveResult) -> Result<(), Option<Identity>> {
        match result {
            SaveResult::Saved(identity) => self.saved_count.set_identity(identity),
            SaveResult::Failed => {
                self.saved_count.fail();
                self.status.trouble = Some(Trouble::NotSaved);
            }
            SaveResult::Refused(found) => return Err(found),
        }
        Ok(())
    }

    /// Shows what other tabs do. `stored` is the identity of the saved count; `None` if it cannot be read.
    fn on_lock_checked(&mut self, is_taken: bool, stored: Option<Option<Identity>>) {
        let phase = self.status.phase;
        if is_taken && phase.can_start() {
            self.status.phase = Phase::Elsewhere;
        }
        if is_taken || self.saved_count.is_opening() {
            return;
        }
        let is_unfinished = self.count.as_ref().is_some_and(|count| !count.is_done());
        let is_changed = stored.is_some_and(|stored| stored != self.saved_count.identity());
        if phase == Phase::Elsewhere && is_unfinished && !self.saved_count.is_working() {
            // The tasks that could not be saved are only here.
            self.show_saved_count();
        } else if phase == Phase::Elsewhere || phase.can_start() && is_changed {
            self.saved_count.open(&self.sender);
        }
    }

    /// Saves the changes since the last call.
    fn save(&mut self) {
        if let Some(count) = &mut self.count {
            self.saved_count.save(count, &self.sender);
        }
    }

    /// Requests the lock for an action.
    fn request_lock(&mut self, action: LockedAction) {
        self.next_action = Some(action);
        self.status.phase = Phase::Opening;
        self.status.trouble = (!self.saved_count.is_working()).then_some(Trouble::NotSaved);
        self.sender.send_output(async { Event::LockRequested(lock::take().await) });
    }

    /// Starts or resumes the count.
    fn run(&mut self) {
        let Some(count) = &mut self.count else { return };
        // The plan does not depend on the executor, so CPU workers can finish a row that the GPU began.
        if count.job().executor == Executor::WebGpu && self.status.webgpu.is_unusable() {
            count.set_executor(Executor::Workers(self.status.cores));
        }
        // While pausing, the last tasks are still being counted, so the clock is still running.
        if self.status.phase != Phase::Pausing {
            count.start(clock::now(), &browser::today());
        }
        self.status.phase = Phase::Running;
        let executor = count.job().executor;
        while self.pool.len() < executor.worker_count() as usize {
            match self.start_worker(executor == Executor::WebGpu) {
                Some(worker) => self.pool.push(worker),
                None => return self.fail("the browser could not start the worker".to_owned()),
            }
        }
        self.save();
        self.assign_tasks();
    }

    /// Restarts the clock if no worker has begun a task. Otherwise the counting time would include the
    /// time in which the browser starts the workers, which is longer than a count of a small board.
    fn restart_clock_before_first_task(&mut self) {
        let has_begun = self.pool.iter().any(|worker| worker.status != WorkerStatus::default());
        if let Some(count) =
            self.count.as_mut().filter(|_| self.status.phase == Phase::Running && !has_begun)
        {
            count.start(clock::now(), &browser::today());
        }
    }

    fn start_worker(&mut self, has_gpu: bool) -> Option<PoolWorker> {
        self.last_number += 1;
        let sender = self.sender.clone();
        let on_reply = move |number, reply| sender.send(Event::Worker(number, reply));
        PoolWorker::start(self.last_number, has_gpu, on_reply).ok()
    }

    /// Assigns tasks to all idle workers.
    fn assign_tasks(&mut self) {
        let workers = self.pool.len();
        let Some(count) = self.count.as_mut().filter(|_| self.status.phase == Phase::Running)
        else {
            return;
        };
        for worker in self.pool.iter_mut().filter(|worker| !worker.is_busy) {
            // Near the end, batches shrink so that all workers finish at about the same time.
            let limit =
                if workers > 1 { count.pending_tasks() / (2 * workers) + 1 } else { usize::MAX };
            let Some((method, size, tasks)) = count.take_tasks(worker.batch_size.min(limit)) else {
                break;
            };
            worker.assign(&WorkerRequest { method, size, tasks });
        }
    }

    /// Handles a message from a worker. Returns whether the page must be notified at once.
    fn on_reply(&mut self, number: u32, reply: Result<WorkerReply, String>) -> bool {
        if let Ok(WorkerReply::Ready(Some(name))) = &reply {
            self.watch_for_end(number, name.clone());
        }
        // Late messages from workers that were already terminated are ignored.
        let Some(worker) = self.pool.iter_mut().find(|worker| worker.number == number) else {
            return false;
        };
        worker.is_busy = false;
        match reply {
            Ok(WorkerReply::Done(done)) => {
                let milliseconds: f64 =
                    done.iter().map(|done| done.took.as_secs_f64() * 1000.0).sum();
                worker.adapt_batch(done.len(), milliseconds);
                worker.end_batch();
                self.add_results(done)
            }
            Ok(WorkerReply::Failed(reason)) | Err(reason) => {
                let has_gpu = worker.has_gpu;
                self.fail(reason.clone());
                if has_gpu {
                    self.status.webgpu = WebGpu::Failed(reason.clone());
                    self.status.trouble = Some(Trouble::GpuFailed(reason));
                }
                true
            }
            Ok(WorkerReply::Wrong(task)) => {
                self.on_wrong_task(task);
                true
            }
            Ok(WorkerReply::Ready(_)) => {
                self.restart_clock_before_first_task();
                self.assign_tasks();
                self.pause_if_idle();
                self.status.phase == Phase::Saved
            }
        }
    }

    /// Reports a worker that has ended although this coordinator has not terminated it. Reports on the others are
    /// ignored, like all late messages.
    fn watch_for_end(&self, number: u32, name: String) {
        self.sender.send_output(async move {
            lock::wait_for_end(name).await;
            Event::Worker(number, Err("the browser or a script ended it".to_owned()))
        });
    }

    /// Adds the results of finished tasks. Returns whether the page must be notified at once, because
    /// the results completed a row or a pause, or were rejected.
    fn add_results(&mut self, done: Vec<Done<Tally>>) -> bool {
        let Some(count) = &mut self.count else { return false };
        if let Err(error) = count.add(done) {
            self.fail(error.to_string());
            return true;
        }
        let has_finished_row = count.finish_row(clock::now(), &browser::today(), &self.machine);
        if has_finished_row {
            for worker in &mut self.pool {
                worker.status = WorkerStatus::default();
            }
        }
        let is_done = count.is_done();
        if has_finished_row {
            self.save();
        }
        if is_done {
            self.terminate_workers(Phase::Idle);
        } else {
            self.assign_tasks();
            self.pause_if_idle();
        }
        has_finished_row || self.status.phase == Phase::Saved
    }

    /// Completes a requested pause once no worker is counting.
    fn pause_if_idle(&mut self) {
        if self.status.phase == Phase::Pausing && self.pool.iter().all(|worker| !worker.is_busy) {
            self.stop();
        }
    }

    /// Pauses the count and abandons its running tasks. The finished tasks are saved, so the count
    /// can be resumed, also by another tab.
    fn stop(&mut self) {
        if matches!(self.status.phase, Phase::Running | Phase::Pausing) {
            if let Some(count) = &mut self.count {
                count.stop_clock(clock::now());
            }
            self.save();
            self.terminate_workers(Phase::Saved);
        }
    }

    fn fail(&mut self, reason: String) {
        self.stop();
        self.status.trouble = Some(Trouble::WorkerFailed(reason));
    }

    /// Handles a wrong result from the GPU. All tasks that the GPU counted for the current row are
    /// discarded. Finished rows stay, because their sums passed the final checks.
    fn on_wrong_task(&mut self, task: WrongTask) {
        if let Some(count) = &mut self.count {
            count.restart_row();
            // The executor is saved with the count. So CPU workers continue the count even after a
            // reload, when the page no longer knows that the GPU is faulty.
            count.set_executor(Executor::Workers(self.status.cores));
        }
        self.stop();
        self.status.webgpu = WebGpu::Faulty;
        self.status.trouble = Some(Trouble::GpuFaulty(task));
    }

    /// Terminates all workers, even in the middle of a task, releases the lock, and enters `phase`. Save
    /// before, because another tab may read the storage as soon as it gets the lock.
    fn terminate_workers(&mut self, phase: Phase) {
        self.pool.clear();
        self.lock = None;
        self.status.phase = phase;
    }

    fn on_tick(&mut self) {
        self.ticks = self.ticks.wrapping_add(1);
        if self.status.phase.can_start() || self.status.phase == Phase::Elsewhere {
            self.check_lock();
        } else if self.status.phase == Phase::Running && self.ticks.is_multiple_of(TICKS_PER_SAVE) {
            self.save();
        }
    }

    /// Checks, in the background, whether another page holds the lock or has changed the saved count.
    fn check_lock(&self) {
        let stored = self.saved_count.stored_identity();
        self.sender.send_output(async {
            let is_taken = lock::is_taken().await;
            Event::LockChecked(is_taken, stored.await)
        });
    }

    /// Updates the status, and reports changes of the status and of the rows to the page.
    fn report(&mut self) {
        self.status.workers = self.pool.iter().map(|worker| worker.status).collect();
        self.status.saved_bytes = self.saved_count.bytes();
        let unfinished = self.count.as_mut().filter(|count| !count.is_done());
        self.status.job = unfinished.as_ref().map(|count| count.job());
        self.status.current_row = unfinished.and_then(|count| count.current_row(clock::now()));
        let entries = self.count.as_ref().map_or(&[][..], CountState::entries);
        self.watchers.report(&self.status, entries);
        self.set_ticker();
    }

    /// Sets the interval of the ticker for the current phase.
    fn set_ticker(&mut self) {
        let is_active = matches!(self.status.phase, Phase::Running | Phase::Pausing);
        let interval = if is_active { REPORT_INTERVAL } else { LOCK_CHECK_INTERVAL };
        if self.ticker.as_ref().is_none_or(|&(current, _)| current != interval) {
            let sender = self.sender.clone();
            let on_tick = move || sender.send(Event::Tick);
            self.ticker = Some((interval, Interval::new(interval, on_tick)));
        }
    }
}

/// Returns the identity of a new count.
fn new_identity() -> Identity {
    Identity { count: clock::random_number(), session: clock::random_number() }
}
