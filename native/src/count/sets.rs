//! Work-stealing scheduler for column sets. Each thread works on its own tasks, and then takes sets from
//! the tasks of other threads, so that no thread waits long for the last one.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use queens_core::{Counter, Done, Plan, Tally, TaskError, halves::ColumnSets};

use super::{RunError, TaskQueue, runner::caught};
use crate::{journal::PartialTasks, lock::lock};

/// Scheduler of the running tasks, shared by all threads.
#[derive(Debug)]
pub struct SetScheduler {
    plan: Arc<Plan>,
    task_queue: TaskQueue<Tally>,
    in_work: PartialTasks,
    begun: Mutex<BTreeMap<usize, Arc<Begun>>>,
}

/// A running task.
#[derive(Debug)]
struct Begun {
    task: usize,
    /// Number of its column sets.
    all: usize,
    /// Time spent on the task in earlier sessions.
    before: Duration,
    state: Mutex<TaskState>,
}

#[derive(Debug)]
struct TaskState {
    /// The column sets that no thread has taken, each with its index in the task.
    left: VecDeque<(usize, ColumnSets)>,
    /// Number of sets counted without a gap from the first one. The next two fields are their sum and the
    /// time that they took.
    counted: usize,
    sum: Tally,
    took: Duration,
    /// Results of sets after the first gap, by index.
    ahead: BTreeMap<usize, (Tally, Duration)>,
    noted: Instant,
}

/// A column set to count.
struct Piece {
    of: Arc<Begun>,
    place: usize,
    sets: ColumnSets,
}

impl SetScheduler {
    /// Creates a scheduler that has not taken a task yet.
    pub fn new(
        plan: Arc<Plan>,
        task_queue: TaskQueue<Tally>,
        in_work: PartialTasks,
    ) -> SetScheduler {
        SetScheduler { plan, task_queue, in_work, begun: Mutex::default() }
    }

    /// Counts column sets until none are left or the run ends. Each thread calls this once.
    pub fn work(&self, counter: &mut Counter) {
        self.work_by(|task, place, sets| counter.count_sets(&self.plan, task, place, sets));
    }

    fn work_by(
        &self,
        mut count: impl FnMut(usize, usize, &ColumnSets) -> Result<Tally, TaskError>,
    ) {
        let mut last = None;
        while let Some(Piece { of, place, sets }) = self.take(last.as_ref()) {
            let clock = Instant::now();
            let counted = caught(|| {
                let tally = count(of.task, place, &sets)?;
                self.put(&of, place, (tally, clock.elapsed()))
            });
            match counted {
                Ok(Ok(())) => last = Some(of),
                Ok(Err(error)) => return self.task_queue.fail(error),
                Err(reason) => {
                    let tasks = vec![of.task];
                    return self.task_queue.fail(RunError::Panicked { tasks, reason });
                }
            }
        }
    }

    /// Takes the next column set: from the thread's current task, from a new task, or from the running
    /// task with the most sets left.
    fn take(&self, last: Option<&Arc<Begun>>) -> Option<Piece> {
        if self.task_queue.stopped() {
            return None;
        }
        if let Some(piece) = last.and_then(taken) {
            return Some(piece);
        }
        // Lock until the new task is in the map. Another thread that finds neither a queued task nor a
        // running one would end too early.
        let mut begun = lock(&self.begun);
        while let [task] = self.task_queue.take(1)[..] {
            if let Some(new) = self.begin(task) {
                let piece = taken(&new);
                begun.insert(task, new);
                return piece;
            }
        }
        let mut others: Vec<_> = begun.values().cloned().collect();
        drop(begun);
        // Cache the keys: other threads change the lengths during the sort.
        others.sort_by_cached_key(|of| Reverse(lock(&of.state).left.len()));
        others.iter().find_map(taken)
    }

    /// Starts a task, or resumes it from its partial result. If no sets are left, reports it as done and
    /// returns `None`.
    fn begin(&self, task: usize) -> Option<Arc<Begun>> {
        let before = self.in_work.of(task);
        let nothing =
            Tally { covered: self.plan.expected_coverage_of_first(task, 0), ..Tally::default() };
        let sum = before.map_or(nothing, |before| before.result);
        let counted = sum.covered.unwrap_or_default().sets as usize;
        let mut left: VecDeque<_> =
            self.plan.column_sets(task).into_iter().flatten().enumerate().collect();
        let all = left.len();
        left.drain(..counted.min(all));
        let is_done = left.is_empty();
        let took = Duration::ZERO;
        let (ahead, noted) = (BTreeMap::new(), Instant::now());
        let state = Mutex::new(TaskState { left, counted, sum, took, ahead, noted });
        let before = before.map_or(Duration::ZERO, |before| before.took);
        if is_done {
            self.task_queue.done(Done { task, result: sum, took });
            return None;
        }
        Some(Arc::new(Begun { task, all, before, state }))
    }

    /// Adds the result of a column set, and reports the task after its last one. Sets are added in their
    /// order, because a journal describes a partial result only by the number of its first sets.
    fn put(&self, of: &Begun, place: usize, came: (Tally, Duration)) -> Result<(), TaskError> {
        let task = of.task;
        let mut guard = lock(&of.state);
        let state = &mut *guard;
        state.ahead.insert(place, came);
        while let Some((next, took)) = state.ahead.remove(&state.counted) {
            state.sum = state.sum.checked_add(next).ok_or(TaskError::Overflow { task })?;
            state.took += took;
            state.counted += 1;
        }
        let TaskState { sum: result, took, counted, noted, .. } = *state;
        if counted == of.all {
            drop(guard);
            lock(&self.begun).remove(&task);
            self.task_queue.done(Done { task, result, took });
        } else if counted > 0 && noted.elapsed() >= self.in_work.every() {
            state.noted = Instant::now();
            self.in_work.note(Done { task, result, took: of.before + took });
        }
        Ok(())
    }
}

/// Takes the next column set of a task, if one is left.
fn taken(of: &Arc<Begun>) -> Option<Piece> {
    let (place, sets) = lock(&of.state).left.pop_front()?;
    Some(Piece { of: Arc::clone(of), place, sets })
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

    /// Runs tasks on several threads that use `count` in place of the real counter.
    fn shared(
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
                    scheduler.work_by(|task, place, sets| Ok(count(task, place, sets)));
                });
            }
            Ok(())
        };
        run(tasks, start, &mut |_| ControlFlow::Continue(()))
    }

    /// Returns an invented result: the number of solutions is the index of the set.
    fn invented(place: usize, sets: &ColumnSets) -> Tally {
        let covered = Some(Coverage { sets: 1, weight: sets.weight });
        Tally { single: place as u64, covered, ..Tally::default() }
    }

    #[test]
    fn all_threads_share_the_last_task() {
        static THREADS: Mutex<Option<HashSet<thread::ThreadId>>> = Mutex::new(None);
        let done = shared(vec![TASK], 3, |_, place, sets| {
            lock(&THREADS).get_or_insert_default().insert(thread::current().id());
            // The first set takes longest, so its result arrives last.
            thread::sleep(Duration::from_millis(if place == 0 { 200 } else { 5 }));
            invented(place, sets)
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
            let done = shared(tasks.clone(), 40, |_, place, sets| invented(place, sets)).unwrap();
            let covered = |done: &Done<Tally>| (done.task, done.result.covered);
            let expected: Vec<_> =
                tasks.iter().map(|&task| (task, plan().expected_coverage(task))).collect();
            assert_eq!(done.iter().map(covered).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn starts_all_tasks_before_sharing_one() {
        static ORDER: Mutex<Vec<usize>> = Mutex::new(Vec::new());
        let tasks = vec![TASK, 4, 700];
        let done = shared(tasks.clone(), 1, |task, place, sets| {
            lock(&ORDER).push(task);
            invented(place, sets)
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
        let in_work = PartialTasks::noted_every(Duration::ZERO);
        let start = |task_queue: TaskQueue<Tally>| {
            let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
            let scheduler = SetScheduler::new(Arc::clone(&plan), task_queue, in_work.clone());
            // The second call stands for another thread, which has no task yet.
            let [first, second] = [(); 2].map(|()| scheduler.take(None).unwrap());
            assert_eq!((first.place, second.place), (0, 1));
            let mut put = |Piece { of, place, sets }: Piece| {
                let tally = counter.count_sets(&plan, TASK, place, &sets).unwrap();
                scheduler.put(&of, place, (tally, Duration::from_secs(1))).unwrap();
                in_work.of(TASK)
            };
            assert_eq!(put(second), None);
            let noted = put(first).unwrap();
            assert_eq!(noted.result.covered, plan.expected_coverage_of_first(TASK, 2));
            assert_eq!(noted.took, Duration::from_secs(2));
            scheduler.work(&mut plan.counter(Form::Recursive, Isa::PORTABLE));
            Ok(())
        };
        let done = run(vec![TASK], start, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(done[0].result, counted);
    }

    #[test]
    fn a_panic_in_a_column_set_names_its_task() {
        let error = shared(vec![TASK, 4], 2, |task, place, sets| {
            assert!(place < 3 || task != TASK, "three are enough");
            invented(place, sets)
        });
        assert_eq!(
            error.unwrap_err().to_string(),
            "internal error: task 9 failed: three are enough"
        );
    }
}
