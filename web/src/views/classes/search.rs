//! The classes found so far.

use std::rc::Rc;

use queens_core::{Class, Placement, Size};
use yew::prelude::*;

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

/// Where the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The worker has not been asked yet: there is nothing to stop.
    Waiting,
    /// It goes on.
    Running,
    /// It was stopped.
    Stopped,
    /// All classes are there.
    Done(ClassLedger),
}

/// A search for the classes of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The board.
    pub size: Size,
    /// The representatives by the size of their class, in the order of [`Class::ALL`].
    pub groups: [Boards; 4],
    /// How far it has come.
    pub progress: Progress,
    /// Where it is.
    pub state: State,
}

/// What happens to a search.
pub enum Change {
    /// It begins anew.
    Start(Size),
    /// The worker has found more.
    Answer(Answer),
    /// The reader stops it.
    Stop,
}

impl Search {
    /// A search that is about to begin.
    pub fn new(size: Size) -> Search {
        Search {
            size,
            groups: Default::default(),
            progress: Progress::default(),
            state: State::Waiting,
        }
    }

    /// Whether more boards will come.
    pub fn goes_on(&self) -> bool {
        matches!(self.state, State::Waiting | State::Running)
    }

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

    fn take(&mut self, answer: Answer) {
        let Answer::Classes { found, progress, ledger } = answer else {
            return;
        };
        for (class, group) in Class::ALL.into_iter().zip(&mut self.groups) {
            *group = group.and(&found, class);
        }
        self.progress = progress;
        if let Some(ledger) = ledger {
            self.state = State::Done(ledger);
        }
    }
}

impl Reducible for Search {
    type Action = Change;

    fn reduce(self: Rc<Self>, change: Change) -> Rc<Self> {
        match change {
            Change::Start(size) => Search { state: State::Running, ..Search::new(size) }.into(),
            Change::Answer(answer) => {
                let mut search = (*self).clone();
                search.take(answer);
                search.into()
            }
            Change::Stop if self.state == State::Running => {
                Search { state: State::Stopped, ..(*self).clone() }.into()
            }
            Change::Stop => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::Numbers;

    fn placement(columns: &[u32]) -> Placement {
        Placement::from_left(columns).unwrap()
    }

    fn found(found: Vec<Placement>, ledger: Option<ClassLedger>) -> Change {
        let progress = Progress { tasks: 1, of: 2 };
        let found = (1..).zip(found).map(|(step, placement)| {
            let class = Class::of(&placement);
            Representative { placement, class, step }
        });
        Change::Answer(Answer::Classes { found: found.collect(), progress, ledger })
    }

    #[test]
    fn boards_are_sorted_into_their_groups() {
        let five = Size::new(5).unwrap();
        let search = Rc::new(Search::new(five)).reduce(Change::Start(five));
        let (two, eight) = (placement(&[1, 4, 2, 0, 3]), placement(&[0, 2, 4, 1, 3]));
        let search = search.reduce(found(vec![eight], None));
        let before = search.group(Class::Eight).clone();
        let search = search.reduce(found(vec![two], None));
        assert_eq!(
            search.group(Class::Two).as_slice(),
            [Board { placement: two, number: 1, step: 1 }]
        );
        assert_eq!(search.group(Class::Eight).as_slice()[0].placement, eight);
        let corner = Choice { first: First::Corner, ..Choice::default() };
        assert!(search.group(Class::Eight).chosen(corner).is_empty());
        assert!(*search.group(Class::Eight) == before, "an untouched group stays the same list");
        assert_eq!((search.unique(), search.total()), (2, 10));
        assert_eq!(search.state, State::Running);
    }

    #[test]
    fn only_a_running_search_can_be_stopped() {
        let numbers = Numbers::of_classes([0; 4]).unwrap();
        let ledger = ClassLedger { numbers, turns: numbers.turns() };
        let three = Size::new(3).unwrap();
        let waiting = Rc::new(Search::new(three));
        assert_eq!(waiting.clone().reduce(Change::Stop).state, State::Waiting);
        let running = waiting.reduce(Change::Start(three));
        assert_eq!(running.clone().reduce(Change::Stop).state, State::Stopped);
        let done = running.reduce(found(vec![], Some(ledger)));
        assert_eq!(done.clone().reduce(Change::Stop).state, State::Done(ledger));
        assert_eq!(done.reduce(Change::Start(three)).state, State::Running);
    }
}
