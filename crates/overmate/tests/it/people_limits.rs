//! Tests two limits that the operator of a server sets: the number of a player's days off in a year, and the number of
//! rated matches between two players. The tests run the real binary.

use serde_json::{Value, json};

use crate::serve::{HttpClient, ServerProcess};
use crate::support::Home;

/// Returns the number of days off per year that a server grants. The server runs with the given arguments and
/// environment variables.
fn days_off(home: &Home, args: &[&str], variables: &[(&str, &str)]) -> Value {
    let base = ["serve", "--listen", "localhost:0", "--data", "server"];
    let mut command = home.command(base.iter().chain(args));
    command.envs(variables.iter().copied());
    let served = ServerProcess::of(command);
    let mut client = HttpClient::default();
    let path = "/api/v1/me/days-off";
    let (status, own) = client.send(&served.address, "GET", path, &Value::Null).unwrap();
    assert_eq!(status, 200, "{own}");
    own["days"].clone()
}

#[test]
fn the_days_off_come_from_the_option_the_environment_or_the_file() {
    let home = Home::new();
    let file = home.file("overmate.toml", "days-off = 5\nrated-matches-of-pair = 3\n");
    let variable = ("OVERMATE_DAYS_OFF", "7");
    let mut compared = 0;
    for (args, variables, expected) in [
        (&[][..], &[][..], 20),
        (&["--config", &file], &[], 5),
        (&["--config", &file], &[variable], 7),
        (&["--config", &file, "--days-off", "0"], &[variable], 0),
    ] {
        assert_eq!(days_off(&home, args, variables), json!(expected), "{args:?} {variables:?}");
        compared += 1;
    }
    assert_eq!(compared, 4);
    let serve = |args: &[&str]| home.run(&[&["serve", "--data", "server"], args].concat());
    serve(&["--days-off", "367"]).fails(2, &["367"]);
    serve(&["--rated-matches-of-pair", "-1"]).fails(2, &["-1"]);
    let wrong = home.file("wrong.toml", "days-off = 400\n");
    serve(&["--config", &wrong]).fails(1, &["days off", "from 0 to 366"]);
    // A command that does not need the file reads it, too.
    for (file, text) in [("unknown.toml", Some("databse = 'x'\n")), ("missing.toml", None)] {
        let path = text.map_or_else(|| file.to_owned(), |text| home.file(file, text));
        home.run(&["doctor", "--data", "server", "--config", &path]).fails(1, &[file]);
    }
}
