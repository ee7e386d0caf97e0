//! A figure that shows a search at one of its steps and can step through it.

use queens_core::{Column, Event, RowBits, Rule, Size, Square, Stepped, Timeline};
use queens_state::board::Row;
use queens_state::search::picture;
use queens_state::search::state::{Action, ExploreState};
use queens_state::search::why::why;
use yew::prelude::*;

use super::context::FigureContext;
use crate::board::glyph::{Icon, icon_button};
use crate::board::marked_board::marked_board;
use crate::parts::row_words::row_words;
use crate::place::{explore_address, use_address};
use crate::words::{tr, use_language};

/// A figure of a search: the step at which it begins, and what it shows. It begins at the first step
/// with the given first queens on the board and the given event.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchFigureSpec {
    pub method: Stepped,
    pub size: Size,
    /// The columns of the first queens.
    pub queens: Vec<Column>,
    /// The event of the step.
    pub event: EventKind,
    /// The rule that closes squares, for [`EventKind::Cut`]; `None` for any rule.
    pub rule: Option<Rule>,
    /// Whether squares show the letters of their cells. Figures before the section on cells do not.
    pub letters: bool,
    /// Whether attacked squares also show the signs of rules.
    pub all_signs: bool,
    /// The squares to mark. If not empty, the figure shows only these marks, without the step's
    /// sentence and buttons.
    pub squares: Vec<Square>,
    /// Whether the registers are shown below the board.
    pub registers: bool,
}

queens_core::words! {
    /// An event that a figure can search for.
    pub enum EventKind {
        /// Squares are closed by a rule.
        Cut = "cut",
        /// Squares are closed because a queen attacks them.
        Reject = "reject",
        /// A queen is placed.
        Place = "place",
        /// A solution is found.
        Solution = "solution",
    }
}

impl SearchFigureSpec {
    /// Finds the step at which the figure begins, if it exists.
    pub fn step(&self) -> Option<u64> {
        let queens: Vec<RowBits> = self.queens.iter().map(|column| column.bit()).collect();
        let mut timeline = Timeline::new(self.method, self.size);
        while let Some(step) = timeline.forward() {
            if self.matches(step) && timeline.view().queens.starts_with(&queens) {
                return Some(timeline.step());
            }
        }
        None
    }

    fn matches(&self, event: Event) -> bool {
        match self.event {
            EventKind::Cut => match event {
                Event::Cut { rule, .. } => self.rule.is_none_or(|wanted| wanted == rule),
                _ => false,
            },
            EventKind::Reject => matches!(event, Event::Reject { .. }),
            EventKind::Place => matches!(event, Event::Place { .. }),
            EventKind::Solution => matches!(event, Event::Solution { .. }),
        }
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The step at which the figure begins, and what the figure shows.
    pub spec: SearchFigureSpec,
    /// The caption.
    pub text: String,
}

/// The board at a step, the step's description, and buttons to step back and forth. The searches
/// are short, so each rendering repeats the search from its start.
#[component]
pub fn SearchFigure(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let begin = *use_memo(props.spec.clone(), |spec| spec.step().unwrap_or(0));
    // The position relative to the step at which the figure begins.
    let offset = use_state_eq(|| 0_i64);
    let mut state = ExploreState::new(props.spec.method, props.spec.size);
    state.apply(Action::MoveTo(begin.saturating_add_signed(*offset)));
    state.work(&mut || true);
    let step = state.snapshot().step;
    let button = |key: &str, icon: Icon, by: i64, enabled: bool| {
        let (setter, now) = (offset.setter(), *offset);
        let onclick = Callback::from(move |_: MouseEvent| setter.set(now + by));
        icon_button(None, tr!(language, key), icon, enabled, onclick)
    };
    let rows = rows(&props.spec, &state);
    let sentence = why(language, state.snapshot());
    let label = tr!(language, "explanation.board", n = props.spec.size, step = step);
    let to = explore_address(&address, props.spec.method, props.spec.size, step);
    html! {
        <figure class="figure-search" data-testid="figure" data-step={step.to_string()}>
            { FigureContext { language, address: &address }.caption(&props.text, to) }
            <div class="figure-board">
                { marked_board(&rows, &label) }
                if props.spec.registers {
                    { row_words(language, &state.snapshot().view) }
                }
            </div>
            if props.spec.squares.is_empty() {
                <div class="figure-steps">
                    { button("explore.back", Icon::Back, -1, step > 0) }
                    { button("explore.forward", Icon::Forward, 1, !state.is_done()) }
                    <p class="soft" aria-live="polite">{ sentence }</p>
                </div>
            }
        </figure>
    }
}

/// Returns the board as in Explore, without the marks that do not belong to the figure.
fn rows(spec: &SearchFigureSpec, state: &ExploreState) -> Vec<Row> {
    let mut rows = picture::rows(state);
    for row in &mut rows {
        row.at_work &= spec.squares.is_empty();
        for (at, square) in Square::of_row(spec.size, row.row).zip(&mut row.squares) {
            if !spec.letters {
                square.cell = None;
            }
            if square.is_attacked() && !spec.all_signs {
                square.rule = None;
            }
            if !spec.squares.is_empty() {
                square.fresh = spec.squares.contains(&at);
                square.to_try = false;
            }
        }
    }
    rows
}
