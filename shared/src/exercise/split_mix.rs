//! Deterministic random numbers (SplitMix64) and a hash (FNV-1a), the same on every machine.

/// The SplitMix64 generator (Steele, Lea, Flood: *Fast splittable pseudorandom number generators*,
/// 2014).
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Creates the generator of a seed.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number below `end`, or 0 if `end` is 0. The slight bias of the remainder does not
    /// matter here.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % (end.max(1) as u64)) as usize
    }

    /// Returns a random item; `None` if `all` is empty.
    pub fn pick<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        all.get(self.below(all.len())).cloned()
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for end in (1..all.len()).rev() {
            all.swap(end, self.below(end + 1));
        }
    }
}

/// Returns the 64-bit FNV-1a hash of a text (Fowler, Noll, Vo).
pub const fn fnv1a(text: &str) -> u64 {
    let (mut hash, mut bytes) = (0xcbf2_9ce4_8422_2325_u64, text.as_bytes());
    while let [byte, rest @ ..] = bytes {
        hash = (hash ^ *byte as u64).wrapping_mul(0x0100_0000_01b3);
        bytes = rest;
    }
    hash
}
