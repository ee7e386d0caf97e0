//! The tests that need minutes or tools of their own. `.ci/setup` installs the tools.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::steps::Steps;
use super::{cargo, host, lint};
use crate::{fuzz, page, project, tools};

/// The feature that builds the test programs below.
pub const FEATURES: [&str; 2] = ["--features", "queens-tests/full"];

/// The time limit of each step that runs tests.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// The test programs that only the full run starts.
const SUITES: &[&str] = &[
    "browser",
    "containers",
    "crashes",
    "cuda",
    "faults",
    "kernels",
    "server_load",
    "slow",
    "slurm",
    "templates",
    "wgpu",
];

/// The packages that `cargo xtask` itself consists of.
const CHORES: &[&str] = &["--package", "xtask", "--package", "xtask-release"];

/// The nightly of a fixed day, because not every nightly has Miri.
const NIGHTLY: &str = "nightly-2026-05-20";

/// The oldest Rust that the project promises to build with.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Targets without std: for PCs, and for small devices.
const BARE: [&str; 2] = ["x86_64-unknown-none", "thumbv7em-none-eabi"];

/// The core without a heap. The feature `arbitrary` needs no heap either, and nothing else enables it.
const HEAPLESS: &[&str] =
    &["--package", "queens-core", "--no-default-features", "--features", "arbitrary", "--tests"];

/// Another kind of processor on which tests of the core run.
struct Processor {
    name: &'static str,
    target: &'static str,
    /// Rust's own linker, which knows every processor, for targets whose C library comes with Rust (musl);
    /// otherwise a C compiler.
    linker: &'static str,
    emulator: Option<&'static str>,
    /// The tests that depend on what is special about the processor, as arguments of `cargo test`.
    tests: &'static [&'static str],
}

const PROCESSORS: [Processor; 3] = [
    Processor {
        name: "with NEON",
        target: "aarch64-unknown-linux-musl",
        linker: "rust-lld",
        emulator: if cfg!(target_arch = "aarch64") { None } else { Some("qemu-aarch64") },
        // The rest does the same on every processor, and takes minutes under emulation.
        tests: &["--lib", "--test", "core", "--", "colours::"],
    },
    Processor {
        name: "of 32 bits",
        target: "i686-unknown-linux-musl",
        linker: "rust-lld",
        // PCs run these programs directly.
        emulator: if cfg!(target_arch = "x86_64") { None } else { Some("qemu-i386") },
        tests: &["--lib", "--test", "core", "--test", "project"],
    },
    Processor {
        name: "that is big-endian",
        target: "s390x-unknown-linux-gnu",
        linker: "s390x-linux-gnu-gcc",
        emulator: Some("qemu-s390x"),
        // Reading long or damaged texts does not depend on the order of bytes, and takes a minute under
        // emulation.
        tests: &[
            "--test",
            "core",
            "--test",
            "project",
            "--",
            "colours::",
            "document::",
            "positions::",
            "--skip",
            "mutated_documents",
            "--skip",
            "the_largest_plan",
        ],
    },
];

/// Runs all steps.
pub fn run(steps: &mut Steps) {
    steps.run("released page", || {
        tools::need_target(project::WASM_TARGET)?;
        project::run(&mut project::release_chore("page"), "building the released page")
    });
    steps.run("long tests", long_tests);
    steps.run("release files of this system", || {
        project::run(project::release_chore("dist").arg("--check"), "cargo xtask dist --check")
    });
    steps.run("tests of the chores", || {
        lint(CHORES)?;
        within(project::cargo().arg("test").args(CHORES))
    });
    steps.run_with("PTX of the kernels", tools::missing_programs(&["pip3"]), || {
        project::run(project::release_chore("ptx").arg("--check"), "cargo xtask ptx --check")
    });
    steps.run("documentation", document);
    // If the oldest Rust is the default, all steps use it.
    if !tools::rustc_version().starts_with(&format!("rustc {OLDEST}.")) {
        steps.run_with("oldest Rust", missing_toolchain(OLDEST), check_oldest);
    }
    for target in BARE {
        let name = format!("core without std on {target}");
        steps.run_with(&name, missing_target(target), || check_core(target));
    }
    steps.run("core without a heap", || {
        lint(HEAPLESS)?;
        within(project::cargo().arg("test").args(HEAPLESS))
    });
    for processor in &PROCESSORS {
        let Processor { name, target, linker, emulator, .. } = *processor;
        let compiler = Some(linker).filter(|&linker| linker != "rust-lld");
        let programs: Vec<_> = emulator.into_iter().chain(compiler).collect();
        let missing = tools::missing_programs(&programs).map(str::to_owned);
        let missing = missing.or_else(|| missing_target(target));
        steps.run_with(&format!("core on a processor {name}"), missing, || foreign(processor));
    }
    steps.run_with("core in WebAssembly", tools::missing_browser(), wasm);
    steps.run_with("core under Miri", missing_toolchain(NIGHTLY), miri);
    steps.run_with("fuzzing", tools::missing_programs(&["c++"]), fuzz::run_briefly);
}

fn within(command: &mut Command) -> Result<()> {
    project::run_within(LIMIT, command, "cargo test")
}

/// Runs the long test programs with the released page.
fn long_tests() -> Result<()> {
    let mut tests = long_tests_of(SUITES, &page::released_folder())?;
    within(tests.env(page::SITE_VARIABLE, page::released_site_folder()))
}

/// Builds the command with a page, and returns the command `cargo test` for some of the long test programs,
/// which start it.
pub fn long_tests_of(suites: &[&str], page: &Path) -> Result<Command> {
    // Along with a test, because cargo selects other features where it builds none.
    let mut build = host(&["build", "--bin", "queens", "--test", "schema"], page);
    project::run(build.args(FEATURES), "building the command")?;
    let mut tests = host(&["test", "--no-fail-fast"], page);
    tests.args(FEATURES).args(suites.iter().flat_map(|suite| ["--test", suite]));
    Ok(tests)
}

/// Builds the documentation of all packages, and that of the core as docs.rs does.
fn document() -> Result<()> {
    let page: Vec<_> = page::packages().collect();
    for packages in [super::HOST, CHORES, &page] {
        let mut command = project::cargo();
        command.args(["doc", "--quiet", "--no-deps"]).args(packages);
        project::run(command.env("RUSTDOCFLAGS", "--deny warnings"), "cargo doc")?;
    }
    let mut command = project::cargo();
    command
        .args(["doc", "--quiet", "--no-deps", "--package", "queens-core", "--all-features"])
        .arg("--target-dir")
        .arg(project::target().join("published"))
        // docs.rs uses a nightly compiler to show the features of each item; this variable enables the same
        // in the default compiler.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTDOCFLAGS", "--cfg docsrs --deny warnings");
    project::run(&mut command, "cargo doc as docs.rs does it")
}

/// Returns a command for the cargo of another toolchain.
fn cargo_of(toolchain: &str) -> Command {
    let mut command = Command::new("rustup");
    command.current_dir(project::root()).args(["run", toolchain, "cargo"]);
    // Cargo sets these variables for its child processes. They would select its own toolchain.
    command.env_remove("RUSTC").env_remove("CARGO");
    command
}

fn missing_toolchain(toolchain: &'static str) -> Option<String> {
    let is_there = tools::succeeds(cargo_of(toolchain).arg("--version"));
    (!is_there).then(|| format!("Rust {toolchain}"))
}

fn missing_target(target: &str) -> Option<String> {
    (!tools::has_target(target)).then(|| format!("the Rust target {target}"))
}

/// Checks that the command and what it consists of compile with the oldest Rust.
fn check_oldest() -> Result<()> {
    let mut command = cargo_of(OLDEST);
    command.args(["check", "--quiet", "--package", "queens", "--target-dir"]);
    project::run(command.arg(project::target().join("oldest")), "cargo check with the oldest Rust")
}

/// Checks that the core compiles without std, with and without a heap.
fn check_core(target: &str) -> Result<()> {
    for features in ["", "alloc", "serde", "document"] {
        let core = ["check", "--quiet", "--package", "queens-core", "--no-default-features"];
        cargo(&[&core[..], &["--features", features, "--target", target]].concat())?;
    }
    Ok(())
}

/// Runs the core's processor-dependent tests on another kind of processor.
fn foreign(processor: &Processor) -> Result<()> {
    let mut command = project::cargo();
    command
        .args(["test", "--no-fail-fast", "--package", "queens-core", "--features", "document"])
        .args(["--target", processor.target])
        .args(processor.tests);
    let variable = processor.target.to_uppercase().replace('-', "_");
    command.env(format!("CARGO_TARGET_{variable}_LINKER"), processor.linker);
    if let Some(emulator) = processor.emulator {
        command.env(format!("CARGO_TARGET_{variable}_RUNNER"), emulator);
        // The C library of the one target that has its own.
        command.env("QEMU_LD_PREFIX", "/usr/s390x-linux-gnu");
    }
    within(&mut command)
}

/// Runs the tests of the core's code for AVX2 under Miri, on any processor. All unsafe code of the core
/// is in the modules of the instruction sets and in the code that chooses one of them. Miri would find
/// nothing in the portable code.
fn miri() -> Result<()> {
    // The interpreter runs all threads of a program on one thread, so the tests are divided into programs
    // that run in parallel.
    let parts =
        [&["--lib", "--", "instruction_sets"][..], &["--test", "core", "--", "simd_counts"]];
    let interpret = |part: &[&str]| {
        let mut command = cargo_of(NIGHTLY);
        command.args(["miri", "test", "--package", "queens-core"]);
        command.args(["--target", "x86_64-unknown-linux-gnu"]).args(part);
        within(command.env("RUSTFLAGS", "-C target-feature=+avx2,+bmi1,+bmi2,+popcnt"))
    };
    thread::scope(|scope| {
        let parts = parts.map(|part| scope.spawn(move || interpret(part)));
        parts.map(|part| part.join().unwrap_or_else(|_| Err(anyhow!("a thread panicked"))))
    })
    .into_iter()
    .collect()
}

/// Runs the worker's tests, and the tests of the core's vector code, as WebAssembly in the browser.
fn wasm() -> Result<()> {
    let worker: Vec<_> = page::settings(page::QUICK).chain(["--test", "*"]).collect();
    let core = ["--package", "queens-core", "--lib", "--target", project::WASM_TARGET];
    let core = [&core[..], &["--profile", page::QUICK]].concat();
    for tests in [worker, core] {
        within(project::cargo().args(["test", "--no-fail-fast"]).args(tests))?;
    }
    Ok(())
}
