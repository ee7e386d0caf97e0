//! The job behind a timeline: indexes the length of a search and its solutions and cuts.

use queens_core::{Event, Size, Stepped, Tracer};

use crate::{
    jobs::Job,
    protocol::{Answer, Mark},
};

/// Runs ahead through a whole search and counts events per stretch of steps. When the number of
/// stretches reaches its limit, their length doubles.
pub struct Survey {
    tracer: Tracer,
    marks: Vec<Mark>,
    stretch: u64,
}

impl Survey {
    /// The largest number of stretches: more than a timeline can show.
    const STRETCHES: usize = 1024;
    /// The step at which the index stops. It runs in the background without a request by the user,
    /// so it may take only some seconds.
    const LIMIT: u64 = 1 << 27;

    /// Starts an index of a search.
    pub fn new(method: Stepped, size: Size) -> Survey {
        Survey { tracer: Tracer::new(method, size), marks: vec![], stretch: 1 }
    }

    /// Adds the event of the last step.
    fn see(&mut self, event: Event) {
        let mark = match event {
            Event::Solution { .. } => Mark { solutions: 1, ..Mark::default() },
            Event::Cut { squares, .. } => Mark { cut: squares.len(), ..Mark::default() },
            Event::Compare { .. } => Mark { comparisons: 1, ..Mark::default() },
            _ => Mark::default(),
        };
        let step = self.tracer.steps() - 1;
        if step / self.stretch >= Survey::STRETCHES as u64 {
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

impl Job for Survey {
    fn work(&mut self, steps: u32) -> bool {
        for _ in 0..steps {
            match self.tracer.forward() {
                Some(step) => self.see(step.event),
                None => return false,
            }
        }
        !self.tracer.is_done() && self.tracer.steps() < Survey::LIMIT
    }

    fn report(&mut self) -> Answer {
        Answer::Survey {
            marks: self.marks.clone(),
            stretch: self.stretch,
            steps: self.tracer.steps(),
            ended: self.tracer.is_done(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indexes a whole search in slices of `steps` steps.
    fn surveyed(n: u32, steps: u32) -> Survey {
        let mut survey = Survey::new(Stepped::Symmetry, Size::new(n).unwrap());
        while survey.work(steps) {}
        survey
    }

    #[test]
    fn nothing_is_lost_as_the_stretches_grow() {
        for (n, solutions) in [(4, 1), (8, 12), (10, 92), (11, 341)] {
            let mut survey = surveyed(n, 1000);
            let cuts = survey.tracer.work().cut.iter().sum::<u64>();
            let comparisons = survey.tracer.work().comparisons;
            let all = survey.tracer.steps();
            let Answer::Survey { marks, stretch, steps, ended: true } = survey.report() else {
                panic!("N = {n} has an end")
            };
            assert!(marks.len() <= Survey::STRETCHES && stretch.is_power_of_two());
            assert_eq!(marks.iter().map(|mark| mark.solutions).sum::<u32>(), solutions, "N = {n}");
            assert_eq!(marks.iter().map(|mark| u64::from(mark.cut)).sum::<u64>(), cuts, "N = {n}");
            let compared = marks.iter().map(|mark| u64::from(mark.comparisons)).sum::<u64>();
            assert_eq!(compared, comparisons, "N = {n}");
            assert_eq!(steps, all);
        }
    }

    #[test]
    fn every_solution_lies_in_its_stretch() {
        let survey = surveyed(8, 7);
        let mut tracer = Tracer::new(Stepped::Symmetry, Size::new(8).unwrap());
        while let Some(step) = tracer.forward() {
            if let Event::Solution { .. } = step.event {
                let index = ((tracer.steps() - 1) / survey.stretch) as usize;
                assert!(survey.marks[index].solutions > 0);
            }
        }
    }

    #[test]
    fn it_does_as_much_as_it_is_asked() {
        let mut survey = Survey::new(Stepped::Symmetry, Size::new(14).unwrap());
        assert!(survey.work(4096));
        assert!(matches!(survey.report(), Answer::Survey { steps: 4096, ended: false, .. }));
    }
}
