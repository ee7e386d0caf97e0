use queens_core::{Node, Rule};

use super::*;
use crate::search::name::Name;
use crate::search::summary::summary;
use crate::words::Language;

fn size(n: u32) -> Size {
    Size::new(n).unwrap()
}

/// A time limit that is never reached.
fn always() -> bool {
    true
}

fn after(state: &mut ExploreState, action: Action) -> Snapshot {
    state.apply(action);
    state.work(&mut always);
    *state.snapshot()
}

#[test]
fn stepping_back_shows_the_same_states() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(8));
    let mut pictures = vec![*state.snapshot()];
    for _ in 0..200 {
        pictures.push(after(&mut state, Action::MoveBy(1)));
    }
    for picture in pictures.iter().rev().skip(1) {
        assert_eq!(after(&mut state, Action::MoveBy(-1)), *picture);
    }
    assert_eq!(after(&mut state, Action::MoveBy(-10)).step, 0);
}

#[test]
fn finds_solutions_in_both_directions() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(8));
    let first = after(&mut state, Action::Next(Jump::Solution));
    let second = after(&mut state, Action::Next(Jump::Solution));
    assert!(second.view.placement().is_some());
    assert_eq!(after(&mut state, Action::Previous(Jump::Solution)), first);
    assert_eq!(after(&mut state, Action::Previous(Jump::Solution)), first);
    assert_eq!(state.notice(), Some(Notice::NoEarlier(Jump::Solution)));
    for _ in 0..11 {
        after(&mut state, Action::Next(Jump::Solution));
        assert_eq!(state.notice(), None);
    }
    after(&mut state, Action::Next(Jump::Solution));
    assert_eq!(state.notice(), Some(Notice::NoMore(Jump::Solution)));
    assert!(state.is_done());
}

#[test]
fn finds_dead_ends_in_both_directions() {
    let mut state = ExploreState::new(Stepped::Backtracking, size(8));
    let mut found = vec![];
    for _ in 0..4 {
        found.push(after(&mut state, Action::Next(Jump::DeadEnd)));
        assert_eq!(state.timeline.tracer().beat(), Some(Beat::DeadEnd));
        assert_eq!(state.timeline.tracer().dead_ends(), found.len() as u64);
    }
    assert_eq!(found[0].step, 52);
    for dead_end in found.iter().rev().skip(1) {
        assert_eq!(after(&mut state, Action::Previous(Jump::DeadEnd)), *dead_end);
        assert_eq!(state.notice(), None);
    }
    after(&mut state, Action::Previous(Jump::DeadEnd));
    assert_eq!(state.notice(), Some(Notice::NoEarlier(Jump::DeadEnd)));
    // Brute force tests only full boards.
    let mut state = ExploreState::new(Stepped::BruteForce, size(4));
    after(&mut state, Action::Next(Jump::DeadEnd));
    assert_eq!(state.notice(), Some(Notice::NoMore(Jump::DeadEnd)));
    assert!(state.is_done());
}

#[test]
fn finds_closed_squares_and_comparisons_in_both_directions() {
    for (jump, is_found) in [
        (Jump::Rule, (|event| matches!(event, Event::Cut { .. })) as fn(Event) -> bool),
        (Jump::SideMask, |event| {
            matches!(event, Event::Cut { rule: Rule::UpperSide | Rule::LowerSide, .. })
        }),
        (Jump::LastMask, |event| matches!(event, Event::Cut { rule: Rule::LastRow, .. })),
        (Jump::Comparison, |event| matches!(event, Event::Compare { .. })),
    ] {
        let mut state = ExploreState::new(Stepped::Symmetry, size(8));
        let first = after(&mut state, Action::Next(jump));
        assert!(state.timeline.last().is_some_and(is_found), "{jump:?}");
        assert_ne!(after(&mut state, Action::Next(jump)), first, "{jump:?}");
        assert_eq!(after(&mut state, Action::Previous(jump)), first, "{jump:?}");
    }
}

/// Returns a search with backtracking on eight rows that plays at its first speed.
fn playing() -> ExploreState {
    let mut state = ExploreState::new(Stepped::Backtracking, size(8));
    state.apply(Action::TogglePlay);
    state
}

/// Plays until the next beat is on the screen. Returns its step, the time in milliseconds, and the
/// steps on the screen before it.
fn next_beat(state: &mut ExploreState) -> (u64, f64, Vec<u64>) {
    let beats = state.timeline.tracer().beats();
    let (mut time, mut steps) = (0.0, vec![]);
    while state.timeline.tracer().beats() == beats && state.is_playing() {
        steps.push(state.snapshot().step);
        state.frame(10.0, &mut always);
        time += 10.0;
    }
    steps.dedup();
    (state.snapshot().step, time, steps)
}

#[test]
fn steps_by_moves_in_both_directions() {
    let mut state = ExploreState::new(Stepped::Backtracking, size(8));
    let mut beats = vec![*state.snapshot()];
    let mut seen = vec![];
    for _ in 0..6 {
        beats.push(after(&mut state, Action::Next(Jump::Beat)));
        seen.extend(state.timeline.tracer().beat());
    }
    use Beat::{DeadEnd, Place};
    assert_eq!(seen, [Place, Place, Place, Place, Place, DeadEnd]);
    assert_eq!(beats[6].step, 52);
    for beat in beats.iter().rev().skip(1) {
        assert_eq!(after(&mut state, Action::Previous(Jump::Beat)), *beat);
        assert_eq!(state.notice(), None);
    }
    assert_eq!(state.snapshot().step, 0);
    // From the end, it goes back to the start.
    assert!(after(&mut state, Action::Next(Jump::End)).event == Some(Event::Done));
    assert_eq!(after(&mut state, Action::Previous(Jump::End)).step, 0);
    // Between two beats, single steps are possible, too.
    assert_eq!(after(&mut state, Action::MoveBy(1)).step, 1);
    assert_eq!(after(&mut state, Action::Previous(Jump::Beat)).step, 0);
}

#[test]
fn playback_makes_a_move_every_half_second() {
    let mut state = playing();
    assert_eq!(state.pace().rate(), 2.0);
    state.playback.held = Playback::SLOW_DEAD_ENDS;
    let (first, time, _) = next_beat(&mut state);
    assert!(first == 3 && (240.0..=260.0).contains(&time), "the first beat comes at once: {time}");
    for _ in 0..3 {
        let expected = after(&mut state.clone(), Action::Next(Jump::Beat)).step;
        let (step, time, steps) = next_beat(&mut state);
        assert!((490.0..=510.0).contains(&time), "{time}");
        assert_eq!(*state.snapshot(), after(&mut state.clone(), Action::MoveTo(step)));
        assert_eq!((step, steps.len()), (expected, 1), "only beats are shown");
    }
    // At the slowest pace, no step of a beat is left out.
    state.apply(Action::Pace(Pace::Read));
    let (step, time, steps) = next_beat(&mut state);
    assert!((1990.0..=2010.0).contains(&time), "{time}");
    assert_eq!(steps, (steps[0]..step).collect::<Vec<_>>());
    assert!(steps.len() > 2, "{steps:?}");
}

/// A first visit sees its first dead end after three seconds. Each of the first three dead ends stays for two more
/// seconds. The first solution follows after forty seconds at most.
#[test]
fn a_first_play_holds_its_first_dead_ends_and_reaches_a_solution_soon() {
    let mut state = playing();
    let (mut total, mut dead_ends) = (0.0, Vec::<(u64, f64, f64)>::new());
    let mut quick = false;
    while state.is_playing() {
        if state.snapshot().beat == Some(Beat::DeadEnd) && !state.is_summarized() {
            let step = state.snapshot().step;
            if dead_ends.last().is_none_or(|&(last, ..)| last != step) {
                dead_ends.push((step, total, 0.0));
            }
            if let Some((.., held)) = dead_ends.last_mut() {
                *held += 10.0;
            }
        }
        let text = summary(Language::English, &state, state.snapshot());
        assert_eq!(text.starts_with("Faster now."), state.is_summarized(), "{text}");
        quick |= state.is_summarized();
        state.frame(10.0, &mut always);
        total += 10.0;
    }
    let (step, time, _) = dead_ends[0];
    assert!(step == 52 && time <= 3000.0, "{step} {time}");
    assert_eq!(dead_ends.len(), 3);
    for (step, _, held) in dead_ends {
        assert!(
            (2400.0..=2600.0).contains(&held),
            "two seconds and the time of a beat: {step} {held}"
        );
    }
    assert_eq!(state.snapshot().step, 1971);
    assert!(quick && total <= 40_000.0, "{total}");
    // The next play begins slowly again, and holds nothing.
    state.apply(Action::Target(Jump::DeadEnd));
    state.apply(Action::TogglePlay);
    assert_eq!(state.pace(), Pace::Watch);
    while state.is_playing() {
        assert!(next_beat(&mut state).1 < 600.0);
    }
    // A chosen pace stays.
    let mut state = playing();
    state.apply(Action::Pace(Pace::Watch));
    while state.is_playing() {
        assert_eq!(state.pace(), Pace::Watch);
        state.frame(100.0, &mut always);
    }
}

/// Plays a search to its end, once at each pace. Returns the steps at which it stopped, which must be the
/// same at every pace.
fn stops(method: Stepped, target: Jump) -> Vec<u64> {
    let all = Pace::ALL.map(|pace| {
        let frame = if pace.is_summarized() { 16.0 } else { 500.0 };
        let mut state = ExploreState::new(method, size(8));
        state.playback.held = Playback::SLOW_DEAD_ENDS;
        state.apply(Action::Pace(pace));
        state.apply(Action::Target(target));
        let mut steps = vec![];
        while !state.is_done() {
            state.apply(Action::TogglePlay);
            while state.is_playing() {
                state.frame(frame, &mut always);
            }
            let shown = *state.snapshot();
            let expected = after(&mut state.clone(), Action::MoveTo(shown.step));
            assert_eq!(shown, expected, "a stop shows what a jump to its step shows");
            steps.push(shown.step);
        }
        steps
    });
    assert!(
        all.iter().all(|steps| *steps == all[0]),
        "every pace stops at the same steps: {all:?}"
    );
    all[0].clone()
}

#[test]
fn playing_stops_at_each_step_to_which_the_target_leads() {
    let method = Stepped::Symmetry;
    for target in Jump::targets(method.facts()) {
        let mut state = ExploreState::new(method, size(8));
        let mut steps = vec![];
        while !state.is_done() {
            steps.push(after(&mut state, Action::Next(target)).step);
        }
        assert!(steps.len() > 1 || target == Jump::End, "{target:?}: {steps:?}");
        assert_eq!(stops(method, target), steps, "{target:?}");
    }
}

/// The choice comes back with a method that has such steps.
#[test]
fn a_target_that_the_method_lacks_is_a_solution() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(6));
    state.apply(Action::Target(Jump::Rule));
    state.restart(Stepped::Backtracking, size(6));
    assert_eq!(state.target(), Jump::Solution);
    state.restart(Stepped::Mirror, size(6));
    assert_eq!(state.target(), Jump::Rule);
}

#[test]
fn paces_have_an_order_and_two_ends() {
    let mut state = playing();
    for pace in [Pace::Read, Pace::Read] {
        state.apply(Action::Slower);
        assert_eq!((state.pace(), state.is_summarized()), (pace, false));
    }
    for pace in [Pace::Watch, Pace::Fast, Pace::Rapid, Pace::Instant, Pace::Instant] {
        state.apply(Action::Faster);
        assert_eq!((state.pace(), state.is_summarized()), (pace, pace > Pace::Watch));
    }
    state.apply(Action::TogglePlay);
    assert!(!state.is_summarized(), "a paused search shows the sentence of its step");
    let rates = Pace::ALL.map(Pace::rate);
    assert!(
        rates.is_sorted() && Pace::ALL.map(|pace| pace.faster().slower())[..4] == Pace::ALL[..4]
    );
}

#[test]
fn the_next_move_of_the_search_ends_the_selection_of_a_square() {
    let square = Square::from_left(size(8), 2, 3).ok();
    let selected = || {
        let mut state = ExploreState::new(Stepped::Symmetry, size(8));
        after(&mut state, Action::MoveTo(20));
        state.apply(Action::Pin(square));
        state
    };
    let same_step = [Action::Point(Some(Name::Bound1)), Action::Slower, Action::Explain(None)];
    for action in same_step {
        let mut state = selected();
        after(&mut state, action);
        assert_eq!((state.selected_square(), state.is_pinned()), (square, true), "{action:?}");
    }
    for action in [
        Action::MoveBy(1),
        Action::MoveBy(-1),
        Action::Next(Jump::Beat),
        Action::MoveTo(0),
        Action::TogglePlay,
    ] {
        let mut state = selected();
        state.apply(action);
        state.frame(600.0, &mut always);
        assert_ne!(state.snapshot().step, 20);
        assert_eq!((state.selected_square(), state.is_pinned()), (None, false), "{action:?}");
    }
    // The square below the pointer stays explained.
    let mut state = ExploreState::new(Stepped::Symmetry, size(8));
    state.apply(Action::Explain(square));
    after(&mut state, Action::MoveBy(1));
    assert_eq!(state.selected_square(), square);
    // A selection ends the playing.
    state.apply(Action::TogglePlay);
    assert!(state.is_playing());
    state.apply(Action::Pin(square));
    assert!(!state.is_playing());
}

#[test]
fn playback_keeps_its_rate_and_stops_at_the_end() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(8));
    after(&mut state, Action::Next(Jump::Solution));
    let beats = state.timeline.tracer().beats();
    state.apply(Action::Target(Jump::End));
    state.apply(Action::Pace(Pace::Fast));
    state.apply(Action::TogglePlay);
    for _ in 0..50 {
        state.frame(50.0, &mut always);
    }
    assert_eq!(state.timeline.tracer().beats(), beats + 50);
    state.apply(Action::Pace(Pace::Instant));
    assert!(state.is_playing());
    state.frame(10_000.0, &mut always);
    assert!(!state.is_playing() && state.is_done());
    assert_eq!(state.snapshot().event, Some(Event::Done));
    state.apply(Action::TogglePlay);
    assert!(state.is_playing(), "it begins again");
    state.frame(0.0, &mut always);
    assert_eq!(state.snapshot().step, 0);
    state.frame(1.0, &mut always);
    assert!(state.snapshot().step > 0);
}

#[test]
fn a_frame_without_time_does_little_and_adds_no_backlog() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(14));
    after(&mut state, Action::Next(Jump::Solution));
    let before = state.snapshot().step;
    state.apply(Action::Target(Jump::End));
    state.apply(Action::Pace(Pace::Instant));
    state.apply(Action::TogglePlay);
    state.frame(10_000.0, &mut || false);
    let there = state.snapshot().step;
    assert!((SLICE..SLICE + 20).contains(&(there - before)), "{}", there - before);
    state.frame(0.0, &mut always);
    assert_eq!(state.snapshot().step, there);
}

/// After a jump to a comparison and the next move, the way back led past the comparison.
#[test]
fn moves_lead_to_comparisons_in_both_directions() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(8));
    let mut steps = vec![after(&mut state, Action::Next(Jump::Comparison))];
    while steps.len() < 40 {
        steps.push(after(&mut state, Action::Next(Jump::Beat)));
    }
    let is_kept =
        |now: &Snapshot| matches!(now.event, Some(Event::Compare { .. })) && now.beat.is_none();
    assert!(steps.iter().any(is_kept));
    for step in steps.iter().rev().skip(1) {
        assert_eq!(after(&mut state, Action::Previous(Jump::Beat)), *step);
    }
}

/// The number next to the map counts what the forward key does, except that a comparison belongs to the move that
/// it leads to.
#[test]
fn the_forward_key_adds_one_move() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(8));
    for moves in 1..=200 {
        assert_eq!(after(&mut state, Action::Next(Jump::Beat)).moves, moves);
    }
    assert_eq!(after(&mut state, Action::Previous(Jump::Beat)).moves, 199);
    assert_eq!(state.all_moves(), None);
    let end = after(&mut state, Action::Next(Jump::End)).moves;
    assert_eq!(state.all_moves(), Some(end));
}

#[test]
fn long_jumps_take_several_frames_and_can_be_stopped() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(14));
    state.apply(Action::MoveTo(100_000));
    state.work(&mut || false);
    assert_eq!((state.goal, state.timeline.step()), (Some(Goal::Step(100_000)), SLICE));
    assert_eq!(state.jump_in_progress(), Some(state.timeline.tracer().beats()));
    assert_eq!(state.snapshot().step, 0, "the board changes only on arrival");
    state.frame(16.0, &mut || false);
    assert_eq!((state.goal, state.timeline.step()), (Some(Goal::Step(100_000)), 2 * SLICE));
    state.apply(Action::Stop);
    assert_eq!((state.jump_in_progress(), state.snapshot().step), (None, 2 * SLICE + 1));
    let before = state.snapshot().before;
    assert_eq!(before, after(&mut state, Action::MoveBy(-1)).view);
    assert_eq!(after(&mut state, Action::MoveTo(100_000)).step, 100_000);
}

#[test]
fn jumps_back_to_a_solution_take_several_frames_and_can_be_stopped() {
    let mut state = ExploreState::new(Stepped::BruteForce, size(8));
    let first = after(&mut state, Action::Next(Jump::Solution));
    let far = after(&mut state, Action::MoveBy(2_000_000));
    let second = after(&mut state, Action::Previous(Jump::Solution));
    assert!(second.step > first.step && second.step < far.step);
    after(&mut state, Action::MoveTo(far.step));
    state.apply(Action::Previous(Jump::Solution));
    let mut frames = 0;
    while let Some(goal) = state.goal {
        assert!(matches!(goal, Goal::Previous(Jump::Solution, _) | Goal::Step(_)));
        assert_eq!(*state.snapshot(), far, "the board changes only on arrival");
        state.frame(16.0, &mut || false);
        frames += 1;
    }
    assert!(frames > 1);
    assert_eq!(*state.snapshot(), second);
    state.apply(Action::Previous(Jump::Solution));
    state.work(&mut || false);
    state.apply(Action::Stop);
    assert_eq!((state.jump_in_progress(), state.is_busy()), (None, false));
}

#[test]
fn jumps_to_nodes_of_the_tree() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(8));
    let ahead = Node::root(size(8)).below(2).below(4);
    let there = after(&mut state, Action::ToNode(ahead));
    assert_eq!(there.event, Some(Event::Place { row: 1, square: queens_core::RowBits::of(4) }));
    assert_eq!(Node::of(&there.view), ahead);
    assert_eq!(there.before, after(&mut state, Action::MoveBy(-1)).view);
    let corner = Node::root(size(8)).below(0);
    assert_eq!(after(&mut state, Action::ToNode(corner)).step, 2);
    assert_eq!(after(&mut state, Action::ToNode(ahead)), there);
    // The search skips the left half of the first row.
    after(&mut state, Action::ToNode(Node::root(size(8)).below(6)));
    assert_eq!(state.notice(), Some(Notice::NoSuchNode));
}

#[test]
fn reports_a_step_beyond_the_end() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(4));
    let end = after(&mut state, Action::MoveTo(1_000_000));
    assert_eq!(end.event, Some(Event::Done));
    assert_eq!(state.notice(), Some(Notice::BeyondTheEnd(1_000_000)));
    assert_eq!(state.end(), Some(end.step));
}

#[test]
fn the_timeline_grows_until_the_end_is_known() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(8));
    assert_eq!((state.end(), state.extent()), (None, 100));
    let found = |steps, has_ended| TimelineIndex { steps, has_ended, ..TimelineIndex::default() };
    state.set_index(found(700, false));
    assert_eq!((state.end(), state.extent()), (None, 700));
    after(&mut state, Action::MoveTo(900));
    assert_eq!((state.end(), state.extent()), (None, 900));
    state.set_index(found(2071, true));
    assert_eq!((state.end(), state.extent()), (Some(2071), 2071));
    state.restart(Stepped::Symmetry, size(9));
    assert_eq!((state.end(), state.extent()), (None, 100));
}

#[test]
fn a_new_search_keeps_the_display_settings() {
    let mut state = ExploreState::new(Stepped::Symmetry, size(8));
    state.apply(Action::Pace(Pace::Fast));
    state.apply(Action::Target(Jump::Rule));
    state.apply(Action::ToggleHex);
    after(&mut state, Action::MoveBy(10));
    state.restart(Stepped::Symmetry, size(9));
    assert_eq!((state.snapshot().step, state.hex()), (0, true));
    assert_eq!((state.pace(), state.target()), (Pace::Fast, Jump::Rule));
    assert_eq!(state.snapshot().view.size, size(9));
}
