//! A race between two methods on boards of the same size: both searches make the same number of
//! moves per second.

use queens_core::{
    Facts, Placement, Queens, Register, Rule, Size, SquareState, SquareView, Stepped, Tally,
    Tracer, View, Work,
};

use super::state::{Action, Jump, Pace};
use crate::board::{Row, SquareStyle};
use crate::text::{Language, grouped, numbered_method};
use crate::tr;

/// A unit of work. Only numbers of the same unit can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Queens put on the board.
    QueensPlaced,
    /// Squares tried one by one; 0 for methods that get all free squares of a row from a bit mask.
    SquaresTried,
}

impl Unit {
    pub const ALL: [Unit; 2] = [Unit::QueensPlaced, Unit::SquaresTried];

    /// Its name in the page's texts and elements.
    pub fn id(self) -> &'static str {
        match self {
            Unit::QueensPlaced => "put",
            Unit::SquaresTried => "looked",
        }
    }

    /// Whether methods with these facts have work in this unit.
    pub fn applies_to(self, facts: &Facts) -> bool {
        match self {
            Unit::QueensPlaced => true,
            Unit::SquaresTried => !facts.tests.is_empty() && !facts.keeps(Register::Free),
        }
    }

    /// The work of a search in this unit.
    pub fn count(self, work: &Work) -> u64 {
        match self {
            Unit::QueensPlaced => work.placed,
            Unit::SquaresTried => work.looked_at,
        }
    }
}

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
    /// Starts the race from its first move.
    Restart,
    /// Sets the pace.
    Pace(Pace),
    Faster,
    Slower,
}

impl RaceAction {
    /// What the key of an action on the board does while the race is in its place.
    pub fn of_key(action: Action) -> Option<RaceAction> {
        Some(match action {
            Action::TogglePlay => RaceAction::Toggle,
            Action::MoveBy(1) | Action::Next(Jump::Beat) => RaceAction::Move,
            Action::Faster => RaceAction::Faster,
            Action::Slower => RaceAction::Slower,
            _ => return None,
        })
    }
}

/// Two searches that start together and make the same number of moves in the same time.
#[derive(Clone, Debug)]
pub struct Race {
    methods: [Stepped; 2],
    size: Size,
    searches: [Tracer; 2],
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
    /// The number of moves between two checks of the clock.
    const SLICE: u32 = 256;

    /// The paces of a race, from the slowest. It begins with the last one.
    pub const PACES: [Pace; 3] = [Pace::Read, Pace::Watch, Pace::Fast];

    /// Returns two searches at their first step, not running.
    pub fn new(methods: [Stepped; 2], size: Size) -> Race {
        let [first, second] = methods.map(|method| search_length(method, size));
        Race {
            methods,
            size,
            searches: methods.map(|method| Tracer::new(method, size)),
            lengths: first.zip(second).map(<[SearchLength; 2]>::from),
            last_solutions: [None; 2],
            pace: Pace::Fast,
            running: false,
            due: 0.0,
        }
    }

    /// Performs an action of the user.
    pub fn apply(&mut self, action: RaceAction) {
        match action {
            RaceAction::Toggle => self.toggle(),
            RaceAction::Restart => self.restart(),
            RaceAction::Move => {
                (self.running, self.due) = (false, 0.0);
                self.make_moves();
            }
            RaceAction::Pace(pace) => self.set_pace(pace),
            RaceAction::Faster => self.set_pace(self.pace.faster()),
            RaceAction::Slower => self.set_pace(self.pace.slower()),
        }
    }

    /// Sets the pace, if it is one of a race.
    fn set_pace(&mut self, pace: Pace) {
        if Race::PACES.contains(&pace) {
            (self.pace, self.due) = (pace, 0.0);
        }
    }

    /// The pace.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Starts or pauses the race. A race that is over starts again.
    pub fn toggle(&mut self) {
        if self.is_over() {
            self.restart();
        } else {
            self.running = !self.running;
            self.due = 0.0;
        }
    }

    /// Starts the race from the first step.
    pub fn restart(&mut self) {
        self.searches = self.methods.map(|method| Tracer::new(method, self.size));
        self.last_solutions = [None; 2];
        (self.running, self.due) = (true, 0.0);
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
            Pace::Fast | Pace::Instant => self.fast_rate().min(self.first_rate()),
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
        let faster = self.moves().saturating_sub(Race::FIRST_MOVES);
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

    /// Returns the larger of the two searches' numbers of moves since the start.
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
    pub fn units(&self) -> impl Iterator<Item = Unit> + use<> {
        let methods = self.methods;
        let both = move |unit: &Unit| methods.iter().all(|method| unit.applies_to(method.facts()));
        Unit::ALL.into_iter().filter(both)
    }

    /// Returns the work that a full-length bar stands for: the larger final work if it is known,
    /// otherwise the current work rounded up to 100, 200, 500, 1,000, …
    pub fn scale(&self, unit: Unit) -> u64 {
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

/// Returns the sentence with the number of solutions found and the total that they represent.
pub fn found(language: Language, search: &Tracer) -> String {
    let tally: &Tally = &search.work().tally;
    let (met, total) = (tally.met(), tally.total().unwrap_or(u64::MAX));
    let kind = match (search.is_done(), met) {
        (true, _) if met == total => "race.done",
        (true, 1) => "race.done-one",
        (true, _) => "race.done-many",
        (false, _) => "race.found",
    };
    tr!(language, kind, met = grouped(met), total = grouped(total))
}

/// Returns the sentence about the state of the race.
pub fn status_sentence(language: Language, race: &Race) -> String {
    let [first, second] = race.searches();
    match [first, second].map(Tracer::is_done) {
        [false, false] if race.moves() == 0 => tr!(language, "race.start"),
        [false, false] => tr!(language, "race.running"),
        [true, false] => ahead(language, first, second),
        [false, true] => ahead(language, second, first),
        [true, true] => {
            let units = race.units().filter_map(|unit| compared(language, unit, race));
            units.chain(reason(language, race)).collect::<Vec<_>>().join(language.space())
        }
    }
}

/// Returns the section of the explanation on how symmetry saves queens, if the sentence about a race that is
/// over says so.
pub fn symmetry_section(race: &Race) -> Option<&'static str> {
    let (key, _) = reason_key(race).filter(|_| race.is_over())?;
    Some(if key == "race.saves-half" { "mirror" } else { "total" })
}

/// Returns the section of the explanation on the rules of a method.
pub fn rules_section(method: Stepped) -> &'static str {
    if *method.facts().rules == [Rule::Half] { "mirror" } else { "cuts" }
}

/// Returns the sentence about the squares that the rules of a method close; `None` if it has no rules.
pub fn rules_sentence(language: Language, method: Stepped) -> Option<String> {
    let signs: Vec<_> = method.facts().rules.iter().map(|rule| rule.sign()).collect();
    let signs = signs.join(language.comma());
    (!signs.is_empty()).then(|| tr!(language, "race.rules", signs = signs))
}

/// Returns the sentence for a race in which only `first` has ended.
fn ahead(language: Language, first: &Tracer, second: &Tracer) -> String {
    tr!(
        language,
        "race.ahead",
        first = numbered_method(language, first.method()),
        moves = grouped(first.beats()),
        second = numbered_method(language, second.method())
    )
}

/// Returns the sentence that compares the work of two finished searches; `None` if one of them does
/// not try squares one by one.
fn compared(language: Language, unit: Unit, race: &Race) -> Option<String> {
    let [first, second] = race.searches();
    let number = |search: &Tracer| unit.count(search.work());
    let (less, more) =
        if number(first) <= number(second) { (first, second) } else { (second, first) };
    let (few, many) = (number(less), number(more));
    match (few, many) {
        (0, _) if unit == Unit::SquaresTried => None,
        _ if few == many => {
            let key = format!("race.{}-equal", unit.id());
            Some(tr!(language, key, count = grouped(few)))
        }
        (0, _) => Some(tr!(
            language,
            "race.put-none",
            less = numbered_method(language, less.method()),
            more = numbered_method(language, more.method()),
            many = grouped(many)
        )),
        _ => Some(tr!(
            language,
            format!("race.{}-less", unit.id()),
            less = numbered_method(language, less.method()),
            few = grouped(few),
            more = numbered_method(language, more.method()),
            many = grouped(many),
            share = share(language, few, many)
        )),
    }
}

/// Returns the sentence that says how symmetry saves queens, if the method that put fewer queens uses
/// symmetry in a way that the other one does not.
fn reason(language: Language, race: &Race) -> Option<String> {
    let (key, method) = reason_key(race)?;
    Some(tr!(language, key, method = numbered_method(language, method)))
}

/// Returns the key of that sentence and the method that it names.
fn reason_key(race: &Race) -> Option<(&'static str, Stepped)> {
    let [first, second] = race.searches();
    let put = |search: &Tracer| search.work().placed;
    let (less, more) = if put(first) <= put(second) { (first, second) } else { (second, first) };
    let [key, other] = [less, more].map(|search| saving(search.method()));
    // Methods that halve the first row skip nearly the same boards.
    let is_shared =
        key == other || [less, more].iter().all(|search| search.method().facts().half.is_some());
    let is_shown = put(less) < put(more) && less.work().tally.met() > 0 && !is_shared;
    key.filter(|_| is_shown).map(|key| (key, less.method()))
}

/// Returns the key of the sentence about the boards that a method skips because of symmetry. Methods that
/// only compare full boards skip none.
fn saving(method: Stepped) -> Option<&'static str> {
    let facts = method.facts();
    match (facts.half, facts.counts_classes()) {
        (Some(_), false) => Some("race.saves-half"),
        (Some(_), true) => Some("race.saves-half-classes"),
        (None, true) if !facts.rules.is_empty() => Some("race.saves-classes"),
        (None, _) => None,
    }
}

/// Returns `few / many` in words: about half, a third or a quarter, otherwise a percentage.
fn share(language: Language, few: u64, many: u64) -> String {
    let share = few as f64 / many as f64;
    for (part, key) in [(2.0, "race.half"), (3.0, "race.third"), (4.0, "race.quarter")] {
        if (share * part - 1.0).abs() < 0.04 {
            return tr!(language, key);
        }
    }
    let percent = share * 100.0;
    let percent = if percent < 9.95 { format!("{percent:.1}") } else { format!("{percent:.0}") };
    tr!(language, "race.percent", percent = percent)
}

#[cfg(test)]
mod tests {
    use queens_core::Branching;

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
        assert_eq!(race.scale(Unit::QueensPlaced), 2056);
        assert!(race.is_over() && !race.is_running());
        assert_eq!(
            status_sentence(Language::English, &race),
            "14 Symmetry put 505 queens, 7 Bitmap put 2,056: about a quarter. 14 Symmetry skips most \
             boards that are turns or mirror images of others, and counts each solution that it keeps \
             2, 4 or 8 times."
        );
        let [bitmap, symmetry] = race.searches();
        assert_eq!(found(Language::English, bitmap), "Done. Solutions: 92");
        assert_eq!(found(Language::English, symmetry), "Done. 12 boards stand for 92");
    }

    #[test]
    fn both_make_the_same_number_of_moves_until_one_ends() {
        let mut race = first_race();
        race.frame(1000.0, &mut always);
        assert_eq!(race.moves(), 0, "a new race is not running");
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
        let text = format!(
            "14 Symmetry is done after {} moves. 7 Bitmap is still searching.",
            grouped(symmetry.beats())
        );
        assert_eq!(status_sentence(Language::English, &race), text);
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
    fn can_be_slowed_down_and_stepped() {
        let mut race = first_race();
        race.apply(RaceAction::Toggle);
        race.apply(RaceAction::Pace(Pace::Read));
        for _ in 0..20 {
            race.frame(250.0, &mut always);
        }
        assert_eq!((race.moves(), race.is_running()), (5, true));
        race.apply(RaceAction::Move);
        assert_eq!((race.moves(), race.is_running()), (6, false), "a single move pauses the race");
        race.apply(RaceAction::Move);
        assert!(race.searches().iter().all(|search| search.beats() == 7));
        for (action, pace) in [
            (RaceAction::Slower, Pace::Read),
            (RaceAction::Faster, Pace::Watch),
            (RaceAction::Faster, Pace::Fast),
            (RaceAction::Faster, Pace::Fast),
            (RaceAction::Pace(Pace::Instant), Pace::Fast),
        ] {
            race.apply(action);
            assert_eq!(race.pace(), pace, "{action:?}");
        }
        race.run_unlimited(&mut always);
        assert_eq!(race.moves(), 7, "it is paused");
        race.apply(RaceAction::Restart);
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
            (Action::End, None),
        ] {
            assert_eq!(RaceAction::of_key(action), expected, "{action:?}");
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
        race.restart();
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
            assert_eq!(units.contains(&Unit::SquaresTried), tests, "{method}");
            assert!(units.contains(&Unit::QueensPlaced));
        }
    }

    #[test]
    fn explains_the_numbers_on_the_squares() {
        let [english, japanese] =
            Language::ALL.map(|language| rules_sentence(language, Stepped::Symmetry).unwrap());
        assert_eq!(english, "1, 2, 3, X: squares that a symmetry rule closes");
        assert_eq!(japanese, "1、2、3、X：対称性の規則で禁止されたマス");
        assert_eq!(rules_sentence(Language::English, Stepped::Bitmap), None);
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
        race.restart();
        assert_eq!((race.moves(), race.is_running()), (0, true));
        race.run_unlimited(&mut always);
        race.toggle();
        assert_eq!((race.moves(), race.is_running()), (0, true), "a race that is over");
    }

    #[test]
    fn a_frame_ends_in_time() {
        let mut race = race([Stepped::Bitmap, Stepped::Symmetry], 16);
        race.toggle();
        race.run_unlimited(&mut || false);
        assert_eq!(race.moves(), u64::from(Race::SLICE));
        assert_eq!(
            race.scale(Unit::QueensPlaced),
            200,
            "rounded up, because the final work is unknown"
        );
        race.frame(1e9, &mut || false);
        assert_eq!(race.moves(), 2 * u64::from(Race::SLICE));
    }

    #[test]
    fn compares_each_unit_separately() {
        let ended = |methods, n| {
            let mut race = race(methods, n);
            race.toggle();
            race.run_unlimited(&mut always);
            status_sentence(Language::English, &race)
        };
        assert_eq!(
            ended([Stepped::Backtracking, Stepped::Flags], 8),
            "Queens put by both: 2,056. Squares tested by both: 15,720."
        );
        // A number of squares is never compared with a number of queens.
        let mixed = ended([Stepped::Backtracking, Stepped::Symmetry], 8);
        let expected = "14 Symmetry put 505 queens, 3 Backtracking put 2,056: about a quarter. ";
        assert!(mixed.starts_with(expected), "{mixed}");
        assert_eq!(share(Language::English, 1, 2), "about half");
        assert_eq!(share(Language::English, 1, 3), "about a third");
        assert_eq!(share(Language::English, 7, 10), "70%");
        assert_eq!(share(Language::English, 1, 30), "3.3%");
    }

    /// How many boards a method skips: none, all with a first queen in one half, or more.
    #[test]
    fn says_how_symmetry_saves_queens() {
        for &method in Stepped::ALL {
            let mut race = race([method, Stepped::Backtracking], 6);
            race.toggle();
            race.run_unlimited(&mut always);
            let [english, japanese] =
                Language::ALL.map(|language| status_sentence(language, &race));
            let [put, all] = queens_put(&race);
            // Methods 11 and 12 leave out one square of the first row, as a side effect.
            let is_shorter = put < all
                && !matches!(method.facts().branching, Some(Branching::Bound1 | Branching::Bound2));
            let signs = ["searches only half of the first row", "skips most boards"];
            let said = signs.map(|sign| english.contains(sign));
            assert_eq!(said.contains(&true), is_shorter, "{method}: {english}");
            assert_eq!(said[0], put * 2 == all, "{method}: {english}");
            assert_eq!(japanese.contains("鏡像"), is_shorter, "{method}: {japanese}");
            let times = ["2, 4 or 8 times", "twice"].map(|times| english.contains(times));
            let classes = method.facts().counts_classes();
            assert_eq!(times, [is_shorter && classes, is_shorter && !classes], "{english}");
        }
        // Both leave out half of the first row. Mirror also halves row 1 below a middle queen.
        for (other, size) in [(Stepped::Mirror, 6), (Stepped::FlagsSymmetryHalf, 7)] {
            let mut race = race([Stepped::Mirror, other], size);
            race.toggle();
            race.run_unlimited(&mut always);
            assert!(!status_sentence(Language::English, &race).contains("first row"), "{other}");
        }
    }

    #[test]
    fn small_boards_end_at_once() {
        for (n, end) in [
            (1, "Queens put by both: 1."),
            (2, "14 Symmetry put no queen, 7 Bitmap put 2."),
            (3, "14 Symmetry put no queen, 7 Bitmap put 5."),
        ] {
            let mut race = race([Stepped::Bitmap, Stepped::Symmetry], n);
            race.toggle();
            race.run_unlimited(&mut always);
            assert!(race.is_over());
            assert_eq!(status_sentence(Language::English, &race), end);
            assert!(!status_sentence(Language::Japanese, &race).is_empty());
        }
    }
}
