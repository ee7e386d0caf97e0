//! The machine, its processes and its clock, as reported by the operating system.

use std::{process, sync::OnceLock, thread, time::SystemTime};

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
/// (containers, Slurm, systemd) or the size of its address space (`ulimit -v`) is limited. Returns 0 if unknown.
///
/// Only half of the unused part of a limited address space counts, because allocators reserve more than they
/// use.
pub fn usable_memory() -> u64 {
    let main = Some(Host::get().memory).filter(|&memory| memory > 0);
    let address_space = system::unused_address_space().map(|unused| unused.div_ceil(2));
    [main, control_group_memory(), address_space].into_iter().flatten().min().unwrap_or(0)
}

/// Returns the memory in bytes that the control group of this process may use, if Linux limits it.
fn control_group_memory() -> Option<u64> {
    let id = sysinfo::get_current_pid().ok()?;
    let mut system = System::new().ok()?;
    let processes = ProcessesToUpdate::Some(&[id]);
    system.refresh_processes_specifics(processes, false, ProcessRefreshKind::nothing());
    Some(system.process(id)?.cgroup_limits()?.total_memory)
}

/// The beginning of the year 0 in UTC, the first time that RFC 3339 can express.
const YEAR_0: Timestamp = Timestamp::constant(-62_167_219_200, 0);

/// Returns the current time, clamped to the times that are both in RFC 3339 and in [`Timestamp`].
pub fn now() -> Timestamp {
    time_at(SystemTime::now())
}

fn time_at(clock: SystemTime) -> Timestamp {
    let time = Timestamp::try_from(clock)
        .unwrap_or_else(|_| if clock < SystemTime::UNIX_EPOCH { YEAR_0 } else { Timestamp::MAX });
    time.max(YEAR_0)
}

/// Returns the number of threads that this process can run in parallel.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// Returns the machine's host name, or an empty text if the name is unknown.
pub fn name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| System::host_name().unwrap_or_default())
}

/// Identity of a process. If `boot` is known, no two processes have the same identity, except, on systems
/// other than Linux, processes of two machines with the same host name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Identifies the machine and, on Linux, its boot; empty if unknown.
    pub boot: String,
    /// The namespaces of `id` and, on Linux, of `started`; empty if unknown, or on systems without process
    /// namespaces.
    pub namespace: String,
    /// The process id.
    pub id: u32,
    /// The start time in the system's unit, because process ids are reused.
    pub started: i64,
}

impl Process {
    /// Returns this process.
    pub fn this() -> Process {
        static THIS: OnceLock<Process> = OnceLock::new();
        let query = || {
            let id = process::id();
            let (boot, namespace) = system::boot_and_namespace().unwrap_or_default();
            let started = match system::state_of(id) {
                ProcessState::Running { started } => started,
                ProcessState::Ended | ProcessState::Unknown => 0,
            };
            Process { boot, namespace, id, started }
        };
        THIS.get_or_init(query).clone()
    }

    /// Returns whether both values certainly stand for one process. Without a boot, processes of two
    /// containers can have equal values.
    pub fn is_certainly(&self, other: &Process) -> bool {
        self == other && !self.boot.is_empty()
    }

    /// Returns whether the process is known to have ended. A process of another machine, boot or namespace
    /// cannot be checked and counts as running.
    pub fn has_ended(&self) -> bool {
        let this = Process::this();
        let is_visible =
            !this.boot.is_empty() && (&this.boot, &this.namespace) == (&self.boot, &self.namespace);
        is_visible
            && match system::state_of(self.id) {
                ProcessState::Ended => true,
                ProcessState::Running { started } => started != self.started,
                ProcessState::Unknown => false,
            }
    }
}

/// The state of a process, as the system reports it.
enum ProcessState {
    Running { started: i64 },
    Ended,
    Unknown,
}

#[cfg(target_os = "linux")]
mod system {
    use std::{fs, io, process};

    use super::ProcessState;

    /// Returns `boot` and `namespace` of this [`Process`](super::Process).
    pub fn boot_and_namespace() -> Option<(String, String)> {
        // If /proc belongs to another namespace, its ids stand for other processes.
        let own = fs::read_link("/proc/self").ok()?;
        if own.to_str()? != process::id().to_string() {
            return None;
        }
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let mut namespace = fs::read_link("/proc/self/ns/pid").ok()?.into_os_string();
        // The kernel shifts the start times that it reports by the clock of the reader's time namespace.
        if let Ok(clock) = fs::read_link("/proc/self/ns/time") {
            namespace.push(" ");
            namespace.push(clock);
        }
        Some((boot.trim().to_owned(), namespace.into_string().ok()?))
    }

    /// Returns the unused part of the address space in bytes, at least 1, if its size is limited.
    pub fn unused_address_space() -> Option<u64> {
        let limits = fs::read_to_string("/proc/self/limits").ok()?;
        let limit = number_after("Max address space", &limits)?;
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let kilobytes = number_after("VmSize:", &status)?;
        Some(limit.saturating_sub(kilobytes * 1024).max(1))
    }

    /// Returns the number that follows the name at the start of a line.
    fn number_after(name: &str, text: &str) -> Option<u64> {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.split_ascii_whitespace().next()?.parse().ok()
    }

    pub fn state_of(id: u32) -> ProcessState {
        match fs::read_to_string(format!("/proc/{id}/stat")) {
            Ok(stat) => parse_stat(&stat),
            // If even process 1 is missing, /proc hides the processes of other users.
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    && fs::exists("/proc/1").unwrap_or_default() =>
            {
                ProcessState::Ended
            }
            Err(_) => ProcessState::Unknown,
        }
    }

    /// Parses the status line of a process. The state follows the id and the name in brackets. The start
    /// time, in ticks since the boot, is 19 fields after the state.
    fn parse_stat(stat: &str) -> ProcessState {
        let Some((_, fields)) = stat.rsplit_once(')') else { return ProcessState::Unknown };
        let mut fields = fields.split_ascii_whitespace();
        // A process that has ended stays a zombie until its parent waits for it.
        if matches!(fields.next(), Some("Z" | "X" | "x")) {
            return ProcessState::Ended;
        }
        let started = fields.nth(18).and_then(|field| field.parse().ok());
        started.map_or(ProcessState::Unknown, |started| ProcessState::Running { started })
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

    use super::ProcessState;

    /// Returns `boot` and `namespace` of this [`Process`](super::Process). These systems have no process
    /// namespaces. A process id that is reused after a restart has another start time.
    pub fn boot_and_namespace() -> Option<(String, String)> {
        System::host_name().ok().map(|name| (name, String::new()))
    }

    /// Returns `None`: on these systems the limit is not read.
    pub fn unused_address_space() -> Option<u64> {
        None
    }

    pub fn state_of(id: u32) -> ProcessState {
        let id = Pid::from_u32(id);
        let Ok(mut system) = System::new() else { return ProcessState::Unknown };
        system.refresh_processes_specifics(
            ProcessesToUpdate::Some(&[id]),
            true,
            ProcessRefreshKind::nothing(),
        );
        let has_ended = |status| matches!(status, ProcessStatus::Zombie | ProcessStatus::Dead);
        match system.process(id).filter(|process| !has_ended(process.status())) {
            Some(process) => ProcessState::Running {
                started: i64::try_from(process.start_time()).unwrap_or_default(),
            },
            None => ProcessState::Ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn detects_whether_a_process_has_ended() {
        let this = Process::this();
        assert!(!this.has_ended());
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let ProcessState::Running { started } = system::state_of(child.id()) else {
            panic!("the child is not seen")
        };
        let child_process = Process { id: child.id(), started, ..this };
        assert!(!child_process.has_ended());
        // A process with the same id that started earlier has ended.
        assert!(Process { started: started - 1, ..child_process.clone() }.has_ended());
        child.kill().unwrap();
        // Before `wait`, the child is a zombie, which counts as ended.
        while !child_process.has_ended() {
            thread::yield_now();
        }
        child.wait().unwrap();
        assert!(child_process.has_ended());
        assert!(!name().is_empty());
    }

    #[test]
    fn equal_processes_without_a_boot_may_differ() {
        let this = Process::this();
        assert!(this.is_certainly(&this));
        let unknown = Process { boot: String::new(), namespace: String::new(), ..this };
        assert!(!unknown.is_certainly(&unknown));
    }

    #[test]
    fn clamps_times_beyond_the_calendar() {
        let days = |days: u64| std::time::Duration::from_secs(days * 24 * 60 * 60);
        let end = SystemTime::UNIX_EPOCH + days(2_932_896);
        assert_eq!(time_at(end), Timestamp::MAX);
        assert_eq!(format!("{:.3}", time_at(end + days(365))), "9999-12-30T22:00:00.999Z");
        assert_eq!(time_at(SystemTime::UNIX_EPOCH), Timestamp::UNIX_EPOCH);
        // Not all systems have times before the year 0, which RFC 3339 cannot express.
        let early = SystemTime::UNIX_EPOCH.checked_sub(days(800_000)).map(time_at);
        let early = early.map(|early| format!("{early:.3}"));
        assert!(
            early.as_ref().is_none_or(|early| early == "0000-01-01T00:00:00.000Z"),
            "{early:?}"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_namespace_includes_that_of_the_clock() {
        // Older kernels have no such namespaces.
        let clock = std::fs::read_link("/proc/self/ns/time").unwrap_or_default();
        let namespace = Process::this().namespace;
        assert!(namespace.starts_with("pid:["), "{namespace}");
        assert!(namespace.ends_with(clock.to_str().unwrap()), "{namespace}");
    }

    #[test]
    fn processes_of_other_machines_or_containers_count_as_running() {
        let gone = Process { started: -1, ..Process::this() };
        assert!(gone.has_ended());
        let other = || "other".to_owned();
        assert!(!Process { boot: other(), ..gone.clone() }.has_ended());
        assert!(!Process { namespace: other(), ..gone.clone() }.has_ended());
        assert!(!Process { boot: String::new(), namespace: String::new(), ..gone }.has_ended());
    }
}
