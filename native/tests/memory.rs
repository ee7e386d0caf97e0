//! The peak memory of a thread of half-board matching, as measured by the operating system. The
//! tests are a separate program, because the figure covers the whole process and never falls.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use queens::{count::Cpu, isa};
use queens_core::{Method, Plan, Size, halves::Counter};

fn main() -> ExitCode {
    let can_tell = largest_so_far().is_some();
    // At N = 24 the lists fit into their buffers, at 26 they do not. The trials run one at a time
    // and in this order, because the figure never falls.
    let mut trials = Vec::new();
    for (n, task) in [(24, 36_011), (26, 26_007)] {
        let test = move || takes_no_more_than_said(n, task);
        let name = format!("a_thread_stays_within_its_predicted_memory_at_n_{n}");
        trials.push(Trial::test(name, test).with_ignored_flag(!can_tell));
    }
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Returns the peak memory of this process in bytes; `None` on systems other than Linux.
fn largest_so_far() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Counts one column set of a task and compares its memory with the predicted one.
fn takes_no_more_than_said(n: u32, task: usize) -> Result<(), Failed> {
    let size = Size::new(n)?;
    let plan = Plan::new(size, Method::Halves);
    let sets = plan.column_sets(task).and_then(|mut sets| sets.next()).ok_or("no column sets")?;
    let mut counter = Counter::new(size, isa::best()).ok_or("too large")?;
    let before = largest_so_far().ok_or("no figure")?;
    let found = counter.count(&sets);
    let (taken, said) =
        (largest_so_far().ok_or("no figure")?, Cpu::memory_of_a_thread(size, Method::Halves));
    let (_, own) = counter.memory();
    println!("N = {n}: {taken} bytes, {before} of them before; said {said}, counted {own}");
    // The rest of this program takes little.
    let is_bounded = taken < said + (16 << 20) && said <= 256 << 20;
    if found > 0 && is_bounded && taken >= own as u64 && taken > said / 8 {
        return Ok(());
    }
    Err(format!("{taken} bytes, {own} of them the counter's own, and {said} are said").into())
}
