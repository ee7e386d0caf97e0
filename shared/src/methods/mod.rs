//! The ladder of methods, each in two forms that do the same steps.

pub mod symmetry;

use core::{fmt, str::FromStr};

use crate::{Attacks, Masks, Observer, RowBits, Size, Step, View};

/// A way of searching: one rung of the ladder from brute force to the symmetry method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// 14: masks, and comparisons only where they can matter.
    Symmetry,
}

impl Method {
    /// All methods in the order of the ladder.
    pub const ALL: &'static [Method] = &[Method::Symmetry];

    /// The method's place on the ladder, from 1.
    pub const fn number(self) -> u32 {
        match self {
            Method::Symmetry => 14,
        }
    }

    /// The name on the command line, in addresses and in result documents.
    pub const fn id(self) -> &'static str {
        match self {
            Method::Symmetry => "symmetry",
        }
    }

    /// What is new on this rung, in one line of English.
    pub const fn summary(self) -> &'static str {
        match self {
            Method::Symmetry => "masks close what cannot be a representative; few comparisons",
        }
    }

    /// The largest N that the method counts in reasonable time (minutes on one core, but for
    /// the fastest method, which is open to the end of what can be counted).
    pub const fn largest(self) -> u32 {
        match self {
            Method::Symmetry => Size::MAX_COUNTED,
        }
    }

    /// Whether the method counts the classes itself, independently of Burnside's formula.
    pub const fn counts_classes(self) -> bool {
        match self {
            Method::Symmetry => true,
        }
    }

    /// Runs the recursive form over the whole board.
    pub fn search<O: Observer>(self, size: Size, watch: &mut O) {
        match self {
            Method::Symmetry => symmetry::search(size, watch),
        }
    }

    /// Runs the recursive form below a prefix of queens.
    pub(crate) fn search_below<O: Observer>(self, prefix: &Prefix, watch: &mut O) {
        match self {
            Method::Symmetry => symmetry::search_below(prefix, watch),
        }
    }

    /// The number of rows whose queens make up a task's prefix; 0 for a plan of one task. It
    /// keeps plans within [`Plan::MAX_TASKS`](crate::Plan::MAX_TASKS) and tasks even.
    #[cfg(feature = "alloc")]
    pub(crate) const fn plan_depth(self, size: Size) -> u32 {
        match self {
            Method::Symmetry => match size.get() {
                0..=4 => 0,
                5..=10 => 2,
                11..=14 => 3,
                15..=20 => 4,
                _ => 3,
            },
        }
    }

    /// The source file in which both forms are written.
    pub const fn source(self) -> &'static str {
        match self {
            Method::Symmetry => include_str!("symmetry.rs"),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(id: &str) -> Result<Method, UnknownMethod> {
        Method::ALL.iter().copied().find(|method| method.id() == id).ok_or(UnknownMethod)
    }
}

/// The text is no method's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such method; `queens methods` lists them")]
pub struct UnknownMethod;

/// The two writings of every method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// A function that calls itself; reports to an [`Observer`].
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

/// The lines of a method's source file that hold one form, between the file's marks
/// `// [recursive]` or `// [iterative]` and `// [end]`: (number of the first line, text).
pub fn source(method: Method, form: Form) -> (u32, &'static str) {
    let file = method.source();
    let mark = match form {
        Form::Recursive => "// [recursive]\n",
        Form::Iterative => "// [iterative]\n",
    };
    let start = file.find(mark).map_or(0, |at| at + mark.len());
    let (before, rest) = file.split_at(start);
    let end = rest.find("// [end]").unwrap_or(rest.len());
    (1 + before.matches('\n').count() as u32, rest.get(..end).unwrap_or(rest))
}

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

/// The first queens of a search: what one task of a plan starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    pub(crate) size: Size,
    /// The branch; `None` for methods without masks.
    pub(crate) masks: Option<Masks>,
    /// The number of rows that hold a queen, at most 8.
    pub(crate) rows: u32,
    columns: [u8; Prefix::MAX_ROWS],
}

impl Prefix {
    /// The largest number of queens in a prefix.
    pub const MAX_ROWS: usize = 8;

    /// The prefix of all queens above the row at work.
    pub(crate) fn of(view: &View) -> Prefix {
        let mut columns = [0; Prefix::MAX_ROWS];
        for (column, queen) in columns.iter_mut().zip(view.queens).take(view.row as usize) {
            *column = queen.column() as u8;
        }
        // Without queens there is no branch yet.
        let masks = view.masks.filter(|_| view.row > 0);
        Prefix { size: view.size, masks, rows: view.row, columns }
    }

    /// The queens' columns from the right, top row first.
    pub fn columns_from_right(&self) -> &[u8] {
        self.columns.get(..self.rows as usize).unwrap_or(&self.columns)
    }

    /// The queens as bits; rows without a queen are empty.
    pub(crate) fn queens(&self) -> [RowBits; 32] {
        let mut queens = [RowBits::EMPTY; 32];
        for (queen, &column) in queens.iter_mut().zip(self.columns_from_right()) {
            *queen = RowBits::of(column.into());
        }
        queens
    }

    /// The attacks as the row below the prefix sees them.
    pub(crate) fn attacks(&self) -> Attacks {
        self.columns_from_right()
            .iter()
            .fold(Attacks::NONE, |attacks, &column| attacks.below(RowBits::of(column.into())))
    }
}
