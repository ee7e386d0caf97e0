//! Consistency checks of a result document.

use alloc::{borrow::Cow, format, string::String, vec, vec::Vec};
use core::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{Document, Header, PlanRef, TaskTotal};
use crate::{
    Check, Checks, Coverage, Meets, Method, Numbers, Plan, PlanId, known::known, shortened,
};

/// A contradiction in a document, or between a document and a published value.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize)]
pub enum Contradiction {
    /// The document's number of tasks differs from the plan's.
    #[error(
        "plan.tasks: is {tasks}, but the plan for N = {n} with {} has {expected} tasks", .method.id()
    )]
    PlanLength {
        /// The board size.
        n: u32,
        /// The method.
        method: Method,
        /// The value in the document.
        tasks: u32,
        /// The number of tasks in the plan.
        expected: usize,
    },
    /// Tasks of the plan or shard are missing.
    #[error("tasks: missing {} of {expected} ids: {}", .ids.len(), shortened(.ids))]
    MissingTasks {
        /// The numbers of the missing tasks, ascending.
        ids: Vec<u32>,
        /// The number of tasks that the document should have.
        expected: usize,
    },
    /// A task is listed twice.
    #[error("tasks[{position}].id: task {id} is listed twice")]
    DoubleTask {
        /// The position of the second entry.
        position: usize,
        /// The number of the task.
        id: u32,
    },
    /// A task does not belong to the plan or shard.
    #[error("tasks[{position}].id: task {id} does not belong to this {}", if *.is_shard { "shard" } else { "plan" })]
    ForeignTask {
        /// The position of the task in the list.
        position: usize,
        /// The number of the task.
        id: u32,
        /// Whether the document is a shard.
        is_shard: bool,
    },
    /// A task has an odd total although its method counts every solution together with its mirror
    /// image.
    #[error("tasks[{position}].total: {total} is odd, but {} counts solutions in pairs", .method.id())]
    OddTask {
        /// The position of the task in the list.
        position: usize,
        /// The total of the task.
        total: u64,
        /// The method.
        method: Method,
    },
    /// The [audit set](crate::Counter::count_audit_set) of a task has more solutions than the task.
    #[error(
        "tasks[{position}].chosen: a part cannot have {chosen} solutions, more than its task's total of {total}"
    )]
    Chosen {
        /// The position of the task in the list.
        position: usize,
        /// The solutions of the audit set.
        chosen: u64,
        /// The total of the task.
        total: u64,
    },
    /// The pairs of row sets of a task differ from those in the plan. A recount compares them,
    /// [`Document::check`] does not.
    #[error(
        "tasks[{position}].sets: {} sets of weight {} were counted, but the task has {} of \
         weight {}",
        .recorded.sets, .recorded.weight, .expected.sets, .expected.weight
    )]
    Coverage {
        /// The position of the task in the list.
        position: usize,
        /// The value in the document.
        recorded: Coverage,
        /// The value in the plan.
        expected: Coverage,
    },
    /// The tasks do not cover every choice of rows and columns exactly once.
    #[error(
        "tasks: the weights of the sets add up to {weight}, but the sum for N = {n} is \
         {expected}"
    )]
    WeightSum {
        /// The board size.
        n: u32,
        /// The sum of all weights.
        weight: u64,
        /// The number of choices of rows and columns of the board; for a shard, the upper limit.
        expected: u64,
    },
    /// The total is far from the expected value at an N without a published value.
    #[error("total: {total} is not plausible for N = {n}, which has about 2.6·10^18 solutions")]
    Implausible {
        /// The board size.
        n: u32,
        /// The value in the document.
        total: u64,
    },
    /// The sum of the tasks differs from the total.
    #[error("total: the tasks add up to {sum}, not to {total}")]
    TaskSum {
        /// The sum of the tasks.
        sum: u128,
        /// The value in the document.
        total: u64,
    },
    /// 2·COUNT2 + 4·COUNT4 + 8·COUNT8 is not the total.
    #[error("total: 2·count2 + 4·count4 + 8·count8 is {sum}, not {total}")]
    TotalSum {
        /// The sum.
        sum: u128,
        /// The value in the document.
        total: u64,
    },
    /// COUNT2 + COUNT4 + COUNT8 is not the unique count.
    #[error("unique: count2 + count4 + count8 is {sum}, not {unique}")]
    UniqueSum {
        /// The sum.
        sum: u128,
        /// The value in the document.
        unique: u64,
    },
    /// Q and H differ modulo 8.
    #[error(
        "total: {total} and {half_turn}, the number of solutions with half-turn symmetry, leave \
         different remainders modulo 8"
    )]
    Divisibility {
        /// The value in the document.
        total: u64,
        /// The published H.
        half_turn: u64,
    },
    /// A number differs from the published one.
    #[error("{field}: {value} differs from {known}, the published value for N = {n}")]
    Known {
        /// The field's name.
        field: Cow<'static, str>,
        /// The board size.
        n: u32,
        /// The value in the document.
        value: u64,
        /// The published value.
        known: u64,
    },
    /// A shard has more solutions than the whole board.
    #[error("total: a shard cannot have {total} solutions; N = {n} has only {known} in all")]
    ShardTooLarge {
        /// The board size.
        n: u32,
        /// The value in the document.
        total: u64,
        /// The published value.
        known: u64,
    },
}

impl Contradiction {
    /// The path to the contradictory field, such as `tasks[3].id`.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Contradiction::PlanLength { .. } => "plan.tasks".into(),
            Contradiction::MissingTasks { .. } | Contradiction::WeightSum { .. } => "tasks".into(),
            Contradiction::Coverage { position, .. } => format!("tasks[{position}].sets"),
            Contradiction::Chosen { position, .. } => format!("tasks[{position}].chosen"),
            Contradiction::DoubleTask { position, .. }
            | Contradiction::ForeignTask { position, .. } => format!("tasks[{position}].id"),
            Contradiction::OddTask { position, .. } => format!("tasks[{position}].total"),
            Contradiction::UniqueSum { .. } => "unique".into(),
            Contradiction::Known { field, .. } => field.clone().into_owned(),
            Contradiction::TaskSum { .. }
            | Contradiction::TotalSum { .. }
            | Contradiction::Divisibility { .. }
            | Contradiction::Implausible { .. }
            | Contradiction::ShardTooLarge { .. } => "total".into(),
        }
    }

    /// The check that failed.
    #[must_use]
    pub const fn check(&self) -> Check {
        match self {
            Contradiction::Known { .. }
            | Contradiction::Implausible { .. }
            | Contradiction::ShardTooLarge { .. } => Check::Known,
            Contradiction::Divisibility { .. } => Check::Divisibility,
            Contradiction::PlanLength { .. }
            | Contradiction::MissingTasks { .. }
            | Contradiction::DoubleTask { .. }
            | Contradiction::ForeignTask { .. }
            | Contradiction::OddTask { .. }
            | Contradiction::Chosen { .. }
            | Contradiction::Coverage { .. }
            | Contradiction::WeightSum { .. }
            | Contradiction::TaskSum { .. }
            | Contradiction::TotalSum { .. }
            | Contradiction::UniqueSum { .. } => Check::Sums,
        }
    }
}

impl Document {
    /// Returns the checks that the document's numbers pass. [`Check::Burnside`] and
    /// [`Check::Recount`] need a search and are never among them, so the document's field `checks`
    /// can list more.
    ///
    /// # Errors
    /// All contradictions, if the document has any.
    pub fn check(&self) -> Result<Checks, Vec<Contradiction>> {
        let contradictions = self.contradictions();
        if contradictions.is_empty() {
            Ok(self.header.comparable().with(Check::Sums))
        } else {
            Err(contradictions)
        }
    }

    /// Returns all contradictions within the document and with published values.
    #[must_use]
    pub fn contradictions(&self) -> Vec<Contradiction> {
        let mut contradictions = Vec::new();
        self.check_plan(&mut contradictions);
        self.check_tasks(&mut contradictions);
        self.check_parity(&mut contradictions);
        self.check_coverage(&mut contradictions);
        contradictions.extend(self.header.contradictions());
        contradictions
    }

    /// Checks the number of tasks in the plan.
    fn check_plan(&self, contradictions: &mut Vec<Contradiction>) {
        let Header { n, method, plan: PlanRef { tasks, .. }, .. } = self.header;
        let (n, expected) = (n.get(), Plan::new(n, method).len());
        if usize::try_from(tasks) != Ok(expected) {
            contradictions.push(Contradiction::PlanLength { n, method, tasks, expected });
        }
    }

    /// Checks that the document has every task of the plan or shard exactly once, and that they add
    /// up to the total.
    fn check_tasks(&self, contradictions: &mut Vec<Contradiction>) {
        let shard = self.header.shard.as_ref();
        let is_shard = shard.is_some();
        let belongs = |id: u32| {
            id < self.header.plan.tasks && shard.is_none_or(|shard| shard.has(id as usize))
        };
        let mut seen = vec![false; self.header.plan.tasks as usize];
        for (position, task) in self.tasks.iter().enumerate() {
            let id = task.id;
            match seen.get_mut(id as usize) {
                Some(true) => contradictions.push(Contradiction::DoubleTask { position, id }),
                Some(seen) if belongs(id) => *seen = true,
                _ => contradictions.push(Contradiction::ForeignTask { position, id, is_shard }),
            }
        }
        let mut ids: Vec<u32> = (0..self.header.plan.tasks).filter(|&id| belongs(id)).collect();
        let expected = ids.len();
        ids.retain(|&id| !seen.get(id as usize).is_some_and(|&seen| seen));
        if !ids.is_empty() {
            contradictions.push(Contradiction::MissingTasks { ids, expected });
        }
        let sum = self.tasks.iter().map(|task| u128::from(task.total)).sum();
        if sum != u128::from(self.header.total) {
            contradictions.push(Contradiction::TaskSum { sum, total: self.header.total });
        }
    }

    /// Checks that the tasks of a method that counts in pairs have even totals.
    fn check_parity(&self, contradictions: &mut Vec<Contradiction>) {
        let Header { n: size, method, .. } = self.header;
        for (position, task) in self.tasks.iter().enumerate() {
            task.check_parity(position, PlanId { size, method }, contradictions);
        }
    }

    /// Checks the coverage and the audit sets of the tasks, if the document has them.
    fn check_coverage(&self, contradictions: &mut Vec<Contradiction>) {
        let Header { n, method, .. } = self.header;
        let Some(expected) = (PlanId { size: n, method }).choices() else { return };
        let (mut sum, mut is_known) = (0, !self.tasks.is_empty());
        for (position, task) in self.tasks.iter().enumerate() {
            match task.covered {
                Some(Coverage { weight, .. }) => sum = u64::saturating_add(sum, weight),
                None => is_known = false,
            }
            task.check_audit_set(position, contradictions);
        }
        if is_known && (sum > expected || sum < expected && self.header.shard.is_none()) {
            let n = n.get();
            contradictions.push(Contradiction::WeightSum { n, weight: sum, expected });
        }
    }
}

impl TaskTotal {
    /// Returns the contradictions in the task, at this position of a list: values that no task of the
    /// plan can have.
    #[must_use]
    pub fn contradictions(&self, position: usize, plan: PlanId) -> Vec<Contradiction> {
        let mut contradictions = Vec::new();
        self.check_parity(position, plan, &mut contradictions);
        self.check_audit_set(position, &mut contradictions);
        contradictions
    }

    /// Checks that the audit set has no more solutions than the task.
    fn check_audit_set(&self, position: usize, contradictions: &mut Vec<Contradiction>) {
        let total = self.total;
        if let Some(chosen) = self.chosen.filter(|&chosen| chosen > total) {
            contradictions.push(Contradiction::Chosen { position, chosen, total });
        }
    }

    /// Checks that the total is even if the method counts in pairs.
    fn check_parity(
        &self,
        position: usize,
        PlanId { size, method }: PlanId,
        contradictions: &mut Vec<Contradiction>,
    ) {
        // The only solution of N = 1 is its own mirror image. On other boards, tasks of the colour join
        // have even totals, too: a key has an even weight, or its mirror image is a key of the same
        // pair with the same weight.
        let counts_images = method.stepped().is_none() || method.facts().meets != Meets::Every;
        let total = self.total;
        if size.get() > 1 && counts_images && !total.is_multiple_of(2) {
            contradictions.push(Contradiction::OddTask { position, total, method });
        }
    }
}

impl Header {
    /// Returns the contradictions among the numbers of the header, and with published values. Only
    /// [`Document::contradictions`] also checks the plan and the tasks.
    #[must_use]
    pub fn contradictions(&self) -> Vec<Contradiction> {
        let mut contradictions = Vec::new();
        self.check_sums(&mut contradictions);
        match known(self.n.get()) {
            Some(known) => self.check_known(known, &mut contradictions),
            None => self.check_unknown(&mut contradictions),
        }
        contradictions
    }

    /// Returns the checks that compare the header's numbers with published values, if there are any.
    /// A header without contradictions has passed them.
    #[must_use]
    pub fn comparable(&self) -> Checks {
        let is_published = self.shard.is_none() && known(self.n.get()).is_some();
        let is_comparable = |check: &Check| match check {
            Check::Divisibility | Check::Known => is_published,
            // The sums need the tasks, the others a search.
            Check::Sums | Check::Burnside | Check::Recount => false,
        };
        Check::ALL.into_iter().filter(is_comparable).collect()
    }

    /// Checks the total and the unique count against the class counts.
    fn check_sums(&self, contradictions: &mut Vec<Contradiction>) {
        let (Some(unique), Some(classes)) = (self.unique, self.classes) else {
            return;
        };
        let sum = classes.total();
        if sum != u128::from(self.total) {
            contradictions.push(Contradiction::TotalSum { sum, total: self.total });
        }
        let sum = classes.unique();
        if sum != u128::from(unique) {
            contradictions.push(Contradiction::UniqueSum { sum, unique });
        }
    }

    /// Checks the magnitude of the total for an N without a published value; the only such N is 28.
    /// From N = 23 on, each total is 9 to 11 times the total for N − 1, and the ratio grows slowly.
    fn check_unknown(&self, contradictions: &mut Vec<Contradiction>) {
        const LIKELY: RangeInclusive<u64> = 2_000_000_000_000_000_000..=3_000_000_000_000_000_000;
        let (n, total) = (self.n.get(), self.total);
        let least = if self.shard.is_some() { 0 } else { *LIKELY.start() };
        if !(least..=*LIKELY.end()).contains(&total) {
            contradictions.push(Contradiction::Implausible { n, total });
        }
    }

    /// Checks the numbers against the published values.
    fn check_known(&self, known: &Numbers, contradictions: &mut Vec<Contradiction>) {
        let n = self.n.get();
        let total = self.total;
        if self.shard.is_some() {
            if total > known.total() {
                contradictions.push(Contradiction::ShardTooLarge {
                    n,
                    total,
                    known: known.total(),
                });
            }
            return;
        }
        let half_turn = known.turns().half;
        if total % 8 != half_turn % 8 {
            contradictions.push(Contradiction::Divisibility { total, half_turn });
        }
        let mut compare = |field: &'static str, value, known| {
            if value != known {
                let field = field.into();
                contradictions.push(Contradiction::Known { field, n, value, known });
            }
        };
        compare("total", total, known.total());
        if let Some(unique) = self.unique {
            compare("unique", unique, known.unique());
        }
        if let (Some(classes), Some(known)) = (self.classes, known.classes()) {
            compare("count2", classes.count2, known.count2);
            compare("count4", classes.count4, known.count4);
            compare("count8", classes.count8, known.count8);
        }
    }
}
