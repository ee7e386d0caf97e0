//! The classes found so far.

use std::rc::Rc;

use queens_core::{Class, Placement};

use crate::place::{Choice, First};
use crate::worker::{Answer, ClassLedger, Progress, Representative};

/// A representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Its queens.
    pub placement: Placement,
    /// Its number among the classes of its size, from 1, smallest judgement value first.
    pub number: u32,
    /// The step of the symmetry method after which it is on the board.
    pub step: u64,
}

/// Boards in the order in which they were found. Two are equal if they are the same list, not
/// if they hold the same: there can be tens of thousands.
#[derive(Clone, Debug, Default)]
pub struct Boards(Rc<Vec<Board>>);

impl PartialEq for Boards {
    fn eq(&self, other: &Boards) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Boards {
    /// The boards.
    pub fn as_slice(&self) -> &[Board] {
        &self.0
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The boards of a choice by their first queen, in its order.
    pub fn chosen(&self, choice: Choice) -> Boards {
        if choice.first == First::Any && !choice.largest_first {
            return self.clone();
        }
        let wanted = self.0.iter().filter(|board| choice.first.has(&board.placement));
        let mut chosen: Vec<Board> = wanted.copied().collect();
        if choice.largest_first {
            chosen.reverse();
        }
        Boards(Rc::new(chosen))
    }

    fn and(&self, more: &[Representative], class: Class) -> Boards {
        let count = more.iter().filter(|more| more.class == class).count();
        if count == 0 {
            return self.clone();
        }
        let mut all = Vec::with_capacity(self.len() + count);
        all.extend_from_slice(&self.0);
        for &Representative { placement, step, .. } in
            more.iter().filter(|more| more.class == class)
        {
            all.push(Board { placement, number: all.len() as u32 + 1, step });
        }
        Boards(Rc::new(all))
    }
}

/// The classes of a board as far as the worker has found them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    /// The representatives by the size of their class, in the order of [`Class::ALL`].
    pub groups: [Boards; 4],
    /// How far it has come.
    pub progress: Progress,
    /// The sums, once all classes are there.
    pub ledger: Option<ClassLedger>,
}

impl Search {
    /// The representatives of the classes of a size.
    pub fn group(&self, class: Class) -> &Boards {
        let [one, two, four, eight] = &self.groups;
        match class {
            Class::One => one,
            Class::Two => two,
            Class::Four => four,
            Class::Eight => eight,
        }
    }

    /// The boards of a choice, smaller classes first.
    pub fn chosen(&self, choice: Choice) -> impl Iterator<Item = (Class, Board)> {
        let classes = Class::ALL.into_iter().filter(move |&class| choice.kind.has(class));
        classes.flat_map(move |class| {
            let boards = self.group(class).chosen(choice);
            (0..boards.len()).filter_map(move |at| Some((class, *boards.as_slice().get(at)?)))
        })
    }

    /// The number of classes of a size so far.
    pub fn count(&self, class: Class) -> u64 {
        self.group(class).len() as u64
    }

    /// All classes so far.
    pub fn unique(&self) -> u64 {
        Class::ALL.into_iter().map(|class| self.count(class)).sum()
    }

    /// All solutions so far.
    pub fn total(&self) -> u64 {
        Class::ALL.into_iter().map(|class| self.count(class) * class.members()).sum()
    }

    /// Adds an answer of the worker's; whether it was the last.
    pub fn take(&mut self, answer: Answer) -> bool {
        if let Answer::Classes { found, progress, ledger } = answer {
            for (class, group) in Class::ALL.into_iter().zip(&mut self.groups) {
                *group = group.and(&found, class);
            }
            self.progress = progress;
            self.ledger = ledger;
        }
        self.ledger.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(columns: &[u32]) -> Placement {
        Placement::from_left(columns).unwrap()
    }

    fn found(found: Vec<Placement>) -> Answer {
        let progress = Progress { tasks: 1, of: 2 };
        let found = (1..).zip(found).map(|(step, placement)| {
            let class = Class::of(&placement);
            Representative { placement, class, step }
        });
        Answer::Classes { found: found.collect(), progress, ledger: None }
    }

    #[test]
    fn boards_are_sorted_into_their_groups() {
        let mut search = Search::default();
        let (two, eight) = (placement(&[1, 4, 2, 0, 3]), placement(&[0, 2, 4, 1, 3]));
        assert!(!search.take(found(vec![eight])));
        let before = search.group(Class::Eight).clone();
        assert!(!search.take(found(vec![two])));
        assert_eq!(
            search.group(Class::Two).as_slice(),
            [Board { placement: two, number: 1, step: 1 }]
        );
        assert_eq!(search.group(Class::Eight).as_slice()[0].placement, eight);
        let corner = Choice { first: First::Corner, ..Choice::default() };
        assert!(search.group(Class::Eight).chosen(corner).is_empty());
        assert!(*search.group(Class::Eight) == before, "an untouched group stays the same list");
        assert_eq!((search.unique(), search.total()), (2, 10));
    }
}
