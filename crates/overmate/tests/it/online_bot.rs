//! Tests that the example bot plays a match against a person on a server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::serve::{HttpClient, ServerProcess};
use crate::support::{Home, signal};

/// Running example bot, which is killed at the end of the test.
struct Bot(Child);

/// Python program that installs the default handler of SIGINT, and then runs the script whose path is the first
/// argument. Plain Python ignores Ctrl-C if the parent process does, as in a background job of a script.
const WITH_CTRL_C: &str = "
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_path(sys.argv[1], run_name='__main__')
";

impl Bot {
    fn start(address: &str, token: &str) -> Self {
        let mut command = Self::command();
        // A slash at the end of the server's address makes no difference to the bot.
        command.env("OVERMATE_URL", format!("http://{address}/")).env("OVERMATE_TOKEN", token);
        Self::of(command)
    }

    fn command() -> Command {
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/online_bot.py");
        let mut command = Command::new("python3");
        command.args(["-c", WITH_CTRL_C]).arg(script);
        command.env("OVERMATE_PAUSE", "0.2").stderr(Stdio::piped());
        command.env_remove("OVERMATE_URL").env_remove("OVERMATE_TOKEN");
        command
    }

    fn of(mut command: Command) -> Self {
        Self(command.spawn().expect("python3 is needed, to test the example in docs/examples"))
    }

    /// Waits for the end of the bot, and returns the bot's exit code and standard error.
    fn end(&mut self) -> (Option<i32>, String) {
        let mut text = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        (self.0.wait().unwrap().code(), text)
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        // A failed kill is ignored, because the bot may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_example_plays_by_an_offer_to_it_a_challenge_and_an_offer_of_its_own() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let address = &*served.address;
    let [mut owner, mut person] = [HttpClient::default(), HttpClient::default()];
    let ask = |client: &mut HttpClient, method: &str, path: &str, body: &Value| -> Value {
        let path = format!("/api/v1{path}");
        let (status, value) = client.send(address, method, &path, body).expect("an answer");
        assert!(status < 300, "{method} {path}: {status} {value}");
        value
    };
    for (client, handle) in [(&mut owner, "Robot"), (&mut person, "Anna")] {
        let account = json!({"handle": handle, "password": "correct horse battery"});
        ask(client, "POST", "/me/account", &account);
    }
    ask(&mut owner, "PUT", "/me/account/bot", &Value::Null);
    let made = ask(&mut owner, "POST", "/me/account/tokens", &json!({"name": "test"}));
    let mut bot = Bot::start(address, made["token"].as_str().unwrap());

    let clock = json!({"kind": "live", "base": 600, "increment": 5});
    let offers = [Some(json!({"bots": true})), Some(json!({"to": "Robot"})), None];
    let mut last = String::new();
    for (index, more) in offers.into_iter().enumerate() {
        let name = format!("offer-number-{index}");
        let own = more.map(|more| {
            let mut offer = json!({"rules": "bga", "clock": clock, "client_id": name});
            offer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let made = ask(&mut person, "POST", "/offers", &offer);
            made["own"]["offer"]["id"].as_str().unwrap().to_owned()
        });
        let mut id = None;
        while id.is_none() {
            std::thread::sleep(Duration::from_millis(100));
            let lobby = ask(&mut person, "GET", "/lobby", &Value::Null);
            if let Some(offer) = &own {
                let own = lobby["own"].as_array().unwrap().iter();
                id = own
                    .filter(|own| own["offer"]["id"] == **offer)
                    .find_map(|own| own["match"].as_str().map(str::to_owned));
                continue;
            }
            // The person accepts the offer that the bot makes.
            let open = lobby["offers"].as_array().unwrap();
            if let Some(offer) = open.iter().find(|offer| offer["bot"] == true) {
                assert_eq!((&offer["from"], &offer["rated"]), (&json!("Robot"), &json!(false)));
                let path = format!("/offers/{}/accept", offer["id"].as_str().unwrap());
                let begun = ask(&mut person, "POST", &path, &json!({"client_id": name}));
                id = begun["id"].as_str().map(str::to_owned);
            }
        }
        let id = id.unwrap();
        let mut state = person.look(address, &id);
        let mut actions = 0;
        while state["result"].is_null() {
            if state["current"]["legal"].as_array().unwrap().is_empty() {
                let path = format!("/matches/{id}?after={}&wait=20", state["sequence"]);
                state = ask(&mut person, "GET", &path, &Value::Null);
            } else {
                actions += 1;
                state = person.act(address, &state, &format!("action-{actions}")).unwrap().1;
            }
        }
        assert!(actions > 3 && state["result"]["resigned"].is_null(), "{state}");
        let you = state["you"].as_str().unwrap();
        let other = if you == "a" { "b" } else { "a" };
        assert_eq!(state["players"][other]["name"], "Robot");
        assert_eq!(
            [&state["players"][other]["bot"], &state["players"][you]["bot"]],
            [&json!(true), &json!(false)]
        );
        last = id;
    }
    // After the match, the bot accepts a rematch, and begins to play it.
    let path = format!("/matches/{last}/rematch");
    let mut state = ask(&mut person, "POST", &path, &json!({"client_id": "rematch-of-anna"}));
    while state["rematch"]["match"].is_null() {
        let path = format!("/matches/{last}?after={}&wait=20", state["sequence"]);
        state = ask(&mut person, "GET", &path, &Value::Null);
    }
    let next = person.look(address, state["rematch"]["match"].as_str().unwrap());
    assert_eq!(
        [&next["players"]["a"]["bot"], &next["players"]["b"]["bot"]],
        [&state["players"]["b"]["bot"], &state["players"]["a"]["bot"]]
    );
    assert!(bot.0.try_wait().unwrap().is_none(), "the bot waits for further offers");

    // After the owner has removed the bot's access token, the bot ends with an error message.
    let id = made["shown"]["id"].as_str().unwrap();
    ask(&mut owner, "DELETE", &format!("/me/account/tokens/{id}"), &Value::Null);
    let (code, text) = bot.end();
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("the token in the header Authorization is not valid"), "{text}");
}

#[test]
fn the_example_names_a_fault_of_its_settings_in_one_line() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let other_url = format!("http://{}", other.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut connection, _) = other.accept().unwrap();
        let mut request = [0; 4096];
        let _ = connection.read(&mut request).unwrap();
        connection.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno\n").unwrap();
    });
    let faults = [
        ("http://localhost:2420", "", "OVERMATE_TOKEN is not set"),
        ("localhost:2420", "overmate_1", "an address such as http://localhost:2420 is needed"),
        (&other_url, "overmate_1", "does not answer as an Overmate server"),
    ];
    for (url, token, fault) in faults {
        let mut command = Bot::command();
        command.env("OVERMATE_URL", url).env("OVERMATE_TOKEN", token);
        let (code, text) = Bot::of(command).end();
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(fault) && text.lines().count() == 1, "{text}");
    }
}

#[cfg(unix)]
#[test]
fn the_example_tells_once_of_a_missing_server_and_ends_at_ctrl_c() {
    // No server listens at the chosen port, because the test has closed its own listener at this port.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Bot::command();
    command.env("OVERMATE_URL", format!("http://127.0.0.1:{port}"));
    command.env("OVERMATE_TOKEN", "overmate_1");
    let mut bot = Bot::of(command);
    let mut told = BufReader::new(bot.0.stderr.take().unwrap());
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    assert!(line.starts_with(&format!("no connection to http://127.0.0.1:{port}: ")), "{line}");
    // The test waits while the bot makes at least one further attempt to connect, which must print nothing.
    std::thread::sleep(Duration::from_secs(3));
    signal(bot.0.id(), "-INT");
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    assert_eq!((bot.0.wait().unwrap().code(), rest.as_str()), (Some(130), ""));
}
