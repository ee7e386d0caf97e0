//! The identity of a saved count, by which a tab notices that another one has replaced the count.

use serde::{Deserialize, Serialize};

/// The key of the text that identifies a saved count: its head.
pub const HEAD: &str = "head";

/// The identity of a saved count. Both numbers are random, and 0 in counts saved by earlier versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The count. The number does not change while the count is stopped and resumed.
    pub count: u64,
    /// The session: each start and each resumption of the count has another number. Browsers without Web
    /// Locks let two tabs resume the same count, and then only the later one may save its tasks.
    pub session: u64,
}

impl Identity {
    /// Reads the identity of the saved count from its head. Returns `None` if there is no head, so that
    /// nothing is saved.
    pub fn of_head(head: Option<&str>) -> Option<Identity> {
        /// The head, of which only the identity is read.
        #[derive(Default, Deserialize)]
        struct Identified {
            #[serde(default)]
            identity: Identity,
        }
        // A damaged head gets the identity of an earlier version, so that it can be replaced.
        let identified: fn(&str) -> Identified =
            |head| serde_json::from_str(head).unwrap_or_default();
        head.map(|head| identified(head).identity)
    }

    /// Reads the identity of the saved count from all of its texts.
    pub fn of_texts(texts: &[(String, String)]) -> Option<Identity> {
        let head = texts.iter().find(|(key, _)| key == HEAD);
        Identity::of_head(head.map(|(_, text)| text.as_str()))
    }

    /// Whether both identities, or the lack of both, stand for the same count, in any session.
    pub fn is_same_count(one: Option<Identity>, other: Option<Identity>) -> bool {
        one.map(|identity| identity.count) == other.map(|identity| identity.count)
    }
}
