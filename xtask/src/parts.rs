//! What the project needs on the machine: whether it is there, and how it is
//! installed.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::project;

/// A part that some of the checks and tests need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A compilation target of the Rust toolchain.
    Target(&'static str),
    /// A component of the Rust toolchain, and the cargo command it brings.
    Component(&'static str, &'static str),
    /// A program on the `PATH` by any of these names, and its Debian package.
    Program(&'static [&'static str], &'static str),
    /// A font for a language, by its code, and its Debian package.
    Font(&'static str, &'static str),
    /// A Vulkan driver, by how the names of its manifests begin, and its Debian package.
    Vulkan(&'static str, &'static str),
}

/// The target without std that a PC has.
pub const BARE_X86: &str = "x86_64-unknown-none";
/// The target without std of small devices.
pub const BARE_ARM: &str = "thumbv7em-none-eabi";

/// Everything that `cargo xtask test` needs besides cargo and a C compiler.
pub const ALL: [Part; 9] = [
    Part::Component("rustfmt", "fmt"),
    Part::Component("clippy", "clippy"),
    Part::Target(project::WASM_TARGET),
    Part::Target(BARE_X86),
    Part::Target(BARE_ARM),
    CHROMIUM,
    CHROMEDRIVER,
    Part::Font("ja", "fonts-noto-cjk"),
    // In software, so that the kernels run on any machine.
    Part::Vulkan("lvp_icd", "mesa-vulkan-drivers"),
];

/// The browser.
pub const CHROMIUM: Part = Part::Program(
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    "chromium",
);
/// What drives the browser.
pub const CHROMEDRIVER: Part = Part::Program(&["chromedriver"], "chromium-driver");

impl Part {
    /// The name by which a person knows it.
    pub fn name(self) -> String {
        match self {
            Self::Target(name) => format!("the Rust target {name}"),
            Self::Component(name, _) => format!("the Rust component {name}"),
            Self::Program(names, _) => names.first().copied().unwrap_or_default().to_owned(),
            Self::Font(language, package) => format!("a font for {language} ({package})"),
            Self::Vulkan(_, package) => format!("a Vulkan driver in software ({package})"),
        }
    }

    /// Whether it is there.
    pub fn is_there(self) -> bool {
        match self {
            Self::Target(name) => target_is_there(name),
            Self::Component(_, subcommand) => {
                succeeds(project::cargo().args([subcommand, "--version"]))
            }
            Self::Program(names, _) => names.iter().any(|name| on_path(name)),
            Self::Font(language, _) => Command::new("fc-list")
                .arg(format!(":lang={language}"))
                .output()
                .is_ok_and(|output| !output.stdout.is_empty()),
            Self::Vulkan(driver, _) => vulkan_driver_is_there(driver),
        }
    }

    /// The Debian package that brings it.
    fn package(self) -> Option<&'static str> {
        match self {
            Self::Program(_, package) | Self::Font(_, package) | Self::Vulkan(_, package) => {
                Some(package)
            }
            Self::Target(_) | Self::Component(..) => None,
        }
    }
}

/// The parts that are not there.
pub fn missing() -> Vec<Part> {
    ALL.into_iter().filter(|part| !part.is_there()).collect()
}

/// Adds a Rust target if it is missing; an error if that fails.
pub fn need_target(target: &'static str) -> Result<()> {
    if target_is_there(target) {
        return Ok(());
    }
    println!("Adding the Rust target {target} …");
    rustup(&["target", "add", target])
}

/// Installs `parts`, as far as this machine lets it: what is still missing
/// afterwards shows when it is looked for again.
pub fn install(parts: &[Part]) -> Result<()> {
    for part in parts {
        match part {
            Part::Target(target) => need_target(target)?,
            Part::Component(name, _) => rustup(&["component", "add", name])?,
            Part::Program(..) | Part::Font(..) | Part::Vulkan(..) => {}
        }
    }
    let packages: Vec<_> = parts.iter().filter_map(|part| part.package()).collect();
    if packages.is_empty() {
        return Ok(());
    }
    if !on_path("apt-get") {
        bail!("this is not a Debian system; please install by hand: {}", packages.join(" "));
    }
    println!("Installing {} …", packages.join(" "));
    // Old lists may do, so only the installation itself has to succeed.
    if let Err(error) = project::run(apt_get().arg("update"), "apt-get update") {
        println!("{error:#}");
    }
    project::run(
        apt_get().args(["install", "--yes", "--no-install-recommends"]).args(&packages),
        "apt-get install (which needs root)",
    )
}

/// Another apt may be at work, as on a machine that has just started.
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
    if !on_path("rustup") {
        bail!("rustup is needed for `rustup {}`", arguments.join(" "));
    }
    project::run(
        Command::new("rustup").args(arguments).current_dir(project::root()),
        &format!("rustup {}", arguments.join(" ")),
    )
}

/// Asks the compiler rather than rustup, so that toolchains from elsewhere
/// count too.
fn target_is_there(target: &str) -> bool {
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

/// Looks where the Vulkan loader looks for drivers that packages brought.
fn vulkan_driver_is_there(driver: &str) -> bool {
    ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"]
        .into_iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .flatten()
        .any(|manifest| manifest.file_name().to_string_lossy().starts_with(driver))
}

fn on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .any(|folder| folder.join(program).with_extension(env::consts::EXE_EXTENSION).is_file())
}

fn succeeds(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// A sentence that names missing parts.
pub fn list(parts: &[Part]) -> String {
    let names: Vec<_> = parts.iter().map(|part| part.name()).collect();
    names.join(", ")
}

/// Fails, naming what is missing, where everything has to be there.
pub fn need_all(missing: &[Part]) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    Err(anyhow::anyhow!("missing: {}", list(missing)))
        .context("CI=true asks for every check; `cargo xtask test --install` installs what it can")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_cannot_be_there_is_missing() {
        assert!(!Part::Program(&["no-such-program-anywhere"], "none").is_there());
        assert!(!Part::Target("no-such-target").is_there());
        assert!(!Part::Vulkan("no_such_icd", "none").is_there());
        assert!(Part::Program(&["no-such-program-anywhere", "cargo"], "none").is_there());
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = need_all(&[CHROMIUM, Part::Target(BARE_ARM)]).unwrap_err();
        let text = format!("{error:#}");
        assert!(text.contains("chromium, the Rust target thumbv7em-none-eabi"), "{text}");
        assert!(need_all(&[]).is_ok());
    }
}
