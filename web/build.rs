//! Tells cargo that the translations are part of the program: the macro that
//! reads them cannot.

fn main() {
    println!("cargo::rerun-if-changed=locales");
}
