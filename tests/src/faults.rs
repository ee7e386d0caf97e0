//! Faults of the system: calls to the C library that fail, are cut short or end the process.
//!
//! `faults.c` is a library that the built command loads before all others. It works where programs are
//! linked to the C library dynamically, as on Linux with glibc.

use std::{
    collections::BTreeMap,
    env,
    fmt::{self, Display},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use tempfile::TempDir;

use crate::command;

/// A fault: an effect on one call of a function, or on that call and all later ones.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    function: &'static str,
    /// The number of the call, from 1.
    call: u64,
    effect: &'static str,
}

/// The functions and the possible effects on each. `torn` writes half of the data and kills the
/// process; `+` also affects all later calls. `any` counts the calls of all functions together.
const FUNCTIONS: [(&str, &[&str]); 11] = [
    ("read", &["EIO", "short", "kill"]),
    ("write", &["EIO", "ENOSPC", "ENOSPC+", "short", "torn", "kill"]),
    ("sync", &["EIO", "EIO+", "kill"]),
    ("truncate", &["EIO", "kill"]),
    ("open", &["EACCES", "EMFILE", "EMFILE+", "kill"]),
    ("link", &["EACCES", "EIO", "kill"]),
    ("rename", &["EACCES", "EIO", "kill"]),
    ("unlink", &["EACCES", "EIO", "kill"]),
    ("lock", &["ENOSYS", "kill"]),
    ("thread", &["EAGAIN", "EAGAIN+", "kill"]),
    ("any", &["EIO", "kill"]),
];

impl Fault {
    /// Returns the fault for effect `number`, from 0, in the list of all effects on the functions
    /// in `calls`; numbers past the end wrap around. The affected call is chosen at random.
    pub fn nth(number: usize, calls: &BTreeMap<String, u64>, random: &mut Rng) -> Result<Fault> {
        let possible = FUNCTIONS.into_iter().filter_map(|(function, effects)| {
            let calls = calls.get(function).copied().filter(|&calls| calls > 0)?;
            Some(effects.iter().map(move |effect| (function, calls, effect)))
        });
        let possible: Vec<_> = possible.flatten().collect();
        let index = number.checked_rem(possible.len()).context("no function is called")?;
        let (function, calls, effect) = possible[index];
        Ok(Fault { function, call: random.u64(1..=calls), effect })
    }

    /// Returns two faults for every write: an input/output error and a torn write.
    pub fn of_writes(calls: &BTreeMap<String, u64>) -> Vec<Fault> {
        let writes = calls.get("write").copied().unwrap_or_default();
        let both = |call| ["EIO", "torn"].map(|effect| Fault { function: "write", call, effect });
        (1..=writes).flat_map(both).collect()
    }

    /// Returns the fault that rejects all locks, as some network file systems do.
    #[must_use]
    pub fn no_locks() -> Fault {
        Fault { function: "lock", call: 1, effect: "ENOSYS+" }
    }

    /// Whether the fault kills the process.
    pub fn kills(self) -> bool {
        ["kill", "torn"].contains(&self.effect)
    }

    /// Whether the fault may prevent the process from removing files.
    pub fn may_leave_files(self) -> bool {
        self.kills() || ["unlink", "any"].contains(&self.function)
    }

    /// Whether the fault may prevent the process from printing its error.
    pub fn may_hide_error(self) -> bool {
        ["write", "any"].contains(&self.function)
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.function, self.call, self.effect)
    }
}

/// The library's record of a process.
#[derive(Debug, Clone, Default)]
pub struct Record {
    /// The number of calls that the fault affected.
    pub affected_calls: u64,
    /// The number of calls of each function; empty if the process was killed.
    pub calls: BTreeMap<String, u64>,
}

/// The library, compiled into a folder that is deleted with this value.
#[derive(Debug)]
pub struct Faults {
    folder: TempDir,
}

/// Returns the C compiler to use: the first of `$CC`, `cc`, `gcc` and `clang` that runs.
pub fn compiler() -> Option<String> {
    let named = env::var("CC").ok();
    let usual = ["cc", "gcc", "clang"].map(str::to_owned);
    named.into_iter().chain(usual).find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    })
}

impl Faults {
    /// Compiles the library.
    ///
    /// # Errors
    /// Fails with the compiler's messages if it rejects the library, and also if the command runs
    /// without calling the library.
    pub fn build(compiler: &str) -> Result<Faults> {
        let folder = TempDir::new().context("creating a folder")?;
        let faults = Faults { folder };
        let output = Command::new(compiler)
            .args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"])
            .arg("-pthread")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/faults/faults.c"))
            .arg("-o")
            .arg(faults.library())
            .arg("-ldl")
            .output()
            .with_context(|| format!("starting {compiler}"))?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let log = faults.folder.path().join("log");
        let output = faults.command(None, &log)?.arg("--version").output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let writes = read_record(&log)?.calls.get("write").copied().unwrap_or_default();
        ensure!(
            writes > 0,
            "the command ignores LD_PRELOAD: it made no write call through the fault library"
        );
        Ok(faults)
    }

    fn library(&self) -> PathBuf {
        self.folder.path().join("libfaults.so")
    }

    /// The built command with `fault` injected. The library writes its record to `log`.
    pub fn command(&self, fault: Option<Fault>, log: &Path) -> Result<Command> {
        let mut command = Command::new(command::path()?);
        command.env("LD_PRELOAD", self.library()).env("QUEENS_FAULT_LOG", log);
        if let Some(fault) = fault {
            command.env("QUEENS_FAULT", fault.to_string());
        }
        Ok(command)
    }
}

/// Reads the library's record.
pub fn read_record(log: &Path) -> Result<Record> {
    let mut record = Record::default();
    // The file does not exist if the process ended before the library was loaded.
    for line in fs::read_to_string(log).unwrap_or_default().lines() {
        match line.split_once(' ') {
            Some((function, calls)) => {
                record
                    .calls
                    .insert(function.to_owned(), calls.parse().context("not a number of calls")?);
            }
            None => record.affected_calls += 1,
        }
    }
    Ok(record)
}
