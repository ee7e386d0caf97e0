//! The map of tasks: a cell's area shows the time of its tasks, and its colour their solutions per
//! second.

use std::rc::Rc;

use queens_state::results::layout::{Cell, DrawnCell, SIDES, layout};
use web_sys::Element;
use yew::prelude::*;

use crate::words::{Language, duration, grouped, tr, use_language};
use crate::worker::TaskSummary;

/// The id of the picture.
pub const PICTURE: &str = "task-map";

/// The classes of the colours, from few to many solutions per second, and the colours on white for
/// saved pictures.
const LEVELS: [(&str, &str); 5] = [
    ("level-0", "#f1ead2"),
    ("level-1", "#d9d08f"),
    ("level-2", "#9fc08a"),
    ("level-3", "#4f9d8f"),
    ("level-4", "#1f6f8b"),
];
/// The ranges of the levels: solutions per second relative to the median of all cells.
const RANGES: [&[&str]; 5] = [&["< ½"], &["½", "0.8"], &["0.8", "1.25"], &["1.25", "2"], &["> 2"]];

#[derive(Properties, PartialEq)]
pub struct Props {
    pub summary: Rc<TaskSummary>,
    pub chosen: Option<u32>,
    /// Receives the id of a task that the user clicks.
    pub on_choose: Callback<String>,
}

#[component]
pub fn TaskMap(props: &Props) -> Html {
    let language = use_language();
    let Props { summary, chosen, on_choose } = props;
    let places = use_memo(Rc::clone(summary), |summary| layout(&summary.cells));
    let [width, height] = SIDES;
    let title = tr!(language, "results.tasks.map");
    // One listener serves hundreds of cells.
    let onclick = {
        let on_choose = on_choose.clone();
        Callback::from(move |event: MouseEvent| {
            let cell = event.target_dyn_into::<Element>();
            if let Some(id) = cell.and_then(|cell| cell.get_attribute("data-task")) {
                on_choose.emit(id);
            }
        })
    };
    let cells = summary.cells.iter().zip(places.iter());
    let cells = cells.map(|(each, place)| {
        let is_chosen = chosen.is_some_and(|id| (each.ids[0]..=each.ids[1]).contains(&id));
        cell(language, each, *place, is_chosen)
    });
    html! {
        <figure>
            <svg
                id={PICTURE} class="task-map" viewBox={format!("0 0 {width} {height}")}
                role="img" aria-label={title.clone()} {onclick}
            >
                <g class="cells" stroke="#fff" font-family="sans-serif">{ for cells }</g>
            </svg>
            <figcaption class="hint">
                { title }
                if summary.outliers > 0 {
                    { language.space() }{ tr!(language, "results.tasks.map-outliers") }
                }
                <br />{ legend(language) }
                if summary.per_cell > 1 {
                    <br />{ tr!(language, "results.tasks.each", each = summary.per_cell) }
                }
            </figcaption>
        </figure>
    }
}

fn cell(language: Language, cell: &Cell, place: DrawnCell, is_chosen: bool) -> Html {
    let Cell { ids: [first, last], total, seconds, has_outlier, slowest } = *cell;
    let DrawnCell { left, top, width, height, level } = place;
    let ids = if first == last {
        first.to_string()
    } else {
        [first, last].map(|id| id.to_string()).join(language.dash())
    };
    let (time, total) = (duration(language, seconds), grouped(total));
    let title = tr!(language, "results.tasks.cell", ids = ids, time = time, total = total);
    let title = if first == last {
        title
    } else {
        tr!(language, "results.tasks.cell-slowest", cell = title, id = slowest)
    };
    let (class, colour) = LEVELS.get(level).copied().unwrap_or_default();
    html! {
        <>
            <rect
                class={classes!(class, has_outlier.then_some("outlier"))} fill={colour}
                data-task={slowest.to_string()} data-chosen={is_chosen.then_some("")}
                x={format!("{left:.2}")} y={format!("{top:.2}")}
                width={format!("{width:.2}")} height={format!("{height:.2}")}
            >
                <title>{ title }</title>
            </rect>
            if has_outlier {
                <text
                    class="mark" stroke="none" fill="#2348c9" font-size="15" font-weight="700"
                    x={format!("{:.2}", left + 3.0)} y={format!("{:.2}", top + 14.0)}
                >
                    { "!" }
                </text>
            }
        </>
    }
}

fn legend(language: Language) -> Html {
    let levels = LEVELS.into_iter().zip(RANGES).map(|((class, _), range)| {
        html! { <span class={classes!("key", class)}>{ range.join(language.dash()) }</span> }
    });
    html! { <>{ tr!(language, "results.tasks.colours") }{ " " }{ for levels }</> }
}
