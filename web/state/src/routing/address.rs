//! The page's whole state, which its address holds, so that a link opens the same picture.

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

/// The state of the page that an address holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The view that is open.
    pub view: View,
    pub size: Size,
    /// The method of Explore.
    pub method: Stepped,
    /// Which of the method's two writings the code panel shows.
    pub form: Form,
    /// The step of Explore's search.
    pub step: u64,
    /// The method that Explore compares with its own.
    pub compare: Option<Stepped>,
    /// What Explore shows besides.
    pub shown: ExploreLayout,
    /// The solution that Symmetries shows: columns from the left, top row first. Not checked
    /// to be a placement: Symmetries says what is wrong with one that is none.
    pub solution: Option<Vec<u32>>,
    /// The image of it that the large board shows.
    pub image: Transform,
    /// Whether equal images have fallen together.
    pub together: bool,
    /// The moment of the comparison that is played.
    pub moment: u32,
    /// Which classes are shown, and in which order.
    pub chosen: ClassFilter,
    /// What Count is to count.
    pub count: CountParameters,
    /// The queens of Play.
    pub queens: Queens,
    /// The document that Results has open.
    pub result: Option<String>,
    /// The method that the lesson is about.
    pub lesson: Method,
    /// What draws the lesson's exercise; it is drawn by lot without one.
    pub seed: Option<u32>,
    /// How Results lists its documents.
    pub list: Listing,
    /// The section of a text that is wanted, of a view that is read: what follows the # in the
    /// address.
    pub section: Option<String>,
    /// The view that leads back from one that is read.
    pub from: View,
    /// The language, where it was chosen.
    pub language: Option<Language>,
    /// Whether the view stands alone, without the bar: in a frame of another page, say.
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

/// Where Explore is: what changes in it too often to be written at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Here {
    pub step: u64,
    /// What is shown besides.
    pub shown: ExploreLayout,
}

impl Address {
    /// The board that the page opens with.
    pub const FIRST_SIZE: Size = match Size::new(8) {
        Ok(size) => size,
        Err(_) => unreachable!(),
    };

    /// The step at which a rule closes its first squares, with a single queen on the board.
    const OPENING_STEP: u64 = 1480;

    /// Where the page begins without an address: there is something to see, and little of it.
    pub fn opening() -> Address {
        Address { step: Address::OPENING_STEP, ..Address::default() }
    }

    /// Whether the page stands where it begins, in whichever language.
    pub fn is_opening(&self) -> bool {
        *self == Address { language: self.language, ..Address::opening() }
    }

    /// Where Explore is.
    pub fn here(&self) -> Here {
        Here { step: self.step, shown: self.shown }
    }

    /// The same page with another board: what belonged to the old board is forgotten.
    pub fn with_size(&self, size: Size) -> Address {
        // The search of a board of the same size stays where it is.
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

    /// The same page with another list.
    pub fn listing(&self, field: Field, value: &str) -> Address {
        Address { list: self.list.clone().with(field, value), ..self.clone() }
    }

    /// The same page with a document open, or none.
    pub fn with_result(&self, result: Option<String>) -> Address {
        Address { result, ..self.listing(Field::Task, "") }
    }

    /// The same page with the search of another method.
    pub fn with_method(&self, method: Stepped) -> Address {
        Address { method, step: 0, shown: self.shown.elsewhere(), ..self.clone() }
    }

    /// The same page with another view.
    pub fn with_view(&self, view: View) -> Address {
        let from = match (view.is_read(), self.view.is_read()) {
            (false, _) => View::Explore,
            (true, false) => self.view,
            (true, true) => self.from,
        };
        Address { view, from, section: None, ..self.clone() }
    }

    /// The same page with a view that is read, at one of its sections.
    pub fn reading(&self, view: View, section: &str) -> Address {
        Address { section: Some(section.to_owned()), ..self.with_view(view) }
    }
}

#[cfg(test)]
mod tests;
