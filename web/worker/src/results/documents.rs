//! The documents that the page shows. Only the worker holds their tasks. The page has a summary of
//! each document, and refers to the document by an id.

use std::{collections::HashMap, rc::Rc};

use queens_core::{
    Checks, PlanId,
    document::{Document, DocumentError, Header},
};

use crate::protocol::{DocumentId, Gist, Task};

/// The largest number of contradictions that are reported. Every task can have one.
const MOST_REPORTED: usize = 12;

/// A document reduced to the fields that are needed after it was read.
#[derive(Debug, PartialEq)]
pub struct Held {
    /// All fields except the tasks.
    pub header: Header,
    pub tasks: Vec<Task>,
}

impl Held {
    /// The plan that the tasks belong to.
    pub fn plan(&self) -> PlanId {
        PlanId { size: self.header.n, method: self.header.method }
    }
}

impl From<Document> for Held {
    fn from(document: Document) -> Held {
        let tasks = document.tasks.iter().map(|task| Task {
            id: task.id,
            total: task.total,
            seconds: task.seconds.get(),
        });
        Held { tasks: tasks.collect(), header: document.header }
    }
}

/// All documents that the page shows, by id.
#[derive(Debug, Default)]
pub struct Documents {
    /// Each document with its reference count.
    held: HashMap<DocumentId, (Rc<Held>, u32)>,
    last: DocumentId,
}

impl Documents {
    /// Parses a document and holds it. Each call adds a reference, which
    /// [`let_go`](Documents::let_go) releases. Equal documents share one id.
    ///
    /// # Errors
    /// Fails if the text is not a result document. A document with contradictions is held and
    /// returned with them.
    pub fn read(&mut self, text: &str) -> Result<Gist, DocumentError> {
        let document = Document::parse(text)?;
        let (checks, mut contradictions) = match document.check() {
            Ok(checks) => (checks, vec![]),
            Err(found) => (Checks::NONE, found),
        };
        let more = contradictions.len().saturating_sub(MOST_REPORTED);
        contradictions.truncate(MOST_REPORTED);
        let header = document.header.to_value().to_string();
        let document = self.hold(document.into());
        Ok(Gist { document, header, checks, contradictions, more })
    }

    fn hold(&mut self, document: Held) -> DocumentId {
        let same = self.held.iter_mut().find(|(_, (held, _))| **held == document);
        if let Some((&id, (_, references))) = same {
            *references += 1;
            return id;
        }
        self.last += 1;
        self.held.insert(self.last, (Rc::new(document), 1));
        self.last
    }

    /// Returns the document with this id, if it is held.
    pub fn get(&self, id: DocumentId) -> Option<Rc<Held>> {
        self.held.get(&id).map(|(held, _)| Rc::clone(held))
    }

    /// Releases one reference to a document.
    pub fn let_go(&mut self, id: DocumentId) {
        if let Some((_, references)) = self.held.get_mut(&id) {
            *references -= 1;
            if *references == 0 {
                self.held.remove(&id);
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
        let held = documents.get(eight.document).unwrap();
        let sixth = Task { id: 6, total: 16, seconds: 0.0625 };
        assert_eq!((held.tasks.len(), held.tasks[6]), (16, sixth));
        assert_eq!(eight.header().unwrap(), held.header);

        documents.let_go(eight.document);
        assert!(documents.get(eight.document).is_some());
        documents.let_go(eight.document);
        // A released document is not found, and its id is not reused.
        documents.let_go(eight.document);
        assert_eq!(documents.get(eight.document), None);
        assert!(documents.get(one.document).is_some());
        assert_ne!(documents.read(EIGHT).unwrap().document, eight.document);
    }

    #[test]
    fn keeps_contradictory_documents_and_limits_their_errors() {
        let mut documents = Documents::default();
        let wrong =
            documents.read(&EIGHT.replace("\"total\": \"92\"", "\"total\": \"93\"")).unwrap();
        assert!(documents.get(wrong.document).is_some());
        assert_eq!((wrong.checks, wrong.more), (Checks::NONE, 0));
        assert!(wrong.contradictions.iter().any(|each| each.path() == "total"));
        // For example, each of the sixteen tasks takes longer than the whole count.
        let slow = documents.read(&EIGHT.replace("0.0625", "99")).unwrap();
        assert_eq!((slow.contradictions.len(), slow.more), (MOST_REPORTED, 16 - MOST_REPORTED));
        assert!(documents.read(&EIGHT[..200]).is_err());
    }

    #[test]
    fn header_messages_round_trip() {
        let mut documents = Documents::default();
        let names = ["\"id\": 3", "\"seconds\": 0.0625", "\"total\": \"92\"", "\"n\": 8"];
        for (from, to) in
            names.into_iter().zip(["\"id\": 2", "\"seconds\": 99", "\"total\": \"7\"", "\"n\": 9"])
        {
            let gist = documents.read(&EIGHT.replacen(from, to, 1)).unwrap();
            assert!(!gist.contradictions.is_empty());
            let made = [("a.json".to_owned(), Ok(gist))];
            assert_eq!(Gist::read(&Gist::write(&made)), made);
        }
    }
}
