//! The CUDA backend from end to end on a stub driver: the unmodified command, with the kernels' CPU
//! build instead of GPUs.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::Arguments;
use queens::journal::Journal;
use queens_core::{
    Method, Plan, Size,
    document::{BackendKind, Document},
    known::known,
};
use queens_tests::command::CommandOutput;
use queens_tests::kernels::compiler;
use queens_tests::measurements;
use queens_tests::process::Companion;
use queens_tests::stub_driver::{StubDriver, no_driver, with_libraries};
use queens_tests::trials::{CannotRun, trials};
use serde_json::Value;

type Test = fn(&StubDriver) -> Result<()>;

const TESTS: [(&str, Test); 19] = [
    ("two GPUs share the tasks", two_gpus_share_tasks),
    ("one of two GPUs can be selected", selects_one_of_two_gpus),
    ("buffers shrink if memory is short", buffers_shrink),
    ("blocks shrink if shared memory is short", blocks_shrink),
    ("devices are listed", lists_devices),
    ("an unusable GPU is reported with its reason", reports_unusable_gpus),
    ("a missing driver is reported", reports_missing_driver),
    ("a driver without a required function is reported", reports_old_driver),
    ("a driver without a GPU is reported", reports_driver_without_gpu),
    ("every driver failure gives an error message", reports_driver_failures),
    ("another GPU takes over the tasks of a failed GPU", other_gpu_takes_over),
    ("Ctrl-C stops a count", ctrl_c_stops_count),
    ("GPUs resume a count that the CPU began", gpus_resume_cpu_count),
    ("auto does not use a slow GPU", auto_avoids_slow_gpu),
    ("an estimate runs on GPUs", estimates_on_gpus),
    ("a faulty GPU is detected during the count", detects_faulty_gpu),
    ("GPUs count by the colour join", counts_by_colours),
    ("wrong counts of the colour join are detected", detects_wrong_colours),
    ("the prepared measurements run to their end", measurements_end),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let driver = if cfg!(target_os = "linux") {
        let compiler = compiler().ok_or_else(|| CannotRun::Missing("no C++ compiler".to_owned()));
        compiler.and_then(|compiler| Ok(StubDriver::build(&compiler)?))
    } else {
        Err(CannotRun::Unsupported("the stub driver needs Linux".to_owned()))
    };
    let trials = trials(&arguments, "CUDA on a stub driver", driver, TESTS);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Runs the command with a line of arguments.
fn call(driver: &StubDriver, settings: &[(&str, &str)], line: &str) -> Result<CommandOutput> {
    CommandOutput::capture(&mut driver.command(settings, line.split_whitespace())?)
}

/// Counts with CUDA and further arguments, and returns the document. Its total must be the published one, and its
/// tasks must not contradict the plan: `kernels.rs` compares single tasks.
fn count(driver: &StubDriver, settings: &[(&str, &str)], n: u32, arguments: &str) -> Result<Value> {
    let line = format!("count {n} --backend cuda --json --quiet {arguments}");
    let output = call(driver, settings, &line)?;
    ensure!(output.code == Some(0), "N = {n}: {}", output.err);
    let document = Document::parse(&output.out)?;
    ensure!(document.contradictions().is_empty(), "{:?}", document.contradictions());
    let total = known(n).context("the total is published")?.total();
    ensure!(document.header.total == total, "N = {n}: {}", document.header.total);
    Ok(output.json())
}

fn two_gpus_share_tasks(driver: &StubDriver) -> Result<()> {
    for n in [4, 13] {
        let document = count(driver, &[("QUEENS_STUB_DEVICES", "2")], n, "")?;
        let backend = &document["backend"];
        ensure!(backend["kind"] == "cuda" && backend["device"] == "Stub GPU", "{backend}");
        let detail = &backend["detail"];
        ensure!(detail == "2 devices, compute capability 9.0, driver 13.0", "{detail}");
        ensure!(document["form"] == "iterative", "{}", document["form"]);
        let checks = serde_json::json!(["sums", "burnside", "known"]);
        ensure!(document["checks"] == checks, "N = {n}: {}", document["checks"]);
        ensure!(document["host"]["threads"] == 4, "{}", document["host"]);
    }
    Ok(())
}

fn selects_one_of_two_gpus(driver: &StubDriver) -> Result<()> {
    // The other device would fail.
    let settings = [("QUEENS_STUB_DEVICES", "2"), ("QUEENS_STUB_FAIL", "context:999:0:0")];
    let document = count(driver, &settings, 10, "--device 1")?;
    let detail = &document["backend"]["detail"];
    ensure!(detail == "compute capability 9.0, driver 13.0", "{detail}");
    call(driver, &settings, "count 8 --backend cuda --device 2")?.ensure_unavailable(
        "the cuda backend has no device 2; devices are numbered 0 to 1\n  \
         hint: see `queens devices`",
    )
}

fn buffers_shrink(driver: &StubDriver) -> Result<()> {
    // The device reports more free memory than it has, as if another program had just taken some.
    let settings = [("QUEENS_STUB_MEMORY", "2000000"), ("QUEENS_STUB_FREE", "4000000000")];
    for n in [8, 13] {
        count(driver, &settings, n, "")?;
    }
    // Even the smallest buffers, which have room for the children of one node, do not fit.
    for none in [("QUEENS_STUB_MEMORY", "12000"), ("QUEENS_STUB_MEMORY", "2000")] {
        call(driver, &[none], "count 12 --backend cuda")?.ensure_unavailable(
            "Stub GPU failed: device 0: allocating GPU memory: out of memory \
             (CUDA_ERROR_OUT_OF_MEMORY)\n  hint: other programs use the GPU's memory; end them or use \
             another device",
        )?;
    }
    // The smallest buffers suffice.
    count(driver, &[("QUEENS_STUB_FREE", "0")], 12, "").map(drop)
}

fn blocks_shrink(driver: &StubDriver) -> Result<()> {
    for bytes in ["500", "20000", "49152"] {
        count(driver, &[("QUEENS_STUB_SHARED", bytes)], 12, "")?;
    }
    Ok(())
}

fn lists_devices(driver: &StubDriver) -> Result<()> {
    let settings = [("QUEENS_STUB_DEVICES", "2"), ("QUEENS_STUB_NAME", "NVIDIA Stub")];
    let output = call(driver, &settings, "devices")?;
    for number in 0..2 {
        let line = format!(
            "cuda {number}  NVIDIA Stub, compute capability 9.0, driver 13.0, 1.0 GiB of memory; \
             methods: symmetry, colours"
        );
        ensure!(output.out.lines().any(|printed| printed == line), "{}", output.out);
    }
    let all = call(driver, &settings, "devices --json")?.json();
    let cuda = |device: &&Value| device["kind"] == "cuda";
    let devices: Vec<_> = all.as_array().context("not a list")?.iter().filter(cuda).collect();
    ensure!(devices.len() == 2, "{all}");
    let second = serde_json::json!({
        "kind": "cuda", "device": 1, "name": "NVIDIA Stub", "software": false, "usable": true,
        "detail": "compute capability 9.0, driver 13.0", "memory": 1 << 30,
        "methods": ["symmetry", "colours"],
    });
    ensure!(*devices[1] == second, "{}", devices[1]);
    Ok(())
}

fn reports_unusable_gpus(driver: &StubDriver) -> Result<()> {
    for (setting, value, trouble, hint) in [
        (
            "QUEENS_STUB_CAPABILITY",
            "35",
            "it is too old: the kernels need compute capability 5.2 or higher",
            "",
        ),
        (
            "QUEENS_STUB_DRIVER",
            "11040",
            "its driver is too old: the kernels need CUDA 11.8 or newer",
            "\n  hint: install a newer driver",
        ),
    ] {
        let settings = [(setting, value)];
        let output = call(driver, &settings, "devices")?;
        let line = |line: &str| line.starts_with("cuda 0  Stub GPU, ") && line.ends_with(trouble);
        ensure!(
            output.code == Some(0) && output.out.lines().any(line),
            "{}{}",
            output.out,
            output.err
        );
        call(driver, &settings, "count 12 --backend cuda")?.ensure_unavailable(&format!(
            "the cuda backend is not available: Stub GPU: {trouble}{hint}"
        ))?;
    }
    Ok(())
}

fn reports_missing_driver(_: &StubDriver) -> Result<()> {
    let hidden = no_driver()?;
    let sentence = "cannot load the NVIDIA driver (libcuda.so.1)";
    let hint = "\n  hint: install the NVIDIA driver; the CUDA toolkit is not needed";
    let output = CommandOutput::capture(with_libraries(hidden.path())?.args([
        "count",
        "18",
        "--backend",
        "cuda",
    ]))?;
    output.ensure_unavailable(&format!("the cuda backend is not available: {sentence}{hint}"))?;
    let output = CommandOutput::capture(with_libraries(hidden.path())?.arg("devices"))?;
    let line = format!("cuda    not usable: {sentence}");
    ensure!(output.out.lines().any(|printed| printed == line), "{}", output.out);
    Ok(())
}

fn reports_old_driver(_: &StubDriver) -> Result<()> {
    let compiler = compiler().context("no C++ compiler")?;
    let old = StubDriver::without_functions(&compiler)?;
    call(&old, &[], "count 18 --backend cuda")?.ensure_unavailable(
        "the cuda backend is not available: the NVIDIA driver is too old: cuInit is missing\n  \
         hint: install a newer driver",
    )
}

fn reports_driver_without_gpu(driver: &StubDriver) -> Result<()> {
    let none = [("QUEENS_STUB_DEVICES", "0")];
    let sentence = "the cuda backend is not available: the NVIDIA driver finds no GPU\n  hint: ";
    call(driver, &none, "count 18 --backend cuda")?.ensure_unavailable(&format!(
        "{sentence}run `nvidia-smi` to see which devices the driver finds"
    ))?;
    let hidden = [("QUEENS_STUB_DEVICES", "0"), ("CUDA_VISIBLE_DEVICES", "7")];
    call(driver, &hidden, "count 18 --backend cuda")?.ensure_unavailable(&format!(
        "{sentence}CUDA_VISIBLE_DEVICES is set and may hide the device"
    ))
}

fn reports_driver_failures(driver: &StubDriver) -> Result<()> {
    let checked = "\n  hint: try again; if it fails again, check the GPU and its driver, or use \
                   `--backend cpu`";
    let compile = "\n  hint: the driver cannot compile the kernels; install a newer driver";
    for (failure, sentence) in [
        (
            "init:803",
            "the cuda backend is not available: starting the NVIDIA driver: system has \
             unsupported display driver / cuda driver combination \
             (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)\n  hint: the driver was updated while in use; \
             restart the machine"
                .to_owned(),
        ),
        (
            "context:2",
            "Stub GPU failed: device 0: opening the GPU: out of memory \
             (CUDA_ERROR_OUT_OF_MEMORY)\n  hint: other programs use the GPU's memory; end them or \
             use another device"
                .to_owned(),
        ),
        (
            "ptx:222",
            format!(
                "Stub GPU failed: device 0: loading the kernels: the provided PTX was compiled \
                 with an unsupported toolchain. (CUDA_ERROR_UNSUPPORTED_PTX_VERSION){compile}"
            ),
        ),
        (
            "wait:700:3",
            format!(
                "Stub GPU failed: device 0: expanding nodes: an illegal memory access was \
                 encountered (CUDA_ERROR_ILLEGAL_ADDRESS){checked}"
            ),
        ),
        // A code that the driver does not name.
        ("wait:-1:3", "Stub GPU failed: device 0: expanding nodes: driver error -1".to_owned()),
    ] {
        // A single thread has a single queue, so failures come in a fixed order.
        let settings = [("QUEENS_STUB_FAIL", failure)];
        call(driver, &settings, "count 12 --backend cuda --threads 1")?
            .ensure_unavailable(&sentence)
            .context(failure)?;
    }
    Ok(())
}

fn other_gpu_takes_over(driver: &StubDriver) -> Result<()> {
    // When device 1 fails, it has unfinished tasks, and device 0 has not finished all others.
    let failing = [
        ("QUEENS_STUB_DEVICES", "2"),
        ("QUEENS_STUB_DELAY", "5"),
        ("QUEENS_STUB_FAIL", "launch:719:4:1"),
    ];
    let document = count(driver, &failing, 14, "")?;
    let detail = document["backend"]["detail"].as_str().unwrap_or_default();
    ensure!(
        detail.starts_with(
            "2 devices, compute capability 9.0, driver 13.0, Stub GPU failed: device 1: "
        ),
        "{detail}"
    );
    ensure!(detail.matches("failed").count() == 1, "{detail}");
    let both = [("QUEENS_STUB_DEVICES", "2"), ("QUEENS_STUB_FAIL", "launch:719:8")];
    let output = call(driver, &both, "count 14 --backend cuda --json")?;
    ensure!(output.code == Some(69) && output.out.is_empty(), "{:?}: {}", output.code, output.out);
    ensure!(output.err.starts_with("error: Stub GPU failed: device "), "{}", output.err);
    Ok(())
}

/// Starts the command, waits for its first line on stderr, interrupts it with Ctrl-C, and returns
/// that line, the rest, the exit code and the time until it ended.
fn interrupt(mut command: Command) -> Result<(String, String, Option<i32>, Duration)> {
    let mut running = Companion::start(command.stderr(Stdio::piped()).stdout(Stdio::null()))?;
    let mut stderr = BufReader::new(running.0.stderr.take().context("stderr is not a pipe")?);
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut first = String::new();
        let read = stderr.read_line(&mut first);
        // The receiver is gone if the test has timed out.
        let _ = sender.send(read.map(|_| (first, stderr)));
    });
    let first_line = receiver.recv_timeout(Duration::from_secs(60));
    let (first, mut stderr) = first_line.context("the command prints nothing")??;
    let sent = Instant::now();
    running.signal("INT")?;
    let code = running.0.wait()?.code();
    let delay = sent.elapsed();
    let mut rest = String::new();
    stderr.read_to_string(&mut rest)?;
    Ok((first, rest, code, delay))
}

fn ctrl_c_stops_count(driver: &StubDriver) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("twenty.journal");
    let journal = format!("--journal={}", file.display());
    for (journal, expected, sentence) in
        [("--no-journal", 130, "error: interrupted after "), (&journal, 75, "error: interrupted: ")]
    {
        let command = driver.command(&[], ["count", "20", "--backend", "cuda", journal])?;
        let (first, rest, code, delay) = interrupt(command)?;
        ensure!(first.starts_with("N = 20, symmetry: "), "{first}");
        ensure!(rest.starts_with(sentence), "{rest}");
        ensure!(code == Some(expected), "{journal}: {code:?}: {rest}");
        ensure!(delay < Duration::from_secs(60), "{delay:?}");
    }
    let journal = Journal::open(&file)?;
    let [session] = &journal.contents().sessions[..] else { bail!("{journal:?}") };
    ensure!(session.circumstances.backend.kind == BackendKind::Cuda, "{session:?}");
    ensure!(session.tasks == journal.contents().finished_tasks.done().len(), "{session:?}");
    Ok(())
}

fn gpus_resume_cpu_count(driver: &StubDriver) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("sixteen.journal").display().to_string();
    let line = "count 16 --method symmetry --backend cpu --threads 1 --journal";
    let (_, rest, code, _) =
        interrupt(driver.command(&[], line.split(' ').chain([file.as_str()]))?)?;
    ensure!(code == Some(75), "{code:?}: {rest}");
    let output = call(driver, &[], &format!("resume {file} --backend cuda --json"))?;
    ensure!(output.code == Some(0), "{}", output.err);
    ensure!(output.json()["total"] == "14772512", "{}", output.out);
    let journal = Journal::open(Path::new(&file))?;
    let sessions = journal.contents().sessions.iter();
    let sessions: Vec<_> =
        sessions.map(|session| (session.circumstances.backend.kind, session.tasks > 0)).collect();
    ensure!(sessions == [(BackendKind::Cpu, true), (BackendKind::Cuda, true)], "{sessions:?}");
    Ok(())
}

fn auto_avoids_slow_gpu(driver: &StubDriver) -> Result<()> {
    let first_line = |setting: (&str, &str)| -> Result<String> {
        let (first, _, code, _) =
            interrupt(driver.command(&[setting], ["count", "20", "--no-journal"])?)?;
        ensure!(code == Some(130), "{code:?}");
        Ok(first)
    };
    let slow = first_line(("QUEENS_STUB_DELAY", "3000"))?;
    let expected = "backend: cpu (auto: faster than the GPUs in a short benchmark)\n";
    ensure!(slow == expected, "{slow}");
    let failing = first_line(("QUEENS_STUB_FAIL", "context:999"))?;
    ensure!(failing == expected, "{failing}");
    Ok(())
}

fn estimates_on_gpus(driver: &StubDriver) -> Result<()> {
    // There is enough time for all tasks.
    let line = "count 8 --estimate --backend cuda --quiet";
    let estimate = call(driver, &[], &format!("{line} --json"))?.json();
    let tasks = Plan::new(Size::new(8)?, Method::Symmetry).len();
    ensure!(estimate["sampled"] == tasks && estimate["backend"] == "cuda", "{estimate}");
    ensure!(estimate["total"] == "92" && estimate["total_error"] == "0", "{estimate}");
    // At most half of the stub's memory.
    let memory = estimate["memory"]["per_thread"].as_u64();
    let memory = memory.with_context(|| format!("{estimate}"))?;
    ensure!((100_000..=1 << 29).contains(&memory) && estimate["threads"] == 2, "{estimate}");
    let output = call(driver, &[], line)?;
    ensure!(output.out.contains(" on Stub GPU\n"), "{}", output.out);
    ensure!(output.out.lines().any(|line| line.starts_with("Memory ")), "{}", output.out);
    let wrong = call(driver, &[("QUEENS_STUB_FAIL", "launch:719")], line)?;
    ensure!(wrong.code == Some(69) && wrong.err.contains("Stub GPU failed"), "{}", wrong.err);
    Ok(())
}

fn detects_faulty_gpu(driver: &StubDriver) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let journal = folder.path().join("thirteen.journal").display().to_string();
    let line = format!("count 13 --backend cuda --json --journal {journal}");
    let output = call(driver, &[("QUEENS_STUB_WRONG", "1")], &line)?;
    ensure!(output.code == Some(1) && output.out.is_empty(), "{:?}: {}", output.code, output.err);
    let note = format!("{journal} may contain wrong results; start again with a new journal\n");
    ensure!(output.err.contains(&note), "{}", output.err);
    let sentence = "error: Stub GPU COUNTS INCORRECTLY: task ";
    ensure!(output.err.contains(sentence), "{}", output.err);
    ensure!(output.err.contains(" solutions on the GPU but "), "{}", output.err);
    let hint = "\n  hint: check the device, or use `--backend cpu`\n";
    ensure!(output.err.ends_with(hint), "{}", output.err);
    // No task of the faulty GPU is in the journal.
    let journal = Journal::open(Path::new(&journal))?;
    ensure!(journal.contents().finished_tasks.done().len() == 0, "{line}");
    Ok(())
}

fn counts_by_colours(driver: &StubDriver) -> Result<()> {
    for (n, arguments) in [(4, ""), (12, ""), (13, "--threads 100"), (8, "--threads 1")] {
        let line = format!("--method colours {arguments}");
        let document = count(driver, &[("QUEENS_STUB_DEVICES", "2")], n, &line)?;
        ensure!(document["backend"]["kind"] == "cuda", "{document}");
        ensure!(document["form"] == "recursive", "N = {n}: {}", document["form"]);
    }
    Ok(())
}

fn detects_wrong_colours(driver: &StubDriver) -> Result<()> {
    for (wrong, code, expected) in [
        // With a wrong sum of weights the GPU has failed.
        ("1", 69, " row and column sets were counted instead of "),
        ("2", 1, " solutions on the GPU but "),
    ] {
        let line = "count 13 --backend cuda --method colours --no-journal";
        let output = call(driver, &[("QUEENS_STUB_WRONG", wrong)], line)?;
        ensure!(output.code == Some(code), "{:?}: {}", output.code, output.err);
        ensure!(output.err.contains(expected), "{}", output.err);
    }
    Ok(())
}

fn measurements_end(driver: &StubDriver) -> Result<()> {
    let command = driver.command::<&str>(&[], [])?;
    let measured =
        measurements::run("cuda", command.get_envs().filter_map(|(k, v)| Some((k, v?))))?;
    measurements::check(&measured, "cuda", 4..=9)
}
