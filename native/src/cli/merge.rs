//! `queens merge`: merges the shards of a count into one result.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use jiff::Timestamp;
use queens::{count, paths};
use queens_core::{
    Turns,
    document::{Backend, Circumstances, Document, Header, Host, Seconds, Shards},
    finalize, ranges,
};

use super::{
    args::RunArgs,
    delivery::{print, rescue},
    destination::{self, Target},
    failure::{Failure, Message},
    output,
    recount::{RecountArgs, recount_document},
    source,
};

/// Merge the shards of a count into one result
///
/// Fails if a shard is missing, given twice, damaged or from another count. Checks the sum as a count
/// does (see `queens --help`), and recounts some tasks by plain backtracking;
/// for results of colours beyond N = 18, it recounts recorded parts of tasks instead (see --parts).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens merge shards/*.json
  queens merge shards/*.json -o twenty.json --seconds 60")]
pub struct Args {
    /// Result documents of all shards, or patterns such as 'shards/*.json'
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the result document to this file, in one atomic step; - means stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    recount: RecountArgs,
    #[command(flatten)]
    run_args: RunArgs,
}

/// Merges the shards, checks the sum and recounts some tasks. Then saves and prints the result.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    output::set_quiet(args.run_args.quiet);
    let (to_stdout, file) = match args.output.as_deref() {
        Some(path) if destination::is_stdout(path) => (true, None),
        path => (false, path),
    };
    let files = source::expand(&args.files)?;
    if let Some(file) = file {
        check_output(file, &files)?;
    }
    let target = file.map(Target::new).transpose()?;
    let (shards, circumstances) = read_shards(&files)?;
    let (part, circumstances) = shards.part().zip(circumstances).context("there are no shards")?;
    let missing = shards.missing(shards.of());
    if !missing.is_empty() {
        return Err(Failure::Data(missing_shards(&missing, shards.of())).into());
    }
    let checked = finalize(part, Turns::of(part.size())).map_err(|error| {
        let text = format!("the shards do not add up to a valid count: {error}");
        Failure::Data(Message::new(text).with_hint("verify each shard with `queens verify`"))
    })?;
    let mut document = Document::of(&checked, circumstances);
    let report = recount_document(&document, "the result", &args.recount, args.run_args.threads())?;
    let passed = report.add_to(checked.checks());
    document.header.checks = passed.iter().map(|check| check.id().to_owned()).collect();
    let json = document.to_json() + "\n";
    // The result combines texts of several shards, so it may exceed a limit that no shard exceeds.
    Document::parse(&json)
        .map_err(|source| Failure::Damaged { file: "the merged result".to_owned(), source })?;
    // Save before printing, so that the result is not lost if printing fails.
    let saved = match &target {
        Some(target) => target.write(&json),
        None if to_stdout => write!(out, "{json}")
            .and_then(|()| out.flush())
            .context("cannot write to standard output"),
        None => Ok(()),
    };
    if let Err(error) = saved {
        output::error(&error);
        // The recount may have taken hours.
        rescue(out, &document.header, &json);
        return Ok(ExitCode::from(Failure::exit_code_of(&error)));
    }
    if let Some(target) = target {
        output::note(format!("saved to {}", paths::shown(target.path())));
    }
    if !to_stdout {
        print(out, &document.header)?;
        report.print(out, checked.checks())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Rejects an output file that is one of the shards, because the shard would be lost.
fn check_output(output: &Path, shards: &[PathBuf]) -> Result<(), Failure> {
    if shards.iter().any(|shard| destination::is_same_file(shard, output)) {
        let text = format!("`-o {}` is one of the shards to merge", paths::shown(output));
        return Err(Failure::arguments(text, "write to another file"));
    }
    Ok(())
}

/// Returns the message for missing shards, with a hint on how to count them.
fn missing_shards(missing: &[u32], of: u32) -> Message {
    match missing {
        [one] => Message::new(format!("shard {one}/{of} is missing"))
            .with_hint(format!("count it with `--shard {one}/{of}`")),
        _ => Message::new(format!(
            "{} of {of} shards are missing: {}",
            missing.len(),
            ranges(missing)
        ))
        .with_hint(format!("count each with `--shard K/{of}`")),
    }
}

/// Reads the shards and combines their circumstances: the earliest start, the sum of the times and the
/// largest number of threads. A device and its details, a system or a processor is "several" unless it is the
/// same for all shards.
fn read_shards(files: &[PathBuf]) -> anyhow::Result<(Shards, Option<Circumstances>)> {
    let mut shards = Shards::default();
    let mut headers = Vec::with_capacity(files.len());
    for path in files {
        let (document, _) = source::read_checked(path)?;
        shards
            .add(&paths::shown(path), &document)
            .map_err(|error| Failure::Data(error.to_string().into()))?;
        headers.push(document.header);
    }
    // The form and the kind of backend are taken from the first header. Sort, so that they do not depend on
    // the order of the files.
    headers.sort_by_key(|header| header.shard.as_ref().map(|shard| shard.index));
    let mut combined: Option<Circumstances> = None;
    for header in headers {
        let circumstances = circumstances(header);
        match &mut combined {
            Some(combined) => combine(combined, circumstances),
            none => *none = Some(circumstances),
        }
    }
    if let Some(combined) = &mut combined {
        let count = match shards.of() {
            1 => "1 shard".to_owned(),
            of => format!("{of} shards"),
        };
        combined.backend.detail = format!("{count}, {}", combined.backend.detail);
    }
    Ok((shards, combined))
}

/// Returns the circumstances of a shard's count, except that the program is this one, which merges.
///
/// The patterns here and in [`combine`] name all fields, so a new field is a compile error until it is
/// combined or left out.
fn circumstances(header: Header) -> Circumstances {
    let Header {
        form,
        backend,
        program: _,
        host,
        started,
        seconds,
        // The same for all shards.
        format: _,
        n: _,
        method: _,
        plan: _,
        // The merged result has its own values.
        total: _,
        unique: _,
        classes: _,
        shard: _,
        checks: _,
        extra: _,
    } = header;
    Circumstances { form, backend, program: count::program(), host, started, seconds }
}

/// Adds the circumstances of another shard to `combined`.
fn combine(combined: &mut Circumstances, other: Circumstances) {
    let Circumstances { form: _, backend, program: _, host, started, seconds } = other;
    let Backend { kind: _, device, detail, extra: _ } = backend;
    let Host { os, cpu, threads, extra: _ } = host;
    for (ours, other) in [
        (&mut combined.backend.device, device),
        // The details of a shard also differ if it was interrupted.
        (&mut combined.backend.detail, detail),
        (&mut combined.host.os, os),
        (&mut combined.host.cpu, cpu),
    ] {
        if *ours != other {
            "several".clone_into(ours);
        }
    }
    combined.host.threads = combined.host.threads.max(threads);
    let seconds = combined.seconds.get() + seconds.get();
    combined.seconds = Seconds::new(seconds).unwrap_or(combined.seconds);
    let time = |text: &str| text.parse::<Timestamp>().ok();
    if time(&started) < time(&combined.started) {
        combined.started = started;
    }
}
