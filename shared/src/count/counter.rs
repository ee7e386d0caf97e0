//! Counts the tasks of a plan on one thread.

use super::{Plan, PlanId, TaskError};
use crate::{
    Attacks, Coverage, Form, Method, Size, Tally,
    colours::{self, Pairs},
    halves::{self, ColumnSets, Isa},
};

/// The tally of a task before its first column set or pair of row sets.
const EMPTY_TALLY: Tally = Tally {
    single: 0,
    mirror_pairs: 0,
    classes: [0; 4],
    covered: Some(Coverage { sets: 0, weight: 0 }),
    chosen: None,
};

/// Counts tasks of a plan on one thread.
#[derive(Clone)]
pub struct Counter {
    plan_id: PlanId,
    form: Form,
    halves: Option<halves::Counter>,
    colours: Option<colours::Counter>,
}

impl Plan {
    /// Creates a counter for the tasks of this plan. `form` selects the code of a stepped method,
    /// `isa` the instruction set of half-board matching and of the colour join. Each thread needs its
    /// own counter. Clones share the tables of half-board matching.
    pub fn counter(&self, form: Form, isa: Isa) -> Counter {
        let halves = self.symmetries().and_then(|_| halves::Counter::new(self.size(), isa));
        let is_small = self.size().get() <= Size::MAX_COUNTED;
        let colours =
            (is_small && self.method() == Method::Colours).then(|| colours::Counter::new(isa));
        Counter { plan_id: self.identity(), form, halves, colours }
    }

    /// Counts one task. To count several tasks, create one [`Counter`] and reuse it.
    ///
    /// # Errors
    /// [`TaskError`] if the plan has no such task, if its solutions exceed a `u64`, or if the board
    /// is too large for half-board matching.
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
    /// one that created this counter, or if the board is too large for half-board matching.
    pub fn count(&mut self, plan: &Plan, task: usize) -> Result<Tally, TaskError> {
        self.count_resumable(plan, task, None, |_| {})
    }

    /// Counts the rest of a task. `counted` is the tally of its first column sets, and the field
    /// `covered` of this tally gives their number. After each set, `report_sum` receives the tally up
    /// to that point. Pass it as `counted` to resume the task there, also with another instruction
    /// set.
    ///
    /// Tasks of stepped methods cannot be resumed: they are counted in one piece, and `report_sum` is
    /// not called.
    ///
    /// ```
    /// # use queens_core::{Form, Method, Plan, Size, halves::Isa};
    /// let plan = Plan::new(Size::new(17)?, Method::Halves);
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
        mut report_sum: impl FnMut(Tally),
    ) -> Result<Tally, TaskError> {
        self.check_plan(plan, task)?;
        if let Some(pairs) = plan.pairs(task) {
            return self.count_pairs(plan, task, &pairs, counted, report_sum);
        }
        let Some(sets) = plan.column_sets(task) else { return plan.count_below(task, self.form) };
        let mut sum = counted.unwrap_or(EMPTY_TALLY);
        let done = sum.covered.unwrap_or_default().sets;
        for (index, sets) in sets.enumerate().skip(done as usize) {
            let next = self.count_sets(plan, task, index, &sets)?;
            sum = sum.checked_add(next).ok_or(TaskError::Overflow { task })?;
            report_sum(sum);
        }
        Ok(sum)
    }

    /// The counter of the colour join for a task of this plan.
    pub(super) fn colours_for(
        &mut self,
        plan: &Plan,
        task: usize,
    ) -> Result<&mut colours::Counter, TaskError> {
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
                if done == Plan::AUDIT_SET {
                    sum.chosen = Some(count.audited);
                }
                report_sum(sum);
            }
            before += part.odd_rows.len();
        }
        Ok(sum)
    }

    /// Counts one column set of a half-board matching task. `index` is its index among the task's
    /// sets. The tallies of all sets add up to the tally of the task.
    ///
    /// # Errors
    /// [`TaskError`] if the solutions exceed a `u64`, if the plan is not the one that created this
    /// counter, or if the board is too large for half-board matching.
    pub fn count_sets(
        &mut self,
        plan: &Plan,
        task: usize,
        index: usize,
        sets: &ColumnSets,
    ) -> Result<Tally, TaskError> {
        let solutions = self.solutions(plan, task, sets, Attacks::NONE)?;
        let single = solutions.checked_mul(sets.weight.into());
        let single = single.ok_or(TaskError::Overflow { task })?;
        let covered = Some(Coverage { sets: 1, weight: sets.weight.into() });
        let chosen = (index == Plan::AUDIT_SET).then_some(solutions);
        Ok(Tally { single, covered, chosen, ..Tally::default() })
    }

    /// Counts the solutions of a task's [audit set](Plan::audit_set), without its weight. With
    /// a nonempty `excluded`, it counts a part of them: only solutions in which no queen of the upper
    /// half is on an excluded diagonal (see [`draw_excluded`](super::draw_excluded)). The columns in
    /// `excluded` do not matter. Returns `None` if the task has no column sets.
    ///
    /// [`recount_audit_set`](super::recount_audit_set) computes the same number with independent code.
    ///
    /// # Errors
    /// [`TaskError`] if the plan is not the one that created this counter, or if the board is too
    /// large for half-board matching.
    pub fn count_audit_set(
        &mut self,
        plan: &Plan,
        task: usize,
        excluded: Attacks,
    ) -> Result<Option<u64>, TaskError> {
        self.check_plan(plan, task)?;
        if let (Some(pairs), Some(counter)) = (plan.pairs(task), &mut self.colours) {
            let first = pairs.first().map(|pairs| (pairs.even_rows, pairs.odd_rows.get(..1)));
            return Ok(first.map(|(even_rows, odd_rows)| {
                counter.count(even_rows, odd_rows.unwrap_or_default()).audited
            }));
        }
        let sets = plan.audit_set(task);
        sets.map(|sets| self.solutions(plan, task, &sets, excluded)).transpose()
    }

    fn solutions(
        &mut self,
        plan: &Plan,
        task: usize,
        sets: &ColumnSets,
        excluded: Attacks,
    ) -> Result<u64, TaskError> {
        Ok(self.halves(plan, task)?.count_part(sets, excluded))
    }

    /// Counts the solutions of a part of a column set, without its weight: see
    /// [`halves::Counter::sample`].
    pub(super) fn sample_solutions(
        &mut self,
        plan: &Plan,
        task: usize,
        sets: &ColumnSets,
        part: usize,
        begin: impl FnMut(),
    ) -> Result<(u64, usize), TaskError> {
        Ok(self.halves(plan, task)?.sample(sets, part, begin))
    }

    /// Estimates the solutions of a column set, without its weight: see
    /// [`halves::Counter::rough_estimate`].
    pub(super) fn estimate_solutions(
        &mut self,
        plan: &Plan,
        task: usize,
        sets: &ColumnSets,
    ) -> Result<f64, TaskError> {
        Ok(self.halves(plan, task)?.rough_estimate(sets))
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

    fn halves(&mut self, plan: &Plan, task: usize) -> Result<&mut halves::Counter, TaskError> {
        self.check_plan(plan, task)?;
        let PlanId { size, method, .. } = self.plan_id;
        self.halves.as_mut().ok_or(TaskError::TooLarge { size, method })
    }

    /// Returns the bytes that all clones share, and the bytes that this counter has allocated for
    /// itself so far.
    pub fn memory(&self) -> (usize, usize) {
        match (&self.halves, &self.colours) {
            (Some(halves), _) => halves.memory(),
            (None, Some(colours)) => (0, colours.memory()),
            (None, None) => (0, 0),
        }
    }
}
