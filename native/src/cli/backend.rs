//! Backend arguments, and opening the backend that `decide` or a benchmark chose.

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use queens_core::{Form, InstructionSet, Method, Plan, Size, document::BackendKind};

use super::{
    args::RunArgs,
    decide::{BackendChoice, BackendRequest, CpuSettings, Decision, Hardware, decide, max_threads},
    failure::Failure,
    interrupt::Interrupt,
    output,
};
use queens::{
    count::{self, Backend, Chosen, CountRequest, Cpu, GPUS, Reason, RunError},
    host, isa,
};

/// Hardware to count on.
#[derive(Args, Debug)]
pub struct BackendArgs {
    /// Hardware to count on
    #[arg(long, value_parser = backend(), default_value = AUTO)]
    backend: BackendChoice,
    /// Index of the GPU to use, as listed by `queens devices` [default: the best one; cuda: all]
    ///
    /// Needs --backend cuda or wgpu, which number their devices separately.
    #[arg(long, value_name = "DEVICE", value_parser = device, allow_negative_numbers = true)]
    device: Option<u16>,
    /// Instruction set for the method colours on CPUs, as listed by `queens methods` [default: the
    /// fastest]
    #[arg(long, value_name = "ISA", value_parser = instruction_set())]
    isa: Option<InstructionSet>,
}

impl BackendArgs {
    /// Combines all arguments that influence the choice of the hardware.
    pub fn request(
        &self,
        size: Size,
        method: Option<Method>,
        form: Option<Form>,
        run_args: &RunArgs,
    ) -> BackendRequest {
        let BackendArgs { backend, device, isa } = *self;
        let count = CountRequest { size, method, form, isa };
        BackendRequest { count, backend, device, threads: run_args.requested_threads() }
    }
}

/// Value of `--backend` that selects the fastest backend.
const AUTO: &str = "auto";

/// Parses the name of a backend.
fn backend() -> impl TypedValueParser<Value = BackendChoice> {
    let others = [
        (AUTO, "The CPU, or GPUs if they are faster in a short benchmark"),
        (BackendKind::Cpu.id(), "CPU threads"),
    ];
    let gpus = GPUS.iter().map(|gpus| (gpus.kind.id(), gpus.about));
    let values =
        others.into_iter().chain(gpus).map(|(id, about)| PossibleValue::new(id).help(about));
    PossibleValuesParser::new(values).map(|id| {
        let gpus = GPUS.iter().find(|gpus| gpus.kind.id() == id).map(BackendChoice::Gpus);
        gpus.unwrap_or(if id == AUTO { BackendChoice::Auto } else { BackendChoice::Cpu })
    })
}

/// Parses the index of a device.
fn device(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("expected the index of a device, from 0 to {}", u16::MAX))
}

/// Parses the name of an instruction set, which this CPU need not support.
fn instruction_set() -> impl TypedValueParser<Value = InstructionSet> {
    let ids = InstructionSet::ALL.map(InstructionSet::id);
    PossibleValuesParser::new(ids).try_map(|id| id.parse::<InstructionSet>())
}

/// Chooses the method and opens the backend. Unless `quiet` is set, prints the choices that the user left
/// to the program, with their reasons, on stderr.
pub fn choose(
    request: &BackendRequest,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<(Method, Box<dyn Backend>)> {
    let (method, backend): (_, Box<dyn Backend>) =
        match decide(request, &Hardware::of_this_machine()).map_err(Failure::from)? {
            Decision::Gpus { gpus, method, device, thread_limit } => {
                // The user chose this backend, so there is nothing to report.
                let gpus = gpus.open(device, thread_limit).map_err(Failure::Backend)?;
                return Ok((method, Box::new(gpus)));
            }
            Decision::Cpu(settings) => {
                note_shortfall(&settings, quiet);
                (settings.method, Box::new(cpu(request.count.size, &settings)))
            }
            Decision::Fastest(settings) => {
                let interrupted = || interrupt.is_set();
                let chosen = count::fastest(
                    request.count,
                    settings.method,
                    cpu(request.count.size, &settings),
                    &interrupted,
                );
                let chosen = chosen.map_err(benchmark_error)?;
                if chosen.backend.record().kind == BackendKind::Cpu {
                    note_shortfall(&settings, quiet);
                }
                if !quiet {
                    note_backend(&chosen);
                }
                (chosen.method, chosen.backend)
            }
        };
    note_method(request.count, method, quiet);
    Ok((method, backend))
}

/// Prints a note if memory is short. The note names the number of threads or the method that is used instead.
fn note_shortfall(settings: &CpuSettings, quiet: bool) {
    let CpuSettings { method, threads, shortfall, .. } = *settings;
    if let Some(shortfall) = shortfall.filter(|_| !quiet) {
        if method == shortfall.method {
            let plural = if threads == 1 { "" } else { "s" };
            output::note(format!("{shortfall}; using {threads} thread{plural}"));
        } else {
            output::note(format!("{shortfall}; using the method {method}"));
        }
    }
}

/// Creates the CPU backend of the decision, without threads that would have no task.
fn cpu(size: Size, settings: &CpuSettings) -> Cpu {
    let CpuSettings { method, form, threads, isa, .. } = *settings;
    let mut cpu = Cpu::new(threads.min(Plan::new(size, method).len()), form, method);
    cpu.isa = isa.and_then(isa::find).or(cpu.isa);
    cpu
}

/// Returns the requested number of threads, or fewer if they would not fit in memory.
pub fn threads_in_memory(size: Size, method: Method, run_args: &RunArgs) -> usize {
    run_args.threads().min(max_threads(size, method, host::usable_memory()).max(1))
}

/// Prints the method, unless the user chose it or it is `symmetry`.
fn note_method(request: CountRequest, method: Method, quiet: bool) {
    if request.method.is_none() && method != Method::Symmetry && !quiet {
        let reason = match request.isa {
            Some(_) => "the only one that uses `--isa`".to_owned(),
            None => format!("fastest for N = {}", request.size),
        };
        output::note(format!("method: {method} ({reason})"));
    }
}

/// Prints the fastest backend and the reason. Prints nothing if GPUs cannot run the requested method or
/// form.
fn note_backend(chosen: &Chosen) {
    if chosen.reason == Reason::NotOnGpus {
        return;
    }
    let record = chosen.backend.record();
    let kind = record.kind.id();
    let description = match record.kind {
        BackendKind::Cpu => kind.to_owned(),
        _ => format!("{kind}, {}", record.device),
    };
    output::note(format!("backend: {description} (auto: {})", chosen.reason));
}

/// Converts an error of the benchmarks.
fn benchmark_error(error: RunError) -> anyhow::Error {
    match error {
        RunError::Stopped { .. } => {
            Failure::Interrupted("interrupted while comparing backends".to_owned()).into()
        }
        other => Failure::from_run(other),
    }
}
