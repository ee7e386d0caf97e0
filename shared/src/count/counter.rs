//! Tasks of a plan counted on one thread.

use super::{Plan, PlanId, TaskError};
use crate::{
    Attacks, Covered, Form, Tally,
    halves::{self, ColumnSets, Isa},
};

/// No choice of columns yet.
const NOTHING: Tally = Tally {
    single: 0,
    mirror_pairs: 0,
    classes: [0; 4],
    covered: Some(Covered { sets: 0, weight: 0 }),
    chosen: None,
};

/// Counts tasks of a plan on one thread.
#[derive(Clone)]
pub struct Counter {
    of: PlanId,
    form: Form,
    halves: Option<halves::Counter>,
}

impl Plan {
    /// Makes ready to count tasks in a form, or, for a method that has only one, with an
    /// instruction set. Each thread needs a counter of its own; a clone shares what it can.
    pub fn counter(&self, form: Form, isa: Isa) -> Counter {
        let halves = self.symmetries().and_then(|_| halves::Counter::new(self.size(), isa));
        Counter { of: self.identity(), form, halves }
    }

    /// Counts one task. Whoever counts more than one should make a [`Counter`].
    ///
    /// # Errors
    /// [`TaskError`] if the plan has no such task, or its solutions exceed a `u64`.
    pub fn count(&self, task: usize, form: Form) -> Result<Tally, TaskError> {
        match self.symmetries() {
            None => self.count_below(task, form),
            Some(_) => self.counter(form, Isa::BUILT_IN).count(self, task),
        }
    }
}

impl Counter {
    /// Counts one task of the plan that made this counter.
    ///
    /// # Errors
    /// [`TaskError`] if it has no such task, if a sum exceeds a `u64`, or if the plan is another.
    pub fn count(&mut self, plan: &Plan, task: usize) -> Result<Tally, TaskError> {
        self.go_on(plan, task, None, |_| {})
    }

    /// Counts what is left of a task of which `counted` is counted: its first column sets, as many
    /// as that has covered. `so_far` is given all that is counted after each set, which is where
    /// anybody can go on, with any instruction set; tasks of other methods are counted at one go.
    ///
    /// ```
    /// # use queens_core::{Form, Method, Plan, Size, halves::Isa};
    /// let plan = Plan::new(Size::new(17)?, Method::Halves);
    /// let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
    /// let mut tallies = Vec::new();
    /// let whole = counter.go_on(&plan, 3, None, |tally| tallies.push(tally))?;
    /// assert_eq!(counter.go_on(&plan, 3, Some(tallies[0]), |_| {})?, whole);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`count`](Counter::count).
    pub fn go_on(
        &mut self,
        plan: &Plan,
        task: usize,
        counted: Option<Tally>,
        mut so_far: impl FnMut(Tally),
    ) -> Result<Tally, TaskError> {
        let Some(sets) = plan.column_sets(task) else { return plan.count_below(task, self.form) };
        let mut sum = counted.unwrap_or(NOTHING);
        let done = sum.covered.unwrap_or_default().sets;
        for (place, sets) in sets.enumerate().skip(done as usize) {
            let next = self.count_sets(plan, task, place, &sets)?;
            sum = sum.checked_add(next).ok_or(TaskError::Overflow { task })?;
            so_far(sum);
        }
        Ok(sum)
    }

    /// Counts one of the column sets of such a task, whose place among them is told. The tallies of
    /// all add up to that of the task.
    ///
    /// # Errors
    /// [`TaskError`] if the solutions exceed a `u64`, or if the plan is another.
    pub fn count_sets(
        &mut self,
        plan: &Plan,
        task: usize,
        place: usize,
        sets: &ColumnSets,
    ) -> Result<Tally, TaskError> {
        let solutions = self.solutions(plan, task, sets, Attacks::NONE)?;
        let single = solutions.checked_mul(sets.weight.into());
        let single = single.ok_or(TaskError::Overflow { task })?;
        let covered = Some(Covered { sets: 1, weight: sets.weight });
        let chosen = (place == Plan::CHOSEN).then_some(solutions);
        Ok(Tally { single, covered, chosen, ..Tally::default() })
    }

    /// Counts the solutions of a task's [chosen](Plan::chosen) column set alone, without its
    /// weight, or, for a sample of them, only those whose upper half attacks none of the squares
    /// `spared` in the row below it; the columns of those do not matter. `None` if the task has no
    /// column sets.
    ///
    /// [`recount_chosen`](super::recount_chosen) finds the same number by other code.
    ///
    /// # Errors
    /// [`TaskError`] if the plan is another.
    pub fn count_chosen(
        &mut self,
        plan: &Plan,
        task: usize,
        spared: Attacks,
    ) -> Result<Option<u64>, TaskError> {
        let sets = plan.chosen(task);
        sets.map(|sets| self.solutions(plan, task, &sets, spared)).transpose()
    }

    fn solutions(
        &mut self,
        plan: &Plan,
        task: usize,
        sets: &ColumnSets,
        spared: Attacks,
    ) -> Result<u64, TaskError> {
        Ok(self.halves(plan, task)?.count_part(sets, spared))
    }

    /// The solutions of a part of a column set, without its weight: see [`halves::Counter::glimpse`].
    pub(super) fn glimpsed(
        &mut self,
        plan: &Plan,
        task: usize,
        sets: &ColumnSets,
        part: usize,
        begin: impl FnMut(),
    ) -> Result<(u64, usize), TaskError> {
        Ok(self.halves(plan, task)?.glimpse(sets, part, begin))
    }

    /// About the solutions of a column set, without its weight: see [`halves::Counter::survey`].
    pub(super) fn surveyed(
        &mut self,
        plan: &Plan,
        task: usize,
        sets: &ColumnSets,
    ) -> Result<f64, TaskError> {
        Ok(self.halves(plan, task)?.survey(sets))
    }

    fn halves(&mut self, plan: &Plan, task: usize) -> Result<&mut halves::Counter, TaskError> {
        let (theirs, ours) = (plan.identity(), self.of);
        if theirs != ours {
            return Err(TaskError::OtherPlan { task: Some(task), theirs, ours });
        }
        let PlanId { size, method, .. } = ours;
        self.halves.as_mut().ok_or(TaskError::TooLarge { size, method })
    }

    /// The memory that all clones share and the memory that each has of its own so far, in bytes.
    pub fn memory(&self) -> (usize, usize) {
        self.halves.as_ref().map_or((0, 0), halves::Counter::memory)
    }
}
