//! The solutions of a search that is over.

use queens_core::{Placement, Timeline, Tracer};

use super::goal::SLICE;

/// The solutions of a search, in the order in which it found them. They are not recorded while it runs, because a jump
/// passes millions of steps: at its end, another search finds them again.
#[derive(Clone, Debug, Default)]
pub(super) struct Solutions {
    found: Vec<Placement>,
    search: Option<Tracer>,
}

impl Solutions {
    /// The largest board whose solutions are found again. It has 92 of them.
    const LARGEST: u32 = 8;

    /// The solutions so far.
    pub(super) fn found(&self) -> &[Placement] {
        &self.found
    }

    /// Whether the search is over, and solutions are missing.
    pub(super) fn is_incomplete(&self, timeline: &Timeline) -> bool {
        let search = timeline.tracer();
        let found = self.found.len() as u64;
        search.is_done()
            && search.view().size.get() <= Solutions::LARGEST
            && found < search.work().tally.met()
    }

    /// Looks for missing solutions while `more` returns true, for at least one slice.
    pub(super) fn work(&mut self, timeline: &Timeline, more: &mut dyn FnMut() -> bool) {
        while self.is_incomplete(timeline) {
            let of = timeline.tracer();
            let search =
                self.search.get_or_insert_with(|| Tracer::new(of.method(), of.view().size));
            for _ in 0..SLICE {
                let met = search.work().tally.met();
                if search.forward().is_none() {
                    break;
                }
                if search.work().tally.met() > met {
                    self.found.extend(search.view().placement());
                }
            }
            if !more() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use queens_core::{Seek, Size, Stepped};

    use super::*;

    #[test]
    fn a_search_that_is_over_has_its_solutions() {
        for &method in Stepped::ALL {
            let mut timeline = Timeline::new(method, Size::new(6).unwrap());
            let mut expected = vec![];
            while timeline.seek_next(|search| search.work().tally.met(), u64::MAX) == Seek::Found {
                expected.push(timeline.view().placement().unwrap());
            }
            let mut solutions = Solutions::default();
            timeline.seek(1, u64::MAX);
            assert!(!solutions.is_incomplete(&timeline), "{method}");
            timeline.seek(u64::MAX, u64::MAX);
            // One slice at a time.
            while solutions.is_incomplete(&timeline) {
                solutions.work(&timeline, &mut || false);
            }
            assert_eq!(solutions.found(), expected, "{method}");
            assert!(!expected.is_empty());
        }
    }
}
