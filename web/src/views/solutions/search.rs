//! The classes that the worker has found so far.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use queens_core::{Class, Placement};

use crate::address::{ClassFilter, First};
use crate::worker::{Answer, ClassLedger, Representative, SearchProgress};

/// A representative, with its number and its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub placement: Placement,
    /// The number among the classes of the same size, from 1, smallest judgement value first.
    pub number: u32,
    /// The step of the symmetry method after which the representative is on the board.
    pub step: u64,
}

/// A list of up to tens of thousands of boards. Two lists are equal if they are the same range of the
/// same shared list; their contents are not compared.
#[derive(Clone, Debug, Default)]
pub struct Boards {
    /// The boards, shared with longer lists. Boards are only appended, so a longer list needs no
    /// copy.
    list: Rc<RefCell<Vec<Board>>>,
    len: usize,
}

impl PartialEq for Boards {
    fn eq(&self, other: &Boards) -> bool {
        Rc::ptr_eq(&self.list, &other.list) && self.len == other.len
    }
}

impl FromIterator<Board> for Boards {
    fn from_iter<I: IntoIterator<Item = Board>>(boards: I) -> Boards {
        let list: Vec<Board> = boards.into_iter().collect();
        Boards { len: list.len(), list: Rc::new(RefCell::new(list)) }
    }
}

impl Boards {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the boards in a range of indices. Indices beyond the list are ignored.
    pub fn range(&self, indices: Range<usize>) -> Vec<Board> {
        let indices = indices.start.min(self.len)..indices.end.min(self.len);
        self.list.borrow().get(indices).unwrap_or_default().to_vec()
    }

    /// Returns the boards that match the filter's first queen, in the filter's order.
    pub fn filtered(&self, filter: ClassFilter) -> Boards {
        if filter.first == First::Any && !filter.largest_first {
            return self.clone();
        }
        let matches = |board: &&Board| filter.first.has(&board.placement);
        let list = self.list.borrow();
        let boards = list.iter().take(self.len).filter(matches).copied();
        if filter.largest_first { boards.rev().collect() } else { boards.collect() }
    }

    /// Returns this list with more boards appended.
    fn appended(&self, found: impl Iterator<Item = Representative>) -> Boards {
        let has_last_board = self.list.borrow().len() == self.len;
        let list = if has_last_board {
            Rc::clone(&self.list)
        } else {
            Rc::new(RefCell::new(self.range(0..self.len)))
        };
        let numbered = (self.len as u32 + 1..).zip(found);
        list.borrow_mut().extend(numbered.map(
            |(number, Representative { placement, step, .. })| Board { placement, number, step },
        ));
        let len = list.borrow().len();
        Boards { list, len }
    }
}

/// The classes that the worker has found so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    /// The representatives by the size of their class, in the order of [`Class::ALL`].
    pub groups: [Boards; 4],
    /// The progress of the search.
    pub progress: SearchProgress,
    /// The totals, once all classes are found.
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

    /// Returns the filtered boards, smaller classes first.
    pub fn filtered(&self, filter: ClassFilter) -> impl Iterator<Item = (Class, Board)> {
        let classes = Class::ALL.into_iter().filter(move |&class| filter.kind.has(class));
        classes.flat_map(move |class| {
            let boards = self.group(class).filtered(filter);
            boards.range(0..boards.len()).into_iter().map(move |board| (class, board))
        })
    }

    /// The number of classes of a size so far.
    pub fn count(&self, class: Class) -> u64 {
        self.group(class).len() as u64
    }

    /// The number of classes so far.
    pub fn unique(&self) -> u64 {
        Class::ALL.into_iter().map(|class| self.count(class)).sum()
    }

    /// The number of solutions so far.
    pub fn total(&self) -> u64 {
        Class::ALL.into_iter().map(|class| self.count(class) * class.members()).sum()
    }

    /// Adds an answer of the worker. Returns whether it was the last one.
    pub fn add(&mut self, answer: Answer) -> bool {
        if let Answer::Classes { found, progress, ledger } = answer {
            for (class, group) in Class::ALL.into_iter().zip(&mut self.groups) {
                *group = group.appended(found.iter().filter(|found| found.class == class).copied());
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
        let progress = SearchProgress { entered: 1, all: 2 };
        let found = (1..).zip(found).map(|(step, placement)| {
            let class = Class::of(&placement);
            Representative { placement, class, step }
        });
        Answer::Classes { found: found.collect(), progress, ledger: None }
    }

    #[test]
    fn sorts_boards_into_their_groups() {
        let mut search = Search::default();
        let (two, eight) = (placement(&[1, 4, 2, 0, 3]), placement(&[0, 2, 4, 1, 3]));
        assert!(!search.add(found(vec![eight])));
        let before = search.group(Class::Eight).clone();
        assert!(!search.add(found(vec![two])));
        assert_eq!(
            search.group(Class::Two).range(0..2),
            [Board { placement: two, number: 1, step: 1 }]
        );
        assert_eq!(search.group(Class::Eight).range(0..1)[0].placement, eight);
        let corner = ClassFilter { first: First::Corner, ..ClassFilter::default() };
        assert!(search.group(Class::Eight).filtered(corner).is_empty());
        assert!(*search.group(Class::Eight) == before, "an untouched group stays the same list");
        assert_eq!((search.unique(), search.total()), (2, 10));
    }

    #[test]
    fn a_copied_list_is_unaffected_by_later_boards() {
        let [one, two] = [[0, 2, 4, 1, 3], [0, 3, 1, 4, 2]].map(|columns| placement(&columns));
        let mut search = Search::default();
        search.add(found(vec![one]));
        let short = search.clone();
        search.add(found(vec![two]));
        let mut other = short.clone();
        other.add(found(vec![one]));
        let eights = |search: &Search| -> Vec<(Placement, u32)> {
            let boards = search.group(Class::Eight).range(0..9);
            boards.into_iter().map(|board| (board.placement, board.number)).collect()
        };
        assert_eq!(eights(&short), [(one, 1)]);
        assert_eq!(eights(&search), [(one, 1), (two, 2)]);
        assert_eq!(eights(&other), [(one, 1), (one, 2)]);
        assert!(short.group(Class::Eight) != search.group(Class::Eight));
        let largest_first = ClassFilter { largest_first: true, ..ClassFilter::default() };
        assert_eq!(short.group(Class::Eight).filtered(largest_first).len(), 1);
    }
}
