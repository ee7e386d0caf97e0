//! The documents that the page shows. Only the worker holds their tasks. The page has a summary of
//! each document, and refers to the document by an id.

use std::{collections::HashMap, rc::Rc};

use queens_core::{
    Checks, PlanId,
    document::{Document, DocumentError, Header},
};

use crate::measured::measured;
use crate::protocol::{DocumentId, DocumentInfo, Task};

/// The largest number of contradictions that are reported for a document, which can have more than
/// one for each of its tasks.
const MAX_REPORTED: usize = 12;

/// A document reduced to the fields that are needed after it was read.
#[derive(Debug, PartialEq)]
pub struct StoredDocument {
    /// All fields except the tasks.
    pub header: Header,
    pub tasks: Vec<Task>,
}

impl StoredDocument {
    /// The plan that the tasks belong to.
    pub fn plan(&self) -> PlanId {
        PlanId { size: self.header.n, method: self.header.method }
    }
}

impl From<Document> for StoredDocument {
    fn from(document: Document) -> StoredDocument {
        let tasks = document.tasks.iter().map(|task| Task {
            id: task.id,
            total: task.total,
            seconds: measured(task.seconds.get()),
        });
        StoredDocument { tasks: tasks.collect(), header: document.header }
    }
}

/// All documents that the page shows, by id.
#[derive(Debug, Default)]
pub struct Documents {
    /// Each document with its reference count.
    entries: HashMap<DocumentId, (Rc<StoredDocument>, u32)>,
    last_id: DocumentId,
}

impl Documents {
    /// Parses a document and stores it. Each call adds a reference, which
    /// [`release`](Documents::release) removes. Equal documents share one id.
    ///
    /// # Errors
    /// Fails if the text is not a result document. Contradictions are not an error: the document is
    /// stored, and the returned [`DocumentInfo`] lists the first few of them.
    pub fn read(&mut self, text: &str) -> Result<DocumentInfo, DocumentError> {
        let document = Document::parse(text)?;
        let (checks, mut contradictions) = match document.check() {
            Ok(checks) => (checks, vec![]),
            Err(found) => (Checks::NONE, found),
        };
        let more = contradictions.len().saturating_sub(MAX_REPORTED);
        contradictions.truncate(MAX_REPORTED);
        let header = document.header.to_value().to_string();
        let document = self.add(document.into());
        Ok(DocumentInfo { document, header, checks, contradictions, more })
    }

    fn add(&mut self, document: StoredDocument) -> DocumentId {
        let same = self.entries.iter_mut().find(|(_, (stored, _))| **stored == document);
        if let Some((&id, (_, references))) = same {
            *references += 1;
            return id;
        }
        self.last_id += 1;
        self.entries.insert(self.last_id, (Rc::new(document), 1));
        self.last_id
    }

    /// Returns the document with this id, if it is stored.
    pub fn get(&self, id: DocumentId) -> Option<Rc<StoredDocument>> {
        self.entries.get(&id).map(|(stored, _)| Rc::clone(stored))
    }

    /// Releases one reference to a document.
    pub fn release(&mut self, id: DocumentId) {
        if let Some((_, references)) = self.entries.get_mut(&id) {
            *references -= 1;
            if *references == 0 {
                self.entries.remove(&id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");
    const ONE: &str = include_str!("../../../../tests/data/results/one.json");

    #[test]
    fn keeps_a_document_while_the_page_displays_it() {
        let mut documents = Documents::default();
        let eight = documents.read(EIGHT).unwrap();
        let again = documents.read(&EIGHT.replace("\n", "\n ")).unwrap();
        let one = documents.read(ONE).unwrap();
        assert_eq!(eight, again);
        assert_ne!(eight.document, one.document);
        let stored = documents.get(eight.document).unwrap();
        let task_6 = Task { id: 6, total: 16, seconds: 0.0625 };
        assert_eq!((stored.tasks.len(), stored.tasks[6]), (16, task_6));
        assert_eq!(eight.header().unwrap(), stored.header);

        documents.release(eight.document);
        assert!(documents.get(eight.document).is_some());
        documents.release(eight.document);
        // Releasing once too often has no effect. A released document is not found, and its id is
        // not reused.
        documents.release(eight.document);
        assert_eq!(documents.get(eight.document), None);
        assert!(documents.get(one.document).is_some());
        assert_ne!(documents.read(EIGHT).unwrap().document, eight.document);
    }

    #[test]
    fn tasks_below_a_nanosecond_took_no_time() {
        let mut documents = Documents::default();
        let text = EIGHT.replacen("\"seconds\": 0.0625", "\"seconds\": 1e-308", 2);
        let read = documents.read(&text).unwrap();
        let tasks = &documents.get(read.document).unwrap().tasks;
        assert_eq!(tasks.iter().filter(|task| task.seconds == 0.0).count(), 2, "{tasks:?}");
    }

    #[test]
    fn keeps_contradictory_documents_and_limits_their_errors() {
        let mut documents = Documents::default();
        let wrong =
            documents.read(&EIGHT.replace("\"total\": \"92\"", "\"total\": \"93\"")).unwrap();
        assert!(documents.get(wrong.document).is_some());
        assert_eq!((wrong.checks, wrong.more), (Checks::NONE, 0));
        assert!(wrong.contradictions.iter().any(|each| each.path() == "total"));
        // Sixteen tasks with odd totals and a wrong sum: seventeen contradictions.
        let text = EIGHT.replace("\", \"seconds\"", "1\", \"seconds\"").replace("\"01\"", "\"1\"");
        let odd = documents.read(&text).unwrap();
        assert_eq!((odd.contradictions.len(), odd.more), (MAX_REPORTED, 17 - MAX_REPORTED));
        assert!(documents.read(&EIGHT[..200]).is_err());
    }

    #[test]
    fn infos_with_contradictions_round_trip() {
        let mut documents = Documents::default();
        let fields = ["\"id\": 3", "\"total\": \"92\"", "\"n\": 8"];
        for (from, to) in fields.into_iter().zip(["\"id\": 2", "\"total\": \"7\"", "\"n\": 9"]) {
            let info = documents.read(&EIGHT.replacen(from, to, 1)).unwrap();
            assert!(!info.contradictions.is_empty());
            let files = [("a.json".to_owned(), Ok(info))];
            assert_eq!(DocumentInfo::read(&DocumentInfo::write(&files)), files);
        }
    }
}
