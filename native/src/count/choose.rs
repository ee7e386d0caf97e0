//! What a count runs on if nobody says: the decision and its reason, made of facts alone. Looking
//! for GPUs and taking samples is [`fastest`](super::fastest)'s.

use std::time::Duration;

use queens_core::{Form, Method, Size, halves::InstructionSet};

use super::gpu::Gpus;

/// From this N on `halves` is faster than `symmetry`.
const HALVES_FROM: u32 = 14;

/// Up to this N the processor is done before a GPU has started.
const SMALL: u32 = 15;

/// A count that takes the processor no longer than this does not pay on a GPU either.
const SHORT: Duration = Duration::from_secs(3);

/// The largest board that is sampled. Tasks of larger ones take too long for a sample, and there
/// backends compare as they do here.
const SAMPLED: u32 = 18;

/// What to count, as far as it was said.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// The board.
    pub size: Size,
    /// The method; none: the fastest.
    pub method: Option<Method>,
    /// The writing of the method; none: whichever there is.
    pub form: Option<Form>,
    /// The instruction set; none: the fastest.
    pub isa: Option<InstructionSet>,
}

impl Wish {
    /// The method on the processor: the fastest that can do what was asked, if none was named.
    pub fn method_on_cpu(self) -> Method {
        let fast = self.size.get() >= HALVES_FROM && self.form != Some(Form::Iterative);
        let usual = if fast || self.isa.is_some() { Method::Halves } else { Method::Symmetry };
        self.method.unwrap_or(usual)
    }

    /// The method on GPUs.
    pub fn method_on_gpus(self) -> Method {
        self.method.unwrap_or(Method::Symmetry)
    }

    /// Why GPUs do not count this; `None` if they do.
    pub fn refused_by_gpus(self) -> Option<String> {
        if let Some(set) = self.isa {
            let sentence = "is a choice for the processor: leave it out for a GPU";
            return Some(format!("--isa {set} {sentence}"));
        }
        let method = self.method_on_gpus();
        // Half-board matching has no other form.
        if self.form == Some(Form::Recursive) && method != Method::Halves {
            let sentence = "GPUs have only the iterative form: leave --form out, or take \
                            `--backend cpu` for the recursive one";
            return Some(sentence.to_owned());
        }
        Gpus::refuses(self.size, method)
    }
}

/// What is known when it has to be decided; what is `None` nobody has looked at yet.
///
/// Rates are whole counts of the [sampled board](Known::sampled) in a second, since backends may
/// count by different methods.
#[derive(Clone, Debug)]
pub struct Known {
    wish: Wish,
    /// The number of backends that have a GPU which may be faster than the processor.
    pub gpus: Option<usize>,
    /// The processor's rate.
    pub cpu: Option<f64>,
    /// The rate of each of those backends; none for one that failed.
    pub rates: Option<Vec<Option<f64>>>,
}

/// What comes next on the way to a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Look for GPUs.
    FindGpus,
    /// Take a sample of what the processor does.
    SampleCpu,
    /// Take a sample of what each of the GPUs does.
    SampleGpus,
    /// Count on the processor.
    Cpu {
        /// Why, as half a sentence.
        why: String,
    },
    /// Count on GPUs.
    Gpu {
        /// The backend's index among those that were found.
        index: usize,
        /// Why, as half a sentence.
        why: String,
    },
}

impl Known {
    /// Nothing but the wish.
    pub fn new(wish: Wish) -> Known {
        Known { wish, gpus: None, cpu: None, rates: None }
    }

    /// The board whose tasks are sampled.
    pub fn sampled(&self) -> Size {
        Size::new(SAMPLED).map_or(self.wish.size, |largest| largest.min(self.wish.size))
    }

    /// What comes next: the cheapest thing to find out that may decide, or the decision.
    pub fn next(&self) -> Next {
        let size = self.wish.size;
        let cpu = |why: &str| Next::Cpu { why: why.to_owned() };
        if self.wish.refused_by_gpus().is_some() {
            return cpu("GPUs do not count this");
        }
        if self.wish.method == Some(Method::Halves) {
            return cpu("a GPU counts by halves where one is asked for");
        }
        if size.get() <= SMALL {
            return cpu(&format!("N = {size} is too small for a GPU to pay"));
        }
        let Some(gpus) = self.gpus else { return Next::FindGpus };
        if gpus == 0 {
            return cpu("there is no GPU; `queens devices` says more");
        }
        let Some(rate) = self.cpu else { return Next::SampleCpu };
        if self.sampled() == size && rate * SHORT.as_secs_f64() > 1.0 {
            return cpu(&format!("{} s at most is too short for a GPU to pay", SHORT.as_secs()));
        }
        let Some(rates) = &self.rates else { return Next::SampleGpus };
        let rates = (0..).zip(rates).filter_map(|(index, rate)| Some((index, (*rate)?)));
        match rates.reduce(|best, other| if other.1 > best.1 { other } else { best }) {
            Some((index, best)) if best > rate => {
                let times = best / rate.max(f64::MIN_POSITIVE);
                Next::Gpu {
                    index,
                    why: format!("{times:.1} times as fast as the processor in a sample"),
                }
            }
            _ => cpu("faster than the GPUs in a sample"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(n: u32) -> Wish {
        Wish { size: Size::new(n).unwrap(), method: None, form: None, isa: None }
    }

    #[test]
    fn the_method_is_the_fastest_that_does_what_was_asked() {
        let iterative = Some(Form::Iterative);
        let portable = Some(InstructionSet::Portable);
        for (wish, on_cpu, on_gpus) in [
            (wish(13), Method::Symmetry, Method::Symmetry),
            (wish(14), Method::Halves, Method::Symmetry),
            (Wish { form: iterative, ..wish(14) }, Method::Symmetry, Method::Symmetry),
            (Wish { isa: portable, ..wish(8) }, Method::Halves, Method::Symmetry),
            (Wish { method: Some(Method::Bitmap), ..wish(20) }, Method::Bitmap, Method::Bitmap),
        ] {
            assert_eq!(
                (wish.method_on_cpu(), wish.method_on_gpus()),
                (on_cpu, on_gpus),
                "{wish:?}"
            );
        }
    }

    /// What comes next for a wish, with so many backends of GPUs, the processor's rate and theirs.
    #[test]
    fn what_decides_comes_with_its_reason() {
        let cpu = |why: &str| Next::Cpu { why: why.into() };
        let gpu = |index, why: &str| Next::Gpu { index, why: why.into() };
        let not_counted = cpu("GPUs do not count this");
        let small = cpu("N = 15 is too small for a GPU to pay");
        let none = cpu("there is no GPU; `queens devices` says more");
        let short = cpu("3 s at most is too short for a GPU to pay");
        let faster = cpu("faster than the GPUs in a sample");
        let bitmap = Wish { method: Some(Method::Bitmap), ..wish(20) };
        let halves = Wish { method: Some(Method::Halves), ..wish(20) };
        let asked_for = cpu("a GPU counts by halves where one is asked for");
        let recursive = Wish { form: Some(Form::Recursive), ..wish(20) };
        let avx2 = Wish { isa: Some(InstructionSet::Avx2), ..wish(20) };
        type Row = (Wish, Option<usize>, Option<f64>, Option<Vec<Option<f64>>>, Next);
        let table: Vec<Row> = vec![
            (bitmap, None, None, None, not_counted.clone()),
            (recursive, None, None, None, not_counted.clone()),
            (avx2, None, None, None, not_counted),
            (halves, None, None, None, asked_for),
            (wish(15), None, None, None, small),
            (wish(16), None, None, None, Next::FindGpus),
            (wish(16), Some(0), None, None, none),
            (wish(16), Some(2), None, None, Next::SampleCpu),
            (wish(16), Some(2), Some(0.4), None, short),
            (wish(16), Some(2), Some(0.3), None, Next::SampleGpus),
            // The sample is of a smaller board.
            (wish(19), Some(2), Some(0.4), None, Next::SampleGpus),
            (wish(19), Some(2), Some(0.4), Some(vec![Some(0.3), None]), faster.clone()),
            (wish(19), Some(2), Some(0.4), Some(vec![None, None]), faster.clone()),
            (wish(19), Some(1), Some(0.4), Some(vec![Some(0.4)]), faster),
            (
                wish(19),
                Some(3),
                Some(0.4),
                Some(vec![Some(0.8), None, Some(1.0)]),
                gpu(2, "2.5 times as fast as the processor in a sample"),
            ),
            (
                wish(19),
                Some(2),
                Some(0.4),
                Some(vec![Some(0.8), Some(0.8)]),
                gpu(0, "2.0 times as fast as the processor in a sample"),
            ),
        ];
        for (wish, gpus, cpu, rates, next) in table {
            let known = Known { wish, gpus, cpu, rates };
            assert_eq!(known.next(), next, "{known:?}");
        }
    }

    #[test]
    fn large_boards_are_judged_by_a_smaller_one() {
        for (n, sampled) in [(16, 16), (18, 18), (19, 18), (27, 18)] {
            assert_eq!(Known::new(wish(n)).sampled().get(), sampled);
        }
    }
}
