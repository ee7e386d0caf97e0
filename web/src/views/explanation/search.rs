//! A figure that shows a search at one of its steps, with a slider through the steps around it.

use queens_core::{Column, Event, RowBits, Rule, Size, Square, Stepped, Timeline};
use yew::prelude::*;

use super::context::{FigureContext, slider};
use crate::address::{explore_address, use_address};
use crate::board::Row;
use crate::board::marked_board::marked_board;
use crate::parts::row_words::row_words;
use crate::search::sentences::why;
use crate::search::squares;
use crate::search::state::{Action, ExploreState};
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
    /// sentence and slider.
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

/// How far the slider leads back and forth.
const AROUND: [i64; 2] = [20, 60];

/// The board at a step, the step's description, and the slider. The searches are short, so each rendering repeats the
/// search from its start.
#[component]
pub fn SearchFigure(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let begin = *use_memo(props.spec.clone(), |spec| spec.step().unwrap_or(0));
    let now = use_state_eq(|| begin as i64);
    let mut state = ExploreState::new(props.spec.method, props.spec.size);
    state.apply(Action::MoveTo(now.unsigned_abs()));
    state.work(&mut || true);
    let step = state.snapshot().step;
    let ends = [(begin as i64 - AROUND[0]).max(0), begin as i64 + AROUND[1]];
    let rows = rows(&props.spec, &state);
    let sentence = why(language, state.snapshot());
    let label = tr!(language, "explanation.board", n = props.spec.size, step = step);
    let to = explore_address(&address, props.spec.method, props.spec.size, step);
    html! {
        <figure class="figure-search" data-testid="figure" data-step={step.to_string()}>
            <div class="figure-board">
                { marked_board(&rows, &label) }
                if props.spec.registers {
                    { row_words(language, &state.snapshot().view) }
                }
            </div>
            if props.spec.squares.is_empty() {
                { slider(tr!(language, "explanation.step"), ends, *now, Some(sentence.clone()), now.setter()) }
                <p class="soft figure-said">{ sentence }</p>
            }
            { FigureContext { language, address: &address }.caption(&props.text, to) }
        </figure>
    }
}

/// Returns the board as in Explore, without the marks that do not belong to the figure.
fn rows(spec: &SearchFigureSpec, state: &ExploreState) -> Vec<Row> {
    let mut rows = squares::rows(state);
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
