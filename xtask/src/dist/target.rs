//! The systems and processors that archives are built for.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::prerequisites::{self, Prerequisite};
use crate::project;

/// The tools and settings for a target that cargo's defaults do not fit.
struct Tools {
    triple: &'static str,
    /// The C compiler, for SQLite; `None` if the build finds one itself.
    compiler: Option<Prerequisite>,
    /// More arguments for the C compiler.
    flags: &'static str,
    /// More arguments for the Rust compiler.
    rust_flags: &'static str,
    linker: Option<&'static str>,
    /// The emulator, or Wine, for the target's programs; `None` if this machine runs them directly.
    runner: Option<Prerequisite>,
}

const TOOLS: [Tools; 4] = [
    Tools {
        triple: "x86_64-unknown-linux-musl",
        compiler: Some(Prerequisite::Program(&["musl-gcc"], "musl-tools")),
        flags: "",
        rust_flags: "",
        linker: None,
        runner: None,
    },
    Tools {
        triple: "aarch64-unknown-linux-musl",
        compiler: Some(Prerequisite::Program(&["clang"], "clang musl-dev:arm64")),
        flags: "--target=aarch64-linux-musl -isystem /usr/include/aarch64-linux-musl",
        rust_flags: "",
        linker: Some("rust-lld"),
        runner: if cfg!(target_arch = "aarch64") { None } else { Some(prerequisites::QEMU) },
    },
    Tools {
        triple: "x86_64-pc-windows-gnu",
        compiler: Some(MINGW),
        flags: "",
        rust_flags: "",
        linker: Some("x86_64-w64-mingw32-gcc"),
        runner: if cfg!(windows) { None } else { Some(WINE) },
    },
    // Microsoft's tools, which run only on Windows. The C library is linked into the program, which then
    // needs no redistributable package, and `/Brepro` leaves out the time of the build.
    Tools {
        triple: "x86_64-pc-windows-msvc",
        compiler: None,
        flags: "",
        rust_flags: "-Ctarget-feature=+crt-static -Clink-arg=/Brepro",
        linker: None,
        runner: None,
    },
];

/// Wine, which runs programs for Windows.
const WINE: Prerequisite = Prerequisite::Program(&["wine", "wine64"], "wine wine64");

/// The compiler of C programs for Windows.
const MINGW: Prerequisite =
    Prerequisite::Program(&["x86_64-w64-mingw32-gcc"], "gcc-mingw-w64-x86-64");

/// Where a build puts the debug information of the command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DebugInformation {
    /// In the program.
    Inside,
    /// In a file next to the program.
    Beside,
    Missing,
}

/// The target of an archive.
pub struct Target {
    /// The target triple.
    pub triple: String,
    /// Whether the user named the target. Then cargo builds into a separate folder.
    is_named: bool,
    tools: Option<&'static Tools>,
    /// The emulator for programs of this target; `None` if this machine runs them directly.
    runner: Option<PathBuf>,
}

impl Target {
    /// Returns the named target, or the target of this machine if `named` is `None`. Installs the target's
    /// part of the Rust toolchain if it is missing; other missing tools are an error.
    pub fn new(named: Option<&str>) -> Result<Target> {
        let Some(triple) = named else {
            let triple = host()?;
            return Ok(Target { triple, is_named: false, tools: None, runner: None });
        };
        let tools = TOOLS.iter().find(|tools| tools.triple == triple);
        let needed = tools.iter().flat_map(|tools| [tools.compiler, tools.runner]);
        let missing: Vec<Prerequisite> =
            needed.flatten().filter(|part| !part.is_installed()).collect();
        if !missing.is_empty() {
            let packages: Vec<_> = missing.iter().filter_map(|part| part.package()).collect();
            bail!(
                "building for {triple} requires {}\n  hint: on Debian, `apt-get install {}`",
                prerequisites::list(&missing),
                packages.join(" ")
            );
        }
        prerequisites::need_target(triple)?;
        if tools.is_some_and(|tools| tools.linker == Some("rust-lld")) {
            Target::write_empty_libraries()?;
        }
        let runner = tools.and_then(|tools| tools.runner).and_then(Prerequisite::path);
        let target = Target { triple: triple.to_owned(), is_named: true, tools, runner };
        if target.is_windows() && target.is_emulated() {
            build_wine_library()?;
        }
        Ok(target)
    }

    pub fn is_windows(&self) -> bool {
        self.triple.contains("-windows-")
    }

    /// Returns the file extension of the target's archives.
    pub fn archive_ending(&self) -> &'static str {
        if self.is_windows() { "zip" } else { "tar.gz" }
    }

    /// Returns where the build puts the debug information. Without `--target` the build is that of
    /// `cargo xtask serve`, which has none; Apple's linker leaves it in the object files.
    pub fn debug_information(&self) -> DebugInformation {
        if !self.is_named || self.triple.contains("-apple-") {
            DebugInformation::Missing
        } else if self.triple.ends_with("-msvc") {
            DebugInformation::Beside
        } else {
            DebugInformation::Inside
        }
    }

    /// Returns the file name of the command.
    pub fn program_name(&self) -> &'static str {
        if self.is_windows() { "queens.exe" } else { "queens" }
    }

    /// Returns the path of the command's release build.
    pub fn program(&self) -> PathBuf {
        let folder = project::target();
        let folder = if self.is_named { folder.join(&self.triple) } else { folder };
        folder.join("release").join(self.program_name())
    }

    /// Sets the arguments and variables of a call of `cargo build` for this target.
    pub fn configure(&self, cargo: &mut Command) {
        if self.is_named {
            cargo.args(["--target", &self.triple]);
        }
        if self.debug_information() != DebugInformation::Missing {
            cargo.env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only");
        }
        let Some(tools) = self.tools else { return };
        let lower = self.triple.replace('-', "_");
        if let Some(compiler) = tools.compiler.and_then(Prerequisite::path) {
            cargo.env(format!("CC_{lower}"), compiler);
        }
        if !tools.flags.is_empty() {
            cargo.env(format!("CFLAGS_{lower}"), tools.flags);
        }
        if let Some(linker) = tools.linker {
            cargo.env(format!("CARGO_TARGET_{}_LINKER", lower.to_uppercase()), linker);
        }
        let mut rust_flags = tools.rust_flags.to_owned();
        if tools.linker == Some("rust-lld") {
            let folder = project::target().join("empty-libraries");
            rust_flags = format!("-Lnative={}", folder.display());
        }
        if !rust_flags.is_empty() {
            cargo.env(format!("CARGO_TARGET_{}_RUSTFLAGS", lower.to_uppercase()), rust_flags);
        }
    }

    /// Writes an empty libdl.a, because some crates link libdl. musl has the functions of libdl in libc.a.
    /// C compilers come with an empty libdl.a, but Rust's linker does not.
    fn write_empty_libraries() -> Result<()> {
        let folder = project::target().join("empty-libraries");
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(folder.join("libdl.a"), "!<arch>\n"))
            .with_context(|| format!("writing {}", folder.display()))
    }

    /// Returns the command that runs a program built for this target.
    pub fn call(&self, program: &Path) -> Command {
        let Some(runner) = &self.runner else { return Command::new(program) };
        let mut command = Command::new(runner);
        command.arg(program);
        if self.is_windows() {
            command
                .env("WINEDEBUG", "-all")
                .env("WINEPREFIX", project::target().join("wine"))
                .env("WINEPATH", wine_libraries());
        }
        command
    }

    /// Returns whether programs of this target receive the signals of this machine.
    #[cfg(unix)]
    pub fn has_signals(&self) -> bool {
        !self.is_windows()
    }

    /// Returns whether programs of this target run in an emulator or in Wine.
    pub fn is_emulated(&self) -> bool {
        self.runner.is_some()
    }
}

/// Returns the folder in which Wine looks for a library that is not one of its own.
fn wine_libraries() -> PathBuf {
    project::target().join("wine-libraries")
}

/// Builds a library that Rust's standard library needs and that Wine lacks up to version 8, which is in Debian 12.
fn build_wine_library() -> Result<()> {
    let folder = wine_libraries();
    std::fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    let compiler = MINGW.path().context("MinGW is missing")?;
    let source = project::root().join("xtask/src/dist/bcryptprimitives.c");
    let mut build = Command::new(compiler);
    build.arg("-shared").arg(source).arg("-o").arg(folder.join("bcryptprimitives.dll"));
    project::run(build.arg("-ladvapi32"), "the C compiler for Windows")
}

/// Returns the target of this machine.
fn host() -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").current_dir(project::root()).output();
    let output = output.context("could not start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc -vV does not name the host")
}

/// Returns the debug information of a program, and writes a copy of the program without it to `stripped`.
/// `rust-objcopy` comes with the Rust toolchain and reads the programs of all targets.
pub fn split_debug(program: &Path, stripped: &Path) -> Result<Vec<u8>> {
    let objcopy = objcopy()?;
    let debug = stripped.with_added_extension("debug");
    let copy = |option: &str, to: &Path| {
        project::run(Command::new(&objcopy).arg(option).arg(program).arg(to), "rust-objcopy")
    };
    copy("--only-keep-debug", &debug)?;
    copy("--strip-all", stripped)?;
    let content = std::fs::read(&debug).with_context(|| format!("reading {}", debug.display()))?;
    std::fs::remove_file(&debug).with_context(|| format!("removing {}", debug.display()))?;
    Ok(content)
}

fn objcopy() -> Result<PathBuf> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "target-libdir"]).output();
    let output = output.context("could not start rustc")?;
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let name = format!("rust-objcopy{}", env::consts::EXE_SUFFIX);
    let path = folder.parent().map(|folder| folder.join("bin").join(name));
    path.filter(|path| path.is_file()).context("the Rust toolchain has no rust-objcopy")
}
