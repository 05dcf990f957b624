//! Tests matches on a server against opponent programs that the operator provides. A faulty program must cost only its own match.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::serve::{HttpClient, ServerProcess};
use crate::support::{Home, text};

/// Beginning of a shell script that answers the message `hello` of the bot protocol.
const READY: &str = r#"read hello; echo '{"type":"ready","protocol":1,"name":"Rogue"}'; "#;

/// Timeout of a test that waits for a condition.
const PATIENCE: Duration = Duration::from_mins(1);

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/bot.py")
}

/// Starts a server with an opponent program `mine`, which is a shell script in the home folder.
fn serve(home: &Home, script: &str, more: &[&str]) -> ServerProcess {
    let file = home.file("mine.sh", script);
    let program = format!("mine=/bin/sh {file}");
    let args = ["serve", "--listen", "localhost:0", "--data", "server", "--no-limits"];
    let args = [&args[..], &["--program", &program]].concat();
    let mut command = home.command(args.iter().chain(more));
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.env("OVERMATE_DAYS_OFF", "7").env("PGPASSWORD", "secret");
    ServerProcess::of(command)
}

fn ask(client: &mut HttpClient, address: &str, path: &str) -> Value {
    let path = format!("/api/v1{path}");
    let (status, value) = client.send(address, "GET", &path, &Value::Null).expect("an answer");
    assert_eq!(status, 200, "{value}");
    value
}

/// Creates a match against an opponent. Returns the HTTP status and the state of the match.
fn begin(client: &mut HttpClient, address: &str, rules: &str, opponent: &Value) -> (u16, Value) {
    let new = json!({"rules": rules, "opponent": opponent, "lead": "me", "deal": "0"});
    client.send(address, "POST", "/api/v1/matches", &new).expect("an answer")
}

fn mine() -> Value {
    json!({"kind": "program", "name": "mine"})
}

/// Plays as the person against the opponent program, until the match is over or the person has acted `most` times. Returns the last state
/// of the match.
fn play(client: &mut HttpClient, address: &str, mut state: Value, most: usize) -> Value {
    let id = state["id"].as_str().unwrap().to_owned();
    let deadline = Instant::now() + PATIENCE;
    let mut actions = 0;
    while state["result"].is_null() {
        assert!(Instant::now() < deadline, "{state}");
        if state["current"]["legal"].as_array().unwrap().is_empty() {
            let path = format!("/matches/{id}?after={}&wait=20", state["sequence"]);
            state = ask(client, address, &path);
        } else if actions == most {
            break;
        } else {
            actions += 1;
            // When the person may foreplace, the first legal action declines to foreplace, and the last legal action foreplaces a card.
            let last = state["current"]["legal"].as_array().and_then(|legal| legal.last());
            let act = json!({
                "sequence": state["sequence"],
                "action": last.unwrap()["action"],
                "client_id": format!("action-{}-{actions}", state["sequence"]),
            });
            let path = format!("/api/v1/matches/{id}/actions");
            let (status, next) = client.send(address, "POST", &path, &act).expect("an answer");
            assert_eq!(status, 200, "{next}");
            state = next;
        }
    }
    state
}

/// Waits until the function `holds` returns true.
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns whether the process whose id is in the given file is running.
fn is_running(file: &Path) -> bool {
    is_alive(text(file).trim())
}

/// Returns whether the process with the given id is running.
fn is_alive(id: &str) -> bool {
    // A process that has ended but has not been waited for (a zombie) has no command line.
    std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| !line.is_empty())
}

#[test]
fn a_program_plays_a_whole_match_and_sees_only_its_seat() {
    let home = Home::new();
    let script = format!("env > seen; tee -a heard | python3 {}", example().display());
    let served = serve(&home, &script, &[]);
    let (client, address) = (&mut HttpClient::default(), &*served.address);
    assert_eq!(ask(client, address, "/programs"), json!({"programs": ["mine"]}));
    let (status, state) = begin(client, address, "denexa", &mine());
    assert_eq!(status, 201, "{state}");
    let player = &state["players"]["b"];
    assert_eq!((&player["kind"], &player["name"]), (&json!("program"), &json!("mine")));

    let state = play(client, address, state, usize::MAX);
    assert!(state["result"]["resigned"].is_null(), "{state}");
    assert_eq!(state["game"], 3, "{state}");
    let heard = home.path("heard");
    wait_until("the program hears the end", || text(&heard).contains("\"type\":\"match_over\""));
    let messages = text(&heard);
    let messages: Vec<Value> =
        messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let of = |kind: &str| messages.iter().filter(|message| message["type"] == kind).count();
    assert_eq!((of("hello"), of("match"), of("game_over"), of("match_over")), (2, 1, 4, 1));
    // The person's face-down card stays hidden until the end of the game.
    let mut hidden = 0;
    for turn in messages.iter().filter(|message| message["type"] == "turn") {
        let foreplaced = &turn["foreplaced"]["other"];
        assert!(foreplaced.is_null() || foreplaced == "?" || foreplaced == "-", "{turn}");
        hidden += usize::from(foreplaced == "?");
        assert!(turn["legal"].as_array().is_some_and(|legal| !legal.is_empty()));
    }
    assert!(hidden > 0, "the person foreplaces cards face down");
    let variables = text(&home.path("seen"));
    assert!(variables.contains("PATH="), "{variables}");
    assert!(!variables.contains("OVERMATE_") && !variables.contains("PGPASSWORD"), "{variables}");
}

#[test]
fn a_faulty_program_loses_its_match_and_the_server_plays_on() {
    let at_turn = r#"while read line; do case "$line" in *'"type":"turn"'*) break;; esac; done; "#;
    let faults = [
        ("crash", "exit 3"),
        ("hang", "sleep 1000"),
        ("nonsense", "echo nonsense; sleep 1000"),
        ("illegal", r#"echo '{"type":"action","action":"Zz"}'; sleep 1000"#),
        ("long line", "head -c 10000000 /dev/zero; sleep 1000"),
        ("flood", r#"echo '{"type":"action"}'; while :; do echo x; done"#),
    ];
    for (fault, script) in faults {
        let home = Home::new();
        let script = format!("echo $$ > process; {READY}{at_turn}{script}");
        let served = serve(&home, &script, &["--program-time", "0.3"]);
        let (client, address) = (&mut HttpClient::default(), &*served.address);
        let (_, state) = begin(client, address, "bga", &mine());
        let state = play(client, address, state, usize::MAX);
        let result = &state["result"];
        assert_eq!((&result["resigned"], &result["winner"]), (&json!("b"), &json!("a")), "{fault}");
        wait_until(fault, || !is_running(&home.path("process")));
        let level = json!({"kind": "level", "level": 1});
        let (_, other) = begin(client, address, "bga", &level);
        let other = play(client, address, other, usize::MAX);
        assert!(other["result"]["resigned"].is_null(), "{fault}: {other}");
    }
}

#[test]
fn a_match_waits_for_a_missing_program_and_goes_on_with_it() {
    let home = Home::new();
    let script = format!("echo $$ > process; exec python3 {}", example().display());
    let client = &mut HttpClient::default();
    let served = serve(&home, &script, &[]);
    let (_, state) = begin(client, &served.address, "bga", &mine());
    let state = play(client, &served.address, state, 2);
    assert!(is_running(&home.path("process")));
    served.kill();
    wait_until("the program reads the end of its input", || !is_running(&home.path("process")));

    let without = ServerProcess::start(&home, &[]);
    let address = &*without.address;
    assert_eq!(ask(client, address, "/programs"), json!({"programs": []}));
    let (status, refused) = begin(client, address, "bga", &mine());
    assert_eq!((status, &refused["code"]), (400, &json!("bad-request")), "{refused}");
    let id = &state["id"].as_str().unwrap().to_owned();
    // The person acts until it is the turn of the opponent program.
    let mut waiting = state;
    let mut actions = 0;
    while !waiting["current"]["legal"].as_array().unwrap().is_empty() {
        actions += 1;
        waiting = client.act(address, &waiting, &format!("action-without-{actions}")).unwrap().1;
    }
    let later =
        ask(client, address, &format!("/matches/{id}?after={}&wait=1", waiting["sequence"]));
    assert_eq!(later["sequence"], waiting["sequence"], "the match waits");
    assert!(later["result"].is_null(), "{later}");
    without.kill();

    let served = serve(&home, &script, &[]);
    let state = client.look(&served.address, id);
    let state = play(client, &served.address, state, usize::MAX);
    assert!(state["result"]["resigned"].is_null(), "{state}");
}

#[test]
fn processes_end_by_the_limit_the_idle_time_and_the_stop_of_the_server() {
    let home = Home::new();
    let script = format!(
        "echo $$ >> all; echo $$ > process; tee -a heard | python3 {}",
        example().display()
    );
    let more = ["--program-processes", "1", "--program-idle", "0.5"];
    let served = serve(&home, &script, &more);
    let address = &*served.address;
    let client = &mut HttpClient::default();
    let mut states: Vec<Value> = (0..2).map(|_| begin(client, address, "bga", &mine()).1).collect();
    // The person acts in the two matches alternately, so that the only process of the opponent program must switch between the matches.
    for _ in 0..3 {
        for state in &mut states {
            *state = play(client, address, state.clone(), 1);
            let all = text(&home.path("all"));
            assert!(all.lines().filter(|id| is_alive(id)).count() <= 1, "{all}");
        }
    }
    wait_until("the idle time ends", || !is_running(&home.path("process")));
    for state in &mut states {
        *state = play(client, address, state.clone(), 1);
        assert!(state["result"].is_null(), "{state}");
    }
    let stopped = text(&home.path("process"));
    served.signal("-TERM");
    wait_until("the stop of the server", || !is_running(&home.path("process")));
    assert_eq!(text(&home.path("process")), stopped);
}

/// Returns the script of an opponent program that delays each turn while the file `hold` exists. The script appends its process
/// id to the file `all`.
fn holding() -> String {
    let hold = r#"case "$line" in *'"type":"turn"'*) touch held; while [ -e hold ]; do sleep 0.01; done;; esac"#;
    format!(
        "echo $$ | tee process >> all; while read -r line; do {hold}; printf '%s\\n' \"$line\"; done | python3 {}",
        example().display()
    )
}

fn resign(client: &mut HttpClient, address: &str, state: &Value) {
    let path = format!("/api/v1/matches/{}/resign", state["id"].as_str().unwrap());
    let (status, state) = client
        .send(address, "POST", &path, &json!({"client_id": "resignation"}))
        .expect("an answer");
    assert_eq!((status, &state["result"]["resigned"]), (200, &json!("a")), "{state}");
}

#[test]
fn a_match_waits_for_a_program_that_cannot_be_started() {
    let home = Home::new();
    let script = format!(
        "echo $$ >> all; if [ -e broken ]; then exit 1; fi; exec python3 {}",
        example().display()
    );
    let served = serve(&home, &script, &[]);
    let (client, address) = (&mut HttpClient::default(), &*served.address);
    let starts = || text(&home.path("all")).lines().count();
    let broken = home.file("broken", "");
    let (_, state) = begin(client, address, "bga", &mine());
    let (_, state) = client.act(address, &state, "action-first").unwrap();
    wait_until("the program is started in vain", || starts() == 2);
    std::fs::remove_file(broken).unwrap();
    let state = play(client, address, state, usize::MAX);
    assert!(state["result"]["resigned"].is_null(), "{state}");
    assert_eq!(starts(), 3, "{state}");
}

#[test]
fn a_turn_that_waits_while_its_match_ends_starts_no_process() {
    let home = Home::new();
    let served = serve(&home, &holding(), &["--program-processes", "1"]);
    let (client, address) = (&mut HttpClient::default(), &*served.address);
    let starts = || text(&home.path("all")).lines().count();
    assert_eq!(starts(), 1, "the server has tried the program");
    let hold = home.file("hold", "");
    let [first, second] = [(); 2].map(|()| begin(client, address, "bga", &mine()).1);
    let (_, first) = client.act(address, &first, "action-first").unwrap();
    wait_until("the turn of the first match", || home.path("held").exists());
    let (_, second) = client.act(address, &second, "action-second").unwrap();
    // The test gives the server time to queue the opponent program's turn in the second match. The program has only one process, which
    // still plays the turn in the first match.
    std::thread::sleep(Duration::from_millis(200));
    resign(client, address, &second);
    std::fs::remove_file(hold).unwrap();
    // The opponent program plays on in the first match only after the server has handled the program's waiting turn in the second match.
    // The waiting turn must start no process, because the second match is over.
    let first = play(client, address, first, 1);
    assert!(first["result"].is_null(), "{first}");
    assert_eq!(starts(), 2, "{first}");
}

#[test]
fn a_program_ends_after_its_turn_if_its_match_ended_during_the_turn() {
    let home = Home::new();
    let served = serve(&home, &holding(), &[]);
    let (client, address) = (&mut HttpClient::default(), &*served.address);
    let hold = home.file("hold", "");
    let (_, state) = begin(client, address, "bga", &mine());
    let (_, state) = client.act(address, &state, "action-first").unwrap();
    wait_until("the turn", || home.path("held").exists());
    resign(client, address, &state);
    assert!(is_running(&home.path("process")));
    std::fs::remove_file(hold).unwrap();
    wait_until("the end of the match", || !is_running(&home.path("process")));
}

#[test]
fn programs_are_named_in_options_variables_or_the_file_and_tried_at_the_start() {
    let home = Home::new();
    let serve = ["serve", "--listen", "localhost:0", "--data", "server"];
    let fails = |more: &[&str], code: i32, saying: &[&str]| {
        home.run(&[&serve[..], more].concat()).fails(code, saying);
    };
    fails(&["--program", "mine=/no/such/program"], 1, &["the program mine", "cannot be started"]);
    fails(&["--program", "mine=/bin/true"], 1, &["the program mine", "exited"]);
    fails(&["--program", "my bot=/bin/true"], 2, &["cannot name an opponent program"]);
    fails(&["--program", "a:b=/bin/true"], 2, &["cannot name an opponent program"]);
    fails(&["--program-processes", "0"], 2, &["--program-processes"]);
    fails(&["--program-time", "0"], 2, &["--program-time", "above 0"]);
    let zero = home.file("zero.toml", "program-time = 0\n");
    fails(&["--config", &zero], 1, &["`program-time`", "above 0"]);
    let mut of_variable = home.command(serve);
    of_variable.env("OVERMATE_PROGRAM_TIME", "0");
    crate::support::Ran::from(of_variable.output().unwrap())
        .fails(1, &["OVERMATE_PROGRAM_TIME", "above 0"]);
    let bot = format!("python3 {}", example().display());
    let twice = format!("mine={bot}");
    let mut command =
        home.command([&serve[..], &["--program", &twice, "--program", &twice]].concat());
    command.env("PATH", std::env::var_os("PATH").unwrap());
    crate::support::Ran::from(command.output().unwrap())
        .fails(1, &["two programs have the name mine"]);

    let file =
        home.file("overmate.toml", format!("program-time = 2\n[programs]\nof-file = \"{bot}\"\n"));
    let names = |args: &[&str], variable: &str| {
        let mut command: Command = home.command([&serve[..], &["--config", &file], args].concat());
        command.env("PATH", std::env::var_os("PATH").unwrap());
        command.env("OVERMATE_PROGRAMS", variable);
        let served = ServerProcess::of(command);
        ask(&mut HttpClient::default(), &served.address, "/programs")["programs"].clone()
    };
    assert_eq!(names(&[], ""), json!(["of-file"]));
    assert_eq!(names(&[], &format!("one={bot}\n two={bot}\n")), json!(["one", "two"]));
    assert_eq!(names(&["--program", &twice], &format!("one={bot}")), json!(["mine"]));
}

#[test]
fn a_match_against_a_program_is_never_rated() {
    let home = Home::new();
    let script = format!("exec python3 {}", example().display());
    let served = serve(&home, &script, &[]);
    let client = &mut HttpClient::default();
    let clock = json!({"kind": "live", "base": 300, "increment": 5});
    let new = json!({"rules": "bga", "opponent": mine(), "clock": clock, "rated": true});
    let (status, refused) = client.send(&served.address, "POST", "/api/v1/matches", &new).unwrap();
    assert_eq!((status, &refused["code"]), (400, &json!("bad-request")), "{refused}");
}
