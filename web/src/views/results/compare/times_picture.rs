//! The times of all common tasks as a picture: those of one result against those of the other.

use queens_state::results::{PICTURE_CELLS, PictureCell, TimePicture, time_tick, time_ticks};
use yew::prelude::*;

use super::LETTERS;
use super::task_times::{in_slower, times_text};
use crate::place::{Address, use_address};
use crate::words::{Language, duration, grouped, tr, use_language};

/// The id of the picture.
pub const PICTURE: &str = "pair-picture";

/// The side of a cell.
const CELL: u32 = 6;
/// The side of the area between the axes.
const SIDE: u32 = CELL * PICTURE_CELLS;
/// The space at the left, below, above and at the right, where half of the last time must fit.
const LEFT: u32 = 74;
const BELOW: u32 = 48;
const MARGIN: u32 = 12;
const RIGHT: u32 = 28;
const WIDTH: u32 = LEFT + SIDE + RIGHT;
const HEIGHT: u32 = MARGIN + SIDE + BELOW;

/// The opacity of cells by their largest number of tasks.
const LEVELS: [(u32, &str); 3] = [(1, "0.6"), (9, "0.8"), (u32::MAX, "1")];

#[derive(Properties, PartialEq)]
pub struct Props {
    pub picture: TimePicture,
    /// The ids of the results in addresses.
    pub ids: [String; 2],
}

/// A cell for the tasks with nearly the same two times. On the diagonal, both took as long. A cell names its tasks in
/// its tooltip and leads to one of them.
#[component]
pub fn TimesPicture(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let Props { picture, ids } = props;
    let title = tr!(language, "results.compare.picture");
    let cells = picture.cells.iter().map(|cell| link(language, &address, ids, cell));
    html! {
        <figure class="pair-picture">
            { drawing(language, picture, &title, cells.collect()) }
            <figcaption class="hint">{ title }</figcaption>
        </figure>
    }
}

/// Renders the axes, the diagonal and the cells.
fn drawing(language: Language, picture: &TimePicture, title: &str, cells: Html) -> Html {
    let foot = MARGIN + SIDE;
    let [first, second] = LETTERS;
    html! {
        <svg
            id={PICTURE} viewBox={format!("0 0 {WIDTH} {HEIGHT}")} role="group" aria-label={title.to_owned()}
        >
            <g class="axes" font-size="13">
                <path fill="none" d={format!("M{LEFT} {MARGIN}V{foot}H{}", LEFT + SIDE)} />
                { ticks(language, picture) }
                { axis_name("end", LEFT + SIDE, foot + 42, first) }
                { axis_name("start", LEFT + 6, MARGIN + 12, second) }
            </g>
            <path
                class="pair-diagonal" fill="none" stroke-dasharray="4 4"
                d={format!("M{LEFT} {foot}L{} {MARGIN}", LEFT + SIDE)}
            />
            // By keyboard and screen reader, the list of the largest differences leads to tasks.
            <g class="pair-dots" aria-hidden="true">{ cells }</g>
        </svg>
    }
}

/// Renders a cell: a link to the task whose times differ most, in the result in which it took longer. Its tooltip has
/// the times of this task and the number of the others. The enclosing element follows the link.
fn link(language: Language, address: &Address, ids: &[String; 2], cell: &PictureCell) -> Html {
    let PictureCell { tasks, largest_gap: task, .. } = cell;
    let (id, seconds) = (task.id, task.seconds);
    let mut text = times_text(language, id, seconds).unwrap_or_else(|| {
        let time = duration(language, seconds[0]);
        tr!(language, "results.compare.task-equal", id = id, time = time)
    });
    let others = tasks.saturating_sub(1);
    if others > 0 {
        let others = grouped(others.into());
        text += language.comma();
        text += &tr!(language, "results.compare.other-tasks", count = others);
    }
    let href = in_slower(address, ids, id, seconds).to_link();
    let opacity = LEVELS.iter().find(|(most, _)| tasks <= most).map(|&(_, opacity)| opacity);
    html! {
        <a {href} tabindex="-1" fill-opacity={opacity}><title>{ text }</title><path d={square(cell)} /></a>
    }
}

/// Returns a cell as path data.
fn square(cell: &PictureCell) -> String {
    let [column, row] = cell.at;
    let [x, y] = [LEFT + column * CELL, MARGIN + SIDE - (row + 1) * CELL];
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
    let values = time_ticks(picture.scale);
    let each = values.len().div_ceil(5).max(1);
    let ticks = values.into_iter().enumerate().map(|(index, seconds)| {
        let share = picture.scale.share(seconds) * f64::from(SIDE);
        let (x, y) = (f64::from(LEFT) + share, f64::from(foot) - share);
        let name = time_tick(language, seconds);
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
    use queens_state::results::ComparedTask;

    use super::*;
    use crate::parts::rendered::{elements, rendered};
    use crate::words::plain;

    fn cell(at: [u32; 2], tasks: u32) -> PictureCell {
        let largest_gap = ComparedTask { id: 7, totals: [2; 2], seconds: [0.002, 0.5] };
        PictureCell { at, tasks, largest_gap }
    }

    #[test]
    fn a_slower_second_result_is_above_the_diagonal() {
        let cell = cell([0, PICTURE_CELLS - 1], 1);
        assert_eq!(square(&cell), format!("M{LEFT} {MARGIN}h{CELL}v{CELL}h-{CELL}z"));
    }

    #[test]
    fn a_cell_leads_to_a_task_in_the_slower_result() {
        let ids = ["a".to_owned(), "b".to_owned()];
        let shown = |tasks| {
            let link = link(Language::English, &Address::default(), &ids, &cell([0, 9], tasks));
            rendered(Language::English, link)
        };
        let text = "task 7: A 2.00 ms, B 500 ms (B took 250 times as long as A)";
        for (tasks, opacity, expected) in
            [(1, "0.6", text.to_owned()), (3, "0.8", format!("{text}, and 2 more"))]
        {
            let html = shown(tasks);
            assert_eq!(plain(&elements(&html, "title")[0].content()), expected);
            let link = &elements(&html, "href=")[0];
            let href = link.attribute("href").unwrap();
            assert!(href.contains("result=b") && href.contains("task=7"), "{href}");
            assert_eq!(link.attribute("fill-opacity").unwrap(), opacity);
        }
    }
}
