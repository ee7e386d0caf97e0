//! Result documents: the page has their headers, and requests summaries and details of their tasks.
//!
//! | file | what |
//! |---|---|
//! | documents.rs | the documents that the page shows |
//! | files.rs | files that the user opened or that are on the page's host |
//! | tasks.rs | the summary of a document's tasks |
//! | difference.rs | the tasks of two documents, compared |
//! | recount.rs | recounts of tasks |
//! | shards.rs | shards that together are a whole count |

mod difference;
mod documents;
mod files;
mod recount;
mod shards;
mod tasks;

use std::rc::Rc;

use crate::{
    jobs::Job,
    protocol::{Answer, RecountProgress},
};

pub use documents::Documents;
pub use files::process_files;

use documents::StoredDocument;
use recount::Recount;

/// The document of a request; `None` if it was released or never stored.
type Document = Option<Rc<StoredDocument>>;

/// The job for a summary of tasks.
pub fn summary(document: Document, chosen: Option<u32>) -> Box<dyn Job> {
    once(move || {
        Answer::TaskSummary(document.as_ref().and_then(|document| tasks::summary(document, chosen)))
    })
}

/// The job for the list of all tasks.
pub fn list(document: Document) -> Box<dyn Job> {
    once(move || {
        let tasks = document.as_ref().map(|document| document.tasks.clone());
        Answer::TaskList(tasks.unwrap_or_default())
    })
}

/// The job that compares the tasks of two documents.
pub fn difference(documents: [Document; 2]) -> Box<dyn Job> {
    once(move || {
        let [first, second] = documents.each_ref().map(Option::as_deref);
        let both = first.zip(second);
        Answer::TaskDifference(
            both.and_then(|(first, second)| difference::difference(first, second)),
        )
    })
}

/// The job that adds up shards.
pub fn sum_of_shards(documents: Vec<Document>) -> Box<dyn Job> {
    once(move || {
        let all: Option<Vec<_>> = documents.iter().cloned().collect();
        Answer::SumOfShards(all.and_then(|documents| shards::sum(&documents)))
    })
}

/// The job that recounts a task, or all tasks.
pub fn recount(document: Document, task: Option<u32>) -> Box<dyn Job> {
    match document {
        Some(document) => Box::new(Recount::new(&document, task)),
        None => once(|| Answer::RecountProgress(RecountProgress::default())),
    }
}

/// A job with a single answer that takes a few milliseconds.
struct Once<F>(F);

fn once(answer: impl Fn() -> Answer + 'static) -> Box<dyn Job> {
    Box::new(Once(answer))
}

impl<F: Fn() -> Answer> Job for Once<F> {
    fn work(&mut self, _steps: u32) -> bool {
        false
    }

    fn report(&mut self) -> Answer {
        self.0()
    }
}
