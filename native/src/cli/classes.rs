//! `queens classes`: numbers of classes with 2, 4 and 8 solutions.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use queens_core::{
    Check, CheckedCount, Class, Event, Form, Image, Method, Orbit, Size, Stepped, Tracer, Turns,
};
use serde_json::{Map, Value, json};

use super::{
    args::{self, RunArgs},
    board,
    counting::{check, count_on_cpu},
    decide::check_size,
    interrupt,
    output::{self, BOLD, thousands},
    played,
};

/// Count the symmetry classes of 2, 4 and 8 solutions, and check the counts
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens classes 16
  queens classes 5 --boards")]
pub struct Args {
    /// Size of the board, 1 to 28
    #[arg(value_name = "N", value_parser = args::counted_size, allow_negative_numbers = true)]
    size: Size,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Also print the boards of each class side by side, the representative first, and the
    /// comparisons that confirm the representative (see `queens symmetries`)
    #[arg(long, conflicts_with = "json")]
    boards: bool,
    /// Print at most this many classes, with --boards
    #[arg(
        long, value_name = "COUNT", value_parser = args::whole_number, allow_negative_numbers = true,
        requires = "boards"
    )]
    limit: Option<u64>,
    #[command(flatten)]
    run_args: RunArgs,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (size, method) = (args.size, Method::Symmetry);
    check_size(size, method)?;
    output::set_quiet(args.run_args.quiet);
    interrupt::catch()?;
    let (part, _) = count_on_cpu(size, method, Form::Recursive, args.run_args.threads())?;
    let checked = check(&part)?;
    if args.json {
        output::json(out, &to_json(&checked))?;
    } else {
        print(out, &checked)?;
        if args.boards {
            interrupt::stop_polling();
            print_boards(out, size, args.limit.unwrap_or(u64::MAX))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the counts as decimal strings, as in the result document.
fn to_json(checked: &CheckedCount<'_>) -> Value {
    let numbers = checked.numbers();
    let mut fields = Map::new();
    fields.insert("n".into(), json!(checked.part().size().get()));
    let mut count = |name: &str, count: u64| fields.insert(name.into(), json!(count.to_string()));
    if let Some(classes) = numbers.classes() {
        count("count2", classes.count2);
        count("count4", classes.count4);
        count("count8", classes.count8);
    }
    count("unique", numbers.unique());
    count("total", numbers.total());
    count("half_turn", numbers.turns().half);
    count("quarter_turn", numbers.turns().quarter);
    fields
        .insert("checks".into(), json!(checked.checks().iter().map(Check::id).collect::<Vec<_>>()));
    Value::Object(fields)
}

fn print(out: &mut dyn Write, checked: &CheckedCount<'_>) -> io::Result<()> {
    let numbers = checked.numbers();
    let (total, unique, turns) = (numbers.total(), numbers.unique(), numbers.turns());
    let width = thousands(total).len().max(thousands(unique).len());
    writeln!(out, "{BOLD}N = {}{BOLD:#}", checked.part().size())?;
    let rows = match numbers.classes() {
        Some(_) => &[("COUNT2", Class::Two), ("COUNT4", Class::Four), ("COUNT8", Class::Eight)][..],
        // N = 1: the only solution is its own image under all eight transforms.
        None => &[("class of 1", Class::One)],
    };
    for &(name, class) in rows {
        let (count, members) = (numbers.class(class), class.members());
        let (count, solutions) = (thousands(count), thousands(count * members));
        writeln!(out, "{name:10}  {count:>width$}  x {members} = {solutions:>width$}")?;
    }
    let (unique, total) = (thousands(unique), thousands(total));
    writeln!(out, "{BOLD}{:10}  {unique:>width$}  Total {total:>width$}{BOLD:#}", "Unique")?;
    writeln!(out)?;
    // Burnside's lemma needs classes of 2, 4 and 8. N = 1 has only a class of 1.
    if numbers.classes().is_some() {
        let Turns { half, quarter } = turns;
        writeln!(
            out,
            "H = {half} solutions are unchanged by a half turn, R = {quarter} by a quarter turn"
        )?;
        writeln!(out, "Burnside: (Total + H + 2 R) / 8 = {unique} = Unique")?;
    }
    writeln!(out, "Checks passed: {}", checked.checks())
}

/// Prints the classes as groups of boards, in the order in which the symmetry method finds them.
fn print_boards(out: &mut dyn Write, size: Size, limit: u64) -> io::Result<()> {
    let mut tracer = Tracer::new(Stepped::Symmetry, size);
    let mut printed = 0;
    while printed < limit {
        let Some(step) = tracer.forward() else { break };
        let Event::Solution { .. } = step else { continue };
        let Some(placement) = tracer.view().placement() else { continue };
        printed += 1;
        let orbit = Orbit::of(&placement);
        let members: Vec<Vec<String>> = orbit
            .distinct()
            .map(|Image { placement, .. }| {
                let mut lines = vec![placement.to_string()];
                lines.extend(board::lines(placement));
                lines
            })
            .collect();
        let class = orbit.class();
        writeln!(
            out,
            "\n{BOLD}Class {printed}{BOLD:#}, a class of {class}, with columns from the left"
        )?;
        writeln!(out, "{}\n", played::summary(&placement))?;
        board::side_by_side(out, &members)?;
    }
    Ok(())
}
