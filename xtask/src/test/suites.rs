//! The test suites that run with `cargo test`.

use std::io::{BufRead, BufReader, pipe};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::limits::{self, SlowTests};
use super::report::Tests;
use crate::prerequisites::{self, Foreign, Prerequisite};
use crate::{page, project};

/// The packages that are built for the host, in groups.
///
/// Cargo unifies the features of everything that it builds in one call. The xtask package is
/// separate, because otherwise everything compiled to run it would be compiled again. The page is
/// built for WebAssembly.
pub const HOST: [&[&str]; 3] = [
    &[
        "--workspace",
        "--exclude",
        page::PAGE.package,
        "--exclude",
        page::WORKER.package,
        "--exclude",
        page::GPU.package,
        "--exclude",
        "xtask",
        "--exclude",
        RUNNER,
    ],
    &["--package", "xtask"],
    &["--package", RUNNER],
];

/// The parts of the page and its worker that need no browser. They are tested on the host, where
/// tests can read files.
const PAGE: &[&str] =
    &["--package", page::PAGE.package, "--package", page::WORKER.package, "--bins", "--lib"];

/// The package and program that runs WebAssembly test binaries.
const RUNNER: &str = "wasm-test-runner";

/// The environment variable that tells tests where the static site is.
const SITE_VARIABLE: &str = "QUEENS_SITE_DIR";

/// Sets the folders of the page and of the static site for a call of cargo. Without the first, cargo would
/// build the command again without the page.
pub fn with_page(command: &mut Command) {
    // If the variable were set before the page exists, cargo would build the command without the page and
    // not rebuild it later, because the variable does not change.
    if page::folder().join("index.html").exists() {
        command.env(page::FOLDER_VARIABLE, page::folder());
    }
    command.env(SITE_VARIABLE, page::site_folder());
}

/// Runs all tests on the host, including those that drive the browser.
pub fn host(tests: &mut Tests) -> Result<()> {
    let mut outcome = Ok(());
    for packages in HOST.into_iter().chain([PAGE]) {
        let mut command = project::cargo();
        command.args(["test", "--no-fail-fast"]).args(packages);
        with_page(&mut command);
        outcome = outcome.and(run(command, limits::SILENCE, tests));
    }
    outcome
}

/// The core without a heap. The feature `arbitrary`, which no other crate of the workspace enables,
/// needs no heap either and is tested in the same build.
pub const HEAPLESS: &[&str] =
    &["--package", "queens-core", "--no-default-features", "--features", "arbitrary", "--tests"];

/// Runs the core's tests without a heap.
pub fn heapless(tests: &mut Tests) -> Result<()> {
    let mut command = project::cargo();
    command.args(["test", "--no-fail-fast"]).args(HEAPLESS);
    run(command, limits::SILENCE, tests)
}

/// Runs the core's processor-dependent tests on another kind of processor.
pub fn foreign(processor: &Foreign, tests: &mut Tests) -> Result<()> {
    let mut command = project::cargo();
    command
        .args(["test", "--no-fail-fast", "--package", "queens-core", "--features", "document"])
        .args(["--target", processor.target])
        .args(processor.tests);
    let variable = processor.target.to_uppercase().replace('-', "_");
    command.env(format!("CARGO_TARGET_{variable}_LINKER"), processor.linker);
    if let Some(emulator) = processor.emulator {
        let path =
            emulator.path().with_context(|| format!("{} is not installed", emulator.name()))?;
        command.env(format!("CARGO_TARGET_{variable}_RUNNER"), path);
        if let Some(root) = processor.root {
            command.env("QEMU_LD_PREFIX", root);
        }
    }
    run(command, limits::LONG_SILENCE, tests)
}

/// Runs the tests of the core's code for AVX2 under Miri, on any processor. All unsafe code of the core
/// is in the modules of the instruction sets and in the code that chooses one of them. Miri would find
/// nothing in the portable code.
pub fn miri(tests: &mut Tests) -> Result<()> {
    let Prerequisite::Miri(toolchain) = prerequisites::MIRI else {
        bail!("{} is not Miri", prerequisites::MIRI.name())
    };
    // The interpreter runs all threads of a program on one thread, so the tests are divided into programs
    // that run in parallel. The module `tests_extracting` has the tests for processors that extract bits
    // with one instruction. Only the function that extracts bits differs there, so only its test runs.
    let parts = [
        &["--lib", "--", "halves::avx2", "--skip", "tests_extracting", "--skip", MATCHER][..],
        &["--lib", "--", "tests_extracting::extracts_bits"],
        &["--lib", "--", MATCHER, "--skip", "portable", "--skip", "tests_extracting"],
        &["--test", "halves", "--", "simd_counts"],
    ];
    let interpret = |which| {
        let mut tests = Tests::default();
        (run(miri_command(toolchain, which), limits::LONG_SILENCE, &mut tests), tests)
    };
    let ended = thread::scope(|scope| {
        parts.map(|which| scope.spawn(move || interpret(which))).map(ScopedJoinHandle::join)
    });
    let mut outcome = Ok(());
    for part in ended {
        let Ok((result, of_part)) = part else { bail!("a run under Miri panicked") };
        tests.add(of_part);
        outcome = outcome.and(result);
    }
    outcome
}

/// The slowest test of an instruction set under Miri.
const MATCHER: &str = "matcher_finds_the_pairs";

/// Returns the command that runs these tests of the core under Miri.
fn miri_command(toolchain: &str, which: &[&str]) -> Command {
    // rustup's cargo, because the cargo that runs this program belongs to another toolchain.
    let mut command = Command::new("rustup");
    command
        .current_dir(project::root())
        .args(["run", toolchain, "cargo", "miri", "test", "--package", "queens-core"])
        .args(["--target", "x86_64-unknown-linux-gnu"])
        .args(which)
        .env("RUSTFLAGS", "-C target-feature=+avx2,+bmi1,+bmi2,+popcnt")
        // Cargo sets these variables for its child processes. They would select its own toolchain.
        .env_remove("RUSTC")
        .env_remove("CARGO");
    command
}

/// Runs the worker's tests, and the tests of the core's vector code, as WebAssembly in the browser. They use
/// the build settings of the worker, so its dependencies are not compiled again.
pub fn wasm(tests: &mut Tests) -> Result<()> {
    let worker: Vec<_> = ["--test", "*"].into_iter().chain(page::WORKER.settings()).collect();
    let core = ["--package", "queens-core", "--lib"].into_iter();
    let core: Vec<_> = core.chain(page::WORKER.compiler_settings()).collect();
    let mut outcome = Ok(());
    for which in [worker, core] {
        let mut command = project::cargo();
        command.args(["test", "--no-fail-fast"]).args(which);
        in_the_browser(&mut command)?;
        outcome = outcome.and(run(command, limits::SILENCE, tests));
    }
    outcome
}

/// Makes cargo run WebAssembly test binaries in the browser. Builds the runner first.
pub fn in_the_browser(command: &mut Command) -> Result<()> {
    project::run(project::cargo().args(["build", "--package", RUNNER]), "building the runner")?;
    command
        .env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
            project::target().join("debug").join(RUNNER),
        )
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", project::root().join("tests/webdriver.json"))
        // The default for test files that do not select a browser themselves.
        .env("WASM_BINDGEN_USE_BROWSER", "1");
    Ok(())
}

/// Maximum number of failed tests that run a second time. If more fail, the cause is not chance.
const MAX_FLAKY: usize = 3;

/// Runs `cargo test`, forwards its output and counts its results.
///
/// Tests that drive a browser or a cluster wait for other programs, and one of hundreds may fail by
/// chance. So up to [`MAX_FLAKY`] failed tests run a second time. If all pass then, so does the run, and the
/// summary lists them. A run that prints nothing for `silence` is ended.
fn run(mut command: Command, silence: Duration, tests: &mut Tests) -> Result<()> {
    let before = tests.failed();
    let status = run_and_forward(&mut command, silence, tests)?;
    if status.success() {
        return Ok(());
    }
    let Some(names) = tests.failed_since(before) else { bail!("cargo test failed ({status})") };
    if names.len() <= MAX_FLAKY {
        println!("\n== once more: {}", names.join(", "));
        let mut pass = true;
        for name in &names {
            pass &= passes_alone(&command, silence, name)?;
        }
        if pass {
            tests.mark_flaky(before);
            return Ok(());
        }
    }
    bail!("cargo test failed ({status}): {}", names.join(", "))
}

/// Runs a single test again, and returns whether it passes. Tests run one by one, because not every harness
/// accepts several names.
fn passes_alone(command: &Command, silence: Duration, name: &str) -> Result<bool> {
    let mut alone = Command::new(command.get_program());
    // The name replaces the arguments of the harness.
    alone.args(command.get_args().take_while(|&argument| argument != "--"));
    if let Some(folder) = command.get_current_dir() {
        alone.current_dir(folder);
    }
    for (variable, value) in command.get_envs() {
        match value {
            Some(value) => alone.env(variable, value),
            None => alone.env_remove(variable),
        };
    }
    alone.args(["--", "--exact", name]);
    let mut second_run = Tests::default();
    Ok(run_and_forward(&mut alone, silence, &mut second_run)?.success() && second_run.passed() >= 1)
}

/// Runs the command and forwards each line of its output to stdout and to `tests`.
///
/// # Errors
/// Fails if the command prints nothing for `silence`, or if the time of the whole run is over. The
/// command and all its descendants are then ended.
fn run_and_forward(
    command: &mut Command,
    silence: Duration,
    tests: &mut Tests,
) -> Result<ExitStatus> {
    // Both streams share one pipe, because cargo prints headings on one and results on the other.
    let (reader, writer) = pipe().context("creating a pipe")?;
    command
        .env("CARGO_TERM_COLOR", "never")
        .stdout(writer.try_clone().context("creating a pipe")?)
        .stderr(writer);
    let mut child = command.spawn().context("cargo could not be started")?;
    // The pipe ends when the last writer is closed, and the command holds two of them.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        // The thread ends when the last writer or the receiver is closed.
        BufReader::new(reader).split(b'\n').try_for_each(|line| sender.send(line))
    });
    let mut slow = SlowTests::default();
    loop {
        let left = limits::time_left();
        match lines.recv_timeout(silence.min(left)) {
            Ok(line) => {
                let line = line.context("reading the output of cargo test")?;
                let line = String::from_utf8_lossy(&line);
                println!("{line}");
                tests.read(&line);
                slow.read(&line);
            }
            Err(RecvTimeoutError::Disconnected) => {
                return child.wait().context("waiting for cargo test");
            }
            Err(RecvTimeoutError::Timeout) => {
                limits::kill_tree(&mut child);
                let why = if left <= silence {
                    format!(
                        "the whole run took over {} minutes",
                        limits::MAX_RUN_TIME.as_secs() / 60
                    )
                } else {
                    format!("nothing was printed for {} seconds", silence.as_secs())
                };
                bail!("{why}; ended while running {}", slow.names());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replaces cargo with a script. `first` selects the results of its tests. When the failed tests
    /// run again, one by one, `again` selects the result of the second one.
    fn outcome(first: &str, again: &str) -> (Result<()>, Tests) {
        let failing = "printf 'failures:\\n\\n---- b ----\\ngone\\n\\n---- c ----\\ngone, too\\n\\n\
            test result: FAILED. 1 passed; 2 failed; 0 ignored\\n'; exit 101";
        let passing = "echo 'test result: ok. 1 passed; 0 failed; 0 ignored'";
        let crashing = "exit 101";
        let without_it = "echo 'test result: ok. 0 passed; 0 failed; 0 ignored'";
        let script = |what: &str| match what {
            "fails" => failing,
            "passes" => passing,
            "crashes" => crashing,
            _ => without_it,
        };
        let text = format!(
            "case \"$*\" in '-- --exact b') {passing};; '-- --exact c') {};; *) {};; esac",
            script(again),
            script(first)
        );
        let mut command = Command::new("sh");
        command.args(["-c", &text, "cargo", "--", "--skip", "d"]);
        let mut tests = Tests::default();
        (run(command, limits::SILENCE, &mut tests), tests)
    }

    #[test]
    #[cfg(unix)]
    fn kills_and_names_a_test_that_hangs() {
        let folder = project::target().join("tmp");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("endless-{}", std::process::id()));
        let script = "echo 'test a::one ... ok'; echo 'test a::two has been running for over 60 \
                      seconds'; sleep 60 & echo $! > \"$0\"; wait";
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(&file);
        let error = run(command, Duration::from_secs(2), &mut Tests::default()).unwrap_err();
        let text = "nothing was printed for 2 seconds; ended while running a::two";
        assert_eq!(error.to_string(), text);
        let child = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        // When the signal arrives, the process is gone or a zombie that its new parent has not yet
        // reaped.
        let runs = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.trim()));
            stat.is_ok_and(|stat| !stat.contains(") Z "))
        };
        for _ in 0..100 {
            if runs() {
                thread::sleep(Duration::from_millis(50));
            }
        }
        assert!(!runs(), "{child} was not ended");
    }

    #[test]
    fn reruns_failed_tests_once() {
        let (outcome, tests) = outcome("fails", "passes");
        outcome.unwrap();
        assert_eq!((tests.passed(), tests.failed()), (3, 0));
    }

    #[test]
    fn a_test_that_fails_twice_or_vanishes_has_failed() {
        for again in ["fails", "crashes", "is gone"] {
            let (outcome, tests) = outcome("fails", again);
            let error = outcome.unwrap_err().to_string();
            assert!(error.ends_with("(exit status: 101): b, c"), "{again}: {error}");
            assert_eq!((tests.passed(), tests.failed()), (1, 2), "{again}");
        }
        let (outcome, _) = outcome("crashes", "passes");
        assert_eq!(outcome.unwrap_err().to_string(), "cargo test failed (exit status: 101)");
    }
}
