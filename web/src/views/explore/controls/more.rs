//! The menu of what the bar has no room for.

use queens_core::Facts;
use yew::prelude::*;

use crate::address::Address;
use crate::board::glyph::Icon;
use crate::browser::focus_in_place;
use crate::parts::link::Link;
use crate::views::explore::scene::{Dialog, LayoutChange, Message};
use crate::words::{tr, use_language};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// Whether the page is presented.
    pub is_presented: bool,
    pub facts: &'static Facts,
    /// The address of Play with the queens on the board.
    pub to_play: Address,
    /// Receives the commands.
    pub send: Callback<Message>,
}

/// A button, and the commands that it shows. The browser opens and closes them, also with Escape.
#[component]
pub fn More(props: &Props) -> Html {
    let language = use_language();
    let command = |id: &'static str,
                   text: String,
                   key: Option<&'static str>,
                   message: fn() -> Message| {
        // A dialog returns the focus to the element that had it, which must not be hidden by then.
        let onclick = props.send.reform(move |_: MouseEvent| {
            focus_in_place("more");
            message()
        });
        html! {
            // The focus moves to the first command.
            <button
                {id} type="button" popovertarget="more-commands" popovertargetaction="hide" {onclick}
                autofocus={id == "share-open"}
            >
                { text }{ for key.map(|key| html! { <>{ " " }<kbd>{ key }</kbd></> }) }
            </button>
        }
    };
    let present = if props.is_presented { "explore.present-end" } else { "explore.present" };
    html! {
        <>
            <button id="more" type="button" class="icon" popovertarget="more-commands" aria-label={tr!(language, "explore.more")}>
                { Icon::More.show() }
            </button>
            <div id="more-commands" popover="auto">
                { command("share-open", tr!(language, "explore.share"), None, || Message::Open(Some(Dialog::Share))) }
                { command("present", tr!(language, present), Some("F"), || Message::Layout(LayoutChange::Present)) }
                { command("signs-open", tr!(language, "explore.legend"), None, || Message::Open(Some(Dialog::Signs))) }
                { command("numbers-open", tr!(language, "explore.numbers"), None, || Message::Open(Some(Dialog::Numbers))) }
                if props.facts.branching.is_some() {
                    { command("masks-open", tr!(language, "explore.masks"), None, || Message::Open(Some(Dialog::Masks))) }
                }
                { command("help", tr!(language, "explore.keys"), Some("?"), || Message::Open(Some(Dialog::Keys))) }
                <Link to={props.to_play.clone()} id="to-play">{ tr!(language, "explore.play-link") }</Link>
            </div>
        </>
    }
}
