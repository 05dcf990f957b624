//! Tests matches with clocks: time controls, lag compensation, pauses, forbidden help, and losses on time.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::time::Duration;

use axum::http::header;
use futures_util::FutureExt as _;
use overmate_server::wire::{Code, MatchView, OutcomeKind, PlayerWire, ServerMessage};
use serde_json::{Value, json};

use crate::days_off::entries;
use crate::sockets::{Socket, served};
use crate::support::{Browser, Table, play_out, run, turn};

/// Time that a client with a slow connection waits before it answers a ping.
const LAG: Duration = Duration::from_millis(300);

/// Maximum lag, in milliseconds, that the server compensates in one action (`docs/clocks.md`).
const MOST_LAG: i64 = 1_000;

/// Maximum number of attempts at a test that fails because the test computer paused.
const ATTEMPTS: usize = 5;

/// Runs a test of live clocks on a new server. If the test has failed and the test computer paused meanwhile, runs the test again. The
/// server credits a pause of 1.5 seconds as a downtime, which changes the clocks and the log.
fn run_clocks(test: &impl AsyncFn(&Table)) {
    run(async {
        for attempt in 1.. {
            let table = Table::new().await;
            let Err(panic) = AssertUnwindSafe(test(&table)).catch_unwind().await else { return };
            let is_disturbed = entries(&table).await.iter().any(|(kind, ..)| kind == "credit");
            if attempt == ATTEMPTS || !is_disturbed {
                resume_unwind(panic);
            }
        }
    });
}

/// Returns the JSON of a live time control with a base time and an increment for each action, both in seconds.
fn live(base: u32, increment: u32) -> Value {
    json!({"kind": "live", "base": base, "increment": increment})
}

/// Creates a match with clocks between two new test clients. The first client leads.
async fn two(table: &Table, rules: &str, clock: Value) -> (Browser, Browser, MatchView) {
    let (mut host, mut guest) = (table.browser(), table.browser());
    let new = json!({"rules": rules, "opponent": {"kind": "friend"}, "lead": "me", "clock": clock});
    let state: MatchView = host.post("/api/v1/matches", new).await.ok();
    let path = format!("/api/v1/invitations/{}", token(&state));
    let invitation: Value = guest.get(&path).await.ok();
    assert_eq!(invitation["clock"], clock);
    let state: MatchView = guest.post(&path, json!({})).await.ok();
    (host, guest, state)
}

fn token(state: &MatchView) -> String {
    let path = state.invitation.clone().expect("an invitation");
    path.trim_start_matches("/join/").to_owned()
}

/// Takes the first legal action on behalf of the player whose turn it is.
async fn step(host: &mut Browser, guest: &mut Browser, state: &MatchView) -> MatchView {
    let browser = if turn(state) == Some(PlayerWire::A) { host } else { guest };
    let state = browser.look(&state.id).await;
    let action = state.current.legal[0].action.clone();
    browser.act(&state, &action).await.ok()
}

#[test]
fn the_clock_runs_after_each_player_has_acted_and_ends_the_match() {
    run_clocks(&async |table| {
        // The function `serve` also starts the task that ends matches at their clock deadlines.
        let _served = served(table).await;
        let (mut host, mut guest, state) = two(table, "bga", live(1, 0)).await;
        let clocks = state.clocks.expect("clocks");
        assert_eq!((clocks.a, clocks.b, clocks.running), (Some(1_000), Some(1_000), None));
        let state = step(&mut host, &mut guest, &state).await;
        assert_eq!(state.clocks.expect("clocks").running, None);
        let state = step(&mut host, &mut guest, &state).await;
        let loser = turn(&state).expect("a player");
        assert_eq!(state.clocks.expect("clocks").running, Some(loser));
        // The clocks change without a new sequence number, so that no tag may stand for the state of the match.
        let path = format!("/api/v1/matches/{}", state.id);
        assert!(!host.get(&path).await.headers.contains_key(header::ETAG));
        // Neither player acts any more, so that the match ends by a loss on time.
        let state = host.wait(&state.id, |state| state.result.is_some()).await;
        assert!(host.get(&path).await.headers.contains_key(header::ETAG));
        let result = state.result.expect("a result");
        assert_eq!((result.out_of_time, result.resigned), (Some(loser), Some(loser)));
        assert!(result.winner.is_some_and(|winner| winner != loser) && !result.abandoned);
        assert_eq!(state.current.outcome.expect("an outcome").kind, OutcomeKind::Resigned);
        let clocks = state.clocks.expect("clocks");
        let left = if loser == PlayerWire::A { clocks.a } else { clocks.b };
        assert_eq!((left, clocks.running), (Some(0), None));
        // In the game record, a loss on time counts as a resignation.
        assert!(guest.record(&state.id).await.result().is_some());
        let text = guest.get(&format!("/api/v1/matches/{}/record", state.id)).await.text();
        assert!(text.contains("lost on time"), "{text}");
    });
}

#[test]
fn a_slow_connection_gets_its_measured_lag_back_and_a_request_without_pings_nothing() {
    run_clocks(&async |table| {
        let served = served(table).await;
        let (mut host, mut guest, state) = two(table, "bga", live(60, 3)).await;
        let state = step(&mut host, &mut guest, &state).await;
        let state = step(&mut host, &mut guest, &state).await;
        let state = step(&mut host, &mut guest, &state).await;
        // The player whose clock runs has a slow connection, which answers the ping late.
        let slow = if turn(&state) == Some(PlayerWire::A) { &host } else { &guest };
        let mut socket = Socket::open(&served, slow, &format!("{}/live", state.id)).await;
        let seen = socket.hello().await;
        socket.ping().await;
        tokio::time::sleep(LAG).await;
        let late_answer = tokio::time::timeout(Duration::from_millis(100), socket.text());
        assert!(late_answer.await.is_err(), "the server sends no message");
        let sent = socket.act(seen.sequence, &seen.current.legal[0].action).await;
        loop {
            if let ServerMessage::Ack { client_id, .. } = socket.next().await {
                assert_eq!(client_id, sent);
                break;
            }
        }
        let mut database = table.connect().await;
        let given: Vec<i64> = sqlx::query_scalar("SELECT given_ms FROM log ORDER BY sequence")
            .fetch_all(&mut database)
            .await
            .unwrap();
        let (last, earlier) = given.split_last().unwrap();
        assert!(earlier.len() >= 3 && earlier.iter().all(|given| *given == 0), "{given:?}");
        let least = i64::try_from(LAG.as_millis()).unwrap();
        assert!((least..=MOST_LAG).contains(last), "{given:?}");
        drop(served.stop);
    });
}

#[test]
fn an_action_after_the_time_ends_the_match_without_a_sweep() {
    run_clocks(&async |table| {
        let (mut host, mut guest, state) = two(table, "bga", live(1, 0)).await;
        let state = step(&mut host, &mut guest, &state).await;
        let mut state = step(&mut host, &mut guest, &state).await;
        let loser = turn(&state).expect("a player");
        while state.clocks.is_some_and(|clocks| clocks.a != Some(0) && clocks.b != Some(0)) {
            tokio::time::sleep(Duration::from_millis(50)).await;
            state = host.look(&state.id).await;
        }
        assert_eq!(state.result.as_ref().map(|result| result.out_of_time), None);
        let browser = if loser == PlayerWire::A { &mut host } else { &mut guest };
        let state = browser.look(&state.id).await;
        let action = state.current.legal[0].action.clone();
        assert_eq!(browser.act(&state, &action).await.code(), Code::Conflict);
        let result = guest.look(&state.id).await.result.expect("a result");
        assert_eq!(result.out_of_time, Some(loser));
    });
}

#[test]
fn a_pause_by_consent_stops_the_clocks_and_the_actions() {
    run_clocks(&async |table| {
        let (mut host, mut guest, state) = two(table, "bga", live(60, 0)).await;
        // No clock runs before the first actions.
        assert_eq!(host.ask(&state.id, "pause").await.code(), Code::NotAllowed);
        let state = step(&mut host, &mut guest, &state).await;
        let before = step(&mut host, &mut guest, &state).await;
        let state: MatchView = host.ask(&state.id, "pause").await.ok();
        let clocks = state.clocks.expect("clocks");
        assert_eq!((clocks.a_asks, clocks.b_asks, clocks.paused_for), (true, false, None));
        // If a player asks for a pause twice, the second request changes nothing.
        let again: MatchView = host.ask(&state.id, "pause").await.ok();
        assert_eq!(again.sequence, state.sequence);
        let state: MatchView = guest.ask(&state.id, "pause").await.ok();
        let clocks = state.clocks.expect("clocks");
        assert!(clocks.paused_for.is_some_and(|left| left > 86_000_000), "{clocks:?}");
        assert_eq!((clocks.a_asks, clocks.b_asks), (false, false));
        assert_eq!(clocks.runs_in, clocks.paused_for.expect("a pause"));
        // The server refuses all actions during a pause of the clocks. Both players must ask for an early end of the pause.
        let acting = if turn(&before) == Some(PlayerWire::A) { &mut host } else { &mut guest };
        let action = acting.look(&state.id).await.current.legal[0].action.clone();
        assert_eq!(acting.act(&state, &action).await.code(), Code::NotAllowed);
        let one: MatchView = guest.ask(&state.id, "pause").await.ok();
        assert!(one.clocks.expect("clocks").paused_for.is_some());
        let state: MatchView = host.ask(&state.id, "pause").await.ok();
        let clocks = state.clocks.expect("clocks");
        assert_eq!(clocks.paused_for, None);
        assert!((1..=15_000).contains(&clocks.runs_in), "{clocks:?}");
        // A request for a pause does not change the position. The server therefore still accepts an action with the sequence number
        // from before the request.
        let asked: MatchView = host.ask(&state.id, "pause").await.ok();
        assert!(asked.sequence > state.sequence);
        let acting = if turn(&state) == Some(PlayerWire::A) { &mut host } else { &mut guest };
        let state: MatchView = acting.act(&state, &action).await.ok();
        let clocks = state.clocks.expect("clocks");
        assert_eq!((clocks.a_asks, clocks.b_asks), (false, false));
    });
}

#[test]
fn matches_by_correspondence_and_against_the_computer_have_no_pause() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) =
            two(&table, "bga", json!({"kind": "days", "days": 1})).await;
        let state = step(&mut host, &mut guest, &state).await;
        step(&mut host, &mut guest, &state).await;
        assert_eq!(host.ask(&state.id, "pause").await.code(), Code::NotAllowed);
        let new = json!({"rules": "bga", "opponent": {"kind": "level", "level": 1}, "lead": "me", "clock": live(60, 0)});
        let state: MatchView = host.post("/api/v1/matches", new).await.ok();
        assert_eq!(host.ask(&state.id, "pause").await.code(), Code::NotAllowed);
        assert_eq!(guest.ask(&state.id, "pause").await.code(), Code::NotFound);
    });
}

#[test]
fn a_match_that_ends_before_both_have_acted_counts_for_nobody() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga", live(60, 0)).await;
        let state = step(&mut host, &mut guest, &state).await;
        let state: MatchView = guest.ask(&state.id, "resign").await.ok();
        let result = state.result.expect("a result");
        assert_eq!((result.winner, result.abandoned), (None, true));
        let progress: Value = host.get("/api/v1/me/progress").await.ok();
        assert_eq!(progress["matches"], 0, "{progress}");
    });
}

#[test]
fn clocks_exclude_help_and_have_bounds() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let new = |opponent: Value, clock: Value| json!({"rules": "bga", "opponent": opponent, "lead": "me", "clock": clock});
        let level = json!({"kind": "level", "level": 1});
        let clock = live(180, 2);
        let state: MatchView =
            browser.post("/api/v1/matches", new(level.clone(), clock.clone())).await.ok();
        let clocks = state.clocks.expect("clocks");
        assert_eq!((clocks.a, clocks.b), (Some(180_000), None));
        assert!(!state.hint && !state.undo);
        let action = state.current.legal[0].action.clone();
        let state: MatchView = browser.act(&state, &action).await.ok();
        for what in ["hint", "undo"] {
            assert_eq!(browser.ask(&state.id, what).await.code(), Code::NotAllowed, "{what}");
        }
        for (base, increment) in [(0, 0), (10_801, 0), (60, 181)] {
            let clock = live(base, increment);
            let refused = browser.post("/api/v1/matches", new(level.clone(), clock)).await;
            assert_eq!(refused.code(), Code::BadRequest);
        }
        for days in [0, 4, 8] {
            let clock = json!({"kind": "days", "days": days});
            let refused = browser.post("/api/v1/matches", new(level.clone(), clock)).await;
            assert_eq!(refused.code(), Code::BadRequest);
        }
        let both = browser.post("/api/v1/matches", new(json!({"kind": "both"}), clock)).await;
        assert_eq!(both.code(), Code::BadRequest);
    });
}

#[test]
fn a_match_with_clocks_between_people_has_no_help_before_its_end() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "sackson", live(600, 5)).await;
        let review = format!("/api/v1/matches/{}/review?game=0", state.id);
        let begun = step(&mut host, &mut guest, &state).await;
        assert!(!begun.hint && !begun.undo);
        for browser in [&mut host, &mut guest] {
            for what in ["hint", "undo"] {
                assert_eq!(browser.ask(&state.id, what).await.code(), Code::NotAllowed, "{what}");
            }
        }
        let games = usize::from(state.games);
        assert!(games > 2);
        for played in 1..games {
            let state = play_out(&mut host, &mut guest, &state.id, played).await;
            assert!(state.result.is_none() && state.reviewable.iter().all(|may| !may));
            assert_eq!(host.get(&review).await.code(), Code::MatchRunning, "{played} games");
        }
        play_out(&mut host, &mut guest, &state.id, games).await;
        let review: Value = host.get(&review).await.ok();
        assert!(review.is_object());
    });
}

#[test]
fn by_correspondence_the_list_says_when_the_time_is_up() {
    run(async {
        let table = Table::new().await;
        let clock = json!({"kind": "days", "days": 2});
        let (mut host, mut guest, state) = two(&table, "bga", clock.clone()).await;
        let listed = async |browser: &mut Browser| {
            let list: Value = browser.get("/api/v1/matches").await.ok();
            list["matches"][0].clone()
        };
        let summary = listed(&mut host).await;
        assert_eq!((&summary["clock"], &summary["deadline"]), (&clock, &Value::Null));
        let state = step(&mut host, &mut guest, &state).await;
        let state = step(&mut host, &mut guest, &state).await;
        let clocks = state.clocks.expect("clocks");
        let left = match clocks.running.expect("a running clock") {
            PlayerWire::A => clocks.a,
            PlayerWire::B => clocks.b,
        };
        // The clock of the player to act runs, and has at most two days left.
        assert!(left.is_some_and(|left| (1..=172_800_000).contains(&left)), "{clocks:?}");
        let [here, there] = [listed(&mut host).await, listed(&mut guest).await];
        assert!(here["deadline"].is_string() && here["deadline"] == there["deadline"], "{here}");
        assert_ne!(here["your_turn"], there["your_turn"]);
    });
}

#[test]
fn by_correspondence_a_time_that_ends_in_a_short_downtime_is_extended() {
    run(async {
        let table = Table::new().await;
        let clock = json!({"kind": "days", "days": 1});
        let (mut host, mut guest, state) = two(&table, "bga", clock).await;
        let state = step(&mut host, &mut guest, &state).await;
        let state = step(&mut host, &mut guest, &state).await;
        // The player's time for their action ended ten minutes ago. All servers had stopped ten minutes before this end.
        table.let_pass(87_000, 1_200).await;
        let table = table.restart().await;
        let _served = served(&table).await;
        let (mut host, mut guest) = (host.at(&table.server), guest.at(&table.server));
        let state = step(&mut host, &mut guest, &state).await;
        let state = step(&mut host, &mut guest, &state).await;
        assert!(state.result.is_none());
        let log = entries(&table).await;
        let credits = log.iter().filter(|(kind, ..)| kind == "credit");
        let given: Vec<i64> = credits.map(|(_, _, given)| *given).collect();
        assert!(matches!(*given, [1_199_000..1_260_000]), "{log:?}");
    });
}
