//! Tests that no acknowledged action is lost if the server is killed or stopped, or if its disk is full.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use test_sample::cases;

use crate::support::{Home, Ran, signal};

/// Server process that a test has started.
pub(crate) struct ServerProcess {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl ServerProcess {
    pub(crate) fn start(home: &Home, more: &[&str]) -> Self {
        let args = ["serve", "--listen", "localhost:0", "--data", "server", "--no-limits"];
        Self::of(home.command(args.iter().chain(more)))
    }

    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").map(str::to_owned);
        let address = address.unwrap_or_else(|| {
            let mut text = String::new();
            let _ = child.stderr.take().unwrap().read_to_string(&mut text);
            panic!("the server does not start: {text}")
        });
        Self { child, address }
    }

    /// Sends a signal to the server process. `name` is the option of the command `kill` for the signal, such as `-TERM`.
    pub(crate) fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }

    /// Kills the server process with SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // A failed kill is ignored, because the server may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// HTTP client that sends the cookie of one browser identity.
#[derive(Clone, Default)]
pub(crate) struct HttpClient {
    pub(crate) cookie: String,
}

impl HttpClient {
    /// Sends an HTTP request, and returns the status and the body in JSON. Returns `None` if the server died before it sent the
    /// whole answer.
    pub(crate) fn send(
        &mut self,
        address: &str,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Option<(u16, Value)> {
        let (status, body) = self.exchange(address, method, path, body)?;
        Some((status, serde_json::from_str(&body).unwrap_or_default()))
    }

    /// Sends an HTTP request, and returns the status and the body as text. Returns `None` if the server died before it sent the
    /// whole answer.
    pub(crate) fn exchange(
        &mut self,
        address: &str,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Option<(u16, String)> {
        let mut stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: {address}\r\nCookie: {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.cookie,
            body.len()
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        let (head, body) = text.split_once("\r\n\r\n")?;
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if length.is_some_and(|length| length.parse() != Ok(body.len())) {
            return None;
        }
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        if let Some(cookie) = cookie.and_then(|cookie| cookie.split(';').next()) {
            cookie.clone_into(&mut self.cookie);
        }
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, body.to_owned()))
    }

    pub(crate) fn begin(&mut self, address: &str) -> Option<Value> {
        let new = json!({"rules": "bga", "opponent": {"kind": "both"}});
        self.send(address, "POST", "/api/v1/matches", &new).map(|(_, state)| state)
    }

    pub(crate) fn look(&mut self, address: &str, id: &str) -> Value {
        let path = format!("/api/v1/matches/{id}");
        let (status, state) = self.send(address, "GET", &path, &Value::Null).unwrap();
        assert_eq!(status, 200, "{state}");
        state
    }

    pub(crate) fn act(
        &mut self,
        address: &str,
        state: &Value,
        client_id: &str,
    ) -> Option<(u16, Value)> {
        let path = format!("/api/v1/matches/{}/actions", state["id"].as_str().unwrap());
        let action = &state["current"]["legal"][0]["action"];
        let act = json!({"sequence": state["sequence"], "action": action, "client_id": client_id});
        self.send(address, "POST", &path, &act)
    }
}

/// Returns the actions of all games of a match, in order.
pub(crate) fn played(state: &Value) -> Vec<String> {
    let games = state["finished"].as_array().unwrap().iter().chain([&state["current"]]);
    let steps = games.flat_map(|game| game["steps"].as_array().unwrap());
    steps.map(|step| step["text"].as_str().unwrap().trim_end_matches('#').to_owned()).collect()
}

/// Returns, for the second and each later game of a match, the number of actions in all earlier games.
pub(crate) fn later_games(state: &Value) -> Vec<usize> {
    let games = state["finished"].as_array().unwrap().iter();
    let mut actions = 0;
    games
        .map(|game| {
            actions += game["steps"].as_array().unwrap().len();
            actions
        })
        .collect()
}

/// Returns, for each action of a match, whether a person (not the computer) was to act. Unless the match is over, a last value stands for
/// the next action.
pub(crate) fn persons(state: &Value) -> Vec<bool> {
    let games = state["finished"].as_array().unwrap().iter().chain([&state["current"]]);
    let seats = games.flat_map(|game| {
        let steps = game["steps"].as_array().unwrap().iter().map(|step| &step["seat"]);
        let next = [&game["to_act"]].into_iter().filter(|seat| seat.is_string());
        steps.chain(next).map(move |seat| {
            // The player in the seat `second` is the opponent of the player in the seat `first`.
            let is_a = (game["first"] == "a") == (seat == "first");
            let player = if is_a { "a" } else { "b" };
            let kind = &state["players"][player]["kind"];
            kind != "level" && kind != "perfect"
        })
    });
    seats.collect()
}

#[test]
fn a_server_with_a_name_in_its_address_answers_for_other_names_only_behind_a_proxy() {
    let home = Home::new();
    for (options, status) in [
        (&[][..], "421"),
        (&["--behind-proxy"][..], "200"),
        (&["--behind-proxy", "--host", "mate.test"][..], "421"),
    ] {
        let served = ServerProcess::start(&home, options);
        let mut stream = TcpStream::connect(&served.address).unwrap();
        stream.write_all(b"GET /api/v1/rules HTTP/1.0\r\nHost: mate.example\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert_eq!(answer.split(' ').nth(1), Some(status), "{options:?}: {answer}");
    }
}

#[test]
fn a_death_between_commit_and_acknowledgement_loses_nothing_and_repeats_nothing() {
    let home = Home::new();
    let mut client = HttpClient::default();
    let mut state = Value::Null;
    let mut acknowledged: Vec<String> = Vec::new();
    let mut unanswered: Option<(Value, String)> = None;
    let mut deaths = 0;
    let mut requests = 0;
    for commits in (1..=6).cycle().take(24) {
        let served = ServerProcess::start(&home, &["--die-after-commits", &commits.to_string()]);
        let address = served.address.clone();
        // The client repeats an unanswered request, because the request may have been lost.
        if let Some((before, client_id)) = unanswered.take() {
            let found = client.look(&address, before["id"].as_str().unwrap());
            assert_eq!(found["sequence"].as_u64(), before["sequence"].as_u64().map(|n| n + 1));
            let (status, again) = client.act(&address, &before, &client_id).unwrap();
            assert_eq!((status, &again["sequence"]), (200, &found["sequence"]));
            acknowledged.push(before["current"]["legal"][0]["action"].as_str().unwrap().to_owned());
            state = again;
        }
        loop {
            if state.is_null() || !state["result"].is_null() {
                acknowledged.clear();
                match client.begin(&address) {
                    Some(begun) => state = begun,
                    None => break,
                }
            }
            assert_eq!(played(&state), acknowledged);
            requests += 1;
            let client_id = format!("request-{requests}");
            match client.act(&address, &state, &client_id) {
                Some((200, next)) => {
                    acknowledged
                        .push(state["current"]["legal"][0]["action"].as_str().unwrap().to_owned());
                    state = next;
                }
                Some(other) => panic!("{other:?}"),
                None => {
                    unanswered = Some((state.clone(), client_id));
                    break;
                }
            }
        }
        deaths += 1;
    }
    assert!(deaths == 24 && requests > 40, "{deaths} {requests}");
}

#[test]
fn a_death_at_the_commit_of_an_action_does_not_part_it_from_its_conditional_answer() {
    let home = Home::new();
    let [mut host, mut guest] = [HttpClient::default(), HttpClient::default()];
    let mut deaths = 0;
    for _ in 0..4 {
        // The server dies after its fourth commit. The commits store the new match, the guest's seat, the conditional answer and the
        // action.
        let served = ServerProcess::start(&home, &["--die-after-commits", "4"]);
        let address = &*served.address;
        let days = json!({"kind": "days", "days": 1});
        let new =
            json!({"rules": "bga", "opponent": {"kind": "friend"}, "lead": "me", "clock": days});
        let (_, state) = host.send(address, "POST", "/api/v1/matches", &new).expect("a match");
        let token = state["invitation"].as_str().unwrap().rsplit('/').next().unwrap();
        let join = format!("/api/v1/invitations/{token}");
        let (_, state) = guest.send(address, "POST", &join, &json!({})).expect("the match");
        let id = state["id"].as_str().unwrap();
        let path = format!("/api/v1/matches/{id}/answers");
        let mut legal = |actions: Value| {
            let line = json!({"sequence": state["sequence"], "actions": actions});
            let choices = guest.send(address, "POST", &format!("{path}/choices"), &line);
            choices.expect("choices").1["legal"][0]["action"].clone()
        };
        let lead = legal(json!([]));
        let reply = legal(json!([lead]));
        let branches = json!([{"on": lead, "answers": [reply]}]);
        let answers = json!({"sequence": state["sequence"], "branches": branches});
        let (status, _) = guest.send(address, "PUT", &path, &answers).expect("an answer");
        assert_eq!(status, 200);
        let state = host.look(address, id);
        assert_eq!(host.act(address, &state, "the-action"), None, "the server dies");
        drop(served);
        let served = ServerProcess::start(&home, &[]);
        let found = guest.look(&served.address, id);
        assert_eq!(played(&found), [lead, reply].map(|action| action.as_str().unwrap().to_owned()));
        // The creator of the match repeats the request for their action, and the server does not store the action a second time.
        let (status, again) = host.act(&served.address, &state, "the-action").expect("an answer");
        assert_eq!((status, &again["sequence"]), (200, &found["sequence"]));
        deaths += 1;
    }
    assert_eq!(deaths, 4);
}

#[test]
fn a_kill_at_any_time_loses_nothing_that_was_acknowledged() {
    let home = Home::new();
    let kills: u64 = cases(8, 120);
    let total = Arc::new(AtomicUsize::new(0));
    let (mut matches, mut unanswered, mut stored_unanswered) = (0, 0, 0);
    for round in 0..kills {
        let served = ServerProcess::start(&home, &[]);
        let address = served.address.clone();
        let stop = Arc::new(AtomicBool::new(false));
        let known = Arc::new(Mutex::new(Vec::new()));
        let earlier = total.load(Ordering::Relaxed);
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let (address, stop, known) =
                    (address.clone(), Arc::clone(&stop), Arc::clone(&known));
                let total = Arc::clone(&total);
                std::thread::spawn(move || {
                    let mut client = HttpClient::default();
                    let Some(mut state) = client.begin(&address) else { return };
                    // Number of the client's next request, or of the client's last request if the server did not answer this request.
                    let mut number = 1;
                    while !stop.load(Ordering::Relaxed) && state["result"].is_null() {
                        match client.act(&address, &state, &format!("request-{number}")) {
                            Some((200, next)) => state = next,
                            _ => break,
                        }
                        number += 1;
                        total.fetch_add(1, Ordering::Relaxed);
                    }
                    known.lock().unwrap().push((client, state, number));
                })
            })
            .collect();
        // The delay before the kill of the server starts only after the clients' first action, because a slow machine may need long until
        // then. The delays differ from round to round, and do not depend on the server.
        let has_begun = || total.load(Ordering::Relaxed) > earlier;
        while !has_begun() && threads.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(37 * round % 300));
        served.kill();
        stop.store(true, Ordering::Relaxed);
        for thread in threads {
            thread.join().unwrap();
        }
        let served = ServerProcess::start(&home, &[]);
        for (mut client, state, number) in known.lock().unwrap().drain(..) {
            let found = client.look(&served.address, state["id"].as_str().unwrap());
            let (stored, told) =
                (found["sequence"].as_u64().unwrap(), state["sequence"].as_u64().unwrap());
            // The killed server may have stored at most one action, the last one, without acknowledging it to the client.
            assert!(stored == told || stored == told + 1, "{stored} {told}");
            assert_eq!(played(&found)[..played(&state).len()], played(&state));
            matches += 1;
            if state["result"].is_null() {
                unanswered += 1;
                stored_unanswered += stored - told;
                let again = client.act(&served.address, &state, &format!("request-{number}"));
                let (status, again) = again.unwrap();
                assert_eq!((status, again["sequence"].as_u64()), (200, Some(told + 1)), "{stored}");
                assert_eq!(played(&again).len(), played(&state).len() + 1);
            }
        }
    }
    let total = total.load(Ordering::Relaxed);
    println!(
        "{kills} kills, {matches} matches, {total} acknowledged actions, none lost; {unanswered} actions without an answer, \
         of which {stored_unanswered} were stored, none repeated"
    );
    assert!(total > 20 && matches >= kills, "{total} {matches}");
}

#[test]
fn a_full_disk_is_reported_and_does_no_damage() {
    let home = Home::new();
    // The first server creates the database tables before the limit on the size of files applies.
    let mut first = ServerProcess::start(&home, &[]);
    HttpClient::default().begin(&first.address).unwrap();
    first.signal("-TERM");
    assert_eq!(first.child.wait().unwrap().code(), Some(0));
    // For the database, a limit on the size of files has the same effect as a full disk.
    let script = "trap '' XFSZ; ulimit -f 2400; exec \"$0\" serve --listen 127.0.0.1:0 --data server --no-limits";
    let served = ServerProcess::of(home.shell(script));
    let mut client = HttpClient::default();
    let mut kept = Vec::new();
    let mut refused = 0;
    while refused < 3 {
        let new =
            json!({"rules": "bga", "opponent": {"kind": "both"}, "names": {"me": "x".repeat(40)}});
        let (status, state) =
            client.send(&served.address, "POST", "/api/v1/matches", &new).unwrap();
        match status {
            201 => kept.push(state["id"].as_str().unwrap().to_owned()),
            503 => {
                assert_eq!(state["code"], "busy", "{state}");
                refused += 1;
            }
            other => panic!("{other}: {state}"),
        }
        assert!(kept.len() < 20_000, "the disk is never full");
    }
    assert!(!kept.is_empty());
    // While the disk is full, the server still reads stored matches.
    client.look(&served.address, &kept[0]);
    served.kill();
    let served = ServerProcess::start(&home, &[]);
    for id in &kept {
        client.look(&served.address, id);
    }
    let state = client.look(&served.address, &kept[0]);
    assert_eq!(client.act(&served.address, &state, "request-1").unwrap().0, 200);
}

#[test]
fn the_server_stops_in_order_on_sigterm() {
    let home = Home::new();
    let mut served = ServerProcess::start(&home, &["--log", "json"]);
    let mut client = HttpClient::default();
    let state = client.begin(&served.address).unwrap();
    served.signal("-TERM");
    let status = served.child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    let mut log = String::new();
    served.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(last["fields"]["message"], "stopped");
    let served = ServerProcess::start(&home, &[]);
    client.look(&served.address, state["id"].as_str().unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_terminal_stops_the_server_unless_nohup_started_it() {
    let home = Home::new();
    let serve = "serve --listen 127.0.0.1:0 --data server --no-limits";
    // The test itself may run under `nohup`, which makes its processes ignore SIGHUP.
    let script = format!("exec env --default-signal=HUP \"$0\" {serve}");
    let mut served = ServerProcess::of(home.shell(&script));
    served.signal("-HUP");
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    let script = format!("trap '' HUP; exec \"$0\" {serve}");
    let mut served = ServerProcess::of(home.shell(&script));
    served.signal("-HUP");
    HttpClient::default().begin(&served.address).unwrap();
    served.signal("-TERM");
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_second_server_of_a_data_folder_logs_a_warning() {
    let home = Home::new();
    let log_of = |mut served: ServerProcess| {
        served.signal("-TERM");
        assert_eq!(served.child.wait().unwrap().code(), Some(0));
        let mut log = String::new();
        served.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        log
    };
    let warning = "another server uses this data folder";
    let first = ServerProcess::start(&home, &[]);
    let second = ServerProcess::start(&home, &[]);
    assert!(log_of(second).contains(warning));
    assert!(!log_of(first).contains(warning));
    assert!(!log_of(ServerProcess::start(&home, &[])).contains(warning));
}

#[test]
fn an_address_in_use_is_an_error_that_says_what_to_do() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    home.run(&["serve", "--listen", &served.address, "--data", "other"]).fails(1, &["--listen"]);
    let taken = ["--metrics", &served.address];
    home.run(&[&["serve", "--listen", "127.0.0.1:0", "--data", "other"], &taken[..]].concat())
        .fails(1, &["--metrics"]);
    assert!(!home.path("other").exists(), "a server that cannot listen creates no data folder");
}

#[test]
fn a_wrong_filter_of_the_log_is_an_error() {
    let home = Home::new();
    let mut command = home.command(["serve", "--listen", "localhost:0"]);
    let ran: Ran = command.env("RUST_LOG", "info,overmate=loud").output().unwrap().into();
    ran.fails(1, &["RUST_LOG=info,overmate=loud is not valid", "info,overmate_server=debug"]);
}

#[test]
fn the_log_shows_no_unknown_parameter_of_an_address() {
    let home = Home::new();
    let address = "postgres://x@127.0.0.1:1/db?pasword=secret";
    for levels in ["", "info", "info,overmate_server=debug"] {
        let mut command = home.command(["serve", "--listen", "127.0.0.1:0"]);
        let command = command.env("OVERMATE_DATABASE", address).env("RUST_LOG", levels);
        let ran: Ran = command.output().unwrap().into();
        let ran = ran.fails(1, &["cannot open the database postgres://x@127.0.0.1:1/db"]);
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
    }
}

#[test]
fn a_file_in_place_of_the_data_folder_is_named_as_a_file() {
    let home = Home::new();
    home.file("overmate.sqlite", "");
    let refused = home
        .run(&["serve", "--listen", "localhost:0", "--data", "overmate.sqlite"])
        .fails(1, &["overmate.sqlite is a file: name a folder with --data"]);
    assert!(!refused.stderr.contains("writable"), "{refused:?}");
}

#[test]
fn openapi_prints_the_document() {
    let ran = Home::new().run(&["openapi"]);
    assert_eq!(ran.code, Some(0));
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
}

#[test]
fn names_with_a_word_in_the_file_of_refused_words_are_refused() {
    let home = Home::new();
    let missing = home.run(&["serve", "--refused-words", "missing.txt"]);
    missing.fails(1, &["list of refused words missing.txt", "check the path"]);
    for line in ["bad*", "*evil", "*"] {
        home.file("words.txt", format!("badger\n{line}\n"));
        let faulty = home.run(&["serve", "--refused-words", "words.txt"]);
        faulty.fails(1, &["line 2 of the list of refused words words.txt", "`*word*`"]);
    }
    // The byte order mark at the beginning of the file does not belong to the first word.
    home.file("words.txt", "\u{feff}badger\n# Another word\nmushroom\n");
    let served = ServerProcess::start(&home, &["--refused-words", "words.txt"]);
    let mut client = HttpClient::default();
    let mut create = |name: &str| {
        let names = json!({"me": name});
        let new = json!({"rules": "bga", "opponent": {"kind": "both"}, "names": names});
        client.send(&served.address, "POST", "/api/v1/matches", &new).unwrap()
    };
    for name in ["A Badger", "Mushroom"] {
        let (status, problem) = create(name);
        assert_eq!((status, &problem["code"]), (400, &json!("name-refused")), "{name}");
    }
    assert_eq!(create("Ann").0, 201);
}

#[test]
fn faulty_settings_of_e_mail_are_refused_without_a_word_of_the_password() {
    let home = Home::new();
    let smtp = "smtps://anna:geheim@mail.example:465";
    let from = "Overmate <mate@mate.example>";
    let site = "https://mate.example";
    let mut tried = 0;
    for (smtp, from, site, expected) in [
        (smtp, "", site, "--mail-from"),
        ("", from, site, "--smtp"),
        (smtp, from, "", "--public-url"),
        ("mail://anna:geheim@mail.example", from, site, "OVERMATE_SMTP"),
        ("smtps://anna:geheim@", from, site, "OVERMATE_SMTP"),
        (smtp, "nobody", site, "OVERMATE_MAIL_FROM"),
    ] {
        let mut command = home.command(["serve", "--listen", "localhost:0"]);
        command.env("OVERMATE_SMTP", smtp).env("OVERMATE_MAIL_FROM", from);
        let ran: Ran = command.env("OVERMATE_PUBLIC_URL", site).output().unwrap().into();
        let ran = ran.fails(1, &[expected]);
        assert!(!ran.stderr.contains("geheim"), "{}", ran.stderr);
        tried += 1;
    }
    for text in
        [format!("smtp = {smtp}\n"), format!("smtp = \"{smtp}/path\"\nmail-from = \"{from}\"\n")]
    {
        let config = home.file("settings.toml", text);
        let ran = home.run(&["serve", "--listen", "localhost:0", "--config", &config]);
        let ran = ran.fails(1, &["settings.toml"]);
        assert!(!ran.stderr.contains("geheim"), "{}", ran.stderr);
        tried += 1;
    }
    for (value, expected) in [
        (
            "days-off = \"geheim\"",
            "line 3, key `days-off`: a whole number from 0 to 4294967295 is needed",
        ),
        (
            "program-processes = -1",
            "line 3, key `program-processes`: a whole number from 0 to 65535 is needed",
        ),
        ("program-time = \"geheim\"", "line 3, key `program-time`: a number is needed"),
        ("smtp = 465", "line 3, key `smtp`: a text in quotes is needed"),
        ("[programs]\nmine = 1", "line 4, key `programs`: a text in quotes is needed"),
        ("colour = 1", "line 3, key `colour`: unknown field `colour`"),
        ("smtp = \"smtps://anna:geheim", "line 3: "),
    ] {
        let config = home.file("settings.toml", format!("# Settings\n\n{value}\n"));
        let ran = home.run(&["serve", "--listen", "localhost:0", "--config", &config]);
        let ran = ran.fails(1, &["settings.toml", expected]);
        assert!(!ran.stderr.contains("geheim"), "{}", ran.stderr);
        tried += 1;
    }
    let listen = ["serve", "--listen", "localhost:0"];
    let ran = home.run(&[&listen[..], &["--smtp", "smtps://anna:geheim@"]].concat());
    let ran = ran.fails(1, &["--smtp"]);
    assert!(!ran.stderr.contains("geheim"), "{}", ran.stderr);
    tried += 1;
    assert_eq!(tried, 16);
}
