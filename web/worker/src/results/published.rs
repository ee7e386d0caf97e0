//! Times that others have published, with where they did: `web/worker/data/published.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What somebody has published of one program on one machine.
#[derive(Debug, Deserialize)]
pub struct Figures {
    /// The program and the machine.
    pub name: String,
    /// Where it stands.
    pub source: String,
    /// The seconds that each N took.
    pub seconds: BTreeMap<u32, f64>,
}

/// All of them.
pub fn figures() -> Vec<Figures> {
    // A test reads the same text.
    serde_json::from_str(include_str!("../../data/published.json")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::known::known;

    #[test]
    fn every_figure_has_a_source_and_a_board_whose_solutions_are_known() {
        let all = figures();
        assert!(all.len() >= 8);
        for Figures { name, source, seconds } in all {
            assert!(source.starts_with("https://") && !seconds.is_empty(), "{name}");
            assert!(seconds.keys().all(|&n| known(n).is_some()), "{name}");
            // Larger boards take longer.
            assert!(seconds.values().is_sorted() && seconds.values().all(|&time| time > 0.0));
        }
    }
}
