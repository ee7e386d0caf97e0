//! Where solutions and cuts lie along the timeline.

use queens_core::{Event, Method, Size, Tracer};

/// What happened in a stretch of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Solutions.
    pub solutions: u32,
    /// Squares closed by a rule.
    pub cut: u32,
}

impl Mark {
    fn add(&mut self, other: Mark) {
        self.solutions = self.solutions.saturating_add(other.solutions);
        self.cut = self.cut.saturating_add(other.cut);
    }
}

/// A run ahead through the whole search, as far as that is short, to know its length and to
/// mark the timeline. It keeps a fixed number of stretches and doubles their length as it goes.
#[derive(Clone, Debug)]
pub struct Survey {
    tracer: Tracer,
    marks: Vec<Mark>,
    stretch: u64,
}

impl Survey {
    /// The largest number of stretches: more than a timeline has room for.
    pub const STRETCHES: usize = 1024;
    /// Where it gives up: some seconds of single frames' spare time.
    pub const LIMIT: u64 = 20_000_000;
    const SLICE: u64 = 4096;

    /// A survey that has seen nothing yet.
    pub fn new(method: Method, size: Size) -> Survey {
        Survey { tracer: Tracer::new(method, size), marks: Vec::new(), stretch: 1 }
    }

    /// Goes on while there is `more` time.
    pub fn work(&mut self, more: &mut dyn FnMut() -> bool) {
        while self.is_busy() {
            for _ in 0..Survey::SLICE {
                let Some(step) = self.tracer.forward() else { return };
                self.see(step.event);
            }
            if !more() {
                return;
            }
        }
    }

    /// Marks the event of the step just done.
    fn see(&mut self, event: Event) {
        let mark = match event {
            Event::Solution { .. } => Mark { solutions: 1, cut: 0 },
            Event::Cut { squares, .. } => Mark { solutions: 0, cut: squares.len() },
            _ => Mark::default(),
        };
        let step = self.tracer.steps() - 1;
        if step / self.stretch >= Survey::STRETCHES as u64 {
            self.stretch *= 2;
            self.marks = self
                .marks
                .chunks(2)
                .map(|pair| {
                    let mut sum = Mark::default();
                    pair.iter().for_each(|&mark| sum.add(mark));
                    sum
                })
                .collect();
        }
        let index = (step / self.stretch) as usize;
        if index >= self.marks.len() {
            self.marks.resize(index + 1, Mark::default());
        }
        if let Some(entry) = self.marks.get_mut(index) {
            entry.add(mark);
        }
    }

    /// Whether it has more to do.
    pub fn is_busy(&self) -> bool {
        !self.tracer.is_done() && self.tracer.steps() < Survey::LIMIT
    }

    /// The number of steps of the whole search, once it has come to the end.
    pub fn end(&self) -> Option<u64> {
        self.tracer.is_done().then(|| self.tracer.steps())
    }

    /// The step that it has reached.
    pub fn reached(&self) -> u64 {
        self.tracer.steps()
    }

    /// The marks by stretch, and the number of steps in each.
    pub fn marks(&self) -> (&[Mark], u64) {
        (&self.marks, self.stretch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surveyed(n: u32) -> Survey {
        let mut survey = Survey::new(Method::Symmetry, Size::new(n).unwrap());
        survey.work(&mut || true);
        survey
    }

    #[test]
    fn nothing_is_lost_as_the_stretches_grow() {
        for (n, solutions) in [(4, 1), (8, 12), (10, 92), (11, 341)] {
            let survey = surveyed(n);
            let (marks, stretch) = survey.marks();
            assert!(marks.len() <= Survey::STRETCHES && stretch.is_power_of_two());
            let found: u32 = marks.iter().map(|mark| mark.solutions).sum();
            assert_eq!(found, solutions, "N = {n}");
            let cut: u32 = marks.iter().map(|mark| mark.cut).sum();
            assert_eq!(u64::from(cut), survey.tracer.work().cut.iter().sum::<u64>(), "N = {n}");
            assert_eq!(survey.end(), Some(survey.reached()));
        }
    }

    #[test]
    fn every_solution_lies_in_its_stretch() {
        let survey = surveyed(8);
        let (marks, stretch) = survey.marks();
        let mut tracer = Tracer::new(Method::Symmetry, Size::new(8).unwrap());
        while let Some(step) = tracer.forward() {
            if let Event::Solution { .. } = step.event {
                assert!(marks[((tracer.steps() - 1) / stretch) as usize].solutions > 0);
            }
        }
    }

    #[test]
    fn it_stops_when_told() {
        let mut survey = Survey::new(Method::Symmetry, Size::new(14).unwrap());
        survey.work(&mut || false);
        assert_eq!(survey.reached(), Survey::SLICE);
        assert!(survey.is_busy() && survey.end().is_none());
    }
}
