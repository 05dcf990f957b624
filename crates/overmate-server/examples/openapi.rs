//! Prints the OpenAPI document of the HTTP interface when `cargo run --example openapi` runs it.

fn main() {
    print!("{}", overmate_server::openapi_json());
}
