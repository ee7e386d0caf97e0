//! The times of all common tasks as a picture: those of one result against those of the other.

use queens_worker::{PICTURE_CELLS, PictureCell, TimePicture};
use yew::prelude::*;

use super::LETTERS;
use crate::parts::chart::model::{time_tick, time_ticks};
use crate::words::{Language, tr, use_language};

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
}

/// A cell for the tasks with nearly the same two times. On the diagonal, both took as long.
#[component]
pub fn TimesPicture(props: &Props) -> Html {
    let language = use_language();
    let Props { picture } = props;
    let title = tr!(language, "results.compare.picture");
    html! {
        <figure class="pair-picture">
            { drawing(language, picture, &title) }
            <figcaption class="hint">{ title }</figcaption>
        </figure>
    }
}

/// Renders the axes, the diagonal and the cells.
fn drawing(language: Language, picture: &TimePicture, title: &str) -> Html {
    let foot = MARGIN + SIDE;
    let [first, second] = LETTERS;
    html! {
        <svg
            id={PICTURE} viewBox={format!("0 0 {WIDTH} {HEIGHT}")} role="img" aria-label={title.to_owned()}
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
            { dots(&picture.cells) }
        </svg>
    }
}

/// Renders the cells: a path for each level, because thousands of elements, one for each cell, are slow to draw.
fn dots(cells: &[PictureCell]) -> Html {
    let mut least = 1;
    let levels = LEVELS.map(|(most, opacity)| {
        let cells = cells.iter().filter(|cell| (least..=most).contains(&cell.tasks));
        let d: String = cells.map(square).collect();
        least = most.saturating_add(1);
        html! { <path fill-opacity={opacity} {d} /> }
    });
    html! { <g class="pair-dots">{ for levels }</g> }
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
    use super::*;
    use crate::parts::rendered::{elements, rendered};

    #[test]
    fn cells_with_more_tasks_are_darker_and_a_slower_second_result_is_above_the_diagonal() {
        let cell = |at, tasks| PictureCell { at, tasks };
        let cells = [cell([0, PICTURE_CELLS - 1], 1), cell([1, 0], 9), cell([2, 0], 10)];
        let html = rendered(Language::English, dots(&cells));
        let paths = elements(&html, "path ");
        let path =
            |level: usize| ["fill-opacity", "d"].map(|name| paths[level].attribute(name).unwrap());
        assert_eq!(paths.len(), LEVELS.len(), "{html}");
        for (level, (_, opacity)) in LEVELS.into_iter().enumerate() {
            assert_eq!(path(level), [opacity.to_owned(), square(&cells[level])]);
        }
        assert_eq!(path(0)[1], format!("M{LEFT} {MARGIN}h{CELL}v{CELL}h-{CELL}z"));
    }
}
