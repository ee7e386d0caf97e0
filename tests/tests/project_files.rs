//! Files of the project that are not code: workflows have few permissions and limited time, and name actions
//! only by commits.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

const WORKFLOWS: &str = ".github/workflows";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> Result<String> {
    fs::read_to_string(root().join(file)).with_context(|| file.to_owned())
}

/// The workflows' files, by their paths from the project's root.
fn workflows() -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join(WORKFLOWS)).context(WORKFLOWS)? {
        let name = entry?.file_name().into_string().ok().context("a name is not UTF-8")?;
        ensure!(name.ends_with(".yml"), "{WORKFLOWS}/{name} is not a .yml file");
        files.push(format!("{WORKFLOWS}/{name}"));
    }
    ensure!(!files.is_empty(), "{WORKFLOWS} is empty");
    Ok(files)
}

/// A tag can be moved to other code later; a commit cannot.
#[test]
fn workflows_pin_actions_to_commits() -> Result<()> {
    let mut count = 0;
    for file in workflows()? {
        for line in read(&file)?.lines() {
            let Some((_, action)) = line.split_once("uses: ") else { continue };
            if let Some(called) = action.strip_prefix("./") {
                ensure!(root().join(called).is_file(), "{file}: {called} does not exist");
                continue;
            }
            let (action, version) = action
                .split_once(" # v")
                .with_context(|| format!("{file}: {action} lacks the comment with its version"))?;
            let commit = action.split_once('@').map_or("", |(_, commit)| commit);
            let is_commit = commit.len() == 40
                && commit.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            ensure!(is_commit, "{file}: {action} is not named by a commit");
            ensure!(version.split('.').count() == 3, "{file}: {version} is not a full version");
            count += 1;
        }
    }
    ensure!(count > 5, "only {count} actions were found");
    Ok(())
}

#[test]
fn workflows_have_few_permissions_and_limited_time() -> Result<()> {
    for file in workflows()? {
        let workflow: Value =
            serde_saphyr::from_str(&read(&file)?).with_context(|| file.clone())?;
        let permissions = &workflow["permissions"];
        ensure!(*permissions == serde_json::json!({ "contents": "read" }), "{file}: {permissions}");
        let jobs = workflow["jobs"].as_object().with_context(|| format!("{file} has no jobs"))?;
        for (name, job) in jobs {
            // A job that calls a workflow cannot have a limit. The jobs of the called workflow have limits.
            if job["uses"].is_string() {
                continue;
            }
            let minutes = job["timeout-minutes"].as_u64();
            ensure!(
                minutes.is_some_and(|minutes| minutes <= 100),
                "{file}: {name} has no time limit"
            );
        }
    }
    Ok(())
}
