//! The state of the page, as stored in its URL, so that a link opens the same picture.

mod error;
mod query;

use queens_core::{Form, Method, Queens, Size, Stepped, Transform};

use super::class_filter::{ClassFilter, First};
use super::count_parameters::CountParameters;
use super::explore_layout::ExploreLayout;
use super::listing::{Field, Listing};
use super::view::View;
use crate::text::Language;
pub use error::AddressError;

/// The state of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The open view.
    pub view: View,
    pub size: Size,
    /// The method of Explore.
    pub method: Stepped,
    /// The form of the method in the code panel.
    pub form: Form,
    /// The step of Explore's search.
    pub step: u64,
    /// The method with which Explore compares its own.
    pub compare: Option<Stepped>,
    /// The overlays and panels of Explore.
    pub shown: ExploreLayout,
    /// The solution that Symmetries shows: columns from the left, top row first. Parsing does not
    /// validate it, because Symmetries itself explains what is wrong with an invalid one.
    pub solution: Option<Vec<u32>>,
    /// The image of the solution on the large board.
    pub image: Transform,
    /// Whether Symmetries groups equal images.
    pub together: bool,
    /// The position in the replay of the comparison.
    pub moment: u32,
    /// The filters and the order of Classes.
    pub chosen: ClassFilter,
    /// The parameters of Count.
    pub count: CountParameters,
    /// The queens of Play.
    pub queens: Queens,
    /// The open document of Results.
    pub result: Option<String>,
    /// The method of the lesson.
    pub lesson: Method,
    /// The seed of the lesson's exercise; `None` for a random exercise.
    pub seed: Option<u32>,
    /// The parameters of Results.
    pub list: Listing,
    /// The section of a view that is a text: the fragment of the URL.
    pub section: Option<String>,
    /// The view to which the back link of a text leads.
    pub from: View,
    /// The language, if the URL has one.
    pub language: Option<Language>,
    /// Whether the view is shown without the bar, for example in a frame of another page.
    pub embed: bool,
}

impl Default for Address {
    fn default() -> Address {
        Address {
            view: View::Explore,
            size: Address::FIRST_SIZE,
            method: Stepped::Symmetry,
            form: Form::Iterative,
            step: 0,
            compare: None,
            shown: ExploreLayout::default(),
            solution: None,
            image: Transform::Identity,
            together: false,
            moment: 0,
            chosen: ClassFilter::default(),
            count: CountParameters::default(),
            queens: Queens::none(Address::FIRST_SIZE),
            result: None,
            lesson: Method::BruteForce,
            seed: None,
            list: Listing::default(),
            section: None,
            from: View::Explore,
            language: None,
            embed: false,
        }
    }
}

/// The position of Explore, which changes too often to be written to the URL at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Here {
    pub step: u64,
    /// The overlays and panels.
    pub shown: ExploreLayout,
}

impl Address {
    /// The board of a first visit.
    pub const FIRST_SIZE: Size = match Size::new(8) {
        Ok(size) => size,
        Err(_) => unreachable!(),
    };

    /// The page without parameters: a simple search before its first step.
    pub fn opening() -> Address {
        Address { method: Stepped::Backtracking, ..Address::default() }
    }

    /// The page at a step that shows what symmetry saves: the first squares that a rule closes,
    /// with one queen on the board.
    pub fn of_symmetry() -> Address {
        Address { step: 1480, ..Address::default() }
    }

    /// Whether the page is as it opens without parameters, in any language.
    pub fn is_opening(&self) -> bool {
        *self == Address { language: self.language, ..Address::opening() }
    }

    /// The position of Explore.
    pub fn here(&self) -> Here {
        Here { step: self.step, shown: self.shown }
    }

    /// Returns the page with another board, without everything that belongs to the old board.
    pub fn with_size(&self, size: Size) -> Address {
        // On a board of the same size, the search stays at its step.
        let (step, shown) =
            if size == self.size { (self.step, self.shown) } else { (0, self.shown.elsewhere()) };
        Address {
            size,
            step,
            shown,
            solution: None,
            queens: Queens::none(size),
            image: Transform::Identity,
            together: false,
            moment: 0,
            chosen: ClassFilter { first: First::Any, ..self.chosen },
            ..self.clone()
        }
    }

    /// Returns the page with one parameter of Results changed.
    pub fn listing(&self, field: Field, value: &str) -> Address {
        Address { list: self.list.clone().with(field, value), ..self.clone() }
    }

    /// Returns the page with a document of Results open, or none.
    pub fn with_result(&self, result: Option<String>) -> Address {
        Address { result, ..self.listing(Field::Task, "") }
    }

    /// Returns the page with the search of another method.
    pub fn with_method(&self, method: Stepped) -> Address {
        Address { method, step: 0, shown: self.shown.elsewhere(), ..self.clone() }
    }

    /// Returns the page with another view.
    pub fn with_view(&self, view: View) -> Address {
        let from = match (view.is_read(), self.view.is_read()) {
            (false, _) => View::Explore,
            (true, false) => self.view,
            (true, true) => self.from,
        };
        Address { view, from, section: None, ..self.clone() }
    }

    /// Returns the page with a view that is a text, at one of its sections.
    pub fn reading(&self, view: View, section: &str) -> Address {
        Address { section: Some(section.to_owned()), ..self.with_view(view) }
    }
}

#[cfg(test)]
mod tests;
