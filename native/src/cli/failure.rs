//! Why a command fails, and the exit code that tells scripts.

use std::{fmt, io};

use queens_core::{
    Method, Size, Stepped, Wrong,
    document::{Contradiction, DocumentError, ShardError},
    halves::InstructionSet,
};

use super::{
    decide::{Lack, Refusal},
    interrupt,
};
use queens::{
    count::{BackendError, GPUS, RunError},
    journal::JournalError,
    store::StoreError,
};

/// A failure that has an exit code of its own. All others end with 1.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// No count can hold the number of solutions.
    #[error(
        "N = {0} is too large to count: the number of solutions beyond N = {largest} exceeds a \
         64-bit number; N can be 1 to {largest}", largest = Size::MAX_COUNTED
    )]
    NotCountable(Size),
    /// The method would take too long.
    #[error("N = {size} would take {method} too long: it counts up to N = {largest}{instead}",
        largest = .method.largest(), instead = instead(*.size))]
    TooSlow {
        /// The method.
        method: Method,
        /// The size asked for.
        size: Size,
    },
    /// Arguments that do not go together, as a sentence.
    #[error("{0}")]
    Arguments(String),
    /// There is no such backend or device here, or it failed.
    #[error("{0}")]
    Backend(BackendError),
    /// The count would need more memory than there is.
    #[error("{0}")]
    Memory(String),
    /// A document that cannot be read from its file.
    #[error("cannot read {file}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file that holds no document.
    #[error("{file} is no result document that can be used")]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: DocumentError,
    },
    /// A document that cannot be true.
    #[error("{file} contradicts itself or what is known:{}", listed(.found))]
    Inconsistent {
        /// The file.
        file: String,
        /// All contradictions.
        found: Vec<Contradiction>,
    },
    /// Shards that do not belong together.
    #[error("{0}")]
    Shards(ShardError),
    /// Shards that are missing, as a sentence.
    #[error("{0}")]
    Incomplete(String),
    /// Shards that do not add up to a right count.
    #[error("the shards, each of which may be right, do not make a right count: {0}")]
    WrongSum(Wrong),
    /// A document whose tasks this program does not know.
    #[error(
        "{file} was counted by version {version} of the plan of tasks, which is not known here, so \
         its tasks cannot be counted again; `--tasks 0` checks it without"
    )]
    UnknownPlan {
        /// The file.
        file: String,
        /// The plan's version.
        version: u32,
    },
    /// A file that cannot serve as the server's store.
    #[error("{0}")]
    UnusableStore(StoreError),
    /// A journal that another process works on, as a sentence.
    #[error("{0}")]
    InUse(String),
    /// A task counted again came out differently.
    #[error("the recount disagrees in {0}")]
    Disagrees(String),
    /// Ctrl-C, or another signal.
    #[error("{0}")]
    Interrupted(String),
    /// The same where a journal has what was finished.
    #[error("{0}")]
    Resumable(String),
    /// The numbers of a count cannot be right.
    #[error(
        "THIS COUNT IS WRONG and was thrown away. It is a defect of the program or of the \
         machine; please report it, with what `queens --version` says, N = {size}, the method \
         {method} and what follows"
    )]
    WrongCount {
        /// What was counted.
        size: Size,
        /// By which method.
        method: Method,
        /// What is wrong.
        source: Wrong,
    },
    /// The tasks of a shard cannot be right.
    #[error(
        "THIS COUNT IS WRONG and was thrown away. It is a defect of the program or of the \
         machine; please report it, with what `queens --version` says, N = {size}, the method \
         {method} and what follows:{}",
        listed(.found)
    )]
    WrongShard {
        /// What was counted.
        size: Size,
        /// By which method.
        method: Method,
        /// What is wrong.
        found: Vec<Contradiction>,
    },
}

impl Failure {
    /// The exit code of any error: 1 if it is no [`Failure`].
    pub fn exit_code_of(error: &anyhow::Error) -> u8 {
        let of_journal = || error.downcast_ref().map_or(1, of_journal);
        error.downcast_ref().map_or_else(of_journal, Failure::exit_code)
    }

    fn exit_code(&self) -> u8 {
        match self {
            Failure::Disagrees(_)
            | Failure::InUse(_)
            | Failure::Backend(BackendError::Wrong { .. })
            | Failure::WrongCount { .. }
            | Failure::WrongShard { .. } => 1,
            Failure::NotCountable(_) | Failure::TooSlow { .. } | Failure::Arguments(_) => 2,
            Failure::Unreadable { .. }
            | Failure::Damaged { .. }
            | Failure::Inconsistent { .. }
            | Failure::Shards(_)
            | Failure::Incomplete(_)
            | Failure::WrongSum(_)
            | Failure::UnusableStore(_)
            | Failure::UnknownPlan { .. } => 65,
            Failure::Backend(_) | Failure::Memory(_) => 69,
            Failure::Resumable(_) => 75,
            Failure::Interrupted(_) => interrupt::exit_code(),
        }
    }

    /// Whether an error says that what was counted so far is wrong.
    pub fn is_of_a_wrong_device(error: &anyhow::Error) -> bool {
        matches!(error.downcast_ref(), Some(Failure::Backend(BackendError::Wrong { .. })))
    }

    /// What `error` means for a command that keeps nothing of an unfinished run.
    pub fn of_run(error: RunError) -> anyhow::Error {
        match error {
            stopped @ RunError::Stopped { .. } => {
                Failure::Interrupted(format!("{stopped}; nothing of them is kept")).into()
            }
            RunError::Backend(error) => Failure::Backend(error).into(),
            RunError::Journal(error) => error.into(),
            other => other.into(),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        match refusal {
            Refusal::NotCountable(size) => Failure::NotCountable(size),
            Refusal::TooSlow { method, size } => Failure::TooSlow { method, size },
            Refusal::NotWritten { method, form } => {
                let only = method.forms().iter().map(|form| form.id()).collect::<Vec<_>>();
                let only = only.join(", ");
                let sentence =
                    format!("{method} has no {form} form, only {only}: leave --form out");
                Failure::Arguments(sentence)
            }
            Refusal::DeviceOfNone(device) => {
                let backends: Vec<_> =
                    GPUS.iter().map(|gpus| format!("--backend {}", gpus.kind.id())).collect();
                Failure::Arguments(format!(
                    "--device {device} needs {}: each numbers its own devices",
                    backends.join(" or ")
                ))
            }
            Refusal::NoSets { method, set } => Failure::Arguments(format!(
                "--isa {set} needs --method halves: {method} has no other writings"
            )),
            Refusal::SetNotHere { set, here } => {
                let here: Vec<_> = here.into_iter().map(InstructionSet::id).collect();
                let here = here.join(", ");
                let sentence = format!("{set} is not available on this processor; it has {here}");
                Failure::Arguments(sentence)
            }
            Refusal::NotOnGpus(why) => Failure::Arguments(why.to_string()),
            Refusal::Memory { lack, threads, most } => {
                let instead = match most {
                    0 => "take --method symmetry".to_owned(),
                    most => format!("take --threads {most}, or --method symmetry"),
                };
                let sentence = format!("{lack}, too little for {threads} threads: {instead}");
                Failure::Memory(sentence)
            }
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lack { size, method, each, memory } = *self;
        let gigabytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
        write!(
            f,
            "N = {size} by {method} needs up to {} of memory for each thread, and this machine has {}",
            gigabytes(each),
            gigabytes(memory)
        )
    }
}

/// The exit code of a journal that cannot be used.
fn of_journal(error: &JournalError) -> u8 {
    match error {
        JournalError::Missing { .. }
        | JournalError::NotAJournal { .. }
        | JournalError::Later { .. }
        | JournalError::Damaged { .. }
        | JournalError::UnknownPlan { .. }
        | JournalError::OtherRun { .. } => 65,
        // Whoever has it goes on.
        JournalError::Lost { .. } => 75,
        _ => 1,
    }
}

/// Names the method to take instead.
fn instead(size: Size) -> String {
    let n = size.get();
    let reach = |method: &&Stepped| method.facts().largest;
    let farthest = Stepped::ALL.iter().filter(|method| reach(method) >= n).max_by_key(reach);
    let Some(method) = farthest else {
        return String::new();
    };
    match n {
        0..=20 => format!("; `--method {method}` can do N = {n}"),
        21..=22 => format!("; `--method {method}` takes hours to days for N = {n}"),
        _ => format!("; `--method {method}` takes weeks, months or years for N = {n}"),
    }
}

fn listed(found: &[Contradiction]) -> String {
    found.iter().map(|contradiction| format!("\n  {contradiction}")).collect()
}
