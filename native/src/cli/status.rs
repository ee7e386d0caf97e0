//! `queens status`: progress of a count, from its journal.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context, Error};
use queens_core::{Plan, remaining};
use serde_json::{Value, json};

use super::{
    failure::Failure,
    journal::{automatic_folder, automatic_journals},
    output::{self, BOLD, duration, thousands},
};
use queens::{
    journal::{Contents, Holder, Journal, JournalError, Session},
    paths,
};

/// Show the progress of a count from its journal, even while it is running
///
/// Without a file, list all journals that were created automatically. A journal that cannot be read is
/// named, and the command exits with the code of that error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens status
  queens status twentyone.journal --json")]
pub struct Args {
    /// Journal to read [default: all automatic journals]
    #[arg(value_name = "JOURNAL")]
    journal: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if let Some(file) = &args.journal {
        let status = Status::of(file)?;
        if args.json {
            output::json(out, &status.to_json())?;
        } else {
            status.print(out)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    list(args, out)
}

/// Prints the status of all automatic journals. Errors come last, on stderr, or with `--json` in the list.
fn list(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let files = automatic_journals().with_context(|| match automatic_folder() {
        Some(folder) => {
            format!("cannot list the automatic journals in {}", paths::shown(&folder))
        }
        None => "cannot list the automatic journals".to_owned(),
    })?;
    // A count that ends now removes its journal.
    let is_gone =
        |status: &Result<Status, JournalError>| matches!(status, Err(JournalError::Missing { .. }));
    let all = files.into_iter().map(|file| (Status::of(&file), file));
    let all: Vec<_> = all.filter(|(status, _)| !is_gone(status)).collect();
    let mut code = ExitCode::SUCCESS;
    if args.json {
        let mut list = Vec::with_capacity(all.len());
        for (status, file) in all {
            list.push(match status {
                Ok(status) => status.to_json(),
                Err(error) => {
                    let text = error.to_string();
                    code = Failure::exit_code_of(&error.into()).into();
                    json!({ "journal": path_text(&file), "error": text })
                }
            });
        }
        output::json(out, &list.into())?;
        return Ok(code);
    }
    if all.is_empty() {
        writeln!(out, "no automatic journals found")?;
    }
    let all = all.into_iter().map(|(status, _)| status);
    let (readable, unreadable): (Vec<_>, Vec<_>) = all.partition(Result::is_ok);
    for (place, status) in readable.into_iter().flatten().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        status.print(out)?;
    }
    out.flush()?;
    for error in unreadable.into_iter().filter_map(Result::err) {
        let error = Error::from(error);
        code = Failure::exit_code_of(&error).into();
        output::error(&error);
    }
    Ok(code)
}

/// The progress of a count.
struct Status {
    journal: Journal,
    done: usize,
    tasks: usize,
}

impl Status {
    fn of(file: &Path) -> Result<Status, JournalError> {
        let journal = Journal::open(file)?;
        let contents = journal.contents();
        let (done, tasks) = (contents.finished_tasks.done().len(), contents.run.len());
        Ok(Status { journal, done, tasks })
    }

    fn contents(&self) -> &Contents {
        self.journal.contents()
    }

    /// Returns the total time of all sessions.
    fn total_time(&self) -> Duration {
        Session::total_duration(&self.contents().sessions)
    }

    /// Estimates the time for the remaining tasks, at the rate of the last session that finished any.
    fn remaining_time(&self) -> Option<Duration> {
        let last = self.contents().sessions.iter().rev().find(|session| session.tasks > 0)?;
        remaining(last.tasks, last.duration(), self.tasks - self.done)
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Contents { run, partials, sessions, .. } = self.contents();
        let (done, tasks) = (thousands(self.done as u64), thousands(self.tasks as u64));
        let percent = 100 * self.done / self.tasks.max(1);
        let partial = match partials.len() {
            0 => String::new(),
            tasks => format!(", plus part of {tasks} more"),
        };
        writeln!(out, "{BOLD}{run}{BOLD:#}")?;
        let mut fields = vec![
            ("Journal", path_text(self.journal.file())),
            ("Done", format!("{done} of {tasks} tasks ({percent}%){partial}")),
        ];
        let time = duration(self.total_time().as_secs_f64());
        fields.push(match sessions.len() {
            0 => ("Time", "not started".to_owned()),
            1 => ("Time", time),
            count => ("Time", format!("{time} in {count} sessions")),
        });
        if let Some(left) = self.remaining_time().filter(|_| self.done < self.tasks) {
            let left = duration(left.as_secs_f64());
            let left = format!("about {left} at the rate of the last session");
            fields.push(("Remaining", left));
        }
        if let Some(Session { host, circumstances, .. }) = sessions.last() {
            let (kind, detail) = (circumstances.backend.kind.id(), &circumstances.backend.detail);
            let started = &circumstances.started;
            fields.push(("Session", format!("started {started} on {host}: {kind}, {detail}")));
        }
        fields.push((
            "Lock",
            match self.journal.holder() {
                None => "none".to_owned(),
                Some(holder) if holder.since.is_empty() => format!("held by {holder}"),
                Some(holder) => format!("held by {holder} since {}", holder.since),
            },
        ));
        output::fields(out, &fields)
    }

    fn to_json(&self) -> Value {
        let Contents { run, partials, sessions, .. } = self.contents();
        let plan = json!({ "version": Plan::VERSION, "tasks": run.plan.len() });
        let mut status = json!({
            "journal": path_text(self.journal.file()),
            "n": run.plan.size().get(),
            "method": run.plan.method().id(),
            "plan": plan,
            "tasks": self.tasks,
            "done": self.done,
            "remaining": self.tasks - self.done,
            "partial": partials.len(),
            "seconds": self.total_time().as_secs_f64(),
            "seconds_remaining": self.remaining_time().map(|left| left.as_secs_f64()),
            "holder": self.journal.holder().map(holder_json),
            "sessions": sessions.iter().map(session_json).collect::<Vec<_>>(),
        });
        if let Some(shard) = &run.shard {
            status["shard"] = json!({ "index": shard.index, "of": shard.of });
        }
        status
    }
}

fn holder_json(holder: Holder) -> Value {
    let Holder { host, process, since } = holder;
    json!({ "host": host, "process": process.parse::<u32>().ok(), "since": since })
}

fn session_json(session: &Session) -> Value {
    let circumstances = &session.circumstances;
    json!({
        "number": session.number,
        "host": session.host,
        "process": session.process,
        "started": circumstances.started,
        "seconds": circumstances.seconds.get(),
        "tasks": session.tasks,
        "form": circumstances.form.id(),
        "backend": circumstances.backend,
        "program": circumstances.program,
        "machine": circumstances.host,
    })
}

fn path_text(file: &Path) -> String {
    file.display().to_string()
}
