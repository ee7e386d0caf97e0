//! Published times of other programs with their sources: `web/worker/data/published.json`.

use std::{collections::BTreeMap, fmt::Display};

use serde::Deserialize;

use super::words::Words;

/// Published times of one program on one machine.
#[derive(Debug, Deserialize)]
pub struct Figures {
    pub program: String,
    /// The processor or GPU.
    pub device: String,
    /// The number of GPUs; `None` for a processor.
    pub devices: Option<u32>,
    /// The number of threads; `None` for a GPU.
    pub threads: Option<u32>,
    /// Whether the author has only announced the method.
    #[serde(default)]
    pub announced: bool,
    /// The URL of the publication.
    pub source: String,
    /// The time in seconds, by N.
    pub seconds: BTreeMap<u32, f64>,
}

impl Figures {
    /// The display name: the program and its machine.
    pub fn name(&self, words: &Words) -> String {
        let Figures { program, device, .. } = self;
        let of_device = |key| words.say(key, &[("device", device)]);
        let machine = match (self.devices, self.threads) {
            (Some(1), _) => of_device("results.figures.one"),
            (Some(_), _) => of_device("results.figures.eight"),
            (None, Some(threads)) if threads > 1 => {
                let gaps: &[(&str, &dyn Display)] = &[("device", device), ("threads", &threads)];
                words.say("results.figures.threads", gaps)
            }
            (None, _) => of_device("results.figures.one-thread"),
        };
        let key = if self.announced { "results.figures.announced" } else { "results.figures.name" };
        words.say(key, &[("program", program), ("machine", &machine)])
    }
}

/// Returns all published figures.
pub fn figures() -> Vec<Figures> {
    // The file is embedded, and a test parses it.
    serde_json::from_str(include_str!("../../data/published.json")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::known::known;

    #[test]
    fn figures_are_named_in_the_words_of_the_page() {
        let names = |lines: &str| {
            let words = Words::new(lines);
            figures().iter().map(|figures| figures.name(&words)).collect::<Vec<_>>()
        };
        let all = names(
            "results.figures.name\t%{program}/%{machine}\n\
             results.figures.announced\t%{program}/later/%{machine}\n\
             results.figures.one\t%{device} x1\n\
             results.figures.eight\t%{device} x8\n\
             results.figures.one-thread\t%{device} t1\n\
             results.figures.threads\t%{device} t%{threads}",
        );
        for name in [
            "N-Queens (63), CUDA/GPU x1",
            "ygch/n_queens/RTX 5090 x8",
            "NQueensFAF/Ryzen 7 5800X t1",
            "NQueensFAF/Ryzen 7 5800X t16",
            "NQueensFAF/later/Core i5-12600K t1",
        ] {
            assert!(all.iter().any(|each| each == name), "{name}: {all:?}");
        }
    }

    #[test]
    fn every_figure_has_a_source_and_a_board_whose_solutions_are_known() {
        let all = figures();
        assert!(all.len() >= 8);
        for Figures { program, devices, threads, source, seconds, .. } in all {
            assert!(source.starts_with("https://") && !seconds.is_empty(), "{program}");
            // The texts cover only one and eight GPUs.
            assert!(
                matches!(devices, None | Some(1 | 8)) && devices.is_some() != threads.is_some()
            );
            assert!(seconds.keys().all(|&n| known(n).is_some()), "{program}");
            // Larger boards take longer.
            assert!(seconds.values().is_sorted() && seconds.values().all(|&time| time > 0.0));
        }
    }
}
