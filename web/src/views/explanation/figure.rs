//! The figures of the explanation. They show states of searches and symmetries that are computed by
//! the core, instead of prepared drawings.

use queens_core::{
    Cells, Class, Column, Event, Masks, Moment, Placement, Played, Rule, Size, Square, Stepped,
    Timeline, Transform, images,
};
use serde_json::Value;
use yew::prelude::*;

use super::context::{FigureContext, slider};
use super::layers::{Apart, Join};
use super::search::{SearchFigure, SearchFigureSpec};
use crate::address::{Address, View, solution_address, use_address};
use crate::board::marked_board::marked_board;
use crate::board::mini_board::MiniBoard;
use crate::parts::comparison;
use crate::words::{tr, transforms, use_language};

#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// A search, beginning at one of its steps.
    Search(SearchFigureSpec),
    /// The distinct images of a solution.
    Images(Placement),
    /// A solution, and the index of a moment in the comparisons with its images.
    Comparison(Placement, u32),
    /// The representatives of all classes on a board of this size.
    Classes(Size),
    /// The white and the black layer of a solution.
    Apart(Placement),
    /// The choices of rows and columns that add up to the number of solutions of a board of this size.
    Join(Size),
}

/// Parses a list of columns from the left.
pub fn columns(value: &Value) -> Option<Vec<u32>> {
    value.as_array()?.iter().map(|column| u32::try_from(column.as_u64()?).ok()).collect()
}

/// Parses a square, written as [row, column from the left].
fn square(size: Size, value: &Value) -> Option<Square> {
    match columns(value)?[..] {
        [row, column] => Square::from_left(size, row, column).ok(),
        _ => None,
    }
}

fn size(value: &Value) -> Option<Size> {
    Size::new(u32::try_from(value.as_u64()?).ok()?).ok()
}

impl Figure {
    /// Parses a figure; returns `None` if the value does not describe one.
    pub fn read(value: &Value) -> Option<Figure> {
        let placement = |value: &Value| Placement::from_left(&columns(value)?).ok();
        if let Some(method) = value["search"].as_str() {
            let size = size(&value["n"])?;
            let queens = columns(&value["queens"])?.into_iter();
            let squares = value["squares"].as_array().into_iter().flatten();
            let rule = |id: &str| Rule::ALL.into_iter().find(|rule| rule.id() == id);
            let spec = SearchFigureSpec {
                method: method.parse().ok()?,
                size,
                queens: queens.map(|left| Column::from_left(size, left)).collect::<Option<_>>()?,
                event: value["event"].as_str()?.parse().ok()?,
                rule: match value["rule"].as_str() {
                    Some(id) => Some(rule(id)?),
                    None => None,
                },
                letters: value["letters"].as_bool().unwrap_or(true),
                all_signs: value["all_signs"].as_bool().unwrap_or(true),
                squares: squares.map(|value| square(size, value)).collect::<Option<_>>()?,
                registers: value["words"].as_bool().unwrap_or(false),
            };
            return Some(Figure::Search(spec));
        }
        if let Some(placement) = placement(&value["images"]) {
            return Some(Figure::Images(placement));
        }
        if let Some(placement) = placement(&value["comparison"]) {
            let moment = u32::try_from(value["moment"].as_u64()?).ok()?;
            return Some(Figure::Comparison(placement, moment));
        }
        if let Some(placement) = placement(&value["apart"]) {
            return Some(Figure::Apart(placement));
        }
        size(&value["join"])
            .map(Figure::Join)
            .or_else(|| size(&value["classes"]).map(Figure::Classes))
    }

    /// Whether the state that the figure shows exists.
    #[cfg(all(test, not(target_family = "wasm")))]
    pub fn exists(&self) -> bool {
        match self {
            Figure::Search(spec) => spec.step().is_some(),
            Figure::Comparison(placement, moment) => match Played::of(placement) {
                Played::Completed(_, moments) => (*moment as usize) < moments.len(),
                _ => false,
            },
            Figure::Images(_) | Figure::Apart(_) => true,
            Figure::Join(size) => size.get() <= 8,
            Figure::Classes(size) => !representatives(*size).is_empty(),
        }
    }
}

impl FigureContext<'_> {
    /// Renders a figure with its caption.
    pub fn show(self, figure: Figure, text: &str) -> Html {
        match figure {
            Figure::Search(spec) => html! { <SearchFigure {spec} text={text.to_owned()} /> },
            Figure::Images(placement) => self.images(&placement, text),
            Figure::Comparison(placement, moment) => {
                html! { <Comparison {placement} {moment} text={text.to_owned()} /> }
            }
            Figure::Classes(size) => self.classes(size, text),
            Figure::Apart(placement) => html! { <Apart {placement} text={text.to_owned()} /> },
            Figure::Join(size) => html! { <Join n={size.get()} text={text.to_owned()} /> },
        }
    }

    /// Renders the distinct images of a solution with their transforms and judgement values. The
    /// smallest image is marked.
    fn images(self, placement: &Placement, text: &str) -> Html {
        let mut distinct: Vec<(Placement, Vec<Transform>)> = Vec::with_capacity(8);
        for (transform, image) in images(placement) {
            match distinct.iter_mut().find(|(other, _)| *other == image) {
                Some((_, transforms)) => transforms.push(transform),
                None => distinct.push((image, vec![transform])),
            }
        }
        let smallest = distinct.iter().map(|(image, _)| *image).min();
        let boards = distinct.iter().map(|(image, transforms)| {
            let names = transforms::equal(self.language, transforms);
            let value = image.judgement_value().to_string();
            self.board(image, &names, value, Some(*image) == smallest)
        });
        let boards = boards.collect();
        let to = Address {
            stacks_images: distinct.len() < 8,
            ..solution_address(self.address, placement)
        };
        self.list("figure-images", boards, text, to)
    }

    /// Renders the representatives of all classes on a board of this size.
    fn classes(self, size: Size, text: &str) -> Html {
        let boards = representatives(size)
            .iter()
            .map(|board| self.board(board, "", format!("× {}", Class::of(board)), false))
            .collect();
        let to =
            Address { view: View::Solutions, stacks_images: true, ..self.address.with_size(size) };
        self.list("figure-images many", boards, text, to)
    }

    fn list(self, class: &'static str, boards: Vec<Html>, text: &str, to: Address) -> Html {
        html! {
            <figure {class} data-testid="figure">
                <ul>{ for boards }</ul>
                { self.caption(text, to) }
            </figure>
        }
    }

    fn board(self, placement: &Placement, name: &str, value: String, marked: bool) -> Html {
        let label = tr!(self.language, "symmetries.solution-plain", columns = placement);
        html! {
            <li class={marked.then_some("is-representative")}>
                <MiniBoard size={placement.size()} queens={Some(*placement)} fine=true {label} />
                <span>{ name }</span>
                <span class="mono">{ value }</span>
            </li>
        }
    }
}

#[derive(Properties, PartialEq)]
struct ComparisonProps {
    placement: Placement,
    /// The index of the moment at which the figure begins.
    moment: u32,
    text: String,
}

/// A solution, and the image with which it is compared at a moment, if any. A slider leads through all moments.
#[component]
fn Comparison(props: &ComparisonProps) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let ComparisonProps { placement, moment, text } = props;
    let moment = use_state_eq(|| i64::from(*moment));
    let Played::Completed(masks, all) = Played::of(placement) else {
        return html! {};
    };
    let now = all.get(moment.unsigned_abs() as usize).copied();
    let now = now.unwrap_or(Moment::Cells(Cells::default()));
    let at = now.row().map(|row| row.row);
    let board = |placement: &Placement, masks: Option<&Masks>, name: String, label: String| {
        html! {
            <div>
                { marked_board(&comparison::rows(placement, masks, at), &label) }
                <span>{ name }</span>
                <span class="mono">{ placement.judgement_value().to_string() }</span>
            </div>
        }
    };
    let image = now.cell().map(|cell| {
        let (transform, image) = comparison::image(placement, cell);
        let name = transforms::transform(language, transform);
        let label = tr!(language, "symmetries.image-label", name = name, columns = image);
        board(&image, None, name, label)
    });
    let name = tr!(language, "symmetries.solution");
    let label = tr!(language, "symmetries.solution-label", columns = placement);
    let own = board(placement, Some(&masks), name, label);
    let to = solution_address(&address, placement);
    let last = all.len() as i64 - 1;
    html! {
        <figure class="figure-boards" data-testid="figure">
            <div class="pair">{ own }{ for image }</div>
            if last > 0 {
                { slider(tr!(language, "explanation.step"), [0, last], *moment, None, moment.setter()) }
            }
            { FigureContext { language, address: &address }.caption(text, to) }
        </figure>
    }
}

/// Finds the representatives of all classes on a board of this size with the symmetry method.
fn representatives(size: Size) -> Vec<Placement> {
    let mut timeline = Timeline::new(Stepped::Symmetry, size);
    let mut found = vec![];
    while let Some(step) = timeline.forward() {
        if let Event::Solution { .. } = step {
            found.extend(timeline.view().placement());
        }
    }
    found
}
