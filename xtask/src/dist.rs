//! What is handed out: the page for any host of static files, and the command of this machine with
//! the page inside, its manual and what shells need, in an archive that is the same whenever it is
//! made of the same sources.

mod check;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use flate2::{Compression, GzBuilder};

use crate::{page, project, serve};

/// The shells, and how each wants its file to be called.
const SHELLS: [(&str, &str); 3] =
    [("bash", "queens.bash"), ("zsh", "_queens"), ("fish", "queens.fish")];

/// What of the project comes along, and as what: whoever unpacks it has no use for how it is built.
const TEXTS: [(&str, &str); 4] = [
    ("docs/install.md", "README.md"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
];

/// Makes both, and says where they are. With `twice` it does so twice from nothing, fails unless
/// all is committed and both archives are the same, and has the command inside count and serve the
/// page.
pub fn dist(twice: bool) -> Result<()> {
    if twice {
        ensure!(
            serve::commit().is_some(),
            "there are uncommitted changes (see `git status`); commit them, so that the command can \
             name its commit"
        );
        check::clean()?;
    }
    let archive = make()?;
    if twice {
        let first = fs::read(&archive).with_context(|| format!("reading {}", archive.display()))?;
        check::clean()?;
        let archive = make()?;
        let second =
            fs::read(&archive).with_context(|| format!("reading {}", archive.display()))?;
        if first != second {
            let kept = archive.with_extension("first");
            fs::write(&kept, first).with_context(|| format!("writing {}", kept.display()))?;
            bail!("{} and {} differ", kept.display(), archive.display());
        }
        check::works(&archive, &page::folder())?;
        println!(
            "Both archives are identical ({} bytes), and the command inside counts and serves its page.",
            second.len()
        );
    }
    Ok(())
}

/// Makes both, and says where they are; the path of the archive.
fn make() -> Result<PathBuf> {
    println!("Building the page …");
    let [page, site] = page::build_with_site()?;
    println!("Building the command …");
    let command = serve::build_command(&page)?;
    let name = format!("queens-{}-{}", env!("CARGO_PKG_VERSION"), host()?);
    let archive = project::target().join("dist").join(format!("{name}.tar.gz"));
    let entries = entries(&command)?;
    // Whole or not at all.
    let draft = archive.with_extension("draft");
    let file = File::create(&draft).with_context(|| format!("creating {}", draft.display()))?;
    pack(&name, &entries, BufWriter::new(file))?;
    fs::rename(&draft, &archive).with_context(|| format!("naming {}", archive.display()))?;
    println!("The page as a static site: {}", site.display());
    println!("The command with its man pages and completions: {}", archive.display());
    Ok(archive)
}

/// A file of the archive.
struct Entry {
    content: Vec<u8>,
    is_program: bool,
}

/// What the archive holds, by its path.
fn entries(command: &Path) -> Result<BTreeMap<String, Entry>> {
    let mut entries = BTreeMap::new();
    let mut add = |path: String, content, is_program| {
        entries.insert(path, Entry { content, is_program });
    };
    let read =
        |path: PathBuf| fs::read(&path).with_context(|| format!("reading {}", path.display()));
    let file = command.file_name().context("the command has no name")?.to_string_lossy();
    add(file.into_owned(), read(command.to_owned())?, true);
    for (text, name) in TEXTS {
        add(name.to_owned(), read(project::root().join(text))?, false);
    }
    let manual = printed(command, &["man"])?;
    for name in named_pages(&String::from_utf8_lossy(&manual)) {
        add(format!("man/man1/queens-{name}.1"), printed(command, &["man", &name])?, false);
    }
    add("man/man1/queens.1".to_owned(), manual, false);
    for (shell, file) in SHELLS {
        let script = printed(command, &["completions", shell])?;
        add(format!("completions/{file}"), script, false);
    }
    Ok(entries)
}

/// What the command prints when it is called so.
fn printed(command: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let called = || format!("{} {}", command.display(), arguments.join(" "));
    let output = Command::new(command).args(arguments).output();
    let output = output.with_context(|| format!("starting {}", called()))?;
    if !output.status.success() {
        bail!("{} failed ({})", called(), output.status);
    }
    Ok(output.stdout)
}

/// The commands that a manual page refers to as `queens\-count(1)`; that of `help` is the clap's.
fn named_pages(manual: &str) -> Vec<String> {
    let behind = manual.split("queens\\-").skip(1);
    let names = behind.filter_map(|rest| rest.split_once("(1)")).map(|(name, _)| name);
    let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase());
    names.filter(is_name).filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Writes an archive whose bytes depend on the entries alone: no times, no owners, one order.
fn pack(folder: &str, entries: &BTreeMap<String, Entry>, out: impl Write) -> io::Result<()> {
    let compressed = GzBuilder::new().mtime(0).write(out, Compression::best());
    let mut archive = tar::Builder::new(compressed);
    for (path, Entry { content, is_program }) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_size(content.len() as u64);
        header.set_mode(if *is_program { 0o755 } else { 0o644 });
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, format!("{folder}/{path}"), content.as_slice())?;
    }
    archive.into_inner()?.finish()?.flush()
}

/// The target of this machine, as rustc calls it.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").current_dir(project::root()).output();
    let output = output.context("could not start rustc")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc -vV does not name the host")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn entries() -> BTreeMap<String, Entry> {
        let entry = |content: &str, is_program| Entry { content: content.into(), is_program };
        [
            ("queens".to_owned(), entry(&"program ".repeat(1000), true)),
            ("man/man1/queens.1".to_owned(), entry("manual", false)),
        ]
        .into()
    }

    #[test]
    fn an_archive_is_the_same_twice_and_unpacks_to_what_was_packed() {
        let packed = || {
            let mut bytes = Vec::new();
            pack("queens-1", &entries(), &mut bytes).unwrap();
            bytes
        };
        let bytes = packed();
        assert_eq!(bytes, packed());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&*bytes));
        let mut found = Vec::new();
        for file in archive.entries().unwrap() {
            let mut file = file.unwrap();
            let mut content = String::new();
            file.read_to_string(&mut content).unwrap();
            let path = file.path().unwrap().to_string_lossy().into_owned();
            found.push((path, file.header().mode().unwrap(), content.len()));
        }
        assert_eq!(
            found,
            [
                ("queens-1/man/man1/queens.1".to_owned(), 0o644, 6),
                ("queens-1/queens".to_owned(), 0o755, 8000),
            ]
        );
    }

    #[test]
    fn the_manual_names_its_pages() {
        let manual = ".TP\nqueens\\-count(1)\nCount\n.TP\nqueens\\-help(1)\n.TP\nqueens\\-man(1)\n";
        assert_eq!(named_pages(manual), ["count", "man"]);
    }
}
