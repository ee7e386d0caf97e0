//! Choice of the hardware by a pure function of the arguments and the machine's properties. If the
//! decision is [`Fastest`](Decision::Fastest), benchmarks make the final choice
//! ([`fastest`](queens::count::fastest)).

use std::fmt;

use queens_core::{Form, InstructionSet, Method, Size, notation::grouped};

use super::{
    failure::{Failure, Message},
    request::{BackendChoice, Request},
};
use queens::{
    count::{Cpu, GPUS, GpuBackend},
    host, isa,
};

/// Properties of the machine.
#[derive(Clone, Debug)]
pub struct Hardware {
    /// Number of hardware threads, at least 1.
    pub threads: usize,
    /// Memory that this process may use, in bytes, or 0 if unknown.
    pub memory: u64,
    /// The supported instruction sets, the fastest last.
    pub instruction_sets: Vec<InstructionSet>,
}

impl Hardware {
    /// Queries this machine.
    pub fn of_this_machine() -> Hardware {
        let instruction_sets = isa::available().iter().map(|isa| isa.set()).collect();
        Hardware { threads: host::threads(), memory: host::usable_memory(), instruction_sets }
    }
}

/// The chosen hardware.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// CPU threads.
    Cpu(CpuSettings),
    /// CPU threads, or GPUs if they are faster in a benchmark.
    Fastest(CpuSettings),
    Gpus {
        /// The backend.
        gpus: &'static GpuBackend,
        method: Method,
        /// Index of the device, or `None` for [the default](GpuBackend::open).
        device: Option<usize>,
        /// Limit on the GPU threads (see [`GpuBackend::find`]), or `None` for no limit.
        thread_limit: Option<u32>,
    },
}

/// Settings of a count on the CPU.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuSettings {
    pub method: Method,
    pub form: Form,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// The requested instruction set, or `None` for the fastest. Only the colour join uses it.
    pub isa: Option<InstructionSet>,
    /// Set if the default method or number of threads does not fit in memory and was replaced.
    pub shortfall: Option<MemoryShortfall>,
}

/// A lack of memory: the method needs more than the process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryShortfall {
    pub size: Size,
    /// The method that does not fit.
    pub method: Method,
    /// Upper limit of the memory per thread, in bytes.
    pub per_thread: u64,
    /// Memory that this process may use, in bytes.
    pub memory: u64,
}

impl fmt::Display for MemoryShortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MemoryShortfall { size, method, per_thread, memory } = *self;
        // Both amounts have the same unit, so that users can see how many threads fit.
        write!(
            f,
            "{method} needs up to {} MiB per thread for N = {size}, and this process may use {} MiB",
            grouped(per_thread >> 20),
            grouped(memory >> 20)
        )
    }
}

/// Chooses the hardware for a count.
///
/// # Errors
/// The first reason to reject the request.
pub fn decide(request: &Request, hardware: &Hardware) -> Result<Decision, Failure> {
    let count = request.count;
    match request.backend {
        BackendChoice::Cpu => cpu_settings(request, hardware).map(Decision::Cpu),
        BackendChoice::Auto => cpu_settings(request, hardware).map(Decision::Fastest),
        BackendChoice::Gpus(gpus) => {
            let method = count.method_on_gpus();
            check_size(count.size, method)?;
            if let Some(form) = count.form {
                check_form(method, form)?;
            }
            if let Some((reason, hint)) = count.reason_against_gpus(method) {
                return Err(Failure::arguments(reason, hint));
            }
            let (device, thread_limit) =
                (request.device.map(usize::from), request.threads.map(u32::from));
            Ok(Decision::Gpus { gpus, method, device, thread_limit })
        }
    }
}

fn cpu_settings(request: &Request, hardware: &Hardware) -> Result<CpuSettings, Failure> {
    let count = request.count;
    let (method, threads, shortfall) = fit_in_memory(request, hardware)?;
    check_size(count.size, method)?;
    if let Some(device) = request.device {
        let backends: Vec<_> =
            GPUS.iter().map(|gpus| format!("`--backend {}`", gpus.kind.id())).collect();
        let backends = backends.join(" or ");
        return Err(Failure::arguments(
            format!("`--device {device}` needs a GPU backend"),
            format!("add {backends}, and see `queens devices` for the numbers"),
        ));
    }
    let form = count.form.unwrap_or(Form::Recursive);
    if let (Some(isa), None) = (count.isa, count.method)
        && !method.forms().contains(&form)
    {
        return Err(Failure::arguments(
            format!("`--isa {isa}` needs the method {method}, which has no {form} form"),
            "omit `--isa` or `--form`",
        ));
    }
    check_form(method, form)?;
    if let Some(isa) = count.isa {
        if method.stepped().is_some() {
            let colours = Method::Colours;
            return Err(Failure::arguments(
                format!("`--isa {isa}` works only with the method {colours}, not with {method}"),
                "omit `--isa`",
            ));
        }
        if !hardware.instruction_sets.contains(&isa) {
            let supported: Vec<_> = hardware.instruction_sets.iter().map(|isa| isa.id()).collect();
            return Err(Failure::arguments(
                format!("this CPU does not support {isa}"),
                format!("available here: {}", supported.join(", ")),
            ));
        }
    }
    Ok(CpuSettings { method, form, threads, isa: count.isa, shortfall })
}

/// Chooses a method and a number of threads that fit in memory. A default may be replaced: the number of
/// threads by a smaller one, or the method by `symmetry` if not even one thread fits. A requested value is
/// never replaced.
fn fit_in_memory(
    request: &Request,
    hardware: &Hardware,
) -> Result<(Method, usize, Option<MemoryShortfall>), Failure> {
    let Request { count, threads: requested_threads, .. } = *request;
    let (size, method) = (count.size, count.method_on_cpu());
    let threads = requested_threads.map_or(hardware.threads, usize::from);
    let max_threads = max_threads(size, method, hardware.memory);
    if threads <= max_threads {
        return Ok((method, threads, None));
    }
    let per_thread = Cpu::memory_of_a_thread(size, method);
    let shortfall = MemoryShortfall { size, method, per_thread, memory: hardware.memory };
    if requested_threads.is_none() && max_threads > 0 {
        return Ok((method, max_threads, Some(shortfall)));
    }
    if requested_threads.is_some() || count.method.is_some() || count.isa.is_some() {
        let plural = if threads == 1 { "" } else { "s" };
        let fewer = match max_threads {
            0 => String::new(),
            max_threads => format!("`--threads {max_threads}` or "),
        };
        let text = format!("not enough memory for {threads} thread{plural}: {shortfall}");
        let hint = format!("use {fewer}`--method symmetry`");
        return Err(Failure::Memory(Message::new(text).with_hint(hint)));
    }
    Ok((Method::Symmetry, threads, Some(shortfall)))
}

/// Returns the number of threads that fit into `memory` bytes. If `memory` is 0, it is unknown and the
/// number is not limited.
pub fn max_threads(size: Size, method: Method, memory: u64) -> usize {
    let per_thread = Cpu::memory_of_a_thread(size, method);
    let max_threads = if memory > 0 { memory.checked_div(per_thread) } else { None };
    usize::try_from(max_threads.unwrap_or(u64::MAX)).unwrap_or(usize::MAX)
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
    use InstructionSet::{Avx2, Avx512, Portable};
    use Method::{Bitmap, Colours, Symmetry};
    use queens::count::CountRequest;

    const GPU: &GpuBackend = &GPUS[0];
    const AUTO: BackendChoice = BackendChoice::Auto;
    const CPU: BackendChoice = BackendChoice::Cpu;

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    /// A request for N without further options.
    fn request(n: u32) -> Request {
        let count = CountRequest { size: size(n), method: None, form: None, isa: None };
        Request { count, shard: None, backend: CPU, device: None, threads: None }
    }

    fn with_method(n: u32, method: Method) -> Request {
        let count = CountRequest { method: Some(method), ..request(n).count };
        Request { count, ..request(n) }
    }

    fn with_form(form: Form, request: Request) -> Request {
        Request { count: CountRequest { form: Some(form), ..request.count }, ..request }
    }

    fn with_isa(isa: InstructionSet, request: Request) -> Request {
        Request { count: CountRequest { isa: Some(isa), ..request.count }, ..request }
    }

    fn with_threads(threads: u16, request: Request) -> Request {
        Request { threads: Some(threads), ..request }
    }

    fn with_backend(backend: BackendChoice, request: Request) -> Request {
        Request { backend, ..request }
    }

    fn with_device(device: u16, request: Request) -> Request {
        Request { device: Some(device), ..request }
    }

    /// Decides for a machine with eight threads, AVX2 and `megabytes` of memory.
    fn decide_with(request: &Request, megabytes: u64) -> Result<Decision, Failure> {
        decide(
            request,
            &Hardware {
                threads: 8,
                memory: megabytes << 20,
                instruction_sets: vec![Portable, Avx2],
            },
        )
    }

    #[test]
    fn cpu_settings_follow_the_request_or_are_the_fastest_that_fit() {
        let recursive = Form::Recursive;
        // With colours, each thread takes 128 MiB at N = 22 and 256 MiB from N = 23 on.
        let shortfall = |n, megabytes: u64| {
            let per_thread = if n == 22 { 128 << 20 } else { 256 << 20 };
            let memory = megabytes << 20;
            Some(MemoryShortfall { size: size(n), method: Colours, per_thread, memory })
        };
        for (request, megabytes, method, form, threads, isa, shortfall) in [
            (request(8), 1, Symmetry, recursive, 8, None, None),
            (request(16), 1, Colours, recursive, 8, None, None),
            (with_form(Form::Iterative, request(16)), 1, Symmetry, Form::Iterative, 8, None, None),
            (with_method(16, Bitmap), 1, Bitmap, recursive, 8, None, None),
            (with_threads(3, request(16)), 1, Colours, recursive, 3, None, None),
            (with_isa(Portable, request(8)), 1, Colours, recursive, 8, Some(Portable), None),
            (with_isa(Avx2, with_method(8, Colours)), 1, Colours, recursive, 8, Some(Avx2), None),
            // Memory that suffices for all threads, for some, for none, and an unknown amount.
            (request(22), 1024, Colours, recursive, 8, None, None),
            (request(22), 1023, Colours, recursive, 7, None, shortfall(22, 1023)),
            (with_method(24, Colours), 600, Colours, recursive, 2, None, shortfall(24, 600)),
            (with_threads(7, request(22)), 1023, Colours, recursive, 7, None, None),
            (request(24), 255, Symmetry, recursive, 8, None, shortfall(24, 255)),
            (with_method(24, Symmetry), 255, Symmetry, recursive, 8, None, None),
            (request(28), 0, Colours, recursive, 8, None, None),
        ] {
            let cpu_settings = CpuSettings { method, form, threads, isa, shortfall };
            let decision = decide_with(&request, megabytes).unwrap();
            assert_eq!(decision, Decision::Cpu(cpu_settings.clone()), "{request:?}");
            // With `auto`, the settings compared with GPUs are the same.
            let request = with_backend(AUTO, request);
            let decision = decide_with(&request, megabytes).unwrap();
            assert_eq!(decision, Decision::Fastest(cpu_settings), "{request:?}");
        }
    }

    #[test]
    fn gpus_use_the_requested_method_or_symmetry() {
        let gpu = |request| with_backend(BackendChoice::Gpus(GPU), request);
        for (request, method, device, thread_limit) in [
            (gpu(request(20)), Symmetry, None, None),
            (gpu(with_method(20, Symmetry)), Symmetry, None, None),
            (gpu(with_form(Form::Iterative, request(20))), Symmetry, None, None),
            (gpu(with_form(Form::Recursive, with_method(20, Colours))), Colours, None, None),
            (gpu(with_threads(32, with_device(1, request(20)))), Symmetry, Some(1), Some(32)),
        ] {
            let decision = Decision::Gpus { gpus: GPU, method, device, thread_limit };
            // The main memory does not limit a count on GPUs.
            assert_eq!(decide_with(&request, 1).unwrap(), decision, "{request:?}");
        }
    }

    #[test]
    fn reports_the_first_reason_for_rejecting_a_request() {
        let gpu = |request| with_backend(BackendChoice::Gpus(GPU), request);
        for (request, megabytes, rejection) in [
            (gpu(request(29)), 300, "N = 29 is too large to count"),
            (gpu(with_method(28, Bitmap)), 300, "N = 28 is too large for the method bitmap"),
            (with_device(0, with_method(28, Bitmap)), 300, "N = 28 is too large for the method"),
            (with_isa(Avx512, request(8)), 300, "this CPU does not support avx512"),
            // 300 MiB are enough for two threads at N = 22, and for one at N = 24.
            (
                with_threads(5, request(22)),
                300,
                "not enough memory for 5 threads: colours needs up to 128 MiB per thread for N = 22, \
                 and this process may use 300 MiB; use `--threads 2` or `--method symmetry`",
            ),
            (with_threads(2, with_method(24, Colours)), 300, "not enough memory for 2 threads: "),
            // Not even one thread fits. An explicit request is rejected instead of replaced.
            (
                with_threads(1, with_method(24, Colours)),
                255,
                "not enough memory for 1 thread: colours needs up to 256 MiB per thread for N = 24, \
                 and this process may use 255 MiB; use `--method symmetry`",
            ),
            (with_isa(Avx2, request(24)), 255, "not enough memory for 8 threads: "),
        ] {
            let on_gpus = matches!(request.backend, BackendChoice::Gpus(_));
            let other = if on_gpus { request.backend } else { AUTO };
            for request in [request.clone(), with_backend(other, request)] {
                let error = decide_with(&request, megabytes).unwrap_err().into();
                let hint = Failure::hint_of(&error).unwrap_or_default();
                let message = format!("{error}; {hint}");
                assert!(message.starts_with(rejection), "{request:?}: {message}");
            }
        }
    }
}
