//! Icons and the shape of the queen.

use yew::prelude::*;

/// A queen in a square of 40 by 40 units, as a path relative to the upper left corner: the crown,
/// the foot, and a ball on each point of the crown.
pub const QUEEN: &str = "\
    m10.5 28-3.5-13.5 6 6.5.6-10.5 4.4 8.9 2-10.4 2 10.4 4.4-8.9.6 10.5 6-6.5-3.5 13.5z\
    m0 2.2h19v3.3h-19z\
    m-5.5-17.6a2 2 0 1 0 4 0a2 2 0 1 0-4 0z\
    m6.4-4a2 2 0 1 0 4 0a2 2 0 1 0-4 0z\
    m6.6-1.6a2 2 0 1 0 4 0a2 2 0 1 0-4 0z\
    m6.6 1.6a2 2 0 1 0 4 0a2 2 0 1 0-4 0z\
    m6.4 4a2 2 0 1 0 4 0a2 2 0 1 0-4 0z";

/// A queen in a square of 40 by 40 units.
pub fn queen() -> Html {
    html! { <g class="queen"><path d={format!("M0 0{QUEEN}")} /></g> }
}

/// The icons on the transport buttons, each in a square of 24 by 24 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// A triangle.
    Play,
    /// A triangle in a circular arrow.
    PlayAgain,
    /// Two bars.
    Pause,
    /// One move forward.
    NextMove,
    /// One move back.
    PreviousMove,
    /// One step forward.
    Forward,
    /// One step back.
    Back,
    /// Ten steps forward.
    ForwardTen,
    /// Ten steps back.
    BackTen,
    /// To the next solution: a queen's crown ahead.
    NextSolution,
    /// To the previous solution.
    PreviousSolution,
    /// To the next step of a rule: a closed square ahead.
    NextRule,
    /// To the previous step of a rule.
    PreviousRule,
    /// To the next comparison: two boards ahead.
    NextComparison,
    /// To the previous comparison.
    PreviousComparison,
    /// The picture of the whole search: blocks that divide from row to row.
    WholeSearch,
    /// To the start.
    First,
    /// To the end.
    Last,
}

impl Icon {
    /// Returns the outline of the icon, or of its forward counterpart if it points backwards.
    fn path(self) -> &'static str {
        match self {
            Icon::Play => "M8 5.5v13l10.5-6.5z",
            Icon::PlayAgain => {
                "M12 3.5V0l6 4.5-6 4.5V5.5a6.5 6.5 0 1 0 6.5 6.5h2A8.5 8.5 0 1 1 12 3.5zM10 8.5v7l5.5-3.5z"
            }
            Icon::Pause => "M7.5 5.5h3.2v13H7.5zM13.3 5.5h3.2v13h-3.2z",
            Icon::NextMove | Icon::PreviousMove => "M9 6.2l1.6-1.2 5.6 7-5.6 7L9 17.8l4.6-5.8z",
            // Video players use this icon for a step of one frame.
            Icon::Forward | Icon::Back => "M7 6h2.6v12H7zM12 6v12l7-6z",
            Icon::ForwardTen | Icon::BackTen => "M4.5 6v12l7-6zM12.5 6v12l7-6z",
            Icon::NextSolution | Icon::PreviousSolution => {
                "M2.5 6v12l6-6zM11.5 17l-1-8 3 3 2.5-5.5L18.5 12l3-3-1 8zM11.5 18.3h9v1.7h-9z"
            }
            Icon::NextRule | Icon::PreviousRule => {
                "M2.5 6v12l6-6zM11 6h10v12h-10zm1.5 1.5v9h7v-9zM13 14l4.5-6h1.5v.8l-5.3 7.2h-.7zM16.5 16l2.5-3.5v3.5z"
            }
            Icon::NextComparison | Icon::PreviousComparison => {
                "M1.5 6v12l6-6zM9 8.5h6v7h-6zM16.5 8.5h6v7h-6zm1.3 1.3v4.4h3.4v-4.4z"
            }
            Icon::WholeSearch => {
                "M3 4h18v3.5H3zM3 8.5h9V12H3zM13 8.5h8V12h-8zM3 13h4v3.5H3zM8.5 13H12v3.5H8.5zM15 13h6v3.5h-6zM4.5 17.5H7V21H4.5zM17 17.5h2.5V21H17z"
            }
            Icon::First | Icon::Last => "M6 6v12l9-6zM16 6h2.6v12H16z",
        }
    }

    fn is_backwards(self) -> bool {
        matches!(
            self,
            Icon::PreviousMove
                | Icon::Back
                | Icon::BackTen
                | Icon::PreviousSolution
                | Icon::PreviousRule
                | Icon::PreviousComparison
                | Icon::First
        )
    }

    pub fn show(self) -> Html {
        let transform = self.is_backwards().then_some("matrix(-1 0 0 1 24 0)");
        html! {
            <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
                <path d={self.path()} fill="currentColor" fill-rule="evenodd" {transform} />
            </svg>
        }
    }
}

/// A button with an icon and an accessible name.
pub fn icon_button(
    id: Option<&'static str>,
    name: String,
    icon: Icon,
    enabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button
            {id} type="button" class="icon" aria-label={name}
            disabled={!enabled} {onclick}
        >
            { icon.show() }
        </button>
    }
}
