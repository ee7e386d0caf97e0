//! The parameters of Results in an address: filters, order, chart and open task.

use queens_core::words;

words! {
    /// A parameter of Results.
    pub enum Field {
        /// The files to load, separated by commas.
        Load = "load",
        /// Show only results for this N.
        N = "only-n",
        /// Show only results of this method.
        Method = "only-method",
        /// Show only results of this kind of backend.
        Backend = "only-backend",
        /// Show only results of this machine.
        Machine = "only-machine",
        /// The column that orders the rows, with a minus sign in front for descending order.
        Sort = "sort",
        /// Whether the chart shows published figures.
        Published = "published",
        /// The ids of one or two ticked results, separated by a comma.
        Pair = "pair",
        /// The selected task of the open document.
        Task = "task",
        /// The task of the open document to recount, or `all`.
        Recount = "again",
    }
}

impl Field {
    /// The filters.
    pub const FILTERS: [Field; 4] = [Field::N, Field::Method, Field::Backend, Field::Machine];
}

/// The values of all parameters of Results; empty for parameters that an address lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultsParameters([String; Field::ALL.len()]);

impl ResultsParameters {
    /// Returns the value of a parameter.
    pub fn get(&self, field: Field) -> &str {
        self.0.get(field as usize).map_or("", String::as_str)
    }

    /// Returns the parameters with one of them changed. Selecting a task also cancels its recount.
    pub fn with(mut self, field: Field, value: &str) -> ResultsParameters {
        let reset = match field {
            Field::Task => Some(Field::Recount),
            _ => None,
        };
        for (field, value) in [(Some(field), value), (reset, "")] {
            if let Some(old) = field.and_then(|field| self.0.get_mut(field as usize)) {
                value.clone_into(old);
            }
        }
        self
    }
}
