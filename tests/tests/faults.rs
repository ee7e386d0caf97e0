//! The command under faults of the system. Each process gets one fault: one of its system calls
//! fails, is cut short or ends the process, or all calls of its kind fail from that one on. The
//! tests are short; `cargo xtask survive` injects thousands of faults.
//!
//! A failed test names its fault. To reproduce it, set `LD_PRELOAD` and `QUEENS_FAULT` as described
//! in `tests/src/faults/faults.c`.

use std::process::ExitCode;

/// On other systems, the calls of a program cannot be intercepted in this way.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn main() -> ExitCode {
    use queens_tests::trials::{CannotRun, unrunnable};
    let arguments = libtest_mimic::Arguments::from_args();
    let reason = CannotRun::Unsupported("they need 64-bit Linux".to_owned());
    let trials = unrunnable(&arguments, "injected faults", &reason, ["the command under faults"]);
    libtest_mimic::run(&arguments, trials).exit_code()
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn main() -> ExitCode {
    linux::main()
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod linux {
    use std::{
        collections::{BTreeMap, BTreeSet},
        fs,
        io::Read,
        os::unix::process::ExitStatusExt,
        path::{Path, PathBuf},
        process::{Command, ExitCode, ExitStatus, Stdio},
        thread,
        time::{Duration, Instant},
    };

    use anyhow::{Context, Result, bail, ensure};
    use fastrand::Rng;
    use libtest_mimic::Arguments;
    use queens_core::document::Document;
    use queens_tests::{
        command::{self, CommandOutput},
        faults::{self, Fault, Faults, Record},
        journals,
        process::Companion,
        server, short_or_long,
        trials::{CannotRun, trials},
    };
    use serde_json::{Value, json};
    use tempfile::TempDir;

    type Test = fn(&Faults) -> Result<()>;

    const TESTS: [(&str, Test); 5] = [
        ("a count under injected faults exits cleanly and can be resumed", count),
        ("a resumed count under injected faults exits cleanly and can be resumed", resume),
        ("a merge under injected faults exits cleanly and damages no file", merge),
        ("a server under injected faults exits cleanly and loses no result", serve),
        ("a count on a file system without locks needs --no-lock", no_locks),
    ];

    /// The timeout of a process, sufficient for a slow disk and a busy machine.
    const TIMEOUT: Duration = Duration::from_secs(120);

    const EIGHT: &str = include_str!("../data/results/eight.json");
    const RESULTS: &str = "/api/v1/results";

    /// The store of the server, in its folder.
    const STORE: &str = "store.sqlite";

    /// The content of a file before a result replaces it.
    const OLD: &str = "old";

    pub fn main() -> ExitCode {
        let arguments = Arguments::from_args();
        let faults = match faults::compiler() {
            Some(compiler) => Faults::build(&compiler),
            None => Err(anyhow::anyhow!("no C compiler")),
        };
        let faults = faults.map_err(|error| CannotRun::Missing(format!("{error:#}")));
        let trials = trials(&arguments, "injected faults", faults, TESTS);
        libtest_mimic::run(&arguments, trials).exit_code()
    }

    /// The statistics of a test.
    #[derive(Debug, Default)]
    struct Figures {
        faults: usize,
        kills: usize,
        /// Selected faults whose call never happened.
        unused: usize,
        codes: BTreeMap<String, usize>,
    }

    /// Injects `first` and then a sample of `more` faults, each into a separate process. `test`
    /// receives an empty folder and the fault; it runs the process and checks the remaining files.
    fn inject(
        name: &str,
        first: &[Fault],
        more: usize,
        calls: &BTreeMap<String, u64>,
        mut test: impl FnMut(&Path, Fault, &mut Rng) -> Result<FinishedProcess>,
    ) -> Result<()> {
        let seed = short_or_long(8, fastrand::u64(..));
        let mut random = Rng::with_seed(seed);
        let mut figures = Figures::default();
        let fault_count = first.len() + more;
        while figures.faults < fault_count {
            let folder = folder()?;
            let number = figures.faults + figures.unused;
            let fault = match first.get(number) {
                Some(&fault) => fault,
                None => Fault::nth(number - first.len(), calls, &mut random)?,
            };
            let about = || format!("seed {seed}, QUEENS_FAULT='{fault}'");
            let ended = test(folder.path(), fault, &mut random).with_context(about)?;
            if ended.record.affected_calls == 0 {
                figures.unused += 1;
                ensure!(
                    figures.unused < 10 * fault_count,
                    "hardly any affected call happens: {figures:?}"
                );
                continue;
            }
            figures.faults += 1;
            figures.kills += usize::from(ended.status.signal().is_some());
            *figures.codes.entry(ended.status.to_string()).or_default() += 1;
        }
        println!("{name}, seed {seed}: {figures:?}");
        Ok(())
    }

    /// A folder in memory, if possible. A kill loses no data that the system has received, so
    /// waiting for a disk would only take time.
    fn folder() -> Result<TempDir> {
        Ok(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir())?)
    }

    /// A process that has ended.
    struct FinishedProcess {
        status: ExitStatus,
        out: String,
        err: String,
        record: Record,
    }

    impl FinishedProcess {
        /// Fails unless the process ended regularly or was killed by its fault.
        fn check_exit(&self, fault: Fault) -> Result<()> {
            let FinishedProcess { status, err, .. } = self;
            ensure!(!err.contains("panicked"), "{status}: {err}");
            match status.code() {
                Some(0) => {}
                Some(code) => {
                    let help = command::run(&["--help"])?;
                    let help = String::from_utf8_lossy(&help.stdout);
                    ensure!(help.contains(&format!("\n  {code:<5}")), "{status}: {err}");
                    ensure!(fault.may_hide_error() || err.contains("error: "), "{status}: {err}");
                }
                None => ensure!(fault.kills() && status.signal() == Some(9), "{status}: {err}"),
            }
            Ok(())
        }
    }

    /// The built command in a folder with the fault injected, and the path of its log.
    fn command_with_fault(
        faults: &Faults,
        folder: &Path,
        fault: Option<Fault>,
    ) -> Result<(Command, PathBuf)> {
        let log = folder.join("log");
        let mut command = faults.command(fault, &log)?;
        set_folder(folder, &mut command);
        Ok((command, log))
    }

    /// The built command in a folder, without faults.
    fn queens(folder: &Path, arguments: &[&str]) -> Result<Command> {
        let mut command = Command::new(command::path()?);
        set_folder(folder, command.args(arguments));
        Ok(command)
    }

    fn set_folder(folder: &Path, command: &mut Command) {
        command.current_dir(folder).env("XDG_DATA_HOME", folder).env("TMPDIR", folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    }

    /// Runs a command to its end.
    fn run(mut command: Command, log: &Path) -> Result<FinishedProcess> {
        finish(Companion::start(&mut command)?, log)
    }

    /// Waits for the end of a process, whose output fits into a pipe.
    fn finish(mut process: Companion, log: &Path) -> Result<FinishedProcess> {
        let end = Instant::now() + TIMEOUT;
        let status = loop {
            if let Some(status) = process.0.try_wait()? {
                break status;
            }
            ensure!(Instant::now() < end, "the process does not end");
            thread::sleep(Duration::from_millis(5));
        };
        let (mut out, mut err) = (String::new(), String::new());
        if let Some(mut stream) = process.0.stdout.take() {
            stream.read_to_string(&mut out)?;
        }
        if let Some(mut stream) = process.0.stderr.take() {
            stream.read_to_string(&mut err)?;
        }
        Ok(FinishedProcess { status, out, err, record: faults::read_record(log)? })
    }

    /// Whether a file contains the whole result instead of its earlier content.
    ///
    /// # Errors
    /// Fails if the file contains anything else.
    fn has_result(file: &Path, had_file: bool, total: u64) -> Result<bool> {
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(_) if !had_file && !file.exists() => return Ok(false),
            Err(error) => bail!("{}: {error}", file.display()),
        };
        if text == OLD {
            ensure!(had_file, "an old file has appeared");
            return Ok(false);
        }
        let document = Document::parse(&text).with_context(|| format!("{text:?} was saved"))?;
        ensure!(document.contradictions().is_empty() && document.header.total == total);
        Ok(true)
    }

    /// Fails if a temporary file is left although the fault did not prevent its removal.
    fn check_temporary_files(folder: &Path, fault: Fault) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let name = entry?.file_name();
            let is_temporary = name.as_encoded_bytes().starts_with(b".queens-");
            ensure!(fault.may_leave_files() || !is_temporary, "{} is left", name.display());
        }
        Ok(())
    }

    /// The number of solutions for N = 12.
    const TOTAL_OF_12: u64 = 14_200;
    /// The arguments of a count with a journal. The method and other arguments follow.
    const COUNT: [&str; 9] =
        ["count", "12", "--threads", "2", "--backend", "cpu", "--journal", "journal", "--method"];
    /// The rest of the arguments, for a count that saves its result.
    const SAVED: [&str; 3] = ["symmetry", "-o", "out.json"];
    /// The arguments that resume this count and save its result.
    const RESUME: [&str; 8] =
        ["resume", "journal", "--threads", "2", "--backend", "cpu", "-o", "out.json"];

    /// Runs `arguments` under a fault. The journal must then give the right total.
    fn run_and_resume(
        faults: &Faults,
        folder: &Path,
        fault: Fault,
        arguments: &[&str],
        random: &mut Rng,
    ) -> Result<FinishedProcess> {
        let out = folder.join("out.json");
        let had_file = random.bool();
        if had_file {
            fs::write(&out, OLD)?;
        }
        let (mut command, log) = command_with_fault(faults, folder, Some(fault))?;
        command.args(arguments);
        let ended = run(command, &log)?;
        ended.check_exit(fault)?;
        let is_saved = has_result(&out, had_file, TOTAL_OF_12)?;
        ensure!(is_saved || !ended.status.success(), "success without a result: {}", ended.err);
        check_temporary_files(folder, fault)?;
        // Without a fault, the command resumes the count, or starts it if nothing was saved.
        let resumed = CommandOutput::capture(&mut queens(folder, &RESUME)?)?;
        if resumed.code != Some(0) {
            let has_nothing = ["journal not found", "is empty: no count has saved"];
            let is_new = has_nothing.iter().any(|text| resumed.err.contains(text));
            ensure!(arguments[0] == "count" && is_new, "resume: {resumed:?}, {}", ended.err);
            let counted =
                CommandOutput::capture(&mut queens(folder, &[&COUNT[..], &SAVED].concat())?)?;
            ensure!(counted.code == Some(0), "count: {counted:?}");
        }
        ensure!(has_result(&out, had_file, TOTAL_OF_12)?, "the second process saved nothing");
        Ok(ended)
    }

    /// The number of calls of each function in a process without a fault.
    fn calls(faults: &Faults, folder: &Path, arguments: &[&str]) -> Result<BTreeMap<String, u64>> {
        let (mut command, log) = command_with_fault(faults, folder, None)?;
        command.args(arguments);
        let ended = run(command, &log)?;
        ensure!(ended.status.success(), "{}{}", ended.out, ended.err);
        Ok(ended.record.calls)
    }

    fn count(faults: &Faults) -> Result<()> {
        let folder = folder()?;
        let arguments = [&COUNT[..], &SAVED].concat();
        let calls = calls(faults, folder.path(), &arguments)?;
        inject("count", &[], short_or_long(60, 900), &calls, |folder, fault, random| {
            run_and_resume(faults, folder, fault, &arguments, random)
        })
    }

    fn resume(faults: &Faults) -> Result<()> {
        let prepared = folder()?;
        let arguments = [&COUNT[..], &SAVED].concat();
        let whole = CommandOutput::capture(&mut queens(prepared.path(), &arguments)?)?;
        ensure!(whole.code == Some(0), "{whole:?}");
        let part = journals::part_of(&prepared.path().join("journal"), 100)?;
        fs::write(prepared.path().join("journal"), &part)?;
        let calls = calls(faults, prepared.path(), &RESUME)?;
        inject("resume", &[], short_or_long(60, 700), &calls, |folder, fault, random| {
            fs::write(folder.join("journal"), &part)?;
            run_and_resume(faults, folder, fault, &RESUME, random)
        })
    }

    fn no_locks(faults: &Faults) -> Result<()> {
        let folder = folder()?;
        let count = |more: &[&str]| {
            let (mut command, log) =
                command_with_fault(faults, folder.path(), Some(Fault::no_locks()))?;
            command.args(COUNT).args(SAVED).args(more);
            run(command, &log)
        };
        let refused = count(&[])?;
        ensure!(refused.status.code() == Some(1), "{}", refused.err);
        ensure!(refused.err.contains("error: cannot lock "), "{}", refused.err);
        ensure!(refused.err.contains("count with `--no-lock`"), "{}", refused.err);
        let counted = count(&["--no-lock"])?;
        ensure!(counted.status.success(), "{}", counted.err);
        ensure!(has_result(&folder.path().join("out.json"), false, TOTAL_OF_12)?);
        Ok(())
    }

    fn merge(faults: &Faults) -> Result<()> {
        let prepared = folder()?;
        let files = ["0.json", "1.json", "2.json"];
        for (index, file) in files.iter().enumerate() {
            let shard = format!("{index}/3");
            let count = ["count", "12", "--shard", &shard, "-o", file, "--no-journal"];
            let output = CommandOutput::capture(&mut queens(prepared.path(), &count)?)?;
            ensure!(output.code == Some(0), "{output:?}");
        }
        let shards = files.map(|file| fs::read_to_string(prepared.path().join(file)));
        let arguments = [&["merge"][..], &files, &["-o", "out.json"]].concat();
        let calls = calls(faults, prepared.path(), &arguments)?;
        // Faults in every write come first, because one of the writes saves the result. The tests
        // of counts need not repeat this: counts save results by the same code.
        let writes = Fault::of_writes(&calls);
        inject("merge", &writes, short_or_long(80, 500), &calls, |folder, fault, random| {
            let out = folder.join("out.json");
            let had_file = random.u8(..4) > 0;
            if had_file {
                fs::write(&out, OLD)?;
            }
            for (file, shard) in files.iter().zip(&shards) {
                fs::write(folder.join(file), shard.as_deref().unwrap_or_default())?;
            }
            let (mut command, log) = command_with_fault(faults, folder, Some(fault))?;
            command.args(&arguments);
            let ended = run(command, &log)?;
            ended.check_exit(fault)?;
            let is_saved = has_result(&out, had_file, TOTAL_OF_12)?;
            ensure!(is_saved || !ended.status.success(), "success without a result: {}", ended.err);
            check_temporary_files(folder, fault)?;
            for (file, shard) in files.iter().zip(&shards) {
                let is_same = shard.as_ref().is_ok_and(|shard| {
                    fs::read_to_string(folder.join(file)).is_ok_and(|now| now == *shard)
                });
                ensure!(is_same, "{file} was changed");
            }
            Ok(ended)
        })
    }

    /// The results that a server has confirmed.
    #[derive(Debug, Default)]
    struct Confirmed {
        stored: BTreeSet<String>,
        removed: BTreeSet<String>,
    }

    /// A document that differs from all others.
    fn document(number: u64) -> Result<String> {
        let mut document: Value = serde_json::from_str(EIGHT)?;
        document["seconds"] = json!(number);
        Ok(document.to_string())
    }

    /// Posts five documents, numbered from `first`, and removes the third. The server may end at any time;
    /// requests without a response are not confirmed.
    fn use_server(address: &str, first: u64) -> Result<Confirmed> {
        const SERVER_ERRORS: [u16; 3] = [500, 503, 507];
        let mut confirmed = Confirmed::default();
        for number in first..first + 5 {
            let results = format!("{address}{RESULTS}");
            let Ok(answer) = server::ask("POST", &results, &document(number)?) else { continue };
            let is_expected = answer.status == 201 || SERVER_ERRORS.contains(&answer.status);
            ensure!(is_expected, "{answer:?}");
            if answer.status != 201 {
                continue;
            }
            let id = answer.location.context("the result has no location")?;
            if number == first + 2 {
                let removed = server::ask("DELETE", &format!("{address}{id}"), "");
                let Ok(answer) = removed else { continue };
                let is_expected = answer.status == 204 || SERVER_ERRORS.contains(&answer.status);
                ensure!(is_expected, "{answer:?}");
                if answer.status == 204 {
                    confirmed.removed.insert(id);
                    continue;
                }
            } else {
                confirmed.stored.insert(id);
            }
        }
        Ok(confirmed)
    }

    fn serve(faults: &Faults) -> Result<()> {
        let prepared = folder()?;
        let session =
            |folder: &Path, fault: Option<Fault>, first| -> Result<(FinishedProcess, Confirmed)> {
                let (mut command, log) = command_with_fault(faults, folder, fault)?;
                let (process, address) = server::start(&mut command, STORE.as_ref())?;
                let confirmed = match address {
                    Some(address) => use_server(&address, first)?,
                    None => Confirmed::default(),
                };
                // The process may already have ended.
                let _ = process.signal("TERM");
                Ok((finish(process, &log)?, confirmed))
            };
        let (ended, mut before) = session(prepared.path(), None, 1)?;
        ensure!(ended.status.success(), "{}", ended.err);
        ensure!((before.stored.len(), before.removed.len()) == (4, 1), "{before:?}");
        before.removed.clear();
        let mut calls = ended.record.calls;
        // tokio panics if it cannot start a thread, which is also one of the calls of any kind.
        calls.retain(|function, _| function != "thread" && function != "any");
        let store = fs::read(prepared.path().join(STORE))?;
        inject("serve", &[], short_or_long(60, 300), &calls, |folder, fault, random| {
            let had_file = random.bool();
            if had_file {
                fs::write(folder.join(STORE), &store)?;
            }
            let (ended, confirmed) = session(folder, Some(fault), 6)?;
            ended.check_exit(fault)?;
            let (process, address) = server::start(&mut queens(folder, &[])?, STORE.as_ref())?;
            let address = address.context("the server does not start again")?;
            let older = had_file.then_some(&before.stored).into_iter().flatten();
            for (id, expected) in confirmed
                .stored
                .iter()
                .chain(older)
                .map(|id| (id, 200))
                .chain(confirmed.removed.iter().map(|id| (id, 404)))
            {
                let answer = server::ask("GET", &format!("{address}{id}"), "")?;
                ensure!(answer.status == expected, "{id}: {answer:?}, not {expected}");
            }
            drop(process);
            Ok(ended)
        })
    }
}
