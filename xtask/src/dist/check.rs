//! Tests the command in an unpacked archive, and removes earlier builds before a second build.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::archive;
use super::target::Target;
use crate::{page, project};

/// Maximum time until a count has saved its first task, until the server listens, and until it answers. It
/// is long, because Wine first sets up its folder, and QEMU is slow.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Removes earlier builds of the command and the page, so that the next build starts from a clean state.
pub fn clean(targets: &[Target]) -> Result<()> {
    let page = ["--profile", "wasm", "--target", project::WASM_TARGET];
    for target in targets {
        let mut command = project::cargo();
        command.args(["clean", "--quiet", "--profile", "release"]);
        target.configure(&mut command);
        project::run(&mut command, "cargo clean")?;
    }
    project::run(project::cargo().args(["clean", "--quiet"]).args(page), "cargo clean")?;
    for folder in [page::folder(), page::site_folder()] {
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("clearing {}", folder.display()))?;
        }
    }
    Ok(())
}

/// Unpacks an archive into an empty folder and tests its command. The command must serve the page in the
/// folder `page` and, if `commit` is given, name this commit.
pub fn check_command(
    archive: &Path,
    target: &Target,
    page: &Path,
    commit: Option<&str>,
) -> Result<()> {
    let folder = project::target().join("dist/unpacked");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("clearing {}", folder.display()))?;
    }
    archive::unpack(archive, &folder)?;
    let inside = fs::read_dir(&folder)?.next().context("the archive is empty")??.path();
    for name in [
        "man/man1/queens.1",
        "man/man1/queens-count.1",
        "completions/queens.bash",
        "completions/_queens",
        "completions/queens.fish",
        "completions/_queens.ps1",
        "README.md",
        "CHANGELOG.md",
        "CITATION.cff",
        "queens.service",
        "LICENSE-MIT",
        "LICENSE-APACHE",
    ] {
        let path = inside.join(name);
        ensure!(fs::metadata(&path).is_ok_and(|file| file.len() > 100), "no {}", path.display());
    }
    let program = InstalledProgram { target, path: inside.join(target.program_name()), folder };
    program.expect_output("count 14 --quiet", "365,596")?;
    program.expect_output("--version", commit.unwrap_or(env!("CARGO_PKG_VERSION")))?;
    let wrong = program.run("count 99")?;
    ensure!(wrong.status.code() == Some(2), "`queens count 99` ends with {}", wrong.status);
    check_named_journal(&program)?;
    program.expect_output("count 14 --quiet -o fourteen.json", "")?;
    program.expect_output("verify fourteen.json --tasks 2", "Checks passed")?;
    check_resume(&program)?;
    let mut server = ServerProcess::start(&program)?;
    for (address, file) in [("/", "index.html"), ("/queens-web_bg.wasm", "queens-web_bg.wasm")] {
        let expected = fs::read(page.join(file)).with_context(|| format!("reading {file}"))?;
        ensure!(server.get(address)? == expected, "the command does not serve {file} of the page");
    }
    Ok(())
}

/// The command of an unpacked archive.
struct InstalledProgram<'a> {
    target: &'a Target,
    path: PathBuf,
    /// The working directory of the command.
    folder: PathBuf,
}

impl InstalledProgram<'_> {
    fn call(&self) -> Command {
        let mut command = self.target.call(&self.path);
        command.current_dir(&self.folder).env("XDG_DATA_HOME", &self.folder);
        command
    }

    fn run(&self, arguments: &str) -> Result<Output> {
        let output = self.call().args(arguments.split(' ')).output();
        output.with_context(|| format!("starting {}", self.path.display()))
    }

    /// Fails unless the command succeeds and its output contains `expected`.
    fn expect_output(&self, arguments: &str, expected: &str) -> Result<()> {
        let Output { status, stdout, stderr } = self.run(arguments)?;
        let text = String::from_utf8_lossy(&stdout);
        ensure!(
            status.success() && text.contains(expected),
            "`queens {arguments}` does not print \"{expected}\" ({status}):\n{text}{}",
            String::from_utf8_lossy(&stderr)
        );
        Ok(())
    }
}

/// Checks that a journal named by the user remains, and that the same command prints its result again.
fn check_named_journal(program: &InstalledProgram) -> Result<()> {
    for _ in 0..2 {
        program.expect_output("count 12 --quiet --journal twelve.journal", "14,200")?;
    }
    ensure!(program.folder.join("twelve.journal").is_file(), "the journal was deleted");
    Ok(())
}

/// Stops a count after its first tasks and resumes it.
fn check_resume(program: &InstalledProgram) -> Result<()> {
    // The count takes over ten seconds, so that it can be stopped in the middle. QEMU translates instructions and
    // is slower, so it counts a smaller board. Wine runs them directly.
    let is_translated = program.target.is_emulated() && !program.target.is_windows();
    let (n, total) = if is_translated { (17, "95,815,104") } else { (18, "666,090,624") };
    let count = format!("count {n} --method symmetry --threads 1 --quiet --journal long.journal");
    let child = program.call().args(count.split(' ')).stdout(Stdio::null()).spawn();
    let mut child =
        KilledOnDrop(child.with_context(|| format!("starting {}", program.path.display()))?);
    let end = Instant::now() + TIMEOUT;
    while tasks_done(program)? == 0 {
        ensure!(Instant::now() < end, "`queens {count}` saves no task");
        ensure!(child.0.try_wait()?.is_none(), "`queens {count}` ended before it was stopped");
        thread::sleep(Duration::from_millis(100));
    }
    stop(&mut child.0, program.target)?;
    let done = tasks_done(program)?;
    ensure!(done > 0, "the stopped count has saved no task");
    program.expect_output("resume long.journal --quiet", total)
}

/// Returns the number of finished tasks in the journal, or 0 if it does not exist yet.
fn tasks_done(program: &InstalledProgram) -> Result<u64> {
    // Wine starts its own processes with the first program. They inherit the pipes of that program and keep
    // them open until all programs have ended. If `status` were the first, reading its output would wait for
    // the count.
    if !program.folder.join("long.journal").exists() {
        return Ok(0);
    }
    let output = program.run("status long.journal --json")?;
    let status: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    Ok(status["done"].as_u64().unwrap_or_default())
}

/// Ends a count with SIGTERM. Kills it if programs of the target receive no signals.
///
/// SIGINT may be ignored: a shell without job control starts background jobs with SIGINT ignored, and their
/// child processes inherit this.
fn stop(child: &mut Child, target: &Target) -> Result<()> {
    #[cfg(unix)]
    if target.has_signals() {
        let id = nix::unistd::Pid::from_raw(i32::try_from(child.id())?);
        nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM).context("sending SIGTERM")?;
        let status = child.wait()?;
        ensure!(
            status.code() == Some(75),
            "a count that is stopped ends with {status}, not with 75"
        );
        return Ok(());
    }
    let _ = target;
    child.kill()?;
    child.wait()?;
    Ok(())
}

/// A process that is killed when this value is dropped.
struct KilledOnDrop(Child);

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The running server of the command.
struct ServerProcess {
    _process: KilledOnDrop,
    address: SocketAddr,
}

impl ServerProcess {
    fn start(program: &InstalledProgram) -> Result<ServerProcess> {
        // Find a free port. It is unlikely that another program takes it before the server does.
        let address = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
        let child = program
            .call()
            .args(["serve", "--store", "results.sqlite", "--listen", &address.to_string()])
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("starting {}", program.path.display()))?;
        Ok(ServerProcess { _process: KilledOnDrop(child), address })
    }

    /// Waits until the server listens, and returns the body of its answer to `GET path`.
    fn get(&mut self, path: &str) -> Result<Vec<u8>> {
        let end = Instant::now() + TIMEOUT;
        let mut stream = loop {
            match TcpStream::connect(self.address) {
                Ok(stream) => break stream,
                Err(error) if Instant::now() > end => {
                    return Err(error).context("the command does not serve");
                }
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        };
        stream.set_read_timeout(Some(TIMEOUT))?;
        // With HTTP 1.0, the body ends with the connection.
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", self.address)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let Some(end) = end.filter(|_| answer.starts_with(b"HTTP/1.0 200")) else {
            bail!(
                "the command has no {path}: {}",
                String::from_utf8_lossy(&answer[..answer.len().min(200)])
            );
        };
        Ok(answer.split_off(end + 4))
    }
}
