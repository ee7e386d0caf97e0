//! Makes the linker keep the relocations in the module, because xtask needs them to split it.

use std::{env, error::Error};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_FAMILY")? == "wasm" {
        println!("cargo::rustc-link-arg-bins=--emit-relocs");
    }
    Ok(())
}
