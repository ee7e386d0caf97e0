//! The CUDA kernels against the core, task by task, on the CPU. These tests cover neither the GPU's
//! compiler nor its way of running threads.

use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Arguments;
use queens::count::gpu::{self, Device};
use queens_core::halves::{Splits, Tables};
use queens_core::{Class, Form, Found, Method, Placement, Plan, Size, Tally, representative};
use queens_gpu::cuda::LEAF_QUEENS;
use queens_gpu::halves::{self, Halves, HalvesQueue, Limits, ROUND};
use queens_gpu::{MAX_CHILDREN, Root};
use queens_tests::kernels::{Kernels, OnCpu, PairsOnCpu, Shape, WrongLengths, compiler};
use queens_tests::light_sets::LIGHT_SETS;
use queens_tests::recording_device::{RecordingDevice, SPLIT_BOARD, SPLIT_ROOMS, SPLIT_TILE};
use queens_tests::trials::{CannotRun, trials};

/// Many threads that run one after another, and space for all nodes.
const WIDE: Shape =
    Shape { grid: 2, block: 64, at_once: false, capacity: 1 << 16, leaf_queens: LEAF_QUEENS };

type Test = fn(&Arc<Kernels>) -> Result<()>;

const TESTS: [(&str, Test); 18] = [
    ("every task matches the core", every_task_matches_core),
    ("some tasks of larger boards match the core", samples_of_larger_boards_match_core),
    ("a single thread gives the same counts", one_thread_agrees),
    ("threads of a warp that run in parallel give the same counts", warps_agree),
    ("small buffers and short ranges give the same counts", small_buffers_agree),
    ("deep and flat leaves give the same counts", other_leaf_depths_agree),
    ("leaves of large boards match the core", leaves_of_large_boards_match_core),
    ("every task of halves matches the core", halves_match_core),
    ("samples of halves on larger boards match the core", halves_samples_match_core),
    ("any number of threads gives the same counts by halves", halves_thread_counts_agree),
    ("small buffers and short tiles give the same counts by halves", halves_small_buffers_agree),
    ("lists that exceed the memory are counted in parts", halves_count_long_lists_in_parts),
    ("a failed allocation is not tried again", failed_allocation_is_not_repeated),
    ("strips in two parts give the same counts by halves", halves_strip_parts_agree),
    ("column sets of the largest boards match the core", largest_column_sets_match_core),
    ("split lists have the same pairs", split_lists_match),
    ("split lists have the same pairs if memory is short", split_lists_match_in_little_memory),
    ("placements that exceed their list are detected", detects_lost_placements),
];

/// A whole warp, and space for all lists.
const WARP: Limits =
    Limits { lanes: 32, others: 1 << 12, workgroups: 1 << 12, elements: 1 << 22, parts: ROUND };

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let compiler = compiler().ok_or_else(|| CannotRun::Missing("no C++ compiler".to_owned()));
    let kernels = compiler.and_then(|compiler| Ok(Arc::new(Kernels::build(&compiler)?)));
    let trials = trials(&arguments, "CUDA kernels on the CPU", kernels, TESTS);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Counts `tasks` with the kernels.
fn count(kernels: &Arc<Kernels>, plan: &Plan, tasks: &[usize], shape: Shape) -> Result<Vec<Tally>> {
    let mut device = OnCpu::new(kernels, shape);
    let roots = Root::of_tasks(plan, tasks)?;
    let start = roots.first().context("the task has no start")?.rows();
    device.begin(&roots, tasks.len())?;
    let levels = device.levels(plan.size().get(), start);
    descend(&mut device, 0, levels, roots.len() as u32)?;
    Ok(device.tallies()?)
}

/// Processes the nodes of a level in ranges whose children fit the next level's buffer.
fn descend(device: &mut OnCpu, level: usize, levels: usize, nodes: u32) -> Result<()> {
    if level == levels {
        return Ok(device.search(level, 0..nodes)?);
    }
    let range = (device.capacity() / MAX_CHILDREN).max(1);
    let mut begin = 0;
    while begin < nodes {
        let end = nodes.min(begin + range);
        // Expands the range in two parts, of which the second is appended to the first.
        let middle = (begin + end) / 2;
        let some = device.expand(level, begin..middle, 0)?;
        let all = device.expand(level, middle..end, some)?;
        descend(device, level + 1, levels, all)?;
        begin = end;
    }
    Ok(())
}

/// Counts all tasks of some boards, `batch` at a time, and compares them with the core's.
fn compare(
    kernels: &Arc<Kernels>,
    sizes: impl IntoIterator<Item = u32>,
    batch: usize,
    shape: Shape,
) -> Result<()> {
    for n in sizes {
        let plan = Plan::new(Size::new(n)?, Method::Symmetry);
        let tasks: Vec<_> = (0..plan.len()).collect();
        for tasks in tasks.chunks(batch) {
            compare_tasks(kernels, &plan, tasks, shape)?;
        }
    }
    Ok(())
}

fn compare_tasks(kernels: &Arc<Kernels>, plan: &Plan, tasks: &[usize], shape: Shape) -> Result<()> {
    let tallies = count(kernels, plan, tasks, shape)?;
    ensure!(tallies.len() == tasks.len(), "{} tallies for {tasks:?}", tallies.len());
    for (&task, tally) in tasks.iter().zip(tallies) {
        let expected = plan.count(task, Form::Recursive)?;
        let n = plan.size();
        ensure!(
            tally == expected,
            "N = {n}, task {task}, {shape:?}: {tally:?}, expected {expected:?}"
        );
    }
    Ok(())
}

fn every_task_matches_core(kernels: &Arc<Kernels>) -> Result<()> {
    compare(kernels, 4..=14, 1000, WIDE)
}

fn samples_of_larger_boards_match_core(kernels: &Arc<Kernels>) -> Result<()> {
    for n in [15, 16, 17, 18, 19] {
        let plan = Plan::new(Size::new(n)?, Method::Symmetry);
        let tasks: Vec<_> = (0..6).map(|part| plan.len() / 6 * part + part).collect();
        compare_tasks(kernels, &plan, &tasks, WIDE)?;
    }
    Ok(())
}

fn one_thread_agrees(kernels: &Arc<Kernels>) -> Result<()> {
    compare(kernels, 4..=12, 1000, Shape { grid: 1, block: 1, ..WIDE })
}

fn warps_agree(kernels: &Arc<Kernels>) -> Result<()> {
    for (n, block) in [(6, 32), (8, 32), (9, 7), (10, 3), (11, 32)] {
        compare(kernels, [n], 50, Shape { grid: 1, block, at_once: true, ..WIDE })?;
    }
    Ok(())
}

fn small_buffers_agree(kernels: &Arc<Kernels>) -> Result<()> {
    compare(kernels, 4..=11, 7, Shape { capacity: MAX_CHILDREN, ..WIDE })?;
    compare(kernels, [12, 13], 100, Shape { capacity: 3 * MAX_CHILDREN + 1, ..WIDE })
}

fn other_leaf_depths_agree(kernels: &Arc<Kernels>) -> Result<()> {
    for leaf_queens in [0, 1, 2, 5, 27] {
        compare(kernels, 4..=11, 1000, Shape { leaf_queens, ..WIDE })?;
    }
    Ok(())
}

/// Compares some leaves of the largest boards, whose whole tasks are too large for a test. The
/// reference finds all completions of a leaf that represent their class.
fn leaves_of_large_boards_match_core(kernels: &Arc<Kernels>) -> Result<()> {
    let mut leaves = 0;
    let mut found = Tally::default();
    for n in [17, 20, 25, 27, 28] {
        let plan = Plan::new(Size::new(n)?, Method::Symmetry);
        for step in 0..20 {
            let task = plan.len() / 20 * step;
            let mut device = OnCpu::new(kernels, WIDE);
            let prefix = *plan.starts(task).first().context("the task has no start")?;
            let start = prefix.columns_from_right().len() as u32;
            device.begin(&[Root::new(&prefix, 0).context("the start has no masks")?], 1)?;
            let levels = device.levels(n, start);
            let Some(node) = some_leaf(&mut device, levels, task)? else { continue };
            let (queens, b_is_settled) = device.node(levels, node).context("no such node")?;
            device.search(levels, node..node + 1)?;
            let tally = device.tallies()?[0];
            let mut expected = Tally::default();
            Completions { queens, b_is_settled, tally: &mut expected }.search(0)?;
            ensure!(tally == expected, "N = {n}, task {task}: {tally:?}, expected {expected:?}");
            leaves += 1;
            found = found.checked_add(tally).context("the sum overflows")?;
        }
    }
    ensure!(leaves > 60 && found.met() > 300, "too few leaves or solutions: {leaves}, {found:?}");
    Ok(())
}

/// Descends from node 0 to children that `choice` selects. Returns `None` if the branch ends.
fn some_leaf(device: &mut OnCpu, levels: usize, choice: usize) -> Result<Option<u32>> {
    let mut node = 0;
    for level in 0..levels {
        let children = device.expand(level, node..node + 1, 0)?;
        if children == 0 {
            return Ok(None);
        }
        node = choice as u32 * 7919 % children;
    }
    Ok(Some(node))
}

/// A search for all completions of a board, which checks every pair of queens.
struct Completions<'a> {
    queens: Vec<u8>,
    b_is_settled: bool,
    tally: &'a mut Tally,
}

impl Completions<'_> {
    const OPEN: u8 = 255;

    fn search(&mut self, row: usize) -> Result<()> {
        let size = self.queens.len();
        let Some(&queen) = self.queens.get(row) else {
            let columns: Vec<_> = self.queens.iter().copied().map(u32::from).collect();
            let placement = Placement::from_right(&columns)?;
            if representative(&placement) == placement {
                self.tally.add(Found::Class(Class::of(&placement)));
            }
            return Ok(());
        };
        if queen != Self::OPEN {
            return self.search(row + 1);
        }
        for column in 0..size as u8 {
            // Solutions with a queen on cell B are below a separate node.
            let is_b = row + 1 == size && column + 1 + self.queens[0] == size as u8;
            let is_excluded = is_b && self.b_is_settled && self.queens[0] != 0;
            if self.is_free(row, column) && !is_excluded {
                self.queens[row] = column;
                self.search(row + 1)?;
                self.queens[row] = Self::OPEN;
            }
        }
        Ok(())
    }

    fn is_free(&self, row: usize, column: u8) -> bool {
        self.queens.iter().enumerate().all(|(other, &queen)| {
            queen == Self::OPEN
                || queen != column && usize::from(queen.abs_diff(column)) != row.abs_diff(other)
        })
    }
}

/// Counts tasks of halves with the kernels.
fn count_halves(device: PairsOnCpu, plan: &Arc<Plan>, tasks: &[usize]) -> Result<Vec<Tally>> {
    count_with(&Halves::new(Arc::clone(plan))?, device, tasks)
}

fn count_with(
    halves: &Halves,
    device: impl halves::Device + 'static,
    tasks: &[usize],
) -> Result<Vec<Tally>> {
    let mut queue = HalvesQueue::new(Box::new(device));
    let tallies = gpu::count_halves(&mut queue, halves, tasks, &|| false)?;
    tallies.context("the count was cancelled")
}

/// Prepares a plan of halves for tiles of few placements, so that even the lists of small boards
/// are split.
fn halves_split(plan: &Arc<Plan>, tile: u32) -> Result<Halves> {
    let mut halves = Halves::new(Arc::clone(plan))?;
    halves.splits = Splits::with_tiles(plan.size(), tile).context("the board is too large")?;
    ensure!(halves.splits.leaves() > 1, "N = {} has no splits", plan.size());
    Ok(halves)
}

/// Compares every `step`-th task of a board with the core's counts, with splits for tiles of size `tile`.
fn compare_split(
    kernels: &Arc<Kernels>,
    n: u32,
    (step, tile): (usize, u32),
    limits: Limits,
) -> Result<()> {
    let plan = Arc::new(Plan::new(Size::new(n)?, Method::Halves));
    let halves = halves_split(&plan, tile)?;
    let tasks: Vec<usize> = (0..plan.len()).step_by(step).collect();
    let tallies = count_with(&halves, PairsOnCpu::new(kernels, limits), &tasks)?;
    for (task, tally) in tasks.into_iter().zip(tallies) {
        let expected = plan.count(task, Form::Recursive)?;
        ensure!(
            tally == expected,
            "N = {n}, task {task}, tiles of {tile}, {limits:?}: {tally:?}, expected {expected:?}"
        );
    }
    Ok(())
}

fn split_lists_match(kernels: &Arc<Kernels>) -> Result<()> {
    for (n, step, tile) in [(8, 1, 4), (9, 1, 2), (10, 1, 4), (11, 1, 4), (13, 9, 4)] {
        compare_split(kernels, n, (step, tile), WARP)?;
    }
    for (n, lanes, others) in [(8, 1, 1), (9, 3, 5), (10, 31, 7)] {
        compare_split(kernels, n, (1, 2), Limits { lanes, others, ..WARP })?;
    }
    Ok(())
}

fn split_lists_match_in_little_memory(kernels: &Arc<Kernels>) -> Result<()> {
    let plan = Arc::new(Plan::new(Size::new(SPLIT_BOARD)?, Method::Halves));
    let halves = halves_split(&plan, SPLIT_TILE)?;
    for (elements, expected) in SPLIT_ROOMS {
        let limits = Limits { elements: elements.into(), ..WARP };
        let device = RecordingDevice::new(Box::new(PairsOnCpu::new(kernels, limits)));
        let record = device.record();
        let tallies = count_with(&halves, device, &all_tasks(&plan))?;
        for (task, tally) in tallies.into_iter().enumerate() {
            let expected = plan.count(task, Form::Recursive)?;
            ensure!(tally == expected, "{elements}, {task}: {tally:?}, expected {expected:?}");
        }
        record.borrow().check_splitting(expected, halves.splits.leaves())?;
    }
    Ok(())
}

/// Compares the tallies of some tasks of a board with the core's.
fn compare_halves(
    kernels: &Arc<Kernels>,
    n: u32,
    tasks: impl FnOnce(&Plan) -> Vec<usize>,
    limits: Limits,
) -> Result<()> {
    let plan = Arc::new(Plan::new(Size::new(n)?, Method::Halves));
    let tasks = tasks(&plan);
    let tallies = count_halves(PairsOnCpu::new(kernels, limits), &plan, &tasks)?;
    ensure!(tallies.len() == tasks.len(), "{} tallies for {tasks:?}", tallies.len());
    for (task, tally) in tasks.into_iter().zip(tallies) {
        let expected = plan.count(task, Form::Recursive)?;
        ensure!(
            tally == expected,
            "N = {n}, task {task}, {limits:?}: {tally:?}, expected {expected:?}"
        );
    }
    Ok(())
}

fn all_tasks(plan: &Plan) -> Vec<usize> {
    (0..plan.len()).collect()
}

fn halves_match_core(kernels: &Arc<Kernels>) -> Result<()> {
    (4..=14).try_for_each(|n| compare_halves(kernels, n, all_tasks, WARP))
}

fn halves_samples_match_core(kernels: &Arc<Kernels>) -> Result<()> {
    for n in 15..=20 {
        let some = |plan: &Plan| {
            let parts = if n < 18 { 4 } else { 1 };
            (0..parts).map(|part| plan.len() / (parts + 1) * (part + 1)).collect()
        };
        compare_halves(kernels, n, some, WARP)?;
    }
    Ok(())
}

fn halves_thread_counts_agree(kernels: &Arc<Kernels>) -> Result<()> {
    for (lanes, largest) in [(1, 11), (3, 9), (31, 10)] {
        for n in 4..=largest {
            compare_halves(kernels, n, all_tasks, Limits { lanes, ..WARP })?;
        }
    }
    Ok(())
}

fn halves_small_buffers_agree(kernels: &Arc<Kernels>) -> Result<()> {
    for (others, workgroups) in [(1, 3), (7, 1), (33, 100)] {
        for n in [8, 9, 11] {
            compare_halves(kernels, n, all_tasks, Limits { others, workgroups, ..WARP })?;
        }
    }
    Ok(())
}

fn halves_count_long_lists_in_parts(kernels: &Arc<Kernels>) -> Result<()> {
    for n in [12, 13] {
        // Space for a few lists at a time, for parts of one column set's lists, and for even less.
        for elements in [1500, 120, 60] {
            compare_halves(kernels, n, all_tasks, Limits { elements, ..WARP })?;
        }
        let refused = compare_halves(kernels, n, all_tasks, Limits { elements: 3, ..WARP });
        let message = refused.err().context("the count succeeded with three elements")?.to_string();
        ensure!(message.contains("even in the smallest parts, and 24 are available"), "{message}");
    }
    Ok(())
}

fn failed_allocation_is_not_repeated(kernels: &Arc<Kernels>) -> Result<()> {
    let plan = Arc::new(Plan::new(Size::new(12)?, Method::Halves));
    let halves = Halves::new(Arc::clone(&plan))?;
    let tasks = all_tasks(&plan);
    // Memory for the lists of many column sets, of some, and of less than one.
    for memory in [5000, 1500, 100] {
        let mut device = PairsOnCpu::new(kernels, WARP);
        device.memory = memory;
        let requested = Rc::clone(&device.requested);
        let mut queue = HalvesQueue::new(Box::new(device));
        for tasks in tasks.chunks(150) {
            let tallies = gpu::count_halves(&mut queue, &halves, tasks, &|| false);
            if memory == 100 {
                let error = tallies.err().context("the buffer found memory")?.to_string();
                ensure!(error.contains("no memory for "), "{error}");
                continue;
            }
            for (&task, tally) in tasks.iter().zip(tallies?.context("the count was cancelled")?) {
                let expected = plan.count(task, Form::Recursive)?;
                ensure!(tally == expected, "{memory}, {task}: {tally:?}, expected {expected:?}");
            }
        }
        let mut refused = u64::MAX;
        for &elements in &*requested.borrow() {
            ensure!(
                elements < refused,
                "{elements} elements were requested after {refused} had been refused"
            );
            refused = if elements > memory { elements } else { refused };
        }
        ensure!(refused < u64::MAX && requested.borrow().len() < 15, "{memory}: {requested:?}");
    }
    Ok(())
}

fn halves_strip_parts_agree(kernels: &Arc<Kernels>) -> Result<()> {
    for (largest_part, largest) in [(1, 10), (2, 11)] {
        for n in 4..=largest {
            let plan = Arc::new(Plan::new(Size::new(n)?, Method::Halves));
            let mut halves = Halves::new(Arc::clone(&plan))?;
            let tables = Tables::with_parts(plan.size(), largest_part);
            halves.tables = tables.context("the board is too large")?;
            let tasks = all_tasks(&plan);
            let tallies = count_with(&halves, PairsOnCpu::new(kernels, WARP), &tasks)?;
            for (task, tally) in tasks.into_iter().zip(tallies) {
                let expected = plan.count(task, Form::Recursive)?;
                ensure!(
                    tally == expected,
                    "N = {n}, task {task}: {tally:?}, expected {expected:?}"
                );
            }
        }
    }
    Ok(())
}

/// Compares column sets of the largest boards, whose whole tasks are too large for a test.
fn largest_column_sets_match_core(kernels: &Arc<Kernels>) -> Result<()> {
    LIGHT_SETS.into_iter().try_for_each(|set| {
        set.compare(HalvesQueue::new(Box::new(PairsOnCpu::new(kernels, WARP))), set.buffer_size())
    })
}

/// Checks that the queue detects a device which reports the length of each list, or of its last leaf,
/// one too small.
fn detects_lost_placements(kernels: &Arc<Kernels>) -> Result<()> {
    let plan = Arc::new(Plan::new(Size::new(10)?, Method::Halves));
    let halves = halves_split(&plan, 4)?;
    for wrong_lengths in [WrongLengths::Lists, WrongLengths::Leaves] {
        let mut device = PairsOnCpu::new(kernels, WARP);
        device.wrong_lengths = Some(wrong_lengths);
        let counted = count_with(&halves, device, &[0, 1]);
        let message = counted.err().context("the wrong counts were not detected")?.to_string();
        ensure!(
            message.starts_with("the placements do not match the counts made before: "),
            "{message}"
        );
    }
    Ok(())
}
