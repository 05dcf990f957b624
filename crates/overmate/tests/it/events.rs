//! Tests tournament events with the real binary: the commands `admin event`, and an event that continues after the server was killed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::serve::{HttpClient, ServerProcess};
use crate::support::{Home, Ran};

fn admin(home: &Home, args: &[&str]) -> Ran {
    home.run(&[&["admin", "--data", "server"], args].concat())
}

/// Returns the tournament events in the JSON output of `admin event list`.
fn listed(home: &Home) -> Vec<Value> {
    let told = admin(home, &["--json", "event", "list"]).ok();
    told.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn make_account(client: &mut HttpClient, address: &str, handle: &str) {
    let account = json!({"handle": handle, "password": "correct horse battery"});
    let (status, made) = client.send(address, "POST", "/api/v1/me/account", &account).unwrap();
    assert_eq!(status, 201, "{made}");
}

#[test]
fn an_operator_makes_lists_and_removes_events_while_the_server_runs() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let address = &*served.address;
    assert_eq!(listed(&home).len(), 0);
    assert_eq!(admin(&home, &["event", "list"]).ok(), "No event is unfinished\n");
    let swiss =
        ["event", "make", "--rounds", "5", "--title", "Friday \u{1b}[31m", "--starts-in", "30"];
    let swiss = admin(&home, &swiss).ok().trim().to_owned();
    let arena = ["event", "make", "--minutes", "45", "--base", "120", "--every-days", "7"];
    let made = admin(&home, &[&arena[..], &["--json"]].concat()).ok();
    let made: Value = serde_json::from_str(&made).unwrap();
    let arena = made["id"].as_str().unwrap().to_owned();
    let found = listed(&home);
    let ids: Vec<&str> = found.iter().map(|event| event["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [&*swiss, &*arena], "ordered by start");
    assert_eq!(found[0]["kind"], json!({"kind": "swiss", "rounds": 5}));
    assert_eq!(found[1]["kind"], json!({"kind": "arena", "minutes": 45}));
    assert_eq!((&found[1]["title"], &found[1]["rules"]), (&Value::Null, &json!("bga")));
    assert_eq!(found[1]["clock"], json!({"kind": "live", "base": 120, "increment": 2}));
    let table = admin(&home, &["event", "list"]).ok();
    assert!(table.contains("Swiss, 5 rounds") && table.contains("arena, 45 minutes"), "{table}");
    assert!(table.contains("Friday") && !table.contains('\u{1b}'), "{table}");
    // Anna joins the operator's arena event on the server, which was already running when the operator created the event.
    let mut anna = HttpClient::default();
    make_account(&mut anna, address, "Anna");
    let join = format!("/api/v1/events/{arena}/join");
    let (status, joined) = anna.send(address, "POST", &join, &json!({})).unwrap();
    assert_eq!((status, &joined["you"]["number"]), (200, &json!(1)), "{joined}");
    assert_eq!(joined["shown"]["event"]["host"], Value::Null);
    assert_eq!(listed(&home)[1]["players"], 1);
    // An operator finds events by the id, the link, a part of the title, and the host.
    let new = json!({
        "kind": {"kind": "swiss", "rounds": 3}, "title": "Fr\u{ed}days of Anna", "rules": "bga",
        "base": 180, "increment": 2, "starts_in": 60, "client_id": "event-of-anna",
    });
    let (status, own) = anna.send(address, "POST", "/api/v1/events", &new).unwrap();
    assert_eq!(status, 201, "{own}");
    let own = own["shown"]["event"]["id"].as_str().unwrap();
    let link = format!("https://mate.example/events/{arena}");
    for (text, expected) in [
        (&*swiss, &[&*swiss][..]),
        (&*link, &[&*arena][..]),
        ("friday", &[&*swiss, own][..]),
        ("@anna", &[own][..]),
        ("days of", &[own][..]),
    ] {
        let told = admin(&home, &["find", text, "--json"]).ok();
        let found: Value = serde_json::from_str(&told).unwrap();
        let events = found["events"].as_array().unwrap().iter();
        let ids: Vec<&str> = events.map(|event| event["id"].as_str().unwrap()).collect();
        assert_eq!(ids, expected, "{text}");
        assert_eq!((&found["matches"], &found["offers"]), (&json!([]), &json!([])), "{text}");
    }
    let table = admin(&home, &["find", "FRIDAY"]).ok();
    let row = table.lines().find(|line| line.contains(own)).unwrap();
    assert!(row.contains("@Anna") && row.contains("coming") && table.lines().count() == 3);
    let limited = admin(&home, &["find", "friday", "--limit", "1"]).ok();
    assert!(limited.contains(&swiss) && !limited.contains(own), "{limited}");
    admin(&home, &["event", "remove", own]).ok();
    admin(&home, &["find", own]).fails(1, &["no match, open offer, event, browser or name"]);
    // A removed event also disappears from the running server.
    let told = admin(&home, &["event", "remove", &swiss]).ok();
    assert_eq!(told, "The event is removed\n");
    admin(&home, &["event", "remove", &swiss]).fails(1, &["no event with the id", &swiss]);
    let path = format!("/api/v1/events/{swiss}");
    let (status, gone) = anna.send(address, "GET", &path, &Value::Null).unwrap();
    assert_eq!((status, &gone["code"]), (404, &json!("not-found")));
    assert_eq!(listed(&home).len(), 1);
    for (args, part) in
        [(["event", "make", "--rounds", "16"], "16"), (["event", "make", "--minutes", "4"], "4")]
    {
        admin(&home, &args).fails(2, &[part]);
    }
    let refused = admin(&home, &["event", "make", "--rules", "denexa"])
        .fails(1, &["the command is not valid: --rules: an event needs a rule set with 20 cards"]);
    assert!(!refused.stderr.contains("database"), "{refused:?}");
    admin(&home, &["event", "make", "--title", &"x".repeat(41)])
        .fails(1, &["the command is not valid: --title: the title is too long: choose a title of at most 40 characters"]);
    admin(&home, &["event", "make", "--rules", "foo"])
        .fails(2, &["--rules", "there is no rule set `foo`: use sackson"]);
    assert_eq!(listed(&home).len(), 1);
    // An operator changes and removes a title. The operators' log names the event.
    let renamed = [&arena, "Satur\u{1b}day", "--reason", "a test"];
    let told = admin(&home, &[&["rename"], &renamed[..]].concat()).ok();
    assert_eq!(told, "The event has the title Saturday now\n");
    let removed = ["rename", "--reason", "a test", &arena];
    assert_eq!(admin(&home, &removed).ok(), "The event has no title now\n");
    let told = admin(&home, &[&removed[..], &["--json"]].concat()).ok();
    assert_eq!(told, "{\"matches\":0}\n");
    let log = admin(&home, &["log"]).ok();
    assert_eq!(log.matches(&*arena).count(), 3, "{log}");
}

#[test]
fn the_start_of_a_weekly_event_makes_one_event_a_week_later() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let weekly = ["event", "make", "--minutes", "30", "--title", "Friday", "--starts-in", "0"];
    let first = admin(&home, &[&weekly[..], &["--every-days", "7"]].concat()).ok();
    let begun = (0..200).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        Some(listed(&home)).filter(|found| found.len() > 1)
    });
    let begun = begun.expect("a second event");
    assert_eq!(begun.len(), 2, "{begun:?}");
    let [running, next] = [&begun[0], &begun[1]];
    assert_eq!((&running["id"], &running["state"]), (&json!(first.trim()), &json!("running")));
    assert_eq!(next["state"], "coming");
    for same in ["kind", "title", "rules", "clock", "host"] {
        assert_eq!(running[same], next[same], "{same}");
    }
    let [start, next_start] = [running, next].map(|event| {
        event["starts_at"].as_str().unwrap().parse::<Timestamp>().unwrap().as_second()
    });
    assert_eq!(next_start - start, 7 * 86_400);
    // Players can join both the running event and the event that starts a week later. A restarted server creates no further event.
    served.kill();
    let served = ServerProcess::start(&home, &[]);
    let mut anna = HttpClient::default();
    make_account(&mut anna, &served.address, "Anna");
    for event in [running, next] {
        let join = format!("/api/v1/events/{}/join", event["id"].as_str().unwrap());
        let (status, joined) = anna.send(&served.address, "POST", &join, &json!({})).unwrap();
        assert_eq!((status, &joined["you"]["number"]), (200, &json!(1)), "{joined}");
    }
    assert_eq!(listed(&home).len(), 2);
}

/// Number of actions after which a player resigns, to shorten the matches.
const ACTIONS: usize = 5;

/// Player of a tournament event, with the number of the player's actions in each match.
#[derive(Default)]
struct Player {
    client: HttpClient,
    actions: BTreeMap<String, usize>,
    /// Ids of the player's matches in the tournament event, keyed by the number of the board (the pairing).
    boards: BTreeMap<u64, BTreeSet<String>>,
}

impl Player {
    /// Takes an action in the player's running match, if it is the player's turn. Returns the state of the event for the player, or `None`
    /// if the server died.
    fn act(&mut self, address: &str, path: &str) -> Option<Value> {
        let (status, seen) = self.client.send(address, "GET", path, &Value::Null)?;
        assert_eq!(status, 200, "{seen}");
        let Some(id) = seen["you"]["match"].as_str() else { return Some(seen) };
        let own = seen["you"]["number"].as_u64();
        let boards = seen["shown"]["boards"].as_array().unwrap();
        let mut running = boards.iter().filter(|board| {
            board["points"].is_null() && (board["a"].as_u64() == own || board["b"].as_u64() == own)
        });
        let board = running.next().expect("a board of the running match");
        assert!(running.next().is_none(), "two boards at the same time: {seen}");
        let number = board["number"].as_u64().unwrap();
        self.boards.entry(number).or_default().insert(id.to_owned());
        let match_path = format!("/api/v1/matches/{id}");
        let (status, state) = self.client.send(address, "GET", &match_path, &Value::Null)?;
        assert_eq!(status, 200, "{state}");
        let actions = self.actions.entry(id.to_owned()).or_default();
        let client_id = format!("request-{}-{}", state["sequence"], seen["you"]["number"]);
        if !state["result"].is_null() {
            return Some(seen);
        }
        if *actions == ACTIONS {
            let body = json!({"client_id": client_id});
            self.client.send(address, "POST", &format!("{match_path}/resign"), &body)?;
        } else if !state["current"]["legal"].as_array().unwrap().is_empty() {
            let (status, acted) = self.client.act(address, &state, &client_id)?;
            assert_eq!(status, 200, "{acted}");
            *actions += 1;
        }
        Some(seen)
    }
}

#[test]
fn an_event_continues_after_the_server_was_killed_and_pairs_nobody_twice() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let mut players: Vec<Player> = (0..6).map(|_| Player::default()).collect();
    for (index, player) in players.iter_mut().enumerate() {
        make_account(&mut player.client, &served.address, &format!("Player{index}"));
    }
    let event = json!({
        "kind": {"kind": "swiss", "rounds": 3}, "title": null, "rules": "bga", "base": 300,
        "increment": 5, "starts_in": 60, "client_id": "event-of-player",
    });
    let (_, made) =
        players[0].client.send(&served.address, "POST", "/api/v1/events", &event).unwrap();
    let path = format!("/api/v1/events/{}", made["shown"]["event"]["id"].as_str().unwrap());
    for player in &mut players {
        let join = format!("{path}/join");
        let (status, joined) =
            player.client.send(&served.address, "POST", &join, &json!({})).unwrap();
        assert_eq!(status, 200, "{joined}");
    }
    let start = format!("{path}/start");
    let (status, begun) =
        players[0].client.send(&served.address, "POST", &start, &json!({})).unwrap();
    assert_eq!(status, 200, "{begun}");
    served.kill();

    // Each server aborts between a commit and the commit's acknowledgement, or the test kills the server with SIGKILL.
    let mut deaths = 0;
    let last = 'event: loop {
        let commits = [9, 14, 6, 11][deaths % 4].to_string();
        let more: &[&str] = if deaths % 3 == 2 { &[] } else { &["--die-after-commits", &commits] };
        let served = ServerProcess::start(&home, more);
        let mut turns = 0;
        'life: loop {
            for player in &mut players {
                let Some(seen) = player.act(&served.address, &path) else { break 'life };
                if seen["shown"]["event"]["state"] == "finished" {
                    break 'event seen;
                }
                turns += 1;
            }
            if more.is_empty() && turns >= 60 {
                break 'life;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        served.kill();
        deaths += 1;
        assert!(deaths < 100, "the event makes no progress");
    };
    assert!(deaths >= 4, "{deaths}");

    // The pairings of the event have board numbers without gaps. Nobody plays twice in a round or twice against the same player.
    let boards = last["shown"]["boards"].as_array().unwrap();
    let numbers: Vec<u64> = boards.iter().map(|board| board["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=9).collect::<Vec<u64>>());
    let mut places = BTreeSet::new();
    let mut pairs = BTreeSet::new();
    for board in boards {
        let [round, a, b] = ["round", "a", "b"].map(|key| board[key].as_u64().unwrap());
        assert!(places.insert((round, a)) && places.insert((round, b)), "{board}");
        assert!(pairs.insert((a.min(b), a.max(b))), "a repeated pair: {board}");
        assert!(board["points"].is_i64(), "{board}");
    }
    assert_eq!((places.len(), pairs.len()), (18, 9));
    // Each pairing of the event has one match, which belongs to no other pairing. Each player has three matches.
    let mut matches: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for player in &players {
        assert_eq!(player.boards.len(), 3, "{:?}", player.boards);
        for (board, ids) in &player.boards {
            matches.entry(*board).or_default().extend(ids.iter().cloned());
        }
    }
    assert!(matches.values().all(|ids| ids.len() == 1), "{matches:?}");
    let ids: BTreeSet<&String> = matches.values().flatten().collect();
    assert_eq!((matches.len(), ids.len()), (9, 9));
    let sum: i64 = last["shown"]["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|standing| standing["points"].as_i64().unwrap())
        .sum();
    assert_eq!(sum, 0, "the points of both sides of each board cancel out");
}
