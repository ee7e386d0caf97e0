//! The CUDA kernels against the core, task by task, on the CPU. These tests cover neither the GPU's
//! compiler nor its way of running threads.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Arguments;
use pollster::block_on;
use queens_core::{
    Class, Form, Found, Isa, Method, Placement, Plan, Size, Tally, recount_audit_set,
    representative,
};
use queens_gpu::cuda::{JOIN_BLOCK, LEAF_QUEENS, NODE_WORDS};
use queens_gpu::{Device, JoinQueue, MAX_CHILDREN, Root, SUMS, TreeQueue, Triples};
use queens_tests::kernels::{Kernels, OnCpu, Shape, compiler, with_launches};
use queens_tests::trials::{CannotRun, trials};

/// Many threads that run one after another, and space for all nodes.
const WIDE: Shape =
    Shape { grid: 2, block: 64, at_once: false, capacity: 1 << 16, leaf_queens: LEAF_QUEENS };

type Test = fn(&Arc<Kernels>) -> Result<()>;

const TESTS: [(&str, Test); 9] = [
    ("every task matches the core", every_task_matches_core),
    ("a single thread gives the same counts", one_thread_agrees),
    ("threads of a warp that run in parallel give the same counts", warps_agree),
    ("small buffers and short ranges give the same counts", small_buffers_agree),
    ("deep and flat leaves give the same counts", other_leaf_depths_agree),
    ("leaves of large boards match the core", leaves_of_large_boards_match_core),
    ("every task of the colour join matches the core", every_task_of_join_matches_core),
    ("all block sizes and ranges of triples give the same counts", join_shapes_agree),
    ("audit sets of large boards match the core", audit_sets_of_large_boards_match_core),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let compiler = compiler().ok_or_else(|| CannotRun::Missing("no C++ compiler".to_owned()));
    let kernels = compiler.and_then(|compiler| Ok(Arc::new(Kernels::build(&compiler)?)));
    let trials = trials(&arguments, "CUDA kernels on the CPU", kernels, TESTS);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Counts `tasks` with the kernels, in launches of at most `launch` nodes.
fn count(
    kernels: &Arc<Kernels>,
    plan: &Plan,
    tasks: &[usize],
    shape: Shape,
    launch: usize,
) -> Result<Vec<Tally>> {
    let mut queue = TreeQueue::new(OnCpu::new(kernels, shape));
    let roots = Root::of_tasks(plan, tasks)?;
    let start = roots.first().context("the task has no start")?.rows();
    let levels = queue.device().levels(plan.size().get(), start);
    let tallies = with_launches(launch, |launches| {
        block_on(queue.count(&roots, tasks.len(), levels, launches))
    });
    tallies?.context("the count was stopped")
}

/// Counts all tasks of some boards, `batch` at a time, and compares them with the core's.
fn compare(
    kernels: &Arc<Kernels>,
    sizes: impl IntoIterator<Item = u32>,
    batch: usize,
    shape: Shape,
    launch: usize,
) -> Result<()> {
    for n in sizes {
        let plan = Plan::new(Size::new(n)?, Method::Symmetry);
        let tasks: Vec<_> = (0..plan.len()).collect();
        for tasks in tasks.chunks(batch) {
            compare_tasks(kernels, &plan, tasks, shape, launch)?;
        }
    }
    Ok(())
}

fn compare_tasks(
    kernels: &Arc<Kernels>,
    plan: &Plan,
    tasks: &[usize],
    shape: Shape,
    launch: usize,
) -> Result<()> {
    let tallies = count(kernels, plan, tasks, shape, launch)?;
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
    compare(kernels, 4..=14, 1000, WIDE, usize::MAX)
}

fn one_thread_agrees(kernels: &Arc<Kernels>) -> Result<()> {
    compare(kernels, 4..=12, 1000, Shape { grid: 1, block: 1, ..WIDE }, usize::MAX)
}

fn warps_agree(kernels: &Arc<Kernels>) -> Result<()> {
    for (n, block) in [(6, 32), (8, 32), (9, 7), (10, 3), (11, 32)] {
        compare(kernels, [n], 50, Shape { grid: 1, block, at_once: true, ..WIDE }, usize::MAX)?;
    }
    Ok(())
}

fn small_buffers_agree(kernels: &Arc<Kernels>) -> Result<()> {
    compare(kernels, 4..=11, 7, Shape { capacity: MAX_CHILDREN, ..WIDE }, 5)?;
    compare(kernels, [12, 13], 100, Shape { capacity: 3 * MAX_CHILDREN + 1, ..WIDE }, 50)
}

fn other_leaf_depths_agree(kernels: &Arc<Kernels>) -> Result<()> {
    for leaf_queens in [0, 1, 2, 5, 27] {
        compare(kernels, 4..=11, 1000, Shape { leaf_queens, ..WIDE }, usize::MAX)?;
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
            let prefix = *plan.starts(task).first().context("the task has no start")?;
            let root = Root::new(&prefix, 0).context("the start has no masks")?;
            let Some((node, tally)) = block_on(some_leaf(kernels, root, task))? else { continue };
            // The column of the queen in each row, or 255 for an open row.
            let queens = node[8..].iter().flat_map(|word| word.to_le_bytes());
            let queens: Vec<_> = queens.take(n as usize).collect();
            let b_is_settled = node[7] & 8 != 0;
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

/// Descends from a root to children that `choice` selects, and searches the last one. Returns its words and
/// its tally, or `None` if the branch ends.
async fn some_leaf(
    kernels: &Arc<Kernels>,
    root: Root,
    choice: usize,
) -> Result<Option<(Vec<u32>, Tally)>> {
    let mut device = OnCpu::new(kernels, WIDE);
    let roots = device.allocate(Root::WORDS).await?;
    device.write(&roots, root.words())?;
    let mut nodes = device.allocate(NODE_WORDS).await?;
    device.seed(&roots, 1, &nodes).await?;
    let (mut node, levels) = (0, device.levels(root.size(), root.rows()));
    for _ in 0..levels {
        let next = device.allocate(MAX_CHILDREN as usize * NODE_WORDS).await?;
        let children = device.expand(&roots, &nodes, node..node + 1, &next, 0).await?;
        if children == 0 {
            return Ok(None);
        }
        (nodes, node) = (next, choice as u32 * 7919 % children);
    }
    let tallies = device.allocate(8).await?;
    device.write(&tallies, &[0; 8])?;
    let open = root.open() - levels as u32;
    device.search(&roots, &nodes, node..node + 1, open, &tallies).await?;
    let words = device.read(&nodes, (node as usize + 1) * NODE_WORDS).await?;
    let mut tally = Tally::default();
    // All high words are 0.
    let counts = device.read(&tallies, 8).await?;
    for (class, low) in tally.classes.iter_mut().zip(counts.into_iter().step_by(2)) {
        *class = low.into();
    }
    Ok(Some((words[node as usize * NODE_WORDS..].to_vec(), tally)))
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

/// Counts tasks by the colour join, with blocks of `threads` threads and `range` triples in each launch.
fn count_join(
    kernels: &Arc<Kernels>,
    plan: &Plan,
    tasks: &[usize],
    threads: u32,
    range: usize,
) -> Result<Vec<Tally>> {
    let mut queue = JoinQueue::new(OnCpu::new(kernels, Shape { block: threads, ..WIDE }));
    let tallies = with_launches(range, |launches| block_on(queue.count(plan, tasks, launches)));
    tallies?.context("the count was stopped")
}

/// Counts all tasks of a board, and compares them with the core's.
fn compare_join(kernels: &Arc<Kernels>, n: u32, threads: u32, range: usize) -> Result<()> {
    let plan = Plan::new(Size::new(n)?, Method::Colours);
    let tasks: Vec<_> = (0..plan.len()).collect();
    let tallies = count_join(kernels, &plan, &tasks, threads, range)?;
    ensure!(tallies.len() == tasks.len(), "{} tallies", tallies.len());
    let mut counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
    for (task, tally) in tasks.into_iter().zip(tallies) {
        let expected = counter.count(&plan, task)?;
        ensure!(
            tally == expected,
            "N = {n}, task {task}, {threads} threads: {tally:?}, expected {expected:?}"
        );
    }
    Ok(())
}

fn every_task_of_join_matches_core(kernels: &Arc<Kernels>) -> Result<()> {
    (4..=14).try_for_each(|n| compare_join(kernels, n, JOIN_BLOCK, usize::MAX))
}

fn join_shapes_agree(kernels: &Arc<Kernels>) -> Result<()> {
    for (n, threads, range) in
        [(4, 1, 1), (5, 1, 2), (8, 3, 7), (9, 31, 1), (10, 1, 100), (11, 7, 3)]
    {
        compare_join(kernels, n, threads, range)?;
    }
    Ok(())
}

/// Compares single triples of boards whose tasks are too large for a test.
fn audit_sets_of_large_boards_match_core(kernels: &Arc<Kernels>) -> Result<()> {
    let mut found = 0;
    for n in [19, 20, 22, 23] {
        let plan = Plan::new(Size::new(n)?, Method::Colours);
        for part in 0..2 {
            let task = plan.len() / 2 * part;
            let triples = Triples::of_tasks(&plan, &[task])?.into_iter().next();
            let triples = triples.context("the task has no triples")?;
            let sums = block_on(first_sums(kernels, &triples))?;
            let chosen = u64::from(sums[3]) << 32 | u64::from(sums[2]);
            let expected = recount_audit_set(&plan, task).context("the task has no audit set")?;
            ensure!(chosen == expected, "N = {n}, task {task}: {chosen}, expected {expected}");
            found += chosen;
        }
    }
    ensure!(found > 1000, "too few solutions: {found}");
    Ok(())
}

/// Counts the first pair, which has the audit set, and returns the words of the sums.
async fn first_sums(kernels: &Arc<Kernels>, triples: &Triples) -> Result<Vec<u32>> {
    let mut device = OnCpu::new(kernels, WIDE);
    let pairs = device.allocate(triples.pairs.len()).await?;
    device.write(&pairs, &triples.pairs)?;
    let tables = device.allocate(triples.tables.len()).await?;
    device.write(&tables, &triples.tables)?;
    let sums = device.allocate(2 * SUMS).await?;
    device.write(&sums, &[0; 2 * SUMS])?;
    device.join(triples, [&pairs, &tables, &sums], 0..triples.sets).await?;
    Ok(device.read(&sums, 2 * SUMS).await?)
}
