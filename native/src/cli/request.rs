//! The request for a count, made of the arguments that say what is counted, and by which hardware. Jobs of a
//! cluster find their shard in the environment.

use std::env;

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

/// Arguments that choose the shard to count.
#[derive(Args, Debug)]
struct ShardArgs {
    /// Count only shard K of S, where K is 0 to S-1: tasks K, K+S, K+2S and so on
    #[arg(long, value_name = "K/S", value_parser = shard, allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// Count the shard of this cluster job: read K from the job's environment variable
    ///
    /// The variable is SLURM_ARRAY_TASK_ID for Slurm, JOB_COMPLETION_INDEX for Kubernetes, and
    /// PARALLEL_SEQ, which starts at 1 instead of 0, for GNU parallel. Exactly one of them must be set.
    #[arg(long, conflicts_with = "shard", requires = "shards")]
    shard_from_env: bool,
    /// Total number of shards, with --shard-from-env
    #[arg(
        long, value_name = "COUNT", value_parser = args::shards, requires = "shard_from_env",
        conflicts_with = "shard",
        allow_negative_numbers = true
    )]
    shards: Option<u32>,
}

impl ShardArgs {
    /// Returns the requested shard, or `None` to count all tasks.
    ///
    /// # Errors
    /// [`Failure::Arguments`] if the environment does not name exactly one valid shard.
    fn requested(&self) -> Result<Option<Shard>, Failure> {
        let ShardArgs { shard, shard_from_env, shards } = self;
        match shards.filter(|_| *shard_from_env) {
            Some(of) => {
                // Treat a value that is not UTF-8 as an invalid number, not as a missing variable.
                let value = |name: &str| Some(env::var_os(name)?.to_string_lossy().into_owned());
                from_environment(of, value).map(Some)
            }
            None => Ok(shard.clone()),
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

/// Parses `K/S`.
fn shard(text: &str) -> Result<Shard, String> {
    let text = notation::fold(text);
    let (index, of) = text.split_once('/').ok_or("expected K/S, such as 3/16")?;
    let of = args::shards(of)
        .map_err(|_| format!("expected K/S with S from 1 to {}, such as 3/16", args::MAX_SHARDS))?;
    let shard = index.parse().ok().and_then(|index| Shard::new(index, of));
    shard.ok_or_else(|| match of {
        1 => "K must be 0 for 1 shard".to_owned(),
        _ => format!("K must be 0 to {} for {of} shards", of - 1),
    })
}

/// Environment variables with the job number of Slurm, Kubernetes and GNU parallel, and the first number
/// of each.
const VARIABLES: [(&str, u32); 3] =
    [("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0), ("PARALLEL_SEQ", 1)];

/// Returns the shard that an environment variable names. `of` is the number of shards, and `variable`
/// returns the value of an environment variable.
fn from_environment(of: u32, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, Failure> {
    let set_variables: Vec<_> = VARIABLES
        .into_iter()
        .filter_map(|(name, first)| Some((name, first, variable(name)?)))
        .collect();
    let [(name, first, value)] = &set_variables[..] else {
        let [slurm, kubernetes, parallel] = VARIABLES.map(|(name, _)| name);
        let text = format!(
            "`--shard-from-env` needs exactly one of the environment variables {slurm}, {kubernetes} and \
             {parallel}"
        );
        return Err(Failure::arguments(text, "use `--shard K/S` instead"));
    };
    let number = value.parse::<u32>().ok().and_then(|number| number.checked_sub(*first));
    match number.and_then(|index| Shard::new(index, of)) {
        Some(shard) => Ok(shard),
        None => {
            let range = match of {
                1 => format!("{first} for 1 shard"),
                _ => format!("{first} to {} for {of} shards", of - 1 + first),
            };
            let text = format!("{name} is \"{value}\", but must be {range}");
            Err(Failure::Arguments(text.into()))
        }
    }
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

    #[test]
    fn shards_are_numbered_from_0() {
        assert_eq!(shard("15/16").ok(), Shard::new(15, 16));
        assert_eq!(shard("３／１６").ok(), Shard::new(3, 16));
        for (text, why) in [
            ("16/16", "K must be 0 to 15 for 16 shards"),
            ("1/1", "K must be 0 for 1 shard"),
            ("-1/16", "K must be 0 to 15 for 16 shards"),
            ("3", "expected K/S, such as 3/16"),
            ("0/0", "expected K/S with S from 1 to 65536, such as 3/16"),
        ] {
            assert_eq!(shard(text).unwrap_err(), why, "{text}");
        }
    }

    #[test]
    fn reads_the_shard_number_from_the_environment() {
        let named = |set_variables: &[(&str, &str)]| {
            let value = |name: &str| {
                set_variables
                    .iter()
                    .find(|(variable, _)| *variable == name)
                    .map(|(_, value)| (*value).to_owned())
            };
            from_environment(4, value).map_err(|error| error.to_string())
        };
        for (name, value, index) in [
            ("SLURM_ARRAY_TASK_ID", "3", 3),
            ("JOB_COMPLETION_INDEX", "0", 0),
            ("PARALLEL_SEQ", "4", 3),
        ] {
            assert_eq!(named(&[(name, value)]).ok(), Shard::new(index, 4), "{name}");
        }
        for (set_variables, why) in [
            (
                &[][..],
                "`--shard-from-env` needs exactly one of the environment variables SLURM_ARRAY_TASK_ID, \
                 JOB_COMPLETION_INDEX and PARALLEL_SEQ",
            ),
            (&[("PARALLEL_SEQ", "0")], "PARALLEL_SEQ is \"0\", but must be 1 to 4 for 4 shards"),
            (
                &[("SLURM_ARRAY_TASK_ID", "4")],
                "SLURM_ARRAY_TASK_ID is \"4\", but must be 0 to 3 for 4 shards",
            ),
        ] {
            assert_eq!(named(set_variables), Err(why.to_owned()));
        }
    }
}
