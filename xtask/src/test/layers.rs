//! Enforces the module layers described in ARCHITECTURE.md, and rejects dependency cycles between
//! files.

mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, bail};

use crate::project;
use sources::Uses;

/// Known violations: uses that break the layers or belong to a cycle, as pairs of the using and the used
/// file. The list may only become shorter.
const KNOWN_VIOLATIONS: &[(&str, &str)] = &[];

/// Compares the dependencies in the sources with the layers in ARCHITECTURE.md.
pub fn check() -> Result<()> {
    let path = project::root().join("ARCHITECTURE.md");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let declared = parse_layers(&text);
    let crates: BTreeSet<&str> = declared.iter().map(Layers::crate_folder).collect();
    let mut uses = Uses::new();
    for folder in crates {
        uses.extend(sources::uses(project::root(), folder)?);
    }
    let problems = violations(&declared, &uses, KNOWN_VIOLATIONS);
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}

/// The layers of a folder. A module may use only modules of lower layers, not of the same one.
#[derive(Debug, PartialEq)]
struct Layers {
    folder: String,
    /// The names of the modules in each layer, the lowest layer first.
    steps: Vec<Vec<String>>,
}

impl Layers {
    /// Parses a line `folder  lowest ← middle, another in the middle ← highest`.
    fn parse(line: &str) -> Option<Layers> {
        let (folder, steps) = line.split_once(' ')?;
        let steps = steps.split('←').map(|step| {
            let names = step.split(',').map(|name| name.trim().to_owned());
            names.filter(|name| !name.is_empty()).collect()
        });
        Some(Layers { folder: folder.to_owned(), steps: steps.collect() })
    }

    /// Returns the source folder of the crate.
    fn crate_folder(&self) -> &str {
        self.folder.find("/src").map_or(&self.folder, |at| &self.folder[..at + "/src".len()])
    }

    /// Returns the name of the file or subfolder of this folder that is or contains `file`. Returns `None` if
    /// the file is elsewhere or only assembles the folder's modules.
    fn part<'a>(&self, file: &'a str) -> Option<&'a str> {
        let rest = file.strip_prefix(&self.folder)?.strip_prefix('/')?;
        let part = rest.split('/').next().unwrap_or(rest).trim_end_matches(".rs");
        Some(part).filter(|part| !["lib", "main", "mod"].contains(part))
    }

    fn step(&self, part: &str) -> Option<usize> {
        self.steps.iter().position(|names| names.iter().any(|name| name == part))
    }

    /// Returns a description of the violation if `from` must not use `to`.
    fn violation(&self, from: &str, to: &str) -> Option<String> {
        let (user, used) = (self.part(from)?, self.part(to)?);
        let is_allowed = user == used || self.step(used) < self.step(user);
        (!is_allowed).then(|| {
            let Layers { folder, .. } = self;
            format!("{from} uses {to}: in {folder}, {used} is not below {user}")
        })
    }
}

/// Parses the layers in the code block below "### Layers".
fn parse_layers(text: &str) -> Vec<Layers> {
    let (_, section) = text.split_once("\n### Layers\n").unwrap_or_default();
    let block = section.split("```").nth(1).unwrap_or_default();
    block.lines().skip(1).filter_map(Layers::parse).collect()
}

/// Describes all violations.
fn violations(declared: &[Layers], uses: &Uses, known: &[(&str, &str)]) -> Vec<String> {
    let mut problems = Vec::new();
    if declared.is_empty() {
        problems.push("ARCHITECTURE.md lists no layers below \"### Layers\"".to_owned());
    }
    for layers in declared {
        let parts: BTreeSet<&str> = uses.keys().filter_map(|file| layers.part(file)).collect();
        let names: BTreeSet<&str> = layers.steps.iter().flatten().map(String::as_str).collect();
        for part in parts.difference(&names) {
            problems.push(format!("{}/{part} is in no layer of ARCHITECTURE.md", layers.folder));
        }
        for name in names.difference(&parts) {
            problems.push(format!(
                "ARCHITECTURE.md lists {name}, which {} does not contain",
                layers.folder
            ));
        }
    }
    let mut others = uses.clone();
    for (from, to) in known {
        others.get_mut(*from).map(|used| used.remove(*to));
    }
    let violation_between =
        |from: &str, to: &str| declared.iter().find_map(|layers| layers.violation(from, to));
    for (from, used) in &others {
        problems.extend(used.iter().filter_map(|to| violation_between(from, to)));
    }
    problems.extend(cycles(&others).into_iter().map(|cycle| {
        let files: Vec<&str> = cycle.into_iter().collect();
        format!("files that use each other in a cycle: {}", files.join(", "))
    }));
    for &(from, to) in known {
        let is_used = uses.get(from).is_some_and(|used| used.contains(to));
        let is_wrong =
            violation_between(from, to).is_some() || reachable(&others, to).contains(from);
        if !(is_used && is_wrong) {
            problems
                .push(format!("{from} no longer wrongly uses {to}: remove the pair from the list"));
        }
    }
    problems
}

/// Returns the sets of files that depend on each other in cycles.
fn cycles(uses: &Uses) -> BTreeSet<BTreeSet<&str>> {
    let reachable: BTreeMap<&str, _> =
        uses.keys().map(|file| (file.as_str(), reachable(uses, file))).collect();
    let in_cycle = reachable.iter().filter(|(file, found)| found.contains(*file));
    in_cycle
        .map(|(file, found)| {
            let back = |other: &&str| reachable.get(other).is_some_and(|far| far.contains(file));
            found.iter().copied().filter(back).collect()
        })
        .collect()
}

/// Returns the files that a file uses directly or indirectly.
fn reachable<'a>(uses: &'a Uses, from: &str) -> BTreeSet<&'a str> {
    let mut reachable = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for used in uses.get(file).into_iter().flatten() {
            if reachable.insert(used.as_str()) {
                open.push(used);
            }
        }
    }
    reachable
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\n### Layers\n\nWords.\n\n```text\na/src    low ← mid, side ← top\na/src/mid  x ← y\n```\n";

    fn uses(pairs: &[(&str, &str)]) -> Uses {
        let mut uses = Uses::new();
        let all = ["low.rs", "mid/mod.rs", "mid/x.rs", "mid/y.rs", "side.rs", "top.rs", "lib.rs"];
        for file in all {
            uses.insert(format!("a/src/{file}"), BTreeSet::new());
        }
        for (from, to) in pairs {
            uses.get_mut(&format!("a/src/{from}")).unwrap().insert(format!("a/src/{to}"));
        }
        uses
    }

    fn found(pairs: &[(&str, &str)], known: &[(&str, &str)]) -> Vec<String> {
        violations(&parse_layers(TEXT), &uses(pairs), known)
    }

    #[test]
    fn reads_the_layers_from_architecture_md() {
        let declared = parse_layers(TEXT);
        assert_eq!(declared.len(), 2);
        assert_eq!(declared[0].steps, [vec!["low"], vec!["mid", "side"], vec!["top"]]);
        assert_eq!(
            (declared[1].folder.as_str(), declared[1].crate_folder()),
            ("a/src/mid", "a/src")
        );
        assert_eq!(violations(&[], &uses(&[]), &[]).len(), 1);
    }

    #[test]
    fn a_layer_may_use_only_earlier_layers() {
        assert_eq!(
            found(
                &[
                    ("mid/x.rs", "low.rs"),
                    ("mid/y.rs", "mid/x.rs"),
                    ("top.rs", "low.rs"),
                    ("top.rs", "mid/mod.rs"),
                    ("lib.rs", "top.rs"),
                    ("mid/mod.rs", "mid/y.rs"),
                ],
                &[]
            ),
            [""; 0]
        );
        assert_eq!(
            found(&[("low.rs", "top.rs"), ("side.rs", "mid/x.rs"), ("mid/x.rs", "mid/y.rs")], &[]),
            [
                "a/src/low.rs uses a/src/top.rs: in a/src, top is not below low",
                "a/src/mid/x.rs uses a/src/mid/y.rs: in a/src/mid, y is not below x",
                "a/src/side.rs uses a/src/mid/x.rs: in a/src, mid is not below side",
            ]
        );
    }

    #[test]
    fn reports_modules_missing_from_table_or_folder() {
        let mut more = uses(&[]);
        more.insert("a/src/new.rs".into(), BTreeSet::new());
        more.remove("a/src/side.rs");
        assert_eq!(
            violations(&parse_layers(TEXT), &more, &[]),
            [
                "a/src/new is in no layer of ARCHITECTURE.md",
                "ARCHITECTURE.md lists side, which a/src does not contain"
            ]
        );
    }

    #[test]
    fn finds_import_cycles_within_a_layer() {
        let cycle = [("mid/mod.rs", "mid/x.rs"), ("mid/x.rs", "mid/mod.rs"), ("top.rs", "low.rs")];
        let sentence = "files that use each other in a cycle: a/src/mid/mod.rs, a/src/mid/x.rs";
        assert_eq!(found(&cycle, &[]), [sentence]);
        assert_eq!(found(&cycle, &[("a/src/mid/x.rs", "a/src/mid/mod.rs")]), [""; 0]);
    }

    #[test]
    fn reports_obsolete_exceptions() {
        let known = [("a/src/low.rs", "a/src/top.rs")];
        assert_eq!(found(&[("low.rs", "top.rs")], &known), [""; 0]);
        let sentence =
            "a/src/low.rs no longer wrongly uses a/src/top.rs: remove the pair from the list";
        assert_eq!(found(&[], &known), [sentence]);
        let known = [("a/src/top.rs", "a/src/low.rs")];
        assert_eq!(found(&[("top.rs", "low.rs")], &known).len(), 1);
    }
}
