//! The programs of `docs/bench/rivals.toml`, as far as they are built on this machine.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use toml::{Table, Value};

use super::contender::Contender;
use crate::project;

const FILE: &str = "docs/bench/rivals.toml";

/// Those that lie below `folder`, each in a folder of its name, and can count all these boards; the
/// others are named.
pub fn below(folder: &Path, boards: &[(u32, String)]) -> Result<Vec<Contender>> {
    let file = project::root().join(FILE);
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let mut found = vec![];
    for rival in read(&text).with_context(|| format!("reading {FILE}"))? {
        let place = folder.join(&rival.name);
        if !place.is_dir() {
            println!("{} is not measured: there is no {}", rival.name, place.display());
        } else if let Some((n, _)) = boards.iter().find(|(n, _)| !rival.counts(*n)) {
            println!("{} is not measured: it is not built for N = {n}", rival.name);
        } else {
            found.push(rival.in_folder(&place));
        }
    }
    ensure!(!found.is_empty(), "no program of {FILE} can be measured");
    Ok(found)
}

/// A program as the file describes it.
#[derive(Debug)]
struct Rival {
    name: String,
    run: String,
    smallest: i64,
    largest: i64,
}

impl Rival {
    fn counts(&self, n: u32) -> bool {
        (self.smallest..=self.largest).contains(&n.into())
    }

    fn in_folder(self, place: &Path) -> Contender {
        Contender::rival_in(place.to_owned(), self.name, self.run)
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
    for key in ["source", "commit", "build"] {
        text(key)?;
    }
    let boards = about.get("boards").and_then(Value::as_array).map(Vec::as_slice);
    let Some([Value::Integer(smallest), Value::Integer(largest)]) = boards else {
        bail!("boards are the smallest and the largest")
    };
    let run = text("run")?.to_owned();
    Ok(Rival { name: name.to_owned(), run, smallest: *smallest, largest: *largest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_of_each_rival_what_it_takes() {
        let text = fs::read_to_string(project::root().join(FILE)).unwrap();
        let rivals = read(&text).unwrap();
        assert!(rivals.iter().any(|rival| rival.name == "quadrants" && rival.counts(18)));
        let error = read("[other]\nsource = \"s\"\ncommit = \"c\"").unwrap_err();
        assert_eq!(format!("{error:#}"), "other: build is missing");
    }

    #[test]
    fn a_rival_runs_in_its_own_folder() {
        let rival = Rival {
            name: "sum".to_owned(),
            run: "test -f here && echo $(({n} * 10))".to_owned(),
            smallest: 8,
            largest: 9,
        };
        let place = project::target().join("a rival's folder");
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("here"), "").unwrap();
        assert!(rival.counts(9) && !rival.counts(10));
        let contender = rival.in_folder(&place);
        contender.run(9, "90").unwrap();
        assert!(contender.run(9, "91").is_err());
    }
}
