//! What a count runs on: as asked, or what is fastest.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use queens_core::{
    Form, Method, Plan, Size,
    document::BackendKind,
    halves::{InstructionSet, Isa},
};

use super::{
    args::{self, Running},
    failure::Failure,
    interrupt::Interrupt,
    output::{self, clock},
};
use queens::{
    count::{
        self, Backend, Cpu, Job, RunError,
        gpu::{self, Gpus},
    },
    isa,
};

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
    /// The instruction set of halves, as `queens methods` lists them [default: the fastest]
    #[arg(long, value_name = "NAME", value_parser = instruction_set())]
    isa: Option<InstructionSet>,
}

/// An instruction set by its name, whether or not this processor has it.
fn instruction_set() -> impl TypedValueParser<Value = InstructionSet> {
    let ids = InstructionSet::ALL.map(InstructionSet::id);
    PossibleValuesParser::new(ids).try_map(|id| id.parse::<InstructionSet>())
}

/// From this N on `halves` is faster than `symmetry`.
const HALVES_FROM: u32 = 14;

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

/// What to count, as far as it was said.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// The board.
    pub size: Size,
    /// The method; none: the fastest.
    pub method: Option<Method>,
    /// The writing of the method; none: whichever there is.
    pub form: Option<Form>,
}

impl Wish {
    /// The method if nobody asks for one: the fastest of those that can do what was asked.
    fn method_for(self, choice: &Choice) -> Method {
        let on_gpu = matches!(choice.backend, BackendChoice::Wgpu | BackendChoice::Cuda);
        let fast = self.size.get() >= HALVES_FROM && self.form != Some(Form::Iterative) && !on_gpu;
        let usual = if fast || choice.isa.is_some() { Method::Halves } else { Method::Symmetry };
        self.method.unwrap_or(usual)
    }
}

/// What is to be counted, and the backend for it; says on stderr what was chosen, and why.
///
/// # Errors
/// [`Failure`] if the backend is not there, cannot do the job, or the sample was interrupted.
pub fn choose(
    wish: Wish,
    choice: &Choice,
    running: &Running,
    interrupt: &Interrupt,
) -> anyhow::Result<(Job, Box<dyn Backend>)> {
    let Wish { size, form, .. } = wish;
    let kind = match choice.backend {
        BackendChoice::Wgpu => BackendKind::Wgpu,
        BackendChoice::Cuda => BackendKind::Cuda,
        BackendChoice::Cpu => {
            let (job, cpu) = on_cpu(wish, choice, running)?;
            say_method(wish, job, running.quiet);
            return Ok((job, Box::new(cpu)));
        }
        BackendChoice::Auto => {
            let (job, cpu) = on_cpu(wish, choice, running)?;
            return fastest(wish, job, cpu, running.quiet, interrupt);
        }
    };
    let job = Job { size, method: wish.method_for(choice) };
    args::countable(size, job.method)?;
    if let Some(set) = choice.isa {
        let sentence = format!("--isa {set} is a choice for the processor: leave it out for a GPU");
        return Err(Failure::Arguments(sentence).into());
    }
    if form == Some(Form::Recursive) {
        let sentence = "GPUs have only the iterative form: leave --form out, or take \
                        `--backend cpu` for the recursive one";
        return Err(Failure::Arguments(sentence.to_owned()).into());
    }
    if let Some(sentence) = Gpus::refuses(job.size, job.method) {
        return Err(Failure::Arguments(sentence).into());
    }
    let lanes = running.threads_asked().map(u32::from);
    let gpus = count::open_gpus(kind, choice.device.map(usize::from), lanes);
    let gpus = gpus.map_err(Failure::Backend)?;
    Ok((job, Box::new(gpus)))
}

/// The same for an estimate, which is made on the processor.
///
/// # Errors
/// [`Failure`] if a GPU was asked for, or as with [`choose`].
pub fn for_estimate(wish: Wish, choice: &Choice, running: &Running) -> Result<(Job, Cpu), Failure> {
    if matches!(choice.backend, BackendChoice::Wgpu | BackendChoice::Cuda) {
        let sentence = "--estimate takes its sample on the processor: leave --backend out";
        return Err(Failure::Arguments(sentence.to_owned()));
    }
    on_cpu(wish, choice, running)
}

/// What is to be counted on the processor, and how.
///
/// # Errors
/// [`Failure`] if the arguments do not go together or the processor cannot do what was asked.
fn on_cpu(wish: Wish, choice: &Choice, running: &Running) -> Result<(Job, Cpu), Failure> {
    let job = Job { size: wish.size, method: wish.method_for(choice) };
    let Job { size, method } = job;
    args::countable(size, method)?;
    if let Some(device) = choice.device {
        return Err(Failure::Arguments(format!(
            "--device {device} needs --backend wgpu or --backend cuda: each numbers its own devices"
        )));
    }
    let form = wish.form.unwrap_or(Form::Recursive);
    args::written(method, form)?;
    let mut cpu = Cpu::new(running.threads(), form, method);
    if let Some(set) = choice.isa {
        cpu.isa = Some(instruction_set_here(method, set)?);
    }
    Ok((job, cpu))
}

/// The instruction set that was asked for.
fn instruction_set_here(method: Method, set: InstructionSet) -> Result<Isa, Failure> {
    if method != Method::Halves {
        let sentence = format!("--isa {set} needs --method halves: {method} has no other writings");
        return Err(Failure::Arguments(sentence));
    }
    isa::find(set).ok_or_else(|| {
        let here: Vec<_> = isa::available().iter().map(ToString::to_string).collect();
        let here = here.join(", ");
        Failure::Arguments(format!("{set} is not available on this processor; it has {here}"))
    })
}

/// Says which method was taken, if nobody asked for it and it is not the usual one.
fn say_method(wish: Wish, job: Job, quiet: bool) {
    let Job { size, method } = job;
    if wish.method.is_none() && method != Method::Symmetry && !quiet {
        output::note(format!("method: {method} (the fastest for N = {size})"));
    }
}

/// Up to this N the processor is done before a GPU has started.
const SMALL: u32 = 15;

/// Below this a GPU does not pay either.
const SHORT: Duration = Duration::from_secs(3);

/// How long a sample may take on each backend.
const SAMPLE: Duration = Duration::from_millis(700);

/// The backend that does most of a sample of tasks in the same time.
fn fastest(
    wish: Wish,
    job: Job,
    cpu: Cpu,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<(Job, Box<dyn Backend>)> {
    let Job { size, method } = job;
    let say = |what: &str, why: String| {
        if !quiet {
            output::note(format!("backend: {what} (auto: {why})"));
        }
    };
    let on_cpu = |why: String| {
        say("cpu", why);
        say_method(wish, job, quiet);
        Ok((job, Box::new(cpu) as Box<dyn Backend>))
    };
    let gpu_job = Job { size, method: wish.method.unwrap_or(Method::Symmetry) };
    if wish.form == Some(Form::Recursive) || Gpus::refuses(size, gpu_job.method).is_some() {
        return on_cpu("GPUs do not count this".to_owned());
    }
    if size.get() <= SMALL {
        return on_cpu(format!("N = {size} is too small for a GPU to pay"));
    }
    let gpus = usable_gpus();
    if gpus.is_empty() {
        return on_cpu("there is no GPU; `queens devices` says more".to_owned());
    }
    let sampled = Size::new(SAMPLED).map_or(size, |n| n.min(size));
    // In whole counts per second, as the methods may differ.
    let cpu_rate = rate(&cpu, &Arc::new(Plan::new(sampled, method)), interrupt)?;
    let expected = Duration::from_secs_f64(1.0 / cpu_rate.max(1e-9));
    if expected < SHORT && sampled == size {
        return on_cpu(format!("{} at most is too short for a GPU to pay", clock(SHORT)));
    }
    let plan = Arc::new(Plan::new(sampled, gpu_job.method));
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
            say_method(wish, gpu_job, quiet);
            Ok((gpu_job, Box::new(gpus)))
        }
        _ => on_cpu("faster than the GPUs in a sample".to_owned()),
    }
}

/// The GPUs of this machine, a backend for each way to reach them.
fn usable_gpus() -> Vec<Gpus> {
    let open = |kind| {
        // A program that behaves like a GPU is slower than the threads that it runs on.
        let hardware = |found: &gpu::Found| found.card.is_ok() && !found.is_software;
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

/// What share of the plan a backend does in a second, by a sample of tasks from all over the
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
            let done = (backend.threads() * all.len()) as f64 / plan.len() as f64;
            Ok(done / busy.as_secs_f64().max(1e-9))
        }
        Err(RunError::Stopped { .. }) if interrupt.came() => {
            Err(Failure::Interrupted("interrupted while backends were tried".to_owned()).into())
        }
        Err(RunError::Stopped { done, .. }) => {
            let done = (done - first) as f64 / plan.len() as f64;
            Ok(done / clock.elapsed().as_secs_f64().max(1e-9))
        }
        Err(error) => Err(Failure::of_run(error)),
    }
}
