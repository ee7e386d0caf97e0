//! Checks lists of solutions and tables of totals that users bring, against the published numbers. It counts
//! nothing itself.

mod boards;
mod findings;
mod totals;

use alloc::vec::Vec;

pub use boards::{BoardFault, Boards, SolutionsOfSize};
pub use findings::Finding;
pub use totals::{Cell, Totals, WrongCell};

/// Maximum number of wrong boards, and of ignored lines, that are kept. All are counted.
const MAX_KEPT: usize = 100;
/// Why a text without findings is neither a list nor a table.
pub const NOTHING: &str =
    "the file has no board and no row of a table, and is not a result document";
/// Number of lines that decide whether a text is a table or a list.
const HEAD: usize = 100;

/// The first items of a list, and the number of all.
#[derive(Clone, Debug)]
pub struct Kept<T> {
    /// The first 100.
    pub first: Vec<T>,
    /// The number of all.
    pub count: u64,
}

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept { first: Vec::new(), count: 0 }
    }
}

impl<T> Kept<T> {
    fn push(&mut self, item: T) {
        self.count += 1;
        if self.first.len() < MAX_KEPT {
            self.first.push(item);
        }
    }
}

/// Whether a text is a result document rather than a list or a table, judging by its first kilobytes. What is
/// neither is a document, too, because its errors are the most precise.
#[must_use]
pub fn is_document(start: &str) -> bool {
    let start = start.trim_start_matches('\u{feff}').trim_start();
    let is_object =
        start.strip_prefix('{').is_some_and(|fields| fields.trim_start().starts_with(['"', '}']));
    let has_boards =
        || ["\"columns\"", "\"solutions\"", "\"classes\""].iter().any(|name| start.contains(name));
    start.is_empty() || start.contains('\0') || is_object && !has_boards()
}

/// Checks a text line by line.
///
/// ```
/// use queens_core::material::{Checker, Material};
/// let mut checker = Checker::default();
/// for line in ["N: Total Unique", "8: 92 12", "9: 353 46"] {
///     checker.line(line);
/// }
/// let Material::Totals(totals) = checker.finish() else { panic!("a list") };
/// assert_eq!(totals.rows(), 2);
/// let wrong: Vec<_> = totals.wrong().iter().map(ToString::to_string).collect();
/// assert_eq!(wrong, ["line 3: N = 9: Total 353 instead of 352"]);
/// ```
#[derive(Debug, Default)]
pub struct Checker {
    lines: usize,
    boards: Boards,
    totals: Totals,
    /// Whether the text is a table, once that is known.
    is_table: Option<bool>,
}

/// What a text has been found to be, with the findings.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a program has one at a time")]
pub enum Material {
    /// A list of solutions.
    Boards(Boards),
    /// A table of totals.
    Totals(Totals),
}

impl Checker {
    /// Adds a line, without its line break.
    pub fn line(&mut self, line: &str) {
        if self.lines == HEAD {
            self.is_table = Some(self.looks_like_a_table());
        }
        self.lines += 1;
        if self.is_table != Some(true) {
            self.boards.line(line);
        }
        if self.is_table != Some(false) {
            self.totals.line(line);
        }
    }

    /// Returns the findings.
    #[must_use]
    pub fn finish(mut self) -> Material {
        if self.is_table.unwrap_or_else(|| self.looks_like_a_table()) {
            return Material::Totals(self.totals);
        }
        self.boards.finish();
        Material::Boards(self.boards)
    }

    fn looks_like_a_table(&self) -> bool {
        self.totals.is_table() && !self.boards.has_solution()
    }
}
