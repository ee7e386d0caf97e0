//! What was found in a list or a table, in the order in which it is shown.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use super::{BoardFault, Boards, Kept, Material, Totals, WrongCell};
use crate::{
    Size,
    notation::{Ignored, excerpt, grouped},
};

/// Maximum number of ignored lines that are shown.
const MAX_IGNORED: usize = 10;
/// Number of characters that are shown of an ignored line.
const EXCERPT: usize = 60;

/// A finding in a list of solutions or in a table of totals. [`Display`](fmt::Display) formats it in English,
/// without its [`label`](Finding::label).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Finding {
    /// The number of boards, valid or not.
    Boards(u64),
    /// The number of the left-hand column in lists of columns: 0 or 1.
    FirstColumn(u32),
    /// The different solutions of a size.
    Solutions {
        /// The size.
        n: Size,
        /// Their number.
        solutions: u64,
        /// The number of classes to which they belong.
        classes: u64,
        /// The published number of all solutions.
        published: Option<u64>,
    },
    /// A board that is not a solution, or not a new one.
    WrongBoard(BoardFault),
    /// The number of further wrong boards.
    MoreWrong(u64),
    /// The number of rows of a table.
    Rows(u64),
    /// The table has unique counts only.
    OnlyUnique,
    /// Every published number is right.
    Right,
    /// A number that differs from the published one.
    WrongNumber(WrongCell),
    /// The values of N without a published number.
    Unpublished(Vec<u64>),
    /// A line that is neither a board nor a row.
    Ignored {
        /// The number of the line, from 1.
        line: usize,
        /// Its first characters.
        text: String,
    },
    /// The number of further ignored lines.
    MoreIgnored(u64),
}

impl Finding {
    /// The name of what the finding says.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self {
            Finding::Boards(_) => "Boards",
            Finding::FirstColumn(_) => "Columns",
            Finding::Solutions { .. } => "Valid",
            Finding::WrongBoard(_) | Finding::MoreWrong(_) | Finding::WrongNumber(_) => "Wrong",
            Finding::Rows(_) => "Rows",
            Finding::OnlyUnique => "Column",
            Finding::Right => "Right",
            Finding::Unpublished(_) => "Unknown",
            Finding::Ignored { .. } | Finding::MoreIgnored(_) => "Ignored",
        }
    }

    /// Whether the finding is a fault.
    #[must_use]
    pub const fn is_wrong(&self) -> bool {
        matches!(self, Finding::WrongBoard(_) | Finding::MoreWrong(_) | Finding::WrongNumber(_))
    }
}

impl From<&Ignored> for Finding {
    fn from(ignored: &Ignored) -> Finding {
        Finding::Ignored { line: ignored.line, text: excerpt(ignored.text.trim(), EXCERPT) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Boards(count) | Finding::Rows(count) => f.write_str(&grouped(*count)),
            Finding::FirstColumn(first) => write!(f, "counted from {first}"),
            Finding::Solutions { n, solutions, classes, published } => {
                let of_solutions = if *solutions == 1 { "solution" } else { "different solutions" };
                let of_classes = if *classes == 1 { "class" } else { "classes" };
                let (found, classes) = (grouped(*solutions), grouped(*classes));
                write!(f, "N = {n}: {found} {of_solutions} in {classes} {of_classes}, ")?;
                match published {
                    Some(total) if total == solutions => f.write_str("complete"),
                    Some(total) => {
                        let missing = total.saturating_sub(*solutions);
                        write!(f, "missing {} of {}", grouped(missing), grouped(*total))
                    }
                    None => f.write_str("the number of all solutions is not known"),
                }
            }
            Finding::WrongBoard(fault) => fault.fmt(f),
            Finding::MoreWrong(more) => write!(f, "{} more", grouped(*more)),
            Finding::OnlyUnique => f.write_str("unique solutions"),
            Finding::Right => f.write_str("every published number"),
            Finding::WrongNumber(cell) => cell.fmt(f),
            Finding::Unpublished(all) => {
                let all: Vec<_> = all.iter().map(ToString::to_string).collect();
                write!(f, "N = {}: not published", all.join(", "))
            }
            Finding::Ignored { line, text } => write!(f, "line {line}: {text}"),
            Finding::MoreIgnored(1) => f.write_str("1 more line"),
            Finding::MoreIgnored(more) => write!(f, "{} more lines", grouped(*more)),
        }
    }
}

impl Material {
    /// The findings, with at most `most` of the wrong boards. Empty for a text that has neither boards nor rows.
    #[must_use]
    pub fn findings(&self, most: usize) -> Vec<Finding> {
        let (mut findings, ignored) = match self {
            Material::Boards(boards) => (of_boards(boards, most), boards.ignored()),
            Material::Totals(totals) => (of_totals(totals), totals.ignored()),
        };
        if !findings.is_empty() {
            let one = |line: &Ignored| Finding::from(line);
            add(&mut findings, ignored, MAX_IGNORED, one, Finding::MoreIgnored);
        }
        findings
    }
}

fn of_boards(boards: &Boards, most: usize) -> Vec<Finding> {
    if boards.count() == 0 && boards.faults().count == 0 {
        return Vec::new();
    }
    let mut findings = Vec::from([Finding::Boards(boards.count())]);
    findings.extend(boards.first_column().map(Finding::FirstColumn));
    findings.extend(boards.sizes().iter().map(|(&n, found)| Finding::Solutions {
        n,
        solutions: found.solutions(),
        classes: found.classes(),
        published: boards.published(n).map(|(total, _)| total),
    }));
    let wrong = |fault: &BoardFault| Finding::WrongBoard(fault.clone());
    add(&mut findings, boards.faults(), most, wrong, Finding::MoreWrong);
    findings
}

fn of_totals(totals: &Totals) -> Vec<Finding> {
    let mut findings = Vec::from([Finding::Rows(totals.rows() as u64)]);
    findings.extend(totals.has_only_unique().then_some(Finding::OnlyUnique));
    let wrong = totals.wrong();
    findings.extend(wrong.is_empty().then_some(Finding::Right));
    findings.extend(wrong.into_iter().map(Finding::WrongNumber));
    let unpublished: Vec<u64> = totals.unpublished().collect();
    findings.extend((!unpublished.is_empty()).then_some(Finding::Unpublished(unpublished)));
    findings
}

/// Adds at most `most` items, and how many more there are.
fn add<T>(
    findings: &mut Vec<Finding>,
    kept: &Kept<T>,
    most: usize,
    one: impl Fn(&T) -> Finding,
    more: fn(u64) -> Finding,
) {
    let shown = kept.first.iter().take(most);
    let rest = kept.count.saturating_sub(shown.len() as u64);
    findings.extend(shown.map(one));
    findings.extend((rest > 0).then(|| more(rest)));
}
