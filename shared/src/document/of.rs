//! Creates a document from a checked count.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::{
    Backend, Contradiction, Document, Extra, Format, Header, Host, PlanRef, Program, Seconds,
    Shard, TaskTotal,
};
use crate::{CheckedCount, Checks, ClassCounts, Done, Form, PartialCount, Tally};

/// The circumstances of a count: the fields of its document that do not follow from the counted
/// tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Circumstances {
    /// The form in which the method ran.
    pub form: Form,
    /// The backend that counted.
    pub backend: Backend,
    /// The program that counted.
    pub program: Program,
    /// The machine that counted.
    pub host: Host,
    /// The start of the count, as an RFC 3339 timestamp.
    pub started: String,
    /// The time of the count.
    pub seconds: Seconds,
}

/// The sums of a complete count or of a shard.
struct Sums {
    total: u64,
    unique: Option<u64>,
    classes: Option<ClassCounts>,
    shard: Option<Shard>,
}

impl Document {
    /// Creates the document of a complete count.
    #[must_use]
    pub fn of(checked: &CheckedCount<'_>, circumstances: Circumstances) -> Document {
        let numbers = checked.numbers();
        let sums = Sums {
            total: numbers.total(),
            unique: Some(numbers.unique()),
            classes: numbers.classes(),
            shard: None,
        };
        let mut document = Document::write(checked.part(), sums, circumstances);
        document.header.checks = names(checked.checks());
        document
    }

    /// Creates the document of a shard, which has no unique count.
    ///
    /// # Errors
    /// All [`Contradiction`]s, such as missing or foreign tasks, or more solutions than the whole
    /// board has.
    pub fn of_shard(
        part: &PartialCount,
        shard: Shard,
        circumstances: Circumstances,
    ) -> Result<Document, Vec<Contradiction>> {
        // The total of a partial count always fits.
        let total = part.tally().total().unwrap_or(u64::MAX);
        let sums = Sums { total, unique: None, classes: None, shard: Some(shard) };
        let mut document = Document::write(part, sums, circumstances);
        document.header.checks = names(document.check()?);
        Ok(document)
    }

    fn write(part: &PartialCount, sums: Sums, circumstances: Circumstances) -> Document {
        let tasks = part.done().map(TaskTotal::from);
        let header = Header {
            format: Format::default(),
            n: part.size(),
            total: sums.total,
            unique: sums.unique,
            classes: sums.classes,
            method: part.method(),
            form: circumstances.form,
            plan: PlanRef::new(short(part.tasks())),
            backend: circumstances.backend,
            program: circumstances.program,
            host: circumstances.host,
            started: circumstances.started,
            seconds: circumstances.seconds,
            shard: sums.shard,
            checks: vec![],
            extra: Extra::new(),
        };
        Document { header, tasks: tasks.collect() }
    }
}

impl From<&Done<Tally>> for TaskTotal {
    fn from(done: &Done<Tally>) -> TaskTotal {
        // The totals of a partial count's tasks fit.
        let total = done.result.total().unwrap_or(u64::MAX);
        let Tally { single: _, mirror_pairs: _, classes: _, covered, chosen } = done.result;
        TaskTotal { covered, chosen, ..TaskTotal::new(short(done.task), total, done.took) }
    }
}

/// Converts a task's number or a number of tasks. A plan has far fewer than 2^32 tasks.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn names(checks: Checks) -> Vec<String> {
    checks.iter().map(|check| check.id().to_owned()).collect()
}
