//! The two writings of every method.

use core::{fmt, str::FromStr};

use super::Prefix;
use crate::{Size, Step, View};

/// The two writings of every method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// A function that calls itself; reports to an [`Observer`](crate::Observer).
    #[default]
    Recursive,
    /// A loop over arrays that can be stepped: the tracer.
    Iterative,
}

impl Form {
    /// Both forms.
    pub const ALL: [Form; 2] = [Form::Recursive, Form::Iterative];

    /// The name on the command line and in result documents.
    pub const fn id(self) -> &'static str {
        match self {
            Form::Recursive => "recursive",
            Form::Iterative => "iterative",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(id: &str) -> Result<Form, UnknownForm> {
        Form::ALL.into_iter().find(|form| form.id() == id).ok_or(UnknownForm)
    }
}

/// The text is no form's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such form: it is `recursive` or `iterative`")]
pub struct UnknownForm;

/// The iterative form of a method: a search that does one step at a time. Cloning it keeps the
/// place; the clone goes on from there.
pub trait Trace: Clone {
    /// The search over the whole board, before its first step.
    fn new(size: Size) -> Self;

    /// The search below a prefix of queens, before its first step.
    fn below(prefix: &Prefix) -> Self;

    /// Does the next step. Once it has said [`Done`](crate::Event::Done) it says so for ever.
    fn step(&mut self) -> Step;

    /// Gives up the row just entered, as if it had been exhausted: right after
    /// [`Descend`](crate::Event::Descend).
    fn skip_row(&mut self);

    /// What can be seen now.
    fn view(&self) -> View;
}
