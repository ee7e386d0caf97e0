//! Programs for comparison, as listed in `docs/bench/rivals.toml`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use toml::{Table, Value};

use super::contender::Contender;
use crate::project;

const FILE: &str = "docs/bench/rivals.toml";

/// Returns the listed programs that are built below `folder`, each in a folder with its name, and that
/// can count all these boards. Prints each other program with the reason why it
/// is skipped.
pub fn built_rivals(folder: &Path, boards: &[(u32, String)]) -> Result<Vec<Contender>> {
    let mut found = vec![];
    for rival in listed_rivals()? {
        let path = folder.join(&rival.name);
        if !path.is_dir() {
            println!("Skipping {}: {} does not exist", rival.name, path.display());
        } else if let Some((n, _)) = boards.iter().find(|(n, _)| !rival.counts(*n)) {
            println!("Skipping {}: it is not built for N = {n}", rival.name);
        } else {
            found.push(rival.in_folder(&path));
        }
    }
    ensure!(!found.is_empty(), "none of the programs in {FILE} can be measured");
    Ok(found)
}

/// Clones and builds the programs that are missing below `folder`.
pub fn fetch(folder: &Path) -> Result<()> {
    let missing = |rival: &Rival| !folder.join(&rival.name).is_dir();
    listed_rivals()?.iter().filter(|rival| missing(rival)).try_for_each(|rival| rival.fetch(folder))
}

fn listed_rivals() -> Result<Vec<Rival>> {
    let file = project::root().join(FILE);
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    read(&text).with_context(|| format!("reading {FILE}"))
}

/// An entry of `docs/bench/rivals.toml`.
#[derive(Debug)]
struct Rival {
    name: String,
    source: String,
    commit: String,
    /// The shell script that builds the program in its checkout.
    build: String,
    /// The command line, in which `{n}` stands for N.
    run: String,
    /// The smallest and the largest N for which the program is built.
    smallest: i64,
    largest: i64,
}

impl Rival {
    fn counts(&self, n: u32) -> bool {
        (self.smallest..=self.largest).contains(&n.into())
    }

    fn in_folder(self, path: &Path) -> Contender {
        let source = format!("{} {}", self.source, self.commit);
        Contender::rival_in(path.to_owned(), self.name, self.run, source)
    }

    /// Clones and builds the program. The program gets its final folder only after a successful build.
    fn fetch(&self, folder: &Path) -> Result<()> {
        let Rival { name, source, commit, build, .. } = self;
        println!("{name}: {commit} of {source} …");
        let unfinished = folder.join(format!("{name}.unfinished"));
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished).with_context(|| unfinished.display().to_string())?;
        }
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let mut clone = Command::new("git");
        clone.args(["clone", "--quiet", "--no-checkout", source]).arg(&unfinished);
        project::run(&mut clone, &format!("cloning {source}"))?;
        let mut checkout = Command::new("git");
        checkout.args(["checkout", "--quiet", commit]).current_dir(&unfinished);
        project::run(&mut checkout, &format!("checking out {commit} of {source}"))?;
        let mut make = Command::new("sh");
        make.args(["-ec", build]).current_dir(&unfinished);
        project::run(&mut make, &format!("building {name}"))?;
        let path = folder.join(name);
        fs::rename(&unfinished, &path).with_context(|| path.display().to_string())
    }
}

fn read(text: &str) -> Result<Vec<Rival>> {
    let file: Table = text.parse()?;
    file.iter().map(|(name, about)| rival(name, about).with_context(|| name.clone())).collect()
}

fn rival(name: &str, about: &Value) -> Result<Rival> {
    let text = |key: &str| {
        about.get(key).and_then(Value::as_str).with_context(|| format!("{key} is missing"))
    };
    let [source, commit, build, run] =
        [text("source")?, text("commit")?, text("build")?, text("run")?].map(str::to_owned);
    let boards = about.get("boards").and_then(Value::as_array).map(Vec::as_slice);
    let Some([Value::Integer(smallest), Value::Integer(largest)]) = boards else {
        bail!("`boards` must list the smallest and the largest board")
    };
    let (name, smallest, largest) = (name.to_owned(), *smallest, *largest);
    Ok(Rival { name, source, commit, build, run, smallest, largest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_build_instructions_of_each_rival() {
        let rivals = listed_rivals().unwrap();
        assert!(rivals.iter().any(|rival| rival.name == "quadrants" && rival.counts(18)));
        let error = read("[other]\nsource = \"s\"\ncommit = \"c\"").unwrap_err();
        assert_eq!(format!("{error:#}"), "other: build is missing");
    }

    fn git(folder: &Path, arguments: &[&str]) {
        let mut git = Command::new("git");
        let name = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
        git.args(name).args(arguments).current_dir(folder);
        project::run(&mut git, "git").unwrap();
    }

    #[test]
    fn clones_builds_and_runs_a_rival_in_its_own_folder() {
        let path = project::target().join("rivals of a test");
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        let source = path.join("source");
        fs::create_dir_all(&source).unwrap();
        git(&source, &["init", "--quiet"]);
        fs::write(source.join("factor"), "10").unwrap();
        git(&source, &["add", "factor"]);
        git(&source, &["commit", "--quiet", "--message", "measured"]);
        git(&source, &["tag", "measured"]);
        fs::write(source.join("factor"), "11").unwrap();
        git(&source, &["commit", "--quiet", "--all", "--message", "newer"]);
        let rival = |build: &str| Rival {
            name: "product".to_owned(),
            source: source.display().to_string(),
            commit: "measured".to_owned(),
            build: build.to_owned(),
            run: "echo $(({n} * $(cat built)))".to_owned(),
            smallest: 8,
            largest: 9,
        };
        let error = rival("false").fetch(&path).unwrap_err();
        assert!(format!("{error:#}").contains("building product"), "{error:#}");
        assert!(!path.join("product").exists(), "a program that is not built is measured");
        let rival = rival("cp factor built");
        rival.fetch(&path).unwrap();
        assert!(rival.counts(9) && !rival.counts(10));
        let contender = rival.in_folder(&path.join("product"));
        contender.run(9, "90").unwrap();
        assert!(contender.run(9, "91").is_err());
        assert_eq!(contender.source, Some(format!("{} measured", source.display())));
    }
}
