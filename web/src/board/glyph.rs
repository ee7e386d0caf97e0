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
    /// One step forward.
    Forward,
    /// One step back.
    Back,
    /// Three dots: more commands.
    More,
    /// To the next step of a kind.
    Next,
    /// To the previous step of a kind.
    Previous,
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
            // Video players use this icon for a step of one frame.
            Icon::Forward | Icon::Back => "M7 6h2.6v12H7zM12 6v12l7-6z",
            Icon::More => "M4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4z",
            Icon::Next | Icon::Previous => "M6 6v12l9-6zM16 6h2.6v12H16z",
        }
    }

    fn is_backwards(self) -> bool {
        matches!(self, Icon::Back | Icon::Previous)
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
