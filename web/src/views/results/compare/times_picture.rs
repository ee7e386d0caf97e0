//! The times of all common tasks as a picture: those of one result against those of the other.

use queens_state::results::{PICTURE_CELLS, PictureCell, Quantity, TimePicture};
use yew::prelude::*;

use crate::words::{Language, tr, use_language};

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

/// The opacity of cells by their largest number of tasks.
const LEVELS: [(u32, &str); 3] = [(1, "0.6"), (9, "0.8"), (u32::MAX, "1")];

#[derive(Properties, PartialEq)]
pub struct Props {
    pub picture: TimePicture,
    /// The short names of the results.
    pub names: [String; 2],
}

/// A cell for the tasks with nearly the same two times. On the diagonal, both took as long.
#[component]
pub fn TimesPicture(props: &Props) -> Html {
    let language = use_language();
    let Props { picture, names: [first, second] } = props;
    let title = tr!(language, "results.compare.picture", first = first, second = second);
    let (width, height) = (LEFT + SIDE + MARGIN, MARGIN + SIDE + BELOW);
    let foot = MARGIN + SIDE;
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
                id={PICTURE} viewBox={format!("0 0 {width} {height}")} role="img"
                aria-label={title.clone()}
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
            </svg>
            <figcaption class="hint">{ title }</figcaption>
        </figure>
    }
}

/// Returns a cell as path data.
fn square(cell: &PictureCell) -> String {
    let [column, row] = cell.at;
    let (x, y) = (LEFT + column * CELL, MARGIN + SIDE - (row + 1) * CELL);
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
    use crate::parts::rendered::{elements, rendered};

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
            let names = ["a.json".to_owned(), "b.json".to_owned()];
            let html =
                rendered(language, html! { <TimesPicture picture={picture.clone()} {names} /> });
            let dots = elements(&html, "class=\"pair-dots\"");
            let level =
                |cell: &PictureCell| LEVELS.iter().position(|&(most, _)| cell.tasks <= most);
            let levels: BTreeSet<_> = picture.cells.iter().map(level).collect();
            assert!(levels.len() > 1);
            assert_eq!(dots.len(), levels.len());
            let cells =
                dots.iter().flat_map(|path| path.attribute("d")).map(|d| d.matches('M').count());
            assert_eq!(cells.sum::<usize>(), picture.cells.len());
            let title = elements(&html, "role=\"img\"")[0].attribute("aria-label").unwrap();
            assert!(title.contains("a.json") && title.contains("b.json"), "{title}");
        }
    }

    #[test]
    fn a_slower_second_result_is_above_the_diagonal() {
        let cell = PictureCell { at: [0, PICTURE_CELLS - 1], tasks: 1 };
        assert_eq!(square(&cell), format!("M{LEFT} {MARGIN}h{CELL}v{CELL}h-{CELL}z"));
    }
}
