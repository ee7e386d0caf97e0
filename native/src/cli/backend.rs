//! What a count runs on: as asked, or what is fastest.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum};
use queens_core::{Form, Plan, Size, document::BackendKind};

use super::{
    args::Running,
    failure::Failure,
    interrupt::Interrupt,
    output::{self, clock},
};
use queens::count::{self, Backend, Cpu, Job, RunError, gpu::Gpus};

/// What to count on.
#[derive(Args, Debug)]
pub struct Choice {
    /// What to count on
    #[arg(long, value_enum, default_value_t = BackendChoice::Auto)]
    backend: BackendChoice,
    /// Which device of the backend, as `queens devices` numbers them [default: the best one; with
    /// cuda all of them]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    device: Option<u16>,
}

/// What `--backend` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BackendChoice {
    /// The fastest there is, found out by a short sample
    Auto,
    /// Threads of the processor
    Cpu,
    /// A GPU by Vulkan, Metal or Direct3D
    Wgpu,
    /// All NVIDIA GPUs, by CUDA
    Cuda,
}

/// The backend for a count; says on stderr which one `auto` takes and why.
///
/// # Errors
/// [`Failure`] if the backend is not there, cannot do the job, or the sample was interrupted.
pub fn choose(
    job: Job,
    form: Option<Form>,
    choice: &Choice,
    running: &Running,
    interrupt: &Interrupt,
) -> anyhow::Result<Box<dyn Backend>> {
    let cpu = Cpu { threads: running.threads(), form: form.unwrap_or(Form::Recursive) };
    if let (BackendChoice::Auto | BackendChoice::Cpu, Some(device)) =
        (choice.backend, choice.device)
    {
        return Err(Failure::Arguments(format!(
            "--device {device} needs --backend wgpu or --backend cuda: each numbers its own devices"
        ))
        .into());
    }
    let kind = match choice.backend {
        BackendChoice::Cpu => return Ok(Box::new(cpu)),
        BackendChoice::Auto => return fastest(job, form, cpu, running.quiet, interrupt),
        BackendChoice::Wgpu => BackendKind::Wgpu,
        BackendChoice::Cuda => BackendKind::Cuda,
    };
    let lanes = running.threads_asked().map(u32::from);
    let gpus = count::open_gpus(kind, choice.device.map(usize::from), lanes);
    let gpus = gpus.map_err(Failure::Backend)?;
    if form == Some(Form::Recursive) {
        let sentence = "GPUs have only the iterative form: leave --form out, or take \
                        `--backend cpu` for the recursive one";
        return Err(Failure::Arguments(sentence.to_owned()).into());
    }
    if let Some(sentence) = gpus.refusal(job.size, job.method) {
        return Err(Failure::Arguments(sentence).into());
    }
    Ok(Box::new(gpus))
}

/// Up to this N the processor is done before a GPU has started.
const SMALL: u32 = 15;

/// Below this a GPU does not pay either.
const SHORT: Duration = Duration::from_secs(3);

/// How long a sample may take on each backend.
const SAMPLE: Duration = Duration::from_millis(700);

/// The backend that does most of a sample of tasks in the same time.
fn fastest(
    job: Job,
    form: Option<Form>,
    cpu: Cpu,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Box<dyn Backend>> {
    let Job { size, method } = job;
    let say = |what: &str, why: String| {
        if !quiet {
            output::note(format!("backend: {what} (auto: {why})"));
        }
    };
    if form == Some(Form::Recursive) || Gpus::refuses(size, method).is_some() {
        say("cpu", "GPUs do not count this".to_owned());
        return Ok(Box::new(cpu));
    }
    if size.get() <= SMALL {
        say("cpu", format!("N = {size} is too small for a GPU to pay"));
        return Ok(Box::new(cpu));
    }
    let gpus = usable_gpus();
    if gpus.is_empty() {
        say("cpu", "there is no GPU; `queens devices` says more".to_owned());
        return Ok(Box::new(cpu));
    }
    let plan = Arc::new(Plan::new(Size::new(SAMPLED).map_or(size, |n| n.min(size)), method));
    let cpu_rate = rate(&cpu, &plan, interrupt)?;
    let expected = Duration::from_secs_f64(plan.len() as f64 / cpu_rate.max(1e-9));
    if expected < SHORT && plan.size() == size {
        say("cpu", format!("{} at most is too short for a GPU to pay", clock(SHORT)));
        return Ok(Box::new(cpu));
    }
    let mut best: Option<(f64, Gpus)> = None;
    for gpus in gpus {
        // One that fails in the sample is not the fastest.
        let rate = match rate(&gpus, &plan, interrupt) {
            Ok(rate) => rate,
            Err(error) if matches!(error.downcast_ref(), Some(Failure::Backend(_))) => continue,
            Err(error) => return Err(error),
        };
        if best.as_ref().is_none_or(|(best, _)| rate > *best) {
            best = Some((rate, gpus));
        }
    }
    match best {
        Some((rate, gpus)) if rate > cpu_rate => {
            let record = gpus.record();
            let times = rate / cpu_rate;
            let what = format!("{}, {}", record.kind.id(), record.device);
            say(&what, format!("{times:.1} times as fast as the processor in a sample"));
            Ok(Box::new(gpus))
        }
        _ => {
            say("cpu", "faster than the GPUs in a sample".to_owned());
            Ok(Box::new(cpu))
        }
    }
}

/// The GPUs of this machine, a backend for each way to reach them.
fn usable_gpus() -> Vec<Gpus> {
    let open = |kind| {
        // A program that behaves like a GPU is slower than the threads that it runs on.
        let hardware = |found: &count::Found| found.card.is_ok() && !found.is_software;
        let there = count::gpus(kind, None).ok()?.iter().any(hardware);
        count::open_gpus(kind, None, None).ok().filter(|_| there)
    };
    [BackendKind::Cuda, BackendKind::Wgpu].into_iter().filter_map(open).collect()
}

/// The largest board that is sampled. Tasks of larger ones take too long for a sample, and there
/// backends compare as they do here.
const SAMPLED: u32 = 18;

/// How long a backend may take to do its first tasks; one that takes longer is not the fastest.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many tasks of the plan a backend does in a second, by a sample of tasks from all over the
/// plan. The time before the first results does not count: that is the start of a GPU.
fn rate(backend: &dyn Backend, plan: &Arc<Plan>, interrupt: &Interrupt) -> anyhow::Result<f64> {
    let mut ids: Vec<usize> = (0..plan.len()).collect();
    fastrand::Rng::with_seed(0).shuffle(&mut ids);
    let (mut clock, mut first) = (Instant::now(), 0);
    let mut watch = |done| {
        if first == 0 && done > 0 {
            (clock, first) = (Instant::now(), done);
        }
        let enough = if first > 0 { SAMPLE } else { PATIENCE };
        match interrupt.came() || clock.elapsed() >= enough {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let start = |orders| backend.start(Arc::clone(plan), orders);
    match count::run(ids, start, &mut watch) {
        Ok(all) => {
            let busy: Duration = all.iter().map(|done| done.took).sum();
            Ok((backend.threads() * all.len()) as f64 / busy.as_secs_f64().max(1e-9))
        }
        Err(RunError::Stopped { .. }) if interrupt.came() => {
            Err(Failure::Interrupted("interrupted while backends were tried".to_owned()).into())
        }
        Err(RunError::Stopped { done, .. }) => {
            Ok((done - first) as f64 / clock.elapsed().as_secs_f64().max(1e-9))
        }
        Err(error) => Err(Failure::of_run(error)),
    }
}
