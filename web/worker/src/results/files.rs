//! Reads, stores and publishes result files. The browser stores files that the user opened until the
//! user removes them from the list. Other files come from the page's own host: a link or the server's
//! list names them.

use std::{borrow::Cow, cell::RefCell, mem, rc::Rc};

use js_sys::Uint8Array;
use queens_core::{
    document::{Document, LARGEST_DOCUMENT, is_journal},
    material::{Checker, is_document},
    notation,
};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Response, WorkerGlobalScope};

use super::Documents;
use crate::{
    post,
    protocol::{
        Answer, DocumentInfo, FileAccessError, FileError, FileRequest, LoadedFile, PublishOutcome,
    },
    store::Store,
};

const DATABASE: &str = "queens-results";

/// The number of files after which an answer is sent. The page redraws its list once per answer.
const FILES_PER_ANSWER: usize = 10;

/// The number of bytes after which an answer is sent. Reading this many bytes takes some
/// milliseconds.
const BYTES_PER_ANSWER: usize = 200_000;

/// Executes a request about files and reports the results.
pub async fn process_files(
    request: FileRequest,
    documents: Rc<RefCell<Documents>>,
    send: impl Fn(Answer),
) {
    let mut reader = Reader { documents, send, results: vec![], bytes: 0 };
    match request {
        // If the database cannot be opened, it has no files to read.
        FileRequest::LoadStored => drop(reader.load_stored().await),
        FileRequest::Load(files) => reader.load(files).await,
        FileRequest::Fetch(path) => {
            let text = if is_same_host(&path) {
                fetch(&path).await.map_err(|why| match why {
                    FileError::Journal => why,
                    _ => FileError::Access(FileAccessError::NotFound),
                })
            } else {
                Err(FileError::Access(FileAccessError::OtherHost))
            };
            reader.read_file(&path, text.as_deref());
        }
        // A failure needs no report, because the file is in the list again at the next visit.
        FileRequest::Remove(key) => drop(write(Some([&key, &key]), vec![]).await),
        FileRequest::Publish(key) => {
            let files = publish(&key).await.write();
            (reader.send)(Answer::Files { files, last: true });
            return;
        }
    }
    reader.report(true);
}

/// Reads files and reports the results a few at a time.
struct Reader<S> {
    documents: Rc<RefCell<Documents>>,
    send: S,
    /// The results that are not reported yet.
    results: Vec<LoadedFile>,
    /// The number of bytes read since the last report.
    bytes: usize,
}

impl<S: Fn(Answer)> Reader<S> {
    /// Reads all stored files one after the other, so that the worker can handle messages in
    /// between and never has all texts in memory.
    async fn load_stored(&mut self) -> Result<(), JsValue> {
        let store = Store::open(DATABASE).await?;
        for key in store.keys().await? {
            // A text that the browser cannot read must not hide the others.
            let stored = store.get(&key).await.map_err(drop);
            let (name, text) = name_and_text(&key, &stored);
            self.read_file(name, text.as_ref().copied());
            self.add_key(key.clone());
            if self.has_enough() {
                self.report(false);
            }
        }
        Ok(())
    }

    /// Adds the key of the stored file that was read last to the reason for its rejection, so that the user
    /// can delete the file.
    fn add_key(&mut self, key: String) {
        if let Some((_, Err(why))) = self.results.last_mut()
            && *why != FileError::Access(FileAccessError::Removed)
        {
            *why = FileError::Stored(key, Box::new(why.clone()));
        }
    }

    /// Reads files from URLs and stores those that are result documents.
    async fn load(&mut self, files: Vec<(String, String)>) {
        let mut remaining = files.len();
        let (mut names, mut texts) = (vec![], vec![]);
        for (name, address) in files {
            remaining -= 1;
            let text = fetch(&address).await;
            let key = self.read_file(&name, text.as_deref());
            if let (Some(key), Ok(text)) = (key, text) {
                // The stored text begins with the name as its first line.
                texts.push((key, [&name.replace('\n', " "), "\n", &text].concat()));
                names.push(name);
            }
            if remaining == 0 || self.has_enough() {
                // The page shows the files before they are stored, because storing takes longer.
                self.report(false);
                let (names, texts) = (mem::take(&mut names), mem::take(&mut texts));
                if write(None, texts).await.is_err() {
                    let not_stored =
                        |name| (name, Err(FileError::Access(FileAccessError::NotStored)));
                    self.results.extend(names.into_iter().map(not_stored));
                }
            }
        }
    }

    /// Parses the text of a file. If it is a result document, returns the key for storing it.
    fn read_file(&mut self, name: &str, text: Result<&str, &FileError>) -> Option<String> {
        self.bytes += text.map_or(0, str::len);
        let mut documents = self.documents.borrow_mut();
        let read = match text {
            // The page checks the size of opened files before it loads them, but it does not know the
            // size of files that a link names.
            Ok(text) if text.len() > LARGEST_DOCUMENT => Err(FileError::TooLarge),
            text => text.map_err(Clone::clone),
        };
        let read = read.and_then(|text| match check(text) {
            None => documents.read(text).map_err(FileError::Document),
            Some(no_document) => Err(no_document),
        });
        let stored = read.as_ref().ok().and_then(|info| documents.get(info.document));
        self.results.push((name.to_owned(), read));
        Some(FileRequest::key(name, &stored?.header))
    }

    fn has_enough(&self) -> bool {
        self.results.len() >= FILES_PER_ANSWER || self.bytes >= BYTES_PER_ANSWER
    }

    fn report(&mut self, last: bool) {
        self.bytes = 0;
        let files = DocumentInfo::write(&mem::take(&mut self.results));
        (self.send)(Answer::Files { files, last });
    }
}

/// Posts the file with this key to the page's own server.
async fn publish(key: &str) -> PublishOutcome {
    let Some(text) = text_of(key).await else { return PublishOutcome::Missing };
    let Some(response) = post::post(&text).await else { return PublishOutcome::NoAnswer };
    let answer = match response.text() {
        Ok(answer) => JsFuture::from(answer).await.ok().and_then(|answer| answer.as_string()),
        Err(_) => None,
    };
    outcome(response.status(), answer)
}

/// Returns the outcome that a response reports. `answer` is its body, or `None` if the body could not be
/// read.
fn outcome(status: u16, answer: Option<String>) -> PublishOutcome {
    match answer {
        None => PublishOutcome::NoAnswer,
        Some(entry) if matches!(status, 200 | 201) => PublishOutcome::Stored(entry),
        Some(problem) => {
            let problem: Value = serde_json::from_str(&problem).unwrap_or_default();
            let reason = problem["detail"].as_str().unwrap_or_default().to_owned();
            PublishOutcome::Rejected { status, reason }
        }
    }
}

/// Returns the text of the file with this key: the stored file, or a file on the page's own host.
async fn text_of(key: &str) -> Option<String> {
    if let Ok(store) = Store::open(DATABASE).await
        && let Ok(Some(stored)) = store.get(key).await
    {
        return stored.split_once('\n').map(|(_, text)| text.to_owned());
    }
    let path = name_of(key).filter(|path| is_same_host(path))?;
    let text = fetch(path).await.ok()?;
    // The file may have changed since the page read it.
    let document = Document::parse(&text).ok()?;
    (FileRequest::key(path, &document.header) == key).then_some(text)
}

/// Splits a stored text into the name of its file and the file's text. If it is damaged, or was removed since
/// its key was read, the name comes from its key.
fn name_and_text<'a>(
    key: &'a str,
    stored: &'a Result<Option<String>, ()>,
) -> (&'a str, Result<&'a str, FileError>) {
    let why = match stored {
        Ok(Some(stored)) => match stored.split_once('\n') {
            Some((name, text)) => return (name, Ok(text)),
            None => FileAccessError::Damaged,
        },
        Ok(None) => FileAccessError::Removed,
        Err(()) => FileAccessError::Damaged,
    };
    (name_of(key).unwrap_or(key), Err(FileError::Access(why)))
}

/// Returns the name of the file with this [key](FileRequest::key).
fn name_of(key: &str) -> Option<&str> {
    key.splitn(5, ' ').nth(4)
}

async fn write(remove: Option<[&str; 2]>, put: Vec<(String, String)>) -> Result<(), JsValue> {
    Store::open(DATABASE).await?.write(remove, put).await
}

/// Whether a path is on the page's own host.
fn is_same_host(path: &str) -> bool {
    // A backslash is rejected because browsers treat it as a slash, control characters because
    // browsers ignore tabs and line breaks.
    !path.contains([':', '\\']) && !path.contains("//") && !path.contains(char::is_control)
}

async fn fetch(path: &str) -> Result<String, FileError> {
    let bytes: Result<JsValue, JsValue> = async {
        let scope: WorkerGlobalScope = js_sys::global().dyn_into()?;
        let answer: Response = JsFuture::from(scope.fetch_with_str(path)).await?.dyn_into()?;
        if !answer.ok() {
            return Err(JsValue::NULL);
        }
        JsFuture::from(answer.array_buffer()?).await
    }
    .await;
    text(&Uint8Array::new(&bytes.map_err(|_| FileError::Unreadable)?).to_vec())
}

/// Decodes the content of a file. The browser would decode it as UTF-8, and PowerShell's `>` writes UTF-16.
fn text(bytes: &[u8]) -> Result<String, FileError> {
    if is_journal(bytes) {
        return Err(FileError::Journal);
    }
    notation::decode(bytes).map(Cow::into_owned).ok_or(FileError::Unreadable)
}

/// Checks a text that is a list of solutions or a table of totals. Returns `None` for a document.
fn check(text: &str) -> Option<FileError> {
    /// The number of bytes that tell a document from other texts.
    const HEAD: usize = 1 << 13;
    /// The largest number of wrong boards that are listed.
    const MAX_WRONG: usize = 12;
    if is_document(text.get(..text.floor_char_boundary(HEAD)).unwrap_or(text)) {
        return None;
    }
    let mut checker = Checker::default();
    text.lines().for_each(|line| checker.line(line));
    let findings = checker.finish().findings(MAX_WRONG);
    Some(if findings.is_empty() { FileError::Nothing } else { FileError::Material(findings) })
}

#[cfg(test)]
mod tests {
    use queens_core::{Size, material::Finding};

    use super::*;

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");

    #[test]
    fn reports_each_file_with_its_result() {
        let answers = RefCell::new(vec![]);
        let send = |answer| answers.borrow_mut().push(answer);
        let mut reader = Reader { documents: Rc::default(), send, results: vec![], bytes: 0 };
        let key = reader.read_file("a.json", Ok(EIGHT));
        assert_eq!(key.as_deref(), Some("2026-01-31T09:30:00Z 8 92 0 a.json"));
        assert_eq!(reader.read_file("b.json", Ok("{}")), None);
        assert_eq!(reader.read_file("c.json", Err(&FileError::Unreadable)), None);
        reader.report(true);
        let [Answer::Files { files, last: true }] = &answers.borrow()[..] else {
            panic!("{answers:?}")
        };
        let results = DocumentInfo::read(files);
        let [(a, Ok(info)), (b, Err(FileError::Document(_))), (c, Err(FileError::Unreadable))] =
            &results[..]
        else {
            panic!("{results:?}")
        };
        assert_eq!([a, b, c], ["a.json", "b.json", "c.json"]);
        assert!(reader.documents.borrow().get(info.document).is_some());
    }

    #[test]
    fn sends_small_batches_of_files_and_large_files_alone() {
        let mut reader =
            Reader { documents: Rc::default(), send: |_| {}, results: vec![], bytes: 0 };
        let mut files_per_report = |text: &str| {
            let mut count = 0;
            while !reader.has_enough() {
                reader.read_file("a.json", Ok(text));
                count += 1;
            }
            reader.report(false);
            count
        };
        assert_eq!(files_per_report(EIGHT), FILES_PER_ANSWER);
        assert_eq!(files_per_report(&" ".repeat(BYTES_PER_ANSWER / 2)), 2);
        assert_eq!(files_per_report(&" ".repeat(10 * BYTES_PER_ANSWER)), 1);
    }

    #[test]
    fn rejects_a_file_above_the_limit_for_a_document() {
        let mut reader =
            Reader { documents: Rc::default(), send: |_| {}, results: vec![], bytes: 0 };
        let padded = |bytes: usize| EIGHT.to_owned() + &" ".repeat(bytes - EIGHT.len());
        assert!(reader.read_file("a.json", Ok(&padded(LARGEST_DOCUMENT))).is_some());
        assert_eq!(reader.read_file("b.json", Ok(&padded(LARGEST_DOCUMENT + 1))), None);
        assert!(matches!(&reader.results[..], [(_, Ok(_)), (_, Err(FileError::TooLarge))]));
    }

    #[test]
    fn lists_tables_and_journals_are_no_documents() {
        let mut reader =
            Reader { documents: Rc::default(), send: |_| {}, results: vec![], bytes: 0 };
        let mut journal = vec![0; 100];
        journal[..16].copy_from_slice(b"SQLite format 3\0");
        journal[68..72].copy_from_slice(b"Qunj");
        let journal = text(&journal);
        let long = "1 2 3 4\n".repeat(1 << 20) + "1";
        for (text, error) in [
            (
                Ok("8 92\n9 352\n10 724 92"),
                FileError::Material(vec![Finding::Rows(3), Finding::Right]),
            ),
            (
                Ok("2 4 1 3"),
                FileError::Material(vec![
                    Finding::Boards(1),
                    Finding::FirstColumn(1),
                    Finding::Solutions {
                        n: Size::new(4).unwrap(),
                        solutions: 1,
                        classes: 1,
                        published: Some(2),
                    },
                ]),
            ),
            (Ok("a note"), FileError::Nothing),
            (journal.as_deref(), FileError::Journal),
            (Ok(&long), FileError::TooLarge),
        ] {
            assert_eq!(reader.read_file("a", text), None);
            assert_eq!(reader.results.pop().unwrap().1, Err(error));
        }
    }

    #[test]
    fn a_key_ends_with_the_name_of_its_file() {
        let header = Document::parse(EIGHT).unwrap().header;
        for name in ["a.json", "examples/a b  c.json", "", " "] {
            assert_eq!(name_of(&FileRequest::key(name, &header)), Some(name));
        }
    }

    #[test]
    fn damaged_stored_files_are_reported_by_name() {
        let key = FileRequest::key("a b.json", &Document::parse(EIGHT).unwrap().header);
        let stored = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(name_and_text(&key, &stored("a b.json\n{}")), ("a b.json", Ok("{}")));
        let damaged = || Err(FileError::Access(FileAccessError::Damaged));
        for stored in [Err(()), stored(""), stored("garbage")] {
            assert_eq!(name_and_text(&key, &stored), ("a b.json", damaged()));
        }
        assert_eq!(name_and_text("key", &Err(())), ("key", damaged()));
    }

    #[test]
    fn a_rejected_stored_file_has_its_key() {
        let mut reader =
            Reader { documents: Rc::default(), send: |_| {}, results: vec![], bytes: 0 };
        let access = FileError::Access;
        let removed = access(FileAccessError::Removed);
        for text in [Ok(EIGHT), Err(&access(FileAccessError::Damaged)), Err(&removed)] {
            reader.read_file("a.json", text);
            reader.add_key("key".to_owned());
        }
        let [(_, Ok(_)), (_, Err(damaged)), (_, Err(gone))] = &reader.results[..] else {
            panic!("{:?}", reader.results)
        };
        let why = Box::new(access(FileAccessError::Damaged));
        assert_eq!((damaged, gone), (&FileError::Stored("key".to_owned(), why), &removed));
    }

    #[test]
    fn a_file_that_was_removed_since_its_key_was_read_is_not_damaged() {
        let key = FileRequest::key("a b.json", &Document::parse(EIGHT).unwrap().header);
        let removed = Err(FileError::Access(FileAccessError::Removed));
        assert_eq!(name_and_text(&key, &Ok(None)), ("a b.json", removed));
    }

    #[test]
    fn reports_what_the_server_says_about_a_published_file() {
        let outcome = |status, answer: &str| outcome(status, Some(answer.to_owned()));
        let rejected = |status, reason: &str| {
            let reason = reason.to_owned();
            PublishOutcome::Rejected { status, reason }
        };
        for status in [200, 201] {
            assert_eq!(outcome(status, "{}"), PublishOutcome::Stored("{}".into()));
        }
        let problem = r#"{"status": 422, "title": "x", "detail": "total: 92 is wrong"}"#;
        assert_eq!(outcome(422, problem), rejected(422, "total: 92 is wrong"));
        for answer in ["<html>", "", "{}", r#"{"detail": 7}"#] {
            assert_eq!(outcome(503, answer), rejected(503, ""), "{answer}");
        }
        assert_eq!(super::outcome(201, None), PublishOutcome::NoAnswer);
    }

    #[test]
    fn loads_only_files_of_the_same_host() {
        for here in ["examples/a.json", "/results/b.json", "../c.json?x=1"] {
            assert!(is_same_host(here), "{here}");
        }
        for elsewhere in
            ["https://a.b/c.json", "//a.b/c", "/\\a.b/c", "data:,{}", "\\\\a.b", "/\t/a.b/c"]
        {
            assert!(!is_same_host(elsewhere), "{elsewhere}");
        }
    }
}
