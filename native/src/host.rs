//! The machine, its processes and its clock, as the operating system describes them.

use std::{process, sync::OnceLock, thread, time::SystemTime};

use jiff::Timestamp;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The machine, as results and `queens devices` name it.
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

/// Returns the time. A clock beyond the years of the calendar stands at their end.
pub fn now() -> Timestamp {
    time_at(SystemTime::now())
}

fn time_at(clock: SystemTime) -> Timestamp {
    Timestamp::try_from(clock).unwrap_or_else(|_| {
        if clock < SystemTime::UNIX_EPOCH { Timestamp::MIN } else { Timestamp::MAX }
    })
}

/// Returns the number of threads that this process can run in parallel.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// The machine's name in its network; empty if unknown.
pub fn name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| System::host_name().unwrap_or_default())
}

/// A process, distinguished from all other processes on all machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Identifies the machine and, on Linux, its boot; empty if unknown.
    pub boot: String,
    /// The namespace of `id`; empty if unknown, or on systems without namespaces of processes.
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
        let ask = || {
            let id = process::id();
            let (boot, namespace) = system::place().unwrap_or_default();
            let started = match system::find(id) {
                Found::Running { started } => started,
                Found::Ended | Found::Unknown => 0,
            };
            Process { boot, namespace, id, started }
        };
        THIS.get_or_init(ask).clone()
    }

    /// Whether the process is known to have ended. Only a process that this one can see is checked:
    /// on the same machine since the same boot, in the same namespace.
    pub fn has_ended(&self) -> bool {
        let this = Process::this();
        let is_visible =
            !this.boot.is_empty() && (&this.boot, &this.namespace) == (&self.boot, &self.namespace);
        is_visible
            && match system::find(self.id) {
                Found::Ended => true,
                Found::Running { started } => started != self.started,
                Found::Unknown => false,
            }
    }
}

/// The state of a process, as the system reports it.
enum Found {
    Running { started: i64 },
    Ended,
    Unknown,
}

#[cfg(target_os = "linux")]
mod system {
    use std::{fs, io, process};

    use super::Found;

    /// Returns what [`Process`](super::Process) calls boot and namespace.
    pub fn place() -> Option<(String, String)> {
        // If /proc belongs to another namespace, it lists other processes under these ids.
        let own = fs::read_link("/proc/self").ok()?;
        if own.to_str()? != process::id().to_string() {
            return None;
        }
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let namespace = fs::read_link("/proc/self/ns/pid").ok()?;
        Some((boot.trim().to_owned(), namespace.to_str()?.to_owned()))
    }

    pub fn find(id: u32) -> Found {
        match fs::read_to_string(format!("/proc/{id}/stat")) {
            Ok(stat) => read(&stat),
            // If not even process 1 is listed, /proc hides the processes of other users.
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    && fs::exists("/proc/1").unwrap_or_default() =>
            {
                Found::Ended
            }
            Err(_) => Found::Unknown,
        }
    }

    /// Reads the status line of a process. After the id and the name, which is in brackets, it has
    /// the state and, 19 fields later, the start time in ticks since the boot.
    fn read(stat: &str) -> Found {
        let Some((_, fields)) = stat.rsplit_once(')') else { return Found::Unknown };
        let mut fields = fields.split_ascii_whitespace();
        // A process that has ended stays a zombie until its parent waits for it.
        if matches!(fields.next(), Some("Z" | "X" | "x")) {
            return Found::Ended;
        }
        let started = fields.nth(18).and_then(|field| field.parse().ok());
        started.map_or(Found::Unknown, |started| Found::Running { started })
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

    use super::Found;

    /// Returns what [`Process`](super::Process) calls boot and namespace. These systems have no
    /// namespaces of processes; a number that was given again after a restart has another start.
    pub fn place() -> Option<(String, String)> {
        System::host_name().ok().map(|name| (name, String::new()))
    }

    pub fn find(id: u32) -> Found {
        let id = Pid::from_u32(id);
        let Ok(mut system) = System::new() else { return Found::Unknown };
        system.refresh_processes_specifics(
            ProcessesToUpdate::Some(&[id]),
            true,
            ProcessRefreshKind::nothing(),
        );
        let has_ended = |status| matches!(status, ProcessStatus::Zombie | ProcessStatus::Dead);
        match system.process(id).filter(|process| !has_ended(process.status())) {
            Some(process) => {
                Found::Running { started: i64::try_from(process.start_time()).unwrap_or_default() }
            }
            None => Found::Ended,
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
        let Found::Running { started } = system::find(child.id()) else {
            panic!("the child is not seen")
        };
        let known = Process { id: child.id(), started, ..this };
        assert!(!known.has_ended());
        // A process that had the same id before, and one that this process cannot see.
        assert!(Process { started: started - 1, ..known.clone() }.has_ended());
        child.kill().unwrap();
        // Before `wait`, the child is a zombie, which counts as ended.
        while !known.has_ended() {
            thread::yield_now();
        }
        child.wait().unwrap();
        assert!(known.has_ended());
        assert!(!name().is_empty());
    }

    #[test]
    fn clamps_times_beyond_the_calendar() {
        let days = |days: u64| std::time::Duration::from_secs(days * 24 * 60 * 60);
        let end = SystemTime::UNIX_EPOCH + days(2_932_896);
        assert_eq!(time_at(end), Timestamp::MAX);
        assert_eq!(format!("{:.3}", time_at(end + days(365))), "9999-12-30T22:00:00.999Z");
        assert_eq!(time_at(SystemTime::UNIX_EPOCH), Timestamp::UNIX_EPOCH);
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
