//! The machine and its clock, as reported by the operating system.

use std::{sync::OnceLock, thread, time::SystemTime};

use jiff::Timestamp;
use sysinfo::{
    CpuRefreshKind, MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System,
};

/// Properties of the machine, for result documents and `queens devices`.
#[derive(Clone, Debug)]
pub struct Host {
    /// The operating system, such as `linux`.
    pub os: &'static str,
    /// The processor's name, or its architecture if the system does not provide one.
    pub cpu: String,
    /// Main memory in bytes; 0 if unknown.
    pub memory: u64,
}

impl Host {
    /// Returns the properties of this machine. Only the first call queries the operating system.
    pub fn get() -> &'static Host {
        static HOST: OnceLock<Host> = OnceLock::new();
        HOST.get_or_init(|| {
            let queried = RefreshKind::nothing()
                .with_cpu(CpuRefreshKind::nothing())
                .with_memory(MemoryRefreshKind::nothing().with_ram());
            let (brand, memory) = match System::new_with_specifics(queried) {
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

/// Returns the memory in bytes that this process may use: the main memory, or less if its control group
/// (containers, Slurm, systemd) is limited. Returns 0 if unknown.
pub fn usable_memory() -> u64 {
    let main = Some(Host::get().memory).filter(|&memory| memory > 0);
    [main, control_group_memory()].into_iter().flatten().min().unwrap_or(0)
}

/// Returns the memory in bytes that the control group of this process may use, if Linux limits it.
fn control_group_memory() -> Option<u64> {
    let id = sysinfo::get_current_pid().ok()?;
    let mut system = System::new().ok()?;
    let processes = ProcessesToUpdate::Some(&[id]);
    system.refresh_processes_specifics(processes, false, ProcessRefreshKind::nothing());
    Some(system.process(id)?.cgroup_limits()?.total_memory)
}

/// Returns the current time.
pub fn now() -> Timestamp {
    Timestamp::try_from(SystemTime::now()).unwrap_or_default()
}

/// Returns the number of threads that this process can run in parallel.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// Returns the machine's host name, or "unknown".
pub fn name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| System::host_name().unwrap_or_else(|_| "unknown".to_owned()))
}
