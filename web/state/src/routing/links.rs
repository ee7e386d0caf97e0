//! The ways from one view to what another shows.

use queens_core::{Method, Placement, Queens, Size, Stepped};

use super::{address::Address, explore_layout::ExploreLayout, view::View};

/// The address that shows a solution.
pub fn showing(address: &Address, placement: &Placement) -> Address {
    Address {
        view: View::Symmetries,
        solution: Some(placement.columns_from_left().collect()),
        ..address.with_size(placement.size())
    }
}

/// The address that has queens in Play, those of a solution or any.
pub fn playing(address: &Address, queens: impl Into<Queens>) -> Address {
    let queens = queens.into();
    Address { view: View::Play, queens, ..address.with_size(queens.size()) }
}

/// The address that counts the work of all methods on the board.
pub fn weighing(address: &Address) -> Address {
    let shown = ExploreLayout { work: true, presenting: false, large: false, ..address.shown };
    Address { shown, ..address.with_view(View::Explore) }
}

/// The address of a lesson, with an exercise drawn by lot.
pub fn learning(address: &Address, lesson: Method) -> Address {
    Address { lesson, seed: None, ..address.with_view(View::Lesson) }
}

/// The address that has a search at one of its steps.
pub fn exploring(address: &Address, method: Stepped, size: Size, step: u64) -> Address {
    let shown = address.shown.elsewhere();
    Address { view: View::Explore, method, step, shown, ..address.with_size(size) }
}
