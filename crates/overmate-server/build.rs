//! Compiles the crate again when the web client was built again.

fn main() {
    println!("cargo::rerun-if-changed=../../web/build");
}
