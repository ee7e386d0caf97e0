//! Tasks that cards have counted, counted again on the processor.

use std::sync::{Arc, Mutex};

use queens_core::{Counter, Form, Method, Plan, Tally};

use crate::{isa, lock::lock};

/// The largest board of which a branch of the search takes seconds.
const LARGEST: u32 = 22;

/// The processor's counter of a plan, made when it is first needed.
pub struct Recount {
    plan: Arc<Plan>,
    counter: Mutex<Option<Counter>>,
}

impl Recount {
    /// For tasks of this plan.
    pub fn new(plan: Arc<Plan>) -> Recount {
        Recount { plan, counter: Mutex::default() }
    }

    /// What is wrong with a card's tally of a task, as half a sentence; nothing if it is right, or
    /// the task takes a thread longer than seconds.
    pub fn doubt(&self, task: usize, tally: &Tally) -> Option<String> {
        let is_long = self.plan.method() != Method::Halves && self.plan.size().get() > LARGEST;
        if is_long {
            return None;
        }
        let mut counter = lock(&self.counter);
        let counter =
            counter.get_or_insert_with(|| self.plan.counter(Form::Recursive, isa::best()));
        // What cannot be counted is said where sums are made.
        let expected = counter.count(&self.plan, task).ok()?;
        let said = |tally: &Tally| tally.total().map_or("too many".into(), |it| it.to_string());
        (expected != *tally).then(|| {
            format!(
                "task {task} comes to {} solutions on it and to {} on the processor",
                said(tally),
                said(&expected)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::Size;

    #[test]
    fn a_right_tally_is_not_doubted_and_a_wrong_one_is() {
        for method in [Method::Symmetry, Method::Halves] {
            let plan = Arc::new(Plan::new(Size::new(9).unwrap(), method));
            let recount = Recount::new(Arc::clone(&plan));
            let mut tally = plan.count(2, Form::Recursive).unwrap();
            let total = tally.total().unwrap();
            assert_eq!(recount.doubt(2, &tally), None);
            tally.classes[1] += 1;
            let said = recount.doubt(2, &tally).unwrap();
            let expected = format!("task 2 comes to {} solutions on it and to {total}", total + 2);
            assert!(said.starts_with(&expected), "{said}");
        }
    }
}
