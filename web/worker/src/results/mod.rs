//! Result documents: the page shows their headers, and asks for what it shows of their tasks.
//!
//! | file | what |
//! |---|---|
//! | documents.rs | the documents that the page shows |
//! | kept.rs | files that are read, and that the browser keeps |
//! | tasks.rs | the tasks of a document at a glance, and one in detail |
//! | recount.rs | tasks counted again |

mod documents;
mod kept;
mod recount;
mod tasks;

use std::rc::Rc;

use crate::{
    jobs::Job,
    protocol::{Answer, Recounted, Start, TaskDetail},
};

pub use documents::Documents;
pub use kept::keep;

use documents::Held;
use recount::Recount;
use tasks::Detail;

/// A request about a document. It may have been let go, or never held.
type Document = Option<Rc<Held>>;

/// The job for a summary of tasks.
pub fn summary(document: Document) -> Box<dyn Job> {
    once(move || {
        Answer::TaskSummary(document.as_ref().and_then(|document| tasks::summary(&document.tasks)))
    })
}

/// The job for one task in detail.
pub fn detail(document: Document, id: u32) -> Box<dyn Job> {
    match document {
        Some(document) => Box::new(Detail::new(&document, id)),
        None => once(move || {
            Answer::TaskDetail(TaskDetail { id, task: None, start: Start::Unknown, step: None })
        }),
    }
}

/// The job for the list of all tasks.
pub fn list(document: Document) -> Box<dyn Job> {
    once(move || {
        let tasks = document.as_ref().map(|document| document.tasks.clone());
        Answer::TaskList(tasks.unwrap_or_default())
    })
}

/// The job that counts a task again, or all tasks.
pub fn recount(document: Document, task: Option<u32>) -> Box<dyn Job> {
    match document {
        Some(document) => Box::new(Recount::new(&document, task)),
        None => once(|| Answer::Recounted(Recounted::default())),
    }
}

/// A job that has one answer, which takes a few milliseconds.
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
