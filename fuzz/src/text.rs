//! Checks of any text that may be a result document.

use std::collections::BTreeSet;

use queens_core::document::{Document, Progress, Shards, Summary, harmless};
use queens_core::known::known;

/// Documents to start from: one with unusual but valid values, one of a whole count, one of the smallest
/// board, one of a shard, and one with unknown fields.
pub const DOCUMENTS: [&str; 5] = [
    include_str!("../../tests/data/results/awkward.json"),
    include_str!("../../tests/data/results/eight.json"),
    include_str!("../../tests/data/results/one.json"),
    include_str!("../../tests/data/results/shard.json"),
    include_str!("../../tests/data/results/unknown-fields.json"),
];

/// Checks the core's guarantees for a text. A rejected text gets a readable message. An accepted
/// document can be written and read again. A document that passes its checks has every task once, and
/// the published numbers if there are any.
pub fn check_text(text: &str) {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            assert_printable(&error.to_string());
            // A text that is not a result document may still be a progress report.
            if let Ok(progress) = Progress::parse(text) {
                assert_eq!(Progress::parse(&progress.to_json()), Ok(progress));
            }
            return;
        }
    };
    let canonical = document.canonical_json();
    for written in [&document.to_json(), &canonical] {
        let parsed = Document::parse(written).expect("a written document can be read");
        assert_eq!(parsed, document);
        assert_eq!(parsed.canonical_json(), canonical);
    }
    let verified = match document.check() {
        Err(contradictions) => {
            for contradiction in &contradictions {
                assert_printable(&contradiction.to_string());
                assert!(!contradiction.path().is_empty());
            }
            return;
        }
        Ok(verified) => verified,
    };
    let summary = Summary::of(&document, "any".into(), verified);
    assert_eq!(Summary::parse(&summary.to_json()), Ok(summary));
    check_sums(&document);
    let mut shards = Shards::default();
    if shards.add("this", &document).is_ok() {
        assert_eq!(shards.missing(shards.of()).len() + 1, shards.of() as usize);
        assert_printable(
            &shards.add("that", &document).expect_err("the shard was already added").to_string(),
        );
    }
}

/// Checks the numbers of a document that has passed its checks.
fn check_sums(document: &Document) {
    let header = &document.header;
    let ids: BTreeSet<u32> = document.tasks.iter().map(|task| task.id).collect();
    let shard = header.shard.as_ref();
    let wanted =
        (0..header.plan.tasks).filter(|&id| shard.is_none_or(|shard| id % shard.of == shard.index));
    assert!(ids.into_iter().eq(wanted), "the tasks are not those of the plan");
    assert_eq!(document.tasks.iter().map(|task| task.total).sum::<u64>(), header.total);
    if let (Some(known), None) = (known(header.n.get()), shard) {
        assert_eq!((header.total, header.unique), (known.total(), Some(known.unique())));
        assert_eq!(header.classes, known.classes());
    }
}

/// Checks that a terminal or a page can show a sentence unchanged.
fn assert_printable(sentence: &str) {
    assert!(!sentence.is_empty() && sentence.len() < 2000, "{sentence:?}");
    assert_eq!(harmless(sentence), sentence);
}
