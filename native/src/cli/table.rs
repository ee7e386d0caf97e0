//! `queens table`: prints totals, unique counts and times, as the seed programs do.

use std::{
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use queens_core::{Form, Method, Size, notation};

use super::{
    args::{self, RunArgs},
    counting::{check, count_on_cpu},
    decide::{check_form, check_size},
    failure::Failure,
    interrupt,
    output::{self, BOLD},
};

/// Default for `--to`. With the default method, a table up to this N takes seconds.
const DEFAULT_TO: u32 = 15;

/// Print a table of N, total, unique count and time, one line as each N finishes
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens table
  queens table --from 8 --to 17
  queens table --to 10 --method all --form both")]
pub struct Args {
    /// First N
    #[arg(
        long, value_name = "N", default_value = "1", value_parser = args::counted_size,
        allow_negative_numbers = true
    )]
    from: Size,
    /// Last N [default: 15, or --from if that is greater, but never above the limit of the
    /// method]
    #[arg(long, value_name = "N", value_parser = args::counted_size, allow_negative_numbers = true)]
    to: Option<Size>,
    /// Method to count with; `all` runs, one after another, every method that has the chosen --form, each up
    /// to its limit
    #[arg(
        long, value_name = "METHOD", default_value = Method::Symmetry.id(),
        value_parser = methods()
    )]
    method: Methods,
    /// Run the recursive or the iterative implementation, or `both` in turn; colours has only the recursive
    /// one
    #[arg(long, default_value = Form::Recursive.id(), value_parser = forms())]
    form: Forms,
    #[command(flatten)]
    run_args: RunArgs,
}

#[derive(Clone, Copy, Debug)]
enum Methods {
    One(Method),
    All,
}

#[derive(Clone, Copy, Debug)]
enum Forms {
    One(Form),
    Both,
}

fn methods() -> impl TypedValueParser<Value = Methods> {
    let all = PossibleValue::new("all").help("every method that has the form");
    PossibleValuesParser::new(args::method_ids().chain([all])).try_map(|id| match &*id {
        "all" => Ok(Methods::All),
        id => id.parse().map(Methods::One),
    })
}

fn forms() -> impl TypedValueParser<Value = Forms> {
    let ids = Form::ALL.map(Form::id).into_iter().chain(["both"]);
    PossibleValuesParser::new(ids).try_map(|id| match &*id {
        "both" => Ok(Forms::Both),
        id => id.parse().map(Forms::One),
    })
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let methods = match args.method {
        Methods::One(method) => vec![method],
        Methods::All => Method::ALL.to_vec(),
    };
    let forms = match args.form {
        Forms::One(form) => vec![form],
        Forms::Both => Form::ALL.to_vec(),
    };
    check_range(args)?;
    if let (Methods::One(method), Forms::One(form)) = (args.method, args.form) {
        check_form(method, form)?;
    }
    output::set_quiet(args.run_args.quiet);
    interrupt::catch()?;
    let mut first = true;
    for method in methods {
        for &form in forms.iter().filter(|form| method.forms().contains(form)) {
            if !std::mem::take(&mut first) {
                writeln!(out)?;
            }
            print_title(out, args, method, form)?;
            for size in sizes(args, method) {
                let threads = args.run_args.threads();
                let (part, circumstances) = count_on_cpu(size, method, form, threads)?;
                let numbers = check(&part)?.numbers();
                let (total, unique) = (numbers.total(), numbers.unique());
                let time = notation::clock(Duration::from_secs_f64(circumstances.seconds.get()));
                writeln!(out, "{:2}:{total:>21}{unique:>21}{time:>20}", size.get())?;
                out.flush()?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Rejects an empty range, and a range that exceeds the limit of the method.
fn check_range(args: &Args) -> Result<(), Failure> {
    let Args { from, to, .. } = *args;
    if let Some(to) = to.filter(|&to| to < from) {
        let text = format!("`--from {from}` is greater than `--to {to}`");
        return Err(Failure::Arguments(text.into()));
    }
    if let Some(size) = to.filter(|to| to.get() > Size::MAX_COUNTED) {
        return Err(Failure::NotCountable(size));
    }
    match args.method {
        Methods::One(method) => check_size(to.unwrap_or(from).max(from), method),
        Methods::All if from.get() > Size::MAX_COUNTED => Err(Failure::NotCountable(from)),
        Methods::All => Ok(()),
    }
}

/// Returns the last N of the table.
fn last(args: &Args) -> u32 {
    args.to.map_or(DEFAULT_TO.max(args.from.get()), Size::get)
}

/// Returns the sizes in a method's table.
fn sizes(args: &Args, method: Method) -> impl Iterator<Item = Size> {
    let (from, to) = (args.from, last(args).min(method.largest()));
    Size::all().filter(move |size| *size >= from && size.get() <= to)
}

/// Prints the title of a table. It states the limit of the method if that is below the end of the table.
fn print_title(out: &mut dyn Write, args: &Args, method: Method, form: Form) -> io::Result<()> {
    let largest = method.largest();
    let end = if last(args) > largest { format!(" (to N = {largest})") } else { String::new() };
    writeln!(out, "{BOLD}{method}, {form}{end}{BOLD:#}")?;
    if args.from.get() <= largest {
        writeln!(out, "{:>3}{:>21}{:>21}{:>20}", "N:", "Total", "Unique", "dd:hh:mm:ss.cc")?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args as _, Command, FromArgMatches};

    fn args(line: &str) -> Args {
        let command = Args::augment_args(Command::new("table").no_binary_name(true));
        Args::from_arg_matches(&command.get_matches_from(line.split_whitespace())).unwrap()
    }

    fn title(args: &Args, method: Method) -> String {
        let mut title = vec![];
        print_title(&mut title, args, method, Form::Recursive).unwrap();
        anstream::adapter::strip_str(&String::from_utf8(title).unwrap()).to_string()
    }

    #[test]
    fn a_table_of_all_methods_stops_at_each_methods_limit() {
        let slow = Method::BruteForce;
        let largest = slow.largest();
        let all = args(&format!("--from {} --to {} --method all", largest - 1, largest + 1));
        let sizes_of = |args, method| sizes(args, method).map(Size::get).collect::<Vec<_>>();
        assert_eq!(sizes_of(&all, slow), [largest - 1, largest]);
        assert_eq!(sizes_of(&all, Method::Symmetry), [largest - 1, largest, largest + 1]);
        assert!(
            title(&all, slow).starts_with(&format!("{slow}, recursive (to N = {largest})\n N:"))
        );
        assert!(title(&all, Method::Symmetry).starts_with("symmetry, recursive\n N:"));
        let beyond = args(&format!("--from {} --method all", largest + 1));
        assert!(sizes_of(&beyond, slow).is_empty());
        assert_eq!(title(&beyond, slow).lines().count(), 1);
    }
}
