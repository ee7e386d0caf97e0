//! How results are listed: which, in which order, and what is shown of them. The page's address
//! holds it.

use queens_core::words;
use serde::{Deserialize, Serialize};

words! {
    /// A part of an address that is about the list.
    pub enum Field {
        /// The files that are loaded with it, with commas between them.
        Load = "load",
        /// Results of this board alone.
        N = "only-n",
        /// Results by this method alone.
        Method = "only-method",
        /// Results of this kind of backend alone.
        Backend = "only-backend",
        /// Results of this machine alone.
        Machine = "only-machine",
        /// The column that orders the rows, with a minus sign before it if the largest comes first.
        Sort = "sort",
        /// What the chart shows: the id of a quantity.
        Chart = "chart",
        /// The result whose line the others are compared with in it.
        Base = "base",
        /// Whether published figures are in it.
        Published = "published",
        /// The task of the open document that is told of.
        Task = "task",
        /// The task of it that is counted again, or `all`.
        Again = "again",
    }
}

impl Field {
    /// Those that choose among the results.
    pub const FILTERS: [Field; 4] = [Field::N, Field::Method, Field::Backend, Field::Machine];
}

/// The parts of an address that are about the list; empty texts for those that it does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing([String; Field::ALL.len()]);

impl Listing {
    /// What the address says.
    pub fn get(&self, field: Field) -> &str {
        self.0.get(field as usize).map_or("", String::as_str)
    }

    /// The same list but for this. Another task is not counted again before somebody asks for it.
    pub fn with(mut self, field: Field, value: &str) -> Listing {
        let also = (field == Field::Task).then_some(Field::Again);
        for (field, value) in [(Some(field), value), (also, "")] {
            if let Some(place) = field.and_then(|field| self.0.get_mut(field as usize)) {
                value.clone_into(place);
            }
        }
        self
    }
}
