//! Arguments of several commands, and their parsers.

use std::num::{IntErrorKind, ParseIntError};

use clap::{
    Arg, Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use queens_core::{Form, Method, Plan, Size, SizeError, Stepped, notation::number};

use queens::host;

/// Arguments of all commands that count.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Number of threads [default: all hardware threads]
    #[arg(long, value_name = "THREADS", value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<u16>,
    /// Print no progress and no notes
    #[arg(long, short)]
    pub quiet: bool,
}

impl RunArgs {
    /// Returns the number of threads to use, at least 1.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(host::threads, usize::from)
    }
}

/// Adds to the help of `--threads` what the option means for a count that may use a GPU or the method
/// colours.
pub fn threads_of_count(threads: Arg) -> Arg {
    threads.long_help(
        "Number of threads, 1 to 1024 [default: all hardware threads]\n\nBy default the \
         method colours uses fewer threads if there is not enough memory for all. With --backend cuda \
         or wgpu, this is only useful for debugging: it is the largest number of GPU threads on each \
         device.",
    )
}

/// Upper limit for `--threads`. A greater value is probably a typing error.
const MAX_THREADS: u16 = 1024;

fn threads(text: &str) -> Result<u16, String> {
    let number = number(text).ok().filter(|threads| (1..=MAX_THREADS).contains(threads));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_THREADS}"))
}

/// Maximum number of shards: with more shards than tasks, some would be empty.
pub const MAX_SHARDS: usize = Plan::MAX_TASKS;

/// Parses a number of shards.
pub fn shards(text: &str) -> Result<u32, String> {
    let number = number(text).ok().filter(|of| (1..=MAX_SHARDS).contains(&(*of as usize)));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_SHARDS}"))
}

/// Parses the size of a board whose solutions are counted. Accepts every valid [`Size`];
/// [`check_size`](super::decide::check_size) later rejects those that are too large for the method.
pub fn counted_size(text: &str) -> Result<Size, String> {
    number(text).map_err(|error| match error {
        SizeError::TooLarge(_) | SizeError::TooLong { .. } => format!(
            "too large to count: beyond N = {} the number of solutions is expected to exceed 64 \
             bits",
            Size::MAX_COUNTED
        ),
        _ => format!("expected a whole number from 1 to {}", Size::MAX_COUNTED),
    })
}

/// Parses the size of a board that is searched.
pub fn board_size(text: &str) -> Result<Size, SizeError> {
    number(text)
}

/// Parses a whole number, such as a limit or a random seed.
pub fn whole_number(text: &str) -> Result<u64, String> {
    number(text).map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => format!("too large: the largest number is {}", u64::MAX),
        _ => "expected a whole number, 0 or more".to_owned(),
    })
}

/// Parses a method id. The help lists all of them.
pub fn method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(method_ids()).try_map(|id| id.parse::<Method>())
}

/// Returns the ids of all methods as possible values.
pub fn method_ids() -> impl Iterator<Item = PossibleValue> {
    Method::ALL.iter().map(|method| PossibleValue::new(method.id()).help(method.summary()))
}

/// Parses the id of a form.
pub fn form() -> impl TypedValueParser<Value = Form> {
    let ids = Form::ALL.map(Form::id);
    PossibleValuesParser::new(ids).try_map(|id| id.parse::<Form>())
}

/// Parses the id of a method that places queens one after another.
pub fn stepped_method() -> impl TypedValueParser<Value = Stepped> {
    let facts = Stepped::ALL.iter().map(|method| method.facts());
    let ids = facts.map(|facts| PossibleValue::new(facts.id).help(facts.summary));
    PossibleValuesParser::new(ids).try_map(|id| id.parse::<Stepped>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_full_width_digits() {
        assert_eq!(counted_size("１６").map(Size::get), Ok(16));
        assert_eq!(board_size("３２").map(Size::get), Ok(32));
        assert_eq!(threads("１０２４"), Ok(1024));
        assert_eq!(whole_number("７"), Ok(7));
        assert!(threads("１０２５").is_err() && counted_size("一").is_err());
    }
}
