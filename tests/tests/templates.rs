//! The templates for Kubernetes and GNU parallel, and the jobs that the template for Slurm submits.
//! `slurm.rs` runs these jobs.

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Arguments;
use queens_core::document::Document;
use queens_tests::command;
use queens_tests::process::find_program;
use queens_tests::trials::{CannotRun, trials};
use serde_json::Value;

type Test = fn(&()) -> Result<()>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let needs = |program: &str| match find_program(&[program]) {
        Some(_) => Ok(()),
        None => Err(CannotRun::Missing(format!("{program} is not installed"))),
    };
    let on_kubernetes: [(_, Test); 1] = [(
        "the Kubernetes template equals the checked one, and a pod's arguments count a shard",
        |()| kubernetes(),
    )];
    let with_parallel: [(_, Test); 1] =
        [("parallel counts the remaining shards and merges them", |()| parallel())];
    let with_bash: [(_, Test); 1] =
        [("nothing is submitted to Slurm if the missing shards are unknown", |()| slurm())];
    let mut all = trials(&arguments, "template for Kubernetes", Ok(()), on_kubernetes);
    let parallel = needs("parallel");
    all.extend(trials(&arguments, "template for GNU parallel", parallel, with_parallel));
    all.extend(trials(&arguments, "template for Slurm", needs("bash"), with_bash));
    libtest_mimic::run(&arguments, all).exit_code()
}

fn template(arguments: &[&str]) -> Result<String> {
    let output = command::run(&[&["template"], arguments].concat())?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

/// The template for N = 20 in 16 shards, in the version that was compared with the API types of Kubernetes
/// 1.33: they have all of its fields. docs/release.md explains how to check a new version.
const CHECKED: &str = include_str!("../data/k8s-template.yaml");

fn kubernetes() -> Result<()> {
    let text = template(&["k8s", "20", "--shards", "16"])?;
    ensure!(
        text == CHECKED,
        "the template is not tests/data/k8s-template.yaml; check it as docs/release.md says:\n{text}"
    );
    let [_claim, job, _merge] = &serde_saphyr::from_multiple::<Value>(&text)?[..] else {
        anyhow::bail!("{text}");
    };
    let job = &job["spec"];
    ensure!(job["completions"] == 16 && job["completionMode"] == "Indexed", "{job:#}");
    // The command must accept the arguments of a pod.
    let arguments = job["template"]["spec"]["containers"][0]["args"].as_array();
    let arguments = arguments.context("the container has no arguments")?.iter();
    let arguments: Vec<&str> = arguments.filter_map(Value::as_str).collect();
    let folder = tempfile::tempdir()?;
    let here = |argument: &&str| {
        let text = argument.replace("/shards", &folder.path().display().to_string());
        text.replace("$(JOB_COMPLETION_INDEX)", "3")
            .replace("20", "8")
            .replace("colours", "symmetry")
    };
    let output = std::process::Command::new(command::path()?)
        .args(arguments.iter().map(here))
        .env("JOB_COMPLETION_INDEX", "3")
        .output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let document = document(&folder.path().join("3.json"))?;
    ensure!(document.header.shard.is_some_and(|shard| (shard.index, shard.of) == (3, 16)));
    Ok(())
}

fn document(path: &Path) -> Result<Document> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(Document::parse(&text)?)
}

fn parallel() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let script = template(&["parallel", "12", "--shards", "5"])?;
    fs::write(folder.path().join("count.sh"), script)?;
    let queens = command::path()?;
    let mut path =
        queens.parent().context("the path of the command has no folder")?.as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    let run = || -> Result<std::process::Output> {
        let mut shell = std::process::Command::new("sh");
        shell.arg("count.sh").env("PATH", &path).env("HOME", folder.path());
        for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "PARALLEL_SEQ"] {
            shell.env_remove(name);
        }
        Ok(shell.current_dir(&folder).output()?)
    };
    let output = run()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let total =
        |name: &str| Ok::<_, anyhow::Error>(document(&folder.path().join(name))?.header.total);
    ensure!(total("queens-12.json")? == 14_200);

    // Another run counts only the shards whose results were removed or damaged.
    let shard = |index: u32| folder.path().join(format!("queens-12/{index}.json"));
    let modified = |index| Ok::<_, anyhow::Error>(fs::metadata(shard(index))?.modified()?);
    let before = (modified(0)?, modified(1)?, modified(4)?);
    fs::remove_file(shard(2))?;
    fs::remove_file(folder.path().join("queens-12/2.journal"))?;
    fs::write(shard(3), "{")?;
    let output = run()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    ensure!(total("queens-12/2.json")? > 0 && total("queens-12/3.json")? > 0);
    ensure!(total("queens-12.json")? == 14_200);
    ensure!((modified(0)?, modified(1)?, modified(4)?) == before, "a finished shard was counted");
    Ok(())
}

fn slurm() -> Result<()> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("count.sh"), template(&["slurm", "12", "--shards", "5"])?)?;
    for (queens, code, jobs) in [
        // Every shard has a result, so only the merge is left.
        (":", 0, 1),
        ("echo 0,2-4", 0, 2),
        // The files of the listed shards are damaged.
        ("echo 3; return 65", 0, 2),
        // The files are from different counts.
        ("return 65", 65, 0),
        // The files are from another number of shards.
        ("return 2", 2, 0),
        // The command is not installed.
        ("return 127", 127, 0),
    ] {
        let line = format!(
            "queens() {{ {queens}; }}; sbatch() {{ echo \"sbatch $*\" >&2; echo 7; }}; . ./count.sh"
        );
        let output =
            std::process::Command::new("bash").args(["-c", &line]).current_dir(&folder).output()?;
        let calls = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.code() == Some(code), "{queens}: {}, {calls}", output.status);
        let submitted = calls.lines().filter(|line| line.starts_with("sbatch ")).count();
        ensure!(submitted == jobs, "{queens}: {calls}");
    }
    Ok(())
}
