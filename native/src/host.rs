//! What is known about the machine.

use std::{sync::OnceLock, thread};

use sysinfo::{
    CpuRefreshKind, MemoryRefreshKind, Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate,
    RefreshKind, System,
};

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

/// The machine's name in its network; empty where the system does not tell.
pub fn name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| System::host_name().unwrap_or_default())
}

/// Whether a process of this machine is there and has not ended.
pub fn is_running(process: u32) -> bool {
    let id = Pid::from_u32(process);
    let Ok(mut system) = System::new() else { return true };
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[id]),
        true,
        ProcessRefreshKind::nothing(),
    );
    // A process that has ended stays as a zombie until its parent asks how.
    let has_ended = |status| matches!(status, ProcessStatus::Zombie | ProcessStatus::Dead);
    system.process(id).is_some_and(|process| !has_ended(process.status()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{self, Command};

    #[test]
    fn a_process_runs_until_it_has_ended() {
        assert!(is_running(process::id()));
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        assert!(is_running(child.id()));
        child.kill().unwrap();
        // Nobody has asked yet how it ended.
        while is_running(child.id()) {
            thread::yield_now();
        }
        child.wait().unwrap();
        assert!(!is_running(child.id()));
        assert!(!name().is_empty());
    }
}
