//! Tests two limits that the operator of a server sets: the number of a player's days off in a year, and the number of
//! rated matches between two players. The tests run the real binary.

use serde_json::{Value, json};

use crate::serve::{HttpClient, ServerProcess};
use crate::support::{Home, Ran};

/// Returns the number of days off per year that a server grants. The server runs with the given arguments and
/// environment variables.
fn days_off(home: &Home, args: &[&str], variables: &[(&str, &str)]) -> Value {
    let base = ["serve", "--listen", "localhost:0", "--data", "server"];
    let mut command = home.command(base.iter().chain(args));
    command.envs(variables.iter().copied());
    granted_days(&ServerProcess::of(command))
}

/// Returns the number of days off per year that a running server grants.
fn granted_days(served: &ServerProcess) -> Value {
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
    let expected = "line 1, key `days-off`: a whole number from 0 to 366 is needed";
    serve(&["--config", &wrong]).fails(1, &[expected]);
    // The command `doctor` checks the configuration file, although the option `--data` already names the database.
    for (file, text) in [("unknown.toml", Some("databse = 'x'\n")), ("missing.toml", None)] {
        let path = text.map_or_else(|| file.to_owned(), |text| home.file(file, text));
        home.run(&["doctor", "--data", "server", "--config", &path]).fails(1, &[file]);
    }
    // A file that only the variable names is not read, because `--data` already names the database.
    let mut doctor = home.command(["doctor", "--data", "server"]);
    let ran: Ran = doctor.env("OVERMATE_CONFIG", "missing.toml").output().unwrap().into();
    ran.ok();
    // The command `doctor --data` checks every value of the configuration file, as the server does.
    let mut refused = 0;
    for (line, expected) in [
        ("database = 'mysql://mate@db.example'", "key `database`: the address of the database"),
        ("events = 'http://mate.example'", "key `events`: "),
        ("public-url = 'mate.example'", "key `public-url`: "),
        ("push-contact = 'admin'", "key `push-contact`: "),
        ("smtp = 'http://mate.example'", "key `smtp`: "),
        ("mail-from = 'nobody'", "key `mail-from`: "),
        ("days-off = 367", "key `days-off`: a whole number from 0 to 366 is needed"),
        ("program-processes = 0", "key `program-processes`: a whole number from 1 to 256"),
        ("program-time = 0.0", "key `program-time`: a number of seconds above 0 is needed"),
        ("program-idle = -1", "key `program-idle`: a number of seconds such as 10 or 0.5"),
        (
            "programs.mine = ''",
            "key `programs`: the program `mine` is not valid: the command is empty",
        ),
        (
            "[programs]\nperfect = 'bot'",
            "key `programs`: the program `perfect` is not valid: `perfect` is the name",
        ),
    ] {
        let file = home.file("wrong.toml", format!("rated-matches-of-pair = 3\n{line}\n"));
        let expected = format!("line 2, {expected}");
        home.run(&["doctor", "--data", "server", "--config", &file]).fails(1, &[&expected]);
        refused += 1;
    }
    assert_eq!(refused, 12);
}

#[cfg(unix)]
#[test]
fn the_configuration_may_come_from_a_pipe() {
    use std::io::Write as _;
    use std::process::Stdio;

    let home = Home::new();
    let args = ["serve", "--listen", "localhost:0", "--data", "server", "--config", "/dev/stdin"];
    let mut command = home.command(args);
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"days-off = 5\nrated-matches-of-pair = 3\n").unwrap();
    drop(writer);
    command.stdin(Stdio::from(reader));
    assert_eq!(granted_days(&ServerProcess::of(command)), json!(5));
}
