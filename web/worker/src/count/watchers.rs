//! The requests of the page that watch the count.

use super::state::RowEntry;
use crate::protocol::{Answer, CountEvent, CountStatus, FinishedRow, Reply, RequestId};

/// The watching requests, and the state that was last reported to them.
pub struct Watchers {
    ids: Vec<RequestId>,
    /// Sends a reply to the page.
    reply: Box<dyn Fn(Reply)>,
    status: Option<CountStatus>,
    rows: Option<Vec<FinishedRow>>,
}

impl Watchers {
    pub fn new(reply: impl Fn(Reply) + 'static) -> Watchers {
        Watchers { ids: vec![], reply: Box::new(reply), status: None, rows: None }
    }

    /// Adds a request. The next report sends the whole state, because the new request has received
    /// nothing yet.
    pub fn add(&mut self, id: RequestId) {
        self.ids.push(id);
        (self.status, self.rows) = (None, None);
    }

    /// Removes a request that has ended.
    pub fn remove(&mut self, ended: RequestId) {
        self.ids.retain(|&id| id != ended);
    }

    /// Sends an event to all requests.
    pub fn send(&self, event: &CountEvent) {
        for &id in &self.ids {
            (self.reply)(Reply { id, answer: Answer::Count(event.clone()) });
        }
    }

    /// Sends the status and the finished rows, each only if it has changed since the last report.
    pub fn report(&mut self, status: &CountStatus, entries: &[RowEntry]) {
        if self.status.as_ref() != Some(status) {
            self.status = Some(status.clone());
            self.send(&CountEvent::Status(Box::new(status.clone())));
        }
        let rows = entries.iter().map(|entry| &entry.row);
        if !self.rows.as_ref().is_some_and(|reported| reported.iter().eq(rows.clone())) {
            let rows: Vec<FinishedRow> = rows.cloned().collect();
            self.send(&CountEvent::Rows(rows.clone()));
            self.rows = Some(rows);
        }
    }
}
