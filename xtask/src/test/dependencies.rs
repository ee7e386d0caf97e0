//! Checks the list of dependencies in docs/development.md, and the origins and licences of crates.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::registry;
use crate::{fuzz, project};

/// Checks the origins and licences of all dependencies, and compares the direct dependencies with the table
/// in docs/development.md.
pub fn check() -> Result<()> {
    let metadata = project::metadata(&[])?;
    registry::check(&metadata)?;
    let fuzz = project::metadata(&["--manifest-path", fuzz::MANIFEST])?;
    registry::check_tools(&fuzz)?;
    let path = project::root().join("docs/development.md");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let direct = &direct_dependencies(&metadata) | &direct_dependencies(&fuzz);
    compare(&direct, &documented_dependencies(&text))
}

/// Returns the registry crates that a crate of the workspace depends on directly.
fn direct_dependencies(metadata: &Value) -> BTreeSet<String> {
    let members = metadata["workspace_members"].as_array();
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages
        .filter(|package| members.is_some_and(|members| members.contains(&package["id"])))
        .flat_map(|package| package["dependencies"].as_array().into_iter().flatten())
        .filter(|dependency| !dependency["source"].is_null())
        .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
        .collect()
}

/// Returns the names in the first column of the table below "## Dependencies".
fn documented_dependencies(text: &str) -> BTreeSet<String> {
    let (_, section) = text.split_once("\n## Dependencies\n").unwrap_or_default();
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.filter_map(|row| row.split('|').nth(1))
        .flat_map(|names| names.split(','))
        .map(|name| name.trim().to_owned())
        .collect()
}

fn compare(direct: &BTreeSet<String>, explained: &BTreeSet<String>) -> Result<()> {
    let list =
        |names: Vec<&String>| names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let unexplained = list(direct.difference(explained).collect());
    let unused = list(explained.difference(direct).collect());
    if !unexplained.is_empty() {
        bail!("missing in the table of dependencies in docs/development.md: {unexplained}");
    }
    if !unused.is_empty() {
        bail!("unused, but in the table of dependencies in docs/development.md: {unused}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names(list: &[&str]) -> BTreeSet<String> {
        list.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn lists_only_registry_dependencies_of_members() {
        let metadata = json!({
            "workspace_members": ["a"],
            "packages": [
                { "id": "a", "dependencies": [
                    { "name": "serde", "source": "registry" },
                    { "name": "queens-core", "source": null },
                ] },
                { "id": "serde", "dependencies": [{ "name": "syn", "source": "registry" }] },
            ],
        });
        assert_eq!(direct_dependencies(&metadata), names(&["serde"]));
    }

    #[test]
    fn reads_the_table_of_dependencies() {
        let text = "\n## Dependencies\n\n| crate | for |\n|---|---|\n| a, b | x |\n| c | y |\n\n## Z\n| d | z |\n";
        assert_eq!(documented_dependencies(text), names(&["a", "b", "c"]));
    }

    #[test]
    fn reports_missing_and_obsolete_rows() {
        let error = |direct: &[&str], explained: &[&str]| {
            compare(&names(direct), &names(explained)).unwrap_err().to_string()
        };
        let table = "the table of dependencies in docs/development.md";
        assert_eq!(error(&["a", "b"], &["a"]), format!("missing in {table}: b"));
        assert_eq!(error(&["a"], &["a", "c"]), format!("unused, but in {table}: c"));
        assert!(compare(&names(&["a"]), &names(&["a"])).is_ok());
    }
}
