//! Runner of WebAssembly test binaries: cargo starts it with a binary (.cargo/config.toml), and it opens the
//! binary in a headless browser and reports its tests.
//!
//! This is a separate package, so that `cargo xtask serve` need not build its dependencies.

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
