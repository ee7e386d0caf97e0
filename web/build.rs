//! Has the linker keep the relocations in the module: xtask splits the module along them.

use std::{env, error::Error};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_FAMILY")? == "wasm" {
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
    Ok(())
}
