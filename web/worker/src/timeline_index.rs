//! The job that indexes a search for its map: its length, and the picture of the whole search.

use queens_core::{Size, Stepped, Tracer};

use crate::{
    icicle::{Icicle, IcicleBuilder},
    jobs::Job,
    protocol::Answer,
};

/// Runs ahead through a whole search and draws it.
pub struct TimelineIndex {
    tracer: Tracer,
    icicle: IcicleBuilder,
    /// The step at which the index stops.
    limit: u64,
    /// The last picture that was reported.
    reported: Icicle,
}

impl TimelineIndex {
    /// The largest number of steps that are indexed. The page requests the index by itself, so the job
    /// must not take longer than some seconds.
    const LIMIT: u64 = 1 << 27;

    /// Starts an index of a search.
    pub fn new(method: Stepped, size: Size) -> TimelineIndex {
        let icicle = IcicleBuilder::new(size, IcicleBuilder::LIMIT);
        TimelineIndex {
            tracer: Tracer::new(method, size),
            icicle,
            limit: TimelineIndex::LIMIT,
            reported: Icicle::default(),
        }
    }

    /// Whether the index needs no further steps.
    fn is_finished(&self) -> bool {
        self.tracer.is_done() || self.tracer.steps() >= self.limit
    }

    /// Returns the picture. Until the index is finished, the picture is replaced only when the number
    /// of steps has grown by half, because the page takes milliseconds to draw it.
    fn picture(&mut self) -> Icicle {
        let (steps, drawn) = (self.tracer.steps(), self.reported.steps);
        if self.is_finished() || steps >= drawn + drawn / 2 {
            self.reported = self.icicle.picture(&self.tracer);
        }
        self.reported.clone()
    }
}

impl Job for TimelineIndex {
    fn work(&mut self, steps: u32) -> bool {
        for _ in 0..steps {
            if self.tracer.forward().is_none() {
                return false;
            }
            self.icicle.see(&self.tracer);
        }
        !self.is_finished()
    }

    fn report(&mut self) -> Answer {
        Answer::TimelineIndex {
            steps: self.tracer.steps(),
            beats: self.tracer.beats(),
            has_ended: self.tracer.is_done(),
            icicle: self.picture(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indexes a whole search in slices of `steps` steps.
    fn index_of(n: u32, steps: u32) -> TimelineIndex {
        let mut index = TimelineIndex::new(Stepped::Symmetry, Size::new(n).unwrap());
        while index.work(steps) {}
        index
    }

    #[test]
    fn the_picture_of_a_whole_search_has_all_its_solutions() {
        for (n, solutions) in [(4, 1), (8, 12), (10, 92), (11, 341)] {
            let mut index = index_of(n, 1000);
            let all = [index.tracer.steps(), index.tracer.beats()];
            let Answer::TimelineIndex { steps, beats, has_ended: true, icicle } = index.report()
            else {
                panic!("the search of N = {n} has not ended")
            };
            assert_eq!([steps, beats], all);
            let blocks = icicle.bands.iter().flat_map(|band| &band.blocks);
            assert!(blocks.clone().count() <= IcicleBuilder::LIMIT);
            let first_queens = icicle.bands[0].blocks.iter().map(|block| block.solutions);
            assert_eq!(first_queens.sum::<u32>(), solutions, "N = {n}");
            assert!(blocks.map(|block| block.to).max().is_some_and(|to| to <= steps));
        }
    }

    #[test]
    fn the_last_picture_reaches_to_the_limit() {
        let mut index = TimelineIndex::new(Stepped::Symmetry, Size::new(12).unwrap());
        index.limit = 7000;
        let mut drawn = vec![];
        let mut more = true;
        while more {
            more = index.work(1000);
            let Answer::TimelineIndex { steps, has_ended: false, icicle, .. } = index.report()
            else {
                panic!("the search has ended")
            };
            assert!(!icicle.is_whole && icicle.bands[0].blocks.last().unwrap().to == icicle.steps);
            drawn.push((steps, icicle.steps));
        }
        let pictures = [1000, 2000, 3000, 3000, 5000, 5000, 7000];
        assert_eq!(drawn, (1..=7).map(|i| i * 1000).zip(pictures).collect::<Vec<_>>());
    }

    #[test]
    fn works_at_most_the_requested_steps() {
        let mut index = TimelineIndex::new(Stepped::Symmetry, Size::new(14).unwrap());
        assert!(index.work(4096));
        assert!(matches!(
            index.report(),
            Answer::TimelineIndex { steps: 4096, has_ended: false, .. }
        ));
    }
}
