//! A race between two methods on boards of the same size: both searches make the same number of
//! moves per second.

use queens_core::{Placement, Queens, Size, SquareState, SquareView, Stepped, Tracer, View, Work};

use crate::board::{Row, SquareStyle};
use crate::search::state::{Action, Jump, Pace};
use crate::search::work_unit::WorkUnit;

/// The work and the number of moves of a complete search.
#[derive(Clone, Copy, Debug)]
struct SearchLength {
    work: Work,
    moves: u64,
}

/// An action of the user on a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceAction {
    /// Starts or pauses the race. A race that is over starts again.
    Toggle,
    /// Pauses the race and makes the next move of each search.
    Move,
    /// Sets the pace.
    Pace(Pace),
    Faster,
    Slower,
}

impl RaceAction {
    /// What an action on the board does while the race is in its place.
    pub fn of(action: Action) -> Option<RaceAction> {
        Some(match action {
            Action::TogglePlay => RaceAction::Toggle,
            Action::MoveBy(1) | Action::Next(Jump::Beat) => RaceAction::Move,
            Action::Pace(pace) => RaceAction::Pace(pace),
            Action::Faster => RaceAction::Faster,
            Action::Slower => RaceAction::Slower,
            _ => return None,
        })
    }
}

/// Two searches that make the same number of moves in the same time. The race starts after the moves that
/// both have in common.
#[derive(Clone, Debug)]
pub struct Race {
    methods: [Stepped; 2],
    size: Size,
    searches: [Tracer; 2],
    /// The number of moves that both searches have in common.
    common_moves: u64,
    /// The lengths of the searches, if they are short enough to be known in advance.
    lengths: Option<[SearchLength; 2]>,
    /// The last solution that each search has counted.
    last_solutions: [Option<Placement>; 2],
    pace: Pace,
    running: bool,
    /// The fraction of a move left over from earlier frames. Without it, the rate would depend on
    /// the frame rate.
    due: f64,
}

impl Race {
    /// The largest number of steps that `new` runs to find the length of a search: a few
    /// milliseconds of work.
    const SHORT: u64 = 1 << 16;
    /// The time in seconds that a race of known length would take at its full rate. The slow beginning adds
    /// about six seconds.
    const TIME: f64 = 20.0;
    /// The number of moves per second at the two slower paces.
    const SLOW_RATES: [f64; 2] = [1.0, 3.0];
    /// The lowest and the highest number of moves per second at the fast pace.
    const RATES: [f64; 2] = [8.0, 2000.0];
    /// The number of moves per second with which the fast pace begins, so that the first dead ends can be
    /// seen.
    const FIRST_RATE: f64 = 4.0;
    /// The number of moves at that rate, and the factor by which each later move is faster.
    const FIRST_MOVES: u64 = 12;
    const GROWTH: f64 = 1.1;
    /// The factor by which each pace after the fast one is faster.
    const FASTER: f64 = 4.0;
    /// The number of moves between two checks of the clock.
    const SLICE: u32 = 256;

    /// Returns two searches, not running, after the moves that they have in common.
    pub fn new(methods: [Stepped; 2], size: Size) -> Race {
        let [first, second] = methods.map(|method| search_length(method, size));
        let mut race = Race {
            methods,
            size,
            searches: methods.map(|method| Tracer::new(method, size)),
            common_moves: common_moves(methods, size),
            lengths: first.zip(second).map(<[SearchLength; 2]>::from),
            last_solutions: [None; 2],
            pace: Pace::Fast,
            running: false,
            due: 0.0,
        };
        race.rewind();
        race
    }

    /// Performs an action of the user.
    pub fn apply(&mut self, action: RaceAction) {
        match action {
            RaceAction::Toggle => self.toggle(),
            RaceAction::Move => {
                (self.running, self.due) = (false, 0.0);
                self.make_moves();
            }
            RaceAction::Pace(pace) => self.set_pace(pace),
            RaceAction::Faster => self.set_pace(self.pace.faster()),
            RaceAction::Slower => self.set_pace(self.pace.slower()),
        }
    }

    fn set_pace(&mut self, pace: Pace) {
        (self.pace, self.due) = (pace, 0.0);
    }

    /// The pace.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Starts or pauses the race. A race that is over starts again.
    pub fn toggle(&mut self) {
        if self.is_over() {
            self.rewind();
            self.running = true;
        } else {
            self.running = !self.running;
        }
        self.due = 0.0;
    }

    /// Returns both searches to the start of the race.
    fn rewind(&mut self) {
        self.searches = self.methods.map(|method| Tracer::new(method, self.size));
        self.last_solutions = [None; 2];
        for _ in 0..self.common_moves {
            self.make_moves();
        }
    }

    /// The size of both boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The number of moves that both searches had in common before the start.
    pub fn common_moves(&self) -> u64 {
        self.common_moves
    }

    /// Whether a move has been made since the start.
    pub fn has_begun(&self) -> bool {
        self.moves() > self.common_moves
    }

    /// Makes the moves that are due after `elapsed_ms`. Stops early when `has_time` returns false.
    pub fn frame(&mut self, elapsed_ms: f64, has_time: &mut dyn FnMut() -> bool) {
        if self.running {
            self.due += elapsed_ms / 1000.0 * self.rate();
            let due = self.due.max(0.0) as u64;
            self.due -= due as f64;
            self.advance(due, has_time);
        }
    }

    /// Makes moves without a rate limit until `has_time` returns false, for users who prefer
    /// reduced motion.
    pub fn run_unlimited(&mut self, has_time: &mut dyn FnMut() -> bool) {
        if self.running {
            self.advance(u64::MAX, has_time);
        }
    }

    /// Makes up to `moves` moves in each unfinished search. Stops early when `has_time` returns
    /// false. The missing moves are not made up later: this machine is too slow for the rate.
    fn advance(&mut self, moves: u64, has_time: &mut dyn FnMut() -> bool) {
        let mut slice = 0;
        for _ in 0..moves {
            if self.is_over() {
                self.running = false;
                return;
            }
            self.make_moves();
            slice = (slice + 1) % Race::SLICE;
            if slice == 0 && !has_time() {
                return;
            }
        }
        self.running = !self.is_over();
    }

    /// Makes the next move of each unfinished search.
    fn make_moves(&mut self) {
        for (search, last) in self.searches.iter_mut().zip(&mut self.last_solutions) {
            let met = search.work().tally.met();
            make_a_move(search);
            if search.work().tally.met() > met {
                *last = search.view().placement();
            }
        }
    }

    /// The number of moves per second.
    fn rate(&self) -> f64 {
        match self.pace {
            Pace::Read => Race::SLOW_RATES[0],
            Pace::Watch => Race::SLOW_RATES[1],
            Pace::Fast => self.fast_rate().min(self.first_rate()),
            Pace::Rapid => self.fast_rate() * Race::FASTER,
            Pace::Instant => self.fast_rate() * Race::FASTER * Race::FASTER,
        }
    }

    /// The number of moves per second at the fast pace, after its beginning.
    fn fast_rate(&self) -> f64 {
        let [lowest, highest] = Race::RATES;
        let longest = self.lengths.map(|[first, second]| first.moves.max(second.moves));
        longest.map_or(highest, |moves| (moves as f64 / Race::TIME).clamp(lowest, highest))
    }

    /// The largest number of moves per second at the beginning of the fast pace.
    fn first_rate(&self) -> f64 {
        let faster = self.moves().saturating_sub(self.common_moves + Race::FIRST_MOVES);
        Race::FIRST_RATE * Race::GROWTH.powf(faster as f64)
    }

    /// Whether the race has started and is neither paused nor over.
    pub fn is_running(&self) -> bool {
        self.running
    }

    /// Whether both searches have ended.
    pub fn is_over(&self) -> bool {
        self.searches.iter().all(Tracer::is_done)
    }

    /// Returns the larger of the two searches' numbers of moves.
    pub fn moves(&self) -> u64 {
        self.searches.iter().map(Tracer::beats).max().unwrap_or(0)
    }

    /// The searches, in the order of the methods.
    pub fn searches(&self) -> &[Tracer; 2] {
        &self.searches
    }

    /// The board of a search, from the top row. After the end, it shows the last solution, because the
    /// search has removed all queens.
    pub fn board(&self, side: usize) -> Vec<Row> {
        let Some(search) = self.searches.get(side) else { return Vec::new() };
        match self.solution_at_end(side) {
            Some(solution) => {
                let queens = Queens::from(&solution);
                Row::all(self.size, None, |square| SquareStyle {
                    state: if queens.contains(square) {
                        SquareState::Queen
                    } else {
                        SquareState::Open
                    },
                    ..SquareStyle::default()
                })
            }
            None => rows(&search.view(), search.is_done()),
        }
    }

    /// The last solution of a search that has ended with one.
    pub fn solution_at_end(&self, side: usize) -> Option<Placement> {
        let is_done = self.searches.get(side).is_some_and(Tracer::is_done);
        self.last_solutions.get(side).copied().flatten().filter(|_| is_done)
    }

    /// The units in which both methods have work, so that their numbers can be compared.
    pub fn units(&self) -> impl Iterator<Item = WorkUnit> + use<> {
        let methods = self.methods;
        let both =
            move |unit: &WorkUnit| methods.iter().all(|method| unit.applies_to(method.facts()));
        WorkUnit::ALL.into_iter().filter(both)
    }

    /// Returns the work that a full-length bar stands for: the larger final work if it is known,
    /// otherwise the current work rounded up to 100, 200, 500, 1,000, …
    pub fn scale(&self, unit: WorkUnit) -> u64 {
        let most = |works: [&Work; 2]| works.map(|work| unit.count(work)).into_iter().max();
        if let Some([first, second]) = &self.lengths {
            return most([&first.work, &second.work]).unwrap_or(0).max(1);
        }
        let [first, second] = &self.searches;
        let most = most([first.work(), second.work()]).unwrap_or(0);
        let steps = (2..19).flat_map(|power| [1, 2, 5].map(|part| part * 10_u64.pow(power)));
        steps.into_iter().find(|&length| length >= most).unwrap_or(most)
    }
}

/// Returns the length of a search if it is short.
fn search_length(method: Stepped, size: Size) -> Option<SearchLength> {
    let mut search = Tracer::new(method, size);
    while search.steps() < Race::SHORT && search.forward().is_some() {}
    search.is_done().then(|| SearchLength { work: *search.work(), moves: search.beats() })
}

/// Returns the number of moves after which two searches still have the same board. It is 0 if one of them ends
/// before they differ, or if they are alike for longer than a few milliseconds of work.
fn common_moves(methods: [Stepped; 2], size: Size) -> u64 {
    let mut searches = methods.map(|method| Tracer::new(method, size));
    let mut moves = 0;
    loop {
        searches.iter_mut().for_each(make_a_move);
        let [first, second] = &searches;
        if first.view().placed() != second.view().placed() {
            return moves;
        }
        let goes_on = |search: &Tracer| !search.is_done() && search.steps() < Race::SHORT;
        if !searches.iter().all(goes_on) {
            return 0;
        }
        moves += 1;
    }
}

/// Advances a search to its next move.
pub fn make_a_move(search: &mut Tracer) {
    while search.forward().is_some() && search.beat().is_none() {}
}

/// The board of a search, from the top row.
pub fn rows(view: &View, done: bool) -> Vec<Row> {
    Row::all(view.size, Some(view.row).filter(|_| !done), |square| {
        let SquareView { state, rule, to_try, .. } = view.square(square);
        SquareStyle { state, rule, to_try, ..SquareStyle::default() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(methods: [Stepped; 2], n: u32) -> Race {
        Race::new(methods, Size::new(n).unwrap())
    }

    /// The race that the page shows first.
    fn first_race() -> Race {
        race([Stepped::Bitmap, Stepped::Symmetry], 8)
    }

    fn always() -> bool {
        true
    }

    fn queens_put(race: &Race) -> [u64; 2] {
        race.searches().each_ref().map(|search| search.work().placed)
    }

    #[test]
    fn bitmap_puts_2056_queens_and_symmetry_505() {
        let mut race = first_race();
        race.toggle();
        race.run_unlimited(&mut always);
        assert_eq!(queens_put(&race), [2056, 505]);
        assert_eq!(race.scale(WorkUnit::QueensPlaced), 2056);
        assert!(race.is_over() && !race.is_running());
    }

    /// A race whose boards are the same for seconds seems to say that both methods do the same work.
    #[test]
    fn starts_with_the_first_move_that_differs() {
        for first in [Stepped::Backtracking, Stepped::Bitmap] {
            let mut race = race([first, Stepped::Symmetry], 8);
            let queens = |race: &Race| race.searches().each_ref().map(|it| it.view().placed());
            let [first, second] = queens(&race);
            assert!(race.common_moves() > 20 && first == second && !first.is_empty());
            race.apply(RaceAction::Move);
            let [first, second] = queens(&race);
            assert_ne!(first, second);
        }
        // These two never differ.
        assert_eq!(race([Stepped::Flags, Stepped::Backtracking], 6).common_moves(), 0);
    }

    #[test]
    fn both_make_the_same_number_of_moves_until_one_ends() {
        let mut race = first_race();
        race.frame(1000.0, &mut always);
        assert!(!race.has_begun(), "a new race is not running");
        race.toggle();
        race.advance(60, &mut always);
        let mut moves = race.moves();
        while race.searches().iter().all(|search| !search.is_done()) {
            assert_eq!(race.searches()[0].beats(), race.searches()[1].beats());
            race.frame(16.0, &mut always);
            assert!(race.moves() > moves && race.moves() <= moves + 6, "{}", race.moves());
            moves = race.moves();
        }
        let [bitmap, symmetry] = race.searches();
        assert!(symmetry.is_done() && symmetry.work().tally.met() == 12 && !bitmap.is_done());
        let ended = symmetry.steps();
        race.frame(1000.0, &mut always);
        let [bitmap, symmetry] = race.searches();
        assert!(symmetry.steps() == ended && bitmap.beats() > moves + 100);
    }

    /// At the fast pace, the first dead ends of both searches can be seen, and the rest takes about twenty
    /// seconds.
    #[test]
    fn begins_slowly_and_takes_less_than_half_a_minute() {
        for methods in [[Stepped::Bitmap, Stepped::Symmetry], [Stepped::Flags, Stepped::Mirror]] {
            let mut race = race(methods, 8);
            race.toggle();
            let mut time = 0.0;
            let mut dead_ends = [None; 2];
            while race.is_running() {
                race.frame(16.0, &mut always);
                time += 0.016;
                for (seen, search) in dead_ends.iter_mut().zip(race.searches()) {
                    let is_dead_end = search.beat() == Some(queens_core::Beat::DeadEnd);
                    *seen = seen.or(is_dead_end.then_some(time));
                }
            }
            assert!((25.0..30.0).contains(&time), "{methods:?}: {time} s");
            for seen in dead_ends {
                assert!(seen.is_some_and(|seen| (1.0..4.5).contains(&seen)), "{dead_ends:?}");
            }
        }
    }

    #[test]
    fn each_pace_is_faster_than_the_one_before() {
        for n in [5, 8, 10] {
            let mut race = race([Stepped::Bitmap, Stepped::Symmetry], n);
            let rates = Pace::ALL.iter().map(|&pace| {
                race.apply(RaceAction::Pace(pace));
                race.rate()
            });
            assert!(rates.is_sorted_by(|slow, fast| 1.3 * slow < *fast), "{n}");
        }
    }

    #[test]
    fn can_be_slowed_down_and_stepped() {
        let mut race = first_race();
        let start = race.common_moves();
        race.apply(RaceAction::Toggle);
        race.apply(RaceAction::Pace(Pace::Read));
        for _ in 0..20 {
            race.frame(250.0, &mut always);
        }
        assert_eq!((race.moves(), race.is_running()), (start + 5, true));
        race.apply(RaceAction::Move);
        let moves = (race.moves(), race.is_running());
        assert_eq!(moves, (start + 6, false), "a single move pauses the race");
        race.apply(RaceAction::Move);
        assert!(race.searches().iter().all(|search| search.beats() == start + 7));
        for (action, pace) in [
            (RaceAction::Slower, Pace::Read),
            (RaceAction::Faster, Pace::Watch),
            (RaceAction::Faster, Pace::Fast),
            (RaceAction::Pace(Pace::Instant), Pace::Instant),
        ] {
            race.apply(action);
            assert_eq!(race.pace(), pace, "{action:?}");
        }
        race.run_unlimited(&mut always);
        assert_eq!(race.moves(), start + 7, "it is paused");
        race.apply(RaceAction::Toggle);
        race.run_unlimited(&mut always);
        let end = race.moves();
        race.apply(RaceAction::Move);
        assert!(race.is_over() && race.moves() == end);
    }

    #[test]
    fn keys_act_on_the_race() {
        for (action, expected) in [
            (Action::TogglePlay, Some(RaceAction::Toggle)),
            (Action::MoveBy(1), Some(RaceAction::Move)),
            (Action::Next(Jump::Beat), Some(RaceAction::Move)),
            (Action::Faster, Some(RaceAction::Faster)),
            (Action::Slower, Some(RaceAction::Slower)),
            (Action::MoveBy(-1), None),
            (Action::Next(Jump::End), None),
        ] {
            assert_eq!(RaceAction::of(action), expected, "{action:?}");
        }
    }

    /// Both searches have removed their queens, but the boards are not empty.
    #[test]
    fn a_race_that_is_over_shows_the_last_solutions() {
        let mut race = first_race();
        race.toggle();
        race.advance(1000, &mut always);
        assert_eq!([0, 1].map(|side| race.solution_at_end(side)), [None; 2]);
        race.run_unlimited(&mut always);
        for side in [0, 1] {
            let queens = race
                .board(side)
                .iter()
                .flat_map(|row| &row.squares)
                .filter(|it| it.is_queen())
                .count();
            assert_eq!(queens, 8);
            assert!(race.solution_at_end(side).is_some());
        }
        race.toggle();
        assert_eq!([0, 1].map(|side| race.solution_at_end(side)), [None; 2]);
        let mut none = Race::new([Stepped::Bitmap, Stepped::Symmetry], Size::new(3).unwrap());
        none.toggle();
        none.run_unlimited(&mut always);
        assert!(none.is_over() && none.solution_at_end(0).is_none());
        assert_eq!(none.board(0).len(), 3);
    }

    /// Squares that only one method tests say nothing about the race.
    #[test]
    fn compares_tested_squares_only_if_both_methods_test_squares() {
        for &method in Stepped::ALL {
            let mut race = race([method, Stepped::Backtracking], 5);
            let units: Vec<_> = race.units().collect();
            race.toggle();
            race.run_unlimited(&mut always);
            let tests = race.searches()[0].work().looked_at > 0;
            assert_eq!(units.contains(&WorkUnit::SquaresTried), tests, "{method}");
            assert!(units.contains(&WorkUnit::QueensPlaced));
        }
    }

    #[test]
    fn pauses_and_starts_again() {
        let mut race = first_race();
        race.toggle();
        race.frame(1000.0, &mut always);
        race.toggle();
        let moves = race.moves();
        race.frame(1000.0, &mut always);
        assert_eq!((race.moves(), race.is_running()), (moves, false));
        race.toggle();
        race.frame(1000.0, &mut always);
        assert!(race.moves() > moves);
        race.run_unlimited(&mut always);
        race.toggle();
        assert!(!race.has_begun() && race.is_running(), "a race that is over starts again");
    }

    #[test]
    fn a_frame_ends_in_time() {
        let mut race = race([Stepped::Bitmap, Stepped::Symmetry], 16);
        race.toggle();
        race.run_unlimited(&mut || false);
        let start = race.common_moves();
        assert_eq!(race.moves(), start + u64::from(Race::SLICE));
        assert_eq!(
            race.scale(WorkUnit::QueensPlaced),
            200,
            "rounded up, because the final work is unknown"
        );
        race.frame(1e9, &mut || false);
        assert_eq!(race.moves(), start + 2 * u64::from(Race::SLICE));
    }
}
