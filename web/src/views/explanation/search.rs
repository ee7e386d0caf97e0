//! A figure that is a search: it stands at one of its steps and can be stepped on.

use queens_core::{Column, Event, RowBits, Rule, Size, Square, Stepped, Timeline};
use queens_state::board::Row;
use queens_state::search::picture;
use queens_state::search::state::{Action, ExploreState};
use queens_state::search::why::why;
use yew::prelude::*;

use super::frame::Frame;
use crate::board::glyph::{Icon, icon_button};
use crate::board::marked_board::marked_board;
use crate::parts::row_words::row_words;
use crate::place::{exploring, use_address};
use crate::words::{tr, use_language};

/// The first step of a search at which these queens stand and this has just happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    pub method: Stepped,
    pub size: Size,
    /// The columns of the first queens.
    pub queens: Vec<Column>,
    /// What happens.
    pub event: Happening,
    /// The rule that cuts, if it matters.
    pub rule: Option<Rule>,
    /// Whether the cells have their letters: the text speaks of them late.
    pub letters: bool,
    /// Whether squares that are attacked have the signs of rules, too.
    pub all_signs: bool,
    /// The only squares that matter: they are marked, and what the step was about is not told.
    pub squares: Vec<Square>,
    /// Whether the words of the attacks stand under the board.
    pub words: bool,
}

queens_core::words! {
    /// What a figure can look for.
    pub enum Happening {
        /// Squares are closed by a rule.
        Cut = "cut",
        /// Squares are closed because a queen attacks them.
        Reject = "reject",
        /// A queen is put on the board.
        Place = "place",
        /// A solution is found.
        Solution = "solution",
    }
}

impl Sought {
    /// The step, if there is one.
    pub fn step(&self) -> Option<u64> {
        let queens: Vec<RowBits> = self.queens.iter().map(|column| column.bit()).collect();
        let mut timeline = Timeline::new(self.method, self.size);
        while let Some(step) = timeline.forward() {
            if self.is(step.event) && timeline.view().queens.starts_with(&queens) {
                return Some(timeline.step());
            }
        }
        None
    }

    fn is(&self, event: Event) -> bool {
        match self.event {
            Happening::Cut => match event {
                Event::Cut { rule, .. } => self.rule.is_none_or(|wanted| wanted == rule),
                _ => false,
            },
            Happening::Reject => matches!(event, Event::Reject { .. }),
            Happening::Place => matches!(event, Event::Place { .. }),
            Happening::Solution => matches!(event, Event::Solution { .. }),
        }
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// Where it begins.
    pub sought: Sought,
    /// Its caption.
    pub text: String,
}

/// The board at a step, what happened there, and the way on and back. The searches are short, so
/// that each picture is made by searching anew.
#[component]
pub fn SearchFigure(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let begin = *use_memo(props.sought.clone(), |sought| sought.step().unwrap_or(0));
    // Counted from where the figure begins.
    let moved = use_state_eq(|| 0_i64);
    let mut state = ExploreState::new(props.sought.method, props.sought.size);
    state.apply(Action::To(begin.saturating_add_signed(*moved)));
    state.work(&mut || true);
    let step = state.snapshot().step;
    let button = |key: &str, icon: Icon, by: i64, enabled: bool| {
        let (setter, now) = (moved.setter(), *moved);
        let onclick = Callback::from(move |_: MouseEvent| setter.set(now + by));
        icon_button(None, tr!(language, key), icon, enabled, onclick)
    };
    let rows = rows(&props.sought, &state);
    let sentence = why(language, state.snapshot());
    let label = tr!(language, "explanation.board", n = props.sought.size, step = step);
    let to = exploring(&address, props.sought.method, props.sought.size, step);
    html! {
        <figure class="figure-search" data-testid="figure" data-step={step.to_string()}>
            { Frame { language, address: &address }.caption(&props.text, to) }
            <div class="figure-board">
                { marked_board(&rows, &label) }
                if props.sought.words {
                    { row_words(language, &state.snapshot().view) }
                }
            </div>
            if props.sought.squares.is_empty() {
                <div class="figure-steps">
                    { button("explore.back", Icon::Back, -1, step > 0) }
                    { button("explore.forward", Icon::Forward, 1, !state.is_done()) }
                    <p class="soft" aria-live="polite">{ sentence }</p>
                </div>
            }
        </figure>
    }
}

/// The board as Explore shows it, less what the figure does not speak of.
fn rows(sought: &Sought, state: &ExploreState) -> Vec<Row> {
    let mut rows = picture::rows(state);
    for row in &mut rows {
        row.at_work &= sought.squares.is_empty();
        for (at, square) in Square::of_row(sought.size, row.row).zip(&mut row.squares) {
            if !sought.letters {
                square.cell = None;
            }
            if square.is_attacked() && !sought.all_signs {
                square.rule = None;
            }
            if !sought.squares.is_empty() {
                square.fresh = sought.squares.contains(&at);
                square.to_try = false;
            }
        }
    }
    rows
}
