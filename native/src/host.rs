//! What is known about the machine.

use std::{sync::OnceLock, thread};

use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The machine as far as results and `queens devices` name it.
#[derive(Clone, Debug)]
pub struct Host {
    /// The operating system, such as `linux`.
    pub os: &'static str,
    /// The processor's name, or its architecture where the system does not tell.
    pub cpu: String,
    /// Main memory in bytes; 0 where the system does not tell.
    pub memory: u64,
}

impl Host {
    /// Asks the operating system, once in this process.
    pub fn ask() -> &'static Host {
        static HOST: OnceLock<Host> = OnceLock::new();
        HOST.get_or_init(|| {
            let what = RefreshKind::nothing()
                .with_cpu(CpuRefreshKind::nothing())
                .with_memory(MemoryRefreshKind::nothing().with_ram());
            let (brand, memory) = match System::new_with_specifics(what) {
                Ok(system) => {
                    let brand = system.cpus().first().map(|cpu| cpu.brand().trim().to_owned());
                    (brand.filter(|brand| !brand.is_empty()), system.total_memory())
                }
                Err(_) => (None, 0),
            };
            let cpu = brand.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
            Host { os: std::env::consts::OS, cpu, memory }
        })
    }
}

/// The number of threads that the machine runs at once; what this process may use of them.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}
