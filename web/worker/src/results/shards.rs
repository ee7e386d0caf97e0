//! Shards that together are a whole count.

use std::rc::Rc;

use queens_core::document::{Document, ShardError, Shards, TaskTotal};

use super::documents::StoredDocument;

/// Returns the total of shards that complete a count; `None` if they do not, or belong to several counts. A
/// shard that is given twice counts once.
pub fn sum(documents: &[Rc<StoredDocument>]) -> Option<u64> {
    let mut shards = Shards::default();
    for document in documents {
        match shards.add("", &whole(document)) {
            Ok(()) | Err(ShardError::Double { .. }) => {}
            Err(_) => return None,
        }
    }
    let part = shards.part().filter(|part| part.is_complete())?;
    part.tally().total()
}

/// Returns the document with its tasks as the core merges them.
fn whole(document: &StoredDocument) -> Document {
    let task = |task: &crate::protocol::Task| {
        let seconds = std::time::Duration::try_from_secs_f64(task.seconds).unwrap_or_default();
        TaskTotal::new(task.id, task.total, seconds)
    };
    Document { header: document.header.clone(), tasks: document.tasks.iter().map(task).collect() }
}

#[cfg(test)]
mod tests {
    use queens_core::document::{Document, Shard};

    use super::*;

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");

    /// Returns one of three shards of a count of N = 8.
    fn shard(index: u32) -> Rc<StoredDocument> {
        let mut document = Document::parse(EIGHT).unwrap();
        document.tasks.retain(|task| task.id % 3 == index);
        document.header.shard = Some(Shard { index, of: 3, extra: Default::default() });
        Rc::new(document.into())
    }

    #[test]
    fn shards_that_complete_a_count_add_up_to_its_total() {
        let [first, second, third] = [0, 1, 2].map(shard);
        assert_eq!(sum(&[third.clone(), first.clone(), second.clone()]), Some(92));
        assert_eq!(sum(&[first.clone(), second.clone(), first.clone()]), None);
        let twice = [first.clone(), second, third, first.clone()];
        assert_eq!(sum(&twice), Some(92));
        // A whole count is no shard.
        let whole = Rc::new(Document::parse(EIGHT).unwrap().into());
        assert_eq!((sum(&[whole, first]), sum(&[])), (None, None));
    }
}
