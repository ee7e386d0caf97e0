//! The state of the page, as stored in its URL, so that a link opens the same picture; the views, and the links
//! between them.

#[cfg(all(test, not(target_family = "wasm")))]
mod any_address;
mod class_filter;
mod count_parameters;
mod error;
mod explore_layout;
mod homework;
mod links;
mod query;
mod results_parameters;
mod use_address;
mod view;

use queens_core::{Method, Puzzle, Queens, Size, Stepped, Transform};

use crate::words::Language;
pub use class_filter::{ClassFilter, First, Kind};
pub use count_parameters::CountParameters;
pub use error::AddressError;
pub use explore_layout::ExploreLayout;
pub use homework::Homework;
pub use links::{explore_address, lesson_address, play_address, solution_address};
pub use results_parameters::{Field, ResultsParameters};
pub use use_address::{
    Navigate, Navigation, use_address, use_navigation, use_navigation_count, use_section,
};
pub use view::View;

/// The state of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The open view.
    pub view: View,
    /// The board of all views but Count, which has its own ones.
    pub size: Size,
    /// The method of Explore.
    pub method: Stepped,
    /// The step of Explore's search.
    pub step: u64,
    /// The method whose search races with that of Explore.
    pub compare: Option<Stepped>,
    /// What Explore shows besides its search.
    pub layout: ExploreLayout,
    /// The solution that Symmetries shows: columns from the left, top row first. Parsing does not
    /// validate it, because Symmetries itself explains what is wrong with an invalid one.
    pub solution: Option<Vec<u32>>,
    /// The image of the solution on the large board.
    pub image: Transform,
    /// Whether Symmetries shows equal images as one stack.
    pub stacks_images: bool,
    /// The filters and the order of Classes.
    pub class_filter: ClassFilter,
    /// The parameters of Count.
    pub count: CountParameters,
    /// The queens of Play.
    pub queens: Queens,
    /// The puzzle of Play.
    pub puzzle: Option<Puzzle>,
    /// The open document of Results.
    pub result: Option<String>,
    /// The method of the lesson.
    pub lesson: Method,
    /// The seed of the lesson's exercise; `None` for a random exercise.
    pub seed: Option<u32>,
    /// The exercises that the link sets, if it is homework.
    pub homework: Option<Homework>,
    /// The parameters of Results.
    pub results: ResultsParameters,
    /// The section of a view that is a text, or a result without its tasks: the fragment of the URL.
    pub section: Option<String>,
    /// The view to which the back link of a text leads.
    pub return_to: View,
    /// The language, if the URL has one.
    pub language: Option<Language>,
    /// Whether the view is shown without the bar, for example in a frame of another page.
    pub is_embedded: bool,
}

impl Default for Address {
    fn default() -> Address {
        Address {
            view: View::Explore,
            size: Address::FIRST_SIZE,
            method: Stepped::Backtracking,
            step: 0,
            compare: None,
            layout: ExploreLayout::default(),
            solution: None,
            image: Transform::Identity,
            stacks_images: false,
            class_filter: ClassFilter::default(),
            count: CountParameters::default(),
            queens: Queens::none(Address::FIRST_SIZE),
            puzzle: None,
            result: None,
            lesson: Method::BruteForce,
            seed: None,
            homework: None,
            results: ResultsParameters::default(),
            section: None,
            return_to: View::Explore,
            language: None,
            is_embedded: false,
        }
    }
}

/// The position of Explore, which changes too often to be written to the URL at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplorePosition {
    pub step: u64,
    pub layout: ExploreLayout,
}

impl Address {
    /// The board of a first visit.
    pub const FIRST_SIZE: Size = match Size::new(8) {
        Ok(size) => size,
        Err(_) => unreachable!(),
    };

    /// Returns the page at a step that shows what symmetry saves: the first squares that a rule closes,
    /// with one queen on the board.
    pub fn of_symmetry() -> Address {
        Address { method: Stepped::Symmetry, step: 1480, ..Address::default() }
    }

    /// Whether what the view reads is as on a first visit, in any language.
    pub fn is_first_visit(&self) -> bool {
        self.over(&Address::default()) == Address { language: self.language, ..Address::default() }
    }

    /// Returns `rest` with this address's view and the fields that the view reads. A URL has only these.
    pub fn over(&self, rest: &Address) -> Address {
        let Address { view, size, language, is_embedded, return_to, .. } = *self;
        let has_board = matches!(view, View::Explore | View::Play | View::Solutions);
        let is_other_board = has_board && size != rest.size;
        let rest = if is_other_board { rest.with_size(size) } else { rest.clone() };
        let section = self.section.clone();
        let rest = Address { view, language, is_embedded, return_to, section, ..rest };
        let own = self.clone();
        match view {
            View::Explore => {
                let Address { method, step, compare, layout, .. } = own;
                Address { method, step, compare, layout, ..rest }
            }
            View::Play => Address { queens: own.queens, puzzle: own.puzzle, ..rest },
            View::Solutions => {
                let Address { solution, image, stacks_images, class_filter, .. } = own;
                Address { solution, image, stacks_images, class_filter, ..rest }
            }
            View::Count => Address { count: own.count, ..rest },
            View::Results => Address { result: own.result, results: own.results, ..rest },
            View::Lesson => {
                let Address { lesson, seed, homework, .. } = own;
                let layout = ExploreLayout { presenting: self.layout.presenting, ..rest.layout };
                Address { lesson, seed, homework, layout, ..rest }
            }
            View::Learn | View::Explanation | View::Numbers => rest,
        }
    }

    /// Returns the position of Explore.
    pub fn explore_position(&self) -> ExplorePosition {
        ExplorePosition { step: self.step, layout: self.layout }
    }

    /// Returns the page with another board, without everything that belongs to the old board.
    pub fn with_size(&self, size: Size) -> Address {
        // On a board of the same size, the search stays at its step.
        let search = if size == self.size { self.clone() } else { self.with_method(self.method) };
        Address {
            size,
            solution: None,
            queens: Queens::none(size),
            puzzle: None,
            image: Transform::Identity,
            stacks_images: false,
            class_filter: ClassFilter { first: First::Any, ..self.class_filter },
            ..search
        }
    }

    /// Returns the page with one parameter of Results changed.
    pub fn with_field(&self, field: Field, value: &str) -> Address {
        Address { results: self.results.clone().with(field, value), ..self.clone() }
    }

    /// Returns the page with a document of Results open, or none.
    pub fn with_result(&self, result: Option<String>) -> Address {
        Address { result, ..self.with_field(Field::Task, "") }
    }

    /// Returns the page with the search of another method.
    pub fn with_method(&self, method: Stepped) -> Address {
        Address { method, step: 0, layout: self.layout.for_other_search(), ..self.clone() }
    }

    /// Returns the page with another view.
    pub fn with_view(&self, view: View) -> Address {
        let return_to = match (view.is_text(), self.view.is_text()) {
            (false, _) => View::Explore,
            (true, false) => self.view,
            (true, true) => self.return_to,
        };
        Address { view, return_to, section: None, ..self.clone() }
    }

    /// Returns the page with a view that is a text, at one of its sections.
    pub fn reading(&self, view: View, section: &str) -> Address {
        Address { section: Some(section.to_owned()), ..self.with_view(view) }
    }
}

#[cfg(test)]
mod tests;
