//! Errors of the command line, their hints and their exit codes.

use std::{fmt, io, path::PathBuf};

use queens_core::{
    CountError, InstructionSet, Method, Size,
    document::{Contradiction, DocumentError, ShardError},
    notation::grouped,
};

use super::{
    decide::{MemoryShortfall, Rejection},
    interrupt,
};
use queens::{
    count::{BackendError, CountRequest, GPUS, RunError},
    journal::JournalError,
    paths,
    post::PostError,
    server::ServerError,
    store::StoreError,
};

/// An error in one clause and, separately, the hint for the user.
#[derive(Clone, Debug)]
pub struct Message {
    text: String,
    hint: Option<String>,
}

impl Message {
    /// Creates a message without a hint. The text may quote arguments, so line breaks in it are escaped.
    pub fn new(text: impl Into<String>) -> Message {
        Message { text: paths::on_one_line(&text.into()), hint: None }
    }

    /// Adds a hint.
    pub fn with_hint(self, hint: impl Into<String>) -> Message {
        Message { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message::new(text)
    }
}

impl From<PostError> for Message {
    fn from(error: PostError) -> Message {
        Message { text: error.to_string(), hint: error.hint() }
    }
}

/// Errors with their own exit code or hint. The exit code of a [`JournalError`] that is not part of a
/// `Failure` depends on its variant. Every other error ends with code 1.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The number of solutions is expected to exceed 64 bits.
    #[error(
        "N = {0} is too large to count: beyond N = {largest} the number of solutions is expected \
         to exceed 64 bits", largest = Size::MAX_COUNTED
    )]
    NotCountable(Size),
    /// N exceeds the limit of the method.
    #[error("N = {size} is too large for the method {method}, which accepts N up to {}",
        .method.largest())]
    TooSlow {
        method: Method,
        /// The requested size.
        size: Size,
    },
    /// Arguments that are invalid, or that contradict each other or the environment.
    #[error("{0}")]
    Arguments(Message),
    /// The backend or the device is not available, or it failed.
    #[error("{0}")]
    Backend(BackendError),
    /// The machine has too little memory for the count.
    #[error("{0}")]
    Memory(Message),
    /// The file of a result document cannot be read.
    #[error("cannot read {file}")]
    Unreadable {
        file: String,
        /// What the system reported.
        source: io::Error,
    },
    /// The file does not hold a valid result document.
    #[error("{file} is not a valid result document")]
    Damaged {
        file: String,
        /// What is wrong with it.
        source: DocumentError,
    },
    /// The numbers of a result document contradict each other or the published values.
    #[error("{file} is inconsistent:{}", listed(.found))]
    Inconsistent { file: String, found: Vec<Contradiction> },
    /// A list, a table or a board in a file is wrong.
    #[error("{0}")]
    Wrong(Message),
    /// The documents cannot be merged as the shards of one count.
    #[error("{0}")]
    Shards(ShardError),
    /// Shards are missing.
    #[error("{0}")]
    Incomplete(Message),
    /// The sums of all shards contradict each other or the published values.
    #[error("the shards do not add up to a valid count: {0}")]
    WrongSum(CountError),
    /// The file is not a result database that this program can use.
    #[error("{0}")]
    UnusableStore(StoreError),
    /// The automatic journal of a count cannot be read, is damaged or belongs to another count.
    #[error("cannot use the journal of this count: {0}")]
    AutomaticJournal(JournalError),
    /// A file in the folder of automatic journals is not a journal.
    #[error("{0}")]
    NotAnAutomaticJournal(JournalError),
    /// The file that `--journal` names is not a journal.
    #[error("{0}")]
    NotAJournal(JournalError),
    /// A journal was given instead of a result document.
    #[error("{} is a journal, not a result document", paths::shown(.0))]
    JournalAsDocument(PathBuf),
    /// Another process is using the journal.
    #[error("{0}")]
    InUse(Message),
    /// A recount gave another number.
    #[error("the recount disagrees with the document: {0}")]
    Disagrees(String),
    /// A signal, such as Ctrl-C, ended the command, and nothing can be resumed.
    #[error("{0}")]
    Interrupted(String),
    /// A signal stopped the count; its journal has the finished tasks.
    #[error("{0}")]
    Resumable(Message),
    /// The numbers of a count cannot be right.
    #[error("THE COUNT IS WRONG and was discarded (N = {size}, method {method})")]
    WrongCount {
        size: Size,
        method: Method,
        /// What is wrong.
        source: CountError,
    },
    /// The tasks of a shard cannot be right.
    #[error(
        "THE COUNT IS WRONG and was discarded (N = {size}, method {method}):{}", listed(.found)
    )]
    WrongShard {
        size: Size,
        method: Method,
        /// What is wrong.
        found: Vec<Contradiction>,
    },
}

impl Failure {
    /// Returns the exit code of any error. It is 1 for an error that is neither a [`Failure`] nor a
    /// [`JournalError`].
    pub fn exit_code_of(error: &anyhow::Error) -> u8 {
        let of_journal = || error.downcast_ref().map_or(1, of_journal);
        error.downcast_ref().map_or_else(of_journal, Failure::exit_code)
    }

    /// Returns the first hint among an error and its causes.
    pub fn hint_of(error: &anyhow::Error) -> Option<String> {
        error.chain().find_map(|cause| {
            let own = cause.downcast_ref().and_then(Failure::hint);
            own.or_else(|| cause.downcast_ref().and_then(RunError::hint))
                .or_else(|| cause.downcast_ref().and_then(BackendError::hint))
                .or_else(|| cause.downcast_ref().and_then(JournalError::hint))
                .or_else(|| cause.downcast_ref().and_then(StoreError::hint))
                .or_else(|| cause.downcast_ref().and_then(PostError::hint))
                .or_else(|| cause.downcast_ref().and_then(ServerError::hint))
        })
    }

    /// Returns what the user can do about the error.
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Failure::Arguments(message)
            | Failure::InUse(message)
            | Failure::Memory(message)
            | Failure::Incomplete(message)
            | Failure::Wrong(message)
            | Failure::Resumable(message) => {
                return message.hint.clone();
            }
            Failure::Backend(error) => return error.hint(),
            Failure::UnusableStore(error) => return error.hint(),
            Failure::TooSlow { size, .. } => return Some(faster_method(*size)),
            Failure::WrongSum(_) => "verify each shard with `queens verify`",
            Failure::NotAnAutomaticJournal(_) => "move or delete this file",
            Failure::NotAJournal(_) => "name another file with `--journal`",
            Failure::JournalAsDocument(file) => {
                let file = paths::shell_quoted(file);
                return Some(format!("`queens resume {file} -o FILE` writes its result"));
            }
            Failure::AutomaticJournal(_) => {
                "use `--no-journal` to count without it, or remove the file to start again"
            }
            Failure::WrongCount { .. } | Failure::WrongShard { .. } => {
                "this is a bug or a hardware fault; please report it with the output of `queens \
                 --version` and this message"
            }
            Failure::NotCountable(_)
            | Failure::Unreadable { .. }
            | Failure::Damaged { .. }
            | Failure::Inconsistent { .. }
            | Failure::Shards(_)
            | Failure::Disagrees(_)
            | Failure::Interrupted(_) => return None,
        };
        Some(hint.to_owned())
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
            | Failure::Wrong(_)
            | Failure::WrongSum(_)
            | Failure::UnusableStore(_)
            | Failure::JournalAsDocument(_) => 65,
            Failure::AutomaticJournal(error)
            | Failure::NotAnAutomaticJournal(error)
            | Failure::NotAJournal(error) => of_journal(error),
            Failure::Backend(_) | Failure::Memory(_) => 69,
            Failure::Resumable(_) => 75,
            Failure::Interrupted(_) => interrupt::exit_code(),
        }
    }

    /// Returns whether the error means that a device counts incorrectly.
    pub fn is_wrong_device(error: &anyhow::Error) -> bool {
        matches!(error.downcast_ref(), Some(Failure::Backend(BackendError::Wrong { .. })))
    }

    /// Converts the error of a run. If the run was stopped, its results count as not saved.
    pub fn from_run(error: RunError) -> anyhow::Error {
        match error {
            stopped @ RunError::Stopped { .. } => {
                Failure::Interrupted(format!("{stopped}; the results were not saved")).into()
            }
            RunError::Backend(error) => Failure::Backend(error).into(),
            other => other.into(),
        }
    }
}

impl From<Rejection> for Failure {
    fn from(rejection: Rejection) -> Failure {
        match rejection {
            Rejection::NotCountable(size) => Failure::NotCountable(size),
            Rejection::TooSlow { method, size } => Failure::TooSlow { method, size },
            Rejection::NoSuchForm { method, form } => Failure::Arguments(
                Message::new(format!("the method {method} has no {form} form"))
                    .with_hint("omit `--form`"),
            ),
            Rejection::NoSuchFormWithIsa { method, form, isa } => Failure::Arguments(
                Message::new(format!(
                    "`--isa {isa}` needs the method {method}, which has no {form} form"
                ))
                .with_hint("omit `--isa` or `--form`"),
            ),
            Rejection::DeviceWithoutBackend(device) => {
                let backends: Vec<_> =
                    GPUS.iter().map(|gpus| format!("`--backend {}`", gpus.kind.id())).collect();
                let hint = format!(
                    "add {}, and see `queens devices` for the numbers",
                    backends.join(" or ")
                );
                let text = format!("`--device {device}` needs a GPU backend");
                Failure::Arguments(Message::new(text).with_hint(hint))
            }
            Rejection::IsaWithoutColours { method, isa } => {
                let colours = Method::Colours;
                let text = format!(
                    "`--isa {isa}` works only with the method {colours}, not with {method}"
                );
                Failure::Arguments(Message::new(text).with_hint("omit `--isa`"))
            }
            Rejection::UnsupportedIsa { isa, supported } => {
                let supported: Vec<_> = supported.into_iter().map(InstructionSet::id).collect();
                let hint = format!("available here: {}", supported.join(", "));
                let text = format!("this CPU does not support {isa}");
                Failure::Arguments(Message::new(text).with_hint(hint))
            }
            Rejection::NotOnGpus(why) => {
                Failure::Arguments(Message { text: why.to_string(), hint: why.hint() })
            }
            Rejection::Memory { shortfall, threads, max_threads } => {
                let hint = match max_threads {
                    0 => "use `--method symmetry`".to_owned(),
                    max_threads => format!("use `--threads {max_threads}` or `--method symmetry`"),
                };
                let threads = match threads {
                    1 => "1 thread".to_owned(),
                    _ => format!("{threads} threads"),
                };
                let text = format!("not enough memory for {threads}: {shortfall}");
                Failure::Memory(Message::new(text).with_hint(hint))
            }
        }
    }
}

impl fmt::Display for MemoryShortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MemoryShortfall { size, method, per_thread, memory } = *self;
        // Both amounts have the same unit, so that users can see how many threads fit.
        write!(
            f,
            "{method} needs up to {} MiB per thread for N = {size}, and this process may use {} MiB",
            grouped(per_thread >> 20),
            grouped(memory >> 20)
        )
    }
}

/// Returns the exit code for a journal that cannot be used.
fn of_journal(error: &JournalError) -> u8 {
    match error {
        JournalError::Missing { .. }
        | JournalError::NotAJournal { .. }
        | JournalError::Empty { .. }
        | JournalError::OtherLayout { .. }
        | JournalError::Damaged { .. }
        | JournalError::UnknownPlan { .. }
        | JournalError::OtherRun { .. } => 65,
        _ => 1,
    }
}

/// Returns the hint to use a method that accepts the board, the fastest one first. For large N, the hint
/// says how long the fastest one takes.
fn faster_method(size: Size) -> String {
    let n = size.get();
    let request = CountRequest { size, method: None, form: None, isa: None };
    let methods = match request.method_on_cpu() {
        Method::Symmetry => "use `--method symmetry`".to_owned(),
        fastest => format!("use `--method {fastest}`, the fastest, or `--method symmetry`"),
    };
    match n {
        0..=22 => methods,
        23..=24 => format!("{methods}; a count of N = {n} takes hours to days"),
        _ => format!("{methods}; a count of N = {n} takes days to years"),
    }
}

fn listed(found: &[Contradiction]) -> String {
    found.iter().map(|contradiction| format!("\n  {contradiction}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_names_the_threads_that_fit() {
        let size = Size::new(28).unwrap();
        let shortfall = MemoryShortfall {
            size,
            method: Method::Colours,
            per_thread: 256 << 20,
            memory: 4_100_000_000,
        };
        for (threads, max_threads, remedy) in [
            (16, 15, "use `--threads 15` or `--method symmetry`"),
            (1, 0, "use `--method symmetry`"),
        ] {
            let failure = Failure::from(Rejection::Memory { shortfall, threads, max_threads });
            let text = if threads == 1 { "1 thread" } else { "16 threads" };
            let expected = format!(
                "not enough memory for {text}: colours needs up to 256 MiB per thread for N = 28, \
                 and this process may use 3,910 MiB"
            );
            assert_eq!(failure.to_string(), expected);
            assert_eq!(failure.hint().as_deref(), Some(remedy));
            assert_eq!(failure.exit_code(), 69);
        }
    }
}
