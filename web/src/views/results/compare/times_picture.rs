//! The times of all common tasks as a picture: those of one result against those of the other.

use queens_state::results::{PICTURE_CELLS, PictureCell, Quantity, TimePicture};
use web_sys::Element;
use yew::prelude::*;

use super::names::LETTERS;
use super::task_times::{in_slower, times_text};
use crate::parts::marks::{REACH, place_in};
use crate::place::{Address, use_address};
use crate::views::results::last_opened;
use crate::words::{Language, duration, grouped, tr, use_language};

/// The id of the picture.
pub const PICTURE: &str = "pair-picture";

/// The side of a cell.
const CELL: u32 = 6;
/// The side of the area between the axes.
const SIDE: u32 = CELL * PICTURE_CELLS;
/// The space at the left, below, at the right and above.
const LEFT: u32 = 74;
const BELOW: u32 = 48;
const MARGIN: u32 = 12;
const WIDTH: u32 = LEFT + SIDE + MARGIN;
const HEIGHT: u32 = MARGIN + SIDE + BELOW;

/// The opacity of cells by their largest number of tasks.
const LEVELS: [(u32, &str); 3] = [(1, "0.6"), (9, "0.8"), (u32::MAX, "1")];

#[derive(Properties, PartialEq)]
pub struct Props {
    pub picture: TimePicture,
    /// The ids of the results in addresses.
    pub ids: [String; 2],
}

/// A cell for the tasks with nearly the same two times. On the diagonal, both took as long. A pointer chooses the
/// nearest cell, whose tasks are named below the squares. A click or a tap holds the cell, so that the pointer can
/// reach the link; a click elsewhere in the picture releases it.
#[component]
pub fn TimesPicture(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let Props { picture, ids } = props;
    let chosen = use_state_eq(|| last_chosen(&picture.cells));
    let is_held = use_state_eq(|| false);
    let on_pointer = {
        let (cells, chosen, is_held) = (picture.cells.clone(), chosen.setter(), is_held.clone());
        move |event: PointerEvent, is_click: bool| {
            let found = place(&event).and_then(|(at, pixel)| nearest(&cells, at, REACH * pixel));
            if is_click {
                is_held.set(found.is_some());
            }
            if found.is_some() && (is_click || !*is_held) {
                chosen.set(found);
            }
        }
    };
    let onpointerdown = {
        let on_pointer = on_pointer.clone();
        Callback::from(move |event| on_pointer(event, true))
    };
    let onpointermove = Callback::from(move |event| on_pointer(event, false));
    let cell = chosen.and_then(|index| picture.cells.get(index));
    let title = tr!(language, "results.compare.picture");
    let foot = MARGIN + SIDE;
    let [first, second] = LETTERS;
    let mut least = 0;
    let dots = LEVELS.map(|(most, opacity)| {
        let is_level = |cell: &&PictureCell| cell.tasks > least && cell.tasks <= most;
        let path: String = picture.cells.iter().filter(is_level).map(square).collect();
        least = most;
        html! { if !path.is_empty() { <path class="pair-dots" fill="#0b5fa5" fill-opacity={opacity} d={path} /> } }
    });
    html! {
        <figure class="pair-picture">
            <svg
                id={PICTURE} viewBox={format!("0 0 {WIDTH} {HEIGHT}")} role="img"
                aria-label={title.clone()} {onpointermove} {onpointerdown}
            >
                <g class="axes" fill="#575b61" stroke="#d8d3c6" font-family="sans-serif" font-size="13">
                    <path fill="none" d={format!("M{LEFT} {MARGIN}V{foot}H{}", LEFT + SIDE)} />
                    { ticks(language, picture) }
                    { axis_name("end", LEFT + SIDE, foot + 42, first) }
                    { axis_name("start", LEFT + 6, MARGIN + 12, second) }
                </g>
                <path
                    class="pair-diagonal" fill="none" stroke="#575b61" stroke-dasharray="4 4"
                    d={format!("M{LEFT} {foot}L{} {MARGIN}", LEFT + SIDE)}
                />
                { for dots }
                if let Some(cell) = cell {
                    <path class="pair-cell" fill="none" stroke="#1b1d20" stroke-width="2" d={square(cell)} />
                }
            </svg>
            { tasks_of_cell(language, &address, ids, cell) }
            <figcaption class="hint">{ title }</figcaption>
        </figure>
    }
}

/// Renders the task of the chosen cell whose times differ most, as a link to it in the slower result, and the number
/// of its other tasks.
fn tasks_of_cell(
    language: Language,
    address: &Address,
    ids: &[String; 2],
    cell: Option<&PictureCell>,
) -> Html {
    let Some(PictureCell { tasks, widest, .. }) = cell else {
        return html! { <p class="pair-cell-tasks soft">{ tr!(language, "results.compare.choose-cell") }</p> };
    };
    let (id, seconds) = (widest.id, widest.seconds);
    let text = times_text(language, id, seconds).unwrap_or_else(|| {
        let time = duration(language, seconds[0]);
        tr!(language, "results.compare.task-equal", id = id, time = time)
    });
    let href = in_slower(address, ids, id, seconds).to_link();
    let others = tasks.saturating_sub(1);
    html! {
        <p class="pair-cell-tasks" role="status">
            <a id={format!("{CELL_LINK}{id}")} {href}>{ text }</a>
            if others > 0 {
                { language.space() }
                { tr!(language, "results.compare.other-tasks", count = grouped(others.into())) }
            }
        </p>
    }
}

/// The start of the id of the link to the task of the chosen cell.
const CELL_LINK: &str = "pair-cell-";

/// Returns the index of the cell with whose link the user opened a task last.
fn last_chosen(cells: &[PictureCell]) -> Option<usize> {
    let link = last_opened::link()?;
    let id: u32 = link.strip_prefix(CELL_LINK)?.parse().ok()?;
    cells.iter().position(|cell| cell.widest.id == id)
}

/// Returns the place of a pointer, and the length of a pixel, in units of the picture.
fn place(event: &PointerEvent) -> Option<([f64; 2], f64)> {
    let picture = event.target_dyn_into::<Element>()?.closest("svg").ok()??;
    let view_box = [0, 0, WIDTH, HEIGHT].map(f64::from);
    Some(place_in(&picture, event, view_box))
}

/// Returns the index of the cell nearest to a place in the picture; `None` if all are farther away than `reach`.
fn nearest(cells: &[PictureCell], [x, y]: [f64; 2], reach: f64) -> Option<usize> {
    let distance = |cell: &PictureCell| {
        let [left, top] = corner(cell).map(f64::from);
        let half = f64::from(CELL) / 2.0;
        (left + half - x).hypot(top + half - y)
    };
    let cells = cells.iter().map(distance).enumerate();
    let (index, distance) = cells.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (distance <= reach).then_some(index)
}

/// Returns the left and the upper end of a cell.
fn corner(cell: &PictureCell) -> [u32; 2] {
    let [column, row] = cell.at;
    [LEFT + column * CELL, MARGIN + SIDE - (row + 1) * CELL]
}

/// Returns a cell as path data.
fn square(cell: &PictureCell) -> String {
    let [x, y] = corner(cell);
    format!("M{x} {y}h{CELL}v{CELL}h-{CELL}z")
}

fn axis_name(anchor: &'static str, x: u32, y: u32, name: &str) -> Html {
    html! {
        <text stroke="none" text-anchor={anchor} x={x.to_string()} y={y.to_string()}>{ name }</text>
    }
}

/// Renders the ticks of both axes, which have the same scale.
fn ticks(language: Language, picture: &TimePicture) -> Html {
    let foot = MARGIN + SIDE;
    // The names of times are wide, so the horizontal axis has at most five.
    let values = Quantity::Time.ticks(picture.scale);
    let each = values.len().div_ceil(5).max(1);
    let ticks = values.into_iter().enumerate().map(|(index, seconds)| {
        let share = picture.scale.share(seconds) * f64::from(SIDE);
        let (x, y) = (f64::from(LEFT) + share, f64::from(foot) - share);
        let name = Quantity::Time.tick(language, seconds);
        html! {
            <>
                <path d={format!("M{LEFT} {y:.1}h-5M{x:.1} {foot}v5")} />
                <text stroke="none" text-anchor="end" x={(LEFT - 8).to_string()} y={format!("{:.1}", y + 4.5)}>
                    { name.clone() }
                </text>
                if index % each == 0 {
                    <text stroke="none" text-anchor="middle" x={format!("{x:.1}")} y={(foot + 20).to_string()}>
                        { name }
                    </text>
                }
            </>
        }
    });
    ticks.collect()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::collections::BTreeSet;

    use queens_state::results::ComparedTask;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};

    #[test]
    fn many_tasks_are_a_few_elements() {
        let task = |id: u32| ComparedTask {
            id,
            totals: [2; 2],
            seconds: [f64::from(id % 97 + 1) * 1e-3, f64::from(id % 89 + 1) * 2e-3],
        };
        let tasks: Vec<_> = (0..20_000).map(task).collect();
        let picture = TimePicture::new(&tasks).unwrap();
        for language in Language::ALL {
            let ids = ["a".to_owned(), "b".to_owned()];
            let html =
                rendered(language, html! { <TimesPicture picture={picture.clone()} {ids} /> });
            let dots = elements(&html, "class=\"pair-dots\"");
            let level =
                |cell: &PictureCell| LEVELS.iter().position(|&(most, _)| cell.tasks <= most);
            let levels: BTreeSet<_> = picture.cells.iter().map(level).collect();
            assert!(levels.len() > 1);
            assert_eq!(dots.len(), levels.len());
            let cells =
                dots.iter().flat_map(|path| path.attribute("d")).map(|d| d.matches('M').count());
            assert_eq!(cells.sum::<usize>(), picture.cells.len());
        }
    }

    fn cell(at: [u32; 2], tasks: u32) -> PictureCell {
        let widest = ComparedTask { id: 7, totals: [2; 2], seconds: [0.002, 0.5] };
        PictureCell { at, tasks, widest }
    }

    #[test]
    fn a_slower_second_result_is_above_the_diagonal() {
        let cell = cell([0, PICTURE_CELLS - 1], 1);
        assert_eq!(square(&cell), format!("M{LEFT} {MARGIN}h{CELL}v{CELL}h-{CELL}z"));
    }

    #[test]
    fn a_pointer_chooses_the_nearest_cell() {
        let cells = [cell([0, PICTURE_CELLS - 1], 1), cell([3, PICTURE_CELLS - 1], 1)];
        let at = |x: u32, y: u32| nearest(&cells, [LEFT + x, MARGIN + y].map(f64::from), 22.0);
        assert_eq!(at(0, 0), Some(0));
        assert_eq!(at(3 * CELL, CELL), Some(1));
        assert_eq!(at(SIDE, SIDE), None);
        assert_eq!(nearest(&[], [0.0; 2], 22.0), None);
    }

    #[test]
    fn the_chosen_cell_leads_to_a_task_in_the_slower_result() {
        let ids = ["a".to_owned(), "b".to_owned()];
        let shown = |language, cell: Option<PictureCell>| {
            let html = tasks_of_cell(language, &Address::default(), &ids, cell.as_ref());
            rendered(language, html)
        };
        let html = shown(Language::English, Some(cell([0, 9], 3)));
        let link = &elements(&html, "href=")[0];
        let href = link.attribute("href").unwrap();
        assert!(href.contains("result=b") && href.contains("task=7"), "{href}");
        assert_eq!(link.content(), "task 7: A 2.00 ms, B 500 ms (B took 250 times as long as A)");
        assert!(texts(&html).contains("and 2 more"), "{html}");
        assert!(shown(Language::Japanese, None).contains("soft"));
    }
}
