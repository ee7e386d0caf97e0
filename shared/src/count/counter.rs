//! Counts the tasks of a plan on one thread.

use alloc::boxed::Box;

use super::{
    Isa, Plan, PlanId, TaskError,
    colours::{self, CountPairs, Pairs},
};
use crate::{Coverage, Form, Method, Size, Tally};

/// The tally of a task before its first pair of row sets.
const EMPTY_TALLY: Tally = Tally {
    single: 0,
    mirror_pairs: 0,
    classes: [0; 4],
    covered: Some(Coverage { sets: 0, weight: 0 }),
    chosen: None,
};

/// Counts tasks of a plan on one thread.
pub struct Counter {
    plan_id: PlanId,
    form: Form,
    isa: Isa,
    colours: Option<PairCounter>,
}

type PairCounter = Box<dyn CountPairs + Send + Sync>;

/// A counter for another thread.
impl Clone for Counter {
    fn clone(&self) -> Counter {
        let colours = self.colours.is_some().then(|| colours::counter(self.isa));
        Counter { colours, ..*self }
    }
}

impl Plan {
    /// Creates a counter for the tasks of this plan. `form` selects the code of a stepped method,
    /// `isa` the instruction set of the colour join. Each thread needs its own counter.
    pub fn counter(&self, form: Form, isa: Isa) -> Counter {
        let is_small = self.size().get() <= Size::MAX_COUNTED;
        let colours = (is_small && self.method() == Method::Colours).then(|| colours::counter(isa));
        Counter { plan_id: self.identity(), form, isa, colours }
    }

    /// Counts one task. To count several tasks, create one [`Counter`] and reuse it.
    ///
    /// # Errors
    /// [`TaskError`] if the plan has no such task, if its solutions exceed a `u64`, or if the board
    /// is too large for the colour join.
    pub fn count(&self, task: usize, form: Form) -> Result<Tally, TaskError> {
        match self.method().stepped() {
            Some(_) => self.count_below(task, form),
            None => self.counter(form, Isa::BUILT_IN).count(self, task),
        }
    }
}

impl Counter {
    /// Counts one task of the plan that created this counter.
    ///
    /// # Errors
    /// [`TaskError`] if the plan has no such task, if a sum exceeds a `u64`, if the plan is not the
    /// one that created this counter, or if the board is too large for the colour join.
    pub fn count(&mut self, plan: &Plan, task: usize) -> Result<Tally, TaskError> {
        self.count_resumable(plan, task, None, |_| {})
    }

    /// Counts the rest of a task of the colour join. `counted` is the tally of its first pairs of row
    /// sets, and the field `covered` of this tally gives their number. After each group of pairs,
    /// `report_sum` receives the tally up to that point. Pass it as `counted` to resume the task there,
    /// also with another instruction set.
    ///
    /// Tasks of stepped methods cannot be resumed: they are counted in one piece, and `report_sum` is
    /// not called.
    ///
    /// ```
    /// # use queens_core::{Form, Isa, Method, Plan, Size};
    /// let plan = Plan::new(Size::new(13)?, Method::Colours);
    /// let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
    /// let mut tallies = Vec::new();
    /// let whole = counter.count_resumable(&plan, 3, None, |tally| tallies.push(tally))?;
    /// assert_eq!(counter.count_resumable(&plan, 3, Some(tallies[0]), |_| {})?, whole);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`count`](Counter::count).
    pub fn count_resumable(
        &mut self,
        plan: &Plan,
        task: usize,
        counted: Option<Tally>,
        report_sum: impl FnMut(Tally),
    ) -> Result<Tally, TaskError> {
        self.check_plan(plan, task)?;
        if let Some(pairs) = plan.pairs(task) {
            return self.count_pairs(plan, task, &pairs, counted, report_sum);
        }
        plan.count_below(task, self.form)
    }

    /// The counter of the colour join for a task of this plan.
    pub(super) fn colours_for(
        &mut self,
        plan: &Plan,
        task: usize,
    ) -> Result<&mut PairCounter, TaskError> {
        self.check_plan(plan, task)?;
        let PlanId { size, method } = self.plan_id;
        self.colours.as_mut().ok_or(TaskError::TooLarge { size, method })
    }

    /// Counts the rest of a task of the colour join. After each group of pairs, `report_sum` receives
    /// the tally up to that point.
    fn count_pairs(
        &mut self,
        plan: &Plan,
        task: usize,
        pairs: &[Pairs],
        counted: Option<Tally>,
        mut report_sum: impl FnMut(Tally),
    ) -> Result<Tally, TaskError> {
        let counter = self.colours_for(plan, task)?;
        let mut sum = counted.unwrap_or(EMPTY_TALLY);
        let mut before = 0;
        for part in pairs {
            let weights = part.even_rows.weights_of_pairs();
            loop {
                let done = sum.covered.unwrap_or_default().sets as usize;
                let rest = part.odd_rows.get(done.saturating_sub(before)..).unwrap_or_default();
                if rest.is_empty() {
                    break;
                }
                let count = counter.count(part.even_rows, rest);
                let solutions = sum.single.checked_add(count.solutions);
                sum.single = solutions.ok_or(TaskError::Overflow { task })?;
                let more = part.even_rows.coverage(rest.iter().take(count.pairs), weights);
                let covered = sum.covered.unwrap_or_default().checked_add(more);
                sum.covered = Some(covered.ok_or(TaskError::Overflow { task })?);
                if done == 0 {
                    sum.chosen = Some(count.audited);
                }
                report_sum(sum);
            }
            before += part.odd_rows.len();
        }
        Ok(sum)
    }

    /// Counts the solutions of a task's *audit set*: those solutions of its first pair of row sets
    /// whose even columns with a white queen have the numbers of its even rows, with their weights.
    /// The tally of the task has this number as `chosen`. Returns `None` if the task has no pairs of row
    /// sets.
    ///
    /// [`recount_audit_set`](super::recount_audit_set) computes the same number with independent code.
    ///
    /// # Errors
    /// [`TaskError`] if the plan is not the one that created this counter, or if the board is too
    /// large for the colour join.
    pub fn count_audit_set(&mut self, plan: &Plan, task: usize) -> Result<Option<u64>, TaskError> {
        self.check_plan(plan, task)?;
        let Some(pairs) = plan.pairs(task) else { return Ok(None) };
        let Some(Pairs { even_rows, odd_rows }) = pairs.first() else { return Ok(None) };
        let counter = self.colours_for(plan, task)?;
        let first = odd_rows.get(..1).unwrap_or_default();
        Ok(Some(counter.count(*even_rows, first).audited))
    }

    /// Returns an error unless the plan is the one that created this counter.
    fn check_plan(&self, plan: &Plan, task: usize) -> Result<(), TaskError> {
        let (theirs, ours) = (plan.identity(), self.plan_id);
        if theirs == ours {
            Ok(())
        } else {
            Err(TaskError::OtherPlan { task: Some(task), theirs, ours })
        }
    }

    /// Returns the bytes that this counter has allocated so far.
    pub fn memory(&self) -> usize {
        self.colours.as_ref().map_or(0, |counter| counter.bytes())
    }
}
