//! Peak memory of a thread of the colour join, as measured by the operating system. The tests are a
//! separate program, because the peak covers the whole process and never falls.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use queens::{count::Cpu, isa};
use queens_core::{Form, Method, Plan, Size};

fn main() -> ExitCode {
    let is_measurable = peak_memory().is_some();
    // The trials run one at a time and in this order, because the peak never falls.
    let mut trials = Vec::new();
    for n in [20, 24, 28] {
        let name = format!("a_thread_stays_within_its_predicted_memory_at_n_{n}");
        trials.push(
            Trial::test(name, move || check_peak_memory(n)).with_ignored_flag(!is_measurable),
        );
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

/// Counts parts of two tasks, one of them with many white queens, whose lists are the longest. Compares the
/// peak memory with the predicted memory of a thread.
fn check_peak_memory(n: u32) -> Result<(), Failed> {
    let size = Size::new(n)?;
    let plan = Plan::new(size, Method::Colours);
    let mut counter = plan.counter(Form::Recursive, isa::best());
    for task in [plan.len() / 2, plan.len() * 99 / 100] {
        counter.sample_task(&plan, task, || {})?;
    }
    let peak = peak_memory().ok_or("no figure")?;
    let (predicted, own) = (Cpu::memory_of_a_thread(size, Method::Colours), counter.memory());
    println!("N = {n}: peak {peak} bytes; predicted {predicted}, allocated {own}");
    // Allow 16 MiB for the rest of this program.
    let is_bounded = peak < predicted + (16 << 20) && predicted <= 256 << 20;
    if is_bounded && peak >= own as u64 {
        return Ok(());
    }
    Err(format!("peak {peak} bytes, of which the counter allocated {own}; predicted {predicted}")
        .into())
}
