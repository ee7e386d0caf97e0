//! The job that indexes a search for the timeline: its length, its solutions, its comparisons, the
//! squares that rules close, and the picture of the whole search.

use queens_core::{Event, Size, Stepped, Tracer};
use queens_state::search::icicle::IcicleBuilder;

use crate::{
    jobs::Job,
    protocol::{Answer, Mark, write_icicle},
};

/// Runs ahead through a whole search and counts events per stretch of steps. When the number of
/// stretches reaches its limit, their length doubles.
pub struct TimelineIndex {
    tracer: Tracer,
    /// The events in each stretch.
    marks: Vec<Mark>,
    /// The number of steps in a stretch.
    stretch: u64,
    icicle: IcicleBuilder,
    /// The step at which the index stops.
    limit: u64,
    /// The last picture that was reported, encoded, and its number of steps.
    reported: (Vec<u8>, u64),
}

impl TimelineIndex {
    /// The largest number of stretches: more than a timeline can show.
    const STRETCHES: usize = 1024;
    /// The largest number of steps that are indexed. The page requests the index by itself, so the job
    /// must not take longer than some seconds.
    const LIMIT: u64 = 1 << 27;

    /// Starts an index of a search.
    pub fn new(method: Stepped, size: Size) -> TimelineIndex {
        let icicle = IcicleBuilder::new(size, IcicleBuilder::LIMIT);
        TimelineIndex {
            tracer: Tracer::new(method, size),
            marks: vec![],
            stretch: 1,
            icicle,
            limit: TimelineIndex::LIMIT,
            reported: (vec![], 0),
        }
    }

    /// Counts the event of the last step.
    fn count_event(&mut self, event: Event) {
        let mark = match event {
            Event::Solution { .. } => Mark { solutions: 1, ..Mark::default() },
            Event::Cut { squares, .. } => Mark { cut: squares.len(), ..Mark::default() },
            Event::Compare { .. } => Mark { comparisons: 1, ..Mark::default() },
            _ => Mark::default(),
        };
        let step = self.tracer.steps() - 1;
        if step / self.stretch >= TimelineIndex::STRETCHES as u64 {
            self.stretch *= 2;
            let pairs = self.marks.chunks(2);
            self.marks =
                pairs.map(|pair| pair.iter().copied().fold(Mark::default(), Mark::plus)).collect();
        }
        let index = (step / self.stretch) as usize;
        if index >= self.marks.len() {
            self.marks.resize(index + 1, Mark::default());
        }
        if let Some(entry) = self.marks.get_mut(index) {
            *entry = entry.plus(mark);
        }
    }
}

impl TimelineIndex {
    /// Whether the index needs no further steps.
    fn is_finished(&self) -> bool {
        self.tracer.is_done() || self.tracer.steps() >= self.limit
    }

    /// Returns the picture. Until the index is finished, the picture is replaced only when the number
    /// of steps has grown by half, because the page takes milliseconds to draw it.
    fn picture(&mut self) -> Vec<u8> {
        let (steps, is_finished) = (self.tracer.steps(), self.is_finished());
        let (picture, drawn) = &mut self.reported;
        if is_finished || steps >= *drawn + *drawn / 2 {
            (*picture, *drawn) = (write_icicle(&self.icicle.picture(&self.tracer)), steps);
        }
        picture.clone()
    }
}

impl Job for TimelineIndex {
    fn work(&mut self, steps: u32) -> bool {
        for _ in 0..steps {
            match self.tracer.forward() {
                Some(step) => {
                    self.icicle.see(&self.tracer);
                    self.count_event(step);
                }
                None => return false,
            }
        }
        !self.is_finished()
    }

    fn report(&mut self) -> Answer {
        Answer::TimelineIndex {
            marks: self.marks.clone(),
            stretch: self.stretch,
            steps: self.tracer.steps(),
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
    fn longer_stretches_keep_all_counts() {
        for (n, solutions) in [(4, 1), (8, 12), (10, 92), (11, 341)] {
            let mut index = index_of(n, 1000);
            let cuts = index.tracer.work().cut.iter().sum::<u64>();
            let comparisons = index.tracer.work().comparisons;
            let all = index.tracer.steps();
            let Answer::TimelineIndex { marks, stretch, steps, has_ended: true, icicle } =
                index.report()
            else {
                panic!("the search of N = {n} has not ended")
            };
            assert!(marks.len() <= TimelineIndex::STRETCHES && stretch.is_power_of_two());
            assert_eq!(marks.iter().map(|mark| mark.solutions).sum::<u32>(), solutions, "N = {n}");
            assert_eq!(marks.iter().map(|mark| u64::from(mark.cut)).sum::<u64>(), cuts, "N = {n}");
            let compared = marks.iter().map(|mark| u64::from(mark.comparisons)).sum::<u64>();
            assert_eq!(compared, comparisons, "N = {n}");
            assert_eq!(steps, all);
            let icicle = crate::read_icicle(&icicle);
            let blocks = icicle.bands.iter().flat_map(|band| &band.blocks);
            assert!(blocks.clone().count() <= IcicleBuilder::LIMIT);
            let first_queens = icicle.bands[0].blocks.iter().map(|block| block.solutions);
            assert_eq!(first_queens.sum::<u32>(), solutions, "N = {n}");
            assert!(blocks.map(|block| block.to).max().is_some_and(|to| to <= all));
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
            let icicle = crate::read_icicle(&icicle);
            assert!(!icicle.is_whole && icicle.bands[0].blocks.last().unwrap().to == icicle.steps);
            drawn.push((steps, icicle.steps));
        }
        let pictures = [1000, 2000, 3000, 3000, 5000, 5000, 7000];
        assert_eq!(drawn, (1..=7).map(|i| i * 1000).zip(pictures).collect::<Vec<_>>());
    }

    #[test]
    fn every_solution_is_in_its_stretch() {
        let index = index_of(8, 7);
        let mut tracer = Tracer::new(Stepped::Symmetry, Size::new(8).unwrap());
        while let Some(step) = tracer.forward() {
            if let Event::Solution { .. } = step {
                let place = ((tracer.steps() - 1) / index.stretch) as usize;
                assert!(index.marks[place].solutions > 0);
            }
        }
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
