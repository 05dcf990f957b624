//! Prints the OpenAPI document of the server's HTTP interface. Run the example with `cargo run --example openapi`.

fn main() {
    print!("{}", overmate_server::openapi_json());
}
