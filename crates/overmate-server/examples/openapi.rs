//! Prints the OpenAPI document of the HTTP interface: `cargo run --example openapi`.

fn main() {
    print!("{}", overmate_server::openapi_json());
}
