//! Tests the command `admin` with the real binary while a server runs.

use serde_json::{Value, json};

use crate::serve::{HttpClient, ServerProcess};
use crate::support::{Home, Ran};

const REASON: [&str; 2] = ["--reason", "a complaint"];

/// Runs `overmate admin` on the data folder of a running server.
pub(crate) fn admin(home: &Home, args: &[&str]) -> Ran {
    home.run(&[&["admin", "--data", "server"], args].concat())
}

/// Runs an operator command that takes a reason, and returns the command's JSON output.
fn act(home: &Home, args: &[&str]) -> Value {
    let told = admin(home, &[args, &REASON, &["--json"]].concat()).ok();
    serde_json::from_str(&told).unwrap()
}

fn find(home: &Home, text: &str) -> Value {
    serde_json::from_str(&admin(home, &["find", text, "--json"]).ok()).unwrap()
}

pub(crate) fn log(home: &Home) -> Vec<Value> {
    let told = admin(home, &["log", "--json"]).ok();
    told.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Creates a match with an invitation for the opponent. The inviting player is player A.
fn invite(client: &mut HttpClient, served: &ServerProcess, name: &str) -> Value {
    let new = json!({"rules": "bga", "opponent": {"kind": "friend"}, "lead": "me", "names": {"me": name}});
    let (status, state) = client.send(&served.address, "POST", "/api/v1/matches", &new).unwrap();
    assert_eq!(status, 201, "{state}");
    state
}

/// Returns the path of the HTTP endpoint for an invitation.
pub(crate) fn invitation(state: &Value) -> String {
    text(&state["invitation"]).replace("/join/", "/api/v1/invitations/")
}

/// Starts a server with a match between Anna and Bert. Anna leads in the first game.
fn two(home: &Home) -> (ServerProcess, HttpClient, HttpClient, Value) {
    let served = ServerProcess::start(home, &[]);
    let (mut anna, mut bert) = (HttpClient::default(), HttpClient::default());
    let state = invite(&mut anna, &served, "Ann\u{e4}");
    let join = json!({"name": "Bert"});
    let (status, state) = bert.send(&served.address, "POST", &invitation(&state), &join).unwrap();
    assert_eq!(status, 200, "{state}");
    (served, anna, bert, state)
}

pub(crate) fn get(client: &mut HttpClient, served: &ServerProcess, id: &str) -> (u16, Value) {
    client.send(&served.address, "GET", &format!("/api/v1/matches/{id}"), &Value::Null).unwrap()
}

/// Returns the id of the browser identity that an HTTP client uses. The id comes from the export of the identity's
/// data.
pub(crate) fn browser(client: &mut HttpClient, served: &ServerProcess) -> String {
    let (_, export) =
        client.send(&served.address, "GET", "/api/v1/me/export", &Value::Null).unwrap();
    text(&export["identity"]).to_owned()
}

#[test]
fn a_match_is_found_by_its_id_its_links_its_browsers_and_its_names() {
    let home = Home::new();
    let (served, mut anna, _, state) = two(&home);
    let open = invite(&mut anna, &served, "Clara");
    let (id, anna_id) = (text(&state["id"]), browser(&mut anna, &served));
    let link = format!("https://mate.example/match/{id}?x=1");
    let watch = format!("https://mate.example{}", text(&state["watch"]));
    for searched in [id, &link, &watch, "anna", "BERT"] {
        let found = find(&home, searched);
        assert_eq!(found["matches"].as_array().unwrap().len(), 1, "{searched}");
        assert_eq!(found["matches"][0]["id"], id, "{searched}");
        assert_eq!(found["matches"][0]["state"], "running");
        assert_eq!(found["matches"][0]["players"]["a"]["id"], anna_id.as_str());
        assert_eq!(found["matches"][0]["players"]["b"]["name"], "Bert");
    }
    let found = find(&home, text(&open["invitation"]));
    assert_eq!(
        (&found["matches"][0]["id"], &found["matches"][0]["state"]),
        (&open["id"], &json!("invites"))
    );
    assert_eq!(found["matches"][0]["players"]["b"]["kind"], "open");
    let found = find(&home, &anna_id);
    assert_eq!(found["browser"]["matches"], 2);
    assert_eq!(found["matches"].as_array().unwrap().len(), 2);
    let table = admin(&home, &["find", "bert"]).ok();
    assert!(table.lines().count() == 3 && table.contains(&anna_id), "{table}");
    admin(&home, &["find", "nobody"]).fails(1, &["nobody"]);
    admin(&home, &["find", &"0".repeat(32)]).fails(1, &["0000"]);
    assert!(log(&home).is_empty(), "a search is no act");
}

#[test]
fn a_renamed_player_has_the_new_name_at_once_and_only_the_log_of_operators_tells_why() {
    let home = Home::new();
    let (served, mut anna, mut bert, state) = two(&home);
    let id = text(&state["id"]);
    // Anna's request puts the match into the server's cache, before the operator renames Bert.
    assert_eq!(get(&mut anna, &served, id).1["players"]["b"]["name"], "Bert");
    admin(&home, &[&["rename", id], &REASON[..]].concat()).fails(1, &["--player"]);
    assert_eq!(act(&home, &["rename", id, "--player", "b", " Be\u{200b}a "])["matches"], 1);
    let seen = get(&mut anna, &served, id).1;
    assert_eq!(
        (&seen["players"]["a"]["name"], &seen["players"]["b"]["name"]),
        (&json!("Ann\u{e4}"), &json!("Bea"))
    );
    // Anna can still act in the match after the operator has renamed Bert.
    let (status, seen) = anna.act(&served.address, &seen, "request-1").unwrap();
    assert_eq!(status, 200, "{seen}");
    let again = invite(&mut anna, &served, "Other");
    let anna_id = browser(&mut anna, &served);
    assert_eq!(act(&home, &["rename", &anna_id])["matches"], 2);
    for id in [id, text(&again["id"])] {
        assert_eq!(get(&mut anna, &served, id).1["players"]["a"]["name"], Value::Null);
    }
    assert_eq!(get(&mut bert, &served, id).1["players"]["b"]["name"], "Bea");
    let log = log(&home);
    let targets: Vec<_> = log.iter().map(|act| text(&act["target"])).collect();
    assert_eq!(targets, [format!("{id} player b"), anna_id]);
    for act in &log {
        assert_eq!((text(&act["act"]), text(&act["reason"])), ("rename", "a complaint"));
        assert!(text(&act["at"]).ends_with('Z') && text(&act["at"]).starts_with("20"));
    }
    assert!(!admin(&home, &["log"]).ok().contains("Bea"));
    admin(&home, &["rename", id]).fails(2, &["--reason"]);
    admin(&home, &["rename", id, "--reason", " "]).fails(2, &["reason"]);
    admin(&home, &[&["rename", "Anna"], &REASON[..]].concat())
        .fails(1, &["is neither the id of a match"]);
    let long = "x".repeat(41);
    admin(&home, &[&["rename", id, "--player", "a", &long], &REASON[..]].concat())
        .fails(1, &["too long"]);
}

#[test]
fn an_open_offer_is_found_renamed_and_withdrawn() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let mut maker = HttpClient::default();
    let mut offer = |number: u8, name: &str| {
        let clock = json!({"kind": "days", "days": 3});
        let client_id = format!("request-number-{number}");
        let new = json!({"rules": "bga", "name": name, "clock": clock, "client_id": client_id});
        let (status, made) = maker.send(&served.address, "POST", "/api/v1/offers", &new).unwrap();
        assert_eq!(status, 201, "{made}");
        text(&made["own"]["offer"]["id"]).to_owned()
    };
    let (first, second) = (offer(1, "Rude name"), offer(2, "Rude too"));
    let names = || {
        let mut anybody = HttpClient::default();
        let (_, lobby) =
            anybody.send(&served.address, "GET", "/api/v1/lobby", &Value::Null).unwrap();
        let offers = lobby["offers"].as_array().unwrap().iter();
        let mut names: Vec<Value> = offers.map(|offer| offer["from"].clone()).collect();
        names.sort_by_key(Value::to_string);
        names
    };
    let found = find(&home, "r\u{fa}de");
    assert_eq!(found["offers"].as_array().unwrap().len(), 2, "{found}");
    // The test finds the first offer by its id, because offers of the same second are listed in the order of their random ids.
    let by_id = find(&home, &first)["offers"].clone();
    assert_eq!(by_id.as_array().map(Vec::len), Some(1), "{by_id}");
    assert_eq!((&by_id[0]["id"], &by_id[0]["name"]), (&json!(first), &json!("Rude name")));
    // The maker of the offers plays no match, so that `admin find` can find this person only by the offers.
    let maker_id = text(&found["offers"][0]["browser"]).to_owned();
    assert_eq!(find(&home, &maker_id)["offers"], found["offers"]);
    assert!(admin(&home, &["find", "rude"]).ok().contains(&maker_id));
    act(&home, &["rename", &first, "Anna"]);
    served_within(|| names() == [json!("Anna"), json!("Rude too")]);
    act(&home, &["rename", &maker_id]);
    served_within(|| names() == [Value::Null, Value::Null]);
    act(&home, &["revoke", &second]);
    served_within(|| names() == [Value::Null]);
    admin(&home, &[&["revoke", &second], &REASON[..]].concat()).fails(1, &["not in the database"]);
    act(&home, &["revoke", &first]);
    served_within(|| names().is_empty());
    let targets: Vec<Value> = log(&home).iter().map(|act| act["target"].clone()).collect();
    assert_eq!(targets, vec![json!(maker_id); 4]);
}

/// Waits until a running server shows a change, which the function `is_shown` reports. The server reads the open offers
/// only once a second. The test fails after about 20 seconds.
fn served_within(is_shown: impl Fn() -> bool) {
    for _ in 0..200 {
        if is_shown() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("the server does not show the change");
}

#[test]
fn an_ended_match_is_over_for_both_players_and_cannot_be_ended_again() {
    let home = Home::new();
    let (served, mut anna, mut bert, state) = two(&home);
    let id = text(&state["id"]);
    let before = get(&mut anna, &served, id).1;
    act(&home, &["end", id, "--loser", "b"]);
    // The server's cache still holds the match as it was before the operator ended the match. The write of the action then detects the
    // operator's change.
    let (status, problem) = anna.act(&served.address, &before, "request-1").unwrap();
    assert_eq!((status, text(&problem["code"])), (409, "conflict"), "{problem}");
    for client in [&mut anna, &mut bert] {
        let seen = get(client, &served, id).1;
        assert_eq!(
            (text(&seen["result"]["resigned"]), text(&seen["result"]["winner"])),
            ("b", "a")
        );
    }
    assert_eq!(find(&home, id)["matches"][0]["state"], "over");
    let again = admin(&home, &[&["end", id, "--loser", "a"], &REASON[..]].concat());
    again.fails(1, &["over already"]);
    assert_eq!(log(&home).len(), 1);
}

#[test]
fn a_revoked_invitation_lets_nobody_join() {
    let home = Home::new();
    let served = ServerProcess::start(&home, &[]);
    let (mut anna, mut bert) = (HttpClient::default(), HttpClient::default());
    let state = invite(&mut anna, &served, "Anna");
    let id = text(&state["id"]);
    // Bert opens the invitation to Anna's match, so that the server caches the match before an operator revokes the invitation.
    let path = invitation(&state);
    assert_eq!(bert.send(&served.address, "GET", &path, &Value::Null).unwrap().0, 200);
    act(&home, &["revoke", text(&state["invitation"])]);
    assert_eq!(bert.send(&served.address, "GET", &path, &Value::Null).unwrap().0, 404);
    assert_eq!(bert.send(&served.address, "POST", &path, &json!({})).unwrap().0, 404);
    let seen = get(&mut anna, &served, id).1;
    assert_eq!((&seen["invitation"], text(&seen["players"]["b"]["kind"])), (&Value::Null, "open"));
    admin(&home, &[&["revoke", id], &REASON[..]].concat()).fails(1, &["no unused invitation"]);
}

#[test]
fn a_revoked_cookie_opens_nothing_and_its_matches_can_be_erased_under_the_new_id() {
    let home = Home::new();
    let (served, mut anna, mut bert, state) = two(&home);
    let id = text(&state["id"]);
    let anna_id = browser(&mut anna, &served);
    let before = get(&mut anna, &served, id).1;
    assert_eq!(before["current"]["to_act"], "first");
    let revoked = act(&home, &["revoke", &anna_id]);
    assert_eq!(revoked["matches"], 1);
    // The match state in the server's cache still names Anna's revoked browser identity, but the server must refuse all requests with
    // Anna's revoked cookie.
    let request = json!({"client_id": "request-1"});
    for what in ["resign", "undo", "rematch", "hint"] {
        let path = format!("/api/v1/matches/{id}/{what}");
        let (status, _) = anna.send(&served.address, "POST", &path, &request).unwrap();
        assert_eq!(status, 404, "{what}");
    }
    assert_eq!(anna.act(&served.address, &before, "request-2").unwrap().0, 404);
    assert_eq!(get(&mut anna, &served, id).0, 404);
    let (_, list) = anna.send(&served.address, "GET", "/api/v1/matches", &Value::Null).unwrap();
    assert_eq!(list["matches"], json!([]));
    let seen = get(&mut bert, &served, id).1;
    assert_eq!((&seen["result"], text(&seen["players"]["a"]["kind"])), (&Value::Null, "friend"));
    let new = text(&revoked["browser"]);
    assert_eq!(act(&home, &["erase", new])["matches"], 1);
    let seen = get(&mut bert, &served, id).1;
    assert_eq!(
        (text(&seen["players"]["a"]["kind"]), text(&seen["result"]["resigned"])),
        ("deleted", "a")
    );
    admin(&home, &[&["erase", new], &REASON[..]].concat()).fails(1, &["not in the database"]);
    admin(&home, &[&["revoke", &anna_id], &REASON[..]].concat()).fails(1, &["not in the database"]);
    assert_eq!(log(&home).len(), 2);
}

#[test]
fn an_action_on_a_cached_state_fails_after_the_cookie_was_revoked() {
    let home = Home::new();
    let (served, mut anna, _, state) = two(&home);
    let before = get(&mut anna, &served, text(&state["id"])).1;
    let anna_id = browser(&mut anna, &served);
    act(&home, &["revoke", &anna_id]);
    // No request reads the match between the revocation of Anna's cookie and Anna's action, so that the server's cache still holds the old
    // state.
    let (status, problem) = anna.act(&served.address, &before, "request-1").unwrap();
    assert_eq!((status, text(&problem["code"])), (404, "not-found"), "{problem}");
}

#[test]
fn an_erasure_removes_matches_shared_deals_and_attempts_at_puzzles() {
    let home = Home::new();
    let (served, mut anna, mut bert, state) = two(&home);
    let id = text(&state["id"]);
    let alone = bert.begin(&served.address).unwrap();
    let (_, today) =
        bert.send(&served.address, "GET", "/api/v1/shared-deals", &Value::Null).unwrap();
    let deal = &today["today"][0];
    let path = format!("/api/v1/shared-deals/{}/{}", text(&deal["name"]), text(&deal["rules"]));
    let (status, shared) = bert.send(&served.address, "POST", &path, &json!({})).unwrap();
    assert_eq!(status, 201, "{shared}");
    // Clara attempts a puzzle, but has no seat in any match.
    let mut clara = HttpClient::default();
    let next = "/api/v1/puzzles/next?rules=bga";
    for client in [&mut bert, &mut clara] {
        let (_, puzzle) = client.send(&served.address, "GET", next, &Value::Null).unwrap();
        let path = format!("/api/v1/puzzles/{}/attempts", text(&puzzle["id"]));
        let none = json!({"actions": []});
        assert_eq!(client.send(&served.address, "POST", &path, &none).unwrap().0, 200);
    }
    // An operator finds a browser by the handle of its account.
    let account = json!({"handle": "Clara-1", "password": "correct horse battery"});
    let made = clara.send(&served.address, "POST", "/api/v1/me/account", &account).unwrap();
    assert_eq!(made.0, 201, "{}", made.1);
    let found = find(&home, "@clara1");
    assert_eq!(found["browser"]["handle"], "Clara-1");
    assert_eq!(text(&found["browser"]["browser"]), browser(&mut clara, &served));
    admin(&home, &["find", "@nobody"]).fails(1, &["@nobody"]);
    // Clara plays no match, so that `admin find` finds this person only by the handle after `@`.
    admin(&home, &["find", "clara"])
        .fails(1, &["fits `clara`", "for an account by its whole handle, such as `@anna`"]);
    let owned = |matches: u64, attempts: u64| (json!(matches), json!(attempts));
    for (client, expected) in [(&mut bert, owned(3, 1)), (&mut clara, owned(0, 1))] {
        let browser = browser(client, &served);
        assert_eq!(find(&home, &browser)["browser"]["puzzle_attempts"], 1);
        let erased = act(&home, &["erase", &browser]);
        assert_eq!((erased["matches"].clone(), erased["puzzle_attempts"].clone()), expected);
        admin(&home, &["find", &browser]).fails(1, &[&browser]);
        let (_, export) =
            client.send(&served.address, "GET", "/api/v1/me/export", &Value::Null).unwrap();
        assert_eq!((&export["matches"], &export["puzzle_attempts"]), (&json!([]), &json!([])));
    }
    for gone in [&alone, &shared] {
        assert_eq!(get(&mut bert, &served, text(&gone["id"])).0, 404);
        // An action must not restore an erased match, although the server's cache may still hold the state of the match.
        assert_eq!(bert.act(&served.address, gone, "request-9").unwrap().0, 404);
    }
    let seen = get(&mut anna, &served, id).1;
    assert_eq!(seen["players"]["b"]["kind"], "deleted");
}

#[test]
fn an_operator_needs_no_running_server_but_a_database_of_this_version() {
    let home = Home::new();
    admin(&home, &["log"]).fails(1, &["no database"]);
    assert!(!home.path("server").exists());
    let (served, _, _, state) = two(&home);
    served.kill();
    let id = text(&state["id"]);
    admin(&home, &[&["end", "nosuch", "--loser", "a"], &REASON[..]].concat())
        .fails(1, &["`nosuch` is not the id or link of a match: search"]);
    assert_eq!(act(&home, &["end", id, "--loser", "a"])["matches"], 1);
    assert!(admin(&home, &["log"]).ok().contains(&format!("{id} player a")));
    crate::maintenance::change(
        &home.path("server/overmate.sqlite"),
        "DELETE FROM _sqlx_migrations WHERE version = (SELECT max(version) FROM _sqlx_migrations)",
    );
    admin(&home, &["log"]).fails(1, &["the schema of the database is", "overmate serve"]);
}
