//! Checks the crates of the registry: their licences, their origins and duplicate versions.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use serde_json::Value;

/// The only allowed origin.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The allowed licences: those that permit distributing the programs under the project's own
/// licences. MPL 2.0 only demands publishing changes to the crate itself.
const LICENCES: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Zlib",
];

/// Additional licences for tools that are not distributed: libFuzzer's.
const TOOL_LICENCES: [&str; 1] = ["NCSA"];

/// The crates of which several versions are used because other crates depend on them. Each new
/// duplicate costs build time and program size, so check whether it can be avoided.
const SEVERAL_VERSIONS: &str = include_str!("several-versions.txt");

/// Checks cargo's metadata against the lists.
pub fn check(metadata: &Value) -> Result<()> {
    let mut wrong = wrong_origins_and_licences(metadata, &[]);
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let text = |field: &str| package[field].as_str();
        if let (Some(name), Some(version), Some(_)) =
            (text("name"), text("version"), text("source"))
        {
            versions.entry(name).or_default().insert(version);
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    let listed: BTreeSet<&str> = SEVERAL_VERSIONS.lines().collect();
    for (name, versions) in &versions {
        if !listed.contains(name) {
            let versions = versions.iter().copied().collect::<Vec<_>>().join(", ");
            wrong.push(format!("there are several versions of {name}: {versions}"));
        }
    }
    for name in listed.into_iter().filter(|name| !versions.contains_key(name)) {
        wrong.push(format!("several-versions.txt names {name}, which has at most one version"));
    }
    fail_if_any(&wrong)
}

/// Checks the metadata of tools that are not distributed against the lists of origins and licences.
pub fn check_tools(metadata: &Value) -> Result<()> {
    fail_if_any(&wrong_origins_and_licences(metadata, &TOOL_LICENCES))
}

fn fail_if_any(wrong: &[String]) -> Result<()> {
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    Ok(())
}

/// Describes the crates that come from another origin, or whose licence is neither on the list nor in `more`.
fn wrong_origins_and_licences(metadata: &Value, more: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let Some(source) = package["source"].as_str() else { continue };
        let text = |field: &str| package[field].as_str().unwrap_or_default();
        let (name, licence) = (text("name"), text("license"));
        if source != REGISTRY {
            wrong.push(format!("{name} comes from {source}"));
        }
        if !is_allowed(licence, more) {
            wrong.push(format!("{name} is under \"{licence}\", which is not on the list"));
        }
    }
    wrong
}

/// Returns whether at least one alternative consists of allowed licences only. Some expressions without
/// parentheses are rejected although an alternative is allowed.
fn is_allowed(licence: &str, more: &[&str]) -> bool {
    let plain = licence.replace(['(', ')'], "");
    // The expression is read as choices that are joined by `AND`, with or without parentheses. Before `OR`
    // existed, a slash separated alternatives.
    let either = |part: &str| {
        part.split(" OR ")
            .flat_map(|part| part.split('/'))
            .any(|each| LICENCES.iter().chain(more).any(|allowed| *allowed == each.trim()))
    };
    plain.split(" AND ").all(either)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parses_licence_expressions() {
        for licence in [
            "MIT",
            "MIT OR Apache-2.0",
            "Unlicense/MIT",
            "GPL-3.0 OR Zlib",
            "(Apache-2.0 OR GPL-3.0) AND Unicode-3.0",
        ] {
            assert!(is_allowed(licence, &[]), "{licence}");
        }
        for licence in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR ISC) AND GPL-3.0", "MITX"] {
            assert!(!is_allowed(licence, &[]), "{licence}");
        }
        let libfuzzer = "(MIT OR Apache-2.0) AND NCSA";
        assert!(!is_allowed(libfuzzer, &[]) && is_allowed(libfuzzer, &TOOL_LICENCES));
    }

    #[test]
    fn names_duplicate_foreign_and_unlicensed_packages() {
        let package = |name: &str, version: &str, source: &str, licence: &str| json!({ "name": name, "version": version, "source": source, "license": licence });
        let error =
            |packages: Value| check(&json!({ "packages": packages })).unwrap_err().to_string();
        let own = json!({ "name": "own", "version": "1", "source": null, "license": null });
        let found = error(json!([
            own,
            package("a", "1.0.0", REGISTRY, "MIT"),
            package("a", "2.0.0", REGISTRY, "MIT"),
            package("b", "1.0.0", "git+https://example.org/b", "GPL-3.0"),
        ]));
        for part in [
            "there are several versions of a: 1.0.0, 2.0.0",
            "b comes from git+https://example.org/b",
            "b is under \"GPL-3.0\"",
            "several-versions.txt names base64,",
        ] {
            assert!(found.contains(part), "{part}: {found}");
        }
        assert!(found.lines().all(|line| !line.starts_with("own ")), "{found}");
    }
}
