//! Checks for every text that may be a result document.

use std::collections::BTreeSet;

use queens_core::document::{Document, Progress, Shards, Summary, harmless};
use queens_core::known::known;

/// Documents to start from: one of a whole count, of a shard, of the smallest board, with unknown
/// fields, and with unusual but valid values.
pub const DOCUMENTS: [&str; 5] = [
    include_str!("../../tests/data/results/awkward.json"),
    include_str!("../../tests/data/results/eight.json"),
    include_str!("../../tests/data/results/one.json"),
    include_str!("../../tests/data/results/shard.json"),
    include_str!("../../tests/data/results/unknown-fields.json"),
];

/// Checks what the core promises about a text. A text that it rejects gets a readable message. A
/// document that it reads can be written and read again. A document that passes its checks has
/// every task once and, where numbers are published, has these.
pub fn hold_to_its_word(text: &str) {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            is_for_people(&error.to_string());
            // A text that is not a result document may still be a progress report.
            if let Ok(progress) = Progress::parse(text) {
                assert_eq!(Progress::parse(&progress.to_json()), Ok(progress));
            }
            return;
        }
    };
    let canonical = document.canonical_json();
    for written in [&document.to_json(), &canonical] {
        let again = Document::parse(written).expect("what was written can be read");
        assert_eq!(again, document);
        assert_eq!(again.canonical_json(), canonical);
    }
    let verified = match document.check() {
        Err(contradictions) => {
            for contradiction in &contradictions {
                is_for_people(&contradiction.to_string());
                assert!(!contradiction.path().is_empty());
            }
            return;
        }
        Ok(verified) => verified,
    };
    let summary = Summary::of(&document, "any".into(), verified);
    assert_eq!(Summary::parse(&summary.to_json()), Ok(summary));
    adds_up(&document);
    let mut shards = Shards::default();
    if shards.add("this", &document).is_ok() {
        assert_eq!(shards.missing(shards.of()).len() + 1, shards.of() as usize);
        is_for_people(&shards.add("that", &document).expect_err("it is there").to_string());
    }
}

/// Checks the numbers of a document that has passed its checks.
fn adds_up(document: &Document) {
    let header = &document.header;
    let ids: BTreeSet<u32> = document.tasks.iter().map(|task| task.id).collect();
    let shard = header.shard.as_ref();
    let wanted = (0..header.plan.tasks).filter(|&id| shard.is_none_or(|it| id % it.of == it.index));
    assert!(ids.into_iter().eq(wanted), "every task is there");
    assert_eq!(document.tasks.iter().map(|task| task.total).sum::<u64>(), header.total);
    if let (Some(known), None) = (known(header.n.get()), shard) {
        assert_eq!((header.total, header.unique), (known.total(), Some(known.unique())));
        assert_eq!(header.classes, known.classes());
    }
}

/// Checks that a terminal or a page can show a sentence as it is.
fn is_for_people(sentence: &str) {
    assert!(!sentence.is_empty() && sentence.len() < 2000, "{sentence:?}");
    assert_eq!(harmless(sentence), sentence);
}
