//! The tests that need minutes or tools of their own. `.ci/setup` installs the tools.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::steps::Steps;
use super::{HOST, host, lint};
use crate::project::{self, cargo, release_chore, run, run_within};
use crate::{fuzz, page, tools};

/// The time limit of each step that runs tests.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// The test programs that only the full run starts.
const SUITES: &str =
    "browser containers crashes cuda faults firefox kernels server_load slow slurm templates wgpu";

/// The packages that `cargo xtask` itself consists of.
const CHORES: &str = "--package xtask --package xtask-release";

/// The nightly of a fixed day, because not every nightly has Miri.
const NIGHTLY: &str = "nightly-2026-05-20";

/// The oldest Rust that the project promises to build with.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Targets without std: for PCs, and for small devices.
const BARE: [&str; 2] = ["x86_64-unknown-none", "thumbv7em-none-eabi"];

/// The core without a heap. The feature `arbitrary` needs no heap either, and nothing else enables it.
const HEAPLESS: &str = "--package queens-core --no-default-features --features arbitrary --tests";

/// Another kind of processor on which tests of the core run. `.cargo/cross.toml` has its linker and emulator.
struct Processor {
    name: &'static str,
    target: &'static str,
    /// The programs that this needs.
    tools: &'static str,
    /// The tests that depend on what is special about the processor, as arguments of `cargo test`.
    tests: &'static str,
}

const PROCESSORS: [Processor; 3] = [
    Processor {
        name: "with NEON",
        target: "aarch64-unknown-linux-musl",
        tools: "qemu-aarch64",
        // The rest does the same on every processor, and takes minutes under emulation.
        tests: "--lib --test core -- colours::",
    },
    Processor {
        name: "of 32 bits",
        target: "i686-unknown-linux-musl",
        tools: if cfg!(target_arch = "x86_64") { "" } else { "x86-processor" },
        tests: "--lib --test core --test project",
    },
    Processor {
        name: "that is big-endian",
        target: "s390x-unknown-linux-gnu",
        tools: "qemu-s390x s390x-linux-gnu-gcc",
        // Reading long or damaged texts does not depend on the order of bytes, and takes a minute under
        // emulation.
        tests: "--test core --test project -- colours:: document:: positions:: \
            --skip mutated_documents --skip the_largest_plan",
    },
];

/// Runs all steps.
pub fn run_all(steps: &mut Steps) {
    steps.run("released page", || {
        tools::need_target(project::WASM_TARGET)?;
        run(&mut release_chore("page"))
    });
    steps.run("long tests", long_tests);
    steps.run("release files of this system", || run(&mut release_chore("dist --check")));
    steps.run("tests of the chores", || {
        lint(CHORES)?;
        within(&mut cargo(&format!("test {CHORES}")))
    });
    let wheels = project::target().join("wheels");
    let missing = (!wheels.is_dir()).then(|| "NVIDIA's compiler".to_owned());
    steps.run_with("PTX of the kernels", missing, || run(&mut release_chore("ptx --check")));
    steps.run("documentation", document);
    // If the oldest Rust is the default, all steps use it.
    let version = tools::rustc(&["--version"]).unwrap_or_default();
    if !version.starts_with(&format!("rustc {OLDEST}.")) {
        steps.run_with("oldest Rust", missing_toolchain(OLDEST), check_oldest);
    }
    for target in BARE {
        let name = format!("core without std on {target}");
        steps.run_with(&name, missing_target(target), || check_core(target));
    }
    steps.run("core without a heap", || {
        lint(HEAPLESS)?;
        within(&mut cargo(&format!("test {HEAPLESS}")))
    });
    for Processor { name, target, tools, tests } in PROCESSORS {
        let missing = tools::missing_programs(tools).or_else(|| missing_target(target));
        steps.run_with(&format!("core on a processor {name}"), missing, || {
            within(&mut cargo(&format!(
                "test --config .cargo/cross.toml --target {target} --no-fail-fast \
                 --package queens-core --features document {tests}"
            )))
        });
    }
    steps.run_with("core in WebAssembly", tools::missing_browser(), wasm);
    steps.run_with("core under Miri", missing_toolchain(NIGHTLY), miri);
    steps.run_with("fuzzing", tools::missing_programs("c++"), fuzz::run_briefly);
}

fn within(command: &mut Command) -> Result<()> {
    run_within(LIMIT, command)
}

/// Runs the long test programs with the released page.
fn long_tests() -> Result<()> {
    let mut tests = long_tests_of(SUITES, &page::released_folder())?;
    within(tests.env(page::SITE_VARIABLE, page::released_site_folder()))
}

/// Builds the command with a page, and returns the command `cargo test` for some of the long test programs,
/// which start it.
pub fn long_tests_of(suites: &str, page: &Path) -> Result<Command> {
    // Along with a test, because cargo selects other features where it builds none.
    run(&mut host("build --features queens-tests/full --bin queens --test schema", page))?;
    let mut tests = host("test --no-fail-fast --features queens-tests/full", page);
    tests.args(suites.split(' ').flat_map(|suite| ["--test", suite]));
    Ok(tests)
}

/// Builds the documentation of all packages, and that of the core as docs.rs does.
fn document() -> Result<()> {
    for packages in [HOST, CHORES, &page::selected()] {
        let mut command = cargo(&format!("doc --quiet --no-deps {packages}"));
        run(command.env("RUSTDOCFLAGS", "--deny warnings"))?;
    }
    let core = "doc --quiet --no-deps --package queens-core --all-features --target-dir";
    let mut command = cargo(core);
    command
        .arg(project::target().join("published"))
        // docs.rs uses a nightly compiler to show the features of each item; this variable enables the same
        // in the default compiler.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTDOCFLAGS", "--cfg docsrs --deny warnings");
    run(&mut command)
}

/// Returns a command for the cargo of another toolchain.
fn cargo_of(toolchain: &str, arguments: &str) -> Command {
    let mut command = Command::new("rustup");
    command.current_dir(project::root()).args(["run", toolchain, "cargo"]);
    // Cargo sets these variables for its child processes. They would select its own toolchain.
    command.args(arguments.split_whitespace()).env_remove("RUSTC").env_remove("CARGO");
    command
}

fn missing_toolchain(toolchain: &'static str) -> Option<String> {
    let is_there = tools::succeeds(&mut cargo_of(toolchain, "--version"));
    (!is_there).then(|| format!("Rust {toolchain}"))
}

fn missing_target(target: &str) -> Option<String> {
    (!tools::has_target(target)).then(|| format!("the Rust target {target}"))
}

/// Checks that the command and what it consists of compile with the oldest Rust.
fn check_oldest() -> Result<()> {
    let mut command = cargo_of(OLDEST, "check --quiet --package queens --target-dir");
    run(command.arg(project::target().join("oldest")))
}

/// Checks that the core compiles without std, with and without a heap.
fn check_core(target: &str) -> Result<()> {
    for features in ["", "--features alloc", "--features serde", "--features document"] {
        let core = "check --quiet --package queens-core --no-default-features";
        run(&mut cargo(&format!("{core} {features} --target {target}")))?;
    }
    Ok(())
}

/// Runs the tests of the core's code for AVX2 under Miri, on any processor. All unsafe code of the core
/// is in the modules of the instruction sets and in the code that chooses one of them. Miri would find
/// nothing in the portable code.
fn miri() -> Result<()> {
    // The interpreter runs all threads of a program on one thread, so the tests are divided into programs
    // that run in parallel.
    let interpret = |part: &str| {
        let core = "miri test --package queens-core --target x86_64-unknown-linux-gnu";
        let mut command = cargo_of(NIGHTLY, &format!("{core} {part}"));
        within(command.env("RUSTFLAGS", "-C target-feature=+avx2,+bmi1,+bmi2,+popcnt"))
    };
    thread::scope(|scope| {
        let parts = ["--lib -- instruction_sets", "--test core -- simd_counts"];
        let parts = parts.map(|part| scope.spawn(move || interpret(part)));
        parts.map(|part| part.join().unwrap_or_else(|_| Err(anyhow!("a thread panicked"))))
    })
    .into_iter()
    .collect()
}

/// Runs the worker's tests, and the tests of the core's vector code, as WebAssembly in the browser.
fn wasm() -> Result<()> {
    let core = format!("--package queens-core --lib --target {}", project::WASM_TARGET);
    for tests in [page::selected() + " --test *", core] {
        let profile = page::QUICK;
        within(&mut cargo(&format!("test --no-fail-fast --profile {profile} {tests}")))?;
    }
    Ok(())
}
