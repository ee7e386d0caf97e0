//! The values of a chart's marks: by pointer, tap and keyboard. Enter follows the link of the chosen mark.
//!
//! The picture itself has neither listeners nor focusable elements. A second picture above it has the ring
//! around the chosen mark, which is also the only tab stop. So a chart of hundreds of marks stays fast, and a
//! saved picture has no ring.

use std::rc::Rc;

use web_sys::{Element, MouseEvent};
use yew::prelude::*;

use super::plot::Look;
use crate::browser::{click_link, focus_in_place};

/// The largest distance between the pointer and a mark that it chooses, in pixels: about half the width of a fingertip.
const REACH: f64 = 22.0;

/// A mark of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Identifies the mark, also after the chart has changed.
    pub key: String,
    /// The number of the mark's line. The marks of a line follow each other in ascending order of N.
    pub line: usize,
    pub n: u32,
    /// The coordinates in the picture.
    pub at: [f64; 2],
    pub look: Look,
}

/// The value of a mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    pub text: String,
    /// A link after the text.
    pub link: Html,
    /// The text of the link that screen readers read after `text`; empty if that of the value suffices.
    pub spoken: String,
}

/// The class of the link that belongs to the chosen mark itself.
pub const OWN_LINK: &str = "chart-open";

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The start of the ids.
    pub id: &'static str,
    /// The `viewBox` of the picture: the coordinates of its corner, its width and its height.
    pub view_box: [f64; 4],
    pub marks: Rc<[Mark]>,
    /// Returns the value of the mark with this index.
    pub value: Callback<usize, Option<Value>>,
    /// The name of the chart.
    pub title: AttrValue,
    /// The text above the picture until a mark is chosen.
    pub hint: AttrValue,
    /// The key of the mark that is chosen from the start.
    #[prop_or_default]
    pub chosen: Option<String>,
    /// The picture.
    pub children: Html,
}

/// A chart's picture whose marks have values. The mark that was pointed at, tapped or focused last has a ring,
/// and its value is above the picture. A click on a mark holds it, so that the pointer can reach the link after
/// the value; a click elsewhere in the picture releases it.
#[component]
pub fn Marked(props: &Props) -> Html {
    let chosen = use_state_eq(|| props.chosen.clone());
    // A mark to which the user returns is as if it had been clicked.
    let is_held = use_state_eq(|| props.chosen.is_some());
    let Props { id, marks, hint, .. } = props;
    let current = chosen.as_ref().and_then(|key| marks.iter().position(|mark| mark.key == *key));
    let value = current.and_then(|index| props.value.emit(index));
    let point = format!("{id}-point");
    let choose = {
        let (marks, setter) = (Rc::clone(marks), chosen.setter());
        Callback::from(move |index: usize| {
            if let Some(mark) = marks.get(index) {
                setter.set(Some(mark.key.clone()));
            }
        })
    };
    let near = {
        let (marks, view_box) = (Rc::clone(marks), props.view_box);
        move |event: &MouseEvent| {
            let (at, pixel) = place(event, view_box)?;
            nearest(&marks, at, REACH * pixel)
        }
    };
    let onpointermove = {
        let (near, choose, is_held) = (near.clone(), choose.clone(), *is_held);
        Callback::from(move |event: PointerEvent| {
            if let Some(index) = near(&event).filter(|_| !is_held) {
                choose.emit(index);
            }
        })
    };
    let onclick = {
        let (choose, point, hold) = (choose.clone(), point.clone(), is_held.setter());
        Callback::from(move |event: MouseEvent| {
            let found = near(&event);
            hold.set(found.is_some());
            if let Some(index) = found {
                // The arrow keys continue from here. The focus may choose another mark first.
                focus_in_place(&point);
                choose.emit(index);
            }
        })
    };
    let text = value.as_ref().map_or_else(|| hint.clone(), |value| value.text.clone().into());
    let spoken = value.as_ref().map(|value| value.spoken.as_str()).unwrap_or_default();
    let spoken: AttrValue = [text.as_str(), spoken].concat().into();
    html! {
        <>
            // Above the picture, because the lower end of a large picture may be outside the window.
            <p class="chart-value" id={value_id(id)} data-chosen={value.is_some().to_string()}>
                <span>{ text }</span>
                if let Some(value) = value { { value.link } }
            </p>
            <div class="chart-frame" {onpointermove} {onclick}>
                { props.children.clone() }
                <svg class="chart-picture chart-ring" viewBox={props.view_box.map(|each| each.to_string()).join(" ")}>
                    { ring(props, point, current, spoken, choose) }
                </svg>
            </div>
        </>
    }
}

/// Returns the id of the line with the value of the chosen mark.
fn value_id(id: &str) -> String {
    format!("{id}-value")
}

/// Renders the tab stop: the ring around the chosen mark. Until a mark is chosen, and after the chosen one has
/// disappeared, the ring is invisible at the first one.
fn ring(
    props: &Props,
    id: String,
    chosen: Option<usize>,
    text: AttrValue,
    choose: Callback<usize>,
) -> Html {
    let Props { marks, title, .. } = props;
    let index = chosen.unwrap_or(0);
    let Some(mark) = marks.get(index) else { return html! {} };
    let [x, y] = mark.at.map(|at| format!("{at:.1}"));
    let onfocusin = choose.reform(move |_: FocusEvent| index);
    let onkeydown = {
        let (marks, value_id) = (Rc::clone(marks), value_id(props.id));
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key() {
                return;
            }
            if event.key() == "Enter" {
                // The values of the marks at the same place have links, too.
                click_link(&format!("#{value_id} .{OWN_LINK}"));
                return;
            }
            if let Some(next) = neighbour(&marks, index, &event.key()) {
                event.prevent_default();
                choose.emit(next);
            }
        })
    };
    html! {
        // A slider, because screen readers read its text again when an arrow key changes it.
        <g
            {id} class={classes!("point", mark.look.class)} tabindex="0" role="slider" aria-label={title}
            aria-valuemin="1" aria-valuemax={marks.len().to_string()} aria-valuenow={(index + 1).to_string()}
            aria-valuetext={text} data-key={chosen.map(|_| mark.key.clone())} {onfocusin} {onkeydown}
        >
            <circle
                cx={x} cy={y} r="9" fill="none" stroke-width="1.5"
                stroke={chosen.is_none().then_some("none")}
            />
        </g>
    }
}

/// Returns the place of the pointer, and the length of a pixel, in units of the picture.
fn place(event: &MouseEvent, [left, top, width, height]: [f64; 4]) -> Option<([f64; 2], f64)> {
    let frame = event.target_dyn_into::<Element>()?.closest(".chart-frame").ok()??;
    let picture = frame.query_selector(".chart-ring").ok()??.get_bounding_client_rect();
    let share_x = (f64::from(event.client_x()) - picture.left()) / picture.width();
    let share_y = (f64::from(event.client_y()) - picture.top()) / picture.height();
    Some(([left + share_x * width, top + share_y * height], width / picture.width()))
}

/// Returns the index of the mark that is nearest to a place, if it is at most `reach` away.
fn nearest(marks: &[Mark], [x, y]: [f64; 2], reach: f64) -> Option<usize> {
    let distance = |mark: &Mark| (mark.at[0] - x).hypot(mark.at[1] - y);
    let distances = marks.iter().map(distance).enumerate();
    let near = distances.filter(|&(_, distance)| distance <= reach);
    // Of several marks at one place, the one drawn last is visible.
    near.min_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(index, _)| index)
}

/// Returns the index of the mark to which a key leads: left and right to the previous and the next mark, up and
/// down to the nearest N of the previous and the next line.
fn neighbour(marks: &[Mark], index: usize, key: &str) -> Option<usize> {
    let Mark { line, n, .. } = marks.get(index)?;
    let in_line = |to: usize| {
        let of_line = marks.iter().enumerate().filter(|(_, mark)| mark.line == to);
        of_line.min_by_key(|(_, mark)| mark.n.abs_diff(*n)).map(|(index, _)| index)
    };
    match key {
        "ArrowRight" => Some(index + 1).filter(|&next| next < marks.len()),
        "ArrowLeft" => index.checked_sub(1),
        "ArrowUp" => in_line(marks.iter().rfind(|mark| mark.line < *line)?.line),
        "ArrowDown" => in_line(marks.iter().find(|mark| mark.line > *line)?.line),
        "Home" => Some(0),
        "End" => marks.len().checked_sub(1),
        _ => None,
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    fn marks() -> Vec<Mark> {
        let places = [
            (0, 8, [10.0, 90.0]),
            (0, 9, [50.0, 60.0]),
            (2, 9, [50.0, 60.0]),
            (2, 11, [90.0, 5.0]),
        ];
        let mark = |(line, n, at)| Mark {
            key: format!("{line}-{n}"),
            line,
            n,
            at,
            look: Look::of_line(line),
        };
        places.map(mark).into()
    }

    #[test]
    fn the_pointer_chooses_the_nearest_mark_within_reach() {
        let marks = marks();
        assert_eq!(nearest(&marks, [13.0, 86.0], 12.0), Some(0));
        assert_eq!(nearest(&marks, [10.0, 77.0], 12.0), None);
        // The mark that is drawn above the other one.
        assert_eq!(nearest(&marks, [50.0, 61.0], 12.0), Some(2));
        assert_eq!(nearest(&[], [0.0; 2], 12.0), None);
    }

    #[test]
    fn arrow_keys_move_from_mark_to_mark_and_from_line_to_line() {
        let marks = marks();
        let keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "x"];
        let from = |index| keys.map(|key| neighbour(&marks, index, key));
        assert_eq!(from(0), [None, Some(1), None, Some(2), Some(0), Some(3), None]);
        assert_eq!(from(1), [Some(0), Some(2), None, Some(2), Some(0), Some(3), None]);
        assert_eq!(from(3), [Some(2), None, Some(1), None, Some(0), Some(3), None]);
        assert_eq!(from(4), [None; 7]);
    }
}
