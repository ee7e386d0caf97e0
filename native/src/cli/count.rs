//! `queens count`: counts, checks, prints, saves and posts.

use std::{
    env,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::Duration,
};

use anyhow::anyhow;
use queens_core::{
    Form, Method, Plan, Size,
    document::{Document, Header, Shard},
};

use super::{
    args::{self, Running},
    backend::{self, BackendArgs},
    counting::{counted, counted_shard},
    estimate::estimate,
    failure::Failure,
    interrupt::Interrupt,
    output::{self, BOLD, thousands},
    shard::ShardArgs,
    source,
    target::{self, Target},
};
use queens::{
    count::Wish,
    post::{Client, TOKEN},
};

/// Count the solutions of an N x N board
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens count 16
  queens count 18 --threads 4 -o eighteen.json
  queens count 12 --method bitmap --form iterative --json
  queens count 22 --estimate
  queens count 20 --shard 3/16 -o shard-3.json
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
    choice: BackendArgs,
    #[command(flatten)]
    running: Running,
    #[command(flatten)]
    shard: ShardArgs,
    /// Do not count: say from a sample of tasks what it would take and about what would come out
    #[arg(long, conflicts_with_all = ["output", "post", "shard", "shard_from_env"])]
    estimate: bool,
    /// Print the result document instead of a text
    #[arg(long)]
    json: bool,
    /// Save the result document; the file appears complete or not at all, and - is stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Send the result document to the server with this base address
    #[arg(long, value_name = "URL")]
    post: Option<String>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Args { size, method, form, .. } = *args;
    let mut wish = Wish { size, method, form, isa: args.choice.isa };
    let shard = args.shard.chosen()?;
    if shard.is_some() {
        // The same on every machine, so that the shards go together.
        wish.method = Some(args.choice.usual_method(wish));
    }
    let (to_stdout, file) = match args.output.as_deref() {
        Some(path) if target::is_stdout(path) => (true, None),
        path => (false, path),
    };
    let target = file.map(Target::new).transpose()?;
    let server = args.post.as_deref().map(address).transpose()?;
    let quiet = args.running.quiet;
    let interrupt = Interrupt::catch()?;
    if args.estimate {
        let (method, cpu) = backend::for_estimate(wish, &args.choice, &args.running)?;
        let estimate = estimate(Plan::new(size, method), cpu, quiet, &interrupt)?;
        if args.json {
            output::json(out, &estimate.to_json())?;
        } else {
            estimate.print(out)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let there = match (&shard, file) {
        (Some(shard), Some(file)) => already(wish, shard, file)?,
        _ => None,
    };
    // What is there need not be saved again.
    let target = target.filter(|_| there.is_none());
    let document = match there {
        Some(document) => {
            if !quiet {
                output::note("the file has this shard already: there is nothing to count");
            }
            document
        }
        None => {
            let (method, backend) = backend::choose(wish, &args.choice, &args.running, &interrupt)?;
            let plan = Plan::new(size, method);
            let server = server.as_ref();
            match &shard {
                Some(shard) => counted_shard(plan, shard, &*backend, quiet, server, &interrupt)?,
                None => counted(plan, &*backend, quiet, server, &interrupt)?.0,
            }
        }
    };
    interrupt.end();
    let json = document.to_json() + "\n";
    // Whether or not somebody reads what is printed, the result is saved and sent, the one even
    // where the other fails.
    let saved = target.map(|target| save(&target, &json));
    let is_json = args.json || to_stdout;
    let printed = show(out, &document, is_json.then_some(&json));
    interrupt.resume();
    let posted = server.map(|server| post(server, &document, &interrupt));
    let mut is_kept = is_json && printed.is_ok();
    let mut code = None;
    for delivered in [saved, posted].into_iter().flatten() {
        match delivered {
            Ok(text) => {
                is_kept = true;
                if !quiet {
                    output::note(text);
                }
            }
            Err(error) => {
                output::complain(&error);
                code = Some(Failure::exit_code_of(&error));
            }
        }
    }
    let Some(code) = code else {
        printed?;
        return Ok(ExitCode::SUCCESS);
    };
    if !is_kept {
        match target::rescue(&format!("queens-{}-", args.size), &json) {
            Some(file) => output::note(format!("the result is kept in {}", file.display())),
            None => write!(out, "{json}")?,
        }
    }
    Ok(ExitCode::from(code))
}

/// The document of this shard, if the file holds it already.
///
/// # Errors
/// [`Failure::Arguments`] if it holds another shard of the same count, whose work would be lost.
fn already(wish: Wish, shard: &Shard, file: &Path) -> Result<Option<Document>, Failure> {
    let Ok((document, _)) = source::checked(file) else { return Ok(None) };
    let Header { n, method, ref plan, shard: ref its, .. } = document.header;
    let is_of_it = (n, Some(method), plan.version) == (wish.size, wish.method, Plan::VERSION);
    match its {
        Some(its) if is_of_it && its.of == shard.of && its.index == shard.index => {
            Ok(Some(document))
        }
        Some(its) if is_of_it && its.of == shard.of => Err(Failure::Arguments(format!(
            "{} holds shard {}/{}, not {}/{}: each shard needs a file of its own",
            file.display(),
            its.index,
            its.of,
            shard.index,
            shard.of
        ))),
        _ => Ok(None),
    }
}

/// Prints the document for people, or as the JSON that is given.
fn show(out: &mut dyn Write, document: &Document, json: Option<&String>) -> io::Result<()> {
    match json {
        Some(json) => write!(out, "{json}")?,
        None => print(out, &document.header)?,
    }
    out.flush()
}

fn save(target: &Target, json: &str) -> anyhow::Result<String> {
    target.write(json)?;
    Ok(format!("saved to {}", target.path().display()))
}

/// Sends the document; a signal ends the wait for the answer.
fn post(server: Client, document: &Document, interrupt: &Interrupt) -> anyhow::Result<String> {
    const PAUSE: Duration = Duration::from_millis(50);
    let document = document.clone();
    let sending = thread::spawn(move || server.post(&document));
    while !sending.is_finished() {
        if interrupt.came() {
            let words = "interrupted before the server had answered";
            return Err(Failure::Interrupted(words.to_owned()).into());
        }
        thread::sleep(PAUSE);
    }
    let posted = sending.join().map_err(|_| anyhow!("the result could not be sent"))??;
    let said = if posted.is_new { "posted as" } else { "the server has it already as" };
    Ok(format!("{said} {}", posted.address))
}

/// The server to post to, refused before the work if its address cannot be one, and the token for
/// it, if the environment has one.
fn address(url: &str) -> Result<Client, Failure> {
    let client = Client::new(url);
    let client = match env::var(TOKEN).ok().filter(|token| !token.is_empty()) {
        Some(token) => client.and_then(|client| client.with_token(&token)),
        None => client,
    };
    client.map_err(|error| Failure::Arguments(error.to_string()))
}

/// The result as a text for people.
pub fn print(out: &mut dyn Write, header: &Header) -> io::Result<()> {
    let mut numbers = vec![("N", u64::from(header.n.get())), ("Total", header.total)];
    numbers.extend(header.unique.map(|unique| ("Unique", unique)));
    if let Some(classes) = header.classes {
        let (two, four, eight) = (classes.count2, classes.count4, classes.count8);
        numbers.extend([("COUNT2", two), ("COUNT4", four), ("COUNT8", eight)]);
    }
    let width = thousands(header.total).len().max(2);
    for (name, number) in numbers {
        writeln!(out, "{name:7}  {BOLD}{:>width$}{BOLD:#}", thousands(number))?;
    }
    let mut fields = vec![
        ("Time", output::clock(Duration::from_secs_f64(header.seconds.get()))),
        ("Method", format!("{}, {}", header.method, header.form)),
        ("Backend", format!("{}, {}", header.backend.kind.id(), header.backend.detail)),
        ("Checks", header.checks.join(", ")),
    ];
    if let Some(shard) = &header.shard {
        fields.insert(0, ("Shard", format!("{}/{}", shard.index, shard.of)));
    }
    output::fields(out, &fields)
}
