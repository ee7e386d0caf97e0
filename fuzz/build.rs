//! Selects the page that the fuzzed server embeds: the miniature page of the command's own tests.

fn main() {
    println!(
        "cargo::rustc-env=QUEENS_EMBEDDED_PAGE={}/../native/tests/page",
        env!("CARGO_MANIFEST_DIR")
    );
    println!("cargo::rerun-if-changed=../native/tests/page");
}
