//! A link from a term to its explanation.

use web_sys::HtmlElement;
use yew::prelude::*;

use super::link::Link;
use crate::address::{View, use_address};
use crate::browser::{bar_end, bring_element_into_view, window_sides};
use crate::words::{Language, Term, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub word: Term,
    /// The text of the link.
    pub children: Html,
}

/// A term as a link to its explanation. When the user points at or focuses the link, a tooltip
/// shows the meaning of the term and the methods that use it. Screen readers announce the meaning
/// together with the name.
#[component]
pub fn TermLink(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let Props { word, children } = props;
    let tip = word.tip(language);
    let (name, tooltip) = (use_node_ref(), use_node_ref());
    let place = Callback::from({
        let (name, tooltip) = (name.clone(), tooltip.clone());
        move |has_focus| {
            if let (Some(name), Some(tooltip)) = (name.cast::<HtmlElement>(), tooltip.cast()) {
                // The browser scrolls to the focused element only later, but the tooltip needs the
                // final position.
                if has_focus {
                    bring_element_into_view(&name);
                }
                keep_in_window(&name, &tooltip);
            }
        }
    });
    html! {
        <span
            class="term" ref={name}
            onmouseover={place.reform(|_: MouseEvent| false)} onfocusin={place.reform(|_: FocusEvent| true)}
        >
            <Link to={address.reading(View::Numbers, word.id())}>
                { children.clone() }
                <span class="hidden-text">{ language.aside(&tip) }</span>
            </Link>
            <span class="term-tip" ref={tooltip} aria-hidden="true">
                <span>{ tip }</span>
                <span>{ word.more(language) }</span>
            </span>
        </span>
    }
}

/// The smallest distance between a tooltip and the edges of the window.
const EDGE: f64 = 6.0;

/// Moves a tooltip into the window: sideways as far as necessary, and to the other side of the term
/// if the window has no room on the tooltip's side.
fn keep_in_window(name: &HtmlElement, tooltip: &HtmlElement) {
    let style = tooltip.style();
    // Removing this property cannot fail.
    let _ = style.remove_property("translate");
    let (term, tip) = (name.get_bounding_client_rect(), tooltip.get_bounding_client_rect());
    let [width, height] = window_sides();
    let across = shift([tip.left(), tip.right()], [EDGE, width - EDGE]);
    // This shift mirrors the tooltip at the term, so its distance from the term stays the same.
    let other = term.top() + term.bottom() - tip.top() - tip.bottom();
    let down = beside([tip.top(), tip.bottom()], other, [bar_end() + EDGE, height - EDGE]);
    let _ = style.set_property("translate", &format!("{across}px {down}px"));
}

/// Returns the smallest shift that moves an interval into the interval from `least` to `most`. If it is
/// too long for that, the shift moves its start to `least`.
fn shift([start, end]: [f64; 2], [least, most]: [f64; 2]) -> f64 {
    (most - end).min(0.0).max(least - start)
}

/// Returns the shift that moves an interval into `room`: 0 if it fits already, otherwise the shift
/// `other` if it fits after that, otherwise the smallest shift.
fn beside([start, end]: [f64; 2], other: f64, room: [f64; 2]) -> f64 {
    let fits = |by: f64| shift([start + by, end + by], room) == 0.0;
    [0.0, other].into_iter().find(|&by| fits(by)).unwrap_or_else(|| shift([start, end], room))
}

/// Renders a sentence in which the first occurrence of the term is a link to its explanation.
pub fn with_term(language: Language, sentence: &str, word: Term) -> Html {
    let name = word.name(language);
    let Some((before, after)) = sentence.split_once(&name) else { return html! { sentence } };
    html! { <>{ before }<TermLink {word}>{ &name }</TermLink>{ after }</> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tooltips_move_no_further_than_necessary() {
        let room = [6.0, 384.0];
        assert_eq!(shift([20.0, 300.0], room), 0.0);
        assert_eq!(shift([200.0, 500.0], room), -116.0);
        assert_eq!(shift([-10.0, 100.0], room), 16.0);
        // An interval that is too long shows its beginning.
        assert_eq!(shift([100.0, 600.0], room), -94.0);
    }

    #[test]
    fn tooltips_flip_sides_without_room() {
        let room = [50.0, 700.0];
        assert_eq!(beside([100.0, 200.0], 130.0, room), 0.0);
        assert_eq!(beside([20.0, 120.0], 130.0, room), 130.0);
        // The tooltip fits neither above nor below, so it stays at the edge that it crossed.
        assert_eq!(beside([20.0, 420.0], 430.0, room), 30.0);
    }
}
