//! The request for a count, made of the arguments that say what is counted, and by which hardware.

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use queens_core::{
    Form, InstructionSet, Method, Size,
    document::{BackendKind, Shard},
    notation,
};

use super::{
    args::{self, RunArgs},
    failure::Failure,
    shard::ShardArgs,
};
use queens::count::{GPUS, GpuBackend, gpu::Gpus};

/// Arguments of `queens count` that say what is counted.
#[derive(Args, Debug)]
pub struct RequestArgs {
    /// Size of the board: 1 to 28; some methods stop at a smaller N (see `queens methods`)
    #[arg(value_name = "N", value_parser = args::counted_size, allow_negative_numbers = true)]
    size: Size,
    /// Method to count with [default: the fastest for this N; with --backend cuda or wgpu: symmetry]
    #[arg(long, value_name = "METHOD", value_parser = args::method())]
    method: Option<Method>,
    #[command(flatten)]
    backend_args: BackendArgs,
    #[command(flatten)]
    pub run_args: RunArgs,
    #[command(flatten)]
    shard_args: ShardArgs,
}

impl RequestArgs {
    /// Makes the request of `queens count`.
    ///
    /// # Errors
    /// [`Failure::Arguments`] if the environment does not name the shard.
    pub fn request(&self) -> Result<Request, Failure> {
        let RequestArgs { size, method, backend_args, run_args, shard_args } = self;
        let shard = shard_args.requested()?;
        let request = backend_args.request(*size, *method, run_args);
        Ok(match shard {
            // All shards need the same method to be merged, so it must not depend on the machine.
            Some(_) => Request { shard, ..request.with_method(request.default_method()) },
            None => request,
        })
    }
}

/// Arguments that choose the hardware to count on, and the implementation that it runs.
#[derive(Args, Debug)]
pub struct BackendArgs {
    /// Run the recursive or the iterative implementation [default: recursive; for symmetry on a GPU:
    /// iterative]
    ///
    /// Every method except colours has both forms; colours has only the recursive one. On a GPU, symmetry
    /// has only the iterative one.
    #[arg(long, value_parser = args::form())]
    form: Option<Form>,
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
    /// Makes a request for all tasks.
    pub fn request(&self, size: Size, method: Option<Method>, run_args: &RunArgs) -> Request {
        let BackendArgs { form, backend, device, isa } = *self;
        Request {
            size,
            method,
            cpu_method: method.unwrap_or_else(|| fastest_method(size, form, isa)),
            gpu_method: method.unwrap_or(Method::Symmetry),
            form,
            isa,
            shard: None,
            backend,
            device,
            threads: run_args.threads,
        }
    }
}

/// A requested count.
#[derive(Clone, Debug)]
pub struct Request {
    pub size: Size,
    /// The value of `--method`, or the method of the journal or the shard.
    pub method: Option<Method>,
    /// The method on a CPU: `method`, or the fastest.
    pub cpu_method: Method,
    /// The method on a GPU: `method`, or `symmetry`.
    pub gpu_method: Method,
    pub form: Option<Form>,
    pub isa: Option<InstructionSet>,
    /// The shard to count, or `None` for all tasks.
    pub shard: Option<Shard>,
    /// The value of `--backend`.
    pub backend: BackendChoice,
    /// Index of the device.
    pub device: Option<u16>,
    /// Number of threads; on a GPU, the limit on GPU threads.
    pub threads: Option<u16>,
}

/// Values of `--backend`.
#[derive(Clone, Copy, Debug)]
pub enum BackendChoice {
    /// The fastest hardware.
    Auto,
    /// CPU threads.
    Cpu,
    /// The GPUs of one backend.
    Gpus(&'static GpuBackend),
}

impl Request {
    /// Requests a method.
    pub fn with_method(&self, method: Method) -> Request {
        let request = self.clone();
        Request { method: Some(method), cpu_method: method, gpu_method: method, ..request }
    }

    /// Returns the method to use. If none was requested, it depends only on the request, not on the hardware
    /// of this machine.
    pub fn default_method(&self) -> Method {
        match self.backend {
            BackendChoice::Gpus(_) => self.gpu_method,
            BackendChoice::Auto | BackendChoice::Cpu => self.cpu_method,
        }
    }

    /// Returns the reason why GPUs cannot run this count, and a hint for a user who requested a GPU, or
    /// `None` if they can.
    pub fn reason_against_gpus(&self) -> Option<(String, &'static str)> {
        let method = self.gpu_method;
        if let Some(isa) = self.isa {
            let reason = format!("`--isa {isa}` applies only to CPUs");
            return Some((reason, "omit it for a GPU backend"));
        }
        if let Some(reason) = Gpus::unsupported_reason(self.size, method) {
            return Some((reason, "use `--backend cpu`"));
        }
        let has_other = method.forms().contains(&Form::Iterative);
        (has_other && self.form == Some(Form::Recursive)).then(|| {
            let reason = format!("GPUs cannot run the recursive form of {method}");
            (reason, "omit `--form`, or use `--backend cpu`")
        })
    }
}

/// From this N on, `colours` is faster than `symmetry`.
const MIN_COLOURS_N: u32 = 14;

/// Returns the fastest method on a CPU that has the form and uses the instruction set, if they were
/// requested.
pub fn fastest_method(size: Size, form: Option<Form>, isa: Option<InstructionSet>) -> Method {
    let is_fast = size.get() >= MIN_COLOURS_N && form != Some(Form::Iterative);
    if is_fast || isa.is_some() { Method::Colours } else { Method::Symmetry }
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
    notation::number(text)
        .map_err(|_| format!("expected the index of a device, from 0 to {}", u16::MAX))
}

/// Parses the name of an instruction set, which this CPU need not support.
fn instruction_set() -> impl TypedValueParser<Value = InstructionSet> {
    let ids = InstructionSet::ALL.map(InstructionSet::id);
    PossibleValuesParser::new(ids).try_map(|id| id.parse::<InstructionSet>())
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    /// Makes the request of `queens count` with these arguments.
    pub fn request(line: &str) -> Request {
        let command = RequestArgs::augment_args(Command::new("count").no_binary_name(true));
        let matches = command.try_get_matches_from(line.split_whitespace()).unwrap();
        RequestArgs::from_arg_matches(&matches).unwrap().request().unwrap()
    }
}
