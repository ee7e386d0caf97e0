//! `queens complete`: solutions that contain given queens.

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::Arc,
};

use queens_core::{
    Completions, Consequence, Line, Queens, Size, Square, Unit, notation::NotationError,
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{
    args::{self, RunArgs},
    boards,
    failure::Failure,
    interrupt,
    output::{self, BOLD, thousands},
    progress::ProgressDisplay,
    source::Given,
};
use queens::count;

/// Count the solutions that contain the given queens, and list some of them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens complete 8 --queens 0:0,1:4
  queens complete 14 --queens 3:7 --limit 2 --threads 4
  queens complete 8 --queens board.txt

Without --queens this counts all solutions of the board; `queens count` does that much faster.")]
pub struct Args {
    /// Size of the board: 1 to 32, or 1 to 28 without --queens
    #[arg(value_name = "N", value_parser = args::board_size, allow_negative_numbers = true)]
    size: Size,
    /// Queens that the solutions must contain, as row:column pairs counted from 0 at the top left, or a file
    /// with a drawing; - reads stdin
    #[arg(
        long,
        value_name = "ROW:COLUMN,…",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    queens: String,
    /// Also list up to this many solutions [default: 0]
    #[arg(
        long, value_name = "COUNT", default_value = "0", hide_default_value = true,
        value_parser = args::whole_number, allow_negative_numbers = true
    )]
    limit: u64,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    run_args: RunArgs,
}

/// Number of parts that the search is divided into: enough to keep all threads busy until the end and to
/// show smooth progress.
const PARTS: usize = 4096;

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let size = args.size;
    let given_queens = read_queens(size, &args.queens)?;
    reject_attacks(&given_queens)?;
    // With given queens, the total may fit in 64 bits at any N. `count_completions` detects an overflow.
    if size.get() > Size::MAX_COUNTED && given_queens.is_empty() {
        let hint =
            format!("add `--queens`, or list solutions with `queens boards {size} --limit 1`");
        return Err(Failure::arguments(Failure::NotCountable(size).to_string(), hint).into());
    }
    if args.json {
        let total = count_completions(&given_queens, args)?;
        let report = Report::new(&given_queens, args.limit, total);
        serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        describe(out, &given_queens)?;
        // The boards come before the count, so that a user who needs only a board does not wait for it.
        for (number, placement) in (1..=args.limit).zip(Completions::new(&given_queens)) {
            if number == 1 {
                writeln!(out)?;
            }
            boards::print(out, number, &placement)?;
            out.flush()?;
        }
        if args.limit > 0 {
            writeln!(out)?;
        }
        out.flush()?;
        let total = count_completions(&given_queens, args)?;
        writeln!(out, "{:9}  {BOLD}{}{BOLD:#}", "Solutions", thousands(total))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the queens of an argument, a file or stdin.
fn read_queens(size: Size, argument: &str) -> Result<Queens, Failure> {
    if argument.is_empty() {
        return Ok(Queens::none(size));
    }
    let given = Given::new(argument)?;
    let queens = given.board().and_then(|board| board.map(|board| board.queens(size)).transpose());
    match queens {
        Ok(Some(queens)) => Ok(queens),
        Ok(None) | Err(NotationError::EmptyColumn { .. }) => {
            let text = format!(
                "\"{argument}\" names no queen: expected row:column for each queen, counted from 0, \
                 such as 0:0,1:4"
            );
            Err(Failure::Arguments(text.into()))
        }
        Err(error) => Err(given.reject(&error.in_squares())),
    }
}

/// Rejects queens that attack each other, because no solution contains them.
fn reject_attacks(given_queens: &Queens) -> Result<(), Failure> {
    let Some(conflict) = given_queens.conflicts().next() else { return Ok(()) };
    let (first, second) = (conflict.first, conflict.second);
    // The left queen of a row comes first, in reading order.
    let (line, first, second) = match conflict.line {
        None => ("a row", second, first),
        Some(Line::Down) => ("a column", first, second),
        Some(Line::Left | Line::Right) => ("a diagonal", first, second),
    };
    let text = format!(
        "the queens at {first} and {second} attack each other along {line} (squares are \
         row:column, counted from 0 at the top left)",
    );
    Err(Failure::Arguments(text.into()))
}

/// Prints the given queens and their consequences that need no search.
fn describe(out: &mut dyn Write, given_queens: &Queens) -> io::Result<()> {
    let queens: Vec<_> = given_queens.squares().map(|square| square.to_string()).collect();
    let queens = if queens.is_empty() { "none".to_owned() } else { queens.join(", ") };
    let mut fields = vec![("N", given_queens.size().to_string()), ("Queens", queens)];
    for consequence in given_queens.consequences() {
        fields.push(match consequence {
            Consequence::Forced { square, unit } => {
                ("Forced", format!("{square}, the only free square left in {}", unit_name(unit)))
            }
            Consequence::Blocked(unit) => {
                ("Dead end", format!("{} has no free square left", unit_name(unit)))
            }
        });
    }
    // The names are as wide as "Solutions", the name of the line that follows after the count.
    for (name, value) in fields {
        writeln!(out, "{name:9}  {value}")?;
    }
    Ok(())
}

fn unit_name(unit: Unit) -> String {
    match unit {
        Unit::Row(row) => format!("row {row}"),
        Unit::Column(column) => format!("column {}", column.to_left()),
    }
}

/// Counts all solutions that contain the given queens.
fn count_completions(given_queens: &Queens, args: &Args) -> anyhow::Result<u64> {
    output::set_quiet(args.run_args.quiet);
    interrupt::catch()?;
    let parts = Arc::new(Completions::parts(given_queens, PARTS));
    let queens = if given_queens.len() == 1 { "queen" } else { "queens" };
    let what = format!("N = {} with {} given {queens}", given_queens.size(), given_queens.len());
    let mut progress = ProgressDisplay::new(what, parts.len(), 0);
    let tasks = (0..parts.len()).collect();
    let work = move |_: &mut (), task: usize| {
        let found = parts.get(task).map_or(0, |part| {
            let mut search = Completions::new(part);
            while search.run(u64::MAX) {}
            search.found()
        });
        Ok(found)
    };
    let mut watch = |done| progress.update(done).map_continue(|_| ());
    let threads = args.run_args.threads();
    let start = |task_queue| count::on_threads(threads, task_queue, (), work);
    let done = count::run(tasks, start, &mut watch).map_err(Failure::from_run)?;
    interrupt::stop_polling();
    let total = done.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.result));
    Ok(total.ok_or(count::RunError::Overflow)?)
}

/// The JSON output, with squares as pairs of row and column, and counts as decimal strings, as in the result
/// document. The fields are in alphabetical order, as in the other outputs.
#[derive(Serialize)]
struct Report<'a> {
    blocked: Option<Value>,
    forced: Vec<Value>,
    n: u32,
    queens: Vec<Value>,
    solutions: Solutions<'a>,
    total: String,
}

impl Report<'_> {
    fn new(given_queens: &Queens, limit: u64, total: u64) -> Report<'_> {
        let from_left = |square: Square| json!(square.to_left());
        let unit_json = |unit| match unit {
            Unit::Row(row) => json!({ "row": row }),
            Unit::Column(column) => json!({ "column": column.to_left() }),
        };
        let mut report = Report {
            blocked: None,
            forced: vec![],
            n: given_queens.size().get(),
            queens: given_queens.squares().map(from_left).collect(),
            solutions: Solutions { given_queens, limit },
            total: total.to_string(),
        };
        for consequence in given_queens.consequences() {
            match consequence {
                Consequence::Forced { square, unit } => report.forced.push(
                    json!({ "square": from_left(square), "last_free_square_of": unit_json(unit) }),
                ),
                Consequence::Blocked(unit) => report.blocked = Some(unit_json(unit)),
            }
        }
        report
    }
}

/// Up to `limit` solutions. They are written as they are found, because they may not fit in memory.
struct Solutions<'a> {
    given_queens: &'a Queens,
    limit: u64,
}

impl Serialize for Solutions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let solutions = (1..=self.limit).zip(Completions::new(self.given_queens));
        serializer.collect_seq(
            solutions.map(|(_, placement)| placement.columns_from_left().collect::<Vec<_>>()),
        )
    }
}
