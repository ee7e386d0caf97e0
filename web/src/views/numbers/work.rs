//! The work of the methods with steps on two boards, counted while the table is open.

use queens_core::{Size, Stepped};
use yew::prelude::*;

use super::ratio;
use crate::address::{Address, ExploreLayout, View, use_address};
use crate::parts::link::Link;
use crate::parts::table::{Column, cells, framed, heads};
use crate::words::{Language, grouped, numbered_method, tr, use_language};
use crate::worker::{Answer, Effort, Request, use_job};

/// The two boards, one row more in the second one. Even the search of all boards ends in seconds.
const BOARDS: [u32; 2] = [7, 8];

/// What the search of a method did on each board; `None` where it has not ended.
type Row = (Stepped, [Option<u64>; 2]);

#[component]
pub fn Work() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let efforts = [use_efforts(BOARDS[0]), use_efforts(BOARDS[1])];
    let rows = Stepped::ALL.iter().enumerate().map(|(index, &method)| {
        let placed = |efforts: &Vec<Effort>| {
            let effort = efforts.get(index).filter(|effort| effort.has_ended);
            effort.map(|effort| effort.placed)
        };
        let row = (method, efforts.each_ref().map(placed));
        html! { <tr data-method={method.id()}>{ cells(&COLUMNS, &language, &row) }</tr> }
    });
    let name = tr!(language, "numbers.work");
    let layout = ExploreLayout { work: true, ..ExploreLayout::default() };
    let other_boards = Address { layout, ..address.with_view(View::Explore) };
    html! {
        <section>
            <h2 id="work">{ &name }</h2>
            <p>{ tr!(language, "numbers.work-lead") }</p>
            { framed("work-table", name, heads(language, &COLUMNS), rows.collect()) }
            <p class="hint">
                { tr!(language, "numbers.work-source") }{ language.space() }
                <Link to={other_boards}>{ tr!(language, "numbers.other-boards") }</Link>
            </p>
        </section>
    }
}

const COLUMNS: [Column<Language, Row>; 4] = [
    Column::new("numbers.method", "", |language, (method, _)| {
        html! { numbered_method(*language, *method) }
    }),
    Column::new("N = 7", "", |_, (_, [first, _])| number(*first)),
    Column::new("N = 8", "", |_, (_, [_, second])| number(*second)),
    Column::new("numbers.one-more", "", |_, (_, [first, second])| {
        let both = first.zip(*second);
        html! { both.map_or_else(|| "–".to_owned(), |(first, second)| ratio(second, first)) }
    }),
];

fn number(placed: Option<u64>) -> Html {
    html! { placed.map_or_else(|| "–".to_owned(), grouped) }
}

/// Counts the work of all methods on a board.
#[hook]
fn use_efforts(n: u32) -> Vec<Effort> {
    let size = Size::new(n).ok();
    let request = size.map(|size| Request::Efforts { methods: Stepped::ALL.to_vec(), size });
    use_job(request, |efforts: &mut Vec<Effort>, answer| {
        if let Answer::Efforts { efforts: counted } = answer {
            *efforts = counted;
        }
        efforts.len() == Stepped::ALL.len() && efforts.last().is_some_and(|last| last.has_ended)
    })
    .answer
}

#[cfg(test)]
mod tests {
    /// The sentence above the table has the growth of method 14 from the file of measured work.
    #[test]
    fn one_more_row_of_a_large_board_costs_six_times_as_much() {
        let file = include_str!("../../../../tests/data/work.json");
        let file: serde_json::Value = serde_json::from_str(file).unwrap();
        let work = file["work"].as_array().unwrap();
        let placed = |n: u32| {
            let row = work.iter().find(|row| row["method"] == "symmetry" && row["n"] == n);
            row.unwrap()["placed"].as_f64().unwrap()
        };
        assert_eq!((placed(15) / placed(14)).round(), 6.0);
    }
}
