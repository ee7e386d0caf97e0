//! What the worker is asked to draw of results.

use super::archive::Entry;
use super::words::said;
use crate::browser::fits;
use crate::place::{Address, Field, Listing};
use crate::words::{Language, form_name, lines, method_name};
use crate::worker::{Again, Chart, Held, Point, Request, Tasks};

/// What a result has in each of the fields by which results are chosen.
fn fields(entry: &Entry) -> [String; 4] {
    let header = &entry.header;
    [
        header.n.to_string(),
        header.method.id().to_owned(),
        header.backend.kind.id().to_owned(),
        said(&header.host.cpu),
    ]
}

/// Whether a result is among those that are listed.
pub fn is_listed(list: &Listing, entry: &Entry) -> bool {
    let mut fields = Field::FILTERS.into_iter().zip(fields(entry));
    fields.all(|(field, value)| [&value, ""].contains(&list.get(field)))
}

/// The results side by side, and what they are chosen by.
pub fn chart(language: Language, list: &Listing, entries: &[Entry]) -> Request {
    let points = entries.iter().map(|entry| {
        let header = &entry.header;
        Point {
            id: entry.id.clone(),
            fields: fields(entry),
            method: method_name(language, header.method),
            form: form_name(language, header.form),
            device: said(&header.backend.device),
            threads: header.host.threads,
            // What contradicts itself or is a part says nothing of a whole count.
            whole: entry.contradictions.is_empty() && header.shard.is_none(),
            total: header.total,
            seconds: header.seconds.get(),
        }
    });
    Request::Chart(Chart {
        words: lines(language, "results."),
        list: list.clone(),
        points: points.collect(),
        narrow: fits("(max-width: 40rem)"),
    })
}

/// The task of an open document that is told of more closely.
pub fn chosen(list: &Listing) -> Option<u32> {
    list.get(Field::Task).parse().ok()
}

/// The tasks of a document.
pub fn tasks(language: Language, address: &Address, document: &Held) -> Request {
    let link = address.language.map(|language| ["&amp;lang=", language.id()].concat());
    Request::Tasks(Tasks {
        words: lines(language, "results."),
        document: document.id(),
        chosen: chosen(&address.list),
        link: link.unwrap_or_default(),
    })
}

/// Tasks of a document counted again: `all`, or the one of an id.
pub fn again(document: &Held, which: &str) -> Option<Request> {
    let task = if which == "all" { None } else { Some(which.parse().ok()?) };
    Some(Request::Again(Again { document: document.id(), task }))
}
