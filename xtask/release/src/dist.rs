//! Builds the release files in `target/dist`: the page as a static site, and an archive with the
//! command, its man pages and its completions. Two builds of the same sources give identical files.

mod archive;
mod target;

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use clap::Args;
use xtask::page::{Files, read};
use xtask::{project, serve, test};

use crate::page;
use target::Target;

/// The cargo profile of the command in the archives.
const PROFILE: &str = "archive";

/// The shells with the file names of their completions.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "queens.bash"),
    ("zsh", "_queens"),
    ("fish", "queens.fish"),
    ("powershell", "_queens.ps1"),
];

/// The texts of the command's archive, and their names in it. Users of an archive do not need the project's
/// own README.md, which explains how to build.
const TEXTS: [(&str, &str); 6] = [
    ("docs/install.md", "README.md"),
    ("docs/queens.service", "queens.service"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("CITATION.cff", "CITATION.cff"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
];

/// Maximum size of an archive in bytes.
const LARGEST_ARCHIVE: u64 = 10_000_000;

/// Options for building the release files.
#[derive(Args)]
pub struct Dist {
    /// Build the command for other systems or processors, such as x86_64-unknown-linux-musl
    ///
    /// The known targets are x86_64-unknown-linux-musl, aarch64-unknown-linux-musl and x86_64-pc-windows-gnu.
    /// Others work if cargo can build for them. The archive's man pages are printed by the command itself, so
    /// a program that this machine cannot run needs QEMU, or Wine for programs for Windows.
    #[arg(long, value_name = "TARGETS", value_delimiter = ',')]
    target: Vec<String>,
    /// Address at which the site will be served; link previews need it to show a picture
    #[arg(long, value_name = "URL")]
    site_url: Option<String>,
    /// Unpack each archive and test the command inside
    ///
    /// A program that runs in QEMU or Wine only counts and verifies its result. The others pass the tests of
    /// the command and of its server.
    #[arg(long)]
    check: bool,
}

/// Returns the folder of the release files.
pub fn folder() -> PathBuf {
    project::target().join("dist")
}

/// Builds the release files and prints their paths. With `CI=true` the command must name its commit, so
/// everything must be committed.
pub fn dist(how: &Dist) -> Result<()> {
    let targets = match &how.target[..] {
        [] => vec![Target::of_this_machine()?],
        named => named.iter().map(|triple| Target::new(triple)).collect::<Result<_>>()?,
    };
    let commit = project::commit();
    let is_release = env::var("CI").is_ok_and(|value| value == "true");
    ensure!(
        commit.is_some() || !is_release,
        "the command cannot name its commit: `git status` fails or lists uncommitted changes"
    );
    println!("Building the page …");
    let site = page::build(how.site_url.as_deref())?;
    println!("The page as a static site: {}", xtask::page::released_site_folder().display());
    write_archive("site", "tar.gz", &site)?;
    for target in &targets {
        println!("Building the command for {} …", target.triple);
        let settings = format!("--profile {PROFILE} {}", target.selected());
        serve::build_command(&xtask::page::released_folder(), &settings)?;
        let archive = write_archive(&target.triple, target.archive_ending(), &files(target)?)?;
        if how.check {
            let version = commit.as_deref().unwrap_or(env!("CARGO_PKG_VERSION"));
            check(target, &archive, version).with_context(|| archive.display().to_string())?;
        }
    }
    Ok(())
}

/// Returns the name of an archive without its ending, which is also the name of the folder in it.
fn archive_name(what: &str) -> String {
    format!("queens-{}-{what}", env!("CARGO_PKG_VERSION"))
}

/// Writes an archive and returns its path.
fn write_archive(what: &str, ending: &str, files: &Files) -> Result<PathBuf> {
    let name = archive_name(what);
    let path = folder().join(format!("{name}.{ending}"));
    let size = archive::write(&path, &name, files)?;
    println!("{} ({size} bytes)", path.display());
    ensure!(size <= LARGEST_ARCHIVE, "that is more than {LARGEST_ARCHIVE} bytes");
    Ok(path)
}

/// Returns the files of the command's archive.
fn files(target: &Target) -> Result<Files> {
    let program = target.program(PROFILE);
    let mut files = Files::from([(target.program_name().to_owned(), read(&program)?)]);
    for (text, name) in TEXTS {
        files.insert(name.to_owned(), read(&project::root().join(text))?);
    }
    let manual = target.output(&program, &["man"])?;
    let commands = named_commands(&String::from_utf8_lossy(&manual));
    ensure!(!commands.is_empty(), "the man page of queens names no commands");
    for name in commands {
        let page = target.output(&program, &["man", &name])?;
        files.insert(format!("man/man1/queens-{name}.1"), page);
    }
    files.insert("man/man1/queens.1".to_owned(), manual);
    for (shell, file) in SHELLS {
        let script = target.output(&program, &["completions", shell])?;
        files.insert(format!("completions/{file}"), script);
    }
    Ok(files)
}

/// Returns the commands that a man page refers to as `queens\-count(1)`, except `help`, which clap adds.
fn named_commands(manual: &str) -> Vec<String> {
    let behind = manual.split("queens\\-").skip(1);
    let names = behind.filter_map(|rest| rest.split_once("(1)")).map(|(name, _)| name);
    let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase());
    names.filter(is_name).filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Tests the command in an archive. Its version must contain `version`.
///
/// The tests of the command need a program that reads the paths and receives the signals of this system, at
/// full speed.
fn check(target: &Target, archive: &Path, version: &str) -> Result<()> {
    let folder = project::target().join("unpacked");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    archive::unpack(archive, &folder)?;
    let program = folder.join(archive_name(&target.triple)).join(target.program_name());
    let entry = read(&xtask::page::released_folder().join("index.html.br"))?;
    let has_page = read(&program)?.windows(entry.len()).any(|bytes| bytes == entry);
    ensure!(has_page, "the command does not contain the page");
    let result = "count 14 --quiet --no-journal -o fourteen.json";
    for (call, expected) in [
        ("--version", version),
        ("count 14 --quiet --no-journal", "365,596"),
        (result, ""),
        ("verify fourteen.json --tasks 2", "Checks passed"),
    ] {
        let output = target.output(&program, &call.split(' ').collect::<Vec<_>>())?;
        let output = String::from_utf8_lossy(&output);
        ensure!(output.contains(expected), "`queens {call}` does not print {expected}:\n{output}");
    }
    if !target.is_emulated() {
        let mut tests = test::host_tests(&xtask::page::folder());
        tests.args(["--test", "cli", "--test", "serve"]);
        project::run(tests.env("QUEENS_BIN", &program))?;
    }
    println!("The command in {} passes its tests.", archive.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_names_of_commands_from_the_manual() {
        let manual = ".TP\nqueens\\-count(1)\nCount\n.TP\nqueens\\-help(1)\n.TP\nqueens\\-man(1)\n";
        assert_eq!(named_commands(manual), ["count", "man"]);
    }
}
