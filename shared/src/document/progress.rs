//! Progress reports of a running count, sent from the command through the server to the page.

use alloc::string::{String, ToString};

use serde::Serialize;
use serde_json::Value;

use super::{DocumentError, Extra, Seconds, fields::Fields, json};
use crate::{Method, Size, words};

/// A progress report of a running count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// The side of the board.
    pub n: Size,
    /// The method that counts.
    pub method: Method,
    /// The number of finished tasks, at most `tasks`.
    pub done: u32,
    /// The number of tasks in the plan or shard.
    pub tasks: u32,
    /// The time that the count has taken so far.
    pub seconds: Seconds,
    /// The state of the count.
    pub state: RunState,
    /// The shard that is counted, if the count is sharded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardOf>,
    /// The estimated remaining time, if there is a better estimate than one from `done` and
    /// `seconds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<Seconds>,
    /// Unknown fields.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A shard in a progress report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ShardOf {
    /// The number of the shard, from 0 to `of` − 1.
    pub index: u32,
    /// The number of shards, at least 1.
    pub of: u32,
    /// The number of tasks of all shards together.
    pub tasks: u32,
}

impl ShardOf {
    fn read(mut fields: Fields) -> Result<ShardOf, DocumentError> {
        let of = fields.whole_number("of", 1..=Fields::MAX_TASKS)?;
        let index = fields.whole_number("index", 0..=of - 1)?;
        Ok(ShardOf { index, of, tasks: fields.whole_number("tasks", 0..=Fields::MAX_TASKS)? })
    }
}

words! {
    /// The state of a count.
    #[derive(Default)]
    pub enum RunState {
        /// The count is running.
        #[default]
        Running = "running",
        /// All tasks are done.
        Done = "done",
        /// The count was stopped before its end.
        Stopped = "stopped",
    }
}

impl Progress {
    /// Parses a progress report. If `state` is missing, the count is running.
    ///
    /// # Errors
    /// [`DocumentError`] if the text is not JSON, or a field is missing or invalid.
    pub fn parse(text: &str) -> Result<Progress, DocumentError> {
        Progress::from_value(json::parse(text)?)
    }

    /// Reads a progress report from a JSON value.
    ///
    /// # Errors
    /// [`DocumentError`] if a field is missing or invalid.
    pub fn from_value(value: Value) -> Result<Progress, DocumentError> {
        let mut fields = Fields::new(String::new(), value)?;
        let n = fields.size()?;
        let method = fields.word("method")?;
        let tasks = fields.whole_number("tasks", 0..=Fields::MAX_TASKS)?;
        let done = fields.whole_number("done", 0..=tasks)?;
        let seconds = fields.seconds("seconds")?;
        let state = if fields.has("state") { fields.word("state")? } else { RunState::Running };
        let shard = if fields.has("shard") { Some(fields.object("shard")?) } else { None };
        let shard = shard.map(ShardOf::read).transpose()?;
        let rest = if fields.has("rest") { Some(fields.seconds("rest")?) } else { None };
        let extra = fields.rest();
        Ok(Progress { n, method, done, tasks, seconds, state, shard, rest, extra })
    }

    /// The report as a JSON value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Serialization cannot fail: all keys are strings, and no type returns its own errors.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// The report as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_value().to_string()
    }
}
