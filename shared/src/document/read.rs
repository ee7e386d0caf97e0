//! Parses documents.

use alloc::{format, string::String, vec::Vec};

use serde_json::Value;

use super::{
    Backend, Document, DocumentError, Extra, FORMAT, Format, Header, Host, PlanRef, Problem,
    Program, Shard, TaskTotal, VERSION,
    fields::{Fields, whole_number},
    json, limits,
    quote::quote,
    timestamp,
};
use crate::{ClassCounts, Coverage, Form, Method, Plan, Size};

impl Document {
    /// Parses a document.
    ///
    /// It does not check whether the numbers are consistent; see [`Document::contradictions`].
    ///
    /// # Errors
    /// [`DocumentError`] if the text is not JSON, or a field is missing or invalid.
    pub fn parse(text: &str) -> Result<Document, DocumentError> {
        Document::from_value(json::parse(text)?)
    }

    /// Reads a document from a JSON value.
    ///
    /// # Errors
    /// [`DocumentError`] if a field is missing or invalid.
    pub fn from_value(value: Value) -> Result<Document, DocumentError> {
        limits::check(&value)?;
        let mut fields = Fields::new(String::new(), value)?;
        let mut header = header(&mut fields)?;
        let tasks = tasks(&mut fields)?;
        header.extra = fields.rest();
        Ok(Document { header, tasks })
    }
}

impl Header {
    /// Reads a header from a JSON value. A header is a document without its tasks.
    ///
    /// # Errors
    /// [`DocumentError`] if a field is missing or invalid.
    pub fn from_value(value: Value) -> Result<Header, DocumentError> {
        let mut fields = Fields::new(String::new(), value)?;
        let header = header(&mut fields)?;
        Ok(Header { extra: fields.rest(), ..header })
    }
}

/// Reads all known fields except the tasks.
pub(super) fn header(fields: &mut Fields) -> Result<Header, DocumentError> {
    let format = format(fields)?;
    let n = fields.size()?;
    let shard = if fields.has("shard") { Some(shard(fields)?) } else { None };
    let total = fields.count("total")?;
    let (unique, classes) = classes(fields, n, shard.is_some())?;
    let method = fields.word("method")?;
    Ok(Header {
        format,
        n,
        total,
        unique,
        classes,
        method,
        form: form(fields, method)?,
        plan: plan(fields)?,
        backend: backend(fields)?,
        program: program(fields)?,
        host: host(fields)?,
        started: started(fields)?,
        seconds: fields.seconds("seconds")?,
        shard,
        checks: fields.texts("checks")?,
        extra: Extra::new(),
    })
}

fn format(fields: &mut Fields) -> Result<Format, DocumentError> {
    if !fields.has("format") {
        return Err(DocumentError::NotAResult);
    }
    let name = fields.value("format")?;
    if name != FORMAT {
        return Err(fields.error("format", Problem::UnknownFormat { found: quote(&name) }));
    }
    let version = fields.value("version")?;
    if whole_number(&version) != Some(VERSION.into()) {
        return Err(fields.error("version", Problem::UnknownVersion { found: quote(&version) }));
    }
    Ok(Format::default())
}

/// Reads the unique count and the class counts. A shard has neither, and N = 1 has no class counts.
fn classes(
    fields: &mut Fields,
    n: Size,
    is_shard: bool,
) -> Result<(Option<u64>, Option<ClassCounts>), DocumentError> {
    const NAMES: [&str; 4] = ["unique", "count2", "count4", "count8"];
    let reject = |names: &[&str], problem: Problem| match names.iter().find(|n| fields.has(n)) {
        Some(name) => Err(fields.error(name, problem)),
        None => Ok(()),
    };
    if is_shard {
        reject(&NAMES, Problem::NotForAShard)?;
        return Ok((None, None));
    }
    if n.get() == 1 {
        reject(&NAMES[1..], Problem::NotForSizeOne)?;
        return Ok((Some(fields.count("unique")?), None));
    }
    let unique = fields.count("unique")?;
    let counts = ClassCounts {
        count2: fields.count("count2")?,
        count4: fields.count("count4")?,
        count8: fields.count("count8")?,
    };
    Ok((Some(unique), Some(counts)))
}

/// Reads the form, which must be one that the method has.
fn form(fields: &mut Fields, method: Method) -> Result<Form, DocumentError> {
    let form: Form = fields.word("form")?;
    if method.forms().contains(&form) {
        return Ok(form);
    }
    Err(fields.error("form", Problem::NoSuchForm { method, form }))
}

fn shard(fields: &mut Fields) -> Result<Shard, DocumentError> {
    let mut shard = fields.object("shard")?;
    let of = shard.whole_number("of", 1..=Fields::MAX_TASKS)?;
    let index = shard.whole_number("index", 0..=of - 1)?;
    Ok(Shard { index, of, extra: shard.rest() })
}

fn plan(fields: &mut Fields) -> Result<PlanRef, DocumentError> {
    let mut plan = fields.object("plan")?;
    let version = plan.whole_number("version", 1..=u32::MAX)?;
    if version != Plan::VERSION {
        let problem = Problem::UnknownPlan { found: version, known: Plan::VERSION };
        return Err(plan.error("version", problem));
    }
    Ok(PlanRef {
        version,
        tasks: plan.whole_number("tasks", 1..=Fields::MAX_TASKS)?,
        extra: plan.rest(),
    })
}

fn backend(fields: &mut Fields) -> Result<Backend, DocumentError> {
    let mut backend = fields.object("backend")?;
    Ok(Backend {
        kind: backend.word("kind")?,
        device: backend.text("device")?,
        detail: backend.text("detail")?,
        extra: backend.rest(),
    })
}

fn program(fields: &mut Fields) -> Result<Program, DocumentError> {
    let mut program = fields.object("program")?;
    Ok(Program {
        name: program.text("name")?,
        version: program.text("version")?,
        commit: program.text("commit")?,
        extra: program.rest(),
    })
}

fn host(fields: &mut Fields) -> Result<Host, DocumentError> {
    let mut host = fields.object("host")?;
    Ok(Host {
        os: host.text("os")?,
        cpu: host.text("cpu")?,
        threads: host.whole_number("threads", 1..=u32::MAX)?,
        extra: host.rest(),
    })
}

fn started(fields: &mut Fields) -> Result<String, DocumentError> {
    let text = fields.text("started")?;
    if timestamp::is_rfc3339(&text) {
        return Ok(text);
    }
    let found = quote(&Value::String(text));
    Err(fields.error("started", Problem::NotATimestamp { found }))
}

fn tasks(fields: &mut Fields) -> Result<Vec<TaskTotal>, DocumentError> {
    let list = fields.list("tasks")?;
    let mut tasks = Vec::with_capacity(list.len());
    for (position, value) in list.into_iter().enumerate() {
        let mut task = Fields::new(format!("tasks[{position}]"), value)?;
        tasks.push(TaskTotal {
            id: task.whole_number("id", 0..=Fields::MAX_TASKS - 1)?,
            total: task.count("total")?,
            seconds: task.seconds("seconds")?,
            covered: covered(&mut task)?,
            chosen: task.has("chosen").then(|| task.count("chosen")).transpose()?,
            extra: task.rest(),
        });
    }
    Ok(tasks)
}

/// The largest sum of weights that a document may state: the integers up to it are exact in every
/// reader of JSON.
const MAX_WEIGHT: u64 = 1 << 53;

/// Reads the coverage of a task. If one of `sets`, `weight` and `chosen` is present, `sets` and
/// `weight` are required.
fn covered(task: &mut Fields) -> Result<Option<Coverage>, DocumentError> {
    if !["sets", "weight", "chosen"].iter().any(|name| task.has(name)) {
        return Ok(None);
    }
    let sets = task.whole_number("sets", 0..=u32::MAX)?;
    Ok(Some(Coverage { sets, weight: task.whole_number("weight", 0..=MAX_WEIGHT)? }))
}
