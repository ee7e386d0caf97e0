//! The coordinator of a count: it assigns tasks to pool workers, collects and saves their results,
//! and reports to the page. It counts no tasks itself, so it can always respond to messages.

use gloo_timers::callback::{Interval, Timeout};
use queens_core::{Done, Tally};

use super::{
    browser,
    event::{Event, EventSender},
    lock::{self, Channel},
    pool_worker::PoolWorker,
    saved_count::SavedCount,
    state::{CountState, MachineInfo, RowEntry},
    task_runner::{WorkerReply, WorkerRequest},
    watchers::Watchers,
};
use crate::{
    clock,
    protocol::{
        CountCommand, CountEvent, CountStatus, Executor, Phase, Reply, RequestId, Trouble, WebGpu,
        WorkerStatus, WrongTask,
    },
};

/// The interval between reports to the page while a count runs, in milliseconds. The page repaints
/// after each report.
const REPORT_INTERVAL: u32 = 100;

/// The time to wait for the lock before this tab shows that another one has it, in milliseconds. After a
/// reload, the browser may release the lock of the same tab a moment later.
const LOCK_WAIT: u32 = 500;

/// The number of ticks between two saves of the progress. Each writes the whole record.
const TICKS_PER_SAVE: u32 = 20;

/// The coordinator of a count.
pub struct Coordinator {
    sender: EventSender,
    watchers: Watchers,
    status: CountStatus,
    machine: MachineInfo,
    count: Option<CountState>,
    pool: Vec<PoolWorker>,
    /// The number of the worker that was started last.
    last_number: u32,
    saved_count: SavedCount,
    /// The timer after which another tab is expected to keep the lock.
    lock_wait: Option<Timeout>,
    /// Whether another tab of the browser has the lock, so that this one only shows the saved count.
    is_read_only: bool,
    /// The other tabs of a browser without locks.
    channel: Option<Channel>,
    /// The timer that sends `Event::Tick` while a count runs.
    ticker: Option<Interval>,
    /// The number of ticks so far.
    ticks: u32,
}

impl Coordinator {
    /// Creates a coordinator and starts to take the lock, to read the saved count and to detect
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
            pool: vec![],
            last_number: 0,
            saved_count: SavedCount::default(),
            lock_wait: None,
            is_read_only: false,
            channel: None,
            ticker: None,
            ticks: 0,
        };
        let sender = coordinator.sender.clone();
        sender.send_output(async { Event::LockAnswered(lock::hold_count().await) });
        let on_wait = sender.clone();
        coordinator.lock_wait =
            Some(Timeout::new(LOCK_WAIT, move || on_wait.send(Event::LockTaken)));
        sender.send_output(async { Event::WebGpuDetected(browser::webgpu().await) });
        coordinator
    }

    /// Executes a command of the page.
    pub fn on_command(&mut self, command: CountCommand, id: RequestId) {
        let phase = self.status.phase;
        match command {
            CountCommand::Watch => self.watchers.add(id),
            CountCommand::Start(job) if phase.can_start() => {
                let count = CountState::new(job);
                self.count = Some(match self.count.take() {
                    Some(before) => count.keep_rows(before),
                    None => count,
                });
                self.run();
            }
            CountCommand::Resume if matches!(phase, Phase::Saved | Phase::Pausing) => self.run(),
            CountCommand::Pause if phase == Phase::Running => {
                self.status.phase = Phase::Pausing;
                self.pause_if_idle();
            }
            CountCommand::Stop => self.stop(),
            CountCommand::Discard if phase == Phase::Saved => {
                self.count = self.count.take().and_then(CountState::discard);
                self.save();
                self.show_saved_count();
            }
            CountCommand::Delete if phase.can_start() => {
                self.count = None;
                self.save();
                self.show_saved_count();
            }
            CountCommand::SendDocuments => {
                let entries = self.count.as_ref().map(CountState::entries).unwrap_or_default();
                let with_document = entries.iter().filter(|entry| !entry.document.is_empty());
                let document = |entry: &RowEntry| (entry.file_name(), entry.document.clone());
                let documents = with_document.map(document).collect();
                self.watchers.send(&CountEvent::Documents(documents));
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
            Event::LockTaken => {
                self.is_read_only = true;
                self.saved_count.open(&self.sender);
            }
            Event::LockAnswered(has_locks) => self.on_lock_answered(has_locks),
            Event::OtherTabCounts => {
                self.status.trouble.get_or_insert(Trouble::OtherTabCounts);
            }
            Event::StorageOpened(found) => {
                if let Some(text) = self.saved_count.end_wait(found) {
                    self.count = text.and_then(|text| CountState::restore(&text));
                    self.status.trouble = self.storage_trouble();
                    self.show_saved_count();
                }
            }
            Event::SaveEnded(true) => {
                self.status.trouble.take_if(|trouble| *trouble == Trouble::NotSaved);
            }
            Event::SaveEnded(false) => self.status.trouble = Some(Trouble::NotSaved),
            Event::WebGpuDetected(webgpu) => {
                if let WebGpu::Found(name) = &webgpu {
                    self.machine.gpu.clone_from(name);
                }
                self.status.webgpu = webgpu;
            }
        }
        self.report();
    }

    /// Reads the saved count, which only the tab with the lock changes. In a browser without locks, the tab
    /// that saves last wins.
    fn on_lock_answered(&mut self, has_locks: bool) {
        (self.lock_wait, self.is_read_only) = (None, false);
        if !has_locks {
            let sender = self.sender.clone();
            self.channel = Channel::open(move || sender.send(Event::OtherTabCounts));
        }
        self.status.phase = Phase::Opening;
        self.saved_count.open(&self.sender);
    }

    /// Returns the problem of a browser that stores nothing.
    fn storage_trouble(&self) -> Option<Trouble> {
        (!self.saved_count.has_store()).then_some(Trouble::NotSaved)
    }

    /// Shows the count, which can be resumed if it is unfinished.
    fn show_saved_count(&mut self) {
        let is_done = self.count.as_ref().is_none_or(CountState::is_done);
        self.status.phase = match (self.is_read_only, is_done) {
            (true, _) => Phase::Elsewhere,
            (false, true) => Phase::Idle,
            (false, false) => Phase::Saved,
        };
    }

    /// Saves the count, or deletes the saved one if there is none.
    fn save(&self) {
        let record = self.count.as_ref().map(|count| count.record(clock::now()));
        self.saved_count.save(record, &self.sender);
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
        let executor = count.job().executor;
        self.status.phase = Phase::Running;
        self.status.trouble = self.storage_trouble();
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

    /// Terminates all workers, even in the middle of a task, and enters `phase`.
    fn terminate_workers(&mut self, phase: Phase) {
        self.pool.clear();
        self.status.phase = phase;
    }

    fn on_tick(&mut self) {
        self.ticks = self.ticks.wrapping_add(1);
        if self.status.phase == Phase::Running && self.ticks.is_multiple_of(TICKS_PER_SAVE) {
            if let Some(channel) = &self.channel {
                channel.say();
            }
            self.save();
        }
    }

    /// Updates the status, and reports changes of the status and of the rows to the page.
    fn report(&mut self) {
        self.status.workers = self.pool.iter().map(|worker| worker.status).collect();
        let unfinished = self.count.as_mut().filter(|count| !count.is_done());
        self.status.job = unfinished.as_ref().map(|count| count.job());
        self.status.current_row = unfinished.and_then(|count| count.current_row(clock::now()));
        let entries = self.count.as_ref().map_or(&[][..], CountState::entries);
        self.watchers.report(&self.status, entries);
        self.set_ticker();
    }

    /// Lets the ticker run while a count runs.
    fn set_ticker(&mut self) {
        let is_active = matches!(self.status.phase, Phase::Running | Phase::Pausing);
        if is_active != self.ticker.is_some() {
            let sender = self.sender.clone();
            let start = || Interval::new(REPORT_INTERVAL, move || sender.send(Event::Tick));
            self.ticker = is_active.then(start);
        }
    }
}
