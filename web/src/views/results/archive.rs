//! The archive: all documents, running counts and rejections that the view shows.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use queens_core::document::{DocumentError, Header, Progress, RunState};
use serde_json::Value;
use yew::prelude::*;

use super::entry::{Entry, LINKED, LINKED_SECOND, ReadOutcome, RejectedDocument, Source};
use crate::worker::{FileAccessError, FileError};

/// A running count that reports to the server.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The id of the count on the server.
    pub id: String,
    /// The last report of the count.
    pub progress: Progress,
    /// The time of the last report, in milliseconds of the page's clock.
    pub last_report_ms: f64,
}

/// The state of the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Server {
    /// The server was not asked yet.
    #[default]
    Unknown,
    /// The page came as static files, without a server.
    Absent,
    /// The server answers and sends events.
    Live,
    /// The server answers, but the page cannot read its list.
    Strange,
    /// The server does not answer.
    Lost,
}

/// What happened last to the documents of the list, other than loading files, while the view was open.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum News {
    #[default]
    None,
    /// The document with this id arrived.
    Arrived(String),
    /// The server removed this document.
    Removed(Box<Entry>),
    /// The user removed a document from the list: a file, by its name, or [`LINKED`].
    Closed(String),
}

/// The documents, running counts and rejections that the view Results shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Archive {
    pub server: Server,
    /// The documents of all sources: files, the results of a link, and those of the server.
    all: Vec<Entry>,
    /// The documents of the list, [merged](merge) from all sources.
    pub entries: Vec<Entry>,
    /// The ids of documents that the page asked for and did not get.
    pub missing: BTreeSet<String>,
    /// The cursor for the next part of the server's list; `None` if the list is complete.
    pub next: Option<String>,
    /// The rejected files and documents.
    pub rejected: Vec<RejectedDocument>,
    /// The running counts.
    pub runs: Vec<Run>,
    /// What the server sent last, which the view announces.
    pub news: News,
    /// Whether the files that were opened last all have a row: their own, or that of the server's copy.
    pub has_all_loaded: bool,
}

/// A change to the archive.
pub enum Change {
    /// Files were read or rejected. Files that arrive together are one change, because each change
    /// copies the archive.
    Files(Vec<Result<Entry, RejectedDocument>>),
    /// As [`Change::Files`], for files that the user has just opened: their rows are highlighted.
    Loaded(Vec<Result<Entry, RejectedDocument>>),
    /// The address has one or two results without their tasks.
    Linked(Vec<Result<Header, DocumentError>>),
    /// The user opens files: rows of earlier files and links are no longer highlighted, and files that were
    /// rejected before are no longer reported.
    LoadStarts,
    /// The user opened one document, so the last announcement about the list is out of date.
    DocumentOpened,
    /// The server sent the first part of its list, with the cursor of the next part.
    List(Vec<Value>, Option<String>),
    /// The server sent a further part of its list.
    More(Vec<Value>, Option<String>),
    /// The server has a new document.
    Result(Value),
    /// A count reported its progress at this time, in milliseconds of the page's clock.
    Report(Value, f64),
    /// Removes counts whose last report is older than the given time, because their programs have
    /// probably crashed.
    RemoveStaleRuns(f64),
    /// The worker read the server's document with this id, including its tasks, or rejected it.
    DocumentRead(String, Box<ReadOutcome>),
    /// The state of the server changed.
    Server(Server),
    /// The user dismissed the rejections.
    DismissRejections,
    /// The user removed the rejected file with this key from the browser's storage.
    RejectedRemoved(String),
    /// The user closed a document that came from a file or a link.
    Close(String),
    /// The server removed a document.
    Removed(String),
    /// The server has stored the file with this id. The server's document receives the file's tasks and
    /// replaces it in the list.
    Published(String, Box<Entry>),
}

impl Archive {
    /// Returns the document with this id, also if it has no row: links may lead to it.
    pub fn find(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().chain(&self.all).find(|entry| entry.id == id)
    }

    /// Returns the document of the server that the list shows instead of the file or link with this id.
    pub fn shown_instead(&self, id: &str) -> Option<&Entry> {
        let listed: Vec<&Entry> =
            self.entries.iter().filter(|entry| entry.source == Source::Server).collect();
        self.all.iter().find(|entry| entry.id == id)?.published(&listed)
    }

    fn apply(&mut self, change: Change) {
        self.change(change);
        self.entries = merge(&self.all);
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::Files(files) => {
                for read in files {
                    self.add_file(read, false);
                }
            }
            Change::Loaded(files) => {
                for read in files {
                    self.add_file(read, true);
                }
                self.has_all_loaded = true;
            }
            Change::Linked(linked) => self.add_linked(linked),
            Change::LoadStarts => {
                let files = self.all.iter_mut().filter(|entry| entry.source != Source::Server);
                files.for_each(|entry| entry.fresh = false);
                self.rejected.retain(|rejection| !rejection.is_file);
                self.news = News::None;
            }
            Change::DocumentOpened => self.news = News::None,
            Change::List(summaries, next) => {
                if next.is_none() {
                    // A complete list lacks only documents that the server has removed.
                    let is_listed = |id: &str| summaries.iter().any(|each| each["id"] == id);
                    self.all.retain(|e| e.source != Source::Server || is_listed(&e.id));
                }
                self.change(Change::More(summaries, next));
            }
            Change::More(summaries, next) => {
                self.next = next;
                for summary in summaries {
                    self.add_summary(summary, false);
                }
            }
            Change::Result(summary) => {
                let id = summary.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
                let before = self.all.len();
                self.add_summary(summary, true);
                if self.all.len() > before {
                    self.news = News::Arrived(id);
                }
            }
            Change::Report(report, now) => self.add_report(report, now),
            Change::RemoveStaleRuns(before) => self.runs.retain(|run| run.last_report_ms >= before),
            Change::DocumentRead(id, read) => self.add_document(id, *read),
            Change::Server(server) => {
                if self.server != server {
                    self.missing.clear();
                }
                self.server = server;
                if server != Server::Live {
                    self.runs.clear();
                }
            }
            Change::DismissRejections => self.rejected.clear(),
            Change::RejectedRemoved(key) => {
                self.rejected.retain(|rejection| rejection.key() != Some(&key));
            }
            Change::Close(id) => {
                for closed in self.all.extract_if(.., |entry| entry.id == id) {
                    self.has_all_loaded &= !closed.fresh;
                    self.news = News::Closed(match closed.source {
                        Source::File(name) => name,
                        Source::Server | Source::Link => closed.id,
                    });
                }
            }
            Change::Removed(id) => {
                let is_removed =
                    |entry: &mut Entry| entry.source == Source::Server && entry.id == id;
                if let Some(removed) = self.all.extract_if(.., is_removed).last() {
                    self.news = News::Removed(Box::new(removed));
                }
            }
            Change::Published(file, entry) => self.add_published(&file, *entry),
        }
    }

    fn add_document(&mut self, id: String, outcome: ReadOutcome) {
        let read = outcome.and_then(|document| {
            Entry::of_document(id.clone(), Source::Server, document).map_err(FileError::Document)
        });
        match read {
            Ok(entry) => match self.all.iter_mut().find(|entry| entry.id == id) {
                Some(listed) => listed.document = entry.document,
                None => self.all.push(entry),
            },
            Err(why) => {
                self.missing.insert(id.clone());
                if !matches!(why, FileError::Access(_)) {
                    self.add_rejection(RejectedDocument { name: id, why, is_file: false });
                }
            }
        }
    }

    /// Adds the results of a link and removes those of an earlier link, even if the new link
    /// cannot be read; otherwise the earlier results would be shown under the new link.
    fn add_linked(&mut self, linked: Vec<Result<Header, DocumentError>>) {
        self.all.retain(|entry| entry.source != Source::Link);
        for (id, linked) in [LINKED, LINKED_SECOND].into_iter().zip(linked) {
            match linked {
                Ok(header) => self.all.push(Entry::of_link(id, header)),
                Err(error) => self.add_rejection(RejectedDocument {
                    name: LINKED.to_owned(),
                    why: FileError::Document(error),
                    is_file: false,
                }),
            }
        }
    }

    fn add_file(&mut self, read: Result<Entry, RejectedDocument>, fresh: bool) {
        match read {
            Ok(mut entry) => {
                entry.fresh = fresh;
                let is_same =
                    |other: &&mut Entry| other.source == entry.source && other.key() == entry.key();
                match self.all.iter_mut().find(is_same) {
                    // The file is in the list already.
                    Some(same) if same.has_same_document(&entry) => same.fresh |= fresh,
                    // The file has changed since it was loaded.
                    Some(same) => *same = entry,
                    None => self.all.push(entry),
                }
            }
            // Another tab removed the file while this one read it.
            Err(RejectedDocument { why: FileError::Access(FileAccessError::Removed), .. }) => {}
            Err(rejection) => self.add_rejection(rejection),
        }
    }

    fn add_rejection(&mut self, rejection: RejectedDocument) {
        if !self.rejected.contains(&rejection) {
            self.rejected.push(rejection);
        }
    }

    fn add_summary(&mut self, summary: Value, fresh: bool) {
        match Entry::of_summary(summary) {
            Ok(mut entry) => match self.all.iter_mut().find(|other| other.id == entry.id) {
                // The document was opened by its address before the list arrived.
                Some(listed) => listed.verified = entry.verified,
                None => {
                    entry.fresh = fresh;
                    self.all.push(entry);
                }
            },
            Err(rejection) => self.add_rejection(rejection),
        }
    }

    fn add_published(&mut self, file: &str, mut published: Entry) {
        let file = self.all.iter_mut().find(|entry| entry.id == file);
        let document = file.and_then(|file| {
            self.has_all_loaded &= !file.fresh;
            file.fresh = false;
            file.document.clone()
        });
        let fresh = true;
        match self.all.iter_mut().find(|other| other.id == published.id) {
            // The server had the document, or has announced it.
            Some(listed) => {
                listed.verified = published.verified;
                listed.document = listed.document.take().or(document);
                listed.fresh = fresh;
            }
            None => {
                (published.document, published.fresh) = (document, fresh);
                self.all.push(published);
            }
        }
    }

    fn add_report(&mut self, report: Value, last_report_ms: f64) {
        let id = report.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        // Reports that this program cannot read, such as those of a newer program, are ignored.
        let Ok(progress) = Progress::from_value(report) else { return };
        let index = self.runs.iter().position(|run| run.id == id);
        match (index, progress.state) {
            (Some(index), RunState::Running) => {
                if let Some(run) = self.runs.get_mut(index) {
                    (run.progress, run.last_report_ms) = (progress, last_report_ms);
                }
            }
            (None, RunState::Running) => self.runs.push(Run { id, progress, last_report_ms }),
            (Some(index), RunState::Done | RunState::Stopped) => drop(self.runs.remove(index)),
            (None, RunState::Done | RunState::Stopped) => {}
        }
    }
}

/// Returns the list of the documents of all sources, sorted by their start across time zones, the latest first. A file
/// or the result of a link that the server lists, too, has no row of its own: the row of the server's document shows
/// more than that of a link, which has no tasks, and names the files.
fn merge(all: &[Entry]) -> Vec<Entry> {
    let (of_server, others): (Vec<&Entry>, Vec<&Entry>) =
        all.iter().partition(|entry| entry.source == Source::Server);
    let mut list: Vec<Entry> = of_server.iter().copied().cloned().collect();
    for entry in others {
        let place = entry.published(&of_server).map(|published| published.id.as_str());
        match list.iter_mut().find(|row| Some(row.id.as_str()) == place) {
            Some(row) => {
                if let Source::File(name) = &entry.source {
                    row.fresh |= entry.fresh;
                    row.copies = row.copies.iter().chain([name]).cloned().collect();
                }
            }
            None => list.push(entry.clone()),
        }
    }
    list.sort_by(|a, b| b.compare_starts(a));
    list
}

impl Reducible for Archive {
    type Action = Change;

    fn reduce(self: Rc<Self>, change: Change) -> Rc<Self> {
        let mut archive = Rc::unwrap_or_clone(self);
        archive.apply(change);
        archive.into()
    }
}

thread_local! {
    static ARCHIVE: RefCell<Archive> = RefCell::default();
}

/// Changes the archive of the page while the view is not open.
pub fn change_unopened(change: Change) {
    ARCHIVE.with_borrow_mut(|archive| archive.apply(change));
}

/// Returns the archive of the page. The archive outlives the view, so that loaded files are still
/// listed when the user returns from another view.
#[hook]
pub fn use_archive() -> UseReducerHandle<Archive> {
    let archive = use_reducer_eq(|| {
        let stored = ARCHIVE.with_borrow(Archive::clone);
        Archive { server: Server::Unknown, runs: vec![], ..stored }
    });
    use_effect_with((*archive).clone(), |archive| {
        ARCHIVE.with_borrow_mut(|stored| stored.clone_from(archive));
    });
    archive
}

/// Returns an archive with these entries and this state of the server.
#[cfg(all(test, not(target_family = "wasm")))]
pub fn archive_of(entries: Vec<Entry>, server: Server) -> Archive {
    Archive { all: entries.clone(), entries, server, ..Archive::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::results::entry::{Verifier, file_id, read_document};
    use crate::worker::FileRequest;
    use queens_core::document::{Check, Checks, Document, Summary};
    use serde_json::json;

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");
    const ONE: &str = include_str!("../../../../tests/data/results/one.json");

    fn load(archive: &mut Archive, text: &str) {
        archive.apply(Change::Files(vec![Entry::of_file("a.json".into(), read_document(text))]));
    }

    /// Returns the id of a document that was loaded by [`load`].
    fn a_json(text: &str) -> String {
        file_id(&FileRequest::key("a.json", &Document::parse(text).unwrap().header))
    }

    fn summary(text: &str, id: &str) -> Value {
        let verified = Checks::NONE.with(Check::Sums);
        Summary::of(&Document::parse(text).unwrap(), id.into(), verified).to_value()
    }

    #[test]
    fn sorts_results_of_all_time_zones_by_start() {
        let mut archive = Archive::default();
        let times =
            ["2026-01-31T23:00:00+09:00", "2026-01-31T15:00:00Z", "2026-01-31T09:30:00.5-11:30"];
        let started = EIGHT.split("\"started\": \"").nth(1).unwrap().split('"').next().unwrap();
        for time in times {
            load(&mut archive, &EIGHT.replace(started, time));
        }
        let sorted: Vec<_> = archive.entries.iter().map(|entry| &*entry.header.started).collect();
        assert_eq!(sorted, [times[2], times[1], times[0]]);
    }

    #[test]
    fn sorts_files_loaded_together_among_the_others() {
        let started = |day: u32| format!("2026-01-{day:02}T09:30:00Z");
        let file = |day: u32| {
            let text = EIGHT.replace("2026-01-31T09:30:00Z", &started(day));
            Entry::of_file(format!("{day}.json"), read_document(&text))
        };
        let mut archive = Archive::default();
        archive.apply(Change::Files(vec![file(7), file(3)]));
        archive.apply(Change::Files(vec![file(5), file(7), file(9)]));
        let days: Vec<_> =
            archive.entries.iter().map(|entry| &entry.header.started[8..10]).collect();
        assert_eq!(days, ["09", "07", "05", "03"]);
    }

    #[test]
    fn a_file_has_the_same_id_after_a_reload() {
        let ids = |texts: [(&str, &str); 3]| {
            let mut archive = Archive::default();
            for (name, text) in texts {
                let file = Entry::of_file(name.into(), read_document(text));
                archive.apply(Change::Files(vec![file]));
            }
            let ids = archive.entries.into_iter().map(|entry| (entry.source, entry.id));
            let mut ids: Vec<_> = ids.map(|(source, id)| (format!("{source:?}"), id)).collect();
            ids.sort();
            ids
        };
        // After a reload, the page reads the files in the order of their keys.
        let files = [("b.json", ONE), ("a.json", EIGHT), ("b.json", EIGHT)];
        let [first, second, third] = files;
        let found = ids(files);
        assert_eq!(found, ids([third, second, first]));
        let distinct: BTreeSet<_> = found.iter().map(|(_, id)| id).collect();
        assert_eq!(distinct.len(), 3, "{found:?}");
        // Addresses contain the ids, so they must not change.
        assert_eq!(file_id("key"), "file-3dc94a19365b10ec");
    }

    #[test]
    fn only_the_files_opened_last_are_fresh() {
        let file = |text: &str, name: &str| Entry::of_file(name.into(), read_document(text));
        let mut archive = Archive::default();
        let fresh = |archive: &Archive| {
            let fresh = archive.entries.iter().filter(|entry| entry.fresh);
            fresh.map(|entry| entry.header.n.get()).collect::<Vec<_>>()
        };
        archive.apply(Change::Files(vec![file(EIGHT, "stored.json")]));
        assert_eq!(fresh(&archive), [0; 0]);
        archive.apply(Change::LoadStarts);
        archive.apply(Change::Loaded(vec![file(ONE, "one.json")]));
        assert_eq!(fresh(&archive), [1]);
        // A file that is opened again is fresh, too.
        archive.apply(Change::LoadStarts);
        archive.apply(Change::Loaded(vec![file(EIGHT, "stored.json")]));
        assert_eq!(fresh(&archive), [8]);
        assert_eq!(archive.entries.len(), 2);
    }

    #[test]
    fn the_next_files_replace_the_rejections_of_earlier_ones() {
        let mut archive = Archive::default();
        archive.apply(Change::Result(json!({ "id": "cc", "format": "other" })));
        let truncated = Entry::of_file("bad.json".into(), read_document(&EIGHT[..200]));
        archive.apply(Change::Loaded(vec![truncated]));
        let names = |archive: &Archive| {
            archive.rejected.iter().map(|rejection| rejection.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&archive), ["cc", "bad.json"]);
        archive.apply(Change::LoadStarts);
        archive.apply(Change::Loaded(vec![Entry::of_file("a.json".into(), read_document(EIGHT))]));
        assert_eq!(names(&archive), ["cc"]);
    }

    #[test]
    fn rejects_invalid_files_and_names_the_field() {
        let mut archive = Archive::default();
        load(&mut archive, EIGHT);
        load(&mut archive, ONE);
        load(&mut archive, &EIGHT.replace("\"n\": 8", "\"n\": 99"));
        load(&mut archive, &EIGHT[..200]);
        archive
            .apply(Change::Files(vec![Entry::of_file("b.png".into(), Err(FileError::Unreadable))]));
        let removed = Err(FileError::Access(FileAccessError::Removed));
        archive.apply(Change::Files(vec![Entry::of_file("c.json".into(), removed)]));
        assert_eq!(archive.entries.len(), 2);
        assert!(archive.entries.iter().all(|entry| entry.contradictions.is_empty()));
        assert_ne!(archive.entries[0].id, archive.entries[1].id);
        let paths = archive.rejected.iter().map(|rejection| match &rejection.why {
            FileError::Document(error) => error.path().to_owned(),
            other => format!("{other:?}"),
        });
        assert_eq!(paths.collect::<Vec<_>>(), ["n", "", "Unreadable"]);
        archive.apply(Change::DismissRejections);
        assert!(archive.rejected.is_empty());
    }

    #[test]
    fn a_rejected_stored_file_can_be_removed() {
        let mut archive = Archive::default();
        for key in ["first", "second"] {
            let why = FileError::Stored(key.to_owned(), Box::new(FileError::Unreadable));
            archive.apply(Change::Files(vec![Entry::of_file("a.json".into(), Err(why))]));
        }
        archive.apply(Change::RejectedRemoved("first".to_owned()));
        let keys: Vec<_> = archive.rejected.iter().map(RejectedDocument::key).collect();
        assert_eq!(keys, [Some("second")]);
    }

    #[test]
    fn a_rewritten_file_replaces_the_old_one() {
        let mut archive = Archive::default();
        // A task has one more solution, but the total is unchanged.
        let damaged = EIGHT.replacen("\"total\": \"0\"", "\"total\": \"1\"", 1);
        assert_ne!(damaged, EIGHT);
        for (text, wrong) in [(&*damaged, true), (&damaged, true), (EIGHT, false), (EIGHT, false)] {
            load(&mut archive, text);
            let [entry] = &archive.entries[..] else { panic!("{archive:?}") };
            assert_eq!((&entry.id, !entry.contradictions.is_empty()), (&a_json(EIGHT), wrong));
        }
    }

    #[test]
    fn keeps_contradictory_files_with_their_errors() {
        let mut archive = Archive::default();
        load(&mut archive, &EIGHT.replace("\"total\": \"92\"", "\"total\": \"93\""));
        assert!(archive.rejected.is_empty());
        let found = &archive.entries[0].contradictions;
        assert!(found.iter().any(|each| each.path() == "total"), "{found:?}");
    }

    #[test]
    fn merges_the_servers_list_with_its_events() {
        let mut archive = Archive::default();
        archive.apply(Change::List(vec![summary(EIGHT, "aa")], Some("7".into())));
        archive.apply(Change::Result(summary(ONE, "bb")));
        archive.apply(Change::Result(summary(EIGHT, "aa")));
        assert_eq!(archive.entries.len(), 2);
        assert!(archive.find("bb").unwrap().fresh && !archive.find("aa").unwrap().fresh);
        assert_eq!(archive.next.as_deref(), Some("7"));
        let (aa, sums) = (archive.find("aa").unwrap(), Checks::NONE.with(Check::Sums));
        assert_eq!((&aa.document, aa.verified), (&None, (Verifier::Server, sums)));
        // The checks that the document claims are stored separately.
        assert_eq!(aa.header.checks, ["sums", "known"]);
        archive.apply(Change::DocumentRead("aa".into(), Box::new(read_document(EIGHT))));
        let aa = archive.find("aa").unwrap();
        assert!(aa.document.is_some());
        assert_eq!(aa.verified, (Verifier::Server, sums));
        archive.apply(Change::Result(json!({ "id": "cc", "format": "other" })));
        assert_eq!(archive.rejected.len(), 1);
    }

    #[test]
    fn a_document_that_the_server_does_not_send_is_missing_until_it_answers_again() {
        let mut archive = Archive::default();
        let absent = FileError::Access(FileAccessError::NotFound);
        archive.apply(Change::DocumentRead("aa".into(), Box::new(Err(absent))));
        // The user learns it where the document would be.
        assert!(archive.missing.contains("aa") && archive.rejected.is_empty());
        archive.apply(Change::DocumentRead("bb".into(), Box::new(Err(FileError::Unreadable))));
        assert_eq!((archive.missing.len(), archive.rejected.len()), (2, 1));
        archive.apply(Change::Server(Server::Live));
        assert!(archive.missing.is_empty());
    }

    #[test]
    fn a_damaged_link_removes_the_result_of_an_earlier_one() {
        let link = |text: &str| {
            let header = Document::parse(text).map(|document| document.header);
            Change::Linked(vec![header])
        };
        let mut archive = Archive::default();
        archive.apply(link(EIGHT));
        assert_eq!(archive.find(LINKED).unwrap().header.n.get(), 8);
        archive.apply(link(&EIGHT[..200]));
        assert_eq!(archive.find(LINKED), None);
        assert_eq!(archive.rejected.len(), 1);
        archive.apply(link(EIGHT));
        assert!(archive.find(LINKED).is_some());
    }

    #[test]
    fn a_link_to_a_comparison_has_two_results() {
        let header = |text: &str| Ok(Document::parse(text).unwrap().header);
        let mut archive = Archive::default();
        archive.apply(Change::Linked(vec![header(EIGHT), header(ONE)]));
        let sizes = [LINKED, LINKED_SECOND].map(|id| archive.find(id).unwrap().header.n.get());
        assert_eq!(sizes, [8, 1]);
        archive.apply(Change::Linked(vec![header(ONE)]));
        assert_eq!((archive.entries.len(), archive.find(LINKED_SECOND)), (1, None));
    }

    #[test]
    fn drops_results_that_the_server_removed() {
        let mut archive = Archive::default();
        load(&mut archive, ONE);
        archive.apply(Change::List(vec![summary(EIGHT, "aa")], None));
        archive.apply(Change::Removed(a_json(ONE)));
        archive.apply(Change::Removed("bb".into()));
        assert_eq!((archive.entries.len(), &archive.news), (2, &News::None));
        archive.apply(Change::Removed("aa".into()));
        assert_eq!(archive.find("aa"), None);
        assert!(matches!(archive.news, News::Removed(_)), "{:?}", archive.news);
        archive.apply(Change::Result(summary(EIGHT, "aa")));
        assert_eq!((archive.entries.len(), &archive.news), (2, &News::Arrived("aa".into())));
    }

    #[test]
    fn a_published_file_becomes_a_document_of_the_server() {
        let publish = |archive: &mut Archive| {
            let entry = Entry::of_summary(summary(EIGHT, "aa")).unwrap();
            archive.apply(Change::Published(a_json(EIGHT), Box::new(entry)));
        };
        for is_announced_first in [false, true] {
            let mut archive = Archive::default();
            let file = Entry::of_file("a.json".into(), read_document(EIGHT));
            archive.apply(Change::Loaded(vec![file]));
            let document = archive.find(&a_json(EIGHT)).unwrap().document.clone();
            if is_announced_first {
                archive.apply(Change::Result(summary(EIGHT, "aa")));
            }
            publish(&mut archive);
            let [entry] = &archive.entries[..] else { panic!("{archive:?}") };
            assert_eq!((&*entry.id, &entry.source, entry.fresh), ("aa", &Source::Server, true));
            assert_eq!((&entry.document, entry.verified.0), (&document, Verifier::Server));
            // The event of the server may also come later.
            archive.apply(Change::Result(summary(EIGHT, "aa")));
            assert!(archive.entries.len() == 1 && archive.entries[0].document == document);
        }
    }

    #[test]
    fn a_file_outlives_its_document_on_the_server() {
        let stored = |archive: &mut Archive| load(archive, EIGHT);
        let listed = |archive: &mut Archive| {
            archive.apply(Change::List(vec![summary(EIGHT, "aa"), summary(ONE, "bb")], None));
        };
        let ids = |archive: &Archive| {
            archive.entries.iter().map(|entry| entry.id.clone()).collect::<Vec<_>>()
        };
        // After a reload, the page may read its stored files before or after the server's list.
        for order in [[stored, listed], [listed, stored]] {
            let mut archive = Archive::default();
            order.iter().for_each(|change| change(&mut archive));
            stored(&mut archive);
            assert_eq!(ids(&archive), ["bb", "aa"]);
            assert!(archive.find(&a_json(EIGHT)).is_some());
            let mut by_list = archive.clone();
            by_list.apply(Change::List(vec![summary(ONE, "bb")], None));
            archive.apply(Change::Removed("aa".into()));
            for archive in [archive, by_list] {
                assert_eq!(ids(&archive), ["bb".to_owned(), a_json(EIGHT)]);
                assert!(archive.find(&a_json(EIGHT)).unwrap().document.is_some());
            }
        }
    }

    #[test]
    fn a_published_file_that_is_loaded_again_shares_the_row_of_the_server() {
        let mut archive = Archive::default();
        archive.apply(Change::List(vec![summary(EIGHT, "aa"), summary(ONE, "bb")], None));
        let open = |archive: &mut Archive, names: &[&str]| {
            archive.apply(Change::LoadStarts);
            let file = |name: &&str| Entry::of_file((*name).into(), read_document(EIGHT));
            archive.apply(Change::Loaded(names.iter().map(file).collect()));
        };
        let row = |archive: &Archive| {
            let ids: Vec<_> = archive.entries.iter().map(|entry| entry.id.as_str()).collect();
            assert_eq!(ids, ["bb", "aa"]);
            let entry = archive.find("aa").unwrap();
            (entry.copies.join(" "), entry.is_loaded())
        };
        assert_eq!(row(&archive), (String::new(), false));
        open(&mut archive, &["a.json", "b.json"]);
        assert_eq!(row(&archive), ("a.json b.json".into(), true));
        // The files stay when others are opened, but are no longer highlighted.
        archive.apply(Change::LoadStarts);
        assert_eq!(row(&archive), ("a.json b.json".into(), false));
        open(&mut archive, &["b.json"]);
        assert_eq!(row(&archive), ("a.json b.json".into(), true));
        // A file with other contents has a row of its own.
        let other = EIGHT.replace("Some Processor", "Another Processor");
        assert_ne!(other, EIGHT);
        archive.apply(Change::Loaded(vec![Entry::of_file("c.json".into(), read_document(&other))]));
        assert_eq!(archive.entries.len(), 3);
    }

    #[test]
    fn the_servers_document_takes_the_place_of_the_same_result_from_a_link() {
        let link = |archive: &mut Archive| {
            let header = Document::parse(EIGHT).unwrap().header;
            archive.apply(Change::Linked(vec![Ok(header)]));
        };
        let arrives = |archive: &mut Archive| archive.apply(Change::Result(summary(EIGHT, "aa")));
        let ids = |archive: &Archive| {
            archive.entries.iter().map(|entry| entry.id.clone()).collect::<Vec<_>>()
        };
        for order in [[link, arrives], [arrives, link]] {
            let mut archive = Archive::default();
            order.iter().for_each(|change| change(&mut archive));
            assert_eq!(ids(&archive), ["aa"]);
            // The link still opens it.
            assert!(archive.find(LINKED).is_some());
            archive.apply(Change::Removed("aa".into()));
            assert_eq!(ids(&archive), [LINKED]);
        }
        let mut archive = Archive::default();
        link(&mut archive);
        archive.apply(Change::Result(summary(ONE, "bb")));
        assert_eq!(archive.entries.len(), 2);
    }

    #[test]
    fn names_the_servers_document_that_is_shown_instead_of_a_file() {
        let mut archive = Archive::default();
        load(&mut archive, ONE);
        let file = archive.entries[0].id.clone();
        assert_eq!(archive.shown_instead(&file), None);
        archive.apply(Change::Result(summary(ONE, "a")));
        assert_eq!(archive.shown_instead(&file).map(|entry| &*entry.id), Some("a"));
        assert_eq!(archive.shown_instead("a"), None);
        archive.apply(Change::Removed("a".into()));
        assert_eq!(archive.shown_instead(&file), None);
    }

    #[test]
    fn a_complete_list_removes_results_that_it_lacks() {
        let mut archive = Archive::default();
        let earlier = ONE.replacen("\"started\": \"20", "\"started\": \"19", 1);
        load(&mut archive, &earlier);
        let [eight, one] = [summary(EIGHT, "aa"), summary(ONE, "bb")];
        archive.apply(Change::List(vec![eight.clone()], Some("7".into())));
        archive.apply(Change::More(vec![one.clone()], None));
        assert_eq!(archive.entries.len(), 3);
        // An incomplete list does not show that other documents were removed.
        archive.apply(Change::List(vec![one.clone()], Some("7".into())));
        assert_eq!(archive.entries.len(), 3);
        archive.apply(Change::List(vec![one], None));
        assert!(archive.find(&a_json(&earlier)).is_some() && archive.find("bb").is_some());
        assert_eq!(archive.find("aa"), None);
    }

    #[test]
    fn checks_documents_that_no_server_has_checked() {
        let mut archive = Archive::default();
        load(&mut archive, &EIGHT.replace("\"sums\", \"known\"", "\"magic\""));
        load(&mut archive, &EIGHT.replace("\"total\": \"92\"", "\"total\": \"93\""));
        let [good, wrong] = &archive.entries[..] else { panic!("{archive:?}") };
        let all = Checks::NONE.with(Check::Sums).with(Check::Divisibility).with(Check::Known);
        assert_eq!((&good.header.checks[..], good.verified.1), (&["magic".to_owned()][..], all));
        assert_eq!(wrong.verified, (Verifier::Page, Checks::NONE));
        // The document was opened by its address before the list with the server's checks arrived.
        archive.apply(Change::DocumentRead("bb".into(), Box::new(read_document(ONE))));
        assert_eq!(archive.find("bb").unwrap().verified, (Verifier::Page, all));
        archive.apply(Change::List(vec![summary(ONE, "bb")], None));
        let sums = Checks::NONE.with(Check::Sums);
        assert_eq!(archive.find("bb").unwrap().verified, (Verifier::Server, sums));
        assert!(archive.find("bb").unwrap().document.is_some());
    }

    #[test]
    fn adds_and_removes_running_counts() {
        let report = |done: u32, state: &str| {
            json!({ "id": "r", "n": 16, "method": "symmetry", "done": done, "tasks": 10,
                    "seconds": 1.5, "state": state })
        };
        let mut archive = Archive::default();
        archive.apply(Change::Report(report(3, "running"), 1000.0));
        archive.apply(Change::Report(report(4, "running"), 2000.0));
        assert_eq!(archive.runs.len(), 1);
        assert_eq!(archive.runs[0].progress.done, 4);
        archive.apply(Change::RemoveStaleRuns(1500.0));
        assert_eq!(archive.runs.len(), 1);
        archive.apply(Change::RemoveStaleRuns(2500.0));
        assert!(archive.runs.is_empty());
        archive.apply(Change::Report(report(5, "running"), 3000.0));
        archive.apply(Change::Report(report(10, "done"), 4000.0));
        archive.apply(Change::Report(json!({ "id": "x" }), 4000.0));
        assert!(archive.runs.is_empty());
    }
}
