//! The source code of the methods, fetched when it is first shown.

use std::rc::Rc;

use queens_core::Stepped;
use yew::prelude::*;

use super::fetched::use_fetched;

/// The state of a method's source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Loading.
    Awaited,
    /// Loading failed.
    Missing,
    /// The source text.
    Here(Rc<str>),
}

/// Returns the address of a method's source file.
fn address(method: Stepped) -> String {
    format!("methods/{}", method.file())
}

/// Returns the source of a method.
#[hook]
pub fn use_source(method: Stepped) -> Source {
    let source = use_fetched(address(method), 0, |text| {
        text.map_or(Source::Missing, |text| Source::Here(text.into()))
    });
    source.unwrap_or(Source::Awaited)
}
