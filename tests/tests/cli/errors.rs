//! Errors for invalid input, with their hints and exit codes.

use queens::{count::Cpu, host::Host};
use queens_core::{Method, Size};

use crate::support::{CommandOutput, assert_output, command, line, queens};

#[test]
fn rejects_invalid_sizes() {
    let mut text = String::new();
    for size in ["0", "33", "-1", "3.5", "eight", "", "99999999999999999999", "29"] {
        let output = queens(["count", size]);
        assert_eq!(output.code, Some(2), "{size}: {output:?}");
        assert_eq!(output.out, "");
        text += &output.err.replace("\n\nFor more information, try '--help'.", "");
        assert_eq!(queens(["classes", size]).code, Some(2), "classes {size}");
        for end in ["--from", "--to"] {
            assert_eq!(queens(["table", end, size]).code, Some(2), "table {end} {size}");
        }
    }
    for size in ["0", "33", "-1", "eight"] {
        let output = queens(["boards", size]);
        assert_eq!(output.code, Some(2), "{size}: {output:?}");
        text += &output.err.replace("\n\nFor more information, try '--help'.", "");
        assert_eq!(queens(["complete", size]).code, Some(2), "complete {size}");
    }
    assert_output!("bad-sizes", text);
}

#[test]
fn boards_prints_solutions_of_sizes_too_large_to_count() {
    let output = line("boards 29 --limit 1");
    assert_eq!(output.code, Some(0), "{output:?}");
    let start = "Board 1, class of 8, columns from the left: 28 26 24 27 25 20 18 ";
    assert!(output.out.starts_with(start), "{}", output.out);
    // With a limit of 0, nothing is searched.
    for size in 30..=32 {
        assert_eq!(line(&format!("boards {size} --limit 0")).code, Some(0), "{size}");
    }
}

/// 1024 threads need 256 GiB. On a machine with more memory, the command must not report a shortage, but the
/// test must not start such a count either. So the arguments contain a second error, which the command
/// detects later: `--device` without a GPU backend.
#[test]
fn rejects_more_threads_than_memory_allows() {
    let per_thread = Cpu::memory_of_a_thread(Size::new(28).unwrap(), Method::Colours);
    let has_enough_memory = Host::get().memory >= 1024 * per_thread;
    for option in ["", " --estimate"] {
        let command = format!("count 28 --method colours --threads 1024 --device 3{option}");
        let output = line(&command);
        if has_enough_memory {
            assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
            let start = "error: `--device 3` needs a GPU backend";
            assert!(output.err.starts_with(start), "{}", output.err);
            continue;
        }
        assert_eq!((output.code, output.out.as_str()), (Some(69), ""), "{}", output.err);
        let start = "error: not enough memory for 1024 threads: colours needs up to 256 MiB per thread \
                     for N = 28, and this process may use ";
        assert!(output.err.starts_with(start), "{}", output.err);
        let hint = output.err.lines().last().unwrap();
        assert!(hint.starts_with("  hint: use `--threads "), "{}", output.err);
        assert!(hint.ends_with("` or `--method symmetry`"), "{}", output.err);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn rejects_a_count_beyond_the_limit_of_the_address_space() {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -v 120000; exec \"$0\" count 22 --method colours --estimate"]);
    shell.arg(queens_tests::command::path().unwrap());
    let output = CommandOutput::capture(&mut shell).unwrap();
    assert_eq!((output.code, output.out.as_str()), (Some(69), ""), "{output:?}");
    let start = "colours needs up to 128 MiB per thread for N = 22, and this process may use ";
    assert!(output.err.contains(start), "{output:?}");
}

#[test]
fn texts_of_documents_are_printed_with_control_characters_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let hostile = "\u{1b}]0;PWN\u{7}\u{1b}[31m\u{9b}32m\u{202e}\u{200b}\u{2028}\u{feff}\u{e0041}";
    let (shard, merged) = (name("shard.json"), name("merged.json"));
    let output = queens(["count", "6", "--shard", "0/1", "-o", &shard]);
    assert_eq!(output.code, Some(0), "{output:?}");
    let mut document: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&shard).unwrap()).unwrap();
    for path in ["/backend/detail", "/host/cpu", "/checks/0"] {
        *document.pointer_mut(path).unwrap() = hostile.into();
    }
    std::fs::write(&shard, document.to_string()).unwrap();
    for args in [
        &["merge", &shard][..],
        &["merge", &shard, "-o", "-"],
        &["merge", &shard, "-o", &merged],
        &["count", "6", "--shard", "0/1", "-o", &shard],
        &["count", "6", "--shard", "0/1", "-o", &shard, "--json"],
        &["verify", &shard],
        &["status", hostile],
        &["status", hostile, "--json"],
        &["count", "6", "--journal", &name(hostile), "-o", &name(hostile)],
    ] {
        let output =
            CommandOutput::capture(command().args(args).env("CLICOLOR_FORCE", "1")).unwrap();
        let is_unsafe = |c: char| {
            (c.is_control() && c != '\n')
                || matches!(c, '\u{200b}' | '\u{2028}' | '\u{202e}' | '\u{feff}' | '\u{e0041}')
        };
        let styles = ["\u{1b}[1m", "\u{1b}[31m", "\u{1b}[0m"];
        let text = output.out.clone() + &output.err;
        let plain = styles.iter().fold(text, |text, style| text.replace(style, ""));
        assert!(!plain.contains(is_unsafe), "{args:?}: {plain:?}");
        let is_json = plain.contains("\\u001b]0;PWN");
        assert!(
            args[0] == "verify" || is_json || plain.contains("\\u{1b}]0;PWN"),
            "{args:?}: {plain:?}"
        );
    }
    let document: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&merged).unwrap()).unwrap();
    // Files keep the texts unchanged.
    let detail = document["backend"]["detail"].as_str().unwrap();
    assert!(detail.ends_with(hostile), "{detail:?}");
}

#[test]
fn rejects_other_invalid_arguments() {
    let mut text = String::new();
    let too_large = |method: Method| method.largest() + 1;
    for (code, args) in [
        (2, "count"),
        (2, &format!("count {} --method brute-force", too_large(Method::BruteForce))),
        (2, "count 22 --method bitmap"),
        (2, &format!("boards {} --method permutations", too_large(Method::Permutations))),
        (2, "boards 29 --method bitmap"),
        (2, &format!("table --to {} --method flags", too_large(Method::Flags))),
        (2, "table --from 9 --to 8"),
        (2, "table --from 29 --method all"),
        (2, "count 8 --method quick"),
        (2, "count 8 --method colours --form iterative"),
        (2, "table --to 8 --method colours --form iterative"),
        (2, "boards 8 --method colours"),
        (2, "count 8 --isa sse9"),
        (2, "count 8 --isa portable --method symmetry"),
        (2, "count 8 --isa portable --form iterative"),
        (2, "count 8 --device 0"),
        (2, "count 8 --estimate --output file"),
        (2, "count 8 --backend abacus"),
        (2, "count 8 --threads 0"),
        (2, "count 8 --shard 0/2 --estimate"),
        (2, "count 8 --shards 2"),
        (2, "count 8 --shard-from-env"),
        (2, "count 8 --shard 0/2 --shard-from-env --shards 2"),
        (2, "count 8 -o no/such/folder/result.json"),
        (2, "count 8 -o /"),
        (2, "template slurm 20 --shards 8 --method bitmap"),
        (2, "count 8 --post 127.0.0.1:8017"),
        (2, "count 8 --post http://127.0.0.1:99999"),
        (2, "count 8 --post http://127.0.0.1:9 --run-name a.b"),
        (2, "boards 8 --limit -1"),
        (2, "boards 8 --limit 18446744073709551616"),
        (2, "count 8 --backend wgpu --device 65536"),
        (2, "symmetries"),
        (2, "symmetries 0 4 1 3"),
        (2, "symmetries 1,3,,0"),
        (2, "complete 29"),
        (2, "complete 8 --queens 0:0,1:4,7:7"),
        (2, "complete 8 --queens 3:1,5:1"),
        (2, "complete 8 --queens 3:1,3:6"),
        (2, "complete 8 --queens 3:1,3:1"),
        (2, "complete 8 --queens 0:0,8:1"),
        (2, "complete 8 --queens ,"),
        (2, "complete 8 --limit many"),
        (2, "completions csh"),
        (2, "man dance"),
        (2, "serve --listen 8017"),
        (65, "resume no-such.journal"),
        (2, "verify"),
        (2, "verify result.json --tasks some"),
        (2, "verify result.json --tasks -1"),
        (2, "verify result.json --seconds soon"),
        (2, "verify result.json --seconds 3 --tasks 2"),
        (2, "missing result.json"),
        (2, "missing --shards 0"),
        (2, "merge"),
        (2, "merge no-such.json"),
        (2, "template"),
        (2, "template slurm 20"),
        (2, "template slurm 27 --shards 1001"),
        (2, "template k8s 8 --shards 17"),
        (2, "template parallel 29 --shards 2"),
        (2, "dance"),
    ] {
        let output = line(args);
        assert_eq!(output.code, Some(code), "{args}: {output:?}");
        assert_eq!(output.out, "", "{args}");
        let error = output.err.split("\n\n").next().unwrap();
        text += &format!("$ queens {args}\n{error}\n");
    }
    assert_output!("bad-arguments", text);
}
