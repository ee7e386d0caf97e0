//! `queens boards`: prints solutions.

use std::{io::Write, ops::ControlFlow, process::ExitCode};

use queens_core::{
    Class, Event, Found, Orbit, Placement, Size, Stepped, Tracer, Transform, representative,
};

use super::{
    args, board,
    failure::Failure,
    output::{self, BOLD},
};

/// Print solutions as boards, each with its columns and class
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens boards 8 --unique
  queens boards 20 --limit 1")]
pub struct Args {
    /// Size of the board: 1 to 32 with the symmetry method; other methods stop at a smaller N (see
    /// `queens methods`)
    #[arg(value_name = "N", value_parser = args::board_size, allow_negative_numbers = true)]
    size: Size,
    /// Print one board per class, its representative (see `queens --help`)
    #[arg(long)]
    unique: bool,
    /// Stop after this many boards
    #[arg(long, value_name = "COUNT", value_parser = args::whole_number, allow_negative_numbers = true)]
    limit: Option<u64>,
    /// Method to search with
    #[arg(
        long, value_name = "METHOD", default_value = Stepped::Symmetry.id(),
        value_parser = args::stepped_method()
    )]
    method: Stepped,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    check_searchable(args.size, args.method)?;
    let limit = args.limit.unwrap_or(u64::MAX);
    if limit == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let mut printed = 0;
    // The error that ended printing; `Ok` if the limit was reached or the search ended.
    let mut outcome = Ok(());
    let _ = each_solution(args.size, args.method, args.unique, &mut |placement| {
        printed += 1;
        outcome = print(out, printed, placement);
        if outcome.is_err() || printed == limit {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    outcome?;
    if printed == 0 {
        output::note(format_args!("N = {} has no solution", args.size));
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks that `method` accepts the board. A method whose limit is [`Size::MAX_COUNTED`] accepts every
/// board here, because that limit applies only to counts.
fn check_searchable(size: Size, method: Stepped) -> Result<(), Failure> {
    let largest = method.facts().largest;
    if size.get() <= largest || largest == Size::MAX_COUNTED {
        return Ok(());
    }
    let too_slow = Failure::TooSlow { method: method.into(), size };
    let hint = format!("use `--method {}`", Stepped::Symmetry);
    Err(Failure::arguments(too_slow.to_string(), hint))
}

/// Prints a solution with its number, class and columns.
pub fn print(out: &mut dyn Write, number: u64, placement: &Placement) -> std::io::Result<()> {
    if number > 1 {
        writeln!(out)?;
    }
    let class = Class::of(placement);
    writeln!(
        out,
        "{BOLD}Board {number}{BOLD:#}, class of {class}, columns from the left: {placement}"
    )?;
    board::framed(out, placement)
}

/// Calls `visit` for each solution in the order of the method. If the method finds only one solution per
/// class or mirror pair, the others follow it. With `unique`, passes only the representative of each
/// class.
fn each_solution(
    size: Size,
    method: Stepped,
    unique: bool,
    visit: &mut dyn FnMut(&Placement) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut tracer = Tracer::new(method, size);
    while let Some(step) = tracer.forward() {
        let Event::Solution { found } = step else { continue };
        let Some(placement) = tracer.view().placement() else { continue };
        match found {
            Found::Class(_) if unique => visit(&representative(&placement))?,
            Found::Class(_) => {
                Orbit::of(&placement).distinct().try_for_each(|image| visit(&image.placement))?;
            }
            Found::Single | Found::MirrorPair => {
                let mirror = Transform::LeftRight.apply(&placement);
                let pair = [placement, mirror];
                let solutions = if found == Found::Single { &pair[..1] } else { &pair[..] };
                let is_wanted = |image: &&Placement| !unique || representative(image) == **image;
                solutions.iter().filter(is_wanted).try_for_each(&mut *visit)?;
            }
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::oracle;
    use std::collections::BTreeSet;

    #[test]
    fn lists_every_solution_once_by_every_method() {
        for &method in Stepped::ALL {
            for n in 1..=method.facts().largest.min(8) {
                let size = Size::new(n).unwrap();
                let (mut all, mut smallest) = (BTreeSet::new(), BTreeSet::new());
                oracle::solutions(size, &mut |placement| {
                    all.insert(*placement);
                    smallest.insert(representative(placement));
                });
                for (unique, expected) in [(false, &all), (true, &smallest)] {
                    let mut seen = BTreeSet::new();
                    let _ = each_solution(size, method, unique, &mut |placement| {
                        assert!(seen.insert(*placement), "{method} {n}: {placement} twice");
                        ControlFlow::Continue(())
                    });
                    assert_eq!(&seen, expected, "{method} N = {n}, unique: {unique}");
                }
            }
        }
    }
}
