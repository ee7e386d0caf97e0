//! Delivery of a result document: to stdout, a file and a server.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::anyhow;
use clap::Arg;
use queens_core::document::{Document, DocumentError, Header, Problem, Shard};

use super::{
    destination::{self, Target},
    failure::Failure,
    interrupt,
    output::{self, BOLD, thousands},
    request::Request,
    source,
};
use queens::{
    paths,
    post::{Client, PostError, Token},
};

/// Arguments that choose the outputs of the result document.
#[derive(clap::Args, Debug)]
pub struct OutputArgs {
    /// Print the result document as JSON instead of a summary
    #[arg(long)]
    pub json: bool,
    /// Write the result document to this file, in one atomic step; - means stdout
    ///
    /// An existing file is replaced, unless it is a journal or a server's results.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Post the result document to the server at this URL, such as http://127.0.0.1:8017
    ///
    /// The server also shows the progress of the count. If the server needs a token, set the
    /// environment variable QUEENS_TOKEN.
    #[arg(long, value_name = "URL")]
    post: Option<String>,
    /// Name of this count in the progress display of the server; shards with the same name appear
    /// as one count
    ///
    /// A name is 1 to 64 letters, digits, hyphens and underscores.
    #[arg(long, alias = "run", value_name = "NAME", requires = "post")]
    run_name: Option<String>,
}

/// Appends to the help of `-o` how the option works with `--shard`.
pub fn output_of_count(output: Arg) -> Arg {
    let help = output.get_long_help().map(ToString::to_string).unwrap_or_default();
    output.long_help(
        help + " With --shard, a file that already holds this shard is kept, and nothing is counted. A file \
                with another result is an error then; any other file, such as a damaged result, is replaced.",
    )
}

/// The outputs of a count, checked before the count starts.
pub struct Outputs {
    is_json: bool,
    /// Whether the file is stdout (`-o -`). A failed print is then reported like a failed save.
    is_saved_by_printing: bool,
    target: Option<Target>,
    /// The requested shard, if the file of `-o` already holds it. That file is not written again.
    pub saved: Option<Document>,
    /// The file that holds the document.
    pub file: Option<PathBuf>,
    /// The server. It also receives progress reports.
    pub server: Option<Client>,
}

impl OutputArgs {
    /// Checks, before any work is done, that the document can be written and does not replace the journal,
    /// and that the server's address is valid. `request` may be for a shard that the file already holds.
    pub fn outputs(
        &self,
        request: Option<&Request>,
        journal: Option<&Path>,
    ) -> Result<Outputs, Failure> {
        let file = self.output.as_deref().filter(|path| !destination::is_stdout(path));
        let saved = match request.zip(file) {
            Some((request, file)) => saved_shard(request, file)?,
            None => None,
        };
        if let (Some(file), Some(journal)) = (file, journal)
            && saved.is_none()
            && destination::is_same_file(file, journal)
        {
            let text = format!("`-o {}` is the journal of this count", paths::shown(file));
            return Err(Failure::arguments(text, "write to another file"));
        }
        // A file that holds the shard is not written, so it may be read-only.
        let (file, target) = match &saved {
            Some(_) => (file.map(Path::to_owned), None),
            None => (None, file.map(Target::new).transpose()?),
        };
        let is_saved_by_printing = self.output.is_some() && file.is_none() && target.is_none();
        Ok(Outputs {
            is_json: self.json || is_saved_by_printing,
            is_saved_by_printing,
            target,
            saved,
            file,
            server: self.server().map_err(|error| Failure::Arguments(error.into()))?,
        })
    }

    /// Creates the client for the server of `--post`, with the run name and the token from the environment.
    /// Rejects an invalid address.
    fn server(&self) -> Result<Option<Client>, PostError> {
        let Some(url) = &self.post else { return Ok(None) };
        let mut client = Client::new(url)?;
        if let Some(token) = Token::from_environment()? {
            client = client.with_token(token);
        }
        if let Some(run) = &self.run_name {
            client = client.for_run(run)?;
        }
        Ok(Some(client))
    }
}

impl Outputs {
    /// Delivers the document to all outputs and returns the exit code. If one output fails, the others
    /// still get the document. If saving or posting has failed and no output has the document, saves it to a
    /// new file or, if that fails too, prints it. `is_repeatable` tells whether running the same command
    /// again returns the document without another count.
    pub fn deliver(
        self,
        out: &mut dyn Write,
        document: &Document,
        is_repeatable: bool,
    ) -> anyhow::Result<ExitCode> {
        let Outputs { is_json, is_saved_by_printing, target, saved: _, mut file, server } = self;
        let was_saved_before = file.is_some();
        interrupt::stop_polling();
        let json = document.to_json() + "\n";
        // Return errors only after all outputs were tried.
        let saved = target.as_ref().map(|target| save(target, &json));
        if let (Some(target), Some(Ok(_))) = (&target, &saved) {
            file = Some(target.path().to_owned()).filter(|path| path.is_file());
        }
        let printed = show(out, document, is_json.then_some(&json));
        let posted = server.as_ref().map(|server| post(server, document));
        let mut has_copy = file.is_some() || is_json && printed.is_ok();
        let (printed, saved_to_stdout) = match printed {
            // For `-o -`, printing is saving, so its error is handled like that of a file.
            Err(error) if is_saved_by_printing => {
                (Ok(()), Some(Err(anyhow!(error).context("cannot write to standard output"))))
            }
            printed => (printed, None),
        };
        let post_error = posted.as_ref().and_then(|posted| posted.as_ref().err());
        // If the post failed: the status of the server's answer, if there was one.
        let post_failure = post_error.map(|error| error.downcast_ref().and_then(PostError::status));
        let mut code = None;
        for delivered in [saved, saved_to_stdout, posted].into_iter().flatten() {
            match delivered {
                Ok(text) => {
                    has_copy = true;
                    output::note(text);
                }
                Err(error) => {
                    output::error(&error);
                    code = Some(Failure::exit_code_of(&error));
                }
            }
        }
        let Some(code) = code else {
            printed?;
            return Ok(ExitCode::SUCCESS);
        };
        if let Some(file) = file.as_ref().filter(|_| was_saved_before) {
            output::message(format!("the result is in {}", paths::shown(file)));
        }
        if !has_copy {
            file = rescue(out, &document.header, &json);
        }
        if let (Some(server), Some(status)) = (server, post_failure) {
            if is_repeatable {
                output::hint(
                    "when the server is ready, run the same command again: it posts the result \
                     without counting again",
                );
            } else if let Some(file) = file {
                let command = server.upload_command(&file, status);
                output::hint(format!("when the server is ready, send the result with `{command}`"));
            }
        }
        Ok(ExitCode::from(code))
    }
}

/// Returns the document of the requested shard if the file already holds it, or `None` if the file may be
/// replaced, because it does not exist or is damaged. Also returns `None` for a pipe or a device, without
/// opening it: opening a pipe would wait for another process.
///
/// # Errors
/// [`Failure::Arguments`] if the file holds another result, which would be lost.
fn saved_shard(request: &Request, file: &Path) -> Result<Option<Document>, Failure> {
    let Some(shard) = request.shard.as_ref().filter(|_| file.is_file()) else { return Ok(None) };
    let (size, method) = (request.size, request.method);
    let Shard { index, of, extra: _ } = shard;
    let found = match source::read_checked(file) {
        Ok((document, _)) => {
            let header = &document.header;
            let part = header.shard.as_ref().map(|saved| (saved.index, saved.of));
            if (header.n, Some(header.method), part) == (size, method, Some((*index, *of))) {
                return Ok(Some(document));
            }
            let part = match part {
                Some((index, of)) => format!("shard {index}/{of}"),
                None => "the complete count".to_owned(),
            };
            format!("{part} of N = {} by {}", header.n, header.method)
        }
        Err(Failure::Damaged { source: DocumentError::Field { path, problem }, .. })
            if matches!(
                problem,
                Problem::UnknownPlan { .. }
                    | Problem::UnknownVersion { .. }
                    | Problem::UnknownWord { .. }
            ) =>
        {
            format!("a result of another program version ({path}: {problem})")
        }
        Err(_) => return Ok(None),
    };
    let text = format!("{} already holds {found}", paths::shown(file));
    Err(Failure::arguments(text, "write each shard to a separate file"))
}

/// Saves a document that could not be delivered to a new file or, if that fails too, prints it. Returns the
/// path of the file.
pub fn rescue(out: &mut dyn Write, header: &Header, json: &str) -> Option<PathBuf> {
    let file = destination::rescue(&format!("queens-{}-", header.n), json);
    match &file {
        Some(file) => {
            output::message(format!("the result was saved to {} instead", paths::shown(file)));
        }
        // An error of printing adds nothing: the caller has reported that the delivery failed.
        None => {
            let _ = write!(out, "{json}");
        }
    }
    file
}

/// Prints the document as a summary, or as the given JSON.
fn show(out: &mut dyn Write, document: &Document, json: Option<&String>) -> io::Result<()> {
    match json {
        Some(json) => write!(out, "{json}")?,
        None => print(out, &document.header)?,
    }
    out.flush()
}

fn save(target: &Target, json: &str) -> anyhow::Result<String> {
    target.write(json)?;
    Ok(format!("saved to {}", paths::shown(target.path())))
}

fn post(server: &Client, document: &Document) -> anyhow::Result<String> {
    let posted = server.post(document)?;
    let outcome = if posted.is_new { "posted to" } else { "already on the server:" };
    Ok(format!("{outcome} {}", posted.address))
}

/// Prints the summary of a result.
pub fn print(out: &mut dyn Write, header: &Header) -> io::Result<()> {
    // The pattern names all fields, so that a new one is either printed or left out on purpose.
    let Header {
        format: _,
        n,
        total,
        unique,
        classes,
        method,
        form,
        plan: _,
        backend,
        program: _,
        host: _,
        started: _,
        seconds,
        shard,
        checks,
        extra: _,
    } = header;
    let mut numbers = vec![("N", u64::from(n.get())), ("Total", *total)];
    numbers.extend(unique.map(|unique| ("Unique", unique)));
    if let Some(classes) = classes {
        let (two, four, eight) = (classes.count2, classes.count4, classes.count8);
        numbers.extend([("COUNT2", two), ("COUNT4", four), ("COUNT8", eight)]);
    }
    let width = thousands(*total).len().max(2);
    for (name, number) in numbers {
        writeln!(out, "{name:7}  {BOLD}{:>width$}{BOLD:#}", thousands(number))?;
    }
    let mut fields = vec![
        ("Time", output::duration(seconds.get())),
        ("Method", format!("{method}, {form}")),
        ("Backend", format!("{}, {}", backend.kind.id(), backend.detail)),
        ("Checks", checks.join(", ")),
    ];
    if let Some(shard) = shard {
        fields.insert(0, ("Shard", format!("{}/{}", shard.index, shard.of)));
    }
    output::fields(out, &fields)
}
