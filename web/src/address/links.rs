//! Links from one view to another.

use queens_core::{Method, Placement, Queens, Size, Stepped};

use super::{Address, View};

/// Returns the address that shows the images of a solution.
pub fn solution_address(address: &Address, placement: &Placement) -> Address {
    Address {
        view: View::Solutions,
        solution: Some(placement.columns_from_left().collect()),
        // The way back leads to solutions that are folded as before.
        stacks_images: address.stacks_images,
        ..address.with_size(placement.size())
    }
}

/// Returns the address that opens Play with these queens.
pub fn play_address(address: &Address, queens: impl Into<Queens>) -> Address {
    let queens = queens.into();
    Address { view: View::Play, queens, ..address.with_size(queens.size()) }
}

/// Returns the address of a lesson, with a random exercise.
pub fn lesson_address(address: &Address, lesson: Method) -> Address {
    Address { lesson, seed: None, homework: None, ..address.with_view(View::Lesson) }
}

/// Returns the address of a step of a search.
pub fn explore_address(address: &Address, method: Stepped, size: Size, step: u64) -> Address {
    let layout = address.layout.for_other_search();
    Address { view: View::Explore, method, step, layout, ..address.with_size(size) }
}
