//! Peak memory of a thread of half-board matching, as measured by the operating system. The tests are a
//! separate program, because the peak covers the whole process and never falls.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use queens::{count::Cpu, isa};
use queens_core::{Method, Plan, Size, halves::Counter};

fn main() -> ExitCode {
    let is_measurable = peak_memory().is_some();
    // At N = 24 the lists fit into their buffers; at N = 26 they do not. The trials run one at a time and in
    // this order, because the peak never falls.
    let mut trials = Vec::new();
    for (n, task) in [(24, 36_011), (26, 26_007)] {
        let test = move || check_peak_memory(n, task);
        let name = format!("a_thread_stays_within_its_predicted_memory_at_n_{n}");
        trials.push(Trial::test(name, test).with_ignored_flag(!is_measurable));
    }
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Returns the peak memory of this process in bytes; `None` on systems other than Linux.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Counts one column set of a task, and compares the peak memory with the predicted memory of a thread.
fn check_peak_memory(n: u32, task: usize) -> Result<(), Failed> {
    let size = Size::new(n)?;
    let plan = Plan::new(size, Method::Halves);
    let sets = plan.column_sets(task).and_then(|mut sets| sets.next()).ok_or("no column sets")?;
    let mut counter = Counter::new(size, isa::best()).ok_or("too large")?;
    let before = peak_memory().ok_or("no figure")?;
    let found = counter.count(&sets);
    let (peak, predicted) =
        (peak_memory().ok_or("no figure")?, Cpu::memory_of_a_thread(size, Method::Halves));
    let (_, own) = counter.memory();
    println!(
        "N = {n}: peak {peak} bytes, {before} before the count; predicted {predicted}, allocated {own}"
    );
    // Allow 16 MiB for the rest of this program.
    let is_bounded = peak < predicted + (16 << 20) && predicted <= 256 << 20;
    if found > 0 && is_bounded && peak >= own as u64 && peak > predicted / 8 {
        return Ok(());
    }
    Err(format!("peak {peak} bytes, of which the counter allocated {own}; predicted {predicted}")
        .into())
}
