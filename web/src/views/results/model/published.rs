//! Times published by the authors of other programs: published.json.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::words::{Language, tr};

/// The published times of one program on one machine.
#[derive(Debug, Deserialize)]
pub struct Figures {
    pub program: String,
    /// The model of the processor or GPU.
    pub device: String,
    /// The number of GPUs; `None` for a processor.
    pub devices: Option<u32>,
    /// The number of threads of a processor.
    pub threads: Option<u32>,
    /// Whether the author has announced the method without publishing it.
    #[serde(default)]
    pub announced: bool,
    /// The address of the publication.
    pub source: String,
    /// The time of each N in seconds.
    pub seconds: BTreeMap<u32, f64>,
}

impl Figures {
    pub fn all() -> Vec<Figures> {
        // Parsing cannot fail: a test parses the same text.
        serde_json::from_str(include_str!("published.json")).unwrap_or_default()
    }

    /// The program and the machine in words.
    pub fn name(&self, language: Language) -> String {
        let Figures { program, device, .. } = self;
        let machine = match (self.devices, self.threads) {
            (Some(1), _) => tr!(language, "results.figures.one", device = device),
            (Some(_), _) => tr!(language, "results.figures.eight", device = device),
            (None, Some(threads)) if threads > 1 => {
                tr!(language, "results.figures.threads", device = device, threads = threads)
            }
            (None, _) => tr!(language, "results.figures.one-thread", device = device),
        };
        let key = if self.announced { "results.figures.announced" } else { "results.figures.name" };
        tr!(language, key, program = program, machine = machine)
    }
}

#[cfg(test)]
mod tests {
    use queens_core::known::known;

    use super::*;
    use crate::words::plain;

    #[test]
    fn published_figures_have_names() {
        let all = Figures::all();
        let names: Vec<_> =
            all.iter().map(|figures| plain(&figures.name(Language::English))).collect();
        for name in [
            "N-Queens (63), CUDA, one GPU",
            "ygch/n_queens, eight RTX 5090",
            "NQueensFAF, Ryzen 7 5800X, 1 thread",
            "NQueensFAF, Ryzen 7 5800X, 16 threads",
            "NQueensFAF, new method, as announced by its author, Core i5-12600K, 1 thread",
        ] {
            assert!(names.iter().any(|each| each == name), "{name}: {names:?}");
        }
    }

    #[test]
    fn published_figures_have_a_source_and_a_known_board() {
        let all = Figures::all();
        assert!(all.len() >= 8);
        for Figures { program, devices, threads, source, seconds, .. } in all {
            assert!(source.starts_with("https://") && !seconds.is_empty(), "{program}");
            // The page has texts only for one and for eight GPUs.
            assert!(
                matches!(devices, None | Some(1 | 8)) && devices.is_some() != threads.is_some()
            );
            assert!(seconds.keys().all(|&n| known(n).is_some()), "{program}");
            // Larger boards take longer.
            assert!(seconds.values().is_sorted() && seconds.values().all(|&time| time > 0.0));
        }
    }
}
