//! The wgpu backend without an adapter, and counts that the backend always rejects.

use crate::support::{CommandOutput, assert_output, command};

/// Runs the command with the arguments in `line`, in an environment in which the Vulkan loader finds no
/// driver.
fn without_adapters(line: &str) -> CommandOutput {
    let mut command = command();
    for name in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(name, "/no/such/driver.json");
    }
    command.args(line.split_whitespace()).output().unwrap().into()
}

#[test]
fn rejects_missing_adapters_and_unsupported_counts() {
    let mut text = String::new();
    for (code, args) in [
        (69, "count 18 --backend wgpu"),
        (69, "count 18 --backend wgpu --device 7 --threads 1"),
        (2, "count 18 --backend wgpu --form recursive"),
        (2, "count 18 --backend wgpu --method colours --form iterative"),
        (2, "count 8 --backend wgpu --method bitmap"),
        (2, "count 3 --backend wgpu"),
        (2, "count 18 --device 0"),
    ] {
        let output = without_adapters(args);
        assert_eq!(output.code, Some(code), "{args}: {output:?}");
        assert_eq!(output.out, "", "{args}");
        text += &format!("$ queens {args}\n{}", output.err);
    }
    assert_output!("without-adapters", text);
}

#[test]
fn devices_reports_missing_adapters() {
    let output = without_adapters("devices");
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""));
    let start = output.out.find("\nwgpu").unwrap() + 1;
    let text = &output.out[start..];
    assert_output!("devices-without-adapters", text);
    let line = text.lines().next().unwrap();
    let output = without_adapters("devices --json").json();
    let listed: Vec<_> =
        output.as_array().unwrap().iter().filter(|device| device["kind"] == "wgpu").collect();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["usable"], false);
    assert!(line.ends_with(listed[0]["reason"].as_str().unwrap()));
}
