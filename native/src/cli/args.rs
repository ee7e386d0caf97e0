//! Arguments that several commands take, and what they mean.

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use queens_core::{Form, Method, Stepped};

use queens::host;

/// How a count runs.
#[derive(Args, Debug)]
pub struct Running {
    /// Threads to count with [default: as many as the machine runs at once]
    #[arg(long, value_name = "T", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<u16>,
    /// Say nothing on stderr but errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl Running {
    /// The number of threads that were asked for.
    pub fn threads_asked(&self) -> Option<u16> {
        self.threads
    }

    /// The number of threads, at least 1.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(host::threads, usize::from)
    }
}

/// More threads than any machine runs at once are a slip of the hand.
const MOST_THREADS: u16 = 1024;

fn threads(text: &str) -> Result<u16, String> {
    let number = text.parse().ok().filter(|threads| (1..=MOST_THREADS).contains(threads));
    number.ok_or_else(|| format!("give a whole number from 1 to {MOST_THREADS}"))
}

/// A number of things, or a seed.
pub fn whole(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "give a whole number, 0 or more")
}

/// A method by its id. The help lists them all.
pub fn method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(method_ids()).try_map(|id| id.parse::<Method>())
}

/// The methods' ids for a list of possible values.
pub fn method_ids() -> impl Iterator<Item = PossibleValue> {
    Method::ALL.iter().map(|method| PossibleValue::new(method.id()).help(method.summary()))
}

/// A form by its id.
pub fn form() -> impl TypedValueParser<Value = Form> {
    let ids = Form::ALL.map(Form::id);
    PossibleValuesParser::new(ids).try_map(|id| id.parse::<Form>())
}

/// A method that places queen after queen, by its id.
pub fn stepped_method() -> impl TypedValueParser<Value = Stepped> {
    let facts = Stepped::ALL.iter().map(|method| method.facts());
    let ids = facts.map(|facts| PossibleValue::new(facts.id).help(facts.summary));
    PossibleValuesParser::new(ids).try_map(|id| id.parse::<Stepped>())
}
