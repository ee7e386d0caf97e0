//! Tools that the project needs: whether they are installed, and how to install them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::project;

/// A tool or file that some checks and tests require.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prerequisite {
    /// A compilation target of the Rust toolchain.
    Target(&'static str),
    /// A component of the Rust toolchain, and the cargo command it brings.
    Component(&'static str, &'static str),
    /// An additional toolchain with Miri, which only nightly toolchains have.
    Miri(&'static str),
    /// Rust in this version: the default toolchain or an additional one.
    Rust(&'static str),
    /// A program on the `PATH` with one of these names, and its Debian packages, separated by spaces.
    Program(&'static [&'static str], &'static str),
    /// A font for a language code, and its Debian package.
    Font(&'static str, &'static str),
    /// A Vulkan driver, by the prefix of its manifests' names, and its Debian package.
    Vulkan(&'static str, &'static str),
    /// A package of the Python index, with its version, and the required file in it. Only the file is
    /// used, never Python.
    Wheel(&'static str, &'static str),
    /// An npm package in this version, in a separate folder below the target folder.
    Npm(&'static str, &'static str),
}

/// A target without std, for PCs.
pub const BARE_X86: &str = "x86_64-unknown-none";
/// A target without std, for small devices.
pub const BARE_ARM: &str = "thumbv7em-none-eabi";

/// Another kind of processor on which tests of the core run.
#[derive(Debug)]
pub struct Foreign {
    /// The special property of the processor, as a phrase that follows "processor".
    pub name: &'static str,
    /// The compiler's name of the target.
    pub target: &'static str,
    /// The linker: Rust's own, which supports every processor, for targets whose C library comes with
    /// Rust (musl); otherwise a C compiler.
    pub linker: &'static str,
    /// The emulator; `None` for 32-bit programs on x86-64 processors, which run them directly.
    pub emulator: Option<Prerequisite>,
    /// The folder of the C library for the emulator.
    pub root: Option<&'static str>,
    /// The tests that depend on that property, as arguments of `cargo test`.
    pub tests: &'static [&'static str],
    /// The tools that these tests require.
    pub parts: &'static [Prerequisite],
}

/// A processor with NEON, a 32-bit processor and a big-endian one.
pub const FOREIGN: [Foreign; 3] = [
    Foreign {
        name: "with NEON",
        target: "aarch64-unknown-linux-musl",
        linker: "rust-lld",
        emulator: Some(QEMU),
        root: None,
        // The rest of the library does the same on every processor, and takes a minute under emulation.
        tests: &["--lib", "--test", "halves", "--", "--skip", "recount::", "--skip", "search::"],
        parts: &[Prerequisite::Target("aarch64-unknown-linux-musl"), QEMU],
    },
    Foreign {
        name: "of 32 bits",
        target: "i686-unknown-linux-musl",
        linker: "rust-lld",
        emulator: if cfg!(target_arch = "x86_64") { None } else { Some(QEMU_32) },
        root: None,
        tests: &["--lib", "--test", "halves", "--test", "document", "--test", "positions"],
        parts: &[Prerequisite::Target("i686-unknown-linux-musl"), QEMU_32],
    },
    Foreign {
        name: "that is big-endian",
        target: "s390x-unknown-linux-gnu",
        linker: "s390x-linux-gnu-gcc",
        emulator: Some(QEMU_BIG_ENDIAN),
        root: Some("/usr/s390x-linux-gnu"),
        // Reading long or damaged texts does not depend on the order of bytes, and takes a minute under
        // emulation.
        tests: &[
            "--test",
            "halves",
            "--test",
            "document",
            "--test",
            "positions",
            "--",
            "--skip",
            "mutated_documents",
            "--skip",
            "the_largest_plan",
        ],
        parts: &[Prerequisite::Target("s390x-unknown-linux-gnu"), QEMU_BIG_ENDIAN, CC_BIG_ENDIAN],
    },
];

/// Everything that `cargo xtask test` needs besides cargo and a C compiler.
pub const ALL: [Prerequisite; 30] = [
    OLDEST,
    Prerequisite::Component("rustfmt", "fmt"),
    Prerequisite::Component("clippy", "clippy"),
    Prerequisite::Target(project::WASM_TARGET),
    Prerequisite::Target(BARE_X86),
    Prerequisite::Target(BARE_ARM),
    Prerequisite::Target(FOREIGN[0].target),
    Prerequisite::Target(FOREIGN[1].target),
    Prerequisite::Target(FOREIGN[2].target),
    QEMU,
    QEMU_32,
    QEMU_BIG_ENDIAN,
    CC_BIG_ENDIAN,
    MIRI,
    CHROMIUM,
    CHROMEDRIVER,
    Prerequisite::Font("ja", "fonts-noto-cjk"),
    // A software driver, with which the kernels run on any machine.
    Prerequisite::Vulkan("lvp_icd", "mesa-vulkan-drivers"),
    CXX,
    VALGRIND,
    NVRTC,
    PTXAS,
    // Checks the page's accessibility. It is licensed under the MPL, so it is not part of the
    // project.
    Prerequisite::Npm("axe-core", "4.14.1"),
    // The schemas of GitHub's files and of CITATION.cff; tests/tests/project_files.rs has the same path.
    Prerequisite::Wheel(
        "check-jsonschema==0.39.0",
        "check_jsonschema/builtin_schemas/vendor/github-workflows.json",
    ),
    // Tools of clusters: the daemons of Slurm with its client and its authentication service, and
    // GNU parallel.
    Prerequisite::Program(&["slurmctld"], "slurmctld"),
    Prerequisite::Program(&["slurmd"], "slurmd"),
    Prerequisite::Program(&["sbatch"], "slurm-client"),
    Prerequisite::Program(&["munged"], "munge"),
    Prerequisite::Program(&["parallel"], "parallel"),
    // Checks the service file.
    Prerequisite::Program(&["systemd-analyze"], "systemd"),
];

/// The oldest Rust that the project promises to build with.
pub const OLDEST: Prerequisite = Prerequisite::Rust(env!("CARGO_PKG_RUST_VERSION"));

/// Emulates processors with NEON.
pub const QEMU: Prerequisite =
    Prerequisite::Program(&["qemu-aarch64", "qemu-aarch64-static"], "qemu-user");

/// Emulates 32-bit processors on machines that are not PCs.
pub const QEMU_32: Prerequisite =
    Prerequisite::Program(&["qemu-i386", "qemu-i386-static"], "qemu-user");
/// Emulates big-endian processors.
pub const QEMU_BIG_ENDIAN: Prerequisite =
    Prerequisite::Program(&["qemu-s390x", "qemu-s390x-static"], "qemu-user");
/// Links programs for big-endian processors with their C library.
pub const CC_BIG_ENDIAN: Prerequisite =
    Prerequisite::Program(&["s390x-linux-gnu-gcc"], "gcc-s390x-linux-gnu libc6-dev-s390x-cross");

/// The interpreter that finds undefined behaviour, in the nightly of a fixed day, because not every
/// nightly includes it.
pub const MIRI: Prerequisite = Prerequisite::Miri("nightly-2026-05-20");

/// The C++ compiler, for running the CUDA kernels on the CPU and for libFuzzer.
pub const CXX: Prerequisite = Prerequisite::Program(&["c++", "g++", "clang++"], "g++");

/// Counts the instructions of hot code paths.
pub const VALGRIND: Prerequisite = Prerequisite::Program(&["valgrind"], "valgrind");

/// The compiler from CUDA C++ to PTX. Drivers accept PTX only up to their own version, and new
/// compilers drop old GPUs, so this is an old version.
pub const NVRTC: Prerequisite = Prerequisite::Wheel(
    "nvidia-cuda-nvrtc-cu11==11.8.89",
    "nvidia/cuda_nvrtc/lib/libnvrtc.so.11.2",
);
/// The assembler from PTX to machine code, which is otherwise part of the driver. This is a new
/// version, because it must support new GPUs.
pub const PTXAS: Prerequisite =
    Prerequisite::Wheel("nvidia-cuda-nvcc==13.5.37", "nvidia/cu13/bin/ptxas");

/// The browser.
pub const CHROMIUM: Prerequisite = Prerequisite::Program(
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    "chromium",
);
/// The program through which the tests control the browser.
pub const CHROMEDRIVER: Prerequisite = Prerequisite::Program(&["chromedriver"], "chromium-driver");

impl Prerequisite {
    /// Returns the display name.
    pub fn name(self) -> String {
        match self {
            Self::Target(name) => format!("the Rust target {name}"),
            Self::Component(name, _) => format!("the Rust component {name}"),
            Self::Miri(toolchain) => format!("Miri in the Rust toolchain {toolchain}"),
            Self::Rust(version) => format!("Rust {version}"),
            Self::Program(names, _) => names.first().copied().unwrap_or_default().to_owned(),
            Self::Font(language, package) => format!("a font for {language} ({package})"),
            Self::Vulkan(_, package) => format!("a software Vulkan driver ({package})"),
            Self::Wheel(requirement, _) => format!("the Python package {requirement}"),
            Self::Npm(name, version) => format!("the npm package {name} {version}"),
        }
    }

    pub fn is_installed(self) -> bool {
        match self {
            Self::Target(name) => target_is_installed(name),
            Self::Component(_, subcommand) => {
                succeeds(project::cargo().args([subcommand, "--version"]))
            }
            Self::Miri(toolchain) => succeeds(Command::new("rustup").args([
                "run",
                toolchain,
                "cargo",
                "miri",
                "--version",
            ])),
            Self::Rust(version) => {
                is_default_rust(version)
                    || succeeds(Command::new("rustup").args(["run", version, "rustc", "--version"]))
            }
            Self::Program(names, _) => names.iter().any(|name| is_on_path(name)),
            Self::Font(language, _) => Command::new("fc-list")
                .arg(format!(":lang={language}"))
                .output()
                .is_ok_and(|output| !output.stdout.is_empty()),
            Self::Vulkan(driver, _) => vulkan_driver_is_installed(driver),
            Self::Wheel(requirement, file) => wheel(requirement).join(file).is_file(),
            Self::Npm(name, version) => npm_package_is_installed(name, version),
        }
    }

    /// Returns the path of the file; `None` for prerequisites that are not single files.
    pub fn path(self) -> Option<PathBuf> {
        match self {
            Self::Wheel(requirement, file) => Some(wheel(requirement).join(file)),
            Self::Program(names, _) => names.iter().find_map(|name| find_on_path(name)),
            _ => None,
        }
    }

    /// Returns the Debian packages that contain the prerequisite or that its installation needs, separated
    /// by spaces. `None` if it needs no package.
    pub fn package(self) -> Option<&'static str> {
        match self {
            Self::Program(_, package) | Self::Font(_, package) | Self::Vulkan(_, package) => {
                Some(package)
            }
            Self::Wheel(..) if pip().is_none() => Some("python3-pip"),
            Self::Npm(..) if !is_on_path("npm") => Some("npm"),
            Self::Target(_)
            | Self::Component(..)
            | Self::Miri(_)
            | Self::Rust(_)
            | Self::Wheel(..)
            | Self::Npm(..) => None,
        }
    }
}

/// Returns the prerequisites that are missing on this machine.
pub fn missing() -> Vec<Prerequisite> {
    ALL.into_iter().filter(|part| !part.is_installed()).collect()
}

/// Installs a Rust target if it is missing.
pub fn need_target(target: &str) -> Result<()> {
    if target_is_installed(target) {
        return Ok(());
    }
    println!("Adding the Rust target {target} …");
    rustup(&["target", "add", target])
}

/// Installs as many of `parts` as possible. After an error of rustup, nothing else is installed; the other
/// installers do not depend on each other. Call [`missing`] afterwards to find the parts that are still
/// missing.
pub fn install(parts: &[Prerequisite]) -> Result<()> {
    for part in parts {
        match part {
            Prerequisite::Target(target) => need_target(target)?,
            Prerequisite::Component(name, _) => rustup(&["component", "add", name])?,
            Prerequisite::Miri(toolchain) => {
                add_toolchain(toolchain, &["--component", "miri,rust-src"])?;
            }
            Prerequisite::Rust(version) => add_toolchain(version, &[])?,
            Prerequisite::Program(..)
            | Prerequisite::Font(..)
            | Prerequisite::Vulkan(..)
            | Prerequisite::Wheel(..)
            | Prerequisite::Npm(..) => {}
        }
    }
    let packages = parts.iter().filter_map(|part| part.package());
    let mut packages: Vec<_> = packages.flat_map(str::split_whitespace).collect();
    packages.dedup();
    // If one kind of package cannot be installed, another still may be.
    let debian = if packages.is_empty() { Ok(()) } else { install_debian(&packages) };
    let wheels = install_wheels(parts);
    let npm = install_npm(parts);
    debian.and(wheels).and(npm)
}

/// Installs a toolchain without changing rustup or the default toolchain.
fn add_toolchain(toolchain: &str, components: &[&str]) -> Result<()> {
    println!("Adding the Rust toolchain {toolchain} …");
    let how = ["toolchain", "install", toolchain, "--profile", "minimal", "--no-self-update"];
    rustup(&[&how[..], components].concat())
}

fn install_debian(packages: &[&str]) -> Result<()> {
    if !is_on_path("apt-get") {
        bail!(
            "this is not a Debian system; install these packages manually: {}",
            packages.join(" ")
        );
    }
    println!("Installing {} …", packages.join(" "));
    // Old package lists may be sufficient, so only the installation itself has to succeed.
    if let Err(error) = project::run(apt_get().arg("update"), "apt-get update") {
        println!("{error:#}");
    }
    project::run(
        apt_get().args(["install", "--yes", "--no-install-recommends"]).args(packages),
        "apt-get install (requires root)",
    )
}

fn install_wheels(parts: &[Prerequisite]) -> Result<()> {
    for part in parts {
        let Prerequisite::Wheel(requirement, _) = part else { continue };
        let Some(pip) = pip() else { bail!("installing {requirement} requires pip") };
        println!("Installing {requirement} …");
        project::run(
            Command::new(pip)
                // Old versions of pip lack the option but ignore the variable.
                .env("PIP_ROOT_USER_ACTION", "ignore")
                .args(["install", "--quiet", "--no-deps", "--disable-pip-version-check"])
                .arg("--target")
                .arg(wheel(requirement))
                .arg(requirement),
            "pip install",
        )?;
    }
    Ok(())
}

/// Returns the folder of a package of the Python index. Its name includes the version, because pip
/// does not change an existing folder.
fn wheel(requirement: &str) -> PathBuf {
    project::target().join("wheels").join(requirement)
}

fn pip() -> Option<&'static str> {
    ["pip3", "pip"].into_iter().find(|name| is_on_path(name))
}

/// Returns the folder of an npm package; its files are below `node_modules`.
fn npm_folder(name: &str) -> PathBuf {
    project::target().join(name)
}

fn npm_package_is_installed(name: &str, version: &str) -> bool {
    let manifest = npm_folder(name).join("node_modules").join(name).join("package.json");
    let manifest = fs::read_to_string(manifest).ok();
    let manifest = manifest.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    manifest.is_some_and(|manifest| manifest["version"] == version)
}

/// Installs npm packages without running their scripts.
fn install_npm(parts: &[Prerequisite]) -> Result<()> {
    for part in parts {
        if let Prerequisite::Npm(name, version) = part {
            npm(name, version)?;
        }
    }
    Ok(())
}

fn npm(name: &str, version: &str) -> Result<()> {
    let folder = npm_folder(name);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    println!("Installing {name} {version} …");
    let mut command = Command::new("npm");
    command
        .args(["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"])
        .arg(format!("{name}@{version}"))
        .arg("--prefix")
        .arg(&folder)
        .current_dir(&folder)
        .stdin(Stdio::null());
    project::run(&mut command, "npm install")
}

/// Returns the command apt-get. It waits for other apt processes, because many machines run some in the
/// background after booting.
fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["--quiet=2", "--option", "DPkg::Lock::Timeout=300"])
        .args(["--option", "Acquire::Retries=3"])
        .stdin(Stdio::null());
    command
}

fn rustup(arguments: &[&str]) -> Result<()> {
    if !is_on_path("rustup") {
        bail!("rustup is not installed; it is needed for `rustup {}`", arguments.join(" "));
    }
    project::run(
        Command::new("rustup").args(arguments).current_dir(project::root()),
        &format!("rustup {}", arguments.join(" ")),
    )
}

/// Returns whether a Rust target is installed. Asks the compiler instead of rustup, so that targets of
/// toolchains without rustup are found, too.
fn target_is_installed(target: &str) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Command::new(rustc)
        .args(["--print", "target-libdir", "--target", target])
        .current_dir(project::root())
        .stderr(Stdio::null())
        .output()
        .is_ok_and(|output| {
            let folder = String::from_utf8_lossy(&output.stdout);
            output.status.success() && Path::new(folder.trim()).is_dir()
        })
}

/// Returns whether this version, such as `1.95`, is that of the default compiler.
pub fn is_default_rust(version: &str) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").current_dir(project::root()).output();
    output.is_ok_and(|output| {
        let text = String::from_utf8_lossy(&output.stdout);
        let rest = text.strip_prefix("rustc ").and_then(|text| text.strip_prefix(version));
        rest.is_some_and(|rest| rest.starts_with(['.', ' ']))
    })
}

/// Returns whether a Vulkan driver is in a folder where the loader finds the drivers of packages.
fn vulkan_driver_is_installed(driver: &str) -> bool {
    ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"]
        .into_iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .flatten()
        .any(|manifest| manifest.file_name().to_string_lossy().starts_with(driver))
}

fn is_on_path(program: &str) -> bool {
    find_on_path(program).is_some()
}

/// Returns the file of a program on the `PATH`.
fn find_on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|folder| folder.join(program).with_extension(env::consts::EXE_EXTENSION))
        .find(|file| file.is_file())
}

fn succeeds(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Returns the names of prerequisites, separated by commas.
pub fn list(parts: &[Prerequisite]) -> String {
    let names: Vec<_> = parts.iter().map(|part| part.name()).collect();
    names.join(", ")
}

/// Fails with the list of missing prerequisites unless it is empty.
pub fn need_all(missing: &[Prerequisite]) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    Err(anyhow::anyhow!("missing: {}", list(missing)))
        .context("CI=true requires all tools; install them with `cargo xtask test --install`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_missing_prerequisites() {
        assert!(!Prerequisite::Program(&["no-such-program-anywhere"], "none").is_installed());
        assert!(!Prerequisite::Target("no-such-target").is_installed());
        assert!(!Prerequisite::Vulkan("no_such_icd", "none").is_installed());
        assert!(!Prerequisite::Npm("no-such-package", "1.0.0").is_installed());
        assert!(!Prerequisite::Rust("1.0").is_installed());
        assert!(
            Prerequisite::Program(&["no-such-program-anywhere", "cargo"], "none").is_installed()
        );
    }

    #[test]
    fn names_missing_prerequisites() {
        let error = need_all(&[CHROMIUM, Prerequisite::Target(BARE_ARM)]).unwrap_err();
        let text = format!("{error:#}");
        assert!(text.contains("chromium, the Rust target thumbv7em-none-eabi"), "{text}");
        assert!(need_all(&[]).is_ok());
    }
}
