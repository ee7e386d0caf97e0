//! The request for a count, and the arguments that choose its hardware.

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use queens_core::{
    Form, InstructionSet, Method, Size,
    document::{BackendKind, Shard},
    notation,
};

use super::args::{self, RunArgs};
use queens::count::{CountRequest, GPUS, GpuBackend};

/// A requested count.
#[derive(Clone, Debug)]
pub struct Request {
    /// Size, method, form and instruction set.
    pub count: CountRequest,
    /// The shard to count, or `None` for all tasks.
    pub shard: Option<Shard>,
    /// The value of `--backend`.
    pub backend: BackendChoice,
    /// Index of the device.
    pub device: Option<u16>,
    /// Number of threads; on a GPU, the limit on GPU threads.
    pub threads: Option<u16>,
}

impl Request {
    /// Returns the method to use. If none was requested, the default depends only on the request, not on
    /// the hardware of this machine.
    pub fn default_method(&self) -> Method {
        match self.backend {
            BackendChoice::Gpus(_) => self.count.method_on_gpus(),
            BackendChoice::Auto | BackendChoice::Cpu => self.count.method_on_cpu(),
        }
    }

    /// Returns the methods that the count may use.
    pub fn possible_methods(&self) -> Vec<Method> {
        match self.count.method {
            Some(method) => vec![method],
            None => vec![self.default_method(), self.count.method_on_gpus()],
        }
    }
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

/// Hardware to count on, and the implementation that it runs.
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
    /// Combines all arguments that influence what is counted, and by which hardware.
    pub fn request(
        &self,
        size: Size,
        method: Option<Method>,
        shard: Option<Shard>,
        run_args: &RunArgs,
    ) -> Request {
        let BackendArgs { form, backend, device, isa } = *self;
        let count = CountRequest { size, method, form, isa };
        let threads = run_args.requested_threads();
        let mut request = Request { count, shard: None, backend, device, threads };
        if shard.is_some() {
            // All shards need the same method to be merged, so it must not depend on the machine.
            request.count.method = Some(request.default_method());
            request.shard = shard;
        }
        request
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
    notation::number(text)
        .map_err(|_| format!("expected the index of a device, from 0 to {}", u16::MAX))
}

/// Parses the name of an instruction set, which this CPU need not support.
fn instruction_set() -> impl TypedValueParser<Value = InstructionSet> {
    let ids = InstructionSet::ALL.map(InstructionSet::id);
    PossibleValuesParser::new(ids).try_map(|id| id.parse::<InstructionSet>())
}
