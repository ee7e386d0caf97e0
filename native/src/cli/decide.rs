//! Choice of the hardware by a pure function of the arguments and the machine's properties. If the
//! decision is [`Fastest`](Decision::Fastest), benchmarks make the final choice
//! ([`fastest`](queens::count::fastest)).

use queens_core::{Form, InstructionSet, Method, Size};

use super::request::{BackendChoice, Request};
use queens::{
    count::{Cpu, GpuBackend, NotOnGpus},
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
    /// Returns a machine that can run every count. It is used to check the options of a finished count,
    /// which needs no hardware.
    pub fn unlimited() -> Hardware {
        Hardware { threads: 1, memory: 0, instruction_sets: InstructionSet::ALL.to_vec() }
    }

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

/// Reasons to reject a request before anything is counted.
#[derive(Clone, Debug, PartialEq)]
pub enum Rejection {
    /// The number of solutions may exceed 64 bits.
    NotCountable(Size),
    /// The method would take too long.
    TooSlow { method: Method, size: Size },
    /// The method does not have this form.
    NoSuchForm { method: Method, form: Form },
    /// The requested instruction set implies this method, which does not have the requested form.
    NoSuchFormWithIsa { method: Method, form: Form, isa: InstructionSet },
    /// A device was requested without a GPU backend.
    DeviceWithoutBackend(u16),
    /// An instruction set was requested for a method other than the colour join, the only one that has
    /// several implementations.
    IsaWithoutColours {
        method: Method,
        /// The requested instruction set.
        isa: InstructionSet,
    },
    /// The CPU does not support the instruction set.
    UnsupportedIsa {
        isa: InstructionSet,
        /// The supported instruction sets.
        supported: Vec<InstructionSet>,
    },
    /// GPUs cannot run this count.
    NotOnGpus(NotOnGpus),
    /// The request does not fit in memory.
    Memory {
        /// The memory that a thread needs, and the memory that this process may use.
        shortfall: MemoryShortfall,
        /// Requested number of threads, or the default.
        threads: usize,
        /// Number of threads that fit, or 0 if not even one does.
        max_threads: usize,
    },
}

/// Chooses the hardware for a count.
///
/// # Errors
/// The first [`Rejection`] that applies.
pub fn decide(request: &Request, hardware: &Hardware) -> Result<Decision, Rejection> {
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
            if let Some(reason) = count.reason_against_gpus(method) {
                return Err(Rejection::NotOnGpus(reason));
            }
            let (device, thread_limit) =
                (request.device.map(usize::from), request.threads.map(u32::from));
            Ok(Decision::Gpus { gpus, method, device, thread_limit })
        }
    }
}

fn cpu_settings(request: &Request, hardware: &Hardware) -> Result<CpuSettings, Rejection> {
    let count = request.count;
    let (method, threads, shortfall) = fit_in_memory(request, hardware)?;
    check_size(count.size, method)?;
    if let Some(device) = request.device {
        return Err(Rejection::DeviceWithoutBackend(device));
    }
    let form = count.form.unwrap_or(Form::Recursive);
    if let (Some(isa), None) = (count.isa, count.method)
        && !method.forms().contains(&form)
    {
        return Err(Rejection::NoSuchFormWithIsa { method, form, isa });
    }
    check_form(method, form)?;
    if let Some(isa) = count.isa {
        if method.stepped().is_some() {
            return Err(Rejection::IsaWithoutColours { method, isa });
        }
        if !hardware.instruction_sets.contains(&isa) {
            return Err(Rejection::UnsupportedIsa {
                isa,
                supported: hardware.instruction_sets.clone(),
            });
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
) -> Result<(Method, usize, Option<MemoryShortfall>), Rejection> {
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
        return Err(Rejection::Memory { shortfall, threads, max_threads });
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
pub fn check_size(size: Size, method: Method) -> Result<(), Rejection> {
    if size.get() > Size::MAX_COUNTED {
        Err(Rejection::NotCountable(size))
    } else if size.get() > method.largest() {
        Err(Rejection::TooSlow { method, size })
    } else {
        Ok(())
    }
}

/// Rejects a form that `method` does not have.
pub fn check_form(method: Method, form: Form) -> Result<(), Rejection> {
    if method.forms().contains(&form) {
        Ok(())
    } else {
        Err(Rejection::NoSuchForm { method, form })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use InstructionSet::{Avx2, Avx512, Portable};
    use Method::{Bitmap, Colours, Symmetry};
    use queens::count::{CountRequest, GPUS};

    const GPU: &GpuBackend = &GPUS[0];
    const AUTO: BackendChoice = BackendChoice::Auto;
    const CPU: BackendChoice = BackendChoice::Cpu;

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    /// A request for N without further options.
    fn request(n: u32) -> Request {
        let count = CountRequest { size: size(n), method: None, form: None, isa: None };
        Request { count, shard: None, backend: CPU, device: None, threads: None, quiet: true }
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
    fn decide_with(request: &Request, megabytes: u64) -> Result<Decision, Rejection> {
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
            assert_eq!(
                decide_with(&request, megabytes),
                Ok(Decision::Cpu(cpu_settings.clone())),
                "{request:?}"
            );
            // With `auto`, the settings compared with GPUs are the same.
            let request = with_backend(AUTO, request);
            assert_eq!(
                decide_with(&request, megabytes),
                Ok(Decision::Fastest(cpu_settings)),
                "{request:?}"
            );
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
            (gpu(with_form(Form::Recursive, with_method(20, Colours))), Colours, None, None),
            (gpu(with_threads(32, with_device(1, request(20)))), Symmetry, Some(1), Some(32)),
        ] {
            let decision = Decision::Gpus { gpus: GPU, method, device, thread_limit };
            // The main memory does not limit a count on GPUs.
            assert_eq!(decide_with(&request, 1), Ok(decision), "{request:?}");
        }
    }

    #[test]
    fn reports_the_first_reason_for_rejecting_a_request() {
        let gpu = |request| with_backend(BackendChoice::Gpus(GPU), request);
        let memory_rejection =
            |n, method, per_thread: u64, megabytes: u64, threads, max_threads| Rejection::Memory {
                shortfall: MemoryShortfall {
                    size: size(n),
                    method,
                    per_thread: per_thread << 20,
                    memory: megabytes << 20,
                },
                threads,
                max_threads,
            };
        let too_slow = |method, n| Rejection::TooSlow { method, size: size(n) };
        let no_such_form = |method, form| Rejection::NoSuchForm { method, form };
        for (request, rejection) in [
            (with_method(29, Symmetry), Rejection::NotCountable(size(29))),
            (gpu(request(29)), Rejection::NotCountable(size(29))),
            (with_method(28, Bitmap), too_slow(Bitmap, 28)),
            (gpu(with_method(28, Bitmap)), too_slow(Bitmap, 28)),
            (with_device(0, request(8)), Rejection::DeviceWithoutBackend(0)),
            (with_device(0, with_method(28, Bitmap)), too_slow(Bitmap, 28)),
            (
                with_form(Form::Iterative, with_method(8, Colours)),
                no_such_form(Colours, Form::Iterative),
            ),
            (
                gpu(with_form(Form::Iterative, with_method(8, Colours))),
                no_such_form(Colours, Form::Iterative),
            ),
            (
                with_isa(Avx2, with_form(Form::Iterative, request(8))),
                Rejection::NoSuchFormWithIsa { method: Colours, form: Form::Iterative, isa: Avx2 },
            ),
            (
                with_isa(Avx2, with_method(8, Bitmap)),
                Rejection::IsaWithoutColours { method: Bitmap, isa: Avx2 },
            ),
            (
                with_isa(Avx512, request(8)),
                Rejection::UnsupportedIsa { isa: Avx512, supported: vec![Portable, Avx2] },
            ),
            (gpu(with_isa(Avx2, request(8))), Rejection::NotOnGpus(NotOnGpus::Isa(Avx2))),
            (
                gpu(with_form(Form::Recursive, request(8))),
                Rejection::NotOnGpus(NotOnGpus::Recursive),
            ),
            // 300 MiB are enough for two threads at N = 22, and for one at N = 24.
            (with_threads(5, request(22)), memory_rejection(22, Colours, 128, 300, 5, 2)),
            (
                with_threads(2, with_method(24, Colours)),
                memory_rejection(24, Colours, 256, 300, 2, 1),
            ),
        ] {
            assert_eq!(decide_with(&request, 300), Err(rejection.clone()), "{request:?}");
            if !matches!(request.backend, BackendChoice::Gpus(_)) {
                let request = with_backend(AUTO, request);
                assert_eq!(decide_with(&request, 300), Err(rejection), "{request:?}");
            }
        }
        // Not even one thread fits. An explicit request is rejected instead of replaced.
        for request in [with_method(24, Colours), with_isa(Avx2, request(24))] {
            assert_eq!(
                decide_with(&request, 255),
                Err(memory_rejection(24, Colours, 256, 255, 8, 0)),
                "{request:?}"
            );
        }
    }

    #[test]
    fn a_machine_without_limits_accepts_all_options_that_fit_together() {
        let of_options = |request: &Request| decide(request, &Hardware::unlimited());
        for request in [with_threads(1024, with_method(28, Colours)), with_isa(Avx512, request(8))]
        {
            assert!(of_options(&request).is_ok(), "{request:?}");
        }
        let rejection = Err(Rejection::DeviceWithoutBackend(0));
        assert_eq!(of_options(&with_device(0, request(8))), rejection);
    }

    #[test]
    fn rejects_methods_that_gpus_do_not_support() {
        let request = with_backend(BackendChoice::Gpus(GPU), with_method(12, Bitmap));
        let Err(Rejection::NotOnGpus(NotOnGpus::Board(reason))) = decide_with(&request, 1) else {
            panic!("{request:?}");
        };
        assert_eq!(reason, "GPUs support only symmetry and colours, not bitmap");
    }
}
