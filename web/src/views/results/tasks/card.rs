//! The selected task: its numbers, its start, and links to it in other views.

use std::rc::Rc;

use queens_core::{Queens, Size, Stepped};
use yew::prelude::*;

use crate::parts::link::Link;
use crate::place::{Address, explore_address, play_address, use_address};
use crate::words::{Language, duration, grouped, tr, use_language};
use crate::worker::{TaskDetail, TaskStart};

/// The side of a square of the board.
const SQUARE: u32 = 16;
/// The shape of a queen, as a path relative to the middle of its square.
const QUEEN: &str = "l-5 5-1.5-9 3.5 3.5 3-5.5 3 5.5 3.5-3.5-1.5 9z";

/// The id of the selected task.
pub const CARD: &str = "task-card";

#[derive(Properties, PartialEq)]
pub struct Props {
    pub detail: Rc<TaskDetail>,
    pub size: Size,
    /// The method of the result, if Explore can step through it.
    pub method: Option<Stepped>,
    /// The name of the run that the task belongs to.
    pub run: AttrValue,
}

#[component]
pub fn Card(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let TaskDetail { id, task, start, step } = &*props.detail;
    let Some(task) = task else {
        return html! {
            <p id={CARD} class="task-card">{ tr!(language, "results.tasks.none", id = id) }</p>
        };
    };
    let (total, time) = (grouped(task.total), duration(language, task.seconds));
    let start = match start {
        TaskStart::Unknown => html! {},
        TaskStart::Queens(queens) => html! {
            <>
                { prefix(language, queens) }
                { links(language, &address, queens, props.method.zip(*step)) }
            </>
        },
        TaskStart::RowSets { count, first } => html! {
            <>
                <p>{ tr!(language, "results.tasks.sets", count = count) }</p>
                { board(props.size, white_rows(props.size, first)) }
            </>
        },
    };
    html! {
        <section id={CARD} class="task-card">
            <h3>{ tr!(language, "results.tasks.chosen", id = id, total = total, time = time) }</h3>
            <p class="soft">{ &props.run }</p>
            { start }
        </section>
    }
}

/// Renders the queens that a task starts with.
fn prefix(language: Language, queens: &Queens) -> Html {
    let text = if queens.is_empty() {
        tr!(language, "results.tasks.whole")
    } else {
        tr!(language, "results.tasks.prefix")
    };
    let signs = queens.squares().map(|square| {
        let (row, column) = square.to_left();
        let [x, y] = [column, row].map(|number| number * SQUARE + SQUARE / 2);
        html! { <path class="queen" d={format!("M{x} {y}{QUEEN}")} /> }
    });
    html! {
        <>
            <p>{ text }</p>
            { board(queens.size(), signs.collect()) }
        </>
    }
}

/// Renders links to the start of the task in Explore, if its step is found, and in Play.
fn links(
    language: Language,
    address: &Address,
    queens: &Queens,
    found: Option<(Stepped, u64)>,
) -> Html {
    // The links omit the parameters of Results.
    let page = Address { language: address.language, ..Address::default() };
    let explore = found.map(|(method, step)| explore_address(&page, method, queens.size(), step));
    html! {
        <>
            if let Some(to) = explore {
                <p><Link id="task-explore" {to}>{ tr!(language, "results.tasks.explore") }</Link></p>
            }
            if !queens.is_empty() {
                <p>
                    <Link id="task-play" to={play_address(&page, *queens)}>
                        { tr!(language, "results.tasks.play") }
                    </Link>
                </p>
            }
        </>
    }
}

/// Renders the rows that have a white queen, as shades.
fn white_rows(size: Size, rows: &[u32]) -> Html {
    let width = (size.get() * SQUARE).to_string();
    let shades = rows.iter().map(|row| {
        let y = (row * SQUARE).to_string();
        html! { <rect class="white" {y} width={width.clone()} height={SQUARE.to_string()} /> }
    });
    shades.collect()
}

/// Renders a board with contents drawn on it.
fn board(size: Size, shown: Html) -> Html {
    let side = size.get() * SQUARE;
    let lines = (0..=size.get()).map(|line| {
        let line = line * SQUARE;
        format!("M0 {line}H{side}M{line} 0V{side}")
    });
    html! {
        <svg class="task-board" viewBox={format!("-1 -1 {0} {0}", side + 2)} aria-hidden="true">
            <path class="grid" d={lines.collect::<String>()} />
            { shown }
        </svg>
    }
}
