//! Tests that servers on one PostgreSQL database act like a single server, and that no action is lost when a server dies.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use test_postgres::{Nats, Postgres};

use crate::serve::{HttpClient, ServerProcess, played};
use crate::support::{Home, Ran, shift_clock};

/// Timeout of a test that waits for a condition. Only a hanging test reaches the limit.
const SOON: Duration = Duration::from_mins(1);

/// Starts a server without rate limits. The command's environment holds the address of the database.
fn serve(home: &Home, database: &str, more: &[&str]) -> ServerProcess {
    serve_with_limits(home, database, &[&["--no-limits"], more].concat())
}

/// Starts a server with rate limits. The command's environment holds the address of the database.
fn serve_with_limits(home: &Home, database: &str, more: &[&str]) -> ServerProcess {
    let args = ["serve", "--listen", "localhost:0"];
    let mut command = home.command(args.iter().chain(more));
    command.env("OVERMATE_DATABASE", database);
    ServerProcess::of(command)
}

#[test]
fn two_servers_that_start_together_show_the_same_matches() {
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let (a, b) = thread::scope(|scope| {
        let a = scope.spawn(|| serve(&home, &database, &[]));
        let b = scope.spawn(|| serve(&home, &database, &[]));
        (a.join().unwrap(), b.join().unwrap())
    });
    let mut client = HttpClient::default();
    let mut state = client.begin(&a.address).unwrap();
    let id = state["id"].as_str().unwrap().to_owned();
    let mut turns = 0;
    while state["result"].is_null() {
        // The test sends the player's actions to the two servers alternately. After each action, the server that did not receive the action
        // must show it.
        let (here, there) = if turns % 2 == 0 { (&a, &b) } else { (&b, &a) };
        let (status, next) =
            client.act(&here.address, &state, &format!("turn-{turns:06}")).unwrap();
        assert_eq!(status, 200, "{next}");
        state = client.look(&there.address, &id);
        assert_eq!(state["sequence"], next["sequence"]);
        turns += 1;
    }
    assert!(turns > 10, "{turns}");
    assert_eq!(played(&client.look(&a.address, &id)), played(&client.look(&b.address, &id)));
    // The two servers on the same database hold the same state of a new match. If each server receives an action on this state, only one of
    // the two actions is accepted.
    let state = client.begin(&b.address).unwrap();
    client.look(&a.address, state["id"].as_str().unwrap());
    let told = AtomicUsize::new(0);
    thread::scope(|scope| {
        for (server, client_id) in [(&a, "race-of-a"), (&b, "race-of-b")] {
            let (mut client, state, told) = (client.clone(), &state, &told);
            scope.spawn(move || {
                let (status, _) = client.act(&server.address, state, client_id).unwrap();
                assert!(matches!(status, 200 | 409), "{status}");
                told.fetch_add(usize::from(status == 200), Ordering::Relaxed);
            });
        }
    });
    assert_eq!(told.into_inner(), 1);
}

/// Returns the number of log entries of the only match in a database. The number comes from the database, not from a server.
fn entries(home: &Home, database: &str) -> u64 {
    let found = home.run(&["doctor", "--database", database]).ok();
    let count = found.split_once("1 match with ").and_then(|(_, rest)| rest.split(' ').next());
    count.unwrap_or_else(|| panic!("{found}")).parse().unwrap()
}

/// Waits until the only match in a database has at least `wanted` log entries, and returns the number of entries.
fn wait_for_entries(home: &Home, database: &str, wanted: u64) -> u64 {
    let begin = Instant::now();
    loop {
        let found = entries(home, database);
        if found >= wanted {
            eprintln!("{found} entries after {:?}", begin.elapsed());
            return found;
        }
        assert!(begin.elapsed() < SOON, "{found} entries");
    }
}

/// Creates a match against a computer opponent on a server, and sends the first action of the match to that server. Returns `None` if the
/// server died before its answer.
fn begin_against(
    client: &mut HttpClient,
    server: &ServerProcess,
    rules: &str,
    opponent: &Value,
) -> Option<Value> {
    let new = json!({"rules": rules, "opponent": opponent, "lead": "me"});
    let (status, state) = client.send(&server.address, "POST", "/api/v1/matches", &new)?;
    assert_eq!(status, 201, "{state}");
    let (status, state) = client.act(&server.address, &state, "first-action")?;
    assert_eq!(status, 200, "{state}");
    Some(state)
}

#[test]
fn a_client_that_changes_servers_has_the_limits_of_one_server() {
    /// Rate limit of a browser identity, both for new matches per hour and for analyses per minute.
    const LIMIT: u64 = 120;
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let servers = [(); 2].map(|()| serve_with_limits(&home, &database, &[]));
    let new = json!({"rules": "bga", "opponent": {"kind": "both"}});
    let analysis = json!({"rules": "bga", "deal": "1"});
    let mut compared = 0;
    for (path, body, seconds) in
        [("/api/v1/matches", &new, 3_600), ("/api/v1/analysis", &analysis, 60)]
    {
        for servers in [&servers[..1], &servers] {
            let mut client = HttpClient::default();
            client.send(&servers[0].address, "POST", "/api/v1/identity", &Value::Null).unwrap();
            let begin = Instant::now();
            let mut taken = 0;
            for server in servers.iter().cycle().take(180) {
                let (status, answer) = client.send(&server.address, "POST", path, body).unwrap();
                // The status 409 refuses a new match to a browser that already has the maximum number of unfinished matches.
                assert!(matches!(status, 200 | 201 | 409 | 429), "{answer}");
                taken += u64::from(status != 429);
            }
            // After the first `LIMIT` requests, the rate limit admits at most `LIMIT` further requests in each period of `seconds` seconds.
            let more = (begin.elapsed().as_secs() + 1) * LIMIT / seconds + 1;
            eprintln!("{path} at {} servers: {taken} of 180", servers.len());
            assert!((LIMIT..=LIMIT + more).contains(&taken), "{taken}");
            compared += 1;
        }
    }
    assert_eq!(compared, 4);
    // The rate limits store only keyed hashes and times in the database. Each limit has rows for two browsers and for the address of the
    // test.
    let rows = postgres.rows(&database, "SELECT count(*) FROM counts");
    assert_eq!(rows, [["6"]]);
}

#[test]
fn another_server_plays_the_turn_of_a_computer_opponent_after_a_death() {
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let _other = serve(&home, &database, &[]);
    // The server dies after the commit of a player's action and before the answer of the computer opponent.
    let dying = serve(&home, &database, &["--die-after-commits", "2"]);
    let level = json!({"kind": "level", "level": 1});
    assert_eq!(begin_against(&mut HttpClient::default(), &dying, "bga", &level), None);
    assert_eq!(entries(&home, &database), 1);
    // After the death of one server, another server must play the computer opponent's turn although no client reads the match. The test
    // therefore reads the database.
    wait_for_entries(&home, &database, 2);
}

#[test]
fn a_server_that_stops_leaves_its_turns_to_another() {
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let _other = serve(&home, &database, &[]);
    let mut stopping = serve(&home, &database, &[]);
    let perfect = json!({"kind": "perfect"});
    let mut client = HttpClient::default();
    begin_against(&mut client, &stopping, "sackson+pinochle", &perfect).unwrap();
    stopping.signal("-TERM");
    assert!(stopping.child.wait().unwrap().success());
    wait_for_entries(&home, &database, 2);
}

#[test]
fn an_act_of_an_operator_has_the_time_of_the_database() {
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let served = serve(&home, &database, &[]);
    let both = json!({"kind": "both"});
    let state = begin_against(&mut HttpClient::default(), &served, "bga", &both).unwrap();
    let id = state["id"].as_str().unwrap();
    // The operator runs `overmate admin end` on a machine whose clock is an hour slow.
    let act = ["admin", "end", id, "--loser", "a", "--reason", "a test"];
    let mut command = home.command(act);
    command.env("OVERMATE_DATABASE", &database);
    shift_clock(&mut command, "-1h");
    Ran::from(command.output().unwrap()).ok();
    let recent = "SELECT target FROM operator_acts WHERE at > extract(epoch FROM now()) - 1800";
    assert_eq!(postgres.rows(&database, recent), [[format!("{id} player a")]]);
}

#[test]
fn workers_play_for_the_computer_opponents_of_servers_that_only_answer() {
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let web = serve(&home, &database, &["--role", "web"]);
    let mut client = HttpClient::default();
    let level = json!({"kind": "level", "level": 1});
    let state = begin_against(&mut client, &web, "bga", &level).unwrap();
    // The first server with the role `worker` plays the computer opponent's turns until the test kills this server. Then the second such
    // server continues.
    let path = format!("/api/v1/matches/{}", state["id"].as_str().unwrap());
    let mut answered = 0;
    for number in 0..2 {
        let worker = serve(&home, &database, &["--role", "worker"]);
        let (status, problem) = client.send(&worker.address, "GET", &path, &Value::Null).unwrap();
        assert_eq!(status, 404, "{problem}");
        let ready = client.send(&worker.address, "GET", "/readyz", &Value::Null).unwrap();
        assert_eq!(ready.0, 200);
        let mut state = client.look(&web.address, state["id"].as_str().unwrap());
        for turn in 0..3 {
            while state["current"]["legal"].as_array().unwrap().is_empty() {
                let path = format!("{path}?wait=5&after={}", state["sequence"]);
                state = client.send(&web.address, "GET", &path, &Value::Null).unwrap().1;
            }
            answered += 1;
            let client_id = format!("worker-{number}-turn-{turn}");
            let (status, next) = client.act(&web.address, &state, &client_id).unwrap();
            assert_eq!(status, 200, "{next}");
            state = next;
        }
        worker.kill();
    }
    assert_eq!(answered, 6);
    let refused = home.run(&["serve", "--data", "here", "--role", "worker"]);
    refused.fails(1, &["does all work itself"]);
}

#[test]
fn a_frozen_server_does_no_harm_when_it_goes_on() {
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let other = serve(&home, &database, &[]);
    let frozen = serve(&home, &database, &[]);
    let mut client = HttpClient::default();
    let perfect = json!({"kind": "perfect"});
    // The computer opponent searches for longer than the test needs to freeze the server.
    let state = begin_against(&mut client, &frozen, "sackson+pinochle", &perfect).unwrap();
    frozen.signal("-STOP");
    let id = state["id"].as_str().unwrap();
    let found = wait_for_entries(&home, &database, 2);
    frozen.signal("-CONT");
    // The server that was frozen accepts the player's next action, and both servers show the same actions.
    let mut state = client.look(&other.address, id);
    while state["current"]["legal"].as_array().unwrap().is_empty() {
        let path = format!("/api/v1/matches/{id}?wait=5&after={}", state["sequence"]);
        state = client.send(&other.address, "GET", &path, &Value::Null).unwrap().1;
    }
    assert!(state["sequence"].as_u64() >= Some(found), "{state}");
    let (status, next) = client.act(&frozen.address, &state, "second-action").unwrap();
    assert_eq!(status, 200, "{next}");
    let shown = [&other, &frozen].map(|server| played(&client.look(&server.address, id)));
    let both = shown[0].len().min(shown[1].len());
    assert!(both as u64 > found, "{shown:?}");
    assert_eq!(shown[0][..both], shown[1][..both]);
}

#[test]
fn servers_act_and_tell_each_other_while_nats_comes_and_goes() {
    let (postgres, home, mut nats) = (Postgres::start(), Home::new(), Nats::stopped());
    let database = postgres.database();
    // NATS is down when the servers start.
    let events = nats.address();
    let more = ["--events", &events];
    let (a, b) = (serve(&home, &database, &more), serve(&home, &database, &more));
    let mut client = HttpClient::default();
    let mut state = client.begin(&a.address).unwrap();
    let path = format!("/api/v1/matches/{}", state["id"].as_str().unwrap());
    let mut watched = 0;
    for turn in 0..9 {
        match turn {
            3 => nats.restart(),
            6 => nats.kill(),
            _ => {}
        }
        // A client waits at one server for an action that the test sends to the other server.
        let begin = Instant::now();
        let seen = thread::scope(|scope| {
            let (mut watcher, after) = (client.clone(), state["sequence"].clone());
            let (path, address) = (&path, &b.address);
            let watching = scope.spawn(move || {
                let path = format!("{path}?wait=20&after={after}");
                watcher.send(address, "GET", &path, &Value::Null).unwrap().1
            });
            let (status, next) =
                client.act(&a.address, &state, &format!("turn-{turn:06}")).unwrap();
            assert_eq!(status, 200, "{next}");
            state = next;
            watching.join().unwrap()
        });
        eprintln!("turn {turn} is seen after {:?}", begin.elapsed());
        assert_eq!(seen["sequence"], state["sequence"]);
        watched += 1;
    }
    assert_eq!(watched, 9);
    let refused = home.run(&["serve", "--data", "here", "--events", "postgres"]);
    refused.fails(1, &["needs a database in PostgreSQL"]);
}

#[test]
fn the_death_of_a_server_loses_no_acknowledged_action() {
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let other = serve(&home, &database, &[]);
    let mut client = HttpClient::default();
    // With this deal, the games last long enough for all deaths of servers: each player takes the first legal action.
    let new = json!({"rules": "bga", "opponent": {"kind": "both"}, "deal": "5000"});
    let (status, mut state) = client.send(&other.address, "POST", "/api/v1/matches", &new).unwrap();
    assert_eq!(status, 201, "{state}");
    let id = state["id"].as_str().unwrap().to_owned();
    let (mut deaths, mut acknowledged) = (0_u64, 0_u64);
    let mut client_ids = BTreeSet::new();
    'play: for commits in (1..=4).cycle().take(8) {
        let dying = serve(&home, &database, &["--die-after-commits", &commits.to_string()]);
        loop {
            if !state["result"].is_null() {
                break 'play;
            }
            let client_id = format!("action-{:06}", client_ids.len());
            client_ids.insert(client_id.clone());
            let before = acknowledged;
            if let Some((status, next)) = client.act(&dying.address, &state, &client_id) {
                assert_eq!(status, 200, "{next}");
                acknowledged += 1;
                state = next;
                continue;
            }
            // The server died between the commit of the action and the response to the client. The other server knows the action, and a
            // repeated request has no further effect.
            deaths += 1;
            let (status, again) = client.act(&other.address, &state, &client_id).unwrap();
            assert_eq!((status, again["sequence"].as_u64()), (200, Some(before + 1)), "{again}");
            acknowledged += 1;
            state = client.look(&other.address, &id);
            assert_eq!(state["sequence"].as_u64(), Some(acknowledged));
            break;
        }
    }
    assert_eq!(deaths, 8);
    assert_eq!(played(&state).len() as u64, acknowledged);
}

#[test]
fn operators_reach_a_database_in_postgres_and_are_told_what_does_not_work() {
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    home.run(&["doctor", "--database", &database]).fails(1, &["fault"]);
    let served = serve(&home, &database, &[]);
    let mut client = HttpClient::default();
    let id = client.begin(&served.address).unwrap()["id"].as_str().unwrap().to_owned();
    let config = home.file("overmate.toml", format!("database = {database:?}\n"));
    let found = home.run(&["doctor", "--config", &config]).ok();
    assert!(found.contains("1 match with 0 log entries in postgres://overmate@"), "{found}");
    let found = home.run(&["admin", "--config", &config, "find", &id]).ok();
    assert!(found.contains("running"), "{found}");
    let reason = ["--reason", "a test"];
    home.run(
        &[&["admin", "--database", &database, "end", &id, "--loser", "a"], &reason[..]].concat(),
    )
    .ok();
    assert!(!client.look(&served.address, &id)["result"].is_null());
    for (command, instead) in [("backup", "pg_dump"), ("restore", "pg_restore")] {
        home.run(&[command, "--database", &database, "file"]).fails(1, &["SQLite only", instead]);
    }
}

#[test]
fn a_server_moves_to_another_database_with_its_browsers() {
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let served = ServerProcess::start(&home, &[]);
    let mut client = HttpClient::default();
    let state = client.begin(&served.address).unwrap();
    let (status, state) = client.act(&served.address, &state, "the-first-action").unwrap();
    assert_eq!(status, 200, "{state}");
    let config = home.file("overmate.toml", format!("database = {database:?}\n"));
    let config = format!("config:{config}");
    let copy = ["database", "copy", "sqlite:server", &config];
    home.run(&copy).fails(1, &["is using the data folder server", "stop the server"]);
    drop(served);
    let told = home.run(&copy).ok();
    assert!(told.contains("1 match, 1 log entry, schema"), "{told}");
    assert!(told.lines().any(|line| line.starts_with("  log ") && line.contains(" 1 ")), "{told}");
    home.run(&copy).fails(1, &["holds data already, in the table `matches`"]);
    let served = serve(&home, &database, &[]);
    let id = state["id"].as_str().unwrap();
    let state = client.look(&served.address, id);
    let (status, state) = client.act(&served.address, &state, "another-action").unwrap();
    assert_eq!(status, 200, "{state}");
    let mut back = home.command(["database", "copy", "env:MATE", "sqlite:back"]);
    let told: Ran = back.env("MATE", &database).output().unwrap().into();
    told.fails(
        1,
        &[
            "servers or other commands of Overmate are using the database postgres://overmate@",
            "stop the servers",
        ],
    );
    drop(served);
    let told: Ran = back.output().unwrap().into();
    assert!(told.ok().contains("1 match, 2 log entries"));
    let served = serve(&home, "sqlite:back", &[]);
    assert_eq!(client.look(&served.address, id)["sequence"], state["sequence"]);
}

#[test]
fn an_unusable_postgres_is_reported_with_a_remedy_and_each_cause_once() {
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let missing = database.replace("/mate0", "/missing");
    assert_ne!(missing, database);
    let open =
        |address: &str| home.run(&["serve", "--listen", "localhost:0", "--database", address]);
    open(&missing).fails(1, &["/missing", "does not exist: create it with `createdb`"]);
    let refused = open("postgres://anna@localhost:1/mate").fails(1, &["cannot open the database"]);
    assert_eq!(refused.stderr.matches("refused").count(), 1, "{refused:?}");
}

#[test]
fn a_wrong_place_of_a_copied_database_is_refused_with_all_forms() {
    let forms = ["sqlite:DIR", "postgres://USER@HOST/DATABASE", "env:VARIABLE", "config:FILE"];
    Home::new().run(&["database", "copy", "server", "sqlite:new"]).fails(2, &forms);
}

#[test]
fn errors_about_an_address_show_no_password() {
    let home = Home::new();
    let address = "postgres://anna:secret@localhost:1/mate";
    let mut ran = Vec::new();
    for (name, value) in [
        ("OVERMATE_DATABASE", address),
        ("OVERMATE_DATABASE", "mysql://anna:secret@host"),
        ("OVERMATE_EVENTS", "nats://anna:secret@"),
    ] {
        let mut command = home.command(["serve", "--listen", "localhost:0"]);
        ran.push(command.env(name, value).output().unwrap().into());
    }
    for text in [
        format!("database = {address:?}"),
        format!("database = {address}"),
        format!("data = {address:?}"),
        format!("events = {address:?}"),
    ] {
        let config = home.file("settings.toml", text);
        ran.push(home.run(&["serve", "--listen", "localhost:0", "--config", &config]));
    }
    let mut copy = home.command(["database", "copy", "env:FROM", "sqlite:new"]);
    ran.push(copy.env("FROM", address).output().unwrap().into());
    assert_eq!(ran.len(), 8);
    for ran in ran {
        let ran = ran.fails(1, &[]);
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
    }
}

#[test]
fn of_acceptors_at_two_servers_one_gets_an_offer_and_both_servers_show_it() {
    const ACCEPTORS: usize = 8;
    let (postgres, home) = (Postgres::start(), Home::new());
    let database = postgres.database();
    let (a, b) = (serve(&home, &database, &[]), serve(&home, &database, &[]));
    for round in 0..5 {
        let mut host = HttpClient::default();
        let new = json!({"rules": "bga", "client_id": format!("offer-of-round-{round}")});
        let (status, made) = host.send(&a.address, "POST", "/api/v1/offers", &new).unwrap();
        assert_eq!(status, 201, "{made}");
        let id = made["own"]["offer"]["id"].as_str().unwrap().to_owned();
        // An offer that is made at one server soon appears at the other server.
        let begin = Instant::now();
        loop {
            let (_, lobby) = host.send(&b.address, "GET", "/api/v1/lobby", &Value::Null).unwrap();
            if lobby["offers"].as_array().unwrap().iter().any(|offer| offer["id"] == *id) {
                assert_eq!(lobby["own"][0]["offer"]["id"], *id);
                break;
            }
            assert!(begin.elapsed() < SOON, "{lobby}");
        }
        let won = AtomicUsize::new(0);
        thread::scope(|scope| {
            for number in 0..ACCEPTORS {
                let (id, won) = (&id, &won);
                let address = if number % 2 == 0 { &a.address } else { &b.address };
                scope.spawn(move || {
                    let mut client = HttpClient::default();
                    let path = format!("/api/v1/offers/{id}/accept");
                    let body = json!({"client_id": format!("acceptance-{number}")});
                    let (status, state) = client.send(address, "POST", &path, &body).unwrap();
                    assert!(matches!(status, 200 | 410), "{status} {state}");
                    if status == 200 {
                        won.fetch_add(1, Ordering::Relaxed);
                        // The client that has accepted the offer repeats its request, and gets the same match.
                        let (_, again) = client.send(address, "POST", &path, &body).unwrap();
                        assert_eq!(again["id"], state["id"]);
                    }
                });
            }
        });
        assert_eq!(won.into_inner(), 1, "round {round}");
        let (_, matches) = host.send(&b.address, "GET", "/api/v1/matches", &Value::Null).unwrap();
        assert_eq!(matches["matches"].as_array().unwrap().len(), 1, "{matches}");
    }
}
