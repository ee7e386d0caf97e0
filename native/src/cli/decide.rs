//! Decision of the method, the hardware and the number of threads of a count. [`decide`] is a pure function
//! of the request and the machine's properties; with `--backend auto`, [`fastest`] then compares the CPU with
//! GPUs.

use std::sync::Arc;

use queens_core::{Form, Isa, Method, Plan, Size, document::BackendKind, notation::grouped};

use super::{
    failure::{Failure, Message},
    fastest::fastest,
    output,
    request::{BackendChoice, Request},
};
use queens::{
    count::{Backend, Cpu, GPUS, GpuBackend},
    host, isa,
};

/// Decides on the method, which determines the plan, and opens the backend. Prints the choices that the user
/// left to the program, with their reasons, on stderr.
pub fn choose(request: &Request) -> anyhow::Result<(Arc<Plan>, Box<dyn Backend>)> {
    let plan_by = |method| Arc::new(Plan::new(request.size, method));
    let CpuCount { plan, cpu, shortfall } = match decide(request, &Hardware::of_this_machine())? {
        Decision::Cpu(cpu) => cpu,
        Decision::Gpus(gpus) => {
            // The user chose this backend, so there is nothing to report.
            let (device, threads) =
                (request.device.map(usize::from), request.threads.map(u32::from));
            let gpus = gpus.open(device, threads).map_err(Failure::Backend)?;
            return Ok((plan_by(request.gpu_method), Box::new(gpus)));
        }
    };
    let may_use_gpus =
        matches!(request.backend, BackendChoice::Auto) && request.reason_against_gpus().is_none();
    let compared = may_use_gpus.then(|| fastest(request, plan.method(), &cpu));
    let (gpus, reason) = compared.transpose().map_err(Failure::from_run)?.unzip();
    let (plan, backend): (_, Box<dyn Backend>) = match gpus.flatten() {
        Some(gpus) => (plan_by(request.gpu_method), Box::new(gpus)),
        None => {
            shortfall.into_iter().for_each(output::note);
            (plan, Box::new(cpu))
        }
    };
    if let Some(reason) = reason {
        let record = backend.record();
        let device = match record.kind {
            BackendKind::Cpu => String::new(),
            _ => format!(", {}", record.device),
        };
        output::note(format!("backend: {}{device} (auto: {reason})", record.kind.id()));
    }
    let method = plan.method();
    if request.method.is_none() && method != Method::Symmetry {
        let reason = match request.isa {
            Some(_) => "the only one that uses `--isa`".to_owned(),
            None => format!("fastest for N = {}", request.size),
        };
        output::note(format!("method: {method} ({reason})"));
    }
    Ok((plan, backend))
}

/// Properties of the machine.
#[derive(Clone, Debug)]
pub struct Hardware {
    /// Number of hardware threads, at least 1.
    pub threads: usize,
    /// Memory that this process may use, in bytes, or 0 if unknown.
    pub memory: u64,
    /// The supported instruction sets, the fastest last.
    pub instruction_sets: Vec<Isa>,
}

impl Hardware {
    /// Queries this machine.
    fn of_this_machine() -> Hardware {
        let (threads, memory) = (host::threads(), host::usable_memory());
        Hardware { threads, memory, instruction_sets: isa::available() }
    }
}

/// The chosen hardware.
#[derive(Debug)]
pub enum Decision {
    /// CPU threads, or with `--backend auto` GPUs if they are faster in a benchmark.
    Cpu(CpuCount),
    Gpus(&'static GpuBackend),
}

/// A count on the CPU.
#[derive(Debug)]
pub struct CpuCount {
    pub plan: Arc<Plan>,
    pub cpu: Cpu,
    /// The note that the default method or number of threads does not fit in memory and was replaced.
    pub shortfall: Option<String>,
}

/// Chooses the hardware for a count.
///
/// # Errors
/// The first reason to reject the request.
fn decide(request: &Request, hardware: &Hardware) -> Result<Decision, Failure> {
    let BackendChoice::Gpus(gpus) = request.backend else {
        return on_cpu(request, hardware).map(Decision::Cpu);
    };
    check_size(request.size, request.gpu_method)?;
    if let Some(form) = request.form {
        check_form(request.gpu_method, form)?;
    }
    match request.reason_against_gpus() {
        Some((reason, hint)) => Err(Failure::arguments(reason, hint)),
        None => Ok(Decision::Gpus(gpus)),
    }
}

fn on_cpu(request: &Request, hardware: &Hardware) -> Result<CpuCount, Failure> {
    let (method, threads, shortfall) = fit_in_memory(request, hardware)?;
    check_size(request.size, method)?;
    if let Some(device) = request.device {
        let backends: Vec<_> =
            GPUS.iter().map(|gpus| format!("`--backend {}`", gpus.kind.id())).collect();
        let backends = backends.join(" or ");
        return Err(Failure::arguments(
            format!("`--device {device}` needs a GPU backend"),
            format!("add {backends}, and see `queens devices` for the numbers"),
        ));
    }
    let form = request.form.unwrap_or(Form::Recursive);
    if let (Some(isa), None) = (request.isa, request.method)
        && !method.forms().contains(&form)
    {
        return Err(Failure::arguments(
            format!("`--isa {isa}` needs the method {method}, which has no {form} form"),
            "omit `--isa` or `--form`",
        ));
    }
    check_form(method, form)?;
    let mut isa = hardware.instruction_sets.last().copied().unwrap_or(Isa::PORTABLE);
    if let Some(set) = request.isa {
        if method.stepped().is_some() {
            let colours = Method::Colours;
            return Err(Failure::arguments(
                format!("`--isa {set}` works only with the method {colours}, not with {method}"),
                "omit `--isa`",
            ));
        }
        let supported = &hardware.instruction_sets;
        isa = supported.iter().copied().find(|isa| isa.set() == set).ok_or_else(|| {
            let supported: Vec<_> = supported.iter().map(|isa| isa.set().id()).collect();
            Failure::arguments(
                format!("this CPU does not support {set}"),
                format!("available here: {}", supported.join(", ")),
            )
        })?;
    }
    let plan = Plan::new(request.size, method);
    let cpu = Cpu::new(threads, form, isa, &plan);
    Ok(CpuCount { plan: Arc::new(plan), cpu, shortfall })
}

/// Chooses a method and a number of threads that fit in memory. A default may be replaced: the number of
/// threads by a smaller one, or the method by `symmetry` if not even one thread fits. The returned note says
/// so. A requested value is never replaced.
fn fit_in_memory(
    request: &Request,
    hardware: &Hardware,
) -> Result<(Method, usize, Option<String>), Failure> {
    let (size, method) = (request.size, request.cpu_method);
    let threads = request.threads.map_or(hardware.threads, usize::from);
    let max_threads = Cpu::max_threads(size, method, hardware.memory);
    if threads <= max_threads {
        return Ok((method, threads, None));
    }
    // Both amounts have the same unit, so that users can see how many threads fit.
    let shortfall = format!(
        "{method} needs up to {} MiB per thread for N = {size}, and this process may use {} MiB",
        grouped(Cpu::memory_of_a_thread(size, method) >> 20),
        grouped(hardware.memory >> 20)
    );
    let in_words = |threads| match threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    if request.threads.is_none() && max_threads > 0 {
        let note = format!("{shortfall}; using {}", in_words(max_threads));
        return Ok((method, max_threads, Some(note)));
    }
    if request.threads.is_some() || request.method.is_some() || request.isa.is_some() {
        let fewer = match max_threads {
            0 => String::new(),
            max_threads => format!("`--threads {max_threads}` or "),
        };
        let text = format!("not enough memory for {}: {shortfall}", in_words(threads));
        let hint = format!("use {fewer}`--method symmetry`");
        return Err(Failure::Memory(Message::new(text).with_hint(hint)));
    }
    let other = Method::Symmetry;
    Ok((other, threads, Some(format!("{shortfall}; using the method {other}"))))
}

/// Rejects a board that no method can count, or that `method` cannot count in reasonable time.
pub fn check_size(size: Size, method: Method) -> Result<(), Failure> {
    if size.get() > Size::MAX_COUNTED {
        Err(Failure::NotCountable(size))
    } else if size.get() > method.largest() {
        Err(Failure::TooSlow { method, size })
    } else {
        Ok(())
    }
}

/// Rejects a form that `method` does not have.
pub fn check_form(method: Method, form: Form) -> Result<(), Failure> {
    if method.forms().contains(&form) {
        Ok(())
    } else {
        Err(Failure::arguments(format!("the method {method} has no {form} form"), "omit `--form`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::request::tests::request;
    use Method::{Bitmap, Colours, Symmetry};

    /// Decides for a machine with eight threads and `megabytes` of memory.
    fn decide_with(line: &str, megabytes: u64) -> Result<Decision, Failure> {
        let instruction_sets = vec![Isa::PORTABLE, isa::best()];
        let hardware = Hardware { threads: 8, memory: megabytes << 20, instruction_sets };
        decide(&request(line), &hardware)
    }

    #[test]
    fn cpu_settings_follow_the_request_or_are_the_fastest_that_fit() {
        let (recursive, iterative) = (Form::Recursive, Form::Iterative);
        let (portable, best) = (Some(Isa::PORTABLE), Some(isa::best()));
        // With colours, each thread takes 128 MiB at N = 22 and 256 MiB from N = 23 on.
        let seven = "colours needs up to 128 MiB per thread for N = 22, and this process may use 1,023 MiB; \
                     using 7 threads";
        let two = "colours needs up to 256 MiB per thread for N = 24, and this process may use 600 MiB; \
                   using 2 threads";
        let other = "colours needs up to 256 MiB per thread for N = 24, and this process may use 255 MiB; \
                     using the method symmetry";
        for (line, megabytes, method, form, threads, isa, shortfall) in [
            ("8", 1, Symmetry, recursive, 8, None, None),
            // One task.
            ("4", 1, Symmetry, recursive, 1, None, None),
            ("16", 1, Colours, recursive, 8, best, None),
            ("16 --form iterative", 1, Symmetry, iterative, 8, None, None),
            ("16 --method bitmap", 1, Bitmap, recursive, 8, None, None),
            ("16 --threads 3", 1, Colours, recursive, 3, best, None),
            ("12 --isa portable", 1, Colours, recursive, 8, portable, None),
            ("12 --isa portable --method colours", 1, Colours, recursive, 8, portable, None),
            // Memory that suffices for all threads, for some, for none, and an unknown amount.
            ("22", 1024, Colours, recursive, 8, best, None),
            ("22", 1023, Colours, recursive, 7, best, Some(seven)),
            ("24 --method colours", 600, Colours, recursive, 2, best, Some(two)),
            ("22 --threads 7", 1023, Colours, recursive, 7, best, None),
            ("24", 255, Symmetry, recursive, 8, None, Some(other)),
            ("24 --method symmetry", 255, Symmetry, recursive, 8, None, None),
            ("28", 0, Colours, recursive, 8, best, None),
        ] {
            let Decision::Cpu(decided) = decide_with(line, megabytes).unwrap() else {
                panic!("{line}")
            };
            assert_eq!(decided.plan.method(), method, "{line}");
            let Cpu { threads: decided_threads, form: decided_form, isa: decided_isa } =
                decided.cpu;
            assert_eq!(
                (decided_threads, decided_form, decided_isa),
                (threads, form, isa),
                "{line}"
            );
            assert_eq!(decided.shortfall.as_deref(), shortfall, "{line}");
        }
    }

    #[test]
    fn gpus_use_the_requested_method_or_symmetry() {
        for (line, method) in [
            ("20", Symmetry),
            ("20 --method symmetry", Symmetry),
            ("20 --form iterative", Symmetry),
            ("20 --form recursive --method colours", Colours),
            ("20 --device 1 --threads 32", Symmetry),
        ] {
            let line = format!("{line} --backend cuda");
            assert_eq!(request(&line).gpu_method, method, "{line}");
            // The main memory does not limit a count on GPUs.
            let decided = decide_with(&line, 1).unwrap();
            assert!(matches!(decided, Decision::Gpus(gpus) if gpus.kind == BackendKind::Cuda));
        }
    }

    #[test]
    fn reports_the_first_reason_for_rejecting_a_request() {
        for (line, megabytes, rejection) in [
            ("29 --backend cuda", 300, "N = 29 is too large to count"),
            ("28 --backend cuda --method bitmap", 300, "N = 28 is too large for the method bitmap"),
            ("16 --backend cuda --method bitmap", 300, "GPUs support only "),
            (
                "20 --backend cuda --form recursive",
                300,
                "GPUs cannot run the recursive form of symm",
            ),
            (
                "20 --backend cuda --isa portable",
                300,
                "`--isa portable` applies only to CPUs; omit it",
            ),
            ("28 --device 0 --method bitmap", 300, "N = 28 is too large for the method"),
            ("8 --device 0", 300, "`--device 0` needs a GPU backend; add `--backend cuda` or "),
            (
                "8 --isa simd128",
                300,
                "this CPU does not support simd128; available here: portable, ",
            ),
            // 300 MiB are enough for two threads at N = 22, and for one at N = 24.
            (
                "22 --threads 5",
                300,
                "not enough memory for 5 threads: colours needs up to 128 MiB per thread for N = 22, \
                 and this process may use 300 MiB; use `--threads 2` or `--method symmetry`",
            ),
            ("24 --method colours --threads 2", 300, "not enough memory for 2 threads: "),
            // Not even one thread fits. An explicit request is rejected instead of replaced.
            (
                "24 --method colours --threads 1",
                255,
                "not enough memory for 1 thread: colours needs up to 256 MiB per thread for N = 24, \
                 and this process may use 255 MiB; use `--method symmetry`",
            ),
            ("24 --isa portable", 255, "not enough memory for 8 threads: "),
        ] {
            let error = decide_with(line, megabytes).unwrap_err().into();
            let hint = Failure::hint_of(&error).unwrap_or_default();
            let message = format!("{error}; {hint}");
            assert!(message.starts_with(rejection), "{line}: {message}");
        }
    }
}
