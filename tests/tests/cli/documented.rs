//! The project's documents: the command accepts their commands, their sample output is current, and
//! their links have targets.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use super::support::{line, queens};

/// The folders of the documents with commands and links, relative to the project's root.
const FOLDERS: [&str; 5] = ["", "docs", "fuzz", "shaders", "shared"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The paths of the documents, relative to the project's root.
fn documents() -> Vec<String> {
    let of_folder = |folder: &str| {
        let path = |entry: io::Result<fs::DirEntry>| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            Path::new(folder).join(name).to_str().unwrap().to_owned()
        };
        fs::read_dir(root().join(folder)).unwrap().map(path).collect::<Vec<_>>()
    };
    let files = FOLDERS.into_iter().flat_map(of_folder);
    files.filter(|path| path.ends_with(".md")).collect()
}

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// Returns the lines outside and inside fenced blocks.
fn split(text: &str) -> (Vec<&str>, Vec<&str>) {
    let mut is_block = false;
    let (mut prose, mut blocks) = (vec![], vec![]);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            blocks.push(line);
        } else {
            prose.push(line);
        }
    }
    (prose, blocks)
}

/// The arguments of all calls of the command, in blocks and in the text.
fn commands(text: &str) -> BTreeSet<String> {
    let (prose, blocks) = split(text);
    let mut found = BTreeSet::new();
    for line in blocks {
        let line = line.trim_start_matches("$ ").trim_start_matches("./");
        // Strips the shell's comment, pipe or redirection.
        let line = line.split(['#', '|', '>']).next().unwrap_or_default();
        found.extend(line.strip_prefix("queens ").map(str::to_owned));
    }
    for span in prose.join(" ").split('`').skip(1).step_by(2) {
        // `…` and `a|b` are placeholders for several arguments.
        if let Some(rest) = span.strip_prefix("queens ").filter(|rest| !rest.contains(['…', '|']))
        {
            found.insert(rest.to_owned());
        }
    }
    found
}

#[test]
fn accepts_every_documented_command() {
    let mut count = 0;
    for document in documents() {
        for command in commands(&read(&document)) {
            let arguments = command.split_whitespace().map(|word| match word {
                "N" => "8",
                "S" => "4",
                "K/S" => "1/4",
                word => word,
            });
            // With `--help`, the command only parses its arguments.
            let output = queens(arguments.chain(["--help"]));
            assert_eq!(output.code, Some(0), "{document}: queens {command}\n{}", output.err);
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn the_readme_sample_matches_the_output() {
    let text = read("README.md");
    let (_, sample) = text.split_once("$ queens count 16\n").unwrap();
    let (sample, _) = sample.split_once("```").unwrap();
    let output = line("count 16 --quiet");
    let mut printed = output.out.lines();
    for expected in sample.lines().filter(|line| *line != "…") {
        assert!(printed.any(|line| line == expected), "{expected}\n{}", output.out);
    }
}

/// Returns the anchor that GitHub generates for a heading.
fn anchor(heading: &str) -> String {
    let characters = heading.trim().chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
    characters.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

#[test]
fn every_link_of_a_document_has_a_target() {
    for document in documents() {
        let text = read(&document);
        let (prose, _) = split(&text);
        for link in prose.join(" ").split("](").skip(1) {
            let link = link.split(')').next().unwrap_or_default();
            if link.starts_with("http") {
                continue;
            }
            let (file, target) = link.split_once('#').unwrap_or((link, ""));
            let path = match file {
                "" => root().join(&document),
                file => root().join(&document).parent().unwrap().join(file),
            };
            assert!(path.exists(), "{document}: {link}");
            if !target.is_empty() {
                let text = fs::read_to_string(&path).unwrap();
                let headings = split(&text).0.into_iter().filter(|line| line.starts_with('#'));
                let mut anchors = headings.map(|line| anchor(line.trim_start_matches('#')));
                assert!(anchors.any(|known| known == target), "{document}: {link}");
            }
        }
    }
}
