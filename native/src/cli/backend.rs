//! What a count runs on: as asked, or what is fastest.

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use queens_core::{
    Form, Method, Size,
    document::BackendKind,
    halves::{InstructionSet, Isa},
};

use super::{
    args::{self, Running},
    failure::Failure,
    interrupt::Interrupt,
    output,
};
use queens::{
    count::{self, Backend, Chosen, Cpu, GPUS, GpuBackend, RunError, Wish},
    host::Host,
    isa,
};

/// What to count on.
#[derive(Args, Debug)]
pub struct BackendArgs {
    /// What to count on
    #[arg(long, value_parser = backend(), default_value = AUTO)]
    backend: BackendChoice,
    /// Which device of the backend, as `queens devices` numbers them [default: the best one; with
    /// cuda all of them]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    device: Option<u16>,
    /// The instruction set of halves, as `queens methods` lists them [default: the fastest]
    #[arg(long, value_name = "NAME", value_parser = instruction_set())]
    pub isa: Option<InstructionSet>,
}

impl BackendArgs {
    /// The method that counts if none was named, whatever this machine has: only a GPU that was
    /// asked for makes a difference.
    pub fn usual_method(&self, wish: Wish) -> Method {
        match self.backend {
            BackendChoice::Gpus(_) => wish.method_on_gpus(),
            BackendChoice::Auto | BackendChoice::Cpu => wish.method_on_cpu(),
        }
    }
}

/// What `--backend` can be.
#[derive(Clone, Copy, Debug)]
enum BackendChoice {
    Auto,
    Cpu,
    Gpus(&'static GpuBackend),
}

/// The word for the fastest backend.
const AUTO: &str = "auto";

/// A backend by its name.
fn backend() -> impl TypedValueParser<Value = BackendChoice> {
    let others = [
        (AUTO, "The fastest there is, found out by a short sample"),
        (BackendKind::Cpu.id(), "Threads of the processor"),
    ];
    let gpus = GPUS.iter().map(|gpus| (gpus.kind.id(), gpus.about));
    let values =
        others.into_iter().chain(gpus).map(|(id, about)| PossibleValue::new(id).help(about));
    PossibleValuesParser::new(values).map(|id| {
        let gpus = GPUS.iter().find(|gpus| gpus.kind.id() == id).map(BackendChoice::Gpus);
        gpus.unwrap_or(if id == AUTO { BackendChoice::Auto } else { BackendChoice::Cpu })
    })
}

/// An instruction set by its name, whether or not this processor has it.
fn instruction_set() -> impl TypedValueParser<Value = InstructionSet> {
    let ids = InstructionSet::ALL.map(InstructionSet::id);
    PossibleValuesParser::new(ids).try_map(|id| id.parse::<InstructionSet>())
}

/// The method to count by, and the backend for it; says on stderr what was chosen, and why.
///
/// # Errors
/// [`Failure`] if the backend is not there, cannot do the job, or the sample was interrupted.
pub fn choose(
    wish: Wish,
    choice: &BackendArgs,
    running: &Running,
    interrupt: &Interrupt,
) -> anyhow::Result<(Method, Box<dyn Backend>)> {
    let backend = match choice.backend {
        BackendChoice::Gpus(backend) => backend,
        BackendChoice::Cpu => {
            let (method, cpu) = on_cpu(wish, choice, running)?;
            say_method(wish, method, running.quiet);
            return Ok((method, Box::new(cpu)));
        }
        BackendChoice::Auto => {
            let (_, cpu) = on_cpu(wish, choice, running)?;
            let chosen = count::fastest(wish, cpu, &|| interrupt.came()).map_err(of_samples)?;
            if !running.quiet {
                say_backend(&chosen);
            }
            say_method(wish, chosen.method, running.quiet);
            return Ok((chosen.method, chosen.backend));
        }
    };
    let method = wish.method_on_gpus();
    args::countable(wish.size, method)?;
    if let Some(sentence) = wish.refused_by_gpus(method) {
        return Err(Failure::Arguments(sentence).into());
    }
    let lanes = running.threads_asked().map(u32::from);
    let gpus = backend.open(choice.device.map(usize::from), lanes).map_err(Failure::Backend)?;
    Ok((method, Box::new(gpus)))
}

/// The method to count by on the processor, and how.
///
/// # Errors
/// [`Failure`] if the arguments do not go together or the processor cannot do what was asked.
fn on_cpu(wish: Wish, choice: &BackendArgs, running: &Running) -> Result<(Method, Cpu), Failure> {
    let (method, threads) = fitting(wish, running)?;
    args::countable(wish.size, method)?;
    if let Some(device) = choice.device {
        let backends: Vec<_> =
            GPUS.iter().map(|gpus| format!("--backend {}", gpus.kind.id())).collect();
        return Err(Failure::Arguments(format!(
            "--device {device} needs {}: each numbers its own devices",
            backends.join(" or ")
        )));
    }
    let form = wish.form.unwrap_or(Form::Recursive);
    args::written(method, form)?;
    let mut cpu = Cpu::new(threads, form, method);
    if let Some(set) = wish.isa {
        cpu.isa = Some(instruction_set_here(method, set)?);
    }
    Ok((method, cpu))
}

/// The threads that were asked for, or as many as there is memory for, where those are fewer.
pub fn threads_in_memory(size: Size, method: Method, running: &Running) -> usize {
    running.threads().min(most_threads(size, method).max(1))
}

/// The number of threads for which there is memory.
fn most_threads(size: Size, method: Method) -> usize {
    let each = Cpu::memory_of_a_thread(size, method);
    // Where the system does not tell, nothing can be said.
    let memory = if each > 0 { Host::ask().memory } else { 0 };
    let most = if memory > 0 { memory / each } else { u64::MAX };
    usize::try_from(most).unwrap_or(usize::MAX)
}

/// A method and a number of threads for which there is memory: fewer threads than usual, or another
/// method, where nobody asked for what does not fit.
///
/// # Errors
/// [`Failure::Memory`] if somebody did.
fn fitting(wish: Wish, running: &Running) -> Result<(Method, usize), Failure> {
    let (size, method, threads) = (wish.size, wish.method_on_cpu(), running.threads());
    let most = most_threads(size, method);
    if threads <= most {
        return Ok((method, threads));
    }
    let (each, memory) = (Cpu::memory_of_a_thread(size, method), Host::ask().memory);
    let gigabytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
    let lack = format!(
        "N = {size} by halves needs up to {} of memory for each thread, and this machine has {}",
        gigabytes(each),
        gigabytes(memory)
    );
    let say = |taken: String| {
        if !running.quiet {
            output::note(format!("{lack}: {taken}"));
        }
    };
    if most > 0 && running.threads_asked().is_none() {
        say(format!("counting with {most} threads"));
        return Ok((method, most));
    }
    if wish.method.is_some() || wish.isa.is_some() || running.threads_asked().is_some() {
        let instead = match most {
            0 => "take --method symmetry".to_owned(),
            most => format!("take --threads {most}, or --method symmetry"),
        };
        return Err(Failure::Memory(format!(
            "{lack}, too little for {threads} threads: {instead}"
        )));
    }
    say("counting by symmetry".to_owned());
    Ok((Method::Symmetry, threads))
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
fn say_method(wish: Wish, method: Method, quiet: bool) {
    if wish.method.is_none() && method != Method::Symmetry && !quiet {
        output::note(format!("method: {method} (the fastest for N = {})", wish.size));
    }
}

/// Says which backend was found to be the fastest, and why.
fn say_backend(chosen: &Chosen) {
    let record = chosen.backend.record();
    let kind = record.kind.id();
    let what = match record.kind {
        BackendKind::Cpu => kind.to_owned(),
        _ => format!("{kind}, {}", record.device),
    };
    output::note(format!("backend: {what} (auto: {})", chosen.why));
}

/// Why no backend was found.
fn of_samples(error: RunError) -> anyhow::Error {
    match error {
        RunError::Stopped { .. } => {
            Failure::Interrupted("interrupted while backends were tried".to_owned()).into()
        }
        other => Failure::of_run(other),
    }
}
