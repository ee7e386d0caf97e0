//! Sees that the tests that stand for faults of the past are there.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::project;

/// The list of the faults, from the project's root.
const LIST: &str = "tests/regressions.md";

/// Looks for every test of the list in its file.
pub fn check() -> Result<()> {
    let text = fs::read_to_string(project::root().join(LIST)).context(LIST)?;
    let listed = listed(&text);
    if listed.is_empty() {
        bail!("{LIST} lists no tests");
    }
    let mut missing = Vec::new();
    for (name, file) in listed {
        let source = fs::read_to_string(project::root().join(file))
            .with_context(|| format!("{LIST} names {file}"))?;
        if !has(&source, name) {
            missing.push(format!("{LIST} names {name}, which {file} does not have"));
        }
    }
    if !missing.is_empty() {
        bail!("{}", missing.join("\n"));
    }
    Ok(())
}

/// The name and the file of each test in the table, whose last two columns they are.
fn listed(text: &str) -> Vec<(&str, &str)> {
    let rows = text.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.filter_map(|row| {
        let mut cells = row.trim_matches('|').rsplit('|').map(str::trim);
        let (file, name) = (cells.next()?, cells.next()?);
        Some((name.trim_matches('`'), file))
    })
    .collect()
}

fn has(source: &str, name: &str) -> bool {
    source.contains(&format!("fn {name}("))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_read_from_the_table_and_found_by_their_whole_name() {
        let text = "# Faults\n\n| what | test | in |\n|---|---|---|\n| a `b` | `c_d` | e/f.rs |\n";
        assert_eq!(listed(text), [("c_d", "e/f.rs")]);
        assert!(has("#[test]\nfn c_d() {}", "c_d"));
        assert!(!has("#[test]\nfn c_d_e() {}", "c_d"));
    }
}
