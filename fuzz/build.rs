//! Chooses the page of the server that is fuzzed: that of the command's own tests, in miniature.

fn main() {
    println!(
        "cargo::rustc-env=QUEENS_EMBEDDED_PAGE={}/../native/tests/page",
        env!("CARGO_MANIFEST_DIR")
    );
    println!("cargo::rerun-if-changed=../native/tests/page");
}
