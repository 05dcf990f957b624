//! Tests days off, which pause correspondence clocks, and the feed of matches in which it is a person's turn.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use jiff::Timestamp;
use overmate_server::wire::{Code, DaysOff, MatchView, PlayerWire, TurnFeed};
use overmate_server::{Limits, Settings};
use serde_json::{Value, json};

use crate::sockets::served;
use crate::support::{Browser, Table, run, turn};

/// Number of milliseconds in a day.
const DAY: i64 = 86_400_000;

/// Begins a correspondence match between two new test clients, in which each player has acted. The first client in the result is
/// that of the player whose turn it is.
pub(crate) async fn begun(table: &Table) -> (Browser, Browser, MatchView) {
    let (mut host, mut guest) = (table.browser(), table.browser());
    let clock = json!({"kind": "days", "days": 3});
    let new = json!({"rules": "bga", "opponent": {"kind": "friend"}, "lead": "me", "clock": clock});
    let state: MatchView = host.post("/api/v1/matches", new).await.ok();
    let token = state.invitation.clone().expect("an invitation").replace("/join/", "");
    let state: MatchView =
        guest.post(&format!("/api/v1/invitations/{token}"), json!({})).await.ok();
    let state = host.look(&state.id).await;
    let state: MatchView = host.act(&state, &state.current.legal[0].action).await.ok();
    let state = guest.look(&state.id).await;
    let state: MatchView = guest.act(&state, &state.current.legal[0].action).await.ok();
    match turn(&state) {
        Some(PlayerWire::A) => (host, guest, state),
        _ => (guest, host, state),
    }
}

async fn set(browser: &mut Browser, away: bool) -> DaysOff {
    browser.put("/api/v1/me/days-off", json!({"away": away})).await.ok()
}

/// Returns the clock deadline in a test client's only match, as a Unix time in milliseconds.
async fn deadline(browser: &mut Browser) -> i64 {
    let list: Value = browser.get("/api/v1/matches").await.ok();
    millis(list["matches"][0]["deadline"].as_str().expect("a deadline"))
}

fn millis(text: &str) -> i64 {
    text.parse::<Timestamp>().expect("a time").as_millisecond()
}

/// Returns the kind, the Unix time and the added clock time of each log entry in the database, both times in
/// milliseconds.
pub(crate) async fn entries(table: &Table) -> Vec<(String, i64, i64)> {
    let mut database = table.connect().await;
    let query = "SELECT kind, at_ms, given_ms FROM log ORDER BY sequence";
    sqlx::query_as(query).fetch_all(&mut database).await.unwrap()
}

#[test]
fn the_clock_of_a_player_who_is_away_stands_still_until_they_are_back() {
    run(async {
        let table = Table::new().await;
        let (mut acting, mut other, state) = begun(&table).await;
        let before = deadline(&mut acting).await;
        let away = set(&mut acting, true).await;
        let until = millis(&away.away_until.clone().expect("an absence"));
        assert!((0..20).contains(&away.days_left) && away.days == 20, "{away:?}");
        assert_eq!(set(&mut acting, true).await.away_until, away.away_until, "a repeated request");
        // Both players see that the days off move the deadline, and for how long the clock will stand still.
        let log = entries(&table).await;
        let (kind, gone_at, given) = log[log.len() - 1].clone();
        assert_eq!((&*kind, gone_at + given >= until, log.len()), ("away", true, 4));
        for browser in [&mut acting, &mut other] {
            let moved = deadline(browser).await - before;
            assert!((given - 1_000..=given + 1_000).contains(&moved), "{moved} {given}");
            let clocks = browser.look(&state.id).await.clocks.expect("clocks");
            assert!(clocks.runs_in > DAY && clocks.runs_in <= given, "{clocks:?}");
        }
        let back = set(&mut acting, false).await;
        assert_eq!(back.away_until, None);
        let log = entries(&table).await;
        let (kind, back_at, given) = log[log.len() - 1].clone();
        assert_eq!((&*kind, given, log.len()), ("away", 0, 5));
        // The deadline moves by exactly the time of the days off. The list of matches shows the deadline in whole seconds.
        let moved = deadline(&mut other).await - before;
        assert!((moved - (back_at - gone_at)).abs() < 1_000, "{moved} {gone_at} {back_at}");
        assert_eq!(acting.look(&state.id).await.clocks.expect("clocks").runs_in, 0);
        // A player may take actions during their days off.
        set(&mut acting, true).await;
        let state = acting.look(&state.id).await;
        let acted = acting.act(&state, &state.current.legal[0].action).await;
        assert!(acted.status.is_success(), "{}", acted.text());
    });
}

#[test]
fn a_turn_that_begins_in_an_absence_waits_from_its_beginning() {
    run(async {
        let table = Table::new().await;
        let (mut acting, mut other, state) = begun(&table).await;
        let before = deadline(&mut acting).await;
        set(&mut other, true).await;
        assert_eq!((deadline(&mut acting).await, entries(&table).await.len()), (before, 3));
        let mut state = acting.look(&state.id).await;
        let player = turn(&state);
        // A player who answers and wins a move acts twice in a row, because the winner leads the next move.
        while turn(&state) == player {
            state = acting.act(&state, &state.current.legal[0].action).await.ok();
        }
        let log = entries(&table).await;
        let [.., act, away] = &*log else { panic!("{log:?}") };
        assert_eq!((&*act.0, &*away.0), ("act", "away"));
        let clocks = acting.look(&state.id).await.clocks.expect("clocks");
        let left = if clocks.running == Some(PlayerWire::A) { clocks.a } else { clocks.b };
        let used = 3 * DAY - left.expect("a clock");
        assert!((0..60_000).contains(&used) && clocks.runs_in > DAY, "{clocks:?}");
    });
}

#[test]
fn a_server_lets_clocks_follow_an_absence_that_another_one_has_only_stored() {
    run(async {
        let table = Table::new().await;
        let (mut acting, _, state) = begun(&table).await;
        // A server that died after storing the days off has not adjusted the clocks of the matches.
        table
            .execute(
                "INSERT INTO absences SELECT holder, unixepoch() * 1000 - 1000, unixepoch() * 1000 + 864000000
                 FROM seats WHERE holder IS NOT NULL",
            )
            .await;
        let _served = served(&table).await;
        let state = acting.wait(&state.id, |state| state.sequence == 4).await;
        assert!(state.clocks.expect("clocks").runs_in > 9 * DAY);
        table.execute("UPDATE absences SET until = unixepoch() * 1000").await;
        let state = acting.wait(&state.id, |state| state.sequence == 5).await;
        assert_eq!(state.clocks.expect("clocks").runs_in, 0);
    });
}

#[test]
fn a_player_who_went_away_in_time_does_not_lose_after_the_death_of_a_server() {
    run(async {
        for was_in_time in [true, false] {
            let table = Table::new().await;
            let (acting, _, state) = begun(&table).await;
            // The turn of the player began five days ago, so that the three days for their action are over.
            table.let_pass(432_000, 0).await;
            let begin = if was_in_time {
                "INSERT INTO absences SELECT holder, (unixepoch() - 345600) * 1000, (unixepoch() + 864000) * 1000
                 FROM seats WHERE holder IS NOT NULL"
            } else {
                "INSERT INTO absences SELECT holder, (unixepoch() - 86400) * 1000, (unixepoch() + 864000) * 1000
                 FROM seats WHERE holder IS NOT NULL"
            };
            table.execute(begin).await;
            let table = table.restart().await;
            let mut acting = acting.at(&table.server);
            let _served = served(&table).await;
            let state = acting.wait(&state.id, |state| state.sequence >= 4).await;
            let kind = entries(&table).await.swap_remove(3).0;
            assert_eq!(kind, if was_in_time { "away" } else { "flag" });
            assert_eq!(state.result.is_none(), was_in_time);
            if was_in_time {
                let clocks = state.clocks.expect("clocks");
                assert!(clocks.runs_in > 9 * DAY && clocks.runs_in <= 10 * DAY, "{clocks:?}");
            }
        }
    });
}

#[test]
fn an_unreadable_match_stops_no_clock_of_another_match() {
    run(async {
        let table = Table::new().await;
        let pairs = [begun(&table).await, begun(&table).await];
        table
            .execute(
                "INSERT INTO log (match_id, sequence, player, kind, client_id, at, at_ms)
                 SELECT min(id), 4, 'a', 'unknown', 'x', 0, 0 FROM matches",
            )
            .await;
        table
            .execute(
                "INSERT INTO absences SELECT holder, unixepoch() * 1000 - 1000, unixepoch() * 1000 + 864000000
                 FROM seats WHERE holder IS NOT NULL",
            )
            .await;
        let _served = served(&table).await;
        let readable = pairs.into_iter().max_by_key(|(_, _, state)| state.id.clone());
        let (mut acting, _, state) = readable.expect("a match");
        let state = acting.wait(&state.id, |state| state.sequence == 4).await;
        assert!(state.clocks.expect("clocks").runs_in > 9 * DAY);
    });
}

#[test]
fn the_matches_of_a_joining_browser_follow_the_absence_of_the_new_person() {
    run(async {
        let table = Table::new().await;
        for is_host_away in [true, false] {
            let (mut acting, mut other, state) = begun(&table).await;
            let mut host = table.browser();
            host.begin("bga", json!({"kind": "both"})).await;
            let left = if is_host_away {
                set(&mut host, true).await.days_left
            } else {
                set(&mut acting, true).await;
                20
            };
            let made = host.make_codes("link").await;
            let joined = acting.join(&made.codes[0]).await;
            assert!(joined.status.is_success(), "{}", joined.text());
            let now: DaysOff = acting.get("/api/v1/me/days-off").await.ok();
            assert_eq!(now.away_until.is_some(), is_host_away);
            // If the browser of a person on days off is linked to another person, these days off end, and count as one used day.
            assert_eq!(now.days_left, if is_host_away { left } else { left - 1 });
            let clocks = other.look(&state.id).await.clocks.expect("clocks");
            assert_eq!(clocks.runs_in > DAY, is_host_away, "{clocks:?}");
        }
    });
}

#[test]
fn a_joining_browser_gets_a_downtime_back_before_its_clocks_follow_an_absence() {
    run(async {
        let table = Table::new().await;
        let (acting, ..) = begun(&table).await;
        let mut host = table.browser();
        host.begin("bga", json!({"kind": "both"})).await;
        set(&mut host, true).await;
        let made = host.make_codes("link").await;
        // The turn of the player began ten hours ago. An hour after the beginning of the turn, all servers stopped.
        table.let_pass(36_000, 32_400).await;
        let table = table.restart().await;
        let joined = acting.at(&table.server).join(&made.codes[0]).await;
        assert!(joined.status.is_success(), "{}", joined.text());
        let log = entries(&table).await;
        let [.., credit, away] = &*log else { panic!("{log:?}") };
        assert_eq!((&*credit.0, &*away.0), ("credit", "away"), "{log:?}");
        assert!((32_300_000..32_600_000).contains(&credit.2), "{log:?}");
    });
}

#[test]
fn days_off_need_an_identity_and_end_with_the_year() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let none: DaysOff = browser.get("/api/v1/me/days-off").await.ok();
        assert_eq!((none.away_until, none.days_left), (None, 20));
        let refused = browser.put("/api/v1/me/days-off", json!({"away": true})).await;
        assert_eq!(refused.code(), Code::NotFound);
        assert!(refused.text().contains("neither a match nor an account"), "{}", refused.text());
        browser.begin("bga", json!({"kind": "both"})).await;
        let mut switched = 0;
        // Each period of days off counts as at least a day.
        while browser.put("/api/v1/me/days-off", json!({"away": true})).await.status.is_success() {
            set(&mut browser, false).await;
            switched += 1;
        }
        assert!((19..=20).contains(&switched), "{switched}");
        assert_eq!(browser.erase().await.status.as_u16(), 204);
        let mut database = table.connect().await;
        let left: i64 = sqlx::query_scalar("SELECT count(*) FROM absences")
            .fetch_one(&mut database)
            .await
            .unwrap();
        assert_eq!(left, 0);
    });
}

#[test]
fn a_secret_address_tells_of_turns_until_it_is_revoked() {
    run(async {
        let table = Table::new().await;
        let (mut acting, mut other, state) = begun(&table).await;
        let none: TurnFeed = acting.get("/api/v1/me/feed").await.ok();
        assert_eq!(none.path, None);
        let mut anybody = table.browser();
        let refused = anybody.post("/api/v1/me/feed", json!({})).await;
        assert_eq!(refused.code(), Code::NotFound);
        assert!(refused.text().contains("neither a match nor an account"), "{}", refused.text());
        let own: TurnFeed = acting.post("/api/v1/me/feed", json!({})).await.ok();
        let theirs: TurnFeed = other.post("/api/v1/me/feed", json!({})).await.ok();
        let (own, theirs) = (own.path.expect("an address"), theirs.path.expect("an address"));
        let due = deadline(&mut acting).await;
        let atom = anybody.get(&format!("{own}/turns.atom")).await.text();
        let feed: atom_syndication::Feed = atom.parse().expect("an Atom feed");
        assert_eq!(feed.entries.len(), 1, "{atom}");
        assert!(feed.entries[0].links[0].href.ends_with(&format!("/match/{}", state.id)), "{atom}");
        let german = anybody.get(&format!("{own}/turns.ics?lang=de")).await.text();
        let start = Timestamp::from_millisecond(due).unwrap().strftime("%Y%m%dT%H%M%SZ");
        assert!(german.contains(&format!("DTSTART:{start}\r\n")), "{german}");
        assert!(german.contains("SUMMARY:Du bist am Zug"), "{german}");
        // The calendar of a player is empty while it is not their turn in any match.
        let theirs = anybody.get(&format!("{theirs}/turns.ics")).await.text();
        assert!(theirs.starts_with("BEGIN:VCALENDAR") && !theirs.contains("VEVENT"), "{theirs}");
        // Days off also move the deadline in the player's calendar of turns.
        set(&mut acting, true).await;
        let later = anybody.get(&format!("{own}/turns.ics")).await.text();
        assert!(later.contains("VEVENT") && !later.contains(&start.to_string()), "{later}");
        // A new secret URL of the player's turn feed replaces the former URL. The server answers a request to a former or revoked URL with
        // the HTTP status 404.
        let new: TurnFeed = acting.post("/api/v1/me/feed", json!({})).await.ok();
        let new = new.path.expect("an address");
        for (path, status) in [(&own, 404), (&new, 200)] {
            let read = anybody.get(&format!("{path}/turns.atom")).await;
            assert_eq!(read.status.as_u16(), status, "{path}");
        }
        assert_eq!(anybody.get(&format!("{new}/other")).await.status.as_u16(), 404);
        let revoke = Request::delete("/api/v1/me/feed").body(Body::empty()).unwrap();
        assert_eq!(acting.send(revoke).await.status.as_u16(), 204);
        assert_eq!(anybody.get(&format!("{new}/turns.ics")).await.status.as_u16(), 404);
    });
}

#[test]
fn the_operator_chooses_the_days_off_of_a_year() {
    run(async {
        for days in [0, 1, 30] {
            let chosen = |settings: Settings| {
                let limits = Limits { days_off: days, ..settings.limits };
                Settings { limits, ..settings }
            };
            let table = Table::with(chosen).await;
            let (mut acting, ..) = begun(&table).await;
            let own: DaysOff = acting.get("/api/v1/me/days-off").await.ok();
            assert_eq!((own.days, own.days_left), (days, days));
            let away = acting.put("/api/v1/me/days-off", json!({"away": true})).await;
            if days == 0 {
                assert_eq!(away.status, StatusCode::FORBIDDEN);
                assert_eq!(away.code(), Code::NotAllowed);
                let text = away.text();
                assert!(text.contains("not allowed: less than one day off remains"), "{text}");
            } else {
                assert!(away.ok::<DaysOff>().away_until.is_some());
            }
        }
    });
}
