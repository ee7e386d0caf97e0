//! `queens count`: counts, checks, prints, saves and posts.

use std::{io::Write, path::PathBuf, process::ExitCode};

use queens_core::{Form, Method, Plan, Size};

use super::{
    args::{self, Running},
    backend::{self, BackendArgs},
    counting::{self, Means},
    deliver::Delivery,
    estimate::estimate,
    interrupt::Interrupt,
    keeping::{self, Keeper},
    output,
};
use queens::{
    count::Wish,
    journal::{Journal, Run},
};

/// Count the solutions of an N x N board
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens count 16
  queens count 18 --threads 4 -o eighteen.json
  queens count 12 --method bitmap --form iterative --json
  queens count 22 --estimate
  queens count 21 --journal twentyone.journal
  queens count 17 --post http://127.0.0.1:8017

With a journal a count that was stopped goes on when the same command is given again.")]
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
    /// Do not count: say from a sample of tasks what it would take and about what would come out
    #[arg(long, conflicts_with_all = ["output", "post", "journal"])]
    estimate: bool,
    #[command(flatten)]
    delivery: Delivery,
    /// Keep every finished task in this file, so that the count can go on after a stop
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Refuse a journal that another process works on, instead of waiting for it
    #[arg(long)]
    no_wait: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Args { size, method, form, .. } = *args;
    let wish = Wish { size, method, form, isa: args.choice.isa };
    let recipients = args.delivery.recipients()?;
    let quiet = args.running.quiet;
    let interrupt = Interrupt::catch()?;
    if args.estimate {
        let (method, cpu) = backend::for_estimate(wish, &args.choice, &args.running)?;
        let estimate = estimate(Plan::new(size, method), cpu, quiet, &interrupt)?;
        if args.delivery.json {
            output::json(out, &estimate.to_json())?;
        } else {
            estimate.print(out)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let means = Means { quiet, server: recipients.server.as_ref(), interrupt: &interrupt };
    let open = |journal| keeping::claimed(journal, args.no_wait, quiet, &interrupt);
    let found = match &args.journal {
        Some(file) => keeping::find(file, size, method)?.map(open).transpose()?,
        None => None,
    };
    let document = match found {
        Some(journal) => counting::go_on(journal, wish, &args.choice, &args.running, &means)?,
        None => {
            let (method, backend) = backend::choose(wish, &args.choice, &args.running, &interrupt)?;
            let run = Run::whole(Plan::new(size, method));
            let keeper = match &args.journal {
                Some(file) => Keeper::of(open(Journal::of(file, &run)?)?),
                None => Keeper::nothing(),
            };
            counting::counted(&run, keeper, &*backend, &means)?.0
        }
    };
    recipients.deliver(out, &document, quiet, &interrupt)
}
