//! A word that leads to its explanation.

use web_sys::HtmlElement;
use yew::prelude::*;

use super::link::Link;
use crate::browser::{bar_end, bring_into_sight, window_sides};
use crate::place::{View, use_address};
use crate::words::{Language, Term, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The word that is explained.
    pub word: Term,
    /// What is shown.
    pub children: Html,
}

/// A word as a link to its explanation, which says what it means and who uses it as soon as it is
/// pointed at or has the focus; a screen reader hears what it means with its name.
#[component]
pub fn TermLink(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let Props { word, children } = props;
    let tip = word.tip(language);
    let (name, more) = (use_node_ref(), use_node_ref());
    let place = Callback::from({
        let (name, more) = (name.clone(), more.clone());
        move |has_focus| {
            if let (Some(name), Some(more)) = (name.cast::<HtmlElement>(), more.cast()) {
                // The browser scrolls to what has the focus, but only later.
                if has_focus {
                    bring_into_sight(&name);
                }
                keep_in_window(&name, &more);
            }
        }
    });
    html! {
        <span
            class="term" ref={name}
            onmouseover={place.reform(|_: MouseEvent| false)} onfocusin={place.reform(|_: FocusEvent| true)}
        >
            <Link to={address.reading(View::Learn, word.id())}>
                { children.clone() }
                <span class="hidden-text">{ language.aside(&tip) }</span>
            </Link>
            <span class="term-tip" ref={more} aria-hidden="true">
                <span>{ tip }</span>
                <span>{ word.more(language) }</span>
            </span>
        </span>
    }
}

/// The room that is left around an explanation.
const EDGE: f64 = 6.0;

/// Moves the explanation of a word to where all of it is in the window: sideways as far as it has to
/// go, and to the other side of the word where it has no room on its own.
fn keep_in_window(name: &HtmlElement, more: &HtmlElement) {
    let style = more.style();
    // An element always takes this property.
    let _ = style.remove_property("translate");
    let (of, tip) = (name.get_bounding_client_rect(), more.get_bounding_client_rect());
    let [width, height] = window_sides();
    let across = shift([tip.left(), tip.right()], [EDGE, width - EDGE]);
    // On the other side of the word it is as far from it.
    let other = of.top() + of.bottom() - tip.top() - tip.bottom();
    let down = beside([tip.top(), tip.bottom()], other, [bar_end() + EDGE, height - EDGE]);
    let _ = style.set_property("translate", &format!("{across}px {down}px"));
}

/// How far a stretch has to be moved to lie within another; what is too long begins where that begins.
fn shift([start, end]: [f64; 2], [least, most]: [f64; 2]) -> f64 {
    (most - end).min(0.0).max(least - start)
}

/// How far a stretch has to be moved that is to lie within another: not at all, or by `other`, or,
/// where it fits in neither place, as far as is necessary.
fn beside([start, end]: [f64; 2], other: f64, room: [f64; 2]) -> f64 {
    let fits = |by: f64| shift([start + by, end + by], room) == 0.0;
    [0.0, other].into_iter().find(|&by| fits(by)).unwrap_or_else(|| shift([start, end], room))
}

/// A sentence in which the word, where it first stands, leads to its explanation.
pub fn with_term(language: Language, sentence: &str, word: Term) -> Html {
    let name = word.name(language);
    let Some((before, after)) = sentence.split_once(&name) else { return html! { sentence } };
    html! { <>{ before }<TermLink {word}>{ &name }</TermLink>{ after }</> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations_move_no_further_than_they_must() {
        let room = [6.0, 384.0];
        assert_eq!(shift([20.0, 300.0], room), 0.0);
        assert_eq!(shift([200.0, 500.0], room), -116.0);
        assert_eq!(shift([-10.0, 100.0], room), 16.0);
        // Too long for the window: its beginning is in sight.
        assert_eq!(shift([100.0, 600.0], room), -94.0);
    }

    #[test]
    fn explanations_stand_on_the_other_side_where_their_own_has_no_room() {
        let room = [50.0, 700.0];
        assert_eq!(beside([100.0, 200.0], 130.0, room), 0.0);
        assert_eq!(beside([20.0, 120.0], 130.0, room), 130.0);
        // Neither above nor below: beside the edge that it went beyond.
        assert_eq!(beside([20.0, 420.0], 430.0, room), 30.0);
    }
}
