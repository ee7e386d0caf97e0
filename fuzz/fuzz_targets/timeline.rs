//! Makes any sequence of jumps in any search. Checks after each jump that the state equals that of a
//! search that advanced to the same step one step at a time, and that the jump has found its target.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use queens_core::{
    BackwardSearch, Event, Node, Rule, Seek, Size, Stepped, Timeline, Tracer, View, Work,
};
use queens_fuzz::small;

#[derive(Arbitrary, Debug)]
struct Input {
    method: Stepped,
    size: Size,
    jumps: Vec<(Jump, Budget)>,
}

#[derive(Arbitrary, Debug)]
enum Jump {
    Forward,
    /// To a step: the number of the `Budget`, multiplied by this factor.
    To(u16, Budget),
    Next(Counted),
    Previous(Counted),
    /// To a node of the tree, given by its columns.
    Node(Vec<u8>),
}

/// A number of steps.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Budget {
    Few(u8),
    Many(u16),
    /// `MAX_STEPS` steps.
    All,
}

/// The counter whose next or previous change is the target of a jump.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Counted {
    Solutions,
    Comparisons,
    Rule(u8),
    Placed,
    Beats,
    /// A counter that never changes.
    Never,
}

/// The limit on the total number of steps of an input. It is low enough to repeat the steps for each
/// jump, and high enough that the timeline has to thin out its copies.
const MAX_STEPS: u64 = 40_000;

impl Budget {
    fn steps(self) -> u64 {
        match self {
            Budget::Few(steps) => steps.into(),
            Budget::Many(steps) => steps.into(),
            Budget::All => MAX_STEPS,
        }
    }
}

impl Counted {
    fn of(self, search: &Tracer) -> u64 {
        let work = search.work();
        match self {
            Counted::Solutions => work.tally.met(),
            Counted::Comparisons => work.comparisons,
            Counted::Rule(rule) => work.cut_by(Rule::ALL[usize::from(rule) % Rule::ALL.len()]),
            Counted::Placed => work.placed,
            Counted::Beats => search.beats(),
            Counted::Never => 0,
        }
    }
}

/// The reference: a search that advances step by step, and starts again to go back.
struct Reference {
    method: Stepped,
    size: Size,
    tracer: Tracer,
}

impl Reference {
    fn new(method: Stepped, size: Size) -> Reference {
        Reference { method, size, tracer: Tracer::new(method, size) }
    }

    fn at(&mut self, step: u64) -> &Tracer {
        if self.tracer.steps() > step {
            self.tracer = Tracer::new(self.method, self.size);
        }
        while self.tracer.steps() < step && self.tracer.forward().is_some() {}
        &self.tracer
    }

    /// Returns the value of a counter at a step.
    fn counted(&mut self, counted: Counted, step: u64) -> u64 {
        counted.of(self.at(step))
    }
}

fuzz_target!(|input: Input| {
    let method = input.method;
    let size = small(input.size, 8.min(method.facts().largest));
    let mut timeline = Timeline::new(method, size);
    let mut reference = Reference::new(method, size);
    let mut steps = 0;
    for (jump, budget) in input.jumps {
        let from = timeline.step();
        check_jump(&mut timeline, &mut reference, &jump, budget.steps());
        assert_eq!(
            timeline_state(&timeline),
            tracer_state(reference.at(timeline.step())),
            "{jump:?} from {from}"
        );
        steps += from + timeline.step() + budget.steps();
        if steps > MAX_STEPS || timeline.step() > MAX_STEPS {
            break;
        }
    }
});

fn timeline_state(timeline: &Timeline) -> (u64, Option<Event>, Work, View) {
    (timeline.step(), timeline.last(), *timeline.work(), timeline.view())
}

fn tracer_state(tracer: &Tracer) -> (u64, Option<Event>, Work, View) {
    (tracer.steps(), tracer.last(), *tracer.work(), tracer.view())
}

fn check_jump(timeline: &mut Timeline, reference: &mut Reference, jump: &Jump, budget: u64) {
    let from = timeline.step();
    match jump {
        Jump::Forward => {
            let is_at_the_end = reference.at(from).is_done();
            let step = timeline.forward();
            assert_eq!(step.is_none(), is_at_the_end);
            assert_eq!(timeline.step(), from + u64::from(!is_at_the_end));
        }
        Jump::To(step, unit) => {
            let target = u64::from(*step).saturating_mul(unit.steps().max(1));
            let is_there = timeline.seek(target, budget);
            let is_at_the_end = reference.at(timeline.step()).is_done();
            assert_eq!(is_there, timeline.step() == target || is_at_the_end);
            assert!(timeline.step() <= target);
        }
        Jump::Next(counted) => {
            let found = timeline.seek_next(|search| counted.of(search), budget);
            let (before, here) = (reference.counted(*counted, from), timeline.step());
            match found {
                Seek::Found => {
                    assert_eq!(reference.counted(*counted, here - 1), before);
                    assert!(reference.counted(*counted, here) > before);
                }
                Seek::NoMore => assert!(reference.at(here).is_done()),
                Seek::OutOfBudget => assert_eq!(here, from + budget),
            }
            if found != Seek::Found {
                assert_eq!(reference.counted(*counted, here), before);
            }
        }
        Jump::Previous(counted) => {
            let mut search = BackwardSearch::from(from);
            let found = (0..MAX_STEPS)
                .map(|_| timeline.seek_previous(&mut search, |search| counted.of(search), budget))
                .find(|&found| found != Seek::OutOfBudget || budget == 0);
            let here = timeline.step();
            match found {
                Some(Seek::Found) => {
                    assert!(here < from);
                    let value = reference.counted(*counted, here);
                    assert!(reference.counted(*counted, here - 1) < value);
                    assert_eq!(reference.counted(*counted, from - 1), value);
                }
                Some(Seek::NoMore) => {
                    assert_eq!(reference.counted(*counted, from.saturating_sub(1)), 0);
                }
                _ => assert_eq!(budget, 0),
            }
        }
        Jump::Node(columns) => {
            let root = Node::root(timeline.tracer().view().size);
            let node = columns.iter().fold(root, |node, &column| node.below(column.into()));
            if timeline.seek_node(&node, budget) == Seek::Found {
                assert_eq!(timeline.tracer().node(), node);
                let is_placement = |step: Event| matches!(step, Event::Place { .. });
                assert!(timeline.step() == 0 || timeline.last().is_some_and(is_placement));
            }
        }
    }
}
