//! What the worker is asked to draw of results.

use super::archive::Entry;
use super::words::said;
use crate::browser::fits;
use crate::place::{Address, Field, Listing};
use crate::words::{Language, lines, method_name};
use crate::worker::{RECORD, Request, UNIT};

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
    let narrow = fits("(max-width: 40rem)").to_string();
    let mut records = vec![lines(language, "results."), list.write(), narrow];
    for entry in entries {
        let header = &entry.header;
        // What contradicts itself or is a part says nothing of a whole count.
        let whole = entry.contradictions.is_empty() && header.shard.is_none();
        let point = [
            entry.id.clone(),
            fields(entry).join(UNIT),
            method_name(language, header.method),
            said(&header.backend.device),
            header.host.threads.to_string(),
            whole.to_string(),
            header.total.to_string(),
            header.seconds.get().to_bits().to_string(),
        ];
        records.push(point.join(UNIT));
    }
    Request::Chart(records.join(RECORD))
}

/// The tasks of a document.
pub fn tasks(language: Language, address: &Address, entry: &Entry) -> Request {
    let header = &entry.header;
    let link = address.language.map(|language| ["&amp;lang=", language.id()].concat());
    let [n, method, ..] = fields(entry);
    let plan = [n, method, header.plan.version.to_string()].join(UNIT);
    let words = lines(language, "results.");
    let mut records = vec![words, address.list.write(), link.unwrap_or_default(), plan];
    for task in entry.tasks.iter().flat_map(|tasks| tasks.iter()) {
        let numbers = [task.id.into(), task.total, task.seconds.get().to_bits()];
        records.push(numbers.map(|number: u64| number.to_string()).join(UNIT));
    }
    Request::Tasks(records.join(RECORD))
}
