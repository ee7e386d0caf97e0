//! Builds the release files in `target/dist`: the page as a static site, an archive with the command, its
//! man pages and its completions, the debug information, and the checksums. Two builds of the same sources
//! give identical files; `--twice` checks this.

mod archive;
mod check;
mod target;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use sha2::{Digest, Sha256};

use crate::{page, project, serve};
use archive::{ArchiveFile, Entries};
use target::{DebugInformation, Target};

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

/// Maximum size of the command's archive in bytes.
const LARGEST_ARCHIVE: u64 = 10_000_000;

/// Options for building the release files.
#[derive(Args)]
pub struct Dist {
    /// Build the command for other systems or processors, such as x86_64-unknown-linux-musl
    ///
    /// The known targets are x86_64-unknown-linux-musl, aarch64-unknown-linux-musl, x86_64-pc-windows-gnu and, on
    /// Windows, x86_64-pc-windows-msvc. Others work if cargo can build for them. The archive's man pages
    /// are printed by the command itself, so a program that this machine cannot run needs QEMU, or Wine for
    /// programs for Windows.
    #[arg(long, value_name = "TARGETS", value_delimiter = ',')]
    target: Vec<String>,
    /// Address at which the site will be served; link previews need it to show a picture
    #[arg(long, value_name = "URL")]
    site_url: Option<String>,
    /// Unpack the archive and test the command inside: count, resume, verify, serve
    #[arg(long)]
    check: bool,
    /// Build everything twice from a clean state, compare the archives and the debug information, and
    /// test the command inside
    #[arg(long)]
    twice: bool,
}

/// The paths of the built release files, except the checksums.
struct Release {
    /// The command's archives, in the order of their targets.
    archives: Vec<PathBuf>,
    /// The archive of the site, and the debug information.
    others: Vec<PathBuf>,
}

/// Builds the release files and prints the paths of the site, the command's archives and their debug
/// information. With `twice` or `CI=true` the command must name its commit, so everything must be committed.
pub fn dist(how: &Dist) -> Result<()> {
    let targets = targets(&how.target)?;
    let commit = serve::commit();
    let is_release = how.twice || env::var("CI").is_ok_and(|value| value == "true");
    ensure!(
        commit.is_some() || !is_release,
        "the command cannot name its commit: `git status` fails or lists uncommitted changes"
    );
    let site_url = how.site_url.as_deref();
    let archives = if how.twice {
        build_twice(&targets, site_url)?
    } else {
        build(&targets, site_url)?.archives
    };
    if !how.check && !how.twice {
        return Ok(());
    }
    for (target, archive) in targets.iter().zip(&archives) {
        let start = Instant::now();
        check::check_command(archive, target, &page::folder(), commit.as_deref())
            .with_context(|| format!("the archive for {}", target.triple))?;
        println!(
            "The command for {} counts, resumes, verifies and serves its page ({} s).",
            target.triple,
            start.elapsed().as_secs()
        );
    }
    Ok(())
}

/// Returns the named targets, or the target of this machine if `named` is empty.
fn targets(named: &[String]) -> Result<Vec<Target>> {
    if named.is_empty() {
        return Ok(vec![Target::new(None)?]);
    }
    named.iter().map(|triple| Target::new(Some(triple))).collect()
}

/// Builds everything twice from a clean state, and fails if the release files differ. Returns the paths of
/// the command's archives.
fn build_twice(targets: &[Target], site_url: Option<&str>) -> Result<Vec<PathBuf>> {
    check::clean(targets)?;
    let Release { archives, others } = build(targets, site_url)?;
    let files = || archives.iter().chain(&others);
    let contents = files().map(|file| read(file)).collect::<Result<Vec<_>>>()?;
    check::clean(targets)?;
    build(targets, site_url)?;
    for (file, first) in files().zip(contents) {
        if read(file)? != first {
            let first_file = file.with_added_extension("first");
            fs::write(&first_file, first)
                .with_context(|| format!("writing {}", first_file.display()))?;
            bail!("{} and {} differ", first_file.display(), file.display());
        }
        println!("Both builds of {} are identical.", file.display());
    }
    Ok(archives)
}

/// Builds the release files and returns their paths.
fn build(targets: &[Target], site_url: Option<&str>) -> Result<Release> {
    println!("Building the page …");
    let [page, site] = page::build_with_site_at(site_url)?;
    let folder = project::target().join("dist");
    let site_name = format!("queens-{}-site", env!("CARGO_PKG_VERSION"));
    let site_archive = folder.join(format!("{site_name}.tar.gz"));
    archive::write(&site_archive, &site_name, &files_below(&site)?)?;
    println!("The page as a static site: {}", site.display());
    let mut release = Release { archives: vec![], others: vec![site_archive] };
    for target in targets {
        println!("Building the command for {} …", target.triple);
        serve::build_command_with(&page, |cargo| target.configure(cargo))?;
        let (archive, debug_file) = pack(target, &folder)?;
        release.archives.push(archive);
        release.others.extend(debug_file);
    }
    write_sums(&folder)?;
    Ok(release)
}

/// Packs the built command and, in a separate file, its debug information if the target has any. Returns the
/// paths of the archive and of that file.
fn pack(target: &Target, folder: &Path) -> Result<(PathBuf, Option<PathBuf>)> {
    let name = format!("queens-{}-{}", env!("CARGO_PKG_VERSION"), target.triple);
    let archive = folder.join(format!("{name}.{}", target.archive_ending()));
    let built = target.program();
    let stripped = folder.join(target.program_name());
    let debug = match target.debug_information() {
        DebugInformation::Inside => Some(target::split_debug(&built, &stripped)?),
        DebugInformation::Beside => Some(read(&built.with_extension("pdb"))?),
        DebugInformation::Missing => None,
    };
    let debug_file = debug.is_some().then(|| folder.join(format!("{name}.debug.gz")));
    if let (Some(debug), Some(debug_file)) = (debug, &debug_file) {
        archive::write_gzip(debug_file, &debug)?;
        println!("Debug information: {}", debug_file.display());
    }
    let size = if target.debug_information() == DebugInformation::Inside {
        let size = archive::write(&archive, &name, &entries(target, &stripped)?)?;
        remove(&stripped)?;
        size
    } else {
        archive::write(&archive, &name, &entries(target, &built)?)?
    };
    println!(
        "The command with its man pages and completions: {} ({size} bytes)",
        archive.display()
    );
    ensure!(
        size <= LARGEST_ARCHIVE,
        "{} has {size} bytes, more than {LARGEST_ARCHIVE}",
        archive.display()
    );
    Ok((archive, debug_file))
}

/// Packs the command that the tests have built, and tests the archive as `--check` does. This is the debug
/// build, because a release build would take minutes.
pub fn check_tested_command() -> Result<()> {
    let target = Target::new(None)?;
    let folder = project::target().join("dist-tests/command");
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    let built = project::target().join("debug").join(target.program_name());
    let stripped = folder.join(target.program_name());
    target::split_debug(&built, &stripped)?;
    let archive = folder.join(format!("queens.{}", target.archive_ending()));
    archive::write(&archive, "queens", &entries(&target, &stripped)?)?;
    check::check_command(&archive, &target, &page::folder(), None)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

fn remove(path: &Path) -> Result<()> {
    fs::remove_file(path).with_context(|| format!("removing {}", path.display()))
}

/// Returns the files of the command's archive.
fn entries(target: &Target, program: &Path) -> Result<Entries> {
    let mut entries = Entries::new();
    let mut add = |path: String, content, is_program| {
        entries.insert(path, ArchiveFile { content, is_program });
    };
    add(target.program_name().to_owned(), read(program)?, true);
    for (text, name) in TEXTS {
        add(name.to_owned(), read(&project::root().join(text))?, false);
    }
    let printed = |arguments: &[&str]| output_of_call(target, program, arguments);
    let manual = printed(&["man"])?;
    for name in named_pages(&String::from_utf8_lossy(&manual)) {
        add(format!("man/man1/queens-{name}.1"), printed(&["man", &name])?, false);
    }
    add("man/man1/queens.1".to_owned(), manual, false);
    for (shell, file) in SHELLS {
        add(format!("completions/{file}"), printed(&["completions", shell])?, false);
    }
    Ok(entries)
}

/// Runs the command, in an emulator if necessary, and returns its standard output. Fails if the command
/// fails.
fn output_of_call(target: &Target, program: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let called = || format!("{} {}", program.display(), arguments.join(" "));
    let output = target.call(program).args(arguments).output();
    let output = output.with_context(|| format!("starting {}", called()))?;
    if !output.status.success() {
        bail!(
            "{} failed ({}): {}",
            called(),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(output.stdout)
}

/// Returns the commands that a manual page refers to as `queens\-count(1)`, except `help`, which clap
/// adds.
fn named_pages(manual: &str) -> Vec<String> {
    let behind = manual.split("queens\\-").skip(1);
    let names = behind.filter_map(|rest| rest.split_once("(1)")).map(|(name, _)| name);
    let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase());
    names.filter(is_name).filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Returns all files below a folder. The keys are their paths within it, separated by slashes.
fn files_below(folder: &Path) -> Result<Entries> {
    let mut entries = Entries::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let listed =
            fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
        for file in listed {
            let path = file?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{prefix}{name}");
            if path.is_dir() {
                folders.push((path, format!("{name}/")));
            } else {
                entries.insert(name, ArchiveFile { content: read(&path)?, is_program: false });
            }
        }
    }
    Ok(entries)
}

/// Writes the SHA-256 sums of this version's compressed release files to SHA256SUMS, as
/// `sha256sum --check` reads them.
fn write_sums(folder: &Path) -> Result<()> {
    let prefix = concat!("queens-", env!("CARGO_PKG_VERSION"), "-");
    let mut lines = Vec::new();
    for file in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with(prefix) && (name.ends_with(".gz") || name.ends_with(".zip")) {
            let digest: String =
                Sha256::digest(read(&path)?).iter().map(|byte| format!("{byte:02x}")).collect();
            lines.push((name.clone(), format!("{digest}  {name}\n")));
        }
    }
    lines.sort();
    let text: String = lines.into_iter().map(|(_, line)| line).collect();
    let path = folder.join("SHA256SUMS");
    fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_page_names_from_the_manual() {
        let manual = ".TP\nqueens\\-count(1)\nCount\n.TP\nqueens\\-help(1)\n.TP\nqueens\\-man(1)\n";
        assert_eq!(named_pages(manual), ["count", "man"]);
    }

    #[test]
    fn checksums_list_the_release_files_of_this_version() {
        let folder = project::target().join("dist-tests/sums");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("below")).unwrap();
        let name = |rest: &str| format!("queens-{}-{rest}", env!("CARGO_PKG_VERSION"));
        for file in [name("b.zip"), name("a.tar.gz"), name("a.draft"), "queens-0-c.zip".into()] {
            fs::write(folder.join(file), "abc").unwrap();
        }
        fs::write(folder.join("below/page.html"), "abc").unwrap();
        write_sums(&folder).unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let expected = format!("{abc}  {}\n{abc}  {}\n", name("a.tar.gz"), name("b.zip"));
        assert_eq!(fs::read_to_string(folder.join("SHA256SUMS")).unwrap(), expected);
        let below = files_below(&folder).unwrap();
        assert!(below.contains_key("below/page.html") && below.contains_key("SHA256SUMS"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
