//! The wgpu backend without an adapter, and the counts that it never runs.

use crate::support::{Said, assert_said, command};

/// Runs a line while the Vulkan loader finds no driver.
fn without_adapters(line: &str) -> Said {
    let mut command = command();
    for name in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(name, "/no/such/driver.json");
    }
    command.args(line.split_whitespace()).output().unwrap().into()
}

#[test]
fn rejects_counts_without_an_adapter() {
    let mut text = String::new();
    for (code, args) in [
        (69, "count 18 --backend wgpu"),
        (69, "count 18 --backend wgpu --device 7 --threads 1"),
        (2, "count 18 --backend wgpu --form recursive"),
        (2, "count 8 --backend wgpu --method bitmap"),
        (2, "count 3 --backend wgpu"),
        (2, "count 18 --device 0"),
    ] {
        let said = without_adapters(args);
        assert_eq!(said.code, Some(code), "{args}: {said:?}");
        assert_eq!(said.out, "", "{args}");
        text += &format!("$ queens {args}\n{}", said.err);
    }
    assert_said!("without-adapters", text);
}

#[test]
fn devices_reports_missing_adapters() {
    let said = without_adapters("devices");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let start = said.out.find("\nwgpu").unwrap() + 1;
    let text = &said.out[start..];
    assert_said!("devices-without-adapters", text);
    let line = text.lines().next().unwrap();
    let said = without_adapters("devices --json").json();
    let listed: Vec<_> =
        said.as_array().unwrap().iter().filter(|device| device["kind"] == "wgpu").collect();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["usable"], false);
    assert!(line.ends_with(listed[0]["reason"].as_str().unwrap()));
}
