//! Plays whole tournament events over real HTTP, and recomputes their standings from the records of their matches.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use axum::http::StatusCode;
use fastrand::Rng;
use futures_util::future::join_all;
use futures_util::{StreamExt as _, stream};
use hmac::{Hmac, KeyInit as _, Mac as _};
use overmate_rules::{Game, Match, Outcome, Player, Record, Seat};
use overmate_server::wire::{
    Code, EventBoardWire, EventKindWire, EventList, EventStateWire, EventView, Export, MatchView,
    NewEvent, PlayerWire, Problem, SeenEvent, You,
};
use overmate_server::{Admin, Limits, Settings};
use overmate_solver::{Budget, Solver};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::ratings::make_account;
use crate::sockets::{Served, served};
use crate::support::{Browser, Table, client_id, run, turn};

/// Simulated player with an account, whose requests are sent over real TCP connections.
pub(crate) struct Remote {
    browser: Browser,
    address: SocketAddr,
    pub(crate) handle: String,
}

impl Remote {
    pub(crate) async fn new(table: &Table, served: &Served, handle: String) -> Self {
        let mut browser = table.browser();
        make_account(&mut browser, &handle).await;
        Self { browser, address: served.address, handle }
    }

    /// Sends an HTTP request over a new TCP connection. Returns the status and the body of the response.
    async fn send(&self, method: &str, path: &str, body: Option<Value>) -> (u16, String) {
        let body = body.map_or_else(String::new, |body| body.to_string());
        let cookie = self.browser.cookie.as_deref().expect("a cookie");
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: {}\r\nCookie: {cookie}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(self.address).await.expect("a connection");
        stream.write_all(request.as_bytes()).await.expect("a write");
        let mut response = Vec::new();
        stream.read_to_end(&mut response).await.expect("a read");
        let response = String::from_utf8(response).expect("a text");
        let (head, body) = response.split_once("\r\n\r\n").expect("a response");
        let status = head.split(' ').nth(1).expect("a status").parse().expect("a number");
        (status, body.to_owned())
    }

    #[track_caller]
    fn ok<T: DeserializeOwned>((status, body): (u16, String)) -> T {
        assert!((200..300).contains(&status), "{status} {body}");
        serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"))
    }

    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> T {
        Self::ok(self.send("GET", path, None).await)
    }

    pub(crate) async fn post<T: DeserializeOwned>(&self, path: &str, body: Value) -> T {
        Self::ok(self.send("POST", path, Some(body)).await)
    }

    /// Plays a match on behalf of both players with random legal actions. After `patience` actions, the player whose turn it is
    /// resigns.
    pub(crate) async fn play(&self, other: &Self, id: &str, random: &mut Rng, patience: usize) {
        let mut actions = 0;
        loop {
            let state: MatchView = self.get(&format!("/api/v1/matches/{id}")).await;
            if state.result.is_some() {
                return;
            }
            let is_own = (state.you == Some(You::A)) == (turn(&state) == Some(PlayerWire::A));
            let actor = if is_own { self } else { other };
            if actions == patience {
                let body = json!({"client_id": client_id()});
                let _: MatchView = actor.post(&format!("/api/v1/matches/{id}/resign"), body).await;
                return;
            }
            let state: MatchView = actor.get(&format!("/api/v1/matches/{id}")).await;
            let legal = &state.current.legal;
            let action = legal[random.usize(0..legal.len())].action.clone();
            let body =
                json!({"sequence": state.sequence, "action": action, "client_id": client_id()});
            let path = format!("/api/v1/matches/{id}/actions");
            let (status, body) = actor.send("POST", &path, Some(body)).await;
            // If the test machine pauses, the server credits the players with clock time, which changes the match. The action is then
            // refused as a conflict, and the player acts again.
            let problem = serde_json::from_str::<Problem>(&body);
            if !problem.is_ok_and(|problem| problem.code == Code::Conflict) {
                let _: MatchView = Self::ok((status, body));
            }
            actions += 1;
        }
    }
}

pub(crate) fn quick(settings: Settings) -> Settings {
    let limits = Limits { event_pause: Duration::ZERO, ..settings.limits };
    Settings { limits, ..settings }
}

pub(crate) async fn players(table: &Table, served: &Served, count: usize) -> Vec<Remote> {
    let players = (0..count).map(|index| Remote::new(table, served, format!("Player{index}")));
    // At most eight accounts are created at the same time, so that the server's queue for password hashes does not overflow.
    stream::iter(players).buffered(8).collect().await
}

pub(crate) fn new_event(kind: &Value) -> Value {
    json!({
        "kind": kind, "title": "Friday", "rules": "bga", "base": 300, "increment": 5,
        "starts_in": 60, "client_id": client_id(),
    })
}

/// Creates a tournament event as the first player, lets all players join, and starts the event.
pub(crate) async fn begin(players: &[Remote], kind: &Value) -> String {
    let made: SeenEvent = players[0].post("/api/v1/events", new_event(kind)).await;
    let id = made.shown.event.id;
    let path = format!("/api/v1/events/{id}/join");
    join_all(players.iter().map(|player| player.post::<SeenEvent>(&path, json!({})))).await;
    let begun: SeenEvent = players[0].post(&format!("/api/v1/events/{id}/start"), json!({})).await;
    assert!(begun.you.host && begun.you.present);
    id
}

/// Returns the player who has a given number in a tournament event.
pub(crate) fn player_of<'a>(players: &'a [Remote], shown: &EventView, number: u32) -> &'a Remote {
    let standing = shown.standings.iter().find(|standing| standing.number == number);
    let handle = standing.expect("a player").handle.as_deref();
    players.iter().find(|player| Some(player.handle.as_str()) == handle).expect("a player")
}

/// Plays all matches of a tournament event to the end of the event. Returns the final view of the event, and the match id of each
/// board.
async fn play_event(
    table: &Table,
    players: &[Remote],
    id: &str,
    most_boards: usize,
) -> (EventView, BTreeMap<u32, String>) {
    let path = format!("/api/v1/events/{id}");
    let mut ids = BTreeMap::new();
    let mut seen: SeenEvent = players[0].get(&path).await;
    let mut is_ended = false;
    loop {
        let shown = seen.shown;
        if shown.event.state == EventStateWire::Finished {
            return (shown, ids);
        }
        assert_eq!((shown.deals.len(), &shown.key), (0, &None), "the deals are secret");
        let running = shown.boards.iter().filter(|board| board.points.is_none());
        let new: Vec<EventBoardWire> =
            running.filter(|board| !ids.contains_key(&board.number)).copied().collect();
        let played = new.iter().map(|board| async {
            let one = player_of(players, &shown, board.a);
            let other = player_of(players, &shown, board.b.expect("an opponent"));
            let own: SeenEvent = one.get(&path).await;
            let theirs: SeenEvent = other.get(&path).await;
            let match_id = own.you.match_id.expect("a match");
            assert_eq!(theirs.you.match_id.as_ref(), Some(&match_id));
            let mut random = Rng::with_seed(board.number.into());
            // Half of the matches are given up early, some of them in the second game.
            let patience = if random.bool() { random.usize(2..16) } else { usize::MAX };
            one.play(other, &match_id, &mut random, patience).await;
            (board.number, match_id)
        });
        ids.extend(join_all(played).await);
        if !is_ended && ids.len() >= most_boards {
            // The test moves the start of the arena into the past, so that the time of the arena is over.
            table.execute("UPDATE events SET starts_at = starts_at - 100000").await;
            is_ended = true;
        }
        seen = players[0].get(&format!("{path}?after={}&wait=5", shown.version)).await;
    }
}

/// Returns the exact value of a game, in points for the player who leads first. The value is computed without the server.
fn value(game: &Game) -> i32 {
    Solver::new().analyse(game, &Budget::unlimited()).value.at_least().points()
}

/// Returns the points of player A for a match of a tournament event, by the rules of `docs/events.md`.
fn points(played: &Match) -> i32 {
    let of_deal = value(&Game::new(played.games()[0].dealt().clone()));
    let mut sum = 0;
    for (index, game) in played.games().iter().enumerate() {
        let for_first = match game.outcome() {
            Some(outcome @ (Outcome::Draw | Outcome::Mate(_))) => outcome.points_for_first(),
            Some(Outcome::Resigned { .. }) | None if game.actions().is_empty() => of_deal,
            Some(Outcome::Resigned { .. }) | None => value(&game.after(game.actions().len())),
        };
        let of_a = Match::seat(index, Player::A);
        sum += if of_a == Seat::First { for_first - of_deal } else { of_deal - for_first };
    }
    match played.result().expect("a result").resigned {
        Some(Player::A) => sum.min(-20),
        Some(Player::B) => sum.max(20),
        None => sum,
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("a small number")
}

/// Row of a tournament event's standings: the player's number, rank, points, points of the opponents, matches won, and matches
/// played.
type Row = (u32, u32, i32, i32, u32, u32);

/// Computes the standings of a tournament event from match results. Each result names a player, the opponent, and the player's
/// points.
fn table_of(numbers: &BTreeSet<u32>, sides: &[(u32, u32, i32)]) -> Vec<Row> {
    let total = |number: u32| -> i32 {
        sides.iter().filter(|side| side.0 == number).map(|side| side.2).sum()
    };
    let mut rows: Vec<Row> = numbers
        .iter()
        .map(|&number| {
            let own: Vec<_> = sides.iter().filter(|side| side.0 == number).collect();
            let opponents = own.iter().map(|side| total(side.1)).sum();
            let won = own.iter().filter(|side| side.2 > 0).count();
            (number, 0, total(number), opponents, small(won), small(own.len()))
        })
        .collect();
    for index in 0..rows.len() {
        let (_, _, points, opponents, won, _) = rows[index];
        let better = |row: &&Row| (row.2, row.3, row.4) > (points, opponents, won);
        rows[index].1 = small(rows.iter().filter(better).count()) + 1;
    }
    rows.sort_by_key(|row| (row.1, row.0));
    rows
}

/// Checks the deals, points and standings of a finished tournament event against the records of its matches.
async fn check(players: &[Remote], shown: &EventView, ids: &BTreeMap<u32, String>) {
    let key = shown.key.as_ref().expect("the key of a finished event");
    let digits = |at: usize| u8::from_str_radix(&key[at..at + 2], 16).expect("digits");
    let key: Vec<u8> = (0..key.len()).step_by(2).map(digits).collect();
    let hash = Sha256::digest(&key);
    let commitment: Vec<u8> = (0..64)
        .step_by(2)
        .map(|at| u8::from_str_radix(&shown.commitment[at..at + 2], 16).expect("digits"))
        .collect();
    assert_eq!(commitment[..], hash[..]);
    // The number of each deal is one of the numbers that follow from the secret key of the tournament event.
    for deal in &shown.deals {
        let drawn = (0..200).map(|attempt| {
            let mut hash = Hmac::<Sha256>::new_from_slice(&key).expect("a key");
            hash.update(format!("{} {} bga {attempt}", shown.event.id, deal.place).as_bytes());
            let bytes = hash.finalize().into_bytes();
            let number = u128::from_be_bytes(*bytes.first_chunk().expect("16 bytes"));
            (number % 184_756).to_string()
        });
        assert!(drawn.into_iter().any(|number| number == deal.deal), "{deal:?}");
    }
    let mut sides = Vec::new();
    let mut forfeits = 0;
    for board in &shown.boards {
        let Some(b) = board.b else {
            assert_eq!((board.points, board.place), (Some(0), None));
            continue;
        };
        let player = player_of(players, shown, board.a);
        let path = format!("/api/v1/matches/{}/record", ids[&board.number]);
        let (status, text) = player.send("GET", &path, None).await;
        assert_eq!(status, 200);
        let record = Record::read(&text).expect("a record");
        let played = record.played_match();
        let place = board.place.expect("a deal") as usize;
        let dealt = played.games()[0].dealt();
        assert_eq!(dealt.number().to_string(), shown.deals[place].deal);
        assert_eq!(shown.deals[place].value_for_first, value(&Game::new(dealt.clone())));
        assert_eq!(board.points, Some(points(played)), "board {}", board.number);
        let resigned = played.result().expect("a result").resigned;
        let forfeit = board.forfeit.map(|player| match player {
            PlayerWire::A => Player::A,
            PlayerWire::B => Player::B,
        });
        assert_eq!(forfeit, resigned);
        forfeits += u32::from(forfeit.is_some());
        let points = points(played);
        sides.extend([(board.a, b, points), (b, board.a, -points)]);
    }
    assert!(forfeits > 0 && (forfeits as usize) < shown.boards.len());
    let numbers = (1..=u32::try_from(players.len()).expect("a small number")).collect();
    let rows: Vec<Row> = shown
        .standings
        .iter()
        .map(|one| (one.number, one.rank, one.points, one.opponents, one.won, one.played))
        .collect();
    assert_eq!(rows, table_of(&numbers, &sides));
}

#[test]
fn a_swiss_event_has_no_repeated_pairs_and_its_standings_follow_from_the_records() {
    run(async {
        let table = Table::with(quick).await;
        let served = served(&table).await;
        let players = players(&table, &served, 9).await;
        let id = begin(&players, &json!({"kind": "swiss", "rounds": 5})).await;
        let begun: SeenEvent = players[0].get(&format!("/api/v1/events/{id}")).await;
        assert!(begun.shown.standings.iter().all(|standing| !standing.profile));
        table
            .execute(
                "INSERT INTO ratings (person, rules, pace, rating, deviation, volatility, wins, draws, losses, at)
                 SELECT person, 'sackson', 'live', 1500, 100, 0.06, 1, 0, 0, 0 FROM accounts",
            )
            .await;
        let private = Some(json!({"private": true}));
        assert_eq!(players[8].send("PUT", "/api/v1/me/account/profile", private).await.0, 200);
        let (shown, ids) = play_event(&table, &players, &id, usize::MAX).await;
        check(&players, &shown, &ids).await;
        let mut pairs = BTreeSet::new();
        let mut byes = BTreeSet::new();
        for round in 1..=5 {
            let boards: Vec<_> = shown.boards.iter().filter(|one| one.round == round).collect();
            let mut seen = BTreeSet::new();
            for board in &boards {
                assert!(seen.insert(board.a) && board.b.is_none_or(|b| seen.insert(b)));
                match board.b {
                    None => assert!(byes.insert(board.a), "two byes"),
                    Some(b) => assert!(pairs.insert((board.a.min(b), board.a.max(b))), "a repeat"),
                }
                // All matches in one round of the Swiss event have the same deal.
                assert!(board.b.is_none() || board.place == Some(round - 1));
            }
            assert_eq!((boards.len(), seen.len()), (5, 9));
        }
        assert_eq!((pairs.len(), byes.len(), shown.deals.len()), (20, 5, 5));
        let list: EventList = players[1].get("/api/v1/events").await;
        let finished: Vec<&str> = list.finished.iter().map(|event| &*event.id).collect();
        assert_eq!((finished, list.running.len(), list.coming.len()), (vec![&*id], 0, 0));
        // A player has a public profile from their first rated match on, unless they hide the profile.
        for standing in &shown.standings {
            let is_hidden = standing.handle.as_ref() == Some(&players[8].handle);
            assert_eq!(standing.profile, !is_hidden);
        }
        // A player who plays a deal of the finished event without help sees the deal's value only after that match.
        let new =
            json!({"rules": "bga", "opponent": {"kind": "friend"}, "deal": shown.deals[0].deal});
        let chosen: MatchView = players[1].post("/api/v1/matches", new).await;
        let invitation = chosen.invitation.expect("an open seat");
        let join = invitation.replace("/join/", "/api/v1/invitations/");
        let _: MatchView = players[2].post(&join, json!({})).await;
        for (player, deals) in [(1, 0), (2, 0), (3, 5)] {
            let seen: SeenEvent = players[player].get(&format!("/api/v1/events/{id}")).await;
            assert_eq!((seen.shown.deals.len(), seen.shown.boards.len()), (deals, 25), "{player}");
        }
        let resign = json!({"client_id": client_id()});
        let path = format!("/api/v1/matches/{}/resign", chosen.id);
        let _: MatchView = players[1].post(&path, resign).await;
        let seen: SeenEvent = players[2].get(&format!("/api/v1/events/{id}")).await;
        assert_eq!(seen.shown.deals.len(), 5);
        // After a player has erased their data, the tournament event still shows the player's results, but not their handle.
        let number = shown.standings[0].number;
        let mut best = player_of(&players, &shown, number).browser.clone();
        assert_eq!(best.erase().await.status, StatusCode::NO_CONTENT);
        let seen: SeenEvent =
            players[(number as usize) % 9].get(&format!("/api/v1/events/{id}")).await;
        let mut expected = shown.standings[0].clone();
        (expected.handle, expected.profile, expected.present) = (None, false, false);
        assert_eq!(seen.shown.standings[0], expected);
        drop(served.stop);
    });
}

#[test]
fn an_arena_pairs_everybody_and_its_standings_follow_from_the_records() {
    let number = test_sample::cases(20, 64);
    run(async {
        let table = Table::with(quick).await;
        let served = served(&table).await;
        let players = players(&table, &served, number).await;
        let id = begin(&players, &json!({"kind": "arena", "minutes": 30})).await;
        let (shown, ids) = play_event(&table, &players, &id, number).await;
        check(&players, &shown, &ids).await;
        assert!(shown.standings.iter().all(|standing| standing.played > 0));
        let mut last: BTreeMap<u32, u32> = BTreeMap::new();
        let mut deals: BTreeSet<(u32, u32)> = BTreeSet::new();
        for board in &shown.boards {
            let (a, b, place) = (board.a, board.b.expect("no byes"), board.place.expect("a deal"));
            assert_ne!((last.insert(a, b), last.insert(b, a)), (Some(b), Some(a)), "a rematch");
            // No player of the arena plays the same deal in two matches.
            assert!(deals.insert((a, place)) && deals.insert((b, place)));
        }
        assert!(shown.boards.len() >= number);
        drop(served.stop);
    });
}

#[test]
fn a_player_who_joins_a_running_arena_gets_a_match() {
    run(async {
        let table = Table::with(quick).await;
        let served = served(&table).await;
        let players = players(&table, &served, 4).await;
        let [first, second, waiting, late] = &players[..] else { panic!("four players") };
        let id = begin(&players[..3], &json!({"kind": "arena", "minutes": 30})).await;
        let path = format!("/api/v1/events/{id}");
        let mut seen: SeenEvent = first.get(&path).await;
        while seen.shown.boards.is_empty() {
            seen = first.get(&format!("{path}?after={}&wait=5", seen.shown.version)).await;
        }
        assert_eq!((seen.shown.boards.len(), seen.shown.standings.len()), (1, 3));
        // One of the three players has no opponent, and is paired with the player who joins later.
        let joined: SeenEvent = late.post(&format!("{path}/join"), json!({})).await;
        assert_eq!((joined.you.number.is_some(), joined.you.present), (true, true));
        let mut seen = joined;
        while seen.you.match_id.is_none() {
            seen = late.get(&format!("{path}?after={}&wait=5", seen.shown.version)).await;
        }
        let board = seen.shown.boards[1];
        let pair = [board.a, board.b.expect("an opponent")];
        assert!(pair.contains(&seen.you.number.expect("a number")));
        let mut with_match = 0;
        for player in [first, second, waiting] {
            let own: SeenEvent = player.get(&path).await;
            let is_paired = pair.contains(&own.you.number.expect("a number"));
            assert_eq!(own.you.match_id == seen.you.match_id, is_paired);
            with_match += usize::from(own.you.match_id.is_some());
        }
        assert_eq!(with_match, 3);
        // The clocks of the match do not pause, and the refusal names the event as the reason.
        let pause = format!("/api/v1/matches/{}/pause", seen.you.match_id.expect("a match"));
        let (status, refused) =
            late.send("POST", &pause, Some(json!({"client_id": client_id()}))).await;
        let refused: Problem = serde_json::from_str(&refused).expect("a problem");
        assert_eq!((status, refused.code), (403, Code::NotAllowed));
        assert!(refused.detail.contains("event"), "{}", refused.detail);
        drop(served.stop);
    });
}

#[test]
fn the_title_of_an_operators_event_is_checked_like_that_of_a_player() {
    run(async {
        let table = Table::with(quick).await;
        let mut admin =
            Admin::open(&table.folder.path().to_owned().into()).await.expect("a database");
        let with = |title: &str| {
            let mut new = new_event(&json!({"kind": "arena", "minutes": 30}));
            new["title"] = json!(title);
            serde_json::from_value::<NewEvent>(new).expect("an event")
        };
        let refused = admin.make_event(&with(&"x".repeat(41)), 0).await;
        assert!(refused.expect_err("a long title").to_string().contains("too long"));
        admin.make_event(&with(" Friday \u{7}"), 0).await.expect("an event");
        let made = admin.events().await.expect("events");
        assert_eq!((made.len(), made[0].title.as_deref()), (1, Some("Friday")));
        admin.close().await.expect("a database");
    });
}

#[test]
fn an_operator_changes_and_removes_the_title_of_an_event_that_has_begun() {
    run(async {
        let words = |settings| Settings { refused_words: vec!["badger".to_owned()], ..settings };
        let table = Table::with(words).await;
        let mut host = table.browser();
        make_account(&mut host, "Anna").await;
        let new = new_event(&json!({"kind": "arena", "minutes": 30}));
        let made: SeenEvent = host.post("/api/v1/events", new).await.ok();
        let (id, before) = (made.shown.event.id, made.shown.version);
        let path = format!("/api/v1/events/{id}");
        let _: SeenEvent = host.post(&format!("{path}/start"), json!({})).await.ok();
        let database = table.folder.path().to_owned().into();
        let mut admin = Admin::open(&database).await.expect("a database");
        let mut version = before;
        for title in [Some("Monday"), None] {
            admin.rename(&id, None, title, "a test").await.expect("an event");
            let seen: SeenEvent = host.get(&path).await.ok();
            assert_eq!(seen.shown.event.title.as_deref(), title);
            assert!(seen.shown.version > version);
            version = seen.shown.version;
        }
        let link = format!("https://mate.example/events/{id}");
        admin.rename(&link, None, Some("Tuesday"), "a test").await.expect("an event");
        let erased = admin.erase(&id, "a test").await.map(drop);
        for refused in [
            admin.rename(&id, Some(Player::A), Some("Tuesday"), "a test").await.map(drop),
            admin.revoke(&link, "a test").await.map(drop),
            admin.end(&id, Player::A, "a test").await,
            erased,
        ] {
            let refused = refused.expect_err("an event").to_string();
            assert!(refused.starts_with(&format!("`{id}` is the id of an event")), "{refused}");
        }
        let unknown = admin.rename(&"0".repeat(32), None, None, "a test").await;
        assert!(unknown.is_err());
        let export: Export = host.get("/api/v1/me/export").await.ok();
        // The operators' log names the event and its host, and the host's export contains the entries.
        let target = format!("{id} host {}", export.identity.expect("an identity"));
        let acts = export.operator_acts.iter().map(|act| (&*act.act, &*act.target));
        assert_eq!(acts.collect::<Vec<_>>(), [("rename", &*target); 3]);
        admin.close().await.expect("a database");
        // A title with a word that the operators have refused since is shown nowhere.
        table.execute("UPDATE events SET title = 'Badger', version = version + 1").await;
        let seen: SeenEvent = host.get(&path).await.ok();
        assert_eq!(seen.shown.event.title, None);
        let list: EventList = host.get("/api/v1/events").await.ok();
        let shown = list.running.iter().chain(&list.coming);
        assert_eq!(shown.map(|event| event.title.as_deref()).collect::<Vec<_>>(), [None]);
    });
}

#[test]
fn only_accounts_make_and_join_events_within_limits() {
    run(async {
        let table = Table::with(quick).await;
        let mut host = table.browser();
        let new = new_event(&json!({"kind": "swiss", "rounds": 3}));
        assert_eq!(host.post("/api/v1/events", new.clone()).await.code(), Code::AccountNeeded);
        make_account(&mut host, "Anna").await;
        let made: SeenEvent = host.post("/api/v1/events", new.clone()).await.ok();
        assert_eq!(made.shown.event.kind, EventKindWire::Swiss { rounds: 3 });
        assert_eq!((made.shown.event.host.as_deref(), made.you.host), (Some("Anna"), true));
        let again: SeenEvent = host.post("/api/v1/events", new.clone()).await.ok();
        assert_eq!(again, made);
        let mut refused = 0;
        for (field, wrong) in [
            ("kind", json!({"kind": "swiss", "rounds": 0})),
            ("kind", json!({"kind": "arena", "minutes": 1})),
            ("base", json!(5)),
            ("increment", json!(31)),
            ("starts_in", json!(30_000)),
            ("rules", json!("denexa")),
            ("rules", json!("sackson+pinochle")),
            ("client_id", json!("short")),
        ] {
            let mut new = new_event(&json!({"kind": "swiss", "rounds": 3}));
            new[field] = wrong;
            assert_eq!(host.post("/api/v1/events", new).await.code(), Code::BadRequest, "{field}");
            refused += 1;
        }
        assert_eq!(refused, 8);
        for _ in 0..2 {
            let other = new_event(&json!({"kind": "arena", "minutes": 30}));
            let _: SeenEvent = host.post("/api/v1/events", other).await.ok();
        }
        let fourth = new_event(&json!({"kind": "arena", "minutes": 30}));
        assert_eq!(host.post("/api/v1/events", fourth).await.code(), Code::EventsFull);

        let path = format!("/api/v1/events/{}", made.shown.event.id);
        let mut guest = table.browser();
        let join = format!("{path}/join");
        assert_eq!(guest.post(&join, json!({})).await.code(), Code::AccountNeeded);
        make_account(&mut guest, "Bert").await;
        let joined: SeenEvent = guest.post(&join, json!({})).await.ok();
        assert_eq!(
            (joined.you.number, joined.you.present, joined.you.host),
            (Some(1), true, false)
        );
        assert_eq!(guest.post(&format!("{path}/start"), json!({})).await.code(), Code::EventClosed);
        assert_eq!(guest.delete(&path).await.code(), Code::EventClosed);
        let left: SeenEvent = guest.post(&format!("{path}/leave"), json!({})).await.ok();
        assert_eq!(left.you.number, None);
        table
            .execute(
                "WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 200)
                 INSERT INTO event_players (event_id, number, person, present, joined_at)
                 SELECT id, number, randomblob(32), 1, 0 FROM events JOIN numbers",
            )
            .await;
        let full = guest.post(&join, json!({})).await;
        assert_eq!(full.code(), Code::EventFull);
        assert!(full.text().contains("the event has 200 players"), "{}", full.text());
        assert_eq!(host.delete(&path).await.status, StatusCode::NO_CONTENT);
        assert_eq!(host.get(&path).await.code(), Code::NotFound);
        assert_eq!(guest.post(&join, json!({})).await.code(), Code::NotFound);
    });
}
