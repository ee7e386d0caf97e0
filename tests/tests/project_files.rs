//! Files of the project that are not code: workflows, dependabot.yml, issue forms and CITATION.cff
//! follow their JSON schemas, workflows have few rights and name actions only by commits, systemd
//! accepts the service, and versions and licences agree. The map names files and items that exist; it
//! consists of the lists of places to change in ARCHITECTURE.md and docs/development.md.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Arguments, Trial};
use queens_tests::command;
use queens_tests::process::{find_program, target_folder};
use serde_json::Value;

/// The folder of the schemas that `cargo xtask test --install` installs, below cargo's target folder.
const SCHEMAS: &str = "wheels/check-jsonschema==0.39.0/check_jsonschema/builtin_schemas/vendor";

const FORMS: &str = ".github/ISSUE_TEMPLATE";
const WORKFLOWS: &str = ".github/workflows";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let strict = env::var("CI").is_ok_and(|value| value == "true");
    let is_missing = !target_folder().is_ok_and(|target| target.join(SCHEMAS).is_dir());
    if is_missing {
        eprintln!("The schemas of check-jsonschema are not installed.");
    }
    let systemd = find_program(&["systemd-analyze"]);
    if systemd.is_none() {
        eprintln!("systemd-analyze is not installed.");
    }
    let is_without_systemd = systemd.is_none();
    let as_trial = |outcome: Result<()>| outcome.map_err(|error| format!("{error:#}").into());
    let trials = vec![
        Trial::test("every file follows its schema", move || as_trial(check_schemas()))
            .with_ignored_flag(is_missing && !strict),
        Trial::test("the service is valid and has few rights", move || {
            as_trial(
                systemd.context("no systemd-analyze").and_then(|program| check_service(&program)),
            )
        })
        .with_ignored_flag(is_without_systemd && !strict),
        Trial::test("workflows pin actions to commits", move || as_trial(check_pinned_actions())),
        Trial::test("workflows have few permissions and limited time", move || {
            as_trial(check_workflow_limits())
        }),
        Trial::test("CITATION.cff cites the last version", move || as_trial(check_citation())),
        Trial::test("deny.toml and xtask accept the same licences", move || {
            as_trial(check_licences())
        }),
        Trial::test("the map names existing files and items", move || as_trial(check_map())),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> Result<String> {
    fs::read_to_string(root().join(file)).with_context(|| file.to_owned())
}

fn yaml(file: &str) -> Result<Value> {
    serde_saphyr::from_str(&read(file)?).with_context(|| file.to_owned())
}

/// The YAML files of a folder, by their paths from the project's root.
fn files(folder: &str) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join(folder)).with_context(|| folder.to_owned())? {
        let name = entry?.file_name().into_string().ok().context("a name is not UTF-8")?;
        ensure!(name.ends_with(".yml"), "{folder}/{name} is not a .yml file");
        files.push(format!("{folder}/{name}"));
    }
    ensure!(!files.is_empty(), "{folder} is empty");
    files.sort();
    Ok(files)
}

fn check_schemas() -> Result<()> {
    let citation = ("CITATION.cff".to_owned(), "citation-file-format");
    let mut schemas = vec![citation, (".github/dependabot.yml".to_owned(), "dependabot")];
    schemas.extend(files(WORKFLOWS)?.into_iter().map(|file| (file, "github-workflows")));
    schemas.extend(files(FORMS)?.into_iter().map(|file| {
        let is_form = !file.ends_with("/config.yml");
        (file, if is_form { "github-issue-forms" } else { "github-issue-config" })
    }));
    for (file, schema) in schemas {
        let path = target_folder()?.join(SCHEMAS).join(schema).with_extension("json");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let schema: Value = serde_json::from_str(&text)?;
        let validator = jsonschema::validator_for(&schema)
            .map_err(|error| anyhow::anyhow!("{} is not a schema: {error}", path.display()))?;
        let value = yaml(&file)?;
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{file}: {}: {error}", error.instance_path()))
            .collect();
        ensure!(errors.is_empty(), "{}", errors.join("\n"));
    }
    Ok(())
}

/// Checks that workflows name actions by commits. A tag can be moved to other code later; a commit
/// cannot.
fn check_pinned_actions() -> Result<()> {
    let mut count = 0;
    for file in files(WORKFLOWS)? {
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

fn check_workflow_limits() -> Result<()> {
    for file in files(WORKFLOWS)? {
        let workflow = yaml(&file)?;
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

/// Checks that CITATION.cff has the version and the date of the last release in CHANGELOG.md.
fn check_citation() -> Result<()> {
    let changelog = read("CHANGELOG.md")?;
    let mut headings = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    let last = headings.find_map(|heading| heading.split_once(" - "));
    let (version, date) = last.context("CHANGELOG.md has no version")?;
    let citation = yaml("CITATION.cff")?;
    ensure!(citation["version"] == version, "version {} instead of {version}", citation["version"]);
    let cited = &citation["date-released"];
    ensure!(cited == date, "date {cited} instead of {date}");
    Ok(())
}

/// Checks that deny.toml accepts the same licences as xtask/src/test/registry.rs, which also checks
/// them.
fn check_licences() -> Result<()> {
    let listed = |text: &str, from: &str| -> Result<Vec<String>> {
        let (_, rest) = text.split_once(from).with_context(|| from.to_owned())?;
        let (list, _) = rest.split_once("\n]").with_context(|| from.to_owned())?;
        Ok(list.split('"').skip(1).step_by(2).map(str::to_owned).collect())
    };
    let tests = listed(&read("xtask/src/test/registry.rs")?, "const LICENCES: ")?;
    let deny = listed(&read("deny.toml")?, "\nallow = [")?;
    ensure!(tests == deny, "the tests accept {tests:?}, deny.toml {deny:?}");
    Ok(())
}

/// Checks that systemd finds no fault in the service and rates its exposure at most 1.5 on a scale from
/// 0 to 10. The option `--threshold` counts in tenths.
fn check_service(systemd: &Path) -> Result<()> {
    let text = read("docs/queens.service")?;
    let installed = "/usr/local/bin/queens";
    ensure!(text.contains(&format!("ExecStart={installed} serve ")), "{text}");
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("queens.service");
    // systemd checks that the program exists, so its path is replaced with the path of the built command.
    fs::write(&file, text.replace(installed, &command::path()?.display().to_string()))?;
    for arguments in
        [&["verify", "--man=no"][..], &["security", "--offline=true", "--threshold=15"]]
    {
        let output = Command::new(systemd).args(arguments).arg(&file).output()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        let table = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success() && stderr.is_empty(), "{arguments:?}: {stderr}{table}");
    }
    // The command accepts the options of the service.
    let options = text.lines().find_map(|line| line.strip_prefix("ExecStart="));
    let options = options.unwrap_or_default().split(' ').skip(1);
    let output = Command::new(command::path()?).args(options).arg("--help").output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Endings of the file names in the map.
const ENDINGS: [&str; 16] = [
    "cpp", "css", "cu", "html", "js", "json", "md", "rs", "service", "snap", "toml", "txt", "wgsl",
    "yaml", "yml", "sh",
];

/// Words in the map that stand for the id or the kind of a new item.
const PLACEHOLDERS: [&str; 2] = ["ID", "KIND"];

/// Checks the lists of places to change: each path in backquotes must exist, and each name in backquotes
/// must occur in the sources. In "`name` (`path`)" and "`name`, `name` and `name` in `path`", the names
/// must occur in the file.
fn check_map() -> Result<()> {
    let mut paths = Vec::new();
    add_paths(&root(), "", &mut paths)?;
    // The words of each file. The documents are left out, because their own words prove nothing.
    let words: BTreeMap<&str, BTreeSet<String>> = paths
        .iter()
        .filter(|path| has_ending(path) && !path.ends_with(".md"))
        .map(|path| Ok((path.as_str(), words(&read(path)?).map(str::to_owned).collect())))
        .collect::<Result<_>>()?;
    let mut problems = Vec::new();
    for (document, heading) in [
        ("ARCHITECTURE.md", "\n## Where to add\n"),
        ("docs/development.md", "\n## Where else to add\n"),
    ] {
        let text = read(document)?;
        let (_, section) = text.split_once(heading).with_context(|| heading.to_owned())?;
        let (section, _) = section.split_once("\n## ").unwrap_or((section, ""));
        let section = section.split_whitespace().collect::<Vec<_>>().join(" ");
        // The texts in backquotes, each with the text between it and the next one.
        let pieces: Vec<&str> = section.split('`').skip(1).collect();
        let quoted: Vec<(&str, &str)> = pieces
            .chunks(2)
            .map(|pair| (pair[0], pair.get(1).copied().unwrap_or_default()))
            .collect();
        ensure!(quoted.len() > 50, "{document}: only {} names", quoted.len());
        for (index, (name, _)) in quoted.iter().enumerate() {
            if is_path(name) {
                let missing = alternatives(name)
                    .into_iter()
                    .filter(|path| matching_paths(&paths, path).is_empty());
                problems.extend(missing.map(|path| format!("{document}: {path} does not exist")));
                continue;
            }
            let files: Vec<&str> = place_of(&quoted[index..])
                .map(|path| {
                    alternatives(path)
                        .iter()
                        .flat_map(|path| matching_paths(&paths, path))
                        .collect()
                })
                .unwrap_or_else(|| words.keys().copied().collect());
            for word in words_of_name(name) {
                let is_known = files.iter().any(|file| contains_word(&words, file, word));
                if !is_known {
                    let place =
                        if files.len() < 5 { files.join(", ") } else { "the sources".to_owned() };
                    problems.push(format!("{document}: `{name}`: {word} is not in {place}"));
                }
            }
        }
    }
    ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

/// Whether a file, or a file in a folder, contains the word.
fn contains_word(words: &BTreeMap<&str, BTreeSet<String>>, path: &str, word: &str) -> bool {
    let is_within = |file: &str| file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    let mut files = words.iter().filter(|(file, _)| **file == path || is_within(file));
    files.any(|(_, words)| words.contains(word))
}

/// Adds the paths of all files and folders of the project, from its root. Leaves out build outputs, Git's
/// folder and the files in the corpus of the fuzz targets.
fn add_paths(folder: &Path, path: &str, paths: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().into_string().ok().context("a name is not UTF-8")?;
        if ["target", ".git"].contains(&name.as_str()) {
            continue;
        }
        let is_corpus = name == "corpus";
        let path = if path.is_empty() { name } else { format!("{path}/{name}") };
        if entry.file_type()?.is_dir() && !is_corpus {
            add_paths(&entry.path(), &path, paths)?;
        }
        paths.push(path);
    }
    Ok(())
}

fn has_ending(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Whether a text in backquotes is a path, not a name. It may contain `{a,b}` and `*`.
fn is_path(text: &str) -> bool {
    let is_path_char = |c: char| c.is_ascii_alphanumeric() || "._/{},*-".contains(c);
    let is_ending = text.starts_with('.') && !text.contains('/');
    text.chars().all(is_path_char) && !is_ending && (text.contains('/') || has_ending(text))
}

/// Returns the paths that a path with `{a,b}` stands for.
fn alternatives(path: &str) -> Vec<String> {
    let Some((start, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((list, end)) = rest.split_once('}') else { return vec![path.to_owned()] };
    let each = list.split(',').map(|choice| format!("{start}{choice}{end}"));
    each.flat_map(|path| alternatives(&path)).collect()
}

/// Returns the project's paths that equal `path` or end with it. `*` stands for any text.
fn matching_paths<'a>(paths: &'a [String], path: &str) -> Vec<&'a str> {
    let path = path.trim_end_matches('/');
    let parts: Vec<&str> = path.split('*').collect();
    let fits = |end: &str| {
        let [first, middle @ .., last] = &parts[..] else { return end == path };
        let Some(rest) = end.strip_prefix(first) else { return false };
        let rest = middle.iter().try_fold(rest, |rest, part| Some(rest.split_once(part)?.1));
        rest.is_some_and(|rest| rest.ends_with(last))
    };
    let ends = |path: &str| {
        let starts = path.match_indices('/').map(|(index, _)| index + 1);
        [0].into_iter().chain(starts).any(|start| fits(&path[start..]))
    };
    paths.iter().map(String::as_str).filter(|path| ends(path)).collect()
}

/// Returns the path that the map names for the first of these names.
fn place_of<'a>(quoted: &[(&'a str, &'a str)]) -> Option<&'a str> {
    let mut rest = quoted;
    let mut is_first = true;
    while let [(_, gap), following @ ..] = rest {
        let (next, _) = following.first()?;
        match *gap {
            " (" if is_first && is_path(next) => return Some(next),
            " in " if is_path(next) => return Some(next),
            ", " | " and " | ", and " if !is_path(next) => {}
            _ => return None,
        }
        (rest, is_first) = (following, false);
    }
    None
}

/// Splits a text into words, which may contain digits and underscores.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Returns the words of a name in backquotes, without placeholders and without a word that ends in `…`.
fn words_of_name(name: &str) -> impl Iterator<Item = &str> {
    let before = name.split('…').next().unwrap_or_default();
    let is_cut = before.len() < name.len();
    let end = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    let name = if is_cut { end } else { before };
    words(name).filter(|word| !PLACEHOLDERS.contains(word))
}
