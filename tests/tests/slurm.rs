//! The scripts of `queens template slurm` on the real daemons of Slurm. Whatever happens to the
//! shards, the final total must be correct.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use libtest_mimic::Arguments;
use queens::journal::{Journal, Locking};
use queens_core::document::Document;
use queens_tests::process::send;
use queens_tests::slurm::{Cluster, missing, wait, wait_for};
use queens_tests::trials::{CannotRun, trials};
use tempfile::TempDir;

type Test = fn(&mut Cluster) -> Result<()>;

/// A test that receives the cluster of the previous tests, or `None` if no cluster is running.
type OnCluster = Box<dyn Fn(&mut Option<Cluster>) -> Result<()> + Send>;

const TESTS: [(&str, Test); 3] = [
    ("an array of shards is counted and merged", plain),
    ("a requeued task and a resubmitted one resume", cancelled),
    ("a task that reaches its time limit requeues itself", out_of_time),
];

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // All tests use one cluster, and the last one shuts it down.
    arguments.test_threads = Some(1);
    let missing = missing();
    let cluster = if missing.is_empty() {
        Ok(Mutex::new(None))
    } else {
        Err(CannotRun::Missing(format!("{} not found", missing.join(", "))))
    };
    let started = |test: Test| -> OnCluster {
        Box::new(move |cluster| match cluster {
            Some(cluster) => test(cluster),
            none => test(none.insert(Cluster::start()?)),
        })
    };
    let tests = TESTS.into_iter().map(|(name, test)| (name, started(test)));
    let end: OnCluster = Box::new(end);
    let tests = tests.chain([("nothing is left running", end)]);
    let tests = tests.map(|(name, test)| {
        let run = move |cluster: &Mutex<Option<Cluster>>| {
            let mut cluster = cluster.lock().unwrap_or_else(PoisonError::into_inner);
            test(&mut cluster).map_err(|error| {
                // The next test gets a new cluster, so that it is not affected by this failure.
                let state = cluster.take().map(|cluster| cluster.state()).unwrap_or_default();
                anyhow!("{error:#}\n{state}")
            })
        };
        (name, run)
    });
    let trials = trials(&arguments, "Slurm", cluster, tests);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A count of some seconds in three shards, of which the cluster runs two at a time.
const N: u32 = 17;
const SHARDS: u32 = 3;
const TOTAL: u64 = 95_815_104;

/// The template's request for CPUs. It is replaced, because the nodes of this cluster have one CPU.
const PROCESSORS: &str = "--cpus-per-task=4";

/// The timeout of a count, including all disturbances.
const TIMEOUT: Duration = Duration::from_secs(300);

/// A submitted count.
struct Run {
    folder: TempDir,
    /// The job id of its array.
    array: String,
}

impl Run {
    fn submit(cluster: &Cluster) -> Result<Run> {
        Run::submit_with(cluster, &[])
    }

    /// Submits the count with changes to the script.
    fn submit_with(cluster: &Cluster, changes: &[(&str, &str)]) -> Result<Run> {
        let folder = tempfile::tempdir()?;
        let (n, shards) = (N.to_string(), SHARDS.to_string());
        let template = ["template", "slurm", &n, "--shards", &shards, "--method", "symmetry"];
        let script = cluster.run("queens", &template)?;
        // Users adapt the script to their cluster, too.
        let changes = [&[(PROCESSORS, "--cpus-per-task=1")], changes].concat();
        let script = changes.into_iter().try_fold(script, |script, (from, to)| {
            ensure!(script.contains(from), "no {from} in {script}");
            Ok(script.replace(from, to))
        })?;
        fs::write(folder.path().join("count.sh"), script)?;
        let mut run = Run { folder, array: String::new() };
        run.array = run.submit_missing(cluster, "0-2")?;
        Ok(run)
    }

    /// Runs the script, which must submit these shards; returns the job id of the array.
    fn submit_missing(&self, cluster: &Cluster, shards: &str) -> Result<String> {
        let output = cluster.run_in(self.folder.path(), "bash", &["count.sh"])?;
        let first = output.lines().next().unwrap_or_default();
        let array = first.strip_prefix("Job array ");
        let array = array.and_then(|rest| rest.strip_suffix(&format!(": shards {shards}")));
        Ok(array.with_context(|| output.clone())?.to_owned())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("queens-{N}{name}"))
    }

    /// Waits until a task has saved some progress. Pauses the task, so that it does not finish before the test
    /// disturbs it.
    fn pause_task(&self, cluster: &Cluster) -> Result<PausedTask> {
        let mut found = None;
        wait("a task with saved progress", || {
            for task in cluster.running(&self.array)? {
                let Some(process) = self.worker(task) else { continue };
                let paused = PausedTask { task, process };
                send("STOP", process)?;
                if self.worker(task) == Some(process) {
                    found = Some(paused);
                    break;
                }
            }
            Ok(found.is_some())
        })
        .with_context(|| self.logs())?;
        found.context("no task was found")
    }

    /// The process that counts a shard, once it has finished some tasks and while tasks remain.
    fn worker(&self, task: u32) -> Option<u32> {
        let journal =
            Journal::find(&self.file(&format!("/{task}.journal")), Locking::On).ok()??;
        let contents = journal.contents();
        let is_between = contents.finished_tasks.done().len() > 0 && !contents.is_complete();
        journal.holder().filter(|_| is_between)?.process.parse().ok()
    }

    fn task(&self, task: u32) -> String {
        format!("{}_{task}", self.array)
    }

    /// Waits until a task has returned to the queue.
    fn wait_for_requeue(&self, cluster: &Cluster, task: u32) -> Result<()> {
        let restarts = || cluster.job(&self.task(task), "Restarts");
        wait("a task to return to the queue", || Ok(restarts()? != "0"))
            .with_context(|| self.logs())
    }

    /// Checks that an interrupted shard resumed from its journal.
    fn assert_resumed(&self, task: u32) -> Result<()> {
        let log = fs::read_to_string(self.file(&format!("/{task}.log")))?;
        let sentence = format!("resuming N = {N} by symmetry, shard {task}/{SHARDS}: ");
        let resumed =
            |line: &str| line.starts_with(&sentence) && line.contains(" tasks are already in ");
        ensure!(log.lines().any(resumed), "shard {task} started again: {log}");
        Ok(())
    }

    /// Waits for the end of all jobs and checks the merged result.
    fn wait_for_result(&self, cluster: &Cluster) -> Result<()> {
        let ended = wait_for(TIMEOUT, "the end of all jobs", || cluster.is_empty());
        ended.with_context(|| self.logs())?;
        let read = |name: &str| {
            let context = || format!("{name}; {}", self.logs());
            fs::read_to_string(self.file(name)).with_context(context)
        };
        let document = Document::parse(&read(".json")?)?;
        ensure!(document.contradictions().is_empty(), "{:?}", document.contradictions());
        ensure!(document.header.total == TOTAL, "total {}", document.header.total);
        let log = read("/merge.log")?;
        ensure!(log.contains("Checks passed: sums, divisibility, known"), "{log}");
        Ok(())
    }

    fn logs(&self) -> String {
        let log = |name: &str| {
            let text = fs::read_to_string(self.file(&format!("/{name}.log")));
            format!("{name}: {}\n", text.unwrap_or_default())
        };
        ["0", "1", "2", "merge"].map(log).concat()
    }
}

/// A running task that is paused until this value is dropped.
struct PausedTask {
    task: u32,
    process: u32,
}

impl PausedTask {
    /// Lets the task continue, and returns its number.
    fn resume(self) -> u32 {
        self.task
    }

    /// Whether a signal with this number is pending for the task.
    fn is_sent(&self, signal: u32) -> Result<bool> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process))?;
        let pending = status.lines().find_map(|line| line.strip_prefix("ShdPnd:"));
        let pending = u64::from_str_radix(pending.context("no pending signals")?.trim(), 16)?;
        Ok(pending >> (signal - 1) & 1 == 1)
    }
}

impl Drop for PausedTask {
    fn drop(&mut self) {
        // Slurm may already have continued and ended the process.
        let _ = send("CONT", self.process);
    }
}

fn end(cluster: &mut Option<Cluster>) -> Result<()> {
    let left = cluster.take().map_or(Ok(vec![]), Cluster::shut_down)?;
    ensure!(left.is_empty(), "processes {left:?} still run");
    Ok(())
}

fn plain(cluster: &mut Cluster) -> Result<()> {
    let run = Run::submit(cluster)?;
    run.wait_for_result(cluster)?;
    // All shards are counted, so only the merge is submitted.
    let output = cluster.run_in(run.folder.path(), "bash", &["count.sh"])?;
    ensure!(output.starts_with("Submitted batch job "), "{output}");
    run.wait_for_result(cluster)
}

fn cancelled(cluster: &mut Cluster) -> Result<()> {
    let mut run = Run::submit(cluster)?;
    let put_back = run.pause_task(cluster)?;
    cluster.run("scontrol", &["requeue", &run.task(put_back.task)])?;
    run.wait_for_requeue(cluster, put_back.task)?;
    let put_back = put_back.resume();
    let paused = run.pause_task(cluster)?;
    cluster.run("scancel", &[&run.task(paused.task)])?;
    let task = paused.resume();
    // Without this shard, the merge does not run.
    wait_for(TIMEOUT, "the end of all jobs", || cluster.is_empty())?;
    ensure!(!run.file(".json").exists(), "merged without shard {task}");
    run.array = run.submit_missing(cluster, &task.to_string())?;
    run.wait_for_result(cluster)?;
    run.assert_resumed(put_back).and(run.assert_resumed(task))
}

fn out_of_time(cluster: &mut Cluster) -> Result<()> {
    // Slurm's shortest time limit is a minute, and the signal may come up to a minute early.
    let limits = [("--time=24:00:00", "--time=1"), ("USR1@120", "USR1@30")];
    let run = Run::submit_with(cluster, &limits)?;
    let paused = run.pause_task(cluster)?;
    const SIGTERM: u32 = 15;
    wait("the signal before the end of its time", || paused.is_sent(SIGTERM))?;
    let task = paused.resume();
    run.wait_for_requeue(cluster, task)?;
    run.wait_for_result(cluster)?;
    run.assert_resumed(task)
}
