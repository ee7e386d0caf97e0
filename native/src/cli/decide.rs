//! Choice of the hardware: a pure function of the arguments and the properties of the machine. If the
//! decision is [`Fastest`](Decision::Fastest), benchmarks make the final choice
//! ([`fastest`](queens::count::fastest)).

use queens_core::{Form, Method, Size, halves::InstructionSet};

use queens::{
    count::{CountRequest, Cpu, GpuBackend, NotOnGpus},
    host::{self, Host},
    isa,
};

/// The arguments that influence the choice.
#[derive(Clone, Copy, Debug)]
pub struct BackendRequest {
    /// The count.
    pub request: CountRequest,
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

/// Properties of the machine.
#[derive(Clone, Debug)]
pub struct Hardware {
    /// Number of hardware threads, at least 1.
    pub threads: usize,
    /// Main memory in bytes, or 0 if unknown.
    pub memory: u64,
    /// The supported instruction sets, the fastest last.
    pub sets: Vec<InstructionSet>,
}

impl Hardware {
    /// Queries this machine.
    pub fn here() -> Hardware {
        let sets = isa::available().iter().map(|isa| isa.set()).collect();
        Hardware { threads: host::threads(), memory: Host::get().memory, sets }
    }
}

/// The chosen hardware.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// CPU threads.
    Cpu(OnCpu),
    /// CPU threads, or GPUs if they are faster in a benchmark.
    Fastest(OnCpu),
    Gpus {
        /// The backend.
        gpus: &'static GpuBackend,
        method: Method,
        /// Index of the device, or `None` for [the default](GpuBackend::open).
        device: Option<usize>,
        /// Limit on the GPU threads per device, or `None` for no limit.
        thread_limit: Option<u32>,
    },
}

/// Settings of a count on the CPU.
#[derive(Clone, Debug, PartialEq)]
pub struct OnCpu {
    pub method: Method,
    pub form: Form,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// The requested instruction set, or `None` for the fastest. Only half-board matching uses it.
    pub set: Option<InstructionSet>,
    /// Set if the default method or number of threads does not fit in memory and was replaced.
    pub shortfall: Option<MemoryShortfall>,
}

/// A lack of memory: the method needs more than the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryShortfall {
    pub size: Size,
    /// The method that does not fit.
    pub method: Method,
    /// Upper limit of the memory per thread, in bytes.
    pub per_thread: u64,
    /// Main memory of the machine, in bytes.
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
    /// A device was requested without a backend that numbers devices.
    DeviceWithoutBackend(u16),
    /// Only half-board matching uses several instruction sets.
    IsaWithoutHalves {
        method: Method,
        /// The requested instruction set.
        set: InstructionSet,
    },
    /// The CPU does not support the instruction set.
    UnsupportedIsa {
        set: InstructionSet,
        /// The supported instruction sets.
        here: Vec<InstructionSet>,
    },
    /// GPUs cannot run this count.
    NotOnGpus(NotOnGpus),
    /// The request does not fit in memory.
    Memory {
        /// The memory per thread and in total.
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
pub fn decide(asked: &BackendRequest, hardware: &Hardware) -> Result<Decision, Rejection> {
    let request = asked.request;
    match asked.backend {
        BackendChoice::Cpu => on_cpu(asked, hardware).map(Decision::Cpu),
        BackendChoice::Auto => on_cpu(asked, hardware).map(Decision::Fastest),
        BackendChoice::Gpus(gpus) => {
            let method = request.method_on_gpus();
            check_size(request.size, method)?;
            if let Some(why) = request.refused_by_gpus(method) {
                return Err(Rejection::NotOnGpus(why));
            }
            let (device, thread_limit) =
                (asked.device.map(usize::from), asked.threads.map(u32::from));
            Ok(Decision::Gpus { gpus, method, device, thread_limit })
        }
    }
}

fn on_cpu(asked: &BackendRequest, hardware: &Hardware) -> Result<OnCpu, Rejection> {
    let request = asked.request;
    let (method, threads, shortfall) = fit_in_memory(asked, hardware)?;
    check_size(request.size, method)?;
    if let Some(device) = asked.device {
        return Err(Rejection::DeviceWithoutBackend(device));
    }
    let form = request.form.unwrap_or(Form::Recursive);
    check_form(method, form)?;
    if let Some(set) = request.isa {
        if method != Method::Halves {
            return Err(Rejection::IsaWithoutHalves { method, set });
        }
        if !hardware.sets.contains(&set) {
            return Err(Rejection::UnsupportedIsa { set, here: hardware.sets.clone() });
        }
    }
    Ok(OnCpu { method, form, threads, set: request.isa, shortfall })
}

/// Chooses a method and a number of threads that fit in memory. A default may be replaced: the number of
/// threads by a smaller one, or the method by `symmetry` if not even one thread fits. A requested value is
/// never replaced.
fn fit_in_memory(
    asked: &BackendRequest,
    hardware: &Hardware,
) -> Result<(Method, usize, Option<MemoryShortfall>), Rejection> {
    let BackendRequest { request, threads: requested_threads, .. } = *asked;
    let (size, method) = (request.size, request.method_on_cpu());
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
    if requested_threads.is_some() || request.method.is_some() || request.isa.is_some() {
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

/// Rejects a board that `method` cannot count in reasonable time.
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
    use Method::{Bitmap, Halves, Symmetry};
    use queens::count::GPUS;

    const GPU: &GpuBackend = &GPUS[0];
    const AUTO: BackendChoice = BackendChoice::Auto;
    const CPU: BackendChoice = BackendChoice::Cpu;

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    /// A request for N without further options.
    fn asked(n: u32) -> BackendRequest {
        let request = CountRequest { size: size(n), method: None, form: None, isa: None };
        BackendRequest { request, backend: CPU, device: None, threads: None }
    }

    fn by(n: u32, method: Method) -> BackendRequest {
        let request = CountRequest { method: Some(method), ..asked(n).request };
        BackendRequest { request, ..asked(n) }
    }

    fn form(form: Form, asked: BackendRequest) -> BackendRequest {
        BackendRequest { request: CountRequest { form: Some(form), ..asked.request }, ..asked }
    }

    fn set(set: InstructionSet, asked: BackendRequest) -> BackendRequest {
        BackendRequest { request: CountRequest { isa: Some(set), ..asked.request }, ..asked }
    }

    fn threads(threads: u16, asked: BackendRequest) -> BackendRequest {
        BackendRequest { threads: Some(threads), ..asked }
    }

    fn on(backend: BackendChoice, asked: BackendRequest) -> BackendRequest {
        BackendRequest { backend, ..asked }
    }

    fn device(device: u16, asked: BackendRequest) -> BackendRequest {
        BackendRequest { device: Some(device), ..asked }
    }

    /// Decides for a machine with eight threads, AVX2 and `megabytes` of memory.
    fn decide_with(asked: &BackendRequest, megabytes: u64) -> Result<Decision, Rejection> {
        decide(asked, &Hardware { threads: 8, memory: megabytes << 20, sets: vec![Portable, Avx2] })
    }

    #[test]
    fn cpu_plan_follows_the_request_or_is_the_fastest_that_fits() {
        let recursive = Form::Recursive;
        // Each thread takes 64 MB at N = 22, and 256 MB from N = 24.
        let shortfall = |n, megabytes: u64| {
            let per_thread = if n == 22 { 64 << 20 } else { 256 << 20 };
            Some(MemoryShortfall {
                size: size(n),
                method: Halves,
                per_thread,
                memory: megabytes << 20,
            })
        };
        for (asked, megabytes, method, form, threads, set, shortfall) in [
            (asked(8), 1, Symmetry, recursive, 8, None, None),
            (asked(16), 1, Halves, recursive, 8, None, None),
            (form(Form::Iterative, asked(16)), 1, Symmetry, Form::Iterative, 8, None, None),
            (by(16, Bitmap), 1, Bitmap, recursive, 8, None, None),
            (threads(3, asked(16)), 1, Halves, recursive, 3, None, None),
            (set(Portable, asked(8)), 1, Halves, recursive, 8, Some(Portable), None),
            (set(Avx2, by(8, Halves)), 1, Halves, recursive, 8, Some(Avx2), None),
            // Memory that suffices for all threads, for some, for none, and an unknown amount.
            (asked(22), 512, Halves, recursive, 8, None, None),
            (asked(22), 511, Halves, recursive, 7, None, shortfall(22, 511)),
            (by(22, Halves), 511, Halves, recursive, 7, None, shortfall(22, 511)),
            (threads(7, asked(22)), 511, Halves, recursive, 7, None, None),
            (asked(24), 255, Symmetry, recursive, 8, None, shortfall(24, 255)),
            (by(24, Symmetry), 255, Symmetry, recursive, 8, None, None),
            (asked(28), 0, Halves, recursive, 8, None, None),
        ] {
            let on_cpu = OnCpu { method, form, threads, set, shortfall };
            assert_eq!(
                decide_with(&asked, megabytes),
                Ok(Decision::Cpu(on_cpu.clone())),
                "{asked:?}"
            );
            // With `auto`, the settings compared with GPUs are the same.
            let asked = on(AUTO, asked);
            assert_eq!(decide_with(&asked, megabytes), Ok(Decision::Fastest(on_cpu)), "{asked:?}");
        }
    }

    #[test]
    fn gpus_use_the_requested_method_or_symmetry() {
        let gpu = |asked| on(BackendChoice::Gpus(GPU), asked);
        for (asked, method, device, thread_limit) in [
            (gpu(asked(20)), Symmetry, None, None),
            (gpu(by(20, Halves)), Halves, None, None),
            (gpu(form(Form::Iterative, asked(20))), Symmetry, None, None),
            (gpu(threads(32, device(1, asked(20)))), Symmetry, Some(1), Some(32)),
        ] {
            let decision = Decision::Gpus { gpus: GPU, method, device, thread_limit };
            // The main memory does not limit a count on GPUs.
            assert_eq!(decide_with(&asked, 1), Ok(decision), "{asked:?}");
        }
    }

    #[test]
    fn reports_the_first_reason_for_rejecting_a_request() {
        let gpu = |asked| on(BackendChoice::Gpus(GPU), asked);
        let too_little =
            |n, per_thread: u64, megabytes: u64, threads, max_threads| Rejection::Memory {
                shortfall: MemoryShortfall {
                    size: size(n),
                    method: Halves,
                    per_thread: per_thread << 20,
                    memory: megabytes << 20,
                },
                threads,
                max_threads,
            };
        let too_slow = |method, n| Rejection::TooSlow { method, size: size(n) };
        let no_such_form = |method, form| Rejection::NoSuchForm { method, form };
        for (asked, rejection) in [
            (by(29, Symmetry), Rejection::NotCountable(size(29))),
            (gpu(asked(29)), Rejection::NotCountable(size(29))),
            (by(28, Bitmap), too_slow(Bitmap, 28)),
            (gpu(by(28, Bitmap)), too_slow(Bitmap, 28)),
            (device(0, asked(8)), Rejection::DeviceWithoutBackend(0)),
            (device(0, by(28, Bitmap)), too_slow(Bitmap, 28)),
            (form(Form::Iterative, by(8, Halves)), no_such_form(Halves, Form::Iterative)),
            (set(Avx2, by(8, Bitmap)), Rejection::IsaWithoutHalves { method: Bitmap, set: Avx2 }),
            (
                set(Avx512, asked(8)),
                Rejection::UnsupportedIsa { set: Avx512, here: vec![Portable, Avx2] },
            ),
            (gpu(set(Avx2, asked(8))), Rejection::NotOnGpus(NotOnGpus::Set(Avx2))),
            (gpu(form(Form::Recursive, asked(8))), Rejection::NotOnGpus(NotOnGpus::Recursive)),
            // 300 MB are enough for four threads at N = 22, and for one at N = 24.
            (threads(5, asked(22)), too_little(22, 64, 300, 5, 4)),
            (threads(2, by(24, Halves)), too_little(24, 256, 300, 2, 1)),
        ] {
            assert_eq!(decide_with(&asked, 300), Err(rejection.clone()), "{asked:?}");
            if !matches!(asked.backend, BackendChoice::Gpus(_)) {
                let asked = on(AUTO, asked);
                assert_eq!(decide_with(&asked, 300), Err(rejection), "{asked:?}");
            }
        }
        // Not even one thread fits. An explicit request is rejected instead of replaced.
        for asked in [by(24, Halves), set(Avx2, asked(24))] {
            assert_eq!(decide_with(&asked, 255), Err(too_little(24, 256, 255, 8, 0)), "{asked:?}");
        }
    }

    #[test]
    fn rejects_methods_that_gpus_do_not_support() {
        let asked = on(BackendChoice::Gpus(GPU), by(12, Bitmap));
        let Err(Rejection::NotOnGpus(NotOnGpus::Board(words))) = decide_with(&asked, 1) else {
            panic!("{asked:?}");
        };
        assert_eq!(words, "GPUs support only the methods symmetry and halves, not bitmap");
    }
}
