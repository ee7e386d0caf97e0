//! The line that replaces the sentence of a step while a search plays too fast to be read.

use super::state::{ExploreState, Snapshot};
use crate::words::{Language, grouped, tr};

/// Returns the line for a step of a search that plays. If the search has sped up by itself, it says so first.
pub fn summary(language: Language, state: &ExploreState, now: &Snapshot) -> String {
    let line = progress(language, now, state.end());
    if state.plays_quickly() {
        tr!(language, "explore.sped-up") + language.space() + &line
    } else {
        line
    }
}

/// Returns the row, the solutions kept so far and, if the `end` of the search is known, how much of
/// it is done.
fn progress(language: Language, now: &Snapshot, end: Option<u64>) -> String {
    let found = grouped(now.work.tally.met());
    let line = tr!(language, "explore.summary", row = now.view.row, found = found);
    match end {
        Some(end) => {
            let share = u128::from(now.step) * 100 / u128::from(end.max(1));
            line + &tr!(language, "explore.summary-share", share = share)
        }
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use queens_core::{Size, Stepped};

    use super::*;
    use crate::search::state::{Action, ExploreState, Jump};
    use crate::words::plain;

    #[test]
    fn summaries_have_the_row_the_solutions_and_the_share() {
        let mut state = ExploreState::new(Stepped::Backtracking, Size::new(6).unwrap());
        state.apply(Action::Next(Jump::Solution));
        state.work(&mut || true);
        let now = *state.snapshot();
        let say = |language, end| plain(&progress(language, &now, end));
        assert_eq!(say(Language::English, None), "Row 5 · 1 found");
        assert_eq!(say(Language::English, Some(now.step * 4)), "Row 5 · 1 found · 25%");
        assert_eq!(say(Language::Japanese, Some(now.step)), "行 5・解 1 個・100%");
    }
}
