//! Tests of the result database.

use std::thread;

use super::*;

const EIGHT: &str = include_str!("../../../tests/data/results/eight.json");
const ONE: &str = include_str!("../../../tests/data/results/one.json");
const SHARD: &str = include_str!("../../../tests/data/results/shard.json");
const AWKWARD: &str = include_str!("../../../tests/data/results/awkward.json");

fn document(text: &str) -> Document {
    Document::parse(text).unwrap()
}

/// Creates a store with the documents [`EIGHT`], [`ONE`] and [`SHARD`].
fn filled(file: &Path) -> Store {
    let store = Store::open(file).unwrap();
    for text in [EIGHT, ONE, SHARD] {
        assert!(store.add(&document(text), Checks::NONE).unwrap().is_new);
    }
    store
}

fn totals(listing: &Listing) -> Vec<u64> {
    listing.results.iter().map(|each| each.header.total).collect()
}

#[test]
fn stores_a_document_once_and_keeps_it_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.sqlite");
    let store = filled(&file);
    let repeated = store.add(&document(EIGHT), Checks::NONE).unwrap();
    assert!(!repeated.is_new);
    assert_eq!(repeated.summary.id, id(&document(EIGHT)));
    drop(store);
    let store = Store::open(&file).unwrap();
    let stored = store.get(&repeated.summary.id).unwrap().unwrap();
    assert_eq!(document(&stored), document(EIGHT));
    assert_eq!(store.get("nothing").unwrap(), None);
}

#[test]
fn lists_are_filtered_and_come_newest_first() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(&folder.path().join("results.sqlite"));
    let list = |filter| store.list(filter, None, 10).unwrap();
    assert_eq!(totals(&list(Filter::default())), [40, 1, 92]);
    let n = Size::new(8).ok();
    assert_eq!(totals(&list(Filter { n, ..Filter::default() })), [40, 92]);
    let backend = Some(BackendKind::Wasm);
    assert_eq!(totals(&list(Filter { backend, ..Filter::default() })), [1]);
    assert_eq!(totals(&list(Filter { n, backend, method: None })), [0; 0]);
    let method = Some(Method::Symmetry);
    assert_eq!(totals(&list(Filter { method, ..Filter::default() })).len(), 3);
    let all = list(Filter::default());
    let eight = document(EIGHT);
    assert_eq!(all.results[2], Summary::of(&eight, id(&eight), Checks::NONE));
}

#[test]
fn a_page_of_large_summaries_has_fewer_results_than_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("results.sqlite")).unwrap();
    for seconds in 1..=40 {
        let mut document = document(EIGHT);
        document.header.seconds = Duration::from_secs(seconds).into();
        document.header.host.cpu = "x".repeat(60_000);
        assert!(store.add(&document, Checks::NONE).unwrap().is_new);
    }
    let (mut found, mut before, mut parts) = (0, None, 0);
    loop {
        let part = store.list(Filter::default(), before, 1000).unwrap();
        let bytes: usize = part.results.iter().map(|each| each.to_json().len()).sum();
        assert!(bytes < 2 * MAX_PAGE_BYTES, "{bytes}");
        (found, before, parts) = (found + part.results.len(), part.next, parts + 1);
        if before.is_none() {
            break;
        }
    }
    assert_eq!(found, 40);
    assert!(parts > 1);
}

fn opening_failed(file: &Path, reason: &str) -> String {
    format!("cannot open the result database {}: {reason}", file.display())
}

#[test]
fn reports_a_damaged_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.sqlite");
    drop(filled(&file));
    let mut bytes = fs::read(&file).unwrap();
    // The first page lists the tables, and follows a header of 100 bytes.
    bytes[100..].fill(0xff);
    fs::write(&file, bytes).unwrap();
    let error = Store::open(&file).unwrap_err();
    let expected = format!(
        "the result database {} is damaged: database disk image is malformed",
        file.display()
    );
    assert_eq!(error.to_string(), expected);
    let hint = "restore the database from a copy, or name another file with `--store`";
    assert_eq!(error.hint().as_deref(), Some(hint));
}

#[test]
fn rejects_other_files_and_leaves_them_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text");
    let content = "no database, but long enough to be taken for the header of one, page and all";
    fs::write(&text, content.repeat(20)).unwrap();
    let error = Store::open(&text).unwrap_err();
    assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
    assert!(error.to_string().contains("is not a result database"));
    assert_eq!(error.hint().as_deref(), Some("name another file with `--store`"));
    assert_eq!(fs::read_to_string(&text).unwrap(), content.repeat(20));

    let other = folder.path().join("other.sqlite");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    assert!(matches!(Store::open(&other).unwrap_err(), StoreError::NotAStore { .. }));

    let empty = folder.path().join("empty.sqlite");
    drop(filled(&empty));
    Connection::open(&empty).unwrap().execute_batch("DROP TABLE results").unwrap();
    assert!(matches!(Store::open(&empty).unwrap_err(), StoreError::NotAStore { .. }));

    let later = folder.path().join("later.sqlite");
    drop(filled(&later));
    Connection::open(&later).unwrap().pragma_update(None, "user_version", 4).unwrap();
    let error = Store::open(&later).unwrap_err();
    assert!(error.to_string().ends_with("(layout 4; this version reads 3)"), "{error}");

    let error = Store::open(folder.path()).unwrap_err();
    let reason = "it is a folder, not a file";
    assert_eq!(error.to_string(), opening_failed(folder.path(), reason));

    let missing = folder.path().join("none");
    let file = missing.join("results.sqlite");
    let reason = format!("the folder {} does not exist", missing.display());
    assert_eq!(Store::open(&file).unwrap_err().to_string(), opening_failed(&file, &reason));
    assert!(!missing.exists());
}

#[test]
fn readers_do_not_wait_for_writers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.sqlite");
    let store = filled(&file);
    let mut other = Connection::open(&file).unwrap();
    let held = other.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| store.remove(&id(&document(ONE))).unwrap());
        // Wait until the other thread holds the lock of the writer.
        while store.writer.try_lock().is_ok() {
            thread::yield_now();
        }
        assert_eq!(store.list(Filter::default(), None, 10).unwrap().results.len(), 3);
        drop(held);
    });
    assert_eq!(store.list(Filter::default(), None, 10).unwrap().results.len(), 2);
}

#[test]
fn skips_damaged_rows_and_reports_a_missing_store() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.sqlite");
    let store = filled(&file);
    let other = Connection::open(&file).unwrap();
    // A flipped bit can make a text invalid UTF-8.
    for damaged in ["'{'", "CAST(x'7bff7d' AS TEXT)"] {
        let update = format!("UPDATE results SET summary = {damaged} WHERE number = 2");
        other.execute(&update, []).unwrap();
        let list = store.list(Filter::default(), None, 10).unwrap();
        assert_eq!(totals(&list), [40, 92]);
        assert_eq!(list.unreadable, [id(&document(ONE))]);
        // The list of changes omits the damaged document.
        let changes = store.changes_since(Cursor::default()).unwrap();
        assert_eq!((changes.added.len(), changes.cursor), (2, store.current_cursor().unwrap()));
    }
    other.execute("UPDATE results SET document = '{}' WHERE number = 1", []).unwrap();
    let error = store.get(&id(&document(EIGHT))).unwrap_err().to_string();
    assert_eq!(error, format!("the stored result {} is damaged", id(&document(EIGHT))));
    // Adding it again replaces the damaged copy.
    store.add(&document(EIGHT), Checks::NONE).unwrap();
    store.get(&id(&document(EIGHT))).unwrap();
    fs::remove_file(&file).unwrap();
    let error = store.add(&document(EIGHT), Checks::NONE).unwrap_err();
    assert!(error.to_string().ends_with("no longer exists"), "{error}");
}

#[test]
#[cfg(unix)]
fn rejects_changes_after_the_store_was_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.sqlite");
    let log = folder.path().join("results.sqlite-wal");
    let refused = |store: &Store| {
        let error = store.add(&document(AWKWARD), Checks::NONE).unwrap_err().to_string();
        assert_eq!(store.remove(&id(&document(EIGHT))).unwrap_err().to_string(), error);
        error.replace(file.to_str().unwrap(), "FILE")
    };
    let moved = filled(&file);
    fs::rename(&file, folder.path().join("away")).unwrap();
    assert_eq!(refused(&moved), "the result database FILE no longer exists");
    // Another server creates a new file with the old name. The old log does not belong to it.
    fs::remove_file(&log).unwrap();
    let second = Store::open(&file).unwrap();
    assert_eq!(refused(&moved), "the result database FILE was replaced by another file");
    assert!(second.add(&document(EIGHT), Checks::NONE).unwrap().is_new);
    assert!(second.remove(&id(&document(EIGHT))).unwrap());
}

#[test]
fn reports_removals_before_additions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.sqlite");
    let store = filled(&file);
    let (eight, one) = (document(EIGHT), document(ONE));
    let cursor = store.current_cursor().unwrap();
    // Another process removes two documents, and adds the first one again.
    let other = Store::open(&file).unwrap();
    assert!(other.remove(&id(&eight)).unwrap() && !other.remove(&id(&eight)).unwrap());
    assert!(other.remove(&id(&one)).unwrap());
    assert!(other.add(&eight, Checks::NONE).unwrap().is_new);
    let changes = store.changes_since(cursor).unwrap();
    assert_eq!(changes.removed, [id(&eight), id(&one)]);
    assert_eq!(changes.added, [Summary::of(&eight, id(&eight), Checks::NONE)]);
    let nothing = Changes { removed: vec![], added: vec![], cursor: changes.cursor };
    assert_eq!(store.changes_since(changes.cursor).unwrap(), nothing);
    // Only the last removals are kept.
    let many = "WITH RECURSIVE numbers (number) AS
                    (SELECT 4 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?1)
                INSERT INTO removals SELECT number, 'id ' || number FROM numbers";
    lock(&store.writer).execute(many, [MAX_REMOVALS + 5]).unwrap();
    assert!(store.remove(&id(&eight)).unwrap());
    assert_eq!(store.changes_since(cursor).unwrap().removed.len(), MAX_REMOVALS as usize);
}
