//! Errors of the command line, their hints and their exit codes.

use std::{fmt, io};

use queens_core::{
    Method, Size,
    document::{Contradiction, DocumentError},
};

use super::{AFTER_HELP, interrupt, request::fastest_method};
use queens::{
    count::{BackendError, RunError},
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

/// Errors with their own exit code or hint. The exit code of a [`JournalError`] or a [`StoreError`] depends on
/// its variant. Every other error ends with code 1.
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
    /// Other wrong data in a file: a list, a table or a board, a journal in place of a document, or documents
    /// that cannot be merged.
    #[error("{0}")]
    Data(Message),
    /// The automatic journal of a count cannot be read, is damaged or belongs to another count.
    #[error("cannot use the journal of this count: {0}")]
    AutomaticJournal(JournalError),
    /// Another process is using the journal.
    #[error("{0}")]
    InUse(Message),
    /// A signal, such as Ctrl-C, ended the command, and nothing can be resumed.
    #[error("{0}")]
    Interrupted(String),
    /// A signal stopped the count; its journal has the finished tasks.
    #[error("{0}")]
    Resumable(Message),
    /// The numbers of a count or a shard cannot be right.
    #[error("THE COUNT IS WRONG and was discarded (N = {size}, method {method}): {what}")]
    WrongCount { size: Size, method: Method, what: String },
}

impl Failure {
    /// Rejects arguments, with a hint.
    pub fn arguments(text: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::Arguments(Message::new(text).with_hint(hint))
    }

    /// Returns the exit code of any error.
    pub fn exit_code_of(error: &anyhow::Error) -> u8 {
        let own = error.downcast_ref().map(Failure::exit_code);
        let code = own
            .or_else(|| error.downcast_ref().map(of_journal))
            .or_else(|| error.downcast_ref().map(of_store))
            .unwrap_or(1);
        debug_assert!(
            AFTER_HELP.contains(&format!("\n  {code:<5}")),
            "the help lacks the code {code}"
        );
        code
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
            | Failure::Data(message)
            | Failure::Resumable(message) => {
                return message.hint.clone();
            }
            Failure::Backend(error) => return error.hint(),
            Failure::TooSlow { size, .. } => return Some(faster_method(*size)),
            Failure::AutomaticJournal(_) => {
                "use `--no-journal` to count without it, or remove the file to start again"
            }
            Failure::WrongCount { .. } => {
                "this is a bug or a hardware fault; please report it with the output of `queens \
                 --version` and this message"
            }
            Failure::NotCountable(_)
            | Failure::Unreadable { .. }
            | Failure::Damaged { .. }
            | Failure::Inconsistent { .. }
            | Failure::Interrupted(_) => return None,
        };
        Some(hint.to_owned())
    }

    fn exit_code(&self) -> u8 {
        match self {
            Failure::InUse(_)
            | Failure::Backend(BackendError::Wrong { .. })
            | Failure::WrongCount { .. } => 1,
            Failure::NotCountable(_) | Failure::TooSlow { .. } | Failure::Arguments(_) => 2,
            Failure::Unreadable { .. }
            | Failure::Damaged { .. }
            | Failure::Inconsistent { .. }
            | Failure::Data(_) => 65,
            Failure::AutomaticJournal(error) => of_journal(error),
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
        JournalError::Open { .. } | JournalError::Write { .. } | JournalError::Lock { .. } => 1,
    }
}

/// Returns the exit code for a store that cannot be used.
fn of_store(error: &StoreError) -> u8 {
    match error {
        StoreError::NotAStore { .. }
        | StoreError::OtherLayout { .. }
        | StoreError::Corrupt { .. } => 65,
        _ => 1,
    }
}

/// Returns the hint to use a method that accepts the board, the fastest one first. For large N, the hint
/// says how long the fastest one takes.
fn faster_method(size: Size) -> String {
    let n = size.get();
    let methods = match fastest_method(size, None, None) {
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
