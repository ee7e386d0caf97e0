//! What a count runs on, decided from what was asked and what the machine has. Nothing is said,
//! opened or tried here; where `auto` has a choice left, samples decide
//! ([`fastest`](queens::count::fastest)).

use queens_core::{Form, Method, Size, halves::InstructionSet};

use queens::{
    count::{Cpu, GpuBackend, NotOnGpus, Wish},
    host::{self, Host},
    isa,
};

/// What was asked, as far as it decides.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// What to count.
    pub wish: Wish,
    /// On what.
    pub backend: BackendChoice,
    /// On which device of that.
    pub device: Option<u16>,
    /// With how many threads, on a GPU lanes.
    pub threads: Option<u16>,
}

/// What `--backend` can be.
#[derive(Clone, Copy, Debug)]
pub enum BackendChoice {
    /// The fastest there is.
    Auto,
    /// Threads of the processor.
    Cpu,
    /// GPUs, reached in one way.
    Gpus(&'static GpuBackend),
}

/// What the machine has.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The number of threads that it runs at once, at least 1.
    pub threads: usize,
    /// Main memory in bytes; 0 where the system does not tell.
    pub memory: u64,
    /// The instruction sets of its processor, the fastest last.
    pub sets: Vec<InstructionSet>,
}

impl Machine {
    /// This one.
    pub fn here() -> Machine {
        let sets = isa::available().iter().map(|isa| isa.set()).collect();
        Machine { threads: host::threads(), memory: Host::ask().memory, sets }
    }
}

/// What to count on.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Threads of the processor.
    Cpu(OnCpu),
    /// Those threads, or GPUs that are faster in a sample.
    Fastest(OnCpu),
    Gpus {
        /// How they are reached.
        gpus: &'static GpuBackend,
        method: Method,
        /// Which of them; none: [the usual ones](GpuBackend::open).
        device: Option<usize>,
        /// The most lanes with which each searches; none: as many as it likes.
        lanes: Option<u32>,
    },
}

/// How the processor counts.
#[derive(Clone, Debug, PartialEq)]
pub struct OnCpu {
    pub method: Method,
    pub form: Form,
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The instruction set that was asked for; none: the fastest, if the method knows any.
    pub set: Option<InstructionSet>,
    /// What there is too little of for the usual method and number of threads, if it is for that
    /// that they are others.
    pub lack: Option<Lack>,
}

/// Less memory than a count takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lack {
    pub size: Size,
    /// The method that takes it.
    pub method: Method,
    /// How much of it each thread takes at most, in bytes.
    pub each: u64,
    /// How much of it the machine has, in bytes.
    pub memory: u64,
}

/// Why nothing is counted.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// No count can hold the number of solutions.
    NotCountable(Size),
    /// The method would take too long.
    TooSlow { method: Method, size: Size },
    /// The method has no such form.
    NotWritten { method: Method, form: Form },
    /// A device was named, but no backend that numbers its devices.
    DeviceOfNone(u16),
    /// Only half-board matching is written for several instruction sets.
    NoSets {
        method: Method,
        /// The instruction set that was asked for.
        set: InstructionSet,
    },
    /// The processor has no such instruction set.
    SetNotHere {
        set: InstructionSet,
        /// Those that it has.
        here: Vec<InstructionSet>,
    },
    /// GPUs do not count this.
    NotOnGpus(NotOnGpus),
    /// What was asked takes more memory than there is.
    Memory {
        /// How much more.
        lack: Lack,
        /// For so many threads.
        threads: usize,
        /// For so many threads there is enough; 0: not even for one.
        most: usize,
    },
}

/// What to count on, or why on nothing.
///
/// # Errors
/// The first of the [`Refusal`]s that holds.
pub fn decide(asked: &Asked, machine: &Machine) -> Result<Decision, Refusal> {
    let wish = asked.wish;
    match asked.backend {
        BackendChoice::Cpu => on_cpu(asked, machine).map(Decision::Cpu),
        BackendChoice::Auto => on_cpu(asked, machine).map(Decision::Fastest),
        BackendChoice::Gpus(gpus) => {
            let method = wish.method_on_gpus();
            countable(wish.size, method)?;
            if let Some(why) = wish.refused_by_gpus(method) {
                return Err(Refusal::NotOnGpus(why));
            }
            let (device, lanes) = (asked.device.map(usize::from), asked.threads.map(u32::from));
            Ok(Decision::Gpus { gpus, method, device, lanes })
        }
    }
}

fn on_cpu(asked: &Asked, machine: &Machine) -> Result<OnCpu, Refusal> {
    let wish = asked.wish;
    let (method, threads, lack) = fitting(asked, machine)?;
    countable(wish.size, method)?;
    if let Some(device) = asked.device {
        return Err(Refusal::DeviceOfNone(device));
    }
    let form = wish.form.unwrap_or(Form::Recursive);
    written(method, form)?;
    if let Some(set) = wish.isa {
        if method != Method::Halves {
            return Err(Refusal::NoSets { method, set });
        }
        if !machine.sets.contains(&set) {
            return Err(Refusal::SetNotHere { set, here: machine.sets.clone() });
        }
    }
    Ok(OnCpu { method, form, threads, set: wish.isa, lack })
}

/// A method and a number of threads for which there is memory: fewer threads than usual, or another
/// method, where nobody asked for what does not fit.
fn fitting(asked: &Asked, machine: &Machine) -> Result<(Method, usize, Option<Lack>), Refusal> {
    let Asked { wish, threads: asked_for, .. } = *asked;
    let (size, method) = (wish.size, wish.method_on_cpu());
    let threads = asked_for.map_or(machine.threads, usize::from);
    let most = most_threads(size, method, machine.memory);
    if threads <= most {
        return Ok((method, threads, None));
    }
    let each = Cpu::memory_of_a_thread(size, method);
    let lack = Lack { size, method, each, memory: machine.memory };
    if asked_for.is_none() && most > 0 {
        return Ok((method, most, Some(lack)));
    }
    if asked_for.is_some() || wish.method.is_some() || wish.isa.is_some() {
        return Err(Refusal::Memory { lack, threads, most });
    }
    Ok((Method::Symmetry, threads, Some(lack)))
}

/// The number of threads for which so many bytes of memory suffice; 0 bytes are those of which the
/// system does not tell.
pub fn most_threads(size: Size, method: Method, memory: u64) -> usize {
    let each = Cpu::memory_of_a_thread(size, method);
    let most = if memory > 0 { memory.checked_div(each) } else { None };
    usize::try_from(most.unwrap_or(u64::MAX)).unwrap_or(usize::MAX)
}

/// Refuses a board that `method` cannot count in reasonable time.
pub fn countable(size: Size, method: Method) -> Result<(), Refusal> {
    if size.get() > Size::MAX_COUNTED {
        Err(Refusal::NotCountable(size))
    } else if size.get() > method.largest() {
        Err(Refusal::TooSlow { method, size })
    } else {
        Ok(())
    }
}

/// Refuses a form in which `method` is not written.
pub fn written(method: Method, form: Form) -> Result<(), Refusal> {
    if method.forms().contains(&form) { Ok(()) } else { Err(Refusal::NotWritten { method, form }) }
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

    /// N and nothing else.
    fn asked(n: u32) -> Asked {
        let wish = Wish { size: size(n), method: None, form: None, isa: None };
        Asked { wish, backend: CPU, device: None, threads: None }
    }

    fn by(n: u32, method: Method) -> Asked {
        let wish = Wish { method: Some(method), ..asked(n).wish };
        Asked { wish, ..asked(n) }
    }

    fn form(form: Form, asked: Asked) -> Asked {
        Asked { wish: Wish { form: Some(form), ..asked.wish }, ..asked }
    }

    fn set(set: InstructionSet, asked: Asked) -> Asked {
        Asked { wish: Wish { isa: Some(set), ..asked.wish }, ..asked }
    }

    fn threads(threads: u16, asked: Asked) -> Asked {
        Asked { threads: Some(threads), ..asked }
    }

    fn on(backend: BackendChoice, asked: Asked) -> Asked {
        Asked { backend, ..asked }
    }

    fn device(device: u16, asked: Asked) -> Asked {
        Asked { device: Some(device), ..asked }
    }

    /// What a machine with eight threads, AVX2 and so many megabytes decides.
    fn here(asked: &Asked, megabytes: u64) -> Result<Decision, Refusal> {
        decide(asked, &Machine { threads: 8, memory: megabytes << 20, sets: vec![Portable, Avx2] })
    }

    #[test]
    fn what_the_processor_does_is_as_asked_or_the_fastest_that_fits() {
        let recursive = Form::Recursive;
        // Each thread takes 64 MB at N = 22, and 256 MB from N = 24 on.
        let lack = |n, megabytes: u64| {
            let each = if n == 22 { 64 << 20 } else { 256 << 20 };
            Some(Lack { size: size(n), method: Halves, each, memory: megabytes << 20 })
        };
        for (asked, megabytes, method, form, threads, set, lack) in [
            (asked(8), 1, Symmetry, recursive, 8, None, None),
            (asked(16), 1, Halves, recursive, 8, None, None),
            (form(Form::Iterative, asked(16)), 1, Symmetry, Form::Iterative, 8, None, None),
            (by(16, Bitmap), 1, Bitmap, recursive, 8, None, None),
            (threads(3, asked(16)), 1, Halves, recursive, 3, None, None),
            (set(Portable, asked(8)), 1, Halves, recursive, 8, Some(Portable), None),
            (set(Avx2, by(8, Halves)), 1, Halves, recursive, 8, Some(Avx2), None),
            // Memory for all, for some, for none, and of an unknown amount.
            (asked(22), 512, Halves, recursive, 8, None, None),
            (asked(22), 511, Halves, recursive, 7, None, lack(22, 511)),
            (by(22, Halves), 511, Halves, recursive, 7, None, lack(22, 511)),
            (threads(7, asked(22)), 511, Halves, recursive, 7, None, None),
            (asked(24), 255, Symmetry, recursive, 8, None, lack(24, 255)),
            (by(24, Symmetry), 255, Symmetry, recursive, 8, None, None),
            (asked(28), 0, Halves, recursive, 8, None, None),
        ] {
            let on_cpu = OnCpu { method, form, threads, set, lack };
            assert_eq!(here(&asked, megabytes), Ok(Decision::Cpu(on_cpu.clone())), "{asked:?}");
            // What samples compare with GPUs is the same.
            let asked = on(AUTO, asked);
            assert_eq!(here(&asked, megabytes), Ok(Decision::Fastest(on_cpu)), "{asked:?}");
        }
    }

    #[test]
    fn gpus_count_by_the_method_that_was_asked_for_or_by_symmetry() {
        let gpu = |asked| on(BackendChoice::Gpus(GPU), asked);
        for (asked, method, device, lanes) in [
            (gpu(asked(20)), Symmetry, None, None),
            (gpu(by(20, Halves)), Halves, None, None),
            (gpu(form(Form::Iterative, asked(20))), Symmetry, None, None),
            (gpu(threads(32, device(1, asked(20)))), Symmetry, Some(1), Some(32)),
        ] {
            let decision = Decision::Gpus { gpus: GPU, method, device, lanes };
            // What the processor lacks does not matter.
            assert_eq!(here(&asked, 1), Ok(decision), "{asked:?}");
        }
    }

    #[test]
    fn what_cannot_be_done_is_refused_for_the_first_reason() {
        let gpu = |asked| on(BackendChoice::Gpus(GPU), asked);
        let too_little = |n, each: u64, megabytes: u64, threads, most| Refusal::Memory {
            lack: Lack { size: size(n), method: Halves, each: each << 20, memory: megabytes << 20 },
            threads,
            most,
        };
        let too_slow = |method, n| Refusal::TooSlow { method, size: size(n) };
        let not_written = |method, form| Refusal::NotWritten { method, form };
        for (asked, refusal) in [
            (by(29, Symmetry), Refusal::NotCountable(size(29))),
            (gpu(asked(29)), Refusal::NotCountable(size(29))),
            (by(28, Bitmap), too_slow(Bitmap, 28)),
            (gpu(by(28, Bitmap)), too_slow(Bitmap, 28)),
            (device(0, asked(8)), Refusal::DeviceOfNone(0)),
            (device(0, by(28, Bitmap)), too_slow(Bitmap, 28)),
            (form(Form::Iterative, by(8, Halves)), not_written(Halves, Form::Iterative)),
            (set(Avx2, by(8, Bitmap)), Refusal::NoSets { method: Bitmap, set: Avx2 }),
            (
                set(Avx512, asked(8)),
                Refusal::SetNotHere { set: Avx512, here: vec![Portable, Avx2] },
            ),
            (gpu(set(Avx2, asked(8))), Refusal::NotOnGpus(NotOnGpus::Set(Avx2))),
            (gpu(form(Form::Recursive, asked(8))), Refusal::NotOnGpus(NotOnGpus::Recursive)),
            // 300 MB are enough for four threads at N = 22, and for one at N = 24.
            (threads(5, asked(22)), too_little(22, 64, 300, 5, 4)),
            (threads(2, by(24, Halves)), too_little(24, 256, 300, 2, 1)),
        ] {
            assert_eq!(here(&asked, 300), Err(refusal.clone()), "{asked:?}");
            if !matches!(asked.backend, BackendChoice::Gpus(_)) {
                let asked = on(AUTO, asked);
                assert_eq!(here(&asked, 300), Err(refusal), "{asked:?}");
            }
        }
        // Not even one thread has enough: what was asked for is not given up in silence.
        for asked in [by(24, Halves), set(Avx2, asked(24))] {
            assert_eq!(here(&asked, 255), Err(too_little(24, 256, 255, 8, 0)), "{asked:?}");
        }
    }

    #[test]
    fn a_method_without_steps_on_gpus_is_refused_in_their_words() {
        let asked = on(BackendChoice::Gpus(GPU), by(12, Bitmap));
        let Err(Refusal::NotOnGpus(NotOnGpus::Board(words))) = here(&asked, 1) else {
            panic!("{asked:?}");
        };
        assert_eq!(words, "GPUs support only the methods symmetry and halves, not bitmap");
    }
}
