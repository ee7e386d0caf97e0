//! `queens count`: counts, checks, prints, saves and posts.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use queens_core::{Form, Method, Size, document::Document};

use super::{
    args::{self, Running},
    backend::{self, Choice},
    counting::counted,
    estimate::estimate,
    failure::Failure,
    interrupt::Interrupt,
    output::{self, BOLD, Target, thousands},
};
use queens::{count::Wish, post::Client};

/// Count the solutions of an N x N board
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens count 16
  queens count 18 --threads 4 -o eighteen.json
  queens count 12 --method bitmap --form iterative --json
  queens count 22 --estimate
  queens count 17 --post http://127.0.0.1:8017")]
pub struct Args {
    /// The side of the board: 1 to 28, or to what the method can do
    #[arg(value_name = "N", allow_negative_numbers = true)]
    size: Size,
    /// How to count [default: the fastest for this N]
    #[arg(long, value_name = "ID", value_parser = args::method())]
    method: Option<Method>,
    /// Which writing of the method runs [default: recursive; on GPUs there is only the iterative]
    #[arg(long, value_parser = args::form())]
    form: Option<Form>,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    running: Running,
    /// Do not count: say from a sample of tasks what it would take and about what would come out
    #[arg(long, conflicts_with_all = ["output", "post"])]
    estimate: bool,
    /// Print the result document instead of a text
    #[arg(long)]
    json: bool,
    /// Save the result document; the file appears complete or not at all
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Send the result document to the server with this base address
    #[arg(long, value_name = "URL")]
    post: Option<String>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Args { size, method, form, .. } = *args;
    let wish = Wish { size, method, form, isa: args.choice.isa };
    let target = args.output.as_deref().map(Target::new).transpose()?;
    let server = args.post.as_deref().map(address).transpose()?;
    let quiet = args.running.quiet;
    let interrupt = Interrupt::catch()?;
    if args.estimate {
        let (job, cpu) = backend::for_estimate(wish, &args.choice, &args.running)?;
        let estimate = estimate(job, cpu, quiet, &interrupt)?;
        match args.json {
            true => output::json(out, &estimate.to_json())?,
            false => estimate.print(out)?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let (job, backend) = backend::choose(wish, &args.choice, &args.running, &interrupt)?;
    let (document, _) = counted(job, &*backend, quiet, server.as_ref(), &interrupt)?;
    interrupt.end();
    let json = document.to_json();
    let printed = show(args, out, &document, &json);
    // Whether or not somebody reads it, the result is saved and sent, the one even where the
    // other fails.
    let saved = target.map(|target| save(&target, json));
    let posted = server.map(|server| post(&server, &document));
    let mut failed = false;
    for delivered in [saved, posted].into_iter().flatten() {
        match delivered {
            Ok(_) if quiet => {}
            Ok(text) => output::note(text),
            Err(error) => {
                output::complain(&error);
                failed = true;
            }
        }
    }
    if failed {
        return Ok(ExitCode::FAILURE);
    }
    printed?;
    Ok(ExitCode::SUCCESS)
}

fn show(args: &Args, out: &mut dyn Write, document: &Document, json: &str) -> io::Result<()> {
    if args.json {
        writeln!(out, "{json}")?;
    } else {
        print(out, document)?;
    }
    out.flush()
}

fn save(target: &Target, json: String) -> anyhow::Result<String> {
    target.write(&(json + "\n"))?;
    Ok(format!("saved to {}", target.path().display()))
}

fn post(server: &Client, document: &Document) -> anyhow::Result<String> {
    let posted = server.post(document)?;
    Ok(match posted.is_new {
        true => format!("posted as {}", posted.address),
        false => format!("the server has it already as {}", posted.address),
    })
}

/// The server to post to, refused before the work if its address cannot be one.
fn address(url: &str) -> Result<Client, Failure> {
    Client::new(url).map_err(|error| Failure::Arguments(error.to_string()))
}

/// The result as a text for people.
fn print(out: &mut dyn Write, document: &Document) -> io::Result<()> {
    let mut numbers = vec![("N", u64::from(document.n.get())), ("Total", document.total)];
    numbers.extend(document.unique.map(|unique| ("Unique", unique)));
    if let Some(classes) = document.classes {
        let (two, four, eight) = (classes.count2, classes.count4, classes.count8);
        numbers.extend([("COUNT2", two), ("COUNT4", four), ("COUNT8", eight)]);
    }
    let width = thousands(document.total).len().max(2);
    for (name, number) in numbers {
        writeln!(out, "{name:7}  {BOLD}{:>width$}{BOLD:#}", thousands(number))?;
    }
    output::fields(
        out,
        &[
            ("Time", output::clock(Duration::from_secs_f64(document.seconds.get()))),
            ("Method", format!("{}, {}", document.method, document.form)),
            ("Backend", format!("{}, {}", document.backend.kind.id(), document.backend.detail)),
            ("Checks", document.checks.join(", ")),
        ],
    )
}
