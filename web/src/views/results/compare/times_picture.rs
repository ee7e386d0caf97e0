//! The times of all common tasks as a picture: those of one result against those of the other.

use std::rc::Rc;

use queens_state::results::{PICTURE_CELLS, PictureCell, TimePicture, time_tick, time_ticks};
use yew::prelude::*;

use super::names::LETTERS;
use super::task_times::{in_slower, times_text};
use crate::parts::marks::{Mark, Marked, OWN_LINK, Value};
use crate::parts::plot::Look;
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

/// A cell for the tasks with nearly the same two times. On the diagonal, both took as long. The cell that is pointed
/// at, tapped or reached by the arrow keys has its tasks above the picture.
#[component]
pub fn TimesPicture(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let Props { picture, ids } = props;
    let marks: Rc<[Mark]> = picture.cells.iter().map(mark).collect();
    let value = {
        let (cells, ids) = (picture.cells.clone(), ids.clone());
        Callback::from(move |index: usize| {
            Some(tasks_of_cell(language, &address, &ids, cells.get(index)?))
        })
    };
    let title = tr!(language, "results.compare.picture");
    html! {
        <figure class="pair-picture">
            <Marked
                id="pair" view_box={[0, 0, WIDTH, HEIGHT].map(f64::from)} {marks} {value} title={title.clone()}
                hint={tr!(language, "results.compare.choose-cell")}
            >
                { drawing(language, picture, &title) }
            </Marked>
            <figcaption class="hint">{ title }</figcaption>
        </figure>
    }
}

/// Renders the axes, the diagonal and the cells.
fn drawing(language: Language, picture: &TimePicture, title: &str) -> Html {
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
        <svg
            id={PICTURE} viewBox={format!("0 0 {WIDTH} {HEIGHT}")} role="img" aria-label={title.to_owned()}
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
    }
}

/// Returns the mark of a cell: a line for each column, from which the arrow keys lead to the next one.
fn mark(cell: &PictureCell) -> Mark {
    let [column, row] = cell.at;
    let half = f64::from(CELL) / 2.0;
    Mark {
        key: format!("cell-{column}-{row}"),
        line: column as usize,
        n: row,
        at: corner(cell).map(|end| f64::from(end) + half),
        look: Look::of_line(0),
    }
}

/// Says the times of the task of a cell whose times differ most, with a link to it in the slower result, and the
/// number of the other tasks.
fn tasks_of_cell(
    language: Language,
    address: &Address,
    ids: &[String; 2],
    PictureCell { tasks, largest_gap: task, .. }: &PictureCell,
) -> Value {
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
    let link = html! {
        <>
            { language.space() }
            <a class={classes!("chart-link", OWN_LINK)} {href}>{ tr!(language, "results.compare.open-cell") }</a>
        </>
    };
    Value { text, link, spoken: String::new() }
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
    use std::collections::BTreeSet;

    use queens_state::results::ComparedTask;

    use super::*;
    use crate::parts::rendered::{elements, rendered};
    use crate::words::plain;

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
        let largest_gap = ComparedTask { id: 7, totals: [2; 2], seconds: [0.002, 0.5] };
        PictureCell { at, tasks, largest_gap }
    }

    #[test]
    fn a_slower_second_result_is_above_the_diagonal() {
        let cell = cell([0, PICTURE_CELLS - 1], 1);
        assert_eq!(square(&cell), format!("M{LEFT} {MARGIN}h{CELL}v{CELL}h-{CELL}z"));
    }

    #[test]
    fn a_mark_is_in_the_middle_of_its_cell() {
        let mark = mark(&cell([0, PICTURE_CELLS - 1], 1));
        assert_eq!(mark.at, [LEFT + CELL / 2, MARGIN + CELL / 2].map(f64::from));
        assert_eq!((mark.line, mark.n), (0, PICTURE_CELLS - 1));
    }

    #[test]
    fn a_chosen_cell_leads_to_a_task_in_the_slower_result() {
        let ids = ["a".to_owned(), "b".to_owned()];
        let value = |tasks| {
            tasks_of_cell(Language::English, &Address::default(), &ids, &cell([0, 9], tasks))
        };
        let text = "task 7: A 2.00 ms, B 500 ms (B took 250 times as long as A)";
        assert_eq!(plain(&value(1).text), text);
        assert_eq!(plain(&value(3).text), format!("{text}, and 2 more"));
        let link = rendered(Language::English, value(1).link);
        let href = elements(&link, "href=")[0].attribute("href").unwrap();
        assert!(href.contains("result=b") && href.contains("task=7"), "{href}");
    }
}
