//! The wgpu backend and its kernels against the core, task by task, on a software adapter, or on
//! the best GPU if there is no such adapter.

use std::fs;
use std::ops::{ControlFlow, Range};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Arguments;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use pollster::block_on;
use queens::count::gpu::{FoundGpu, Gpus};
use queens::count::{self, Backend, BackendError, GPUS, GpuBackend};
use queens::journal::PartialTasks;
use queens_core::document::BackendKind;
use queens_core::{Form, Method, Plan, Size, Tally};
use queens_gpu::wgpu::{WgpuQueue, adapters as all_adapters};
use queens_gpu::{Device, JoinQueue, Root, TreeQueue};
use queens_tests::kernels::with_launches;
use queens_tests::trials::{CannotRun, trials};
use queens_tests::{command, measurements};
use serde_json::Value;

type Test = fn() -> Result<()>;

/// The tests that need an adapter.
const ON_ADAPTERS: [(&str, Test); 9] = [
    ("every task matches the core", every_task_matches_core),
    ("every task of the colour join matches the core", colours_match_core),
    ("a launch that a driver ends early is an error", reports_unfinished_launches),
    ("any number of threads gives the same counts", thread_counts_agree),
    ("single nodes and short ranges give the same counts", short_ranges_agree),
    ("deep and flat leaves give the same counts", other_leaf_depths_agree),
    ("large and small batches can follow each other", batch_sizes_can_alternate),
    ("the document names the device", document_names_device),
    ("the prepared measurements run to their end", measurements_end),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let adapters = match adapters(None) {
        Ok(_) => Ok(()),
        Err(error) => Err(CannotRun::Missing(error.to_string())),
    };
    let anywhere: [(_, Test); 1] = [("the kernels are portable", portable)];
    let with_part = |(name, test): (_, Test)| (name, move |(): &()| test());
    let mut all = trials(&arguments, "WGSL kernels", Ok(()), anywhere.map(with_part));
    all.extend(trials(&arguments, "wgpu", adapters, ON_ADAPTERS.map(with_part)));
    libtest_mimic::run(&arguments, all).exit_code()
}

/// Validates the kernels without extensions of WGSL, because browsers support none.
fn portable() -> Result<()> {
    let mut sources = 0;
    for file in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders"))? {
        let path = file?.path();
        if path.extension().is_none_or(|extension| extension != "wgsl") {
            continue;
        }
        let source = &fs::read_to_string(&path)?;
        let module = naga::front::wgsl::parse_str(source)
            .map_err(|error| anyhow::anyhow!(error.emit_to_string(source)))?;
        Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .map_err(|error| anyhow::anyhow!(error.emit_to_string(source)))?;
        ensure!(!module.entry_points.is_empty(), "{} has no kernel", path.display());
        sources += 1;
    }
    ensure!(sources > 0, "there are no WGSL kernels");
    Ok(())
}

fn adapters(lanes: Option<u32>) -> Result<Vec<FoundGpu>, BackendError> {
    let wgpu = |gpus: &&GpuBackend| gpus.kind == BackendKind::Wgpu;
    let wgpu = GPUS.iter().find(wgpu).ok_or_else(|| BackendError::Unavailable {
        kind: BackendKind::Wgpu,
        reason: "the backend is not in the table".to_owned(),
        hint: None,
    })?;
    wgpu.find(lanes)
}

/// Returns the software adapter if one exists, so that a test does the same on every machine.
fn test_gpu(lanes: Option<u32>) -> Result<FoundGpu> {
    let mut found = adapters(lanes)?;
    found.sort_by_key(|found| !found.is_software);
    found.into_iter().next().context("no adapter found")
}

/// Opens the same adapter.
fn device() -> Result<WgpuQueue> {
    let mut found = block_on(all_adapters());
    found.sort_by_key(|adapter| !adapter.is_software());
    let adapter = found.first().context("no adapter found")?;
    Ok(block_on(WgpuQueue::open(block_on(adapter.connect(None))?))?)
}

fn plan(n: u32) -> Result<Plan> {
    Ok(Plan::new(Size::new(n)?, Method::Symmetry))
}

/// Compares the tallies of some tasks with the core's.
fn compare(plan: &Plan, tallies: impl IntoIterator<Item = (usize, Tally)>) -> Result<()> {
    for (task, tally) in tallies {
        let expected = plan.count(task, Form::Recursive)?;
        let n = plan.size();
        ensure!(tally == expected, "N = {n}, task {task}: {tally:?}, expected {expected:?}");
    }
    Ok(())
}

/// Counts boards as the command does.
fn count_all(
    method: Method,
    sizes: impl IntoIterator<Item = u32>,
    lanes: Option<u32>,
) -> Result<()> {
    let gpus = Gpus::new(BackendKind::Wgpu, vec![test_gpu(lanes)?], lanes);
    for n in sizes {
        let plan = Arc::new(Plan::new(Size::new(n)?, method));
        let start = |orders| gpus.start(Arc::clone(&plan), orders, PartialTasks::default());
        let tasks = (0..plan.len()).collect();
        let done = count::run(tasks, start, &mut |_| ControlFlow::Continue(()))?;
        ensure!(done.len() == plan.len(), "N = {n}: {} tasks", done.len());
        compare(&plan, done.into_iter().map(|done| (done.task, done.result)))?;
    }
    Ok(())
}

fn every_task_matches_core() -> Result<()> {
    count_all(Method::Symmetry, 4..=14, None)
}

fn colours_match_core() -> Result<()> {
    count_all(Method::Colours, 4..=12, None)
}

/// A software renderer ends the kernel after a number of loop iterations, and reports nothing.
fn reports_unfinished_launches() -> Result<()> {
    if !adapters(None)?.iter().any(|found| found.is_software) {
        return Ok(());
    }
    let plan = Plan::new(Size::new(28)?, Method::Colours);
    let mut queue = JoinQueue::new(device()?);
    let counted = with_launches(1, |launches| block_on(queue.count(&plan, &[0], launches)));
    let error = counted.err().map(|error| error.to_string());
    let expected = "the driver ended a launch before it was finished";
    ensure!(error.as_deref() == Some(expected), "{error:?}");
    Ok(())
}

fn thread_counts_agree() -> Result<()> {
    for lanes in [1, 2, 63, 65, 200] {
        count_all(Method::Symmetry, [8, 11], Some(lanes))?;
        count_all(Method::Colours, [9, 10], Some(lanes))?;
    }
    Ok(())
}

/// How a batch is divided.
#[derive(Clone, Copy)]
struct Cut {
    /// The number of levels that are expanded before the search.
    levels: usize,
    /// The largest number of nodes that are searched at once.
    nodes: usize,
}

type Queue = TreeQueue<WgpuQueue>;

/// Counts `tasks`, divided according to `cut`.
fn count_batch(
    queue: &mut Queue,
    plan: &Plan,
    tasks: Range<usize>,
    cut: Cut,
) -> Result<Vec<Tally>> {
    let roots = Root::of_tasks(plan, &tasks.clone().collect::<Vec<_>>())?;
    let tallies = with_launches(cut.nodes, |launches| {
        block_on(queue.count(&roots, tasks.len(), cut.levels, launches))
    });
    tallies?.context("the count was stopped")
}

fn short_ranges_agree() -> Result<()> {
    let mut queue = TreeQueue::new(device()?);
    for (n, nodes) in [(6, 1), (8, 1), (9, 5), (10, 37)] {
        let plan = plan(n)?;
        let cut = Cut { levels: 2, nodes };
        let tallies = count_batch(&mut queue, &plan, 0..plan.len(), cut)?;
        compare(&plan, (0..).zip(tallies))?;
    }
    Ok(())
}

fn other_leaf_depths_agree() -> Result<()> {
    let mut queue = TreeQueue::new(device()?);
    for n in 4..=12 {
        let plan = plan(n)?;
        let starts = plan.starts(0);
        let first = starts.first().context("the task has no start")?.columns_from_right().len();
        // At the deepest level two rows are open, unless a node cannot hold that many queens. Without any
        // expansion, an invocation has to stop and resume many times.
        let deepest = (n as usize - first - 2).min(8);
        for levels in [0, 1, 3, 5, 8] {
            let cut = Cut { levels: deepest.min(levels), nodes: usize::MAX };
            let tallies = count_batch(&mut queue, &plan, 0..plan.len(), cut)?;
            compare(&plan, (0..).zip(tallies))?;
        }
    }
    Ok(())
}

fn batch_sizes_can_alternate() -> Result<()> {
    let mut queue = TreeQueue::new(device()?);
    for (n, size) in [(12, 3), (8, 1000), (12, 100), (11, 1)] {
        let plan = plan(n)?;
        let cut = Cut { levels: queue.device().levels(n, 2), nodes: usize::MAX };
        let mut begin = 0;
        while begin < plan.len() {
            let tasks = begin..plan.len().min(begin + size);
            let tallies = count_batch(&mut queue, &plan, tasks.clone(), cut)?;
            ensure!(tallies.len() == tasks.len(), "{} tallies", tallies.len());
            compare(&plan, tasks.clone().zip(tallies))?;
            begin = tasks.end;
        }
    }
    Ok(())
}

fn run_command(arguments: &str) -> Result<(Option<i32>, String, String)> {
    let output = Command::new(command::path()?)
        .args(arguments.split_whitespace())
        // Without XDG_RUNTIME_DIR, the command itself must disable Mesa's layer, which would print an error.
        .env_remove("NODEVICE_SELECT")
        .env_remove("XDG_RUNTIME_DIR")
        .output()
        .context("starting the command")?;
    let text = |bytes| String::from_utf8(bytes).context("the output of the command is not UTF-8");
    Ok((output.status.code(), text(output.stdout)?, text(output.stderr)?))
}

fn document_names_device() -> Result<()> {
    let found = adapters(None)?;
    let best = found.first().context("no adapter found")?;
    for (option, threads, detail) in [
        ("", 2, best.kind.clone()),
        ("--device 0 --threads 1", 1, format!("{}, 1 GPU thread", best.kind)),
        ("--threads 70 --form iterative", 2, format!("{}, 70 GPU threads", best.kind)),
    ] {
        let line = format!("count 10 --backend wgpu --json --quiet {option}");
        let (code, out, err) = run_command(&line)?;
        ensure!((code, err.as_str()) == (Some(0), ""), "{line}: {code:?} {err}");
        let document: Value = serde_json::from_str(&out)?;
        let backend = serde_json::json!({"kind": "wgpu", "device": best.name, "detail": detail});
        ensure!(document["backend"] == backend, "{line}: {}", document["backend"]);
        ensure!(document["total"] == "724" && document["unique"] == "92", "{line}");
        ensure!(document["form"] == "iterative", "{line}: {}", document["form"]);
        ensure!(document["host"]["threads"] == threads, "{line}: {}", document["host"]);
    }
    Ok(())
}

fn measurements_end() -> Result<()> {
    measurements::check(&measurements::run("wgpu", [])?, "wgpu", 4..=9)
}
