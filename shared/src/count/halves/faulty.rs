//! A SIMD implementation with an injected fault, to test that recounts detect it.

use super::{
    column_set_counter::{ColumnSetCounter, CountColumnSet, HalfContext},
    line::attacked,
    lists::BothHalves,
    portable::Portable,
    vector::{HotLoop, Lanes, SimdIsa, Words},
};
use crate::{Attacks, Method, Plan, Size, draw_excluded, recount_audit_set};

/// The portable instruction set with a fault: one lane of narrow vectors never finds two sets
/// disjoint.
#[derive(Clone, Copy)]
pub(in crate::count) struct Faulty;

const WRONG_LANE: u32 = 5;

impl SimdIsa for Faulty {
    type Wide = Vector<u64>;
    type Narrow = Vector<[u32; 8]>;

    const WORD_VECTORS: usize = Portable::WORD_VECTORS;

    fn run<K: HotLoop<Self>>(self, hot_loop: K) -> K::Output {
        hot_loop.run(self)
    }
}

#[derive(Clone, Copy)]
pub(in crate::count) struct Vector<L>(L);

impl<T, L: Lanes<T, SimdIsa = Portable>> Lanes<T> for Vector<L> {
    type SimdIsa = Faulty;

    const LANES: usize = L::LANES;

    fn splat(_: Faulty, value: T) -> Self {
        Vector(L::splat(Portable, value))
    }

    fn load(_: Faulty, from: &[T]) -> Self {
        Vector(L::load(Portable, from))
    }

    fn disjoint(self, other: Self) -> u32 {
        self.0.disjoint(other.0) & !(1 << WRONG_LANE)
    }

    fn or(self, other: Self) -> Self {
        Vector(self.0.or(other.0))
    }

    fn compress(self, chosen: u32, to: &mut [T]) -> usize {
        self.0.compress(chosen, to)
    }
}

impl<L: Words<SimdIsa = Portable>> Words for Vector<L> {
    type Counters = L::Counters;

    const MAX_COUNTED_WORDS: usize = L::MAX_COUNTED_WORDS;

    fn zero(_: Faulty) -> L::Counters {
        L::zero(Portable)
    }

    fn xor(self, other: Self) -> Self {
        Vector(self.0.xor(other.0))
    }

    fn and(self, other: Self) -> Self {
        Vector(self.0.and(other.0))
    }

    fn shift_left<const BY: i32>(self) -> Self {
        Vector(self.0.shift_left::<BY>())
    }

    fn shift_right<const BY: i32>(self) -> Self {
        Vector(self.0.shift_right::<BY>())
    }

    fn count<const N: usize>(word: [Self; N], counters: L::Counters) -> L::Counters {
        L::count(word.map(|Vector(lanes)| lanes), counters)
    }

    fn sum(counters: L::Counters) -> u64 {
        L::sum(counters)
    }
}

#[test]
fn partial_recount_detects_a_faulty_simd_lane() {
    let size = Size::new(14).unwrap();
    let plan = Plan::new(size, Method::Halves);
    let half = HalfContext { size, strips: &BothHalves::new(size) };
    let (mut correct, mut faulty) =
        (ColumnSetCounter::new(Portable), ColumnSetCounter::new(Faulty));
    // The number of audit sets with a wrong count: in the whole set, and in a random part of it.
    let (mut in_all, mut in_parts) = (0, 0);
    for task in (0..plan.len()).step_by(17) {
        let Some(sets) = plan.audit_set(task) else { continue };
        let mut dice = (task..).step_by(5);
        let excluded = draw_excluded(size, 3, |below| dice.next().unwrap() % below);
        for (excluded, detected) in [(Attacks::NONE, &mut in_all), (excluded, &mut in_parts)] {
            let expected = recount_audit_set(&plan, task, excluded).unwrap();
            let diagonals = attacked(size, excluded);
            assert_eq!(correct.count(half, &sets, diagonals), expected, "task {task}");
            *detected += usize::from(faulty.count(half, &sets, diagonals) != expected);
        }
    }
    // The fault shows less often in a part of a set than in the whole set.
    assert!(in_parts > 0 && in_all > in_parts, "{in_all} {in_parts}");
}
