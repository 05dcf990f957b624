//! Tests the reports of players about their opponents, and the measures that operators take against persons.

use std::time::Duration;

use axum::http::{StatusCode, header};
use jiff::Timestamp;
use overmate_server::wire::{
    ClientMessage, Code, Export, IgnoreKind, MatchView, MyMeasures, Phrase, Profile,
    ReportReasonWire, SeenEvent, ServerMessage,
};
use overmate_server::{Admin, FoundReport, Measure};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::ignored::ignored;
use crate::ratings::{begin, resigned};
use crate::sockets::{Socket, served};
use crate::support::{Answer, Browser, DAY, SOON, Table, client_id, now, run, two};
use crate::talk::talk;

const PASSWORD: &str = "correct horse battery";

async fn report(browser: &mut Browser, id: &str, body: Value) -> Answer {
    browser.post(&format!("/api/v1/matches/{id}/report"), body).await
}

async fn measures(browser: &mut Browser) -> MyMeasures {
    browser.get("/api/v1/me/measures").await.ok()
}

async fn admin(table: &Table) -> Admin {
    Admin::open(&table.folder.path().to_owned().into()).await.expect("a database")
}

async fn challenge(browser: &mut Browser, to: &str) -> Answer {
    let clock = json!({"kind": "days", "days": 3});
    let body = json!({"rules": "bga", "client_id": client_id(), "to": to, "clock": clock});
    browser.post("/api/v1/offers", body).await
}

#[test]
fn a_player_reports_the_opponent_of_a_match_and_at_most_five_a_day() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        talk(&mut host, &mut guest, &state.id).await;
        let words = "x".repeat(501);
        for body in [json!({"reason": "boredom"}), json!({"reason": "other", "text": words})] {
            assert_eq!(report(&mut host, &state.id, body).await.code(), Code::BadRequest);
        }
        let body = json!({"reason": "insults", "text": " bad\u{200b} words\n"});
        assert_eq!(report(&mut host, &state.id, body).await.status, StatusCode::NO_CONTENT);
        let stranger = report(&mut table.browser(), &state.id, json!({"reason": "name"})).await;
        assert_eq!(stranger.code(), Code::NotFound);
        let alone = host.begin("bga", json!({"kind": "level", "level": 3})).await;
        let refused = report(&mut host, &alone.id, json!({"reason": "unfair"})).await;
        assert_eq!(refused.code(), Code::NotAllowed);
        // After the first report, a player can report only four further matches on the same day. The next report is possible one day after
        // the first report.
        for number in 1..=4 {
            let state = begin(&mut host, &mut guest, json!({"rated": false})).await;
            let sent = report(&mut host, &state.id, json!({"reason": "stalling"})).await;
            assert_eq!(sent.status, StatusCode::NO_CONTENT, "{number}");
        }
        let further = begin(&mut host, &mut guest, json!({"rated": false})).await;
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let asked = now();
        let sent = report(&mut host, &further.id, json!({"reason": "stalling"})).await;
        assert_eq!(sent.code(), Code::TooMany);
        let wait: i64 = sent.headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
        let answered = now();
        let export: Export = host.get("/api/v1/me/export").await.ok();
        assert_eq!(export.reports.len(), 5);
        let first = export.reports.iter().find(|one| one.match_id == state.id).expect("a report");
        let possible = first.at.parse::<Timestamp>().unwrap().as_second() + DAY;
        assert!((possible - answered..=possible - asked).contains(&wait), "{wait}");
        assert_eq!(first.reason, ReportReasonWire::Insults);
        assert_eq!((first.text.as_deref(), &first.settled_at), (Some("bad words"), &None));
        assert!(!guest.get("/api/v1/me/export").await.text().contains("bad words"));
        // The operator reads a player's report about the opponent, together with the chat messages that both players wrote in the reported
        // match.
        let mut admin = admin(&table).await;
        let found = admin.reports(false).await.expect("reports");
        assert_eq!(found.len(), 5);
        let first = found.iter().find(|one| one.match_id == state.id).expect("a report");
        assert_eq!(first.reported.handle.as_deref(), Some("Bert"));
        assert_eq!(first.reporter.handle.as_deref(), Some("Anna"));
        let texts: Vec<_> = first.messages.iter().map(|one| (&*one.player, &*one.text)).collect();
        assert_eq!(texts, [("a", "well played"), ("b", "well played")]);
        // An erasure of the reporter's data removes the text of the report and the reporter's identity. A later sweep removes the report.
        assert_eq!(host.erase().await.status, StatusCode::NO_CONTENT);
        let found = admin.reports(false).await.expect("reports");
        let is_left = |one: &FoundReport| one.text.is_some() || one.reporter.browser.is_some();
        assert_eq!((found.len(), found.iter().any(is_left)), (5, false));
        table.server.remove_expired(now() + 179 * DAY).await;
        assert_eq!(admin.reports(false).await.expect("reports").len(), 5);
        table.server.remove_expired(now() + 181 * DAY).await;
        assert_eq!(admin.reports(true).await.expect("reports"), []);
        admin.close().await.expect("a database");
    });
}

#[test]
fn a_player_who_has_deleted_a_rated_match_is_still_reported_and_blocked() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        let path = format!("/api/v1/matches/{}", state.id);
        assert_eq!(guest.delete(&path).await.status, StatusCode::NO_CONTENT);
        let sent = report(&mut host, &state.id, json!({"reason": "name"})).await;
        assert_eq!(sent.status, StatusCode::NO_CONTENT);
        let found = admin(&table).await.reports(false).await.expect("reports");
        let handles: Vec<_> = found.iter().map(|one| one.reported.handle.as_deref()).collect();
        assert_eq!(handles, [Some("Bert")]);
        let blocked = host.put(&format!("{path}/ignored/block"), json!({})).await;
        assert_eq!(blocked.status, StatusCode::NO_CONTENT);
        assert_eq!(ignored(&mut host).await, [(IgnoreKind::Block, Some("Bert".to_owned()))]);
        // After the erasure of the opponent's data, the match has no opponent who could be reported.
        assert_eq!(guest.erase().await.status, StatusCode::NO_CONTENT);
        let refused = report(&mut host, &state.id, json!({"reason": "name"})).await;
        assert_eq!(refused.code(), Code::NotAllowed);
    });
}

#[test]
fn a_warning_is_shown_until_it_is_confirmed() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let body = json!({"reason": "stalling"});
        assert_eq!(report(&mut host, &state.id, body.clone()).await.status, StatusCode::NO_CONTENT);
        let mut admin = admin(&table).await;
        let found = admin.reports(false).await.expect("reports").remove(0);
        let person = found.reported.browser.expect("a browser");
        let warn = Measure::Warn("Please play on.".to_owned());
        let unknown = "0".repeat(32);
        let refused = admin.take_measure(&person, &warn, "a test", Some(&unknown)).await;
        assert!(refused.expect_err("no report").to_string().contains(&unknown));
        assert_eq!(measures(&mut guest).await, MyMeasures::default(), "nothing is stored");
        let reporter = found.reporter.browser.expect("a browser");
        let other = admin.take_measure(&reporter, &warn, "a test", Some(&found.id)).await;
        assert!(other.expect_err("another person").to_string().contains("not about the target"));
        assert_eq!(measures(&mut host).await, MyMeasures::default(), "nothing is stored");
        assert_eq!(admin.reports(false).await.expect("reports").len(), 1);
        admin.take_measure(&person, &warn, "a test", Some(&found.id)).await.expect("a warning");
        assert_eq!(admin.reports(false).await.expect("reports"), []);
        assert_eq!(report(&mut host, &state.id, body).await.code(), Code::NotAllowed);
        let warning = measures(&mut guest).await.warning.expect("a warning");
        assert_eq!(warning.text, "Please play on.");
        assert_eq!(measures(&mut host).await, MyMeasures::default());
        let export: Export = guest.get("/api/v1/me/export").await.ok();
        assert_eq!(export.measures.warning.as_ref(), Some(&warning));
        let act = &export.operator_acts[0];
        assert_eq!((&*act.act, &*act.target, act.matches), ("warn", &*person, Some(0)));
        for (at, is_left) in [(warning.at - 1, true), (warning.at, false)] {
            let confirmed = guest.post("/api/v1/me/measures/confirm", json!({"at": at})).await;
            assert_eq!(confirmed.status, StatusCode::NO_CONTENT);
            assert_eq!(measures(&mut guest).await.warning.is_some(), is_left);
        }
        admin.close().await.expect("a database");
    });
}

#[test]
fn a_muted_player_sends_no_texts_and_phrases_and_is_told_so() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        let id = &*state.id;
        talk(&mut host, &mut guest, id).await;
        let mut admin = admin(&table).await;
        admin.take_measure("@Bert", &Measure::Mute(3), "a test", None).await.expect("a mute");
        let until = measures(&mut guest).await.muted_until.expect("a mute");
        let send = async |browser: &mut Browser| {
            let new = json!({"text": "hello", "client_id": client_id()});
            browser.post(&format!("/api/v1/matches/{id}/talk"), new).await
        };
        let refused = send(&mut guest).await;
        assert_eq!(refused.code(), Code::MutedByOperator);
        assert!(refused.text().contains(&until), "{}", refused.text());
        assert_eq!(send(&mut host).await.status, StatusCode::OK);
        let served = served(&table).await;
        let mut socket = Socket::open(&served, &guest, &format!("{id}/live")).await;
        socket.hello().await;
        socket.say(&ClientMessage::Attend { hidden: false }).await;
        socket.say(&ClientMessage::Say { phrase: Phrase::Thanks }).await;
        loop {
            match timeout(SOON, socket.next()).await.expect("a message") {
                ServerMessage::Problem { problem, .. } => {
                    assert_eq!(problem.code, Code::MutedByOperator);
                    break;
                }
                ServerMessage::Said { .. } => panic!("a phrase"),
                _ => {}
            }
        }
        // A mute ends after its number of days, or earlier by an act of an operator.
        table.execute("UPDATE measures SET until = until - 3 * 24 * 60 * 60").await;
        assert_eq!(measures(&mut guest).await.muted_until, None);
        assert_eq!(send(&mut guest).await.status, StatusCode::OK);
        let late = admin.take_measure("@Bert", &Measure::Mute(0), "a test", None).await;
        assert!(late.expect_err("no mute").to_string().contains("not muted"));
        admin.take_measure("@Bert", &Measure::Mute(1), "a test", None).await.expect("a mute");
        admin.take_measure("@Bert", &Measure::Mute(0), "a test", None).await.expect("an end");
        let again = admin.take_measure("@Bert", &Measure::Mute(0), "a test", None).await;
        assert!(again.expect_err("no mute").to_string().contains("not muted"));
        assert_eq!(send(&mut guest).await.status, StatusCode::OK);
        admin.close().await.expect("a database");
        drop(served.stop);
    });
}

#[test]
fn a_closed_account_neither_signs_in_nor_plays_rated_matches_nor_talks() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = resigned(&table, ["Anna", "Bert"]).await;
        talk(&mut host, &mut guest, &state.id).await;
        assert_eq!(challenge(&mut guest, "Anna").await.status, StatusCode::CREATED);
        let running = begin(&mut host, &mut guest, json!({})).await;
        let rated = json!({
            "rules": "bga", "opponent": {"kind": "friend"}, "rated": true,
            "clock": {"kind": "days", "days": 3}
        });
        assert!(guest.ask(&state.id, "rematch").await.status.is_success());
        let invited: MatchView = guest.post("/api/v1/matches", rated.clone()).await.ok();
        let mut admin = admin(&table).await;
        let unknown = admin.take_measure("@Nobody", &Measure::Close, "a test", None).await;
        assert!(unknown.is_err());
        let early = admin.take_measure("@Bert", &Measure::Reopen, "a test", None).await;
        assert!(early.is_err());
        admin.take_measure("@Bert", &Measure::Close, "a test", None).await.expect("an account");
        assert!(measures(&mut guest).await.closed);
        let shown: Profile = host.get("/api/v1/players/Bert").await.ok();
        assert!(shown.closed);
        // When an operator closes a person's account, the open challenge of this person is withdrawn, and they cannot make a new challenge.
        let lobby = timeout(SOON, async {
            while host.get("/api/v1/lobby").await.text().contains("Bert") {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        lobby.await.expect("no challenge");
        let text = json!({"text": "hello", "client_id": client_id()});
        let talk_path = format!("/api/v1/matches/{}/talk", state.id);
        let event = json!({
            "kind": {"kind": "arena", "minutes": 30}, "rules": "bga", "base": 60, "increment": 0,
            "starts_in": 5, "client_id": client_id()
        });
        let made: SeenEvent = host.post("/api/v1/events", event.clone()).await.ok();
        for refused in [
            challenge(&mut guest, "Anna").await,
            guest.post(&talk_path, text).await,
            guest.post("/api/v1/matches", rated).await,
            guest.ask(&state.id, "rematch").await,
            guest.post("/api/v1/events", event.clone()).await,
            guest.post(&format!("/api/v1/events/{}/join", made.shown.event.id), json!({})).await,
        ] {
            assert_eq!(refused.code(), Code::AccountClosed, "{}", refused.text());
        }
        // Nobody begins a rated match by an earlier rematch offer or invitation of this person.
        let token = invited.invitation.expect("an open seat");
        let invitation = format!("/api/v1/invitations/{}", token.trim_start_matches("/join/"));
        for refused in
            [host.ask(&state.id, "rematch").await, host.post(&invitation, json!({})).await]
        {
            assert_eq!(refused.code(), Code::NotAllowed, "{}", refused.text());
            assert!(refused.text().contains("closed the account"), "{}", refused.text());
        }
        // Only the right password reveals that the account is closed.
        let mut phone = table.browser();
        for (password, code) in
            [(PASSWORD, Code::AccountClosed), ("wrong horse", Code::SignInRefused)]
        {
            let body = json!({"handle": "Bert", "password": password});
            let refused = phone.post("/api/v1/me/sign-in", body).await;
            assert_eq!(refused.code(), code);
        }
        // A person with a closed account can still play their running match and unrated matches.
        assert!(guest.ask(&running.id, "resign").await.status.is_success());
        guest.begin("bga", json!({"kind": "level", "level": 3})).await;
        admin.take_measure("@Bert", &Measure::Reopen, "a test", None).await.expect("an account");
        assert!(!host.get("/api/v1/players/Bert").await.ok::<Profile>().closed);
        let body = json!({"handle": "Bert", "password": PASSWORD});
        assert!(phone.post("/api/v1/me/sign-in", body).await.status.is_success());
        let acts = admin.acts().await.expect("the log");
        let acts: Vec<&str> = acts.iter().map(|act| &*act.act).collect();
        assert_eq!(acts, ["close", "reopen"]);
        admin.close().await.expect("a database");
    });
}

#[test]
fn a_closed_account_gets_no_further_browsers() {
    run(async {
        let table = Table::new().await;
        let (mut host, ..) = resigned(&table, ["Anna", "Bert"]).await;
        let [link, recovery] = [host.make_codes("link").await, host.make_codes("recovery").await]
            .map(|made| made.codes);
        let mut admin = admin(&table).await;
        admin.take_measure("@Anna", &Measure::Close, "a test", None).await.expect("an account");
        for code in [&link[0], &recovery[0]] {
            assert_eq!(table.browser().join(code).await.code(), Code::CodeRefused);
        }
        for kind in ["link", "recovery"] {
            let refused = host.post("/api/v1/me/codes", json!({"kind": kind})).await;
            assert_eq!(refused.code(), Code::AccountClosed, "{kind}");
        }
        // The linking code and the recovery code are valid again once the account is open again.
        admin.take_measure("@Anna", &Measure::Reopen, "a test", None).await.expect("an account");
        for code in [&link[0], &recovery[0]] {
            assert_eq!(table.browser().join(code).await.status, StatusCode::OK);
        }
        admin.close().await.expect("a connection");
    });
}
