//! Work-stealing scheduler for column sets. Each thread works on its own tasks, and then takes sets from
//! the tasks of other threads, so that no thread is idle while another one finishes the last task.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use queens_core::{Counter, Done, Plan, Tally, TaskError, halves::ColumnSets};

use super::{RunError, TaskQueue, runner::catch_panic};
use crate::{journal::PartialTasks, lock::lock};

/// Scheduler that distributes the column sets of the running tasks. All threads share it.
#[derive(Debug)]
pub struct SetScheduler {
    plan: Arc<Plan>,
    task_queue: TaskQueue<Tally>,
    partials: PartialTasks,
    /// The running tasks by number.
    running: Mutex<BTreeMap<usize, Arc<RunningTask>>>,
}

/// A running task.
#[derive(Debug)]
struct RunningTask {
    task: usize,
    /// Number of the task's column sets.
    sets: usize,
    /// Time spent on the task in earlier sessions.
    earlier_time: Duration,
    state: Mutex<TaskState>,
}

#[derive(Debug)]
struct TaskState {
    /// The column sets that no thread has taken, each with its index in the task.
    untaken: VecDeque<(usize, ColumnSets)>,
    /// Number of counted sets before the first gap. The set with this index is not counted yet.
    counted_sets: usize,
    /// Sum of the results of these sets.
    sum: Tally,
    /// Time that these sets took in this process.
    took: Duration,
    /// Results of sets after the first gap, by index.
    after_gap: BTreeMap<usize, (Tally, Duration)>,
    /// Time of the last recorded partial result, or of the start of the task if there is none yet.
    last_recorded: Instant,
}

/// A column set to count.
struct Piece {
    running: Arc<RunningTask>,
    /// Index of the set in the task.
    index: usize,
    /// The set: the columns of both halves.
    set: ColumnSets,
}

impl SetScheduler {
    /// Creates a scheduler that has not taken a task yet.
    pub fn new(
        plan: Arc<Plan>,
        task_queue: TaskQueue<Tally>,
        partials: PartialTasks,
    ) -> SetScheduler {
        SetScheduler { plan, task_queue, partials, running: Mutex::default() }
    }

    /// Counts column sets until none are left or the run ends. Each thread calls this once.
    pub fn work(&self, counter: &mut Counter) {
        self.work_with(|task, index, set| counter.count_sets(&self.plan, task, index, set));
    }

    /// Calls `count` with the task number, the index and the set, for each column set that this thread takes.
    fn work_with(
        &self,
        mut count: impl FnMut(usize, usize, &ColumnSets) -> Result<Tally, TaskError>,
    ) {
        let mut last = None;
        while let Some(Piece { running, index, set }) = self.take(last.as_ref()) {
            let clock = Instant::now();
            let counted = catch_panic(|| {
                let tally = count(running.task, index, &set)?;
                self.add_result(&running, index, (tally, clock.elapsed()))
            });
            match counted {
                Ok(Ok(())) => last = Some(running),
                Ok(Err(error)) => return self.task_queue.fail(error),
                Err(reason) => {
                    let tasks = vec![running.task];
                    return self.task_queue.fail(RunError::Panicked { tasks, reason });
                }
            }
        }
    }

    /// Takes the next column set: from the thread's current task, from a new task, or from the running
    /// task with the most sets left.
    fn take(&self, last: Option<&Arc<RunningTask>>) -> Option<Piece> {
        if self.task_queue.is_stopped() {
            return None;
        }
        if let Some(piece) = last.and_then(next_piece) {
            return Some(piece);
        }
        // Hold the lock until the new task is in the map. Otherwise another thread might find neither a
        // queued task nor a running one, and end too early.
        let mut running = lock(&self.running);
        while let [task] = self.task_queue.take(1)[..] {
            if let Some(new) = self.start_task(task) {
                let piece = next_piece(&new);
                running.insert(task, new);
                return piece;
            }
        }
        let mut others: Vec<_> = running.values().cloned().collect();
        drop(running);
        // Read each length only once, because other threads change the lengths during the sort.
        others.sort_by_cached_key(|other| Reverse(lock(&other.state).untaken.len()));
        others.iter().find_map(next_piece)
    }

    /// Starts a task, or resumes it from its partial result. If no sets are left, reports the task as done and
    /// returns `None`.
    fn start_task(&self, task: usize) -> Option<Arc<RunningTask>> {
        let partial = self.partials.get(task);
        let empty =
            Tally { covered: self.plan.expected_coverage_of_first(task, 0), ..Tally::default() };
        let sum = partial.map_or(empty, |partial| partial.result);
        let counted_sets = sum.covered.unwrap_or_default().sets as usize;
        let mut untaken: VecDeque<_> =
            self.plan.column_sets(task).into_iter().flatten().enumerate().collect();
        let sets = untaken.len();
        untaken.drain(..counted_sets.min(sets));
        let is_done = untaken.is_empty();
        let took = Duration::ZERO;
        let (after_gap, last_recorded) = (BTreeMap::new(), Instant::now());
        let state =
            Mutex::new(TaskState { untaken, counted_sets, sum, took, after_gap, last_recorded });
        let earlier_time = partial.map_or(Duration::ZERO, |partial| partial.took);
        if is_done {
            self.task_queue.report(Done { task, result: sum, took });
            return None;
        }
        Some(Arc::new(RunningTask { task, sets, earlier_time, state }))
    }

    /// Adds the result of a column set, and reports the task after its last set. Results are added in the
    /// order of the sets, because a journal states only how many of the first sets a partial result covers.
    fn add_result(
        &self,
        running: &RunningTask,
        index: usize,
        result: (Tally, Duration),
    ) -> Result<(), TaskError> {
        let task = running.task;
        let mut guard = lock(&running.state);
        let state = &mut *guard;
        state.after_gap.insert(index, result);
        while let Some((next, took)) = state.after_gap.remove(&state.counted_sets) {
            state.sum = state.sum.checked_add(next).ok_or(TaskError::Overflow { task })?;
            state.took += took;
            state.counted_sets += 1;
        }
        let TaskState { sum: result, took, counted_sets, last_recorded, .. } = *state;
        if counted_sets == running.sets {
            drop(guard);
            lock(&self.running).remove(&task);
            self.task_queue.report(Done { task, result, took });
        } else if counted_sets > 0 && last_recorded.elapsed() >= self.partials.interval() {
            state.last_recorded = Instant::now();
            self.partials.record(Done { task, result, took: running.earlier_time + took });
        }
        Ok(())
    }
}

/// Takes the next column set of a task, if one is left.
fn next_piece(running: &Arc<RunningTask>) -> Option<Piece> {
    let (index, set) = lock(&running.state).untaken.pop_front()?;
    Some(Piece { running: Arc::clone(running), index, set })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::run;
    use queens_core::{Coverage, Form, Method, Size, halves::Isa};
    use std::{collections::HashSet, ops::ControlFlow, thread};

    const TASK: usize = 9;

    fn plan() -> Arc<Plan> {
        Arc::new(Plan::new(Size::new(17).unwrap(), Method::Halves))
    }

    /// Runs tasks on several threads that share one scheduler and use `count` in place of the real
    /// counter.
    fn run_on_threads(
        tasks: Vec<usize>,
        threads: usize,
        count: impl Fn(usize, usize, &ColumnSets) -> Tally + Copy + Send + Sync + 'static,
    ) -> Result<Vec<Done<Tally>>, RunError> {
        let start = |task_queue: TaskQueue<Tally>| {
            let scheduler =
                Arc::new(SetScheduler::new(plan(), task_queue, PartialTasks::default()));
            for _ in 0..threads {
                let scheduler = Arc::clone(&scheduler);
                thread::spawn(move || {
                    scheduler.work_with(|task, index, set| Ok(count(task, index, set)));
                });
            }
            Ok(())
        };
        run(tasks, start, &mut |_| ControlFlow::Continue(()))
    }

    /// Returns an invented result: the number of solutions is the index of the set.
    fn invented_tally(index: usize, set: &ColumnSets) -> Tally {
        let covered = Some(Coverage { sets: 1, weight: set.weight.into() });
        Tally { single: index as u64, covered, ..Tally::default() }
    }

    #[test]
    fn all_threads_share_the_last_task() {
        static THREADS: Mutex<Option<HashSet<thread::ThreadId>>> = Mutex::new(None);
        let done = run_on_threads(vec![TASK], 3, |_, index, set| {
            lock(&THREADS).get_or_insert_default().insert(thread::current().id());
            // The first set takes longest, so its result arrives last.
            thread::sleep(Duration::from_millis(if index == 0 { 200 } else { 5 }));
            invented_tally(index, set)
        });
        let [done] = done.unwrap()[..] else { panic!("one task") };
        let covered = plan().expected_coverage(TASK);
        let sets = u64::from(covered.unwrap().sets);
        assert_eq!((done.result.single, done.result.covered), (sets * (sets - 1) / 2, covered));
        assert!(done.took > Duration::from_millis(200));
        assert_eq!(lock(&THREADS).as_ref().map(HashSet::len), Some(3));
    }

    #[test]
    fn more_threads_than_tasks_cover_every_task() {
        let tasks: Vec<usize> = (0..9).collect();
        for _ in 0..20 {
            let done =
                run_on_threads(tasks.clone(), 40, |_, index, set| invented_tally(index, set))
                    .unwrap();
            let covered = |done: &Done<Tally>| (done.task, done.result.covered);
            let expected: Vec<_> =
                tasks.iter().map(|&task| (task, plan().expected_coverage(task))).collect();
            assert_eq!(done.iter().map(covered).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn one_thread_finishes_each_task_before_the_next() {
        static ORDER: Mutex<Vec<usize>> = Mutex::new(Vec::new());
        let tasks = vec![TASK, 4, 700];
        let done = run_on_threads(tasks.clone(), 1, |task, index, set| {
            lock(&ORDER).push(task);
            invented_tally(index, set)
        });
        assert!(
            done.unwrap()
                .iter()
                .all(|done| done.result.covered == plan().expected_coverage(done.task))
        );
        lock(&ORDER).dedup();
        assert_eq!(*lock(&ORDER), tasks);
    }

    #[test]
    fn saves_partial_progress_only_up_to_the_first_gap() {
        let plan = plan();
        let counted = plan.counter(Form::Recursive, Isa::PORTABLE).count(&plan, TASK).unwrap();
        let partials = PartialTasks::with_interval(Duration::ZERO);
        let start = |task_queue: TaskQueue<Tally>| {
            let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
            let scheduler = SetScheduler::new(Arc::clone(&plan), task_queue, partials.clone());
            // The second call stands for another thread, which has no task yet.
            let [first, second] = [(); 2].map(|()| scheduler.take(None).unwrap());
            assert_eq!((first.index, second.index), (0, 1));
            let mut add = |Piece { running, index, set }: Piece| {
                let tally = counter.count_sets(&plan, TASK, index, &set).unwrap();
                scheduler.add_result(&running, index, (tally, Duration::from_secs(1))).unwrap();
                partials.get(TASK)
            };
            assert_eq!(add(second), None);
            let partial = add(first).unwrap();
            assert_eq!(partial.result.covered, plan.expected_coverage_of_first(TASK, 2));
            assert_eq!(partial.took, Duration::from_secs(2));
            scheduler.work(&mut plan.counter(Form::Recursive, Isa::PORTABLE));
            Ok(())
        };
        let done = run(vec![TASK], start, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(done[0].result, counted);
    }

    #[test]
    fn a_panic_in_a_column_set_names_its_task() {
        let error = run_on_threads(vec![TASK, 4], 2, |task, index, set| {
            assert!(index < 3 || task != TASK, "three are enough");
            invented_tally(index, set)
        });
        assert_eq!(
            error.unwrap_err().to_string(),
            "internal error: task 9 failed: three are enough"
        );
    }
}
